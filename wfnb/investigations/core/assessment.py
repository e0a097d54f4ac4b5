"""session, step -> how the investigation stands there: progress, stagnation, review."""

from __future__ import annotations

from typing import Literal

from wfnb.core.findings import Findings
from wfnb.core.queries import counting_head
from wfnb.core.session import Session, Step
from wfnb.frozen_record import record
from wfnb.hints import Command, Option

from .investigation import current_evidence, investigation_of
from .kind import Confidence, RuleCondition
from .missing_evidence import grows, missing_evidence
from .reducer import NOTHING, counts
from .requirements import Standing, ends, holds, last_attempt_failed, level, standing

Trend = Literal["first", "rising", "steady", "falling"]
Recommendation = Literal["go on", "add steps", "finish"]

FINDINGS = 2
"""So many findings are worth a review, where there is neither a relevant file nor an issue."""


@record
class Assessment:
    """`done` is the part of the planned steps that is behind, from 0 to 1; `trend` that of the
    confidence since the step before."""

    done: float
    trend: Trend
    advice: Recommendation
    why: str


@record
class ReviewRequest:
    """The reviewer who is asked about the end."""

    reviewer: str


def assess(session: Session, step: Step) -> Assessment | None:
    """None for a step that is none of the investigation that is on."""
    now, at = investigation_of(session), standing(session, step)
    if now is None or at is None:
        return None
    scale, here = now.kind.confidence, at.level
    advice: Recommendation = "go on"
    why = f"step {at.turn} of {at.total}, confidence {here}"
    if ends(step):
        advice, why = "finish", "the line ends with this step"
    elif last_attempt_failed(step):
        why = f"step {step.number} did not run to its end: run it again"
    # Never at the first step: what is sure before anything was looked at is a guess.
    elif grows(now.kind) and at.turn > 1 and here in (scale.sure, *scale.nearly):
        lacks = missing_evidence(session, now.found)
        advice = "go on" if lacks else "finish"
        why += f", without {' and '.join(lacks)}" if lacks else ", with enough evidence"
    elif grows(now.kind) and at.turn >= at.total - 1 and _is_below(scale, here):
        advice, why = "add steps", f"{why}: `{Command('extend', 'N', Option('reason', 'TEXT'))}`"
    return Assessment(
        done=1.0 if ends(step) else min(at.turn / at.total, 1.0),
        trend=_trend(session, step, at),
        advice=advice,
        why=why,
    )


def missing_at_end(session: Session, step: Step) -> tuple[str, ...]:
    """What the evidence lacks of an investigation that ended with the step."""
    now = investigation_of(session)
    if now is None or not counts(session, step) or not ends(step):
        return ()
    return missing_evidence(session, now.found)


def _is_below(scale: Confidence, here: str) -> bool:
    return scale.levels.index(here) < scale.levels.index((*scale.nearly, scale.sure)[0])


def _trend(session: Session, step: Step, at: Standing) -> Trend:
    before = _previous_step(session, step)
    if before is None:
        return "first"
    order = at.kind.confidence.levels.index
    went = order(at.level) - order(level(at.kind, _says(before).confidence))
    return "rising" if went > 0 else "falling" if went < 0 else "steady"


def _previous_step(session: Session, step: Step) -> Step | None:
    """The step before, where it is one of the investigation."""
    before = counting_head(session, session.lines[step.branch], step.number - 1)
    return before if before is not None and counts(session, before) else None


def _says(step: Step) -> Findings:
    return step.current.findings or NOTHING


def stagnation(session: Session, step: Step) -> str | None:
    """What to say where the line has had the same confidence for too long; None: it has not."""
    now = investigation_of(session)
    if now is None or current_evidence(session, step) is None:
        return None
    if not grows(now.kind) or ends(step):
        return None
    here = level(now.kind, _says(step).confidence)
    patience = now.kind.confidence.patience.get(here)
    if patience is None:
        return None
    # Back only as far as the patience reaches: the line may be long.
    steady, each = 1, step
    while steady < patience:
        before = _previous_step(session, each)
        if before is None or _says(before).confidence != here:
            return None
        steady, each = steady + 1, before
    branch = Command("branch", "ID", Option("from", each.number))
    return (
        f"confidence has been {here} for {steady} steps or more: branch (`{branch}`), "
        f"step back (`{Command('backtrack', each.number)}`), or ask (`{Command('advise')}`)"
    )


def review(session: Session, step: Step) -> ReviewRequest | str:
    """The reviewer to ask about a line that ends with the step, or why nobody is asked."""
    now = investigation_of(session)
    if now is None or current_evidence(session, step) is None:
        return "it is no step of an investigation"
    if not ends(step):
        return "it has not ended"
    if now.reviewer is None:
        return "no reviewer was named"
    at = standing(session, step)
    assert at is not None
    skip = next((when for when in now.kind.reviewer.skip if holds(when, at)), None)
    if skip is not None:
        return _skip_reason(skip, at)
    found = now.found
    if not found.relevant and not found.issues and len(found.findings) < FINDINGS:
        return "there is nothing to review: no relevant file, no issue, no two findings"
    return ReviewRequest(reviewer=now.reviewer)


def _skip_reason(skip: RuleCondition, at: Standing) -> str:
    told = [f"confidence is {at.level}"] if skip.confidence else []
    told += [f"{name} is {value}" for name, value in skip.fields.items()]
    return " and ".join(told) or f"{at.kind.name} asks for no review"
