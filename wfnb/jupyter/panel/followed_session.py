"""a notebook -> the session that a front end sees: the one in use, else the one that would be.

Nothing is recorded and nothing is opened by looking.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.journal import Journal, SessionInfo
from wfnb.jupyter.notebook import Notebook
from wfnb.process_identity import has_ended
from wfnb.render.text import escape
from wfnb.views.step_words import cut
from wfnb.workspace import Workspace

_NAMED = 5
"""Sessions that are named where none is in use, beside the last."""


@dataclass(frozen=True, eq=False)
class FollowedSession:
    """A session as it is looked at: a workspace that is in use, or a session that is only kept."""

    journal: Journal
    id: int
    workspace: Workspace | None
    session: Session | None = None

    @property
    def line(self) -> str:
        return MAIN if self.workspace is None else self.workspace.log.line

    @property
    def steps_run(self) -> Container[int]:
        """The keys of the steps that this kernel ran."""
        return frozenset() if self.workspace is None else self.workspace.log.ran

    @contextmanager
    def locked_session(self) -> Iterator[Session]:
        """The session as it is now, for as long as the block lasts."""
        if self.workspace is not None:
            with self.workspace.log.locked_session() as session:
                yield session
        elif self.session is not None:
            yield self.session


class Following:
    """Which session that is now. The answer is the same object for as long as it is the same."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self._last: FollowedSession | None = None
        self._info: SessionInfo | None = None

    def current(self) -> FollowedSession | None:
        """None where there is no session yet. JournalError where the disk says no."""
        used, last = self.notebook.workspace, self._last
        if used is not None:
            # Only another session gives another object: the publisher compares by identity.
            if last is None or last.workspace is not used:
                self._last = FollowedSession(used.log.journal, used.log.id, used)
            return self._last
        found = self.notebook.find_session()
        if found is None:
            self._last = None
            return None
        place, info = found.home, found.info
        # Replayed only when its row has changed, or what ran in it was cut off: this is asked
        # several times a second.
        known = last is not None and last.journal is place.journal and info == self._info
        if not known or _has_lost(last):
            self._last = FollowedSession(place.journal, info.id, None, place.look(info))
        self._info = info
        return self._last

    def others(self) -> list[str]:
        """The names of the sessions that are kept there, the one that changed last first.
        JournalError."""
        found = [info for info in self.notebook.home().sessions() if not info.archived]
        return [info.name for info in sorted(found, key=lambda info: -info.changed)]


def _has_lost(followed: FollowedSession | None) -> bool:
    """Whether a process has ended since in which a step of it ran."""
    running = followed.session.running if followed and followed.session else {}
    return any(has_ended(name) for _, name in running.values())


def nothing(others: Sequence[str]) -> str:
    """Where no session is followed: what begins one, or goes on with one that is kept.

    >>> nothing([])
    'No session yet. `%%step` or `%wfnb start NAME` begins one.'
    >>> nothing(["drift", "pump"])
    'No session is in use yet. `%wfnb resume drift` goes on with the last one; also kept: pump.'
    """
    if not others:
        return "No session yet. `%%step` or `%wfnb start NAME` begins one."
    last, *older = (cut(escape.line(name), 60) for name in others)
    also = ", ".join(older[:_NAMED]) + (" and more" if len(older) > _NAMED else "")
    also = f"; also kept: {also}" if older else ""
    return f"No session is in use yet. `%wfnb resume {last}` goes on with the last one{also}."
