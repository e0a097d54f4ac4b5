"""a session -> the store of the values that it and the others beside it kept.

What reads and writes it is heavy, and is imported by the first that keeps or restores something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from wfnb.core.events import ValuesKept
from wfnb.core.replay import redoable
from wfnb.core.session import Session
from wfnb.data_files.strategies import Shelf
from wfnb.deferral import Deferral
from wfnb.journal import Journal, SessionInfo

from .session_log import replay_session
from .session_views import Runs, SessionViews
from .temporary_store import passing_folder, remove_left
from .value_requests import all_kept, blobs

if TYPE_CHECKING:
    from wfnb.values import Keeper, Usage


class SessionStore(SessionViews):
    """A session that may keep values."""

    def __init__(
        self,
        journal: Journal,
        session: int,
        strategies: Callable[[], Shelf],
        runner: Callable[[Any], Runs] | None,
        keeper: Callable[[], Keeper] | None,
    ) -> None:
        super().__init__(journal, session, strategies, runner)
        self._make_keeper = keeper or self._temporary_keeper
        self._made: Keeper | None = None

    def gc(self, *, undone: bool = False, archived: bool = False) -> Usage:
        """Remove the kept values that no step of any session refers to, and say what was removed:
        those of steps that were undone and cannot be redone, and those that a later attempt
        replaced. `undone`: also those that redoing would refer to again; `archived`: also those
        that only archived sessions refer to."""
        remove_left()
        return self._keeper.gc(lambda: self._live(undone, archived))

    def _live(self, undone: bool, archived: bool) -> Iterator[str]:
        infos = [info for info in self.journal.sessions() if not (archived and info.archived)]
        yield from blobs(map(self._session, infos))
        if not undone:
            for info in infos:
                for entry in redoable(self.journal.read(info.id)):
                    if isinstance(entry.event, ValuesKept):
                        yield from entry.event.kept.blobs()

    def trust(self) -> int:
        """Let the values that are kept here be read, whoever kept them. Reading one runs code that
        its author chose. Returns how many are newly trusted."""
        return self._keeper.trust(all_kept(map(self._session, self.journal.sessions())))

    def usage(self) -> Usage:
        """What all kept values beside this journal take up."""
        return self._keeper.usage()

    @property
    def _keeper(self) -> Keeper:
        if self._made is None:
            self._made = self._make_keeper()
        return self._made

    def _temporary_keeper(self) -> Keeper:
        """For a session that is in memory only: what it keeps goes with this process."""
        with Deferral():
            from wfnb.values import Keeper  # noqa: PLC0415  only where values are kept

        return Keeper(passing_folder(self))

    def _session(self, info: SessionInfo) -> Session:
        return self.refresh() if info.id == self.id else replay_session(self.journal, info.id)

    def _other_blobs(self, step: int | None) -> Iterator[str]:
        """What the other steps of this session refer to."""
        steps = tuple(self.session.steps.items())
        return (b for key, each in steps if key != step and each.kept for b in each.kept.blobs())
