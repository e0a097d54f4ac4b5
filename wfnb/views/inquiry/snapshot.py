"""session -> its investigation as JSON data: what every live view of it is drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from wfnb.core.assessing import assess, fates, stagnation
from wfnb.core.evidence import checked
from wfnb.core.findings import Findings, Look
from wfnb.core.required import awaited, fields, standing, status
from wfnb.core.session import Session, Step
from wfnb.core.values import MAIN
from wfnb.views.words import refer

from . import checklist
from .advice import asked, tallied, verdicts
from .answered import progress, sums
from .entries import entries, latest
from .tables import issues


def investigation(session: Session, waiting: Sequence[Look] = ()) -> dict[str, Any] | None:
    """Where it stands, what was found, what is asked for; None where the session is none. Without
    times. `waiting` are looks that will be recorded with the next step."""
    now = session.investigation
    if now is None:
        return None
    kind, found, steps = now.kind, now.found, tuple(entries(session))
    step, waits = latest(session), awaited(session)
    tally = verdicts(asked(session))
    return {
        "kind": kind.name,
        "pause": now.pause and kind.paused,
        **_stands(session, step),
        **sums(now, _level(session, step)),
        "awaited": None if waits is None else {"number": waits.number, "branch": waits.branch},
        "checklist": checklist.data(checklist.checklist(session, waiting)),
        "fields": fields(now),
        "confidence": [
            {"step": each.where, "level": each.says.confidence, "state": each.state}
            for each in steps
        ],
        "findings": [
            {"step": each.where, "text": text, "state": each.state}
            for each in steps
            for text in each.says.findings
        ],
        "hypotheses": [
            {"step": refer(fate.step, MAIN), "text": fate.hypothesis, "fate": fate.fate}
            for fate in fates(session)
        ],
        "issues": [
            {"severity": issue.severity, "text": issue.text, "steps": where, "state": state}
            for issue, where, state in issues(session, steps)
        ],
        "files": checked(found),
        "relevant": list(found.relevant),
        "context": list(found.context),
        "extended": [asdict(more) for more in now.extended],
        "reviewer": now.reviewer,
        "planner": now.planner,
        "advice": [
            {"step": _where(session, key), **_timeless(asdict(each))} for key, each in now.advice
        ],
        "tally": None if tally is None else tallied(tally),
        "carried": None
        if now.carried is None
        else {
            "session": now.carried.session,
            "kind": now.carried.kind,
            "found": said(now.carried.found),
        },
    }


def said(says: Findings) -> dict[str, Any]:
    """What is said, as JSON data; what is not said is left out."""
    return {name: value for name, value in asdict(says).items() if value not in (None, ())}


def sentence(data: Mapping[str, Any]) -> Iterator[str]:
    """An investigation in a few words, from its data."""
    yield data["kind"]
    if data["status"] is None:
        yield "not begun"
        return
    yield data["status"]
    yield f"step {data['turn']} of {data['total']}"
    trend = data["progress"]["trend"]
    level = f"confidence {data['current_confidence']}"
    yield level if trend == "first" else f"{level}, {trend}"
    if not data["pause"] and data["awaited"]:
        yield "no pause"


def _stands(session: Session, step: Step | None) -> dict[str, Any]:
    """Status, turn and progress after the last step that counts."""
    at = None if step is None else standing(session, step)
    if step is None or at is None:
        return {"status": None, "turn": 0, "total": session.total, "progress": None, "end": None}
    assessed, stuck = assess(session, step), stagnation(session, step)
    return {
        "status": status(at, ended=not step.now.next_step_needed),
        "turn": at.turn,
        "total": at.total,
        "progress": None if assessed is None else progress(assessed),
        "end": step.now.end,
        **({"stagnation": stuck} if stuck else {}),
    }


def _level(session: Session, step: Step | None) -> str:
    at = None if step is None else standing(session, step)
    now = session.investigation
    assert now is not None
    return now.kind.confidence.default if at is None else at.level


def _where(session: Session, key: int) -> str | None:
    step = session.steps.get(key)
    return None if step is None else refer(step, MAIN)


def _timeless(advice: dict[str, Any]) -> dict[str, Any]:
    del advice["seconds"]
    return advice
