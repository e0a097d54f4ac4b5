"""The state of one run: what was called, what came back, and what may be called now."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wfnb.core.events import Json
from wfnb.parked_run_owner import parked_until
from wfnb.workflows.definition.absent_fields import NO_FAILURE, AskedResult
from wfnb.workflows.definition.for_each import base_action, place
from wfnb.workflows.definition.models import StatesWorkflow, StepsWorkflow, Work
from wfnb.workflows.definition.outputs import output_values

from .events import CallStatus, QuestionAsked, RunParked, RunStatus, StopAsked

UNSEEN: tuple[CallStatus, ...] = ("unknown", "cancelled", "timed_out")
"""How a call ended that did not come to an end of its own: it may have been done."""


@dataclass(slots=True)
class Call:
    """One attempt at an action."""

    id: int
    """The position of the event that began it."""
    action: str
    work: Work = field(repr=False)
    """What the action was then, which a mended definition may not have any more."""
    tool: str
    params: Mapping[str, Json]
    attempt: int
    idempotent: bool
    undoes: int | None
    """The call that this one compensates."""
    waited: float
    started: float | None
    """By the journal's clock, in seconds since 1970, as `ended`."""
    status: CallStatus | Literal["running"] = "running"
    result: Mapping[str, Json] = field(default_factory=dict)
    duration: float | None = None
    ended: float | None = None
    retried: bool = False
    cached: bool = False
    goto: str | None = None
    undone_by: int | None = None
    """The call that compensates this one."""
    nested: str | None = None
    """The run that it called, where a rollback goes into that."""
    in_part: tuple[str, ...] = ()
    unsure: bool = False
    """Whether it may have been done though it failed: `CallFinished.unsure`."""
    fallback: int | None = None
    """This is what that fallback does instead of an action that failed."""
    caught: int = 0
    """The call that failed, where this is a fallback."""
    captured: Mapping[str, Json] = field(default_factory=dict)
    items: tuple[Json, ...] | None = None
    """Those that it is done for: it is the call for all of them."""
    within: int | None = None
    """The call for all items that this one is for one of."""
    gathers: bool = False
    """Whether it calls no tool, and ends when its items have, or the steps of its group."""
    enters: bool = False
    """Whether it counts as one that the run came to."""
    time: int = 0
    """The call with which the run came to its state, so that calls of one time can be told from
    those of the next; 0 where each action has one time."""
    stands_for: int = 0
    """The earlier call that counts in its place."""
    earlier: bool = False
    """Whether a resume went back to before it: its action is to be done again anyway, so where it
    is undone later that does not say where to go on."""
    overlaid: dict[str, tuple[Json, ...]] = field(default_factory=dict, repr=False)
    """The bare names that its result set, each with its value before and who had captured that
    (none: there was no such name)."""

    @property
    def error(self) -> str | None:
        return None if self.status == "ok" else error_text(self.result)


@dataclass(slots=True)
class Loop:
    """An action that is done for each of its items. Items are known by their places."""

    keys: tuple[str, ...]
    """Tell each item from the others, in other lists too."""
    goes_on: bool
    """Whether it is an earlier list that a resume goes on with, and no new round of states."""
    width: int
    tolerated: int
    ended: dict[int, int]
    """The call that counts, by item."""
    next: int = 0
    """The first that was not begun."""
    failed: int = 0
    open: set[int] = field(default_factory=set)
    """Those that are being called."""
    again: dict[int, None] = field(default_factory=dict)
    """Those that wait for another attempt."""

    @property
    def is_over(self) -> bool:
        """Whether no item is to be begun any more: all have ended, or too many have failed."""
        return self.failed > self.tolerated or len(self.ended) == len(self.keys)

    @property
    def calls(self) -> list[int | None]:
        """For each item the call that counts; None: it has none."""
        return [self.ended.get(place) for place in range(len(self.keys))]


@dataclass(slots=True)
class Group:
    """The last time that the steps of a state were done: `begun` is the call that began it, also
    where a resume went on with it. `over`: the run has gone on, and the next time is another."""

    begun: int
    over: bool = False


@dataclass(slots=True)
class Tries:
    """Attempts of an action since it was last begun: `failed` is how many failed in a row, and
    `spent` the seconds they took. Of one that is repeated, `rounds` is how many succeeded, and
    `before` how many attempts there were up to the last of these. `caught` is the call that has
    failed for good, where the next attempt is what a `fallback` does instead."""

    failed: int = 0
    spent: float = 0.0
    rounds: int = 0
    before: int = 0
    fallback: int | None = None
    caught: int = 0

    @property
    def attempt(self) -> int:
        """The number of the next one."""
        return self.before + self.failed + 1


@dataclass(slots=True)
class Run:
    """All of it. Times are the journal's."""

    workflow: StatesWorkflow | StepsWorkflow
    position: int = 0
    status: RunStatus | Literal["running"] = "running"
    error: str | None = None
    saved: str | None = None
    process: str | None = None
    started: float | None = None
    begun: float | None = None
    """When its time limit began to count."""
    ended: float | None = None
    resumed: int = 0
    depth: int = 0
    caller: int | None = None
    origin: tuple[str, ...] = ()
    folder: str | None = None
    max_states: int = 100
    timeout: float = 1800.0
    secrets: tuple[str, ...] = ()
    initial: dict[str, Json] = field(default_factory=dict)
    standard: dict[str, Json] = field(default_factory=dict)
    specific: dict[str, Json] = field(default_factory=dict)
    captured: dict[str, Json] = field(default_factory=dict)
    captors: dict[str, str] = field(default_factory=dict)
    """By name, the action that captured what is known of it."""
    given: dict[str, int] = field(default_factory=dict)
    """By name, the event that gave it a value by hand."""
    results: dict[str, Mapping[str, Json]] = field(default_factory=dict)
    calls: dict[int, Call] = field(default_factory=dict)
    open: dict[int, Call] = field(default_factory=dict)
    loops: dict[int, Loop] = field(default_factory=dict)
    """What is done for each item, by its call."""
    redo: set[str] = field(default_factory=set)
    """The actions that a resume goes on with."""
    ready: dict[str, None] = field(default_factory=dict)
    """The actions that may be called, in order: the state that is next; the steps that need nothing
    more."""
    left: dict[str, int] = field(default_factory=dict)
    after: dict[str, list[str]] = field(default_factory=dict)
    tries: dict[str, Tries] = field(default_factory=dict)
    armed: dict[int, Mapping[str, Json]] = field(default_factory=dict)
    """The calls that a rollback would undo, in order of success, and the values that their
    compensations use."""
    stuck: dict[int, Mapping[str, Json]] = field(default_factory=dict)
    """Those whose compensation failed, the last first: a run that goes on arms them again."""
    perhaps: dict[int, None] = field(default_factory=dict)
    """The calls that were stopped or cut off, and may have been done, but for those that were done
    again since: then what undoes that undoes both."""
    rounds: dict[str, int] = field(default_factory=dict)
    """By action, the last round that succeeded of one that is repeated and has not come to its end,
    also in an earlier performance of the run: the next one is undone in its place."""
    rolled: list[int] = field(default_factory=list)
    """The calls that this rollback has come to."""
    kept: list[int] = field(default_factory=list)
    """The calls that stand for the next one of their state, or of their item."""
    stood: list[int] = field(default_factory=list)
    """The calls of steps of which a person said, when the run was resumed last, that they stand."""
    settled: dict[str, CallStatus] = field(default_factory=dict)
    questions: dict[int, QuestionAsked] = field(default_factory=dict)
    answers: dict[int, Json] = field(default_factory=dict)
    entered: int = 0
    outputs: Mapping[str, Json] = field(default_factory=dict)
    last: int | None = None
    problem: str | None = None
    """Why the run will fail."""
    groups: dict[str, Group] = field(default_factory=dict)
    """All groups, by their states."""
    group: int | None = None
    """The call of the group of steps that is being done."""
    group_problem: str | None = None
    """Why that group will fail: its transitions may handle that."""
    time: int = 0
    """The call with which it came to the state that it is in; 0: it has gone on from there."""
    bypassed: list[int] = field(default_factory=list)
    """Calls that were undone, and that somebody had it go on from behind of (`--from`)."""
    planned: tuple[int, tuple[Any, ...]] = (0, ())
    """What is to be done at a position, worked out once."""
    stop: StopAsked | None = None
    """That it was asked to stop."""
    last_parked: RunParked | None = None
    """How it was parked last."""
    mended: bool = False
    """Whether its definition is not the one it began with."""
    lost: bool = field(default=False, compare=False)
    """Whether it has not ended, and its process is gone. The journal does not say so: whoever opens
    a run looks (wfnb/workflows/run_log.py)."""

    @property
    def scope(self) -> Mapping[str, Any]:
        """What a placeholder can name: fields of one action before those of the last, and both
        before what the run began with."""
        return self._scope(self.results)

    def scope_of(
        self, action: str, within: int | None = None, asked: bool = False
    ) -> Mapping[str, Any]:
        """The same at an action, or at an item of it `within` that call; `asked`: for an
        expression. Where that action is always done last, any other may not have come to its end:
        it did not succeed, then."""
        results: Mapping[str, Any] = self.results
        if self.work(action).always:
            results = {name: {"success": False} for name in self.workflow.actions} | self.results
        # Only an expression may ask for a field of a failure that did not happen; a placeholder is
        # refused.
        scopes = [self._scope(Outcomes(results) if asked else results)]
        tries = self.tries.get(action)
        if tries is not None and tries.fallback is not None:
            caught = self.calls[tries.caught]
            scopes.append(self.own_names(caught, NO_FAILURE | dict(caught.result), caught.captured))
        if within is not None:
            scopes.append(self.item(action, within))
        return ChainMap(*reversed(scopes))

    def own_names(
        self, call: Call, result: Mapping[str, Json], captured: Mapping[str, Json]
    ) -> dict[str, Any]:
        """What an action's own result can be named by, once its call has ended."""
        action = base_action(call.action)
        own = {f"{action}_{name}": value for name, value in result.items()}
        steps = ChainMap({action: result}, self.results)
        # Later names win: what could be mistaken for a field of the result is put last.
        named = {"steps": steps, action: result, **result, **captured, **own, "result": result}
        return named if call.within is None else named | self.item(call.action, call.within)

    def identity(self, call: Call) -> str:
        """What a call is of: an action, or an item of it wherever that stands in a list."""
        if call.within is None:
            return call.action
        return f"{base_action(call.action)} {self.loops[call.within].keys[place(call.action)]}"

    def item(self, action: str, within: int) -> dict[str, Json]:
        """What an item of an action can name besides: itself, and its place."""
        index = place(action)
        return {"item": (self.calls[within].items or ())[index], "index": index}

    def _scope(self, results: Mapping[str, Any]) -> Mapping[str, Any]:
        return ChainMap(
            self.specific,
            self.standard,
            self.initial,
            {"steps": results},
            results,  # type: ignore[arg-type]
        )

    def output_values(self) -> dict[str, Json]:
        """What it hands on, when all its actions have ended. Raises BadOutput."""
        if not self.workflow.outputs:
            return {}
        scope = self._scope(Outcomes(self.results))
        return output_values(self.workflow.outputs, scope, self.secrets)

    @property
    def variables(self) -> dict[str, Json]:
        """All variables by name, as they are now."""
        return {**self.initial, **self.standard, **self.specific}

    @property
    def parked(self) -> bool:
        """Whether it waits in no process."""
        return self.status == "running" and parked_until(self.process) is not None

    @property
    def has_effects(self) -> bool:
        """Whether a rollback has something to undo, or left something that it could not undo."""
        return bool(self.armed or self.stuck)

    @property
    def final_state(self) -> str | None:
        """The action that was called last, of those that are not always done last."""
        return None if self.last is None else self.calls[self.last].action

    def work(self, action: str, undoes: int | None = None) -> Work:
        """What an action is or, where a mended definition has it no more, what it was. For the
        compensation of the call `undoes`: what that was a call of."""
        if undoes is not None:
            return self.calls[undoes].work
        actions = self.workflow.actions
        found = actions.get(action) or actions.get(action := base_action(action))
        if found is not None:
            return found
        # The newest call: an action may have been mended twice before it was dropped.
        return next(call.work for call in reversed(self.calls.values()) if call.action == action)

    def next_work(self, action: str) -> Work:
        """What an action is when it is called next: itself, or what a fallback does instead."""
        tries = self.tries.get(action)
        fallback = None if tries is None else tries.fallback
        return self.work(action) if fallback is None else self.work(action).instead(fallback)

    def calling(self) -> set[str]:
        """Actions that are being called now; without their items."""
        forward = (call for call in self.open.values() if call.undoes is None)
        return {call.action for call in forward if call.within is None}

    def forward_calls(self) -> Iterator[Call]:
        """The calls in order, without compensations."""
        return (call for call in self.calls.values() if call.undoes is None)

    def whole_calls(self) -> Iterator[Call]:
        """The calls of actions in order, without those of single items."""
        return (call for call in self.forward_calls() if call.within is None)


def error_text(result: Mapping[str, Json]) -> str | None:
    """Why a call failed that has this result, where that is known."""
    said, missed = result.get("error"), result.get("missed")
    if isinstance(missed, str):
        failed = "it timed out" if result.get("timeout_occurred") else "it failed"
        return f"{failed if said is None else said}: {missed}"
    return None if said is None else str(said)


class Outcomes(Mapping[str, Mapping[str, Any]]):
    """Results by action, as an expression reads them: with the fields that only a failure has."""

    def __init__(self, results: Mapping[str, Mapping[str, Any]]) -> None:
        self._results = results

    def __getitem__(self, action: str) -> Mapping[str, Any]:
        # At each access and not for all at once: an expression names few of many results.
        return AskedResult(NO_FAILURE | dict(self._results[action]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)


def tries_of(action: str, undoes: int | None = None) -> str:
    """The name under which attempts are counted: a compensation has its own."""
    return action if undoes is None else f"{action}~{undoes}"
