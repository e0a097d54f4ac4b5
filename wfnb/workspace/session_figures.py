"""what the steps of a session showed ⇄ figures, kept beside its journal."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from wfnb.core.shown_figures import MAX_FIGURE_BYTES, Figure, is_known
from wfnb.journal import MemoryJournal
from wfnb.session_log import SessionLog

if TYPE_CHECKING:
    from wfnb.values.figure_store import FigureStore

FOLDER = "figures"


class SessionFigures:
    """A session in memory keeps none: it ends with its kernel."""

    def __init__(self, log: SessionLog) -> None:
        self._log = log

    @property
    def are_kept(self) -> bool:
        chosen = self._log.session.keeping
        return self._store is not None and (chosen is None or chosen.figures)

    def keep(self, shown: Iterable[tuple[str, bytes]]) -> list[Figure]:
        """Those of them that are kept: none that is too large, or that the disk refuses."""
        store = self._store
        fitting = [(form, data) for form, data in shown if 0 < len(data) <= MAX_FIGURE_BYTES]
        kept = [(form, store.put(data)) for form, data in fitting] if store else []
        return [Figure(form=form, blob=blob) for form, blob in kept if blob is not None]

    def read(self, figure: Figure) -> bytes | None:
        """Its bytes; None where they are not there any more."""
        store = self._store if is_known(figure) else None
        return None if store is None else store.read(figure.blob)

    @cached_property
    def _store(self) -> FigureStore | None:
        from wfnb.values.figure_store import FigureStore  # noqa: PLC0415  heavy: only where there are figures

        journal = self._log.journal
        in_memory = isinstance(journal, MemoryJournal)
        return None if in_memory else FigureStore(Path(journal.place).parent / FOLDER)
