"""one run's stream in the journal -> the run, kept in step with it: commands in, events recorded.

What the session log is to a session, this is to a run, with one difference: several commands may be
recorded as one. A call that ended and the next that begins are then one write to the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TypeVar

from wfnb.author_context import AUTHOR, by_author
from wfnb.errors import JournalConflict, JournalCorrupt, Refused
from wfnb.gc_pause import without_gc
from wfnb.journal import Journal, RunInfo, guard_replay
from wfnb.process_identity import has_ended
from wfnb.workflows.core.apply import advance, replay, stamp
from wfnb.workflows.core.commands import RunCommand
from wfnb.workflows.core.decide import decide
from wfnb.workflows.core.events import RunEnded, RunEvent, RunParked, RunRecorded, RunResumed
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.truncation import pickles_of
from wfnb.workflows.definition.value_form_types import Pickle

T = TypeVar("T")
Watcher = Callable[[list[RunRecorded]], None]


class RunLog:
    """A run that is open in this process. Any thread may ask and command.

    Commands raise `Refused` for what cannot be (nothing is recorded then) and `JournalError` where
    the disk says no (what was recorded stays). `run`: as it is, where that is known already.
    """

    def __init__(self, journal: Journal, info: RunInfo, run: Run | None = None) -> None:
        self.journal = journal
        self.info = info
        self.lock = RLock()
        self.watchers: list[Watcher] = []
        self.run = run or replay_run(journal, info.id)
        self.ahead = False
        """Whether what the run says was not recorded, and the journal cannot be read either."""
        self._look()

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def asks(self) -> bool:
        """Whether a question is open: a recorded one, not one that is just being written."""
        with self.lock:
            return bool(self.run.questions)

    def __repr__(self) -> str:
        return f"<wfnb run {self.name!r}: {self.run.status}>"

    def do(self, command: RunCommand) -> list[RunRecorded]:
        """Decide, record, apply."""

        def decided() -> list[RunRecorded]:
            with self.batch_commands() as batch:
                batch.do(command)
            return batch.recorded

        return self.on_latest(decided)

    def on_latest(self, attempt: Callable[[], T]) -> T:
        """What `attempt` returns. It is made again where another process wrote meanwhile: also
        where it refuses, which may be because of what is no longer so."""
        while True:
            known = self.run.position
            try:
                return attempt()
            except JournalConflict:
                # Somebody wrote, but nothing new can be read: to try again would be for ever.
                if self.run.position == known:
                    what = f"what came after event {known} of run {self.name!r} does not read"
                    raise JournalCorrupt(self.journal.place, what) from None
            except Refused:
                # The refusal may be out of date. The disk is asked only now: most commands are
                # not refused.
                self.refresh()
                if self.run.position == known:
                    raise

    @contextmanager
    def batch_commands(self) -> Iterator[Batch]:
        """Commands that are recorded as one when the block ends. Inside it the run is already as
        they say, which nobody else sees. JournalConflict: another process wrote meanwhile, the run
        is as the journal has it, and nothing of the block was recorded. What it wrote is told."""
        with self.lock:
            if self.ahead:
                self.reload()
            batch = Batch(self.run)
            try:
                yield batch
                if batch.events:
                    # Decided and applied before it is written: the next commands of a batch build
                    # on these.
                    batch.recorded = self._record(batch)
            except BaseException:
                if batch.events and not batch.recorded:
                    # The run has events in memory that no journal has. From here to the end of
                    # the reload it must not be shown as what happened; if the reload fails, it is
                    # tried at the next use.
                    self.ahead = True
                    self._tell(self._reload_entries(batch.before))
                raise
        # Outside of the lock: a watcher may take locks of its own, or ask this log.
        if batch.recorded:
            self._tell(batch.recorded)

    def refresh(self) -> bool:
        """Follow what other processes recorded meanwhile. Whether there was anything."""
        with self.lock:
            if self.ahead:
                self.reload()
            entries = self.journal.read_run(self.info.id, self.run.position)
            guard_replay(self.journal.place, lambda: self._advance(entries))
            self._look()
        if entries:
            self._tell(entries)
        return bool(entries)

    def _advance(self, entries: list[RunRecorded]) -> None:
        for entry in entries:
            advance(self.run, entry)

    def reload(self) -> None:
        """The run as the journal has it."""
        with self.lock:
            self._reload_entries(self.run.position)

    def entries(self) -> list[RunRecorded]:
        """All that was recorded, with times."""
        return self.journal.read_run(self.info.id)

    def _reload_entries(self, after: int) -> list[RunRecorded]:
        """Take the run from the journal; what came there after a position. Where the journal cannot
        be read either, the run stays ahead of it until it can."""
        entries = without_gc(self.entries)
        self.run = guard_replay(self.journal.place, lambda: replay(entries))
        self.ahead = False
        self._look()
        return [entry for entry in entries if entry.position > after]

    def _look(self) -> None:
        """Whether anybody performs the run still: no process writes that it is gone."""
        self.run.lost = self.run.status == "running" and has_ended(self.run.process)

    def _record(self, batch: Batch) -> list[RunRecorded]:
        status: str | None = None
        process: str | None = None
        for event in batch.events:
            if isinstance(event, RunEnded):
                status = event.status
            elif isinstance(event, RunResumed):
                status, process = "running", event.process
            elif isinstance(event, RunParked):
                status, process = "running", self.run.process
        recorded = self.journal.append_run(
            self.info.id, batch.events, batch.before, status=status, process=process
        )
        for entry in recorded:
            stamp(self.run, entry)
        return recorded

    def _tell(self, entries: list[RunRecorded]) -> None:
        for watcher in tuple(self.watchers):
            watcher(entries)


class Batch:
    """Commands of one write: decided one after the other, each on what those before it did."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.before = run.position
        self.events: list[RunEvent] = []
        self.recorded: list[RunRecorded] = []

    def do(self, command: RunCommand) -> list[RunEvent]:
        """The events of a command; the run has them already. Raises Refused."""
        events = decide(self.run, command)
        if AUTHOR.get():
            events = by_author(events)
        for event in events:
            position = self.run.position + 1
            advance(self.run, RunRecorded(position=position, first=self.before + 1, event=event))
        self.events += events
        return events


def values_kept(journal: Journal, session: int, needed: bool = False) -> Iterator[Pickle]:
    """Where the values are that runs of a session keep. `needed`: those that somebody may read
    still, of a run that may go on all of them, of any other what it handed on."""
    infos = {info.id: info for info in journal.runs(session)}
    for info in infos.values():
        top = info
        while top.parent in infos:
            top = infos[top.parent]
        over = needed and top.status in ("success", "partial_success")
        for entry in journal.read_run(info.id):
            if isinstance(entry.event, RunEnded) or not over:
                yield from pickles_of(getattr(entry.event, "cut", {}))


def replay_run(journal: Journal, run: int) -> Run:
    """A run as its journal has it."""
    return guard_replay(journal.place, lambda: without_gc(lambda: replay(journal.read_run(run))))
