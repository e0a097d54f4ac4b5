"""What can be asked of a run: one class per command. `decide` turns one into events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from wfnb.core.events import Json
from wfnb.frozen_record import record
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.reader import Definition

from .events import QuestionAsked, RunStatus, Why

Verdict = Literal["ask", "again", "done"]
Lost = Verdict | Mapping[str, Verdict]
"""What to do about calls whose outcome is unknown: all of them, or by their actions ("" has the
others, an action its items)."""


def verdict(lost: Lost, action: str) -> Verdict:
    """
    >>> verdict("again", "a"), verdict({"a": "done"}, "a[3]"), verdict({"a": "done"}, "b")
    ('again', 'done', 'ask')
    """
    if isinstance(lost, str):
        return lost
    return lost.get(action) or lost.get(base_action(action)) or lost.get("", "ask")


@record
class StartCall:
    """Call the tool of an action, or with `undoes` the compensation of that call. `waited` is how
    long was waited before it, in seconds. `verbatim` are the tool's parameters that hold a program,
    which are passed as they are written, `objects` those that may be what JSON cannot hold (None:
    all of them)."""

    action: str
    undoes: int | None = None
    waited: float = 0.0
    idempotent: bool = False
    verbatim: frozenset[str] = frozenset()
    objects: frozenset[str] | None = frozenset()


@record
class FinishCall:
    """`result` says whether the call did what it should: `success`, `timeout_occurred`. `stopped`:
    it was ended from here and says nothing of the action. `nested`: the run that it called, which
    has something to undo, or may have. `goes_on`: the tool did not end and may still be at work.
    `unsure`: it has called a run of which nobody knows whether all that failed of it was not done.
    `taken`: a person says that it was done."""

    call: int
    result: Mapping[str, Json] = field(default_factory=dict)
    duration: float | None = None
    stopped: bool = False
    nested: str | None = None
    cached: bool = False
    goes_on: bool = False
    unsure: bool = False
    taken: bool = False


@record
class AskQuestion:
    event: QuestionAsked


@record
class AnswerQuestion:
    """`call` None: the one question that is open."""

    answer: Json
    call: int | None = None


@record
class StopRun:
    """`rollback` None: as the workflow says. `skip_always`: what is always done last is not done
    either. So it is where that is being done already."""

    why: Why = "cancelled"
    reason: str | None = None
    rollback: bool | None = None
    skip_always: bool = False


@record
class ResumeRun:
    """Go on with a run, in `process`."""

    process: str | None = None
    alive: bool = False
    """Whether the process that has the run still lives."""
    start: str | None = None
    variables: Mapping[str, Json] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    lost: Lost = "ask"
    """What to do about calls that are not idempotent, and whose end nobody saw, or which succeeded
    and come after what was undone: refuse and `ask`, call `again`, or take them as `done`."""
    workflow: Definition | None = None
    """A mended definition to go on with."""
    rollback: bool = False
    """Whether it only undoes what it did, and is left."""
    retry: bool = False
    """Whether compensations that failed are called again."""
    reason: str | None = None


@record
class ParkRun:
    """Leave it until what it waits for has come: only while it does nothing but these `calls`, and
    what it asks in them is not answered."""

    calls: tuple[int, ...]
    questions: tuple[int, ...] = ()
    until: float | None = None
    notebook: bool = False
    save: bool = True


@record
class EndRun:
    status: RunStatus
    error: str | None = None
    saved: str | None = None


RunCommand = (
    StartCall | FinishCall | AskQuestion | AnswerQuestion | StopRun | ResumeRun | ParkRun | EndRun
)
