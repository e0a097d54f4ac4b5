"""What has happened in a run: one class per kind of event, and their names on disk.

A run is a stream of events of its own, so that a session's history does not grow with what its
runs did. The rules are those of a session's events: written once, read for ever, never refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from wfnb.core.events import Authored, Json, name_of
from wfnb.frozen_record import record

CallStatus = Literal["ok", "failed", "timed_out", "cancelled", "unknown", "skipped"]
RunStatus = Literal[
    "success", "failed", "rolled_back", "partly_rolled_back", "partial_success", "cancelled"
]
Why = Literal["cancelled", "failed", "undone"]


@record
class RunStarted(Authored):
    """A run has begun."""

    workflow: Mapping[str, Json]
    """Its whole definition, so that the run needs no file."""
    variables: Mapping[str, Json] = field(default_factory=dict)
    """Those it begins with."""
    secrets: tuple[str, ...] = ()
    """Only their names are recorded."""
    max_states: int = 100
    timeout: float = 1800.0
    depth: int = 0
    """1 or more: it is nested."""
    caller: int | None = None
    """The position of the call of its parent that called it."""
    process: str | None = None
    origin: tuple[str, ...] = ()
    """Where the definition was written: a session, then the notebook's cell, as far as that is
    known."""
    folder: str | None = None
    """Where its relative paths start, from the folder on that holds `.wfnb`; None: not known."""
    cut: Mapping[str, Json] = field(default_factory=dict)
    """Says of the variables what `CallFinished.cut` says of its fields."""
    key: str | None = None
    """How whoever asked for it would ask again: no other run of the session is begun by it."""


@record
class RunResumed(Authored):
    """The run goes on, in `process`."""

    process: str | None = None
    start: str | None = None
    """The action from which it goes on; None: where it was."""
    variables: Mapping[str, Json] = field(default_factory=dict)
    """New values for some."""
    secrets: tuple[str, ...] = ()
    workflow: Mapping[str, Json] | None = None
    """The definition from here on; None: as before."""
    kept: tuple[int, ...] = ()
    """The calls that count as they ended though they come after what was undone."""
    rollback: bool = False
    """Whether it goes on only to undo what it did, and is left."""
    retry: bool = False
    """Whether compensations that failed are called again."""
    reason: str | None = None
    """Why it is undone, where it had not failed."""
    cut: Mapping[str, Json] = field(default_factory=dict)
    """As in RunStarted."""


@record
class CallStarted:
    """A tool is about to be called: recorded before it is, so that a call whose end nobody saw can
    be told from one that was never made."""

    action: str
    tool: str
    params: Mapping[str, Json] = field(default_factory=dict)
    """As they were passed, secrets taken out."""
    attempt: int = 1
    waited: float = 0.0
    """In seconds."""
    idempotent: bool = False
    undoes: int | None = None
    """The position of the call of which this is the compensation."""
    skipped: bool = False
    """Whether it is not made, as its action's `when` does not hold, or a step that had to fail did
    not; its end follows."""
    items: tuple[Json, ...] | None = None
    """Those that the action is done for. No tool is called here: each item has calls of its own,
    named `ACTION[3]`."""
    ended: tuple[int, ...] = ()
    """By item, the earlier call that counts for it (0: none), where a run was resumed."""
    within: int | None = None
    """The position of the call with `items` that this one is for."""
    fallback: int | None = None
    """Its action has failed, and this is what that fallback does instead."""
    cut: Mapping[str, Json] = field(default_factory=dict)
    """Says of `params` and `items` what `CallFinished.cut` says of its fields."""


@record
class CallFinished:
    """How a call ended, and what follows from it. What is chosen by patterns is kept here rather
    than found again: a pattern's time may run out at another time."""

    call: int
    """The position at which it began."""
    status: CallStatus
    result: Mapping[str, Json] = field(default_factory=dict)
    duration: float | None = None
    goto: str | None = None
    """The state chosen."""
    retry: bool = False
    """Whether another attempt follows."""
    fallback: int | None = None
    """The next attempt is what that fallback does instead."""
    captured: Mapping[str, Json] = field(default_factory=dict)
    """Variables found in its text."""
    armed: Mapping[str, Json] | None = None
    """The values that its compensation will use; None: it has none."""
    nested: str | None = None
    """The run that it called, where a rollback goes into that; empty: its name is not known."""
    cached: bool = False
    cut: Mapping[str, Json] = field(default_factory=dict)
    """Which texts of the fields above are only the ends of what there was (`sizes`), and what only
    stands for a value and where that is (`marks_of`), by the field."""
    unsure: bool = False
    """Whether it may have been done though it did not succeed: it was killed, is still at work, or
    has called a run of which that is so. Where it was only stopped, timed out, or was not seen to
    end, the status says so."""
    in_part: tuple[str, ...] = ()
    """The fields of the result in which something was looked for when the tool had cut them
    already. Such a call fails now: only journals of before have it."""
    did: bool = False
    """Whether it failed though its tool succeeded: by what was asked of the result."""


@record
class QuestionAsked:
    """A call waits for a person. `timeout` is in seconds."""

    call: int
    question: str
    choices: tuple[str, ...] = ()
    default: Json = None
    secret: bool = False
    timeout: float | None = None


@record
class QuestionAnswered(Authored):
    """`answer` is None where the question was for a secret: it is handed on and not kept."""

    call: int
    answer: Json = None


@record
class StopAsked(Authored):
    """Nothing more is to be started, and what runs is to be stopped. `skip_always`: also what is
    always done last."""

    why: Why = "cancelled"
    reason: str | None = None
    rollback: bool = False
    skip_always: bool = False


@record
class RunParked:
    """All that it does is wait, and no process has it any more. `until` (seconds since 1970) is
    when it is to go on; None: once it is answered. `notebook`: what it does then may need the names
    of its notebook. `save`: its definition is to be kept when it succeeds."""

    until: float | None = None
    notebook: bool = False
    save: bool = True


@record
class RunEnded:
    status: RunStatus
    error: str | None = None
    saved: str | None = None
    outputs: Mapping[str, Json] = field(default_factory=dict)
    cut: Mapping[str, Json] = field(default_factory=dict)


RunEvent = (
    RunStarted
    | RunResumed
    | CallStarted
    | CallFinished
    | QuestionAsked
    | QuestionAnswered
    | StopAsked
    | RunParked
    | RunEnded
)


@record
class RunRecorded:
    """An event of a run in its place, as `Recorded` is one of a session."""

    position: int
    first: int
    event: RunEvent
    at: float | None = None


RUN_KINDS: Mapping[str, type[RunEvent]] = {name_of(kind): kind for kind in RunEvent.__args__}
