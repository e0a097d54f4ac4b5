"""recorded events -> what happened, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, assert_never

from wfnb.core.events import (
    BranchAbandoned,
    BranchMerged,
    BranchOpened,
    BranchReopened,
    BranchScored,
    BranchSelected,
    Event,
    Recorded,
    Redone,
    SessionCleared,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StrategyChosen,
    Undone,
    name_of,
)

from .said import Table
from .words import sign, title_of


def describe(event: Event) -> str:
    """What happened, in a few words."""
    match event:
        case SessionStarted(name=name):
            return f"session {name!r} started"
        case SessionCleared():
            return "all steps put away"
        case StrategyChosen(strategy=strategy):
            return f"strategy {strategy['name']} chosen" if strategy else "strategy given up"
        case BranchOpened(branch=branch, parent=parent, leaves=leaves):
            return f"branch {branch!r} opened from step {leaves} of {parent!r}"
        case BranchReopened(branch=branch):
            return f"branch {branch!r} opened again"
        case StepAdded():
            return f"step {_at(event)} added: {title_of(event.description, 60)}"
        case StepChanged():
            return f"step {_at(event)} changed: {title_of(event.description, 60)}"
        case StepRepeated():
            return f"step {_at(event)} ran again"
        case StepFinished(attempt=attempt, outcome=outcome):
            return f"attempt {attempt} ended: {sign(outcome.status)}"
        case StepsConfirmed(branch=branch, numbers=numbers):
            return f"confirmed on {branch!r}: {', '.join(map(str, numbers))}"
        case BranchScored(branch=branch, score=score):
            return f"branch {branch!r} scored {score:.4g}"
        case BranchSelected(branch=branch):
            return f"branch {branch!r} selected"
        case BranchMerged(branch=branch, into=into):
            return f"branch {branch!r} merged into {into!r}"
        case BranchAbandoned(branch=branch):
            return f"branch {branch!r} abandoned"
        case Undone(to=to):
            return f"undone, back to {to}"
        case Redone():
            return "redone"
        case _:
            assert_never(event)


class Log:
    """The last entries of a session's history; `times` adds the time of each (UTC)."""

    def __init__(self, entries: Sequence[Recorded], last: int, times: bool) -> None:
        self.entries = entries[-last:]
        self.times = times

    def to_dict(self) -> dict[str, Any]:
        """All entries with their times (seconds since 1970, UTC)."""
        return {"log": [_entry(entry) | {"at": entry.at} for entry in self.entries]}

    def table(self) -> Table:
        heads = ("", "what happened", "when")
        rows = [
            (str(entry.position), describe(entry.event), _when(entry.at)) for entry in self.entries
        ]
        width = 3 if self.times else 2
        data = {"log": [_entry(entry) for entry in self.entries]}
        return Table(heads[:width], [row[:width] for row in rows], data)

    def __repr__(self) -> str:
        return repr(self.table())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return self.table()._repr_mimebundle_()


def _entry(entry: Recorded) -> dict[str, Any]:
    return {
        "position": entry.position,
        "event": name_of(type(entry.event)),
        "says": describe(entry.event),
    }


def _at(event: StepAdded | StepChanged | StepRepeated) -> str:
    return str(event.number) if event.branch == "main" else f"{event.branch}:{event.number}"


def _when(at: float | None) -> str:
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
