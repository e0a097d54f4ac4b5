"""session, what is counted of its steps -> the small facts of it, in flat time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from wfnb.core.queries import (
    answer_step,
    counting_head,
    stage_of,
    stage_ways,
    visible,
    visible_lines,
)
from wfnb.core.rerun_order import has_stale_steps
from wfnb.core.session import Session, Step
from wfnb.core.solution import awaited_reason, is_solved, missing_at_end
from wfnb.views.extension import active
from wfnb.views.step_words import came_to, outcome_of

_BACK = "It follows the last step of {}: alternatives come back to the line that they left."
OUTCOMES = ("ok", "failed", "interrupted", "unknown", "running")


class Counts:
    """How many steps have each stage and each outcome, and how many say that they are the last. A
    step that looks otherwise is counted again, and no other is looked at."""

    def __init__(self, session: Session) -> None:
        self.stages: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        self.ends = 0
        self._known: dict[int, tuple[str | None, str, bool]] = {}
        for step in visible(session):
            self.count(step)

    def count(self, step: Step) -> None:
        """As the step is now, in the place of what it was."""
        counted = self._known.get(step.key)
        now = step.current.stage, outcome_of(step), not step.current.next_step_needed
        # Most steps that are looked at again look the same: nothing is counted twice.
        if counted == now:
            return
        if counted is not None:
            self._add(*counted, -1)
        self._known[step.key] = now
        self._add(*now, 1)

    def _add(self, stage: str | None, outcome: str, ends: bool, by: int) -> None:
        self.ends += by * ends
        self.outcomes[outcome] += by
        if stage is not None:
            self.stages[stage] += by


def head(session: Session, line: str, counts: Counts, runs: int) -> dict[str, Any]:
    """Where the session stands; `line` is the one that is chosen, `runs` how many there are."""
    chosen = session.lines[line]
    at, ways = counting_head(session, chosen), stage_ways(session, chosen)
    strategy, labels = session.strategy, (each.label(session) for each in active(session))
    why = awaited_reason(session)
    return {
        "session": session.name,
        "position": session.position,
        "says": " · ".join(filter(None, _says(session, runs, why))),
        "steps": len(session.steps) - len(session.hidden),
        "hidden": len(session.hidden),
        "total": session.total,
        "stale": len(session.stale),
        "solved": is_solved(session),
        "line": line,
        # A stage that the strategy does not have (it was changed since) would be marked in no
        # drawing.
        "stage": at.current.stage if at and (strategy is None or stage_of(session, at)) else None,
        "next_stages": list(dict(ways)),
        "next_why": _stage_reasons(ways, at),
        "strategy": strategy.name if strategy else None,
        "kind": next(filter(None, labels), None),
        "current": at.key if at else None,
        "stages": _stages(session, counts),
        "outcomes": [word for word in OUTCOMES if counts.outcomes[word] > 0],
        "can_undo": len(session.undo_points) > 1,
        "can_redo": session.redoable > 0,
        "can_run_stale": has_stale_steps(session),
        "recording": session.plain_cells_are_steps,
    }


def _says(session: Session, runs: int, why: str) -> Iterator[str]:
    steps, stale = len(session.steps) - len(session.hidden), len(session.stale)
    lines = len(visible_lines(session))
    yield f"{steps:,} step{'s' * (steps != 1)} on {lines:,} line{'s' * (lines != 1)}"
    if runs:
        yield f"{runs:,} run{'s' * (runs != 1)}"
    if stale:
        yield f"{stale:,} stale"
    if session.hidden:
        yield f"{len(session.hidden):,} hidden"
    if session.plain_cells_are_steps:
        yield "plain cells are steps"
    last = answer_step(session)
    lacks = missing_at_end(session)
    yield came_to(is_solved(session), last is None, lacks, why)


def _stage_reasons(ways: Sequence[tuple[str, Step | None]], at: Step | None) -> dict[str, str]:
    """Of a stage that does not follow the line's own last step: why it may come next."""
    reasons: dict[str, str] = {}
    for stage, before in ways:
        if at is None or before is at:
            reasons[stage] = ""
        elif before is None:
            reasons.setdefault(stage, "The strategy was chosen after that step and may begin anew.")
        else:
            reasons.setdefault(stage, _BACK.format(before.branch))
    return {stage: why for stage, why in reasons.items() if why}


def _stages(session: Session, counts: Counts) -> list[str]:
    """Those of the strategy in its order, then what else occurs."""
    of_strategy = tuple(session.strategy.stages) if session.strategy else ()
    others = sorted(name for name, count in counts.stages.items() if count > 0)
    return list(dict.fromkeys((*of_strategy, *others)))
