"""a notebook -> the session that a front end sees: the one in use, else the one that would be.

Nothing is recorded and nothing is opened by looking.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from wfnb.core.session import Session
from wfnb.core.values import MAIN
from wfnb.journal import Journal, SessionInfo
from wfnb.jupyter.notebook import Notebook
from wfnb.workspace import Workspace


@dataclass(frozen=True, eq=False)
class Followed:
    """A session as it is looked at: a workspace that is in use, or a session that is only kept."""

    journal: Journal
    id: int
    workspace: Workspace | None
    kept: Session | None = None

    @property
    def line(self) -> str:
        return MAIN if self.workspace is None else self.workspace.line

    @contextmanager
    def still(self) -> Iterator[Session]:
        """The session as it is now, for as long as the block lasts."""
        if self.workspace is not None:
            with self.workspace.still() as session:
                yield session
        elif self.kept is not None:
            yield self.kept


class Following:
    """Which session that is now. The answer is the same object for as long as it is the same."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self._last: Followed | None = None
        self._info: SessionInfo | None = None

    def now(self) -> Followed | None:
        """None where there is no session yet. JournalError where the disk says no."""
        used, last = self.notebook.workspace, self._last
        if used is not None:
            if last is None or last.workspace is not used:
                self._last = Followed(used.journal, used.id, used)
            return self._last
        info, place = self.notebook.kept(), self.notebook.home()
        if info is None:
            self._last = None
        elif last is None or last.journal is not place.journal or info != self._info:
            self._last = Followed(place.journal, info.id, None, place.look(info))
        self._info = info
        return self._last
