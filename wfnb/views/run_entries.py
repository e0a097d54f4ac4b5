"""a run of a session -> the few words about it beside the step that started it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from wfnb.core.session import Session, Step
from wfnb.frozen_record import record
from wfnb.render.document import Part
from wfnb.render.drawing.graph import State

from .step_words import run_sign

_STATES: Mapping[str, State] = {
    "success": "ok",
    "partial_success": "ok",
    "failed": "failed",
    "rolled_back": "undone",
    "partly_rolled_back": "failed",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
    "parked": "running",
    "running": "running",
}


class RunReport(Protocol):
    """What a report of a run gives to the report of its session (`runs.report.Report`)."""

    def to_dict(self) -> dict[str, Any]: ...

    def parts(self) -> Iterator[Part]: ...


@record
class RunEntry:
    """A run as its session sees it. `step` is the key of the step it was started from; `status` is
    the run's, or `interrupted` where it runs no longer and did not end. `started` and `ended` are
    in seconds since 1970. `report` has its actions, where they are wanted."""

    name: str
    workflow: str
    status: str
    step: int | None = None
    error: str | None = None
    started: float | None = None
    ended: float | None = None
    report: RunReport | None = None

    @property
    def state(self) -> State:
        """The nearest word for it that a picture has."""
        return _STATES.get(self.status, "unknown")

    @property
    def says(self) -> str:
        """Its name and how it ended: "▶ deploy-1 ✓ success"."""
        return f"▶ {self.name} {run_sign(self.status)}"


def by_step(runs: Iterable[RunEntry]) -> dict[int, list[RunEntry]]:
    """Key of a step -> the runs it started, in order. Those of no step are left out."""
    found: dict[int, list[RunEntry]] = {}
    for entry in runs:
        if entry.step is not None:
            found.setdefault(entry.step, []).append(entry)
    return found


def run_notes(entries: Iterable[RunEntry]) -> list[str]:
    """Notes of a step: its newest run, and how many there were before."""
    said = [entry.says for entry in entries]
    # A box of the picture has room for one.
    return said if len(said) < 2 else [said[-1], f"{len(said) - 1} more before"]


def entry_data(session: Session, entry: RunEntry) -> dict[str, Any]:
    """The run as JSON data, with the number and branch of its step."""
    step: Step | None = None if entry.step is None else session.steps.get(entry.step)
    return {
        "name": entry.name,
        "workflow": entry.workflow,
        "status": entry.status,
        "step": step.number if step else None,
        "branch": step.branch if step else None,
        "error": entry.error,
        **({"report": entry.report.to_dict()} if entry.report else {}),
    }
