"""a session in a journal -> the session and its runs, read once and then read on.

Nothing is recorded. Attempts whose process is gone were interrupted: the next kernel will record
that, and until then it is so in memory alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wfnb.core.events import Recorded
from wfnb.data_files.strategies import shelf
from wfnb.journal import Journal, RunInfo
from wfnb.panel import LiveRun
from wfnb.session_log import SessionLog, end_lost
from wfnb.views.run_entries import RunEntry
from wfnb.workspace import SessionViews, run_entry

if TYPE_CHECKING:
    from wfnb.workflows.run_log import RunLog
    from wfnb.workflows.views.report import Report

READ = 50
"""Runs whose events are read: the newest. Of those before it is known how they ended."""


class Reader(SessionLog):
    """A session as it is read. Its methods may be called from any thread; JournalError."""

    def __init__(self, journal: Journal, session: int) -> None:
        super().__init__(journal, session)
        self.views = SessionViews(self, lambda: shelf(None), self.run_entries)
        self._logs: dict[int, tuple[RunInfo, RunLog]] = {}
        self._infos: list[RunInfo] = []
        self._closed = 0
        self._close_lost()

    @property
    def version(self) -> str:
        """Another one whenever there is something else to see."""
        ends = ((info.id, info.status, info.events) for info in self._infos)
        return f"{self.session.position}.{self._closed}.{hash((self.id, *ends)) & 0xFFFFFFFF:x}"

    def look(self) -> None:
        """Read on, in the session and in its runs."""
        with self.lock:
            self.refresh()
            self._close_lost()
            self._infos = self.journal.runs(self.id, None)

    def runs(self) -> list[LiveRun]:
        """The runs in order, those that were read last with their state."""
        with self.lock:
            oldest = len(self._infos) - READ
            return [self._live(info, place >= oldest) for place, info in enumerate(self._infos)]

    def run(self, name: str) -> LiveRun | None:
        """The run of that name, with its state."""
        with self.lock:
            found = (info for info in self._infos if info.name == name)
            return next((self._live(info, True) for info in found), None)

    def run_entries(self, reports: bool = False) -> list[RunEntry]:
        with self.lock:
            return [
                run_entry(self.journal, info, self._report(info) if reports else None)
                for info in self.journal.runs(self.id, None)
            ]

    def _live(self, info: RunInfo, read: bool) -> LiveRun:
        entry = run_entry(self.journal, info)
        return LiveRun(entry=entry, run=self._log(info).run if read else None)

    def _report(self, info: RunInfo) -> Report:
        from wfnb.workflows.views.report import Report  # noqa: PLC0415  heavy: only where there are runs

        return Report(self._log(info).run, info.name)

    def _log(self, info: RunInfo) -> RunLog:
        from wfnb.workflows.run_log import RunLog  # noqa: PLC0415  as above

        known = self._logs.get(info.id)
        # A row tells whether anything happened to the run: its events are read only then.
        if known is None or known[0] != info:
            log = RunLog(self.journal, info) if known is None else known[1]
            log.info = info
            log.refresh()
            known = self._logs[info.id] = info, log
        return known[1]

    def _follow(self, entries: list[Recorded]) -> None:
        """What was closed in memory alone may be what the entries end: then all is replayed."""
        if entries and self._closed:
            self._torn, self._closed = True, 0
        super()._follow(entries)

    def _close_lost(self) -> None:
        self._closed += end_lost(self.session)
