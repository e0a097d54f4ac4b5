"""a journal -> the parked runs that have something to do; one of them -> it goes on here.

Whoever finds a run first has it: that it goes on is recorded before anything is done, and the
journal takes that from one process only. So any number of processes may look.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from time import time
from typing import Any

from wfnb.errors import NotebookNeeded, Refused, RunAlive, RunEndedAlready, RunNotResumable
from wfnb.journal import Journal, RunInfo
from wfnb.parked import parked_until

from .active_run import ActiveRun
from .runner import Runner

TAKEN = (RunAlive, RunEndedAlready, RunNotResumable)
"""What says that another process was quicker."""


def due_runs(journal: Journal) -> list[RunInfo]:
    """The parked runs of all sessions whose time has come, or that were answered or stopped, each
    the outermost one."""
    parked = {info.id: (info, told) for info, told in journal.parked_runs()}
    now, found = time(), dict[int, RunInfo]()
    for info, told in parked.values():
        if told or (parked_until(info.process) or 0.0) <= now:
            while info.parent in parked:
                info = parked[info.parent][0]
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


def go_on(
    runner: Runner,
    name: str,
    secrets: Mapping[str, str],
    park: float,
    options: Mapping[str, Any] = {},
) -> ActiveRun:
    """Take a parked run, of this session, for as long as it waits no longer than `park` seconds.
    Raises one of TAKEN where another process has it, NotebookNeeded, and what `Runner.resume`
    refuses."""
    run = runner.log(name).run
    if run.parked is None:
        raise RunAlive(run.process or "another process")
    if run.parked.notebook and runner.namespace is None:
        raise NotebookNeeded(name)
    own = {secret: secrets[secret] for secret in run.secrets if secret in secrets}
    return runner.resume(name, secrets=own, save=run.parked.save, park=park, **options)
