"""session, step -> what an investigation adds to the answer of that step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wfnb.core.findings import Findings
from wfnb.core.queries import next_number
from wfnb.core.session import Session, Step
from wfnb.core.validation import MAIN
from wfnb.hints import Command
from wfnb.investigations.core.assessment import Assessment, assess, missing_at_end, stagnation
from wfnb.investigations.core.investigation import Investigation, evidence_of, investigation_of
from wfnb.investigations.core.missing_evidence import examined_files
from wfnb.investigations.core.reducer import NOTHING, counts
from wfnb.investigations.core.requirements import Standing, ends, rule, standing, status
from wfnb.views.step_words import refer

from . import checklist
from .adviser_replies import asked_models, consulted_reply, counts_of, review_result, taken_advice
from .empty_commit import unstaged_warning


def investigation_answer(session: Session, step: Step) -> dict[str, Any] | None:
    """The answer's own part, as JSON data; None for a step that is none of the investigation that
    is on. Where the line ends with the step, actions are those of a closing list, if there is
    one."""
    now, counted = investigation_of(session), evidence_of(session, step)
    at = None if counted is None else standing(session, step)
    if now is None or at is None or counted is None:
        return None
    says, asks, ended = step.current, rule(at), ends(step)
    counting = counts(session, step)
    data: dict[str, Any] = {
        "status": status(at, ended=ended),
        "next_step_required": not ended,
        "continuation_id": session.name,
        f"{now.kind.name}_status": sums(now, at.level),
        "evidence": [
            *(f"{look.kind}: {look.what}" for look in counted.all_looks),
            *(f"new {what}" for what in counted.news),
        ],
    }
    if not ended and at.kind.paused and now.pause:
        data[f"{now.kind.name}_required"] = True
    if not counting:
        data["withdrawn"] = True
    if not ended or asks.when.end:
        # Before the first step nothing was asked for: what was looked at then counts for its list.
        items = checklist.checklist_items(asks.do, counted.looks if at.turn == 1 else ())
        data["required_actions"] = [item.do for item in items]
        told = {
            "ticked": {item.do: item.by for item in items if item.by is not None},
            "thoughts": [item.do for item in items if not item.box],
        }
        data |= {name: value for name, value in told.items() if value}
    if not ended and not says.next_step_needed:
        data["next_step_number"] = step.number
        data["next_steps"] = f"Run step {step.number} again: it did not run to its end."
    elif not ended:
        number = next_number(session.lines[step.branch])
        waits = at.kind.paused and now.pause
        first = f"Look first (`{Command('look')}`, or run a cell), then step" if waits else "Step"
        data["next_step_number"] = number
        data["next_steps"] = f"{first} {number} with what you found."
    assessed = assess(session, step)
    if assessed is not None:
        data["progress"] = progress(assessed)
    stagnates = stagnation(session, step)
    # A step that failed says an end that does not hold until it has run.
    end = says.end if ended or says.next_step_needed else None
    data |= {name: said for name, said in (("end", end), ("stagnation", stagnates)) if said}
    data |= consulted_reply(session, at.turn)
    for each in taken_advice(session, "planner", step):
        if each.error is not None:
            data["planner"] = f"{each.adviser} named no total: {each.error}"
    if ended and counting:
        lacks, staged = missing_at_end(session, step), unstaged_warning(session, step)
        data |= {"lacks": list(lacks)} if lacks else {}
        data |= {"staged": staged} if staged else {}
        data[now.kind.completion] = _complete(session, now, at, step)
        data["review"] = review_result(session, step)
    return data


def progress(assessed: Assessment) -> dict[str, Any]:
    """As JSON data."""
    return {
        "done": round(assessed.done, 3),
        "trend": assessed.trend,
        "advice": assessed.advice,
        "why": assessed.why,
    }


def sums(now: Investigation, level: str) -> dict[str, Any]:
    """How much was found."""
    found = now.found
    return {
        "files_checked": len(examined_files(found)),
        "relevant_files": len(found.relevant),
        "relevant_context": len(found.context),
        "issues_found": len(found.issues),
        "current_confidence": level,
    }


def _complete(session: Session, now: Investigation, at: Standing, step: Step) -> dict[str, Any]:
    """The whole investigation, at its end."""
    steps = [each for each in session.steps.values() if counts(session, each)]
    found, models = now.found, asked_models(session)
    return {
        "initial_request": steps[0].current.description,
        "steps_taken": len(steps),
        "files_examined": examined_files(found),
        "relevant_files": list(found.relevant),
        "relevant_context": list(found.context),
        "issues": [
            {"severity": issue.severity, "description": issue.text}
            for issue in sorted(found.issues, key=lambda each: each.rank)
        ],
        "work_summary": "\n".join(_summary(session, now, steps, step)),
        "final_analysis": _analysis(step),
        "confidence_level": at.level,
        **(counts_of(models) if models else {}),
    }


def _summary(session: Session, now: Investigation, steps: list[Step], last: Step) -> Iterator[str]:
    """A line a finding, and what was carried along first; a step without one stands for itself.
    What an end before this one has summed up is named, and not said again."""
    told = next((each for each in reversed(steps) if each.key < last.key and ends(each)), None)
    if told is not None:
        yield f"Until step {refer(told, MAIN)}: summed up there"
    elif now.carried is not None:
        for text in now.carried.found.findings:
            yield f"From {now.carried.session}: {text}"
    for step in steps:
        if told is None or step.key > told.key:
            yield f"Step {refer(step, MAIN)}: {_finding_text(step)}"


def _analysis(step: Step) -> str:
    """What the step is called, and what it found."""
    found = (step.current.findings or NOTHING).findings
    return "\n".join((step.current.description, *found))


def _finding_text(step: Step) -> str:
    findings: Findings = step.current.findings or NOTHING
    return " ".join(findings.findings) or step.current.description
