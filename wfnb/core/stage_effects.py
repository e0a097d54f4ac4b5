"""session, a step of a stage -> what the stage does to the session once the step went well."""

from __future__ import annotations

from collections.abc import Mapping

from wfnb.errors import BadValue
from wfnb.hints import Command

from . import beam_search, validation
from .events import WENT_WELL, BranchScored, BranchSelected, Event, Json, Outcome
from .queries import stage_named
from .session import Line, Session, Step
from .strategy import Effect, Stage
from .validation import MAIN

USES: Mapping[Effect, frozenset[str]] = {
    "score-branch": frozenset({"approach_id", "evaluation_score"}),
    "select-branch": frozenset({"approach_id", beam_search.FIELD}),
    "tally-answers": frozenset({"path_answers"}),
}
"""The fields that an effect reads, whether its stage asks for them or not."""


def effects(
    session: Session, line: Line, stage: Stage | None, fields: Mapping[str, Json]
) -> tuple[list[Event], list[str]]:
    """Events and warnings. A branch is named by `approach_id`, else it is the step's own."""
    approach = fields.get("approach_id")
    # `--set approach_id=1` is a number, in YAML.
    named = None if approach is None else str(approach)
    branch = named if named in session.lines else None
    match stage.effect if stage else None:
        case "score-branch":
            scored = branch or (line.id if line.id != MAIN else None)
            score = validation.number("field 'evaluation_score'", fields.get("evaluation_score"))
            if scored is None:
                return [], []
            lost = f"no branch is called {named!r}: the score is that of {scored!r}"
            return [BranchScored(branch=scored, score=score)], [] if branch or not named else [lost]
        case "select-branch":
            count = validation.whole(
                f"field {beam_search.FIELD!r}", fields.get(beam_search.FIELD, 1)
            )
            ranked = [] if named else beam_search.ranked(session)
            chosen = [branch] if branch else [line.id for line in ranked[:count]]
            if not chosen:
                why = f"no branch is called {named!r}" if named else "no branch has a score"
                return [], [
                    f"nothing was selected: {why}; `{Command('select', 'ID')}` selects a branch"
                ]
            return [
                BranchSelected(branch=branch, beside=tuple(chosen[:place]))
                for place, branch in enumerate(chosen)
            ], _ties(ranked, count)
        case _:
            return [], []


def effects_at_end(
    session: Session, step: Step, outcome: Outcome | None
) -> tuple[list[Event], list[str]]:
    """The same for an attempt that ends: what a step says takes effect once its code went well,
    and once for each of its versions. A cell that runs again changes no score that was given by
    hand since."""
    went_well = outcome is not None and outcome.status in WENT_WELL
    if not went_well or step.effected == len(step.versions):
        return [], []
    line, stage = session.lines[step.branch], stage_named(session, step.current.stage)
    try:
        return effects(session, line, stage, step.current.fields)
    except BadValue as error:  # the strategy is another than when it began
        return [], [str(error)]


def _ties(ranked: list[Line], count: int) -> list[str]:
    """What to say where the last branch that goes on is no better than the first that does not."""
    if len(ranked) <= count or ranked[count - 1].score != ranked[count].score:
        return []
    score = ranked[count].score
    same = [line.id for line in ranked if line.score == score]
    what = "the best score" if count == 1 else f"the score {score:g}"
    went = "the first was" if count == 1 else "the older were"
    return [f"{', '.join(same)} share {what}: {went} selected"]
