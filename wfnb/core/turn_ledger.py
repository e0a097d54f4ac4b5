"""the last actions of a line -> a table of turns: what was planned, done and seen."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator

from .ledger import Ledger
from .queries import lineage
from .session import Line, Session, Step
from .validation import first_line
from .value_references import settled

ACTION, OBSERVATION = "action", "observation"
_MAX_TURNS = 6
"""So many turns are in view: to find them costs the same in a long history as in a short one."""


def ledger(session: Session, line: Line) -> Ledger | None:
    """A row for each of the last actions: what the step before it planned, and what was seen
    after it."""
    rows: list[tuple[object, ...]] = []
    seen: Step | None = None
    backward = _backward(session, line)
    for step in backward:
        fields = step.current.fields
        if OBSERVATION in fields:
            seen = step
        elif ACTION in fields:
            # Taken from the same walk: the step that planned an action is no turn of its own.
            before = next(backward, None)
            planned = "" if before is None else first_line(before.current.description)
            # What a cell was to see that failed was not seen.
            observation = settled(seen, OBSERVATION) if seen is not None and seen.is_done else None
            steps = [each.number for each in (step, seen) if each is not None]
            came = "awaited" if observation is None else observation
            rows.append((steps, planned, settled(step, ACTION), came))
            seen = None
            if len(rows) == _MAX_TURNS:
                break
    if not rows:
        return None
    heads = ("steps", "planned", "action", "observation")
    return Ledger(title="turns", heads=heads, rows=tuple(reversed(rows)))


def _backward(session: Session, line: Line) -> Iterator[Step]:
    """The line's steps that count, the last first."""
    for part, upto in lineage(session, line):
        for at in range(bisect(part.numbers, upto) - 1, -1, -1):
            step = session.steps[part.keys[part.numbers[at]]]
            if step.is_counting:
                yield step
