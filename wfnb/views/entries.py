"""a run of a session -> the few words about it beside the step that started it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wfnb.core.record import record
from wfnb.core.session import Session, Step

RUN_SIGNS: Mapping[str, str] = {
    "success": "✓",
    "partial_success": "◑",
    "failed": "✕",
    "rolled_back": "↶",
    "cancelled": "⊘",
    "interrupted": "◐",
    "running": "▶",
}


@record
class RunEntry:
    """A run as its session sees it. `step` is the key of the step it was started from; `status` is
    the run's, or `interrupted` where it runs no longer and did not end."""

    name: str
    workflow: str
    status: str
    step: int | None = None
    error: str | None = None

    @property
    def says(self) -> str:
        """Its name and how it ended: "▶ deploy-1 ✓ success"."""
        return f"▶ {self.name} {run_sign(self.status)}"


def run_sign(status: str) -> str:
    """How a run ended, in a sign and words.

    >>> run_sign("rolled_back")
    '↶ rolled back'
    """
    return f"{RUN_SIGNS.get(status, '?')} {status.replace('_', ' ')}"


def by_step(runs: Iterable[RunEntry]) -> dict[int, list[RunEntry]]:
    """Key of a step -> the runs it started, in order. Those of no step are left out."""
    found: dict[int, list[RunEntry]] = {}
    for entry in runs:
        if entry.step is not None:
            found.setdefault(entry.step, []).append(entry)
    return found


def noted(entries: Iterable[RunEntry]) -> list[str]:
    """Notes of a step: its newest run, and how many there were before."""
    said = [entry.says for entry in entries]
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
    }
