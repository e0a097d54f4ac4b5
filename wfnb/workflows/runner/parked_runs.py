"""a journal -> the runs that were parked and have something to do; one of them -> it goes on here.

Whoever finds a run first has it: that it goes on is recorded before anything is done, and the
journal takes that from one process only. So any number of processes may look.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from time import time

from wfnb.errors import NotebookNeeded, Refused, RunAlive, RunEndedAlready, RunNotResumable
from wfnb.journal import Journal, RunInfo
from wfnb.parked_run_owner import parked_until
from wfnb.process_identity import has_ended

from .active_run import ActiveRun
from .runner import Runner

TAKEN = (RunAlive, RunEndedAlready, RunNotResumable)
"""What says that another process was quicker."""


def due_runs(journal: Journal) -> list[RunInfo]:
    """The parked runs of all sessions whose time has come, or that were answered or stopped, each
    the outermost one; and those that have lost their process, which may have been parked before."""
    going = {info.id: (info, answered) for info, answered in journal.going_runs()}
    now, found = time(), dict[int, RunInfo]()
    for info, answered in going.values():
        until = parked_until(info.process)
        # `until` None: no mark of parking, so it belongs to a process, and is due if that is
        # gone.
        if has_ended(info.process) if until is None else answered or until <= now:
            # Only the outermost is taken up; it brings the ones within it along.
            while info.parent in going:
                info = going[info.parent][0]
            if info.parent is None:
                found[info.id] = info
    return list(found.values())


def go_on_answered(runner: Runner, run: RunInfo) -> ActiveRun | None:
    """A parked run that was answered, or that this one is within, goes on at once. None: no process
    could take it, or another has."""
    journal = runner.session_log.journal
    infos = {info.id: info for info in journal.runs(run.session)}
    while run.parent is not None:
        run = infos[run.parent]
    if parked_until(infos[run.id].process) is None:
        return None
    with suppress(Refused):  # a secret is missing: it stays parked, and a resume says so
        return go_on(runner, run.name, {}, park=0.0)
    return None


def go_on(runner: Runner, name: str, secrets: Mapping[str, str], park: float) -> ActiveRun:
    """Take a parked run of this session, or one that was parked before its process was lost, for as
    long as it waits no longer than `park` seconds. Raises one of TAKEN where another process has
    it, NotebookNeeded, and what `Runner.resume` refuses: what may have been done is asked about."""
    run = runner.log(name).run
    how = run.last_parked
    # It may have been taken between the list and now: the run is asked again.
    if how is None or not (run.parked or run.lost):
        raise RunAlive(run.process or "another process")
    if how.notebook and runner.namespace is None:
        raise NotebookNeeded(name)
    own = {secret: secrets[secret] for secret in run.secrets if secret in secrets}
    return runner.resume(name, secrets=own, save=how.save, park=park)
