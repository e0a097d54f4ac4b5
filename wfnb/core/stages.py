"""session, the stage a step asks for -> the one it has, or a refusal with the legal ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wfnb.errors import (
    BadValue,
    FieldMissing,
    NoStrategy,
    StageNeeded,
    StageNotReachable,
    StageUnknown,
    spoken,
)
from wfnb.frozen_record import record

from . import validation
from .commands import AddStep
from .events import WENT_WELL, Event
from .extension import fields as extension_fields
from .queries import counting_head, stage_choices, stage_named
from .session import Line, Session, Step
from .stage_effects import USES, effects
from .strategy import Holds, Stage
from .strategy_ledgers import fill_fields
from .vote_tally import answer_text, doubts, path_values, votes_in


def choose_stage(
    session: Session,
    line: Line,
    number: int,
    existing: Step | None,
    revised: Step | None,
    wanted: str | None,
) -> str | None:
    """The stage of step `number`: the one asked for, else the one it had, else that of the step it
    revises (a revision does that stage again), else the only one that may follow."""
    strategy = session.strategy
    if strategy is not None and wanted not in strategy.stages:
        wanted = {spoken(name): name for name in strategy.stages}.get(wanted or "", wanted)
    if strategy is None:
        if wanted is not None and wanted != (existing and existing.current.stage):
            raise NoStrategy(wanted)
        return existing.current.stage if existing else None
    choices = stage_choices(session, line, number - 1)
    again = existing or revised
    same = (
        again.current.stage
        if again is not None and again.current.stage in strategy.stages
        else None
    )
    only = choices[0] if len(choices) == 1 else None
    stage = (same or only) if wanted is None else wanted
    before = counting_head(session, line, number - 1)
    after = before.current.stage if before and before.current.stage else "the start"
    if stage is None:
        raise StageNeeded(after, choices)
    if stage not in strategy.stages:
        raise StageUnknown(stage, strategy.name, choices)
    asked_for = strategy.stages[stage]
    again_here = asked_for.repeats and after == stage
    begins = asked_for.opens and line.parent is not None and not line.numbers
    # A step that is revised or run again keeps its stage, even where it could not follow now.
    if stage not in choices and stage != same and not (again_here or begins):
        raise StageNotReachable(stage, after, choices)
    return stage


@record
class StagePart:
    """What its stage makes of a step."""

    fields: Mapping[str, Any]
    warnings: Sequence[str]
    follow_ups: Sequence[Event]
    """What happens to the session with it."""
    ends_line: bool
    """Whether the strategy ends here, and with it the line, unless the step says otherwise."""


def take_stage(
    session: Session, line: Line, number: int, name: str | None, command: AddStep
) -> StagePart:
    """What the stage of that name makes of step `number`; of None, or one that the strategy has
    not, nothing. Raises Refused where the step lacks what the stage asks for."""
    stage = stage_named(session, name)
    if stage is None or name is None:
        return StagePart(fields=command.fields, warnings=(), follow_ups=(), ends_line=False)
    fields, answer_notes = _collect_answers(session, stage, command.fields)
    if stage.branch_as is not None and line.parent is not None:
        # What the step says itself stands.
        fields = {stage.branch_as: line.id, **fields}
    fields, fill_notes = fill_fields(session, line, number, stage, fields, command.description)
    _check_required_fields(name, stage.fields, fields)
    foreign = _foreign(session, stage, fields)
    # Of one whose code is yet to run they are worked out again at its end: here, so that a score
    # that is none is refused before.
    follow_ups, effect_notes = effects(session, line, stage, fields)
    if command.outcome is None or command.outcome.status not in WENT_WELL:
        follow_ups, effect_notes = [], []
    notes = [*foreign, *answer_notes, *fill_notes, *effect_notes]
    ends = not stage.next and command.next_step_needed is None
    return StagePart(fields=fields, warnings=notes, follow_ups=follow_ups, ends_line=ends)


def _collect_answers(
    session: Session, stage: Stage, fields: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The fields with the answers that the paths recorded, where the stage asks for answers and the
    step has none; and what to say of the answers."""
    filled = dict(fields)
    if stage.effect != "tally-answers":
        return filled, []
    if "path_answers" in stage.fields and filled.get("path_answers") in (None, ""):
        recorded = {path: value for path, (value, _) in path_values(session).items()}
        if not recorded:
            return filled, []
        each = ", ".join(f"{path} {answer_text(answer)}" for path, answer in recorded.items())
        filled["path_answers"] = recorded
        notes = [f"path_answers are the last values of the paths: {each}"]
        return filled, notes + doubts(session, recorded)
    return filled, doubts(session, filled["path_answers"]) if "path_answers" in filled else []


def _foreign(session: Session, stage: Stage, fields: Mapping[str, Any]) -> list[str]:
    """What to say of fields that another stage of the strategy asks for, and this one does not."""
    stages = session.strategy.stages if session.strategy else {}
    own = {*stage.fields, *extension_fields(session)}
    if stage.effect is not None:  # what it does to the session uses them
        own |= USES.get(stage.effect, frozenset())
    return [
        f"field {name!r} is one of stage {other}, not of this one"
        for name in fields
        if name not in own
        for other in [next((o for o, it in stages.items() if name in it.fields), None)]
        if other is not None
    ]


def field_holds(session: Session, name: str, stage: str | None) -> Holds:
    """How a field is read from a line: as a slice says, else as the stage does, else another of the
    strategy; as a YAML value where nothing says."""
    strategy, added = session.strategy, extension_fields(session)
    if name in added:
        return added[name]
    stages = {} if strategy is None else strategy.stages
    first = [stages[stage]] if stage is not None and stage in stages else []
    with_field = [each for each in (*first, *stages.values()) if name in each.fields]
    return with_field[0].holds.get(name, "value") if with_field else "value"


def _check_required_fields(
    stage: str, required: Mapping[str, str], fields: Mapping[str, Any]
) -> None:
    """Raise FieldMissing for the fields that the stage asks for and the step does not have, and
    BadValue for one that cannot be counted."""
    missing = tuple(name for name in required if fields.get(name) in (None, ""))
    if missing:
        raise FieldMissing(stage, missing, tuple(required[name] for name in missing))
    if "evaluation_score" in required:
        validation.number("field 'evaluation_score'", fields["evaluation_score"])
    if "path_answers" in required and not votes_in(fields["path_answers"]):
        needs = "answers, as {path: answer} or as a list"
        raise BadValue("field 'path_answers'", str(fields["path_answers"])[:60], needs)
