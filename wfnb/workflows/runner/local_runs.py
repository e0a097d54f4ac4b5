"""a run's log -> its run_loop in this process, if it has one, and whether any process has it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from wfnb.journal import Journal, RunInfo
from wfnb.process_identity import has_ended, process
from wfnb.workflows.run_log import RunLog

from .active_run import ActiveRun
from .run_loop import RunLoop

Key = tuple[str, int]
_RUNNING: dict[Key, ActiveRun] = {}

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_RUNNING.clear)


def place(journal: Journal) -> str:
    """Where a journal is, in a word; each one in memory is a place of its own."""
    return journal.place if journal.place != "memory" else f"memory {id(journal):x}"


def enter(running: ActiveRun) -> None:
    _RUNNING[place(running.log.journal), running.log.info.id] = running


def leave(running: ActiveRun) -> None:
    key = place(running.log.journal), running.log.info.id
    # A resume may have entered another one of the same run before this one came to its end.
    if _RUNNING.get(key) is running:
        del _RUNNING[key]


def begun_here(journal: Journal, session: int) -> Iterator[ActiveRun]:
    """The runs of a session that this process performs, in the order in which they began."""
    for (where, _), running in tuple(_RUNNING.items()):
        if where == place(journal) and running.log.info.session == session:
            yield running


def running_here(journal: Journal, info: RunInfo) -> ActiveRun | None:
    """What this process performs of that run, or of the run that called it."""
    where = place(journal)
    found = _RUNNING.get((where, info.id))
    # The usual answers first: to read all runs of a session for their parents is a query.
    if found is not None or info.parent is None or not _RUNNING:
        return found
    parents = {each.id: each.parent for each in journal.runs(info.session)}
    id: int | None = info.parent
    while id is not None and (where, id) not in _RUNNING:
        id = parents.get(id)
    return None if id is None else _RUNNING.get((where, id))


def local_loop(journal: Journal, info: RunInfo) -> RunLoop | None:
    """The loop of that run, where this process performs it; a nested run's too."""
    running = running_here(journal, info)
    return None if running is None else running.run_loop.loops.get(info.id)


def is_remote(log: RunLog) -> bool:
    """Whether a run that has not ended is of a process on another machine, which cannot be seen."""
    host = (log.run.process or "").partition(" ")[0]
    return (
        log.run.status == "running" and not log.run.parked and host != process().partition(" ")[0]
    )


def alive(log: RunLog) -> bool:
    """Whether a process has the run, or may have it."""
    if log.run.status != "running" or log.run.parked:
        return False
    # The process is there, but may have left the run: a locked journal, a fault.
    if log.run.process == process():
        return running_here(log.journal, log.info) is not None
    return not has_ended(log.run.process)
