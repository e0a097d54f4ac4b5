"""What has happened in a run: one class per kind of event, and their names on disk.

A run is a stream of events of its own, so that a session's history does not grow with what its
runs did. The rules are those of a session's events: written once, read for ever, never refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from wfnb.core.events import Authored, Json, name_of
from wfnb.record import record

CallStatus = Literal["ok", "failed", "timed_out", "cancelled", "unknown", "skipped"]
RunStatus = Literal[
    "success", "failed", "rolled_back", "partly_rolled_back", "partial_success", "cancelled"
]
Why = Literal["cancelled", "failed", "undone"]


@record
class RunStarted(Authored):
    """`workflow` is its whole definition, so that the run needs no file. `variables` are those it
    begins with; of the `secrets` only the names are kept. A nested run is at `depth` 1 or more,
    called by the call at position `caller` of its parent. `origin` is where the definition was
    written: a session, then the notebook's cell, as far as that is known. `folder` is where its
    relative paths start, from the folder on that holds `.wfnb` (None: not known). `cut` says of the
    variables what `CallFinished.cut` says of its fields. `key` is how whoever asked for it would
    ask again: no other run of the session is begun by it."""

    workflow: Mapping[str, Json]
    variables: Mapping[str, Json] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    max_states: int = 100
    timeout: float = 1800.0
    depth: int = 0
    caller: int | None = None
    process: str | None = None
    origin: tuple[str, ...] = ()
    folder: str | None = None
    cut: Mapping[str, Json] = field(default_factory=dict)
    key: str | None = None


@record
class RunResumed(Authored):
    """The run goes on in `process`: from the action `start`, or where it was. `variables` are new
    values for some, `workflow` is the definition from here on (None: as before). `kept` are the
    calls that count as they ended though they come after what was undone.

    `cut` is as in RunStarted. `rollback`: it goes on only to undo what it did, and is left, for
    this `reason` where it had not failed. `retry`: compensations that failed are called again."""

    process: str | None = None
    start: str | None = None
    variables: Mapping[str, Json] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    workflow: Mapping[str, Json] | None = None
    kept: tuple[int, ...] = ()
    rollback: bool = False
    retry: bool = False
    reason: str | None = None
    cut: Mapping[str, Json] = field(default_factory=dict)


@record
class CallStarted:
    """A tool is about to be called: recorded before it is, so that a call whose end nobody saw can
    be told from one that was never made. `params` are as they were passed, secrets taken out.
    `undoes`: this is the compensation of the call at that position. `waited` is in seconds.
    `skipped`: it is not made, as its action's `when` does not hold, or a step that had to fail did
    not; its end follows.

    `fallback`: its action has failed, and this is what that fallback does instead.

    `items`: the action is done for each of them. No tool is called here: each item has calls of its
    own, `within` the one that began at that position, and named `ACTION[3]`. `ended` has, by item,
    the earlier call that counts for it (0: none), where a run was resumed. `cut` says of `params`
    and `items` what `CallFinished.cut` says of its fields."""

    action: str
    tool: str
    params: Mapping[str, Json] = field(default_factory=dict)
    attempt: int = 1
    waited: float = 0.0
    idempotent: bool = False
    undoes: int | None = None
    skipped: bool = False
    items: tuple[Json, ...] | None = None
    ended: tuple[int, ...] = ()
    within: int | None = None
    fallback: int | None = None
    cut: Mapping[str, Json] = field(default_factory=dict)


@record
class CallFinished:
    """How the call that began at position `call` ended, and what follows from it: `goto` is the
    state chosen, `retry` another attempt, `captured` are variables found in its text, `armed` the
    values that its compensation will use (None: it has none). `nested` is the run that it called,
    where a rollback goes into that (empty: its name is not known). What is chosen by patterns is
    kept here rather than found again: a pattern's time may run out at another time. With `fallback`
    the next attempt is what that fallback does instead.

    `cut` says which texts of the fields above are only the ends of what there was (`sizes`), and
    what only stands for a value and where that is (`marks_of`), by the field. `in_part` has the
    fields of the result in which something was looked for when the tool had cut them already."""

    call: int
    status: CallStatus
    result: Mapping[str, Json] = field(default_factory=dict)
    duration: float | None = None
    goto: str | None = None
    retry: bool = False
    fallback: int | None = None
    captured: Mapping[str, Json] = field(default_factory=dict)
    armed: Mapping[str, Json] | None = None
    nested: str | None = None
    cached: bool = False
    cut: Mapping[str, Json] = field(default_factory=dict)
    in_part: tuple[str, ...] = ()


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
