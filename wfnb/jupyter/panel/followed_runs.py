"""a session that is followed -> its runs as the views take them, each read only when it changed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any

from wfnb.errors import RunUnknown
from wfnb.journal import Journal, RunInfo
from wfnb.panel import LiveRun, PrintedOutput, kept_output
from wfnb.views.run_entries import RunEntry
from wfnb.workflows.views.terminal_tail import Piece
from wfnb.workspace import run_entry

from .called_runs import CalledRuns
from .followed_session import FollowedSession

if TYPE_CHECKING:
    from wfnb.workflows.core.run import Run
    from wfnb.workflows.definition.reader import Definition
    from wfnb.workflows.run_log import RunLog
    from wfnb.workflows.runner.active_run import ActiveRun

READ = 50
"""Runs whose events are read: the newest. Of those before it is known how they ended."""


@dataclass(eq=False)
class KnownRun:
    """A run, as it was when it was last looked at. `running` where this process performs it."""

    info: RunInfo
    entry: RunEntry
    log: RunLog | None
    running: ActiveRun | None
    called: CalledRuns = field(default_factory=CalledRuns)

    @property
    def live(self) -> LiveRun:
        run = None if self.log is None else self.log.run
        called = tuple((log.name, log.run) for log in self.called.asking)
        return LiveRun(
            entry=self.entry, run=run, is_performed_here=self.running is not None, called=called
        )

    @property
    def changing(self) -> Iterator[RunLog]:
        """What this process performs of it: that may change at any time."""
        if self.log is not None and self.running is not None:
            yield self.log
            yield from self.called.asking


class KnownRuns:
    """The runs of the session that is followed, and which of them front ends have opened. Every
    method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._known: dict[int, KnownRun] = {}
        self._openers: dict[str, set[str]] = {}
        self._heard: dict[str, ActiveRun] = {}
        self._told: dict[str, int] = {}

    @property
    def going(self) -> bool:
        """Whether this process performs one: then there may be news at any time."""
        return any(each.running is not None for each in tuple(self._known.values()))

    def look(self, followed: FollowedSession) -> None:
        """See what became of the runs of the session, and which are new. JournalError."""
        with self._lock:
            infos = followed.journal.runs(followed.id, None)
            performed = _performed_runs(followed.journal, followed.id)
            oldest = len(infos) - READ
            self._known = {
                info.id: self._refresh_run(
                    followed.journal, info, performed.get(info.name), place >= oldest
                )
                for place, info in enumerate(infos)
            }

    def forget(self) -> None:
        """Another session is followed, or none."""
        with self._lock:
            self._known, self._heard, self._told = {}, {}, {}

    @contextmanager
    def locked_runs(self) -> Iterator[list[LiveRun]]:
        """The runs, in order, and nothing happens in them while the block lasts."""
        with self._lock, ExitStack() as held:
            for each in self._known.values():
                # All locks at once: a snapshot shows one moment of all runs.
                for log in each.changing:
                    held.enter_context(log.lock)
            yield [each.live for each in self._known.values()]

    def runs_by_step(self) -> dict[int, list[str]]:
        """Key of a step -> the names of the runs that it started."""
        names_by_step: dict[int, list[str]] = {}
        with self._lock:
            for each in self._known.values():
                if each.entry.step is not None:
                    names_by_step.setdefault(each.entry.step, []).append(each.entry.name)
        return names_by_step

    def new_output(self) -> dict[str, PrintedOutput]:
        """What opened runs wrote since they were last asked, by name."""
        outputs: dict[str, PrintedOutput] = {}
        with self._lock:
            for name, running in tuple(self._heard.items()):
                ended = running.is_done  # asked first: what it wrote last is there then
                upto, lines = running.lines(self._told[name])
                self._told[name] = upto
                outputs |= {name: PrintedOutput(pieces=lines, upto=upto)} if lines else {}
                if ended:
                    del self._heard[name], self._told[name]
        return outputs

    def open_run(
        self,
        followed: FollowedSession,
        name: str,
        asker: str,
        opened: Sequence[Sequence[str]] = (),
    ) -> dict[str, Any]:
        """All about a run, and about those at the ends of the `opened` paths of actions. From here
        on, what it writes is told; what was taken to be told already, and may come later, is here
        too: the front end tells them apart by the number of lines. RunUnknown lists the runs."""
        from wfnb.panel import run_detail  # noqa: PLC0415  heavy: only where there are runs

        with self._lock:
            run, log = self._find(followed, name)
            self._openers.setdefault(name, set()).add(asker)
            called = [(path, run.called.by(log, path, run.running)) for path in opened]
            nested = [(path, each) for path, each in called if each is not None]
            with ExitStack() as held:
                for each in (log, *(each for _, each in nested)):
                    held.enter_context(each.lock)
                runs = [(path, each.name, each.run) for path, each in nested]
                return run_detail(run.live, *self._last_output(run), runs)

    def run(self, followed: FollowedSession, name: str) -> Run:
        """A run: its definition, and what it knows. RunUnknown lists the runs."""
        with self._lock:
            _, log = self._find(followed, name)
            return log.run

    def definitions(
        self, followed: FollowedSession, name: str, opened: Iterable[tuple[str, ...]]
    ) -> dict[tuple[str, ...], Definition]:
        """What a run performs, under (), and what the runs at the ends of the `opened` paths of
        actions perform, where there are such. RunUnknown lists the runs."""
        with self._lock:
            run, log = self._find(followed, name)
            called = ((path, run.called.by(log, path, run.running)) for path in opened)
            logs = [((), log), *((path, each) for path, each in called if each is not None)]
            return {path: each.run.workflow for path, each in logs}

    def close_run(self, name: str, asker: str) -> None:
        """A front end has closed the run."""
        with self._lock:
            self._openers.get(name, set()).discard(asker)
            if not self._openers.get(name):
                for notes in (self._openers, self._heard, self._told):
                    notes.pop(name, None)

    def remove_asker(self, asker: str) -> None:
        """A front end is gone."""
        with self._lock:
            for name in tuple(self._openers):
                self.close_run(name, asker)

    def head(self, followed: FollowedSession, name: str) -> dict[str, Any]:
        """A run in a line, as it is now."""
        from wfnb.panel import run_head  # noqa: PLC0415  heavy: only where there are runs

        with self._lock:
            self.look(followed)
            (run,) = (each for each in self._known.values() if each.info.name == name)
            with ExitStack() as held:
                if run.log is not None:
                    held.enter_context(run.log.lock)
                return run_head(run.live)

    def _find(self, followed: FollowedSession, name: str) -> tuple[KnownRun, RunLog]:
        self.look(followed)
        run = next((e for e in self._known.values() if e.info.name == name), None)
        if run is None:
            names = tuple(each.info.name for each in reversed(self._known.values()))
            raise RunUnknown(name, names)
        if run.log is None:
            run.log = _log(followed.journal, run.info)
        return run, run.log

    def _refresh_run(
        self, journal: Journal, info: RunInfo, running: ActiveRun | None, read: bool
    ) -> KnownRun:
        last = self._known.get(info.id)
        # A run that ended never changes, unless it is resumed, which changes its row.
        if last is not None and last.info == info and info.status != "running":
            last.running = running
            return last
        called = last.called if last is not None else CalledRuns()
        log = last.log if last is not None and running is None else None
        if running is not None:
            log = running.log
        elif log is not None and last is not None and last.running is None:
            log.refresh()
        elif read:
            log = _log(journal, info)
        called.look(log if info.status == "running" else None, running)
        return KnownRun(info, run_entry(journal, info), log, running, called)

    def _last_output(self, run: KnownRun) -> tuple[tuple[Piece, ...], int]:
        """The last lines of a run, but those that are still to be told; how many were told. Of one
        that is not performed here any more what it keeps."""
        name = run.info.name
        running = run.running or self._heard.get(name)
        if running is None:
            return (() if run.log is None else kept_output(run.log.run)), 0
        count, lines = running.lines()
        self._heard[name] = running
        sent = self._told.setdefault(name, count)
        return lines[: max(len(lines) - (count - sent), 0)], sent


def _performed_runs(journal: Journal, session: int) -> dict[str, ActiveRun]:
    """The runs that this process performs. What performs them is heavy: where nobody has imported
    it, nothing is performed; nor where that is being imported in another thread."""
    begun_here: Callable[[Journal, int], Iterator[ActiveRun]] | None = getattr(
        sys.modules.get("wfnb.workflows.runner.local_runs"), "begun_here", None
    )
    if begun_here is None:
        return {}
    return {run.name: run for run in begun_here(journal, session) if not run.is_done}


def _log(journal: Journal, info: RunInfo) -> RunLog:
    from wfnb.workflows.run_log import RunLog  # noqa: PLC0415  heavy: only where there are runs

    return RunLog(journal, info)
