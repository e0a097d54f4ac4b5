"""session -> its steps and lines as JSON: what pictures, reports and answers are drawn from.

What the panel begins with is another one: `panel/snapshot.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfnb.core.events import Outcome
from wfnb.core.queries import (
    branches,
    counting_head,
    deciding_step,
    last_step,
    more_needed,
    open_lines,
    stage_choices,
    stage_of,
    visible,
    visible_lines,
    visible_on,
)
from wfnb.core.session import Line, Session, Step
from wfnb.core.solution import awaited_reason, is_solved
from wfnb.core.strategy_ledgers import ledger
from wfnb.core.validation import MAIN

from .extension import active
from .finding_lines import findings_data
from .kept_value_words import kept_data
from .run_entries import RunEntry, entry_data
from .staleness import reason
from .step_words import author_text, ledger_fields, line_state, outcome_of, refer


def _follows_strategy(session: Session, step: Step) -> bool:
    """Whether the stage of a step is of the strategy that is followed now: one before it may have a
    stage of the same name."""
    if session.strategy is None:
        return True
    return stage_of(session, step) is not None and step.key > session.strategy_since


def snapshot(
    session: Session,
    chosen: str = MAIN,
    sources: bool = False,
    runs: Sequence[RunEntry] = (),
    latest: int | None = None,
) -> dict[str, Any]:
    """The whole state: the seven fields of the last step, then everything else.

    `chosen` is the line whose stage is told; `sources` adds hidden steps, and every version with
    its source and how its attempts before the last ended. With `latest` only so many steps are
    there, the newest, and `earlier` counts the others. Durations are in seconds.
    """
    last, deciding = last_step(session), deciding_step(session)
    line = session.lines[chosen]
    at = counting_head(session, line)
    strategy = session.strategy
    ongoing = {line.id for line in open_lines(session)}
    steps = list(session.steps.values()) if sources else visible(session)
    left = 0 if latest is None else max(len(steps) - latest, 0)
    # The others are counted only: each step as data costs time, and a page shows few.
    steps, earlier = steps[left:], steps[:left]
    lines = list(session.lines.values()) if sources else visible_lines(session)
    return {
        **_seven(session, last),
        "session": session.name,
        "position": session.position,
        "solved": is_solved(session),
        "unsolved": awaited_reason(session) or None,
        "needs_more_steps": deciding is None or more_needed(session, deciding),
        "strategy": strategy.name if strategy else None,
        "line": line.id,
        "stage": at.current.stage if at and _follows_strategy(session, at) else None,
        "next_stages": list(stage_choices(session, line)),
        "steps": [_step(session, step, sources) for step in steps],
        **({"earlier": _step_counts(earlier)} if earlier else {}),
        "stale_steps": sorted({session.steps[key].number for key in session.stale}),
        **({"hidden_steps": _hidden_steps(session)} if session.hidden else {}),
        **({"recording": True} if session.plain_cells_are_steps else {}),
        "lines": [_line(session, line, line.id in ongoing) for line in lines],
        "runs": [entry_data(session, entry) for entry in runs],
        "warnings": [
            f"{step.branch}:{step.number}: {warning}"
            for step in (steps if latest is not None else visible(session))
            for warning in step.warnings
        ],
        **({"ledger": ledger_fields(table)} if (table := ledger(session, line)) else {}),
        **{each.name: part for each in active(session) if (part := each.snapshot(session))},
    }


def _step_counts(steps: Sequence[Step]) -> dict[str, int]:
    return {"steps": len(steps), "stale": sum(step.stale for step in steps)}


def _seven(session: Session, last: Step | None) -> dict[str, Any]:
    branch = last.branch if last else MAIN
    return {
        "step_number": last.number if last else 0,
        "total_steps": max(session.total or 0, last.current.total if last else 0),
        "next_step_needed": last.current.next_step_needed if last else True,
        "last_step_description": last.current.description if last else "",
        "current_branch": None if branch == MAIN else branch,
        "branches": branches(session),
        "step_history_length": len(session.steps),
    }


def _step(session: Session, step: Step, sources: bool) -> dict[str, Any]:
    now, end = step.current, step.ended
    reviser = session.steps.get(step.revised_by) if step.revised_by is not None else None
    data: dict[str, Any] = {
        "number": step.number,
        "branch": step.branch,
        "description": now.description,
        "total": now.total,
        "next_step_needed": now.next_step_needed,
        "needs_more_steps": now.needs_more_steps,
        "stage": now.stage,
        "selected": ", ".join(step.selects) or None,
        "fields": dict(now.fields),
        "outcome": outcome_of(step),
        "duration": end.duration if end else None,
        "result": end.result if end else None,
        "error": end.error if end else None,
        "values": dict(end.values) if end else {},
        "stale": step.stale,
        "stale_reason": reason(session, step) or None,
        "revises": now.revises,
        "revised_by": reviser.number if reviser else None,
        "revised_on": reviser.branch if reviser else None,
        "attempts": step.attempts,
        "versions": len(step.versions),
        "cell_id": step.cell_id,
    }
    if now.findings is not None:
        data |= {
            "findings": findings_data(now.findings),
            "end": now.end,
            "withdrawn": step.is_withdrawn,
        }
    data |= {"tags": list(step.tags)} if step.tags else {}
    data |= {"by": author_text(now.by)} if now.by else {}
    data |= {"hidden": True} if step.hidden else {}
    kept_values = kept_data(step)
    if kept_values is not None:
        data["kept"] = kept_values
    if sources:
        data["history"] = [
            {
                "description": version.description,
                "source": version.cell.source if version.cell else None,
                "earlier": [_outcome(end) for at, end in step.past if at == number],
            }
            for number, version in enumerate(step.versions, 1)
        ]
    return data


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "outcome": outcome.status,
        "duration": outcome.duration,
        "result": outcome.result,
        "error": outcome.error,
        "values": dict(outcome.values),
    }


def _hidden_steps(session: Session) -> list[str]:
    """The hidden steps, as `3` or `alt:3`."""
    return [refer(session.steps[key], MAIN) for key in sorted(session.hidden)]


def _line(session: Session, line: Line, ongoing: bool) -> dict[str, Any]:
    return {
        "id": line.id,
        "parent": line.parent,
        "from": line.leaves if line.parent is not None else None,
        "state": line.state,
        "open": ongoing,
        "over": line_state(session, line) == "passed over",
        "score": line.score,
        "reason": line.reason,
        "merged_into": line.merged_into,
        "steps": len(visible_on(session, line)),
    }
