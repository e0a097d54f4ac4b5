"""a session's stream in the journal -> the session, in step with it: commands in, events recorded.

    command -> decide -> record (journal) -> apply -> session

Recorded before applied, so memory is never ahead of disk. Where another process was quicker, its
events are read and the command is decided again; refusals, too, are decided on all there is. What
`wfnb/workflows/run_log.py` is to a run, this is to a session.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from weakref import WeakSet

from wfnb.author_context import AUTHOR, by_author
from wfnb.core import validation
from wfnb.core.apply import apply
from wfnb.core.commands import AddStep, Command
from wfnb.core.decide import decide
from wfnb.core.events import Outcome, Recorded, StepFinished
from wfnb.core.findings import Look
from wfnb.core.replay import advance, replay
from wfnb.core.session import Session, Step
from wfnb.core.step_lookup import find
from wfnb.core.validation import MAIN, StepPlace
from wfnb.errors import JournalConflict, JournalCorrupt, Refused
from wfnb.gc_pause import without_gc
from wfnb.investigations.core.commands import LookAt
from wfnb.journal import Journal, guard_replay
from wfnb.process_identity import has_ended, process

Watcher = Callable[[list[Recorded]], None]


class Host:
    """A program in which sessions are used, as a notebook: what it is told and asked of them. By
    default it wants to know nothing."""

    def on_step_tried(self) -> None:
        """A step is to be recorded, in whatever session; it may be refused as it is read."""

    def on_step(self, log: SessionLog, command: AddStep) -> None:
        """A step is to be recorded by this command."""

    def defers_looks(self, log: SessionLog, looks: Sequence[Look], since: int) -> bool:
        """Whether these looks, which began at the position `since`, are to wait for the next step:
        they may belong to a run of all cells. Then the host records them."""
        return False

    def deferred_looks(self, log: SessionLog) -> Sequence[Look]:
        """The looks that wait for the next step, as far as they count if that is a new one."""
        return ()


hosts: list[Host] = []
"""Those of this process. They are asked of a session whoever opened it: a cell may open by
`wfnb.open` the one that its notebook uses, and so may a thread that knows of no notebook."""


LOST = Outcome(status="interrupted", error="the kernel ended while it ran")
"""How an attempt ended whose process is gone."""


def replay_session(journal: Journal, session: int) -> Session:
    """A session as its journal has it."""
    return guard_replay(journal.place, lambda: without_gc(lambda: replay(journal.read(session))))


def end_lost(session: Session) -> int:
    """End the attempts whose process is gone, in memory alone: the next kernel that opens the
    session records that. How many there were."""
    lost = [attempt for attempt, (_, name) in session.running.items() if has_ended(name)]
    for attempt in lost:
        apply(session, StepFinished(attempt=attempt, outcome=LOST))
    return len(lost)


# Weak, so that a log ends when nobody uses it any more.
_OPEN: WeakSet[SessionLog] = WeakSet()


def _after_fork() -> None:
    """A child has the locks of threads that it does not have, and nobody in it watches."""
    for log in _OPEN:
        log.lock = RLock()
        log.watchers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class SessionLog:
    """A session that is open in this process. Any thread may ask and command. `line` is the one
    that is chosen here. `watchers` are told what was recorded, whoever recorded it, in the thread
    that learned of it and once the session has it; of another line they are told without entries.
    They return at once, and command nothing.

    `folder` is where the paths of files that a step names begin, `notebook` the file that the
    session is used from, if known. `opened` is the position at which it was opened here, `ran` has
    the keys of the steps that were run since."""

    def __init__(self, journal: Journal, session: int) -> None:
        self.journal = journal
        self.id = session
        self.lock = RLock()
        self.folder = Path.cwd()
        self.notebook: Path | None = None
        self.watchers: list[Watcher] = []
        self.ran: set[int] = set()
        self._line = MAIN
        self._torn = False
        self.session = replay_session(journal, session)
        self.opened = self.session.position
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
        with self.lock:
            if self._torn:
                self.refresh()
            yield self.session

    def do(self, command: Command) -> list[Recorded]:
        """Decide, record, apply. Returns what was recorded; nothing, where the session already
        was as the command wants it."""
        with self.lock:
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
                    new_events = by_author(events) if AUTHOR.get() else events
                    entries = self.journal.append(self.id, new_events, known)
                except JournalConflict:
                    events = decide(self.refresh(), command)
                    # Nothing new was there to be read, so the next append would be refused as well,
                    # without end.
                    if self.session.position == known:
                        what = f"what came after event {known} does not read"
                        raise JournalCorrupt(self.journal.place, what) from None
                else:
                    self._follow(entries)
                    return entries
        return []

    def refresh(self) -> Session:
        """The session with what other processes recorded meanwhile."""
        with self.lock:
            self._follow(self.journal.read(self.id, self.session.position))
        return self.session

    def entries(self) -> list[Recorded]:
        """All that was recorded, undone changes included, with times (seconds since 1970, UTC)."""
        return self.journal.read(self.id)

    def find(self, place: int | str | StepPlace) -> Step:
        """A step by its number (`3`), or by branch and number (`"alt:3"`)."""
        with self.lock:
            return find(self.refresh(), validation.place("step", place), self.line)

    def record_looks(self, *looks: Look, since: int | None = None) -> None:
        """Record what was looked at, where an investigation waits for that; `since` is what
        `look_position` said as the look began (default: what it says now). Nothing otherwise."""
        if not looks or not self.session.is_extended:
            return
        since = self.look_position() if since is None else since
        if not any(host.defers_looks(self, looks, since) for host in hosts):
            self.do(LookAt(looks=looks, since=since))

    def pending_looks(self) -> list[Look]:
        """What was looked at and is recorded with the next step: until then it is not known whether
        it counts."""
        return [look for host in hosts for look in host.deferred_looks(self)]

    def look_position(self) -> int:
        """The session's position as a look begins; 0 while a step runs in this process: what it
        looks at in its body is part of it, and nothing new after it."""
        if self.session.is_extended:
            self.refresh()  # another log of this session may have added the step
        running = self.session.running.values()
        runs_here = any(name == process() for _, name in running)
        return 0 if runs_here else self.session.position

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
