"""a session's stream in the journal -> the session, in step with it: commands in, events recorded.

What `wfnb/workflows/run_log.py` is to a run, this is to a session.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from weakref import WeakSet

from wfnb.core.commands import Command
from wfnb.core.decide import decide
from wfnb.core.events import Recorded
from wfnb.core.replay import advance, replay
from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.errors import JournalConflict, JournalCorrupt, Refused
from wfnb.journal import Journal, guard_replay, without_gc

Watcher = Callable[[list[Recorded]], None]


def replay_session(journal: Journal, session: int) -> Session:
    """A session as its journal has it."""
    return guard_replay(journal.place, lambda: without_gc(lambda: replay(journal.read(session))))


_OPEN: WeakSet[SessionLog] = WeakSet()


def _after_fork() -> None:
    """A child has the locks of threads that it does not have, and nobody in it watches."""
    for log in _OPEN:
        log._lock = RLock()
        log.watchers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class SessionLog:
    """A session that is open in this process. Any thread may ask and command. `line` is the one
    that is chosen here. `watchers` are told what was recorded, whoever recorded it, in the thread
    that learned of it and once the session has it; of another line they are told without entries.
    They return at once, and command nothing."""

    def __init__(self, journal: Journal, session: int) -> None:
        self.journal = journal
        self.id = session
        self.watchers: list[Watcher] = []
        self._line = MAIN
        self._lock = RLock()
        self._torn = False
        self.session = replay_session(journal, session)
        _OPEN.add(self)

    @property
    def line(self) -> str:
        return self._line

    @line.setter
    def line(self, line: str) -> None:
        self._line = line
        self._tell([])

    @contextmanager
    def locked_session(self) -> Iterator[Session]:
        """The session, for as long as the block lasts as it is now: to be looked at from any
        thread, and not to be waited in."""
        with self._lock:
            if self._torn:
                self.refresh()
            yield self.session

    def do(self, command: Command) -> list[Recorded]:
        """Decide, record, apply. Returns what was recorded; nothing, where the session already
        was as the command wants it."""
        with self._lock:
            if self._torn:
                self.refresh()
            try:
                events = decide(self.session, command)
            except Refused:
                events = []  # on what is known here, and others may have recorded more
            events = events or decide(self.refresh(), command)
            while events:
                known = self.session.position
                try:
                    entries = self.journal.append(self.id, events, known)
                except JournalConflict:
                    events = decide(self.refresh(), command)
                    if self.session.position == known:
                        what = f"what came after event {known} does not read"
                        raise JournalCorrupt(self.journal.place, what) from None
                else:
                    self._follow(entries)
                    return entries
        return []

    def refresh(self) -> Session:
        """The session with what other processes recorded meanwhile."""
        with self._lock:
            self._follow(self.journal.read(self.id, self.session.position))
        return self.session

    def _follow(self, entries: list[Recorded]) -> None:
        """Apply what was recorded. Where an interrupt comes in the middle, the session is torn,
        and is replayed before it is used again."""
        torn, self._torn = self._torn, True
        if torn or not guard_replay(
            self.journal.place, lambda: all(advance(self.session, entry) for entry in entries)
        ):
            self.session = replay_session(self.journal, self.id)
        self._torn = False
        if self._line not in self.session.lines:
            self._line = MAIN
        if entries:
            self._tell(entries)

    def _tell(self, entries: list[Recorded]) -> None:
        for watcher in tuple(self.watchers):
            watcher(entries)
