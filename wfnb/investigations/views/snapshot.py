"""session -> its investigation as JSON data: what every live view of it is drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from wfnb.core.findings import Look
from wfnb.core.session import Session, Step
from wfnb.core.validation import MAIN
from wfnb.errors import spoken
from wfnb.investigations.core.assessment import assess, missing_at_end, stagnation
from wfnb.investigations.core.hypothesis_fates import fates
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.missing_evidence import examined_files
from wfnb.investigations.core.requirements import (
    ends,
    fields,
    precedes_kind,
    standing,
    status,
    step_awaiting_looks,
)
from wfnb.views.finding_lines import findings_data
from wfnb.views.step_words import refer, tally_fields

from . import checklist
from .adviser_replies import asked_models, verdicts
from .empty_commit import unstaged_warning
from .finding_entries import entries, latest
from .finding_tables import issues
from .hypothesis_verdicts import verdict_reason
from .investigation_answer import progress, sums
from .verdict import by_severity, grave


def investigation(session: Session, waiting: Sequence[Look] = ()) -> dict[str, Any] | None:
    """Where it stands, what was found, what is asked for; None where the session is none. Without
    times. `waiting` are looks that will be recorded with the next step."""
    now = investigation_of(session)
    if now is None:
        return None
    kind, found, steps = now.kind, now.found, tuple(entries(session))
    # What was withdrawn is told, too, with its state: who reads wants to know what was held for
    # true.
    ever = tuple(entries(session, old=True))
    step, waits = latest(session), step_awaiting_looks(session)
    tally = verdicts(asked_models(session))
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
            for each in ever
            for text in each.says.findings
        ],
        "hypotheses": [
            {
                "number": number,
                "step": refer(fate.step, MAIN),
                "text": fate.hypothesis,
                "fate": fate.fate,
                "why": verdict_reason(fate),
            }
            for number, fate in enumerate(fates(session), 1)
        ],
        "issues": [
            {"severity": issue.severity, "text": issue.text, "steps": where, "state": state}
            for issue, where, state in issues(session, ever)
        ],
        "files": examined_files(found),
        "relevant": list(found.relevant),
        "context": list(found.context),
        # A cell's code is the notebook's own, and seconds differ each time: neither is told.
        "extended": [_drop_field(asdict(more), "cell") for more in now.extended],
        "reviewer": now.reviewer,
        "planner": now.planner,
        "advice": [
            {"step": _step_place(session, key), **_drop_field(asdict(each), "seconds")}
            for key, each in now.advice
        ],
        "tally": None if tally is None else tally_fields(tally),
        "carried": None
        if now.carried is None
        else {
            "session": now.carried.session,
            "kind": now.carried.kind,
            "found": findings_data(now.carried.found),
        },
    }


def sentence(data: Mapping[str, Any]) -> Iterator[str]:
    """An investigation in a few words, from its data."""
    yield data["kind"]
    if data["status"] is None:
        yield "not begun"
        return
    severities = (each["severity"] for each in data["issues"] if not each["state"])
    if data["awaited"] is None and (open_ := grave(by_severity(severities))):
        yield open_  # before a status that may say that all is well
    yield spoken(data["status"])
    if "staged" in data:
        yield data["staged"]
    yield f"step {data['turn']} of {data['total']}"
    trend = data["progress"]["trend"]
    level = f"confidence {data['current_confidence']}"
    yield level if trend == "first" else f"{level}, {trend}"
    if not data["pause"] and data["awaited"]:
        yield "no pause"


def _stands(session: Session, step: Step | None) -> dict[str, Any]:
    """Status, turn and progress after the last step that counts."""
    at = None if step is None else standing(session, step)
    if (
        step is None
        or at is None
        or precedes_kind(session, session.lines[step.branch], step.number)
    ):
        return {"status": None, "turn": 0, "total": session.total, "progress": None, "end": None}
    assessed, stuck = assess(session, step), stagnation(session, step)
    lacks, going = missing_at_end(session, step), step.current.next_step_needed
    staged = unstaged_warning(session, step)
    return {
        "status": status(at, ended=ends(step)),
        "turn": at.turn,
        "total": at.total,
        "progress": None if assessed is None else progress(assessed),
        "end": step.current.end if going or ends(step) else None,
        **({"staged": staged} if staged else {}),
        **({"lacks": list(lacks)} if lacks else {}),
        **({"stagnation": stuck} if stuck else {}),
    }


def _level(session: Session, step: Step | None) -> str:
    at = None if step is None else standing(session, step)
    now = investigation_of(session)
    assert now is not None
    return now.kind.confidence.default if at is None else at.level


def _step_place(session: Session, key: int) -> str | None:
    step = session.steps.get(key)
    return None if step is None else refer(step, MAIN)


def _drop_field(data: dict[str, Any], name: str) -> dict[str, Any]:
    del data[name]
    return data
