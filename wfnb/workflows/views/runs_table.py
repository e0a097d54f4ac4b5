"""runs from outside -> a table of them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Protocol

from wfnb.hints import Command
from wfnb.parked_run_owner import parked_until
from wfnb.render.message import Table
from wfnb.views.step_words import run_sign

from .run_words import iso


class RunFacts(Protocol):
    """What the journal knows of a run without reading its events; times are in seconds since
    1970 (UTC), and `process` is the one that has it."""

    @property
    def name(self) -> str: ...
    @property
    def workflow(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def events(self) -> int: ...
    @property
    def started(self) -> float: ...
    @property
    def changed(self) -> float: ...
    @property
    def process(self) -> str | None: ...


def runs_table(
    runs: Iterable[RunFacts],
    lost: Container[str] = (),
    asks: Container[str] = (),
    times: bool = False,
) -> Table:
    """A row a run. `lost` are the names of those whose process is gone, `asks` of those that wait
    for an answer; `times` adds when each began and last changed (UTC): then it is none to be
    stored in a notebook."""
    heads = ["run", "workflow", "state", "events", ""]
    heads += ["started (UTC)", "changed (UTC)", "process"] if times else []
    rows, data = [], []
    for run in runs:
        status = "interrupted" if run.status == "running" and run.name in lost else run.status
        if status == "running" and parked_until(run.process) is not None:
            status = "parked"
        cells = [run.name, run.workflow, run_sign(status), str(run.events)]
        cells.append(_move(run.name, status, run.name in asks))
        if times:
            cells += [_time(run.started), _time(run.changed), run.process or "–"]
        rows.append(cells)
        data.append({"name": run.name, "workflow": run.workflow, "status": status})
    return Table(heads, rows, {"runs": data})


def _move(name: str, status: str, asks: bool) -> str:
    if asks:
        return f"asks: {Command('answer', 'TEXT')}"
    if status == "running":
        return ""
    if status in ("success", "partial_success"):
        return ""
    return str(Command("resume", name))


def _time(at: float) -> str:
    return (iso(at) or "–")[:19].replace("T", " ")
