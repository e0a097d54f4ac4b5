"""session, a step of a stage -> what the stage does to the session beside recording the step."""

from __future__ import annotations

from collections.abc import Mapping

from wfnb.hints import Command

from . import validation
from .events import BranchScored, BranchSelected, Event, Json
from .session import Line, Session
from .strategy import Stage
from .validation import MAIN


def effects(
    session: Session, line: Line, stage: Stage | None, fields: Mapping[str, Json]
) -> tuple[list[Event], list[str]]:
    """Events and warnings. A branch is named by `approach_id`, else it is the step's own."""
    asked = fields.get("approach_id")
    named = None if asked is None else str(asked)  # `--set approach_id=1` is a number, in YAML
    known = named if named in session.lines else None
    match stage.effect if stage else None:
        case "score-branch":
            scored = known or (line.id if line.id != MAIN else None)
            score = validation.number("field 'evaluation_score'", fields.get("evaluation_score"))
            if scored is None:
                return [], []
            lost = f"no branch is called {named!r}: the score is that of {scored!r}"
            return [BranchScored(branch=scored, score=score)], [] if known or not named else [lost]
        case "select-branch":
            chosen = [known] if known else [] if named else best(session)
            if not chosen:
                why = f"no branch is called {named!r}" if named else "no branch has a score"
                return [], [
                    f"nothing was selected: {why}; `{Command('select', 'ID')}` selects a branch"
                ]
            shared = f"{', '.join(chosen)} share the best score: the first was selected"
            return [BranchSelected(branch=chosen[0])], [shared] if len(chosen) > 1 else []
        case _:
            return [], []


def best(session: Session) -> list[str]:
    """The branches with the best score among those still in play, in order of creation."""
    scored = {
        line.id: line.score
        for line in session.lines.values()
        if line.score is not None and line.state in ("open", "selected")
    }
    first = max(scored.values(), default=None)
    return [name for name, score in scored.items() if score == first]
