"""session, step -> the answer to that step: its seven fields, and what else is useful."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from heapq import nsmallest
from itertools import takewhile
from typing import Any

from wfnb.core.queries import (
    branches,
    head,
    more_needed,
    stage_choices,
    stage_of,
)
from wfnb.core.session import Session, Step
from wfnb.core.solution import holds_answer, unsolved_reason
from wfnb.core.strategy_ledgers import ledger
from wfnb.core.vote_tally import scores, tally
from wfnb.frozen_record import record
from wfnb.hints import Command
from wfnb.render.message import MIME
from wfnb.render.text import escape

from . import step_answer_html
from .extension import VIEWS
from .kept_value_words import kept_data, kept_warnings
from .stage_guide import guide
from .staleness import needs_restart, reason, settles
from .step_words import ledger_fields, outcome_of, refer, tally_fields


@record
class Answer:
    """The seven fields of every answer (docs/rules.md) first, then what else is useful.

    `branches` and `step_history_length` count up to where the step stands in the history, so that
    running a saved notebook again changes nothing in its file.
    `stale_steps` are numbers, at most the first 50 (`status` has all); `next_actions` are
    sentences; `solved` is true of the step that holds the
    session's answer. Without times, so that it can be
    compared. `kept` has the names whose values are kept, and of the others why not. What
    slices have `added`, by their names, stands behind the other fields in `to_dict`.
    `total_known` (somebody gave a total), `rendered` (show the description's Markdown) and `stale`
    are for the line only.
    """

    step_number: int
    total_steps: int
    next_step_needed: bool
    last_step_description: str
    current_branch: str | None
    branches: list[str]
    step_history_length: int
    session: str
    outcome: str
    error: str | None
    branch_from_step: int | None
    revises_step: int | None
    needs_more_steps: bool
    solved: bool
    strategy: str | None
    stage: str | None
    selected: str | None
    next_stages: list[str]
    fields: Mapping[str, Any]
    values: Mapping[str, Any]
    kept: Mapping[str, Any] | None
    stale_steps: list[int]
    tally: Mapping[str, Any] | None
    ledger: Mapping[str, Any] | None
    scores: Mapping[str, float] | None
    warnings: list[str]
    next_actions: list[str]
    added: Mapping[str, Mapping[str, Any]]
    total_known: bool = False
    rendered: bool = False
    stale: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The fields in order, as JSON data; those of no strategy are left out without one."""
        names = (field.name for field in dataclass_fields(self) if field.name not in _HTML)
        data = {name: getattr(self, name) for name in names}
        more = {key: value for part in data.pop("added").values() for key, value in part.items()}
        return {
            name: value
            for name, value in data.items()
            # What few answers have is left out where it is empty: an answer is stored in the
            # notebook.
            if name in _ALWAYS or value not in (None, [], {})
        } | more

    def to_json(self) -> str:
        """The same, as indented JSON."""
        return escape.json_text(json.dumps(self.to_dict(), indent=2, ensure_ascii=False))

    @property
    def text(self) -> str:
        """Its line and what is to be known under it, for a terminal."""
        return step_answer_html.answer_text(
            self.to_dict(), self.added, self.total_known, self.stale
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        data = self.to_dict()
        text = escape.json_text(json.dumps(data, ensure_ascii=False))  # on one line: it is stored
        html = step_answer_html.answer_html(
            data, self.added, self.total_known, self.rendered, self.stale
        )
        return {MIME: data, "text/plain": text, "text/html": html}


_MAX_STALE_STEPS, _NAMED = 50, 8  # stale steps in an answer, and in a sentence of it
_HTML = ("total_known", "rendered", "stale")
_ALWAYS = (
    "step_number",
    "total_steps",
    "next_step_needed",
    "last_step_description",
    "current_branch",
    "branches",
    "step_history_length",
    "session",
    "outcome",
    "needs_more_steps",
    "solved",
)


def answer(session: Session, step: Step) -> Answer:
    """The answer to a step that was just recorded or finished."""
    now = step.current
    line = session.lines[step.branch]
    # A step that runs again in the middle of its line must not say what comes after the last one.
    at_head = head(session, line) is step
    strategy = session.strategy
    stage = stage_of(session, step)
    counted = tally(session, line) if stage and stage.effect == "tally-answers" else None
    strategy_ledger = ledger(session, line) if stage and stage.effect else None
    values = dict(step.ended.values) if step.ended else {}
    # From the end: a new step is the last, and a long session is not gone through for it.
    later = sum(1 for _ in takewhile(lambda key: key > step.key, reversed(session.steps)))
    # A value that was asked for is always there by name; None: the cell did not leave one.
    gone = [name for name, value in values.items() if value is None]
    scored = stage is not None and stage.effect in ("score-branch", "select-branch")
    return Answer(
        step_number=step.number,
        total_steps=max(session.total or now.total, step.number),
        next_step_needed=now.next_step_needed,
        last_step_description=now.description,
        current_branch=None if line.parent is None else line.id,
        branches=[name for name in branches(session) if _first_key(session, name) <= step.key],
        step_history_length=len(session.steps) - later,
        session=session.name,
        outcome=outcome_of(step),
        error=step.ended.error if step.ended else None,
        branch_from_step=None if line.parent is None else line.leaves,
        revises_step=now.revises,
        needs_more_steps=more_needed(session, step),
        solved=holds_answer(session, step),
        strategy=strategy.name if strategy else None,
        stage=now.stage,
        selected=", ".join(step.selects) or None,
        next_stages=list(stage_choices(session, line)) if at_head else [],
        fields=dict(now.fields),
        values=values,
        kept=kept_data(step),
        stale_steps=nsmallest(
            _MAX_STALE_STEPS, {session.steps[key].number for key in session.stale}
        ),
        tally=None if counted is None else tally_fields(counted),
        ledger=None if strategy_ledger is None else ledger_fields(strategy_ledger),
        scores=scores(session, line) if scored else None,
        warnings=[
            *step.warnings,
            *(f"value {name!r} was not there at its end" for name in gone),
            *kept_warnings(step),
        ],
        next_actions=list(_next_moves(session, step, at_head)),
        added={
            name: part
            for name in session.states
            if (part := VIEWS[name].answer_fields(session, step))
        },
        total_known=session.total is not None,
        stale=step.stale,
    )


def _first_key(session: Session, branch: str) -> int:
    """The key of its first step."""
    return next(iter(session.lines[branch].keys.values()), 0)


def _next_moves(session: Session, step: Step, at_head: bool) -> list[str]:
    """What can be done now, in sentences."""
    moves = []
    line = session.lines[step.branch]
    if step.stale:
        moves.append(f"stale: {reason(session, step)}; {settles(session, step)}")
    outdated = [key for key in session.stale if _because_of(session.steps[key], step)]
    if outdated:
        # Not sorted whole: a change early in a long session makes thousands stale.
        keys = nsmallest(_NAMED, outdated)
        stale = [refer(session.steps[key], step.branch) for key in keys]
        restart = any(needs_restart(session.steps[key]) for key in keys)
        moves.append(_outdated_text(stale, len(outdated), restart))
    if session.strategy and at_head:
        for name in stage_choices(session, line):
            moves.append(f"next stage {name}: {guide(session.strategy.stages[name])}")
    if step.ended and step.ended.status in ("failed", "interrupted"):
        moves.append("run the cell again for another attempt")
    elif session.strategy and at_head and not (step.current.next_step_needed or step.stale):
        why = unsolved_reason(session)  # its strategy promised an end
        moves += [f"not solved yet: {why}"] if why else []
    return moves


def _because_of(stale: Step, step: Step) -> bool:
    """Whether a step is stale by what another one did."""
    given = any(step.key in (doubt.given_by, doubt.read_from) for doubt in stale.doubts)
    return stale.key != step.key and (given or step.key in stale.made_stale_by)


def _outdated_text(stale: list[str], count: int, restart: bool) -> str:
    """`stale` are the first of `count` steps; `restart`: the kernel has to be, first."""
    shown = ", ".join(stale) + (f", … ({count} in all)" if count > len(stale) else "")
    steps, them = (f"steps {shown} are", "them") if count > 1 else (f"step {shown} is", "it")
    first = "restart the kernel, then " if restart else ""
    return f"{steps} stale: {first}run {them} again, or `{Command('confirm', *stale)}`"
