"""a run's log -> its performance in this process, if it has one, and whether any process has it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from wfnb.journal import Journal
from wfnb.process import has_ended, process
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


def key(log: RunLog) -> Key:
    return place(log.journal), log.info.id


def enter(running: ActiveRun) -> None:
    _RUNNING[key(running.log)] = running


def leave(running: ActiveRun) -> None:
    if _RUNNING.get(key(running.log)) is running:
        del _RUNNING[key(running.log)]


def begun_here(journal: Journal, session: int) -> Iterator[ActiveRun]:
    """The runs of a session that this process performs, in the order in which they began."""
    for (where, _), running in tuple(_RUNNING.items()):
        if where == place(journal) and running.log.info.session == session:
            yield running


def running_here(log: RunLog) -> ActiveRun | None:
    """What this process performs of that run, or of the run that called it."""
    found = _RUNNING.get(key(log))
    if found is not None or log.info.parent is None or not _RUNNING:
        return found
    parents = {info.id: info.parent for info in log.journal.runs(log.info.session)}
    id: int | None = log.info.parent
    while id is not None and (place(log.journal), id) not in _RUNNING:
        id = parents.get(id)
    return None if id is None else _RUNNING.get((place(log.journal), id))


def performance_of(log: RunLog) -> RunLoop | None:
    """Its performance, where this process performs it; a nested run's too."""
    running = running_here(log)
    return None if running is None else running.around.performing.get(log.info.id)


def is_remote(log: RunLog) -> bool:
    """Whether a run that has not ended is of a process on another machine, which cannot be seen."""
    host = (log.run.process or "").partition(" ")[0]
    return log.run.status == "running" and host != process().partition(" ")[0]


def alive(log: RunLog) -> bool:
    """Whether a process has the run, or may have it."""
    if log.run.status != "running":
        return False
    if log.run.process == process():
        return running_here(log) is not None
    return not has_ended(log.run.process)
