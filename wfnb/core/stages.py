"""session, the stage a step asks for -> the one it has, or a refusal with the legal ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfnb.errors import (
    BadValue,
    FieldMissing,
    NoStrategy,
    StageNeeded,
    StageNotReachable,
    StageUnknown,
)

from . import values
from .questions import counting_head, stage_choices
from .session import Line, Session, Step
from .tally import answers_in


def staged(
    session: Session,
    line: Line,
    number: int,
    known: Step | None,
    revised: Step | None,
    asked: str | None,
) -> str | None:
    """The stage of step `number`: the one asked for, else the one it had, else that of the step it
    revises (a revision does that stage again), else the only one that may follow."""
    strategy = session.strategy
    if strategy is None:
        if asked is not None and asked != (known and known.now.stage):
            raise NoStrategy(asked)
        return known.now.stage if known else None
    choices = stage_choices(session, line, number - 1)
    again = known or revised
    same = again.now.stage if again is not None and again.now.stage in strategy.stages else None
    only = choices[0] if len(choices) == 1 else None
    stage = (same or only) if asked is None else asked
    before = counting_head(session, line, number - 1)
    after = before.now.stage if before and before.now.stage else "the start"
    if stage is None:
        raise StageNeeded(after, choices)
    if stage not in strategy.stages:
        raise StageUnknown(stage, strategy.name, choices)
    if stage not in choices and stage != same:
        raise StageNotReachable(stage, after, choices)
    return stage


def required(session: Session, stage: str | None, fields: Mapping[str, Any]) -> None:
    """Raise FieldMissing for the fields that the stage asks for and the step does not have, and
    BadValue for one that cannot be counted."""
    strategy = session.strategy
    if strategy is None or stage is None or stage not in strategy.stages:
        return
    asked = strategy.stages[stage].fields
    missing = tuple(name for name in asked if fields.get(name) in (None, ""))
    if missing:
        raise FieldMissing(stage, missing, tuple(asked[name] for name in missing))
    if "evaluation_score" in asked:
        values.number("field 'evaluation_score'", fields["evaluation_score"])
    if "path_answers" in asked and not answers_in(fields["path_answers"]):
        needs = "answers, as {path: answer} or as a list"
        raise BadValue("field 'path_answers'", str(fields["path_answers"])[:60], needs)
