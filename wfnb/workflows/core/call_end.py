"""run, an ended call -> what follows from it: another attempt, the next state, what is captured."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from wfnb.core.events import Json
from wfnb.errors import Refused, listing
from wfnb.workflows.definition.absent_fields import (
    NO_FAILURE,
    OUTCOME_UNKNOWN,
    STILL_RUNNING,
    AbsentFields,
    AskedResult,
)
from wfnb.workflows.definition.condition import (
    Condition,
    condition_captures,
    holds,
    looked_at,
)
from wfnb.workflows.definition.condition import pattern_captures as groups
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.impossible_conditions import of_call, of_end, of_fallbacks
from wfnb.workflows.definition.models import Compensation, Retry, State, Work
from wfnb.workflows.definition.scope import (
    CAPTURES,
    CAUGHT,
    NESTED,
    SKIPPED,
    captures,
)
from wfnb.workflows.definition.template import fill, holds_text, used_scope
from wfnb.workflows.definition.truncation import marks_of, shorten_value

from .commands import FinishCall
from .events import CallFinished, CallStatus
from .next_action import rolls_back, skips_always
from .ready_actions import FAILED
from .run import UNSEEN, Call, Outcomes, Run, Tries, error_text, tries_of


def end_event(run: Run, call: Call, ended: FinishCall, again: bool = True) -> CallFinished:
    """The event of a call's end. `again`: whether another attempt may help at all."""
    work, of_action = call.work, call.undoes is None
    result = {"success": True, **ended.result}
    if result.get("timeout_occurred"):
        result["success"] = False
    # A tool that was stopped but ended well was quicker than the stop: it did its work, and that
    # may have to be undone.
    stopped = ended.stopped and not (ended.result.get("success") and result["success"])
    did: CallStatus = "cancelled" if stopped else status_of(result)
    status, retry, fallback = did, False, None
    if of_action and status == "ok":
        status, retry = ("ok", False) if ended.taken else _repeats(run, call, result)
    elif again and status in FAILED:
        try:
            retry = _tries_again(run, call, ended)
        # Where a condition cannot be decided, not to call is what does nothing twice.
        except Refused as refusal:
            result = _with_missed(result, f"it was not tried again: {refusal}")
    if of_action and not retry and status in FAILED:
        try:
            fallback = _fallback(run, call, result)
        except Refused as refusal:
            result = _with_missed(result, f"it was not handled: {refusal}")
        retry = fallback is not None
    written = None if fallback is None else work.on_error[fallback].result
    own = result
    if written is not None:
        status, result = _given_result(run, call, written, result)
        retry, fallback = False, None
    elif of_action and (work.on_error or call.fallback is not None):
        caught = None if call.fallback is None else error_text(run.calls[call.caught].result)
        result = {CAUGHT: caught, **result}
    if work.may_be_skipped and of_action:
        result = {SKIPPED: False, **result}
    goto: str | None = None
    captured: dict[str, Json] = {}
    if status != "cancelled" and not retry and call.undoes is None:
        try:
            captured = _call_captures(work, result)
            goto, found = _next_state(run, call, status, result)
            captured |= found
        except Refused as refusal:  # of what was asked: the action did what it did
            goto = None
            status, result = _undecided(status, result, refusal)
    result = shorten_value(result, base_action(call.action))
    captured = shorten_value(captured, base_action(call.action))
    armed = None
    if not retry or fallback is not None or did == "ok":
        own = result if written is None else shorten_value(own, base_action(call.action))
        armed = _armed(run, call, work, did, own, captured)
    nested = None if work.always else ended.nested
    nested = nested if armed is None else None  # its own compensation undoes all of it
    armed = {} if nested is not None else armed
    return CallFinished(
        call=call.id,
        status=status,
        unsure=did != "ok" and (_is_cut_off(ended) or (did in UNSEEN and status != did)),
        result=result,
        duration=ended.duration,
        goto=goto,
        retry=retry,
        fallback=fallback,
        captured=captured,
        armed=armed,
        nested=nested,
        cached=ended.cached,
        cut=marks_of(result=result, captured=captured, armed=armed),
        did=did == "ok" and status == "failed",
    )


def _undecided(
    status: CallStatus, result: dict[str, Json], refusal: Refused
) -> tuple[CallStatus, dict[str, Json]]:
    """How a call counts of which nobody knows what follows from it: what made it fail before stays
    the reason."""
    if status not in FAILED:
        return "failed", {**result, "success": False, "error": str(refusal)}
    return status, _with_missed(result, f"what follows from it is not known: {refusal}")


def _with_missed(result: dict[str, Json], why: str) -> dict[str, Json]:
    """The result of a failure that says beside its reason what could not be done about it."""
    missed = result.get("missed")
    return {**result, "missed": f"{missed}; {why}" if isinstance(missed, str) else why}


def _is_cut_off(ended: FinishCall) -> bool:
    """Whether a call that failed did not come to its own end, so that it has not said that it did
    nothing, though nobody stopped it."""
    return ended.goes_on or ended.unsure or ended.result.get(OUTCOME_UNKNOWN) is True


def gather_event(run: Run, call: Call, seconds: float | None) -> CallFinished:
    """The event of the end of a group of steps, or of what was done for each item."""
    gather = _gather_steps if call.work.is_group else _gather_items
    status, result, whole = gather(run, call)
    goto: str | None = None
    captured: dict[str, Json] = {}
    # What had not ended gives no whole, so that no condition is asked of it.
    if status != "cancelled":
        try:
            goto, captured = _next_state(run, call, status, whole)
        except Refused as refusal:
            status, result = _undecided(status, result, refusal)
    return CallFinished(
        call=call.id,
        status=status,
        result=result,
        duration=seconds,
        goto=goto,
        captured=captured,
    )


Gathered = tuple[CallStatus, dict[str, Json], dict[str, Json]]
"""How what consists of several calls ended, its result, and that for conditions."""


def _gather_steps(run: Run, call: Call) -> Gathered:
    """Of a group: what its steps gave is named by their ids."""
    order = call.work
    assert isinstance(order, State)
    settled = [run.settled.get(step) for step in order.needs]
    failed = [each for each in settled if each in FAILED]
    result: dict[str, Json] = {"success": True, "count": len(settled), "failed": len(failed)}
    if call.work.may_be_skipped:
        result = {SKIPPED: False, **result}
    status: CallStatus = "ok"
    if run.group_problem is not None:
        status = "timed_out" if {*failed} == {"timed_out"} else "failed"
        result |= {"success": False, "error": run.group_problem}
        result |= {"timeout_occurred": True} if status == "timed_out" else {}
    elif None in settled:
        ended = len(settled) - settled.count(None)
        stopped = f"it was stopped when {ended} of {len(settled)} steps had ended"
        return "cancelled", result | {"success": False, "error": stopped}, {}
    return status, result, result


def _gather_items(run: Run, call: Call) -> Gathered:
    """What the items gave is not in it: it is
    put together from their calls (apply.py), and so it is for the conditions that are asked here.
    """
    loop = run.loops[call.id]
    calls = [None if id is None else run.calls[id] for id in loop.calls]
    failed = [each for each in calls if each is not None and each.status in FAILED]
    result: dict[str, Json] = {"success": True, "count": len(calls), "failed": len(failed)}
    if call.work.may_be_skipped:
        result = {SKIPPED: False, **result}
    status: CallStatus = "ok"
    if loop.failed > loop.tolerated:
        status = "failed"
        said = f"{failed[0].action}: {failed[0].error or 'it failed'}"
        result |= {
            "success": False,
            "error": f"{len(failed)} of {len(calls)} items failed: {said}",
        }
        # A retry or a fallback may ask for time outs: then all of the failures have to be such.
        if all(each.status == "timed_out" for each in failed):
            status = "timed_out"
            result["timeout_occurred"] = True
    elif not loop.is_over:
        stopped = f"it was stopped when {len(loop.ended)} of {len(calls)} items had ended"
        return "cancelled", result | {"success": False, "error": stopped}, {}
    return status, result, {**result, "results": [each and each.result for each in calls]}


def skipped_event(run: Run, call: Call) -> CallFinished:
    """The event of a call that was not made: its `when` does not hold, or what it needs did not
    fail. What comes next is chosen by a success that gave nothing else. Where a condition asks for
    something else, it has failed."""
    result = {"success": True, SKIPPED: True}
    try:
        goto, _ = _next_state(run, call, "ok", result)
    except Refused as refusal:
        error = f"it was skipped, and then: {refusal}"
        return CallFinished(
            call=call.id, status="failed", result={"success": False, "error": error}
        )
    return CallFinished(call=call.id, status="skipped", result=result, goto=goto)


def unseen_end_event(run: Run, call: Call, done: bool) -> CallFinished:
    """The event of a call's end that nobody saw. `done`: it is taken to have succeeded. What is
    done for each item is begun anew, with those that are left."""
    result: dict[str, Json]
    if call.gathers:
        result = {"success": False, "error": "its process has ended"}
        return CallFinished(call=call.id, status="unknown", result=result, retry=True)
    is_nested = call.tool == NESTED and call.undoes is None and not call.work.always
    if done:
        result = {"success": True, "taken_as_done": True}
        taken = FinishCall(call=call.id, result=result, taken=True)
        return end_event(run, call, replace(taken, nested="" if is_nested else None))
    result = {"success": False, "error": "nobody saw its end"}
    armed = _armed(run, call, call.work, "unknown", result, {})
    nested = "" if armed is None and is_nested else None
    armed = {} if nested is not None else armed
    return CallFinished(
        call=call.id,
        status="unknown",
        result=result,
        retry=True,
        armed=armed,
        nested=nested,
        cut=marks_of(armed=armed),
    )


def is_asked_of(run: Run, call: Call, result: Mapping[str, Json], text: str) -> bool:
    """Whether something that is asked of a call's result, to go on by it, is asked of this text."""
    asked = [each for each, _ in (*of_call(call.work, ()), *of_fallbacks(call.work, ()))]
    asked += [each for each, _ in of_end(call.work, ())]
    own = run.own_names(call, result, {}) | {"result": result.get("result", result)}
    seen = looked_at(asked, call.work.capture, result, ChainMap(own, run.scope))  # type: ignore[arg-type]
    with suppress(Refused):  # it is said where it is asked
        return any(holds_text(value, text) for value in seen)
    return False


def not_captured(run: Run, name: str) -> str:
    """Why there is nothing of that name: the actions that were performed, and whose patterns would
    have captured it."""
    first = name.partition(".")[0]
    tried = [
        action
        for action, result in run.results.items()
        if first in captures(run.work(action)) or first in (result.get(CAPTURES) or ())
    ]
    if not tried:
        return ""
    return f"no pattern of {listing(map(repr, tried), '')} that captures it was found"


def status_of(result: Mapping[str, Json]) -> CallStatus:
    """A wait that ran out has timed out, whatever its tool says of its success."""
    if result.get("timeout_occurred"):
        return "timed_out"
    return "ok" if result.get("success", True) else "failed"


def _tries_again(run: Run, call: Call, ended: FinishCall) -> bool:
    """Whether the retry rules want another attempt at this failure."""
    work = call.work
    if call.undoes is not None and run.calls[call.undoes].nested is not None:
        return False  # its own compensations were tried again as they say
    rules = work.retry if call.undoes is None else _compensation(work).retry
    tries = run.tries.get(tries_of(call.action, call.undoes), Tries())
    if tries.failed >= rules.attempts or _forward_is_over(run, call):
        return False
    if ended.goes_on and not call.idempotent:
        return False  # it would be done twice, at the same time
    spent = tries.spent + (ended.duration or 0.0) + rules.bounds(tries.failed + 1)[0]
    if rules.max_total is not None and spent >= rules.max_total:
        return False
    return _allows_retry(run, call, rules, ended.result)


def _fallback(run: Run, call: Call, result: dict[str, Json]) -> int | None:
    """The first fallback of a failure that nothing tries again, of those whose condition holds.
    Raises Refused where one cannot be decided."""
    is_whole = call.work.for_each is not None and call.within is None  # they are for its items
    if is_whole or _forward_is_over(run, call):
        return None
    scope = partial(_condition_scope, run, call, result)
    for n, each in enumerate(call.work.on_error):
        if each.when is None or holds(each.when, result, scope, run.secrets):
            return n
    return None


def _repeats(run: Run, call: Call, result: dict[str, Json]) -> tuple[CallStatus, bool]:
    """How a success counts that may be one of many, and whether another one is to follow."""
    repeat = call.work.repeat
    if repeat is None:
        return "ok", False
    try:
        scope = partial(_condition_scope, run, call, result)
        if holds(repeat.until, result, scope, run.secrets):
            return "ok", False
        error = f"`until` did not hold after {repeat.at_most} times"
    except Refused as refusal:
        error = str(refusal)
    else:
        tries = run.tries.get(tries_of(call.action), Tries())
        if tries.rounds + 1 < repeat.at_most and not _forward_is_over(run, call):
            return "ok", True
    result |= {"success": False, "error": error}
    return "failed", False


def _given_result(
    run: Run, call: Call, written: Mapping[str, Json], failed: Mapping[str, Json]
) -> tuple[CallStatus, dict[str, Json]]:
    """What stands in a definition for the result of a call that failed, and how it counts."""
    why = error_text(failed) or "it failed"
    scope = ChainMap(run.own_names(call, NO_FAILURE | dict(failed), {}), run.scope)  # type: ignore[arg-type]
    try:
        result = fill(written, scope, frozenset(run.secrets))
    except Refused as refusal:
        return "failed", {"success": False, "error": str(refusal), CAUGHT: why}
    at_work = {STILL_RUNNING: True} if failed.get(STILL_RUNNING) is True else {}
    return "ok", {**result, **at_work, "success": True, CAUGHT: why}


def _forward_is_over(run: Run, call: Call) -> bool:
    """Where the run has failed already, nothing is tried again but compensations, and what begins
    all the same."""
    if call.undoes is not None:
        return run.stop is not None and not rolls_back(run)
    if call.work.always:
        return skips_always(run)
    problem = run.problem or run.group_problem
    return run.stop is not None or (problem is not None and not call.work.despite_failure)


def _allows_retry(run: Run, call: Call, rules: Retry, result: Mapping[str, Json]) -> bool:
    """Raises Refused where a condition cannot be decided."""
    scope = partial(_condition_scope, run, call, result)
    if rules.when is not None and not holds(rules.when, result, scope, run.secrets):
        return False
    return rules.unless is None or not holds(rules.unless, result, scope, run.secrets)


def _compensation(work: Work) -> Compensation:
    assert work.compensation is not None
    return work.compensation


def _call_captures(work: Work, result: Mapping[str, Json]) -> dict[str, Json]:
    """Named groups of the action's own patterns, and of the tool's."""
    found: dict[str, Json] = {}
    own = result.get(CAPTURES)
    if isinstance(own, Mapping):
        # A group that took no part is none: as nothing it would be an empty word in a command.
        found |= {str(name): value for name, value in own.items() if value is not None}
    # The action's own patterns come second, and win over the tool's of the same name.
    if work.capture:
        found |= groups(work.capture, result)
    return found


def _next_state(
    run: Run, call: Call, status: CallStatus, result: Mapping[str, Json]
) -> tuple[str | None, dict[str, Json]]:
    """The next state, and what the pattern that chose it captured."""
    work = call.work
    if not isinstance(work, State) or call.within is not None:
        return None, {}
    # Before the transitions: their conditions were written for a result, and there is none.
    if status == "timed_out" and work.on_timeout is not None:
        return work.on_timeout, {}
    scope = partial(_condition_scope, run, call, result)
    for transition in work.transitions:
        if holds(transition.condition, result, scope, run.secrets):
            return transition.next_state, condition_captures(transition.condition, result)
    return None, {}


def _armed(
    run: Run,
    call: Call,
    work: Work,
    status: CallStatus,
    result: Mapping[str, Json],
    captured: Mapping[str, Json],
) -> dict[str, Any] | None:
    """The values that a compensation of this call will use, as they are now; None: there is
    nothing to undo. What was stopped, and what nobody saw end, has failed and may be done."""
    effective = status == "ok" or work.compensate_on_failure
    if call.undoes is not None or work.compensation is None or not effective:
        return None
    scope = ChainMap(run.own_names(call, result, captured), run.scope)  # type: ignore[arg-type]
    return used_scope(dict(work.compensation.params), scope)


def _condition_scope(
    run: Run, call: Call, result: Mapping[str, Json], asked: Condition
) -> Mapping[str, Any]:
    """What an expression in a condition can name. A plain name is never a field of another action,
    nor of an earlier call: a call that failed or was skipped may have no such field, and that one
    would be taken for its own."""
    captured = _call_captures(call.work, result) | condition_captures(asked, result)
    own = run.own_names(call, AskedResult(NO_FAILURE | dict(result)), captured)
    own["result"] = result.get("result", result)
    results: Mapping[str, Any] = run.results
    if isinstance(call.work, State) and call.work.is_group:  # a step may not have come to its end
        results = {step: {"success": False} for step in call.work.needs} | run.results
        # A step may be called as a field of the result: that is the group's own by its name alone.
        own = {name: value for name, value in own.items() if name not in call.work.needs}
        own["steps"] = ChainMap({call.action: result}, results)
    earlier = {f"{call.action}_{name}" for name in run.results.get(call.action, ())}
    earlier |= {name for name, captor in run.captors.items() if captor == base_action(call.action)}
    return ChainMap(
        {**own, "steps": Outcomes(own["steps"])},
        {"attempt": call.attempt},
        {name: value for name, value in run.specific.items() if name not in earlier},
        {name: value for name, value in run.captured.items() if name not in earlier},
        run.initial,
        Outcomes(results),  # type: ignore[arg-type]
        AbsentFields(result),  # type: ignore[arg-type]
    )
