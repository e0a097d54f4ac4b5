"""a run -> the runs that it called, however deep: those that ask, and those of an action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wfnb.journal import RunInfo

if TYPE_CHECKING:
    from wfnb.workflows.core.run import Call
    from wfnb.workflows.run_log import RunLog
    from wfnb.workflows.runner.active_run import ActiveRun

_CALLS = "run_workflow"
"""The tool that performs a workflow inside of a call."""


class CalledRuns:
    """Looked up only while the run is in such a call. Each log is kept for as long as its run goes
    on, so that only what is new in it is read."""

    def __init__(self) -> None:
        self._logs: dict[int, RunLog] = {}
        self.asking: tuple[RunLog, ...] = ()

    def look(self, top: RunLog | None, here: ActiveRun | None) -> None:
        """See which they are now; `here` is what this process performs of the run. None where the
        run does not go on. JournalError."""
        above = [] if top is None else [top]
        found: dict[int, RunLog] = {}
        for log in above:  # grows while it is gone through
            # A copy: the run goes on in a thread of its own.
            if not any(call.tool == _CALLS for call in tuple(log.run.open.values())):
                continue
            for info in log.journal.runs(log.info.session, log.info.id):
                if info.status == "running":
                    found[info.id] = self._log(log, info, here)
                    above.append(found[info.id])
        self._logs = found
        self.asking = tuple(log for log in found.values() if log.asks)

    def by(self, top: RunLog, path: Sequence[str], here: ActiveRun | None) -> RunLog | None:
        """The run at the end of a path of actions, each in the run that the one before it called:
        of several the newest. None where there is none. JournalError."""
        log = top
        for action in path:
            calls = {call.id for call in tuple(log.run.calls.values()) if _is_of(call, action)}
            infos = log.journal.runs(log.info.session, log.info.id) if calls else []
            logs = (self._log(log, info, here) for info in reversed(infos))
            found = next((each for each in logs if each.run.caller in calls), None)
            if found is None:
                return None
            log = found
        return log

    def _log(self, above: RunLog, info: RunInfo, here: ActiveRun | None) -> RunLog:
        loop = None if here is None else here.run_loop.loops.get(info.id)
        if loop is not None:
            return loop.log
        known = self._logs.get(info.id)
        if known is not None:
            known.refresh()
            return known
        from wfnb.workflows.run_log import RunLog  # noqa: PLC0415  heavy: only where there are runs

        return RunLog(above.journal, info)


def _is_of(call: Call, action: str) -> bool:
    """Also one of the items that it is done for."""
    from wfnb.workflows.definition.for_each import base_action  # noqa: PLC0415  heavy, as above

    return base_action(call.action) == action and call.undoes is None
