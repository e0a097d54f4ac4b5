"""run, a resume that is only considered -> what it would call, skip and ask about: nothing changes.

A call whose end nobody saw (the process was killed) is `open` or `unknown`. Before a resume, a
person is asked about exactly those that would be called again and that are not marked as safe to
repeat.

The functions that take `start` and `workflow` answer for a resume that nobody has asked for yet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.json_equality import indistinguishable
from wfnb.workflows.definition.models import StatesWorkflow, Work
from wfnb.workflows.definition.reader import Definition
from wfnb.workflows.definition.scope import NESTED, following

from .events import CallFinished
from .ready_actions import FAILED, begins_in_failure, has_failed, is_of_order
from .resume_rules import (
    after_failure,
    built_on,
    built_on_others,
    ended_so,
    order_gone_on_with,
    resume_state,
)
from .rollback_state import (
    is_gone,
    is_undone,
    is_undone_in_part,
    perhaps_done,
    rolled_back,
    undone_calls,
    undone_since,
)
from .run import Call, Run

_LEFT = ("unknown", "cancelled")
"""How a call of a nested run ended that goes on where the call is made again."""


def ended_items(
    run: Run,
    start: str | None = None,
    workflow: Definition | None = None,
    ends: Collection[CallFinished] = (),
) -> list[Call]:
    """The items that have ended, of actions which a run that goes on begins with: they are not
    called again. Those that succeeded, and were not undone; where the run goes on right where it
    was, also those of the list that is being done which failed, or were skipped. Else not those of
    `start`, nor of what comes after what was undone, about which is asked (`standing`). `ends` of
    calls are about to be recorded."""
    in_place = _is_here(run, start, workflow)
    order, since = order_gone_on_with(run, start, workflow, ends)
    first = resume_state(run, ends) if start is None else None
    wanted = {first} if first else set()
    undone_states = rolled_back(run, ended_so(run, ends)[0])
    if order is not None:
        undone = rolled_back(run)
        done = {name for name, status in run.settled.items() if status in ("ok", "skipped")}
        steps = {step.id for step in order.steps} - (done - {*undone})
        steps -= built_on(order, [start] if start else ())
        if not in_place:  # else it does what it did
            steps -= built_on_others(order, [*undone, *after_failure(order, run.settled)])
        wanted |= steps
    ended = {end.call for end in ends if end.status == "ok"}
    taken = [run.calls[id] for id in ended if run.calls[id].within is not None]
    items: dict[str, dict[str, Call]] = {}
    for id, loop in run.loops.items():  # those of several lists, each resume may have had another
        of_action = items.setdefault(run.calls[id].action, {})
        # A state that came round again has a new list, in which an equal item is another piece of
        # work.
        if not loop.goes_on:
            of_action.clear()
        call = run.calls[id]
        over = call.time != run.time and call.action not in undone_states
        # It came round again, and was cut off before its new list began.
        if (over and call.action == first) or (order is not None and id < since):
            of_action.clear()
            continue
        of_action |= {
            run.identity(run.calls[each]): run.calls[each] for each in loop.ended.values()
        }
    items_ended = [call for name in items if name in wanted for call in items[name].values()]
    going = [loop for id, loop in run.loops.items() if in_place and id in run.open]
    counts = {id for loop in going for id in loop.ended.values()}
    items_ended = [
        call
        for call in items_ended
        if not is_gone(run, call) and (call.status == "ok" or call.id in counts)
    ]
    return [*items_ended, *(call for call in taken if base_action(call.action) in wanted)]


def _is_here(run: Run, start: str | None, workflow: Definition | None) -> bool:
    """Whether a run goes on right where its process left it, in a rollback, too."""
    return run.status == "running" and start is None and workflow is None


def repeated_calls(
    run: Run,
    calls: Iterable[Call],
    start: str | None = None,
    workflow: Definition | None = None,
) -> list[Call]:
    """Those calls whose action a run that goes on, from `start` or `here`, as this `workflow` says,
    calls again even if they have succeeded: it comes after `start`, or after what was undone, or
    was done because something had failed."""
    now, undone = workflow or run.workflow, rolled_back(run)
    if _is_here(run, start, workflow):
        return []  # it does what it did
    names = [*([start] if start else ()), *undone]
    order, begun = order_gone_on_with(run, start, workflow)
    there: Collection[str] = ()
    again: Collection[str] = ()
    others: Collection[str] = ()
    since = 0
    if isinstance(now, StatesWorkflow) and names:
        # What succeeded before the first call that was undone stands, even if its state comes
        # round again.
        since = 0 if start else undone_since(run, now.state_of(names[0]))
        there = {*_to_come(now, names[0])} - {start, *now.group_of(start or "")}
    if order is not None:
        names += after_failure(order, run.settled)
        again, others = built_on(order, names) - {*undone, start}, built_on_others(order, names)
    return [
        call
        for call in calls
        if (
            base_action(call.action) in (again if call.within is None else others)
            if is_of_order(call, order, begun)
            else call.id > since and base_action(call.action) in there
        )
    ]


def standing(run: Run, start: str | None = None, workflow: Definition | None = None) -> list[Call]:
    """The calls that succeeded, were not undone, or in part only, and are made again all the same,
    as they come after one that was, or after a failure. Not what comes after `start`, which
    somebody named to have it done again."""
    done = [call for call in _whole_or_items(run) if call.status == "ok"]
    done = [call for call in done if not is_undone(run, call)]
    order, begun = order_gone_on_with(run, start, workflow)
    by_states = isinstance(run.workflow, StatesWorkflow) and start is None
    stood = [call for call in done if by_states and not is_of_order(call, order, begun)]
    newest = {
        call.action: call
        for call in done
        if is_of_order(call, order, begun)
        and (call.within is not None or run.settled.get(call.action) == "ok")
    }
    repeated = repeated_calls(run, [*stood, *newest.values()], start, workflow)
    anew = not (_is_here(run, start, workflow) or (start and not by_states))
    rolled = undone_calls(run) if anew else ()
    calls = map(run.calls.__getitem__, rolled)
    partly = [c for c in calls if is_undone_in_part(run, c) and c.id not in run.perhaps]
    stood = list({call.id: call for call in (*partly, *repeated)}.values())
    wanted = built_on(order, [start]) if start and order is not None else ()
    return [call for call in stood if base_action(call.action) not in wanted]


def _whole_or_items(run: Run) -> Iterator[Call]:
    """The calls of actions in order. Of what is done for each item and has not succeeded as a
    whole, or was undone in part, those of its items."""
    whole = {
        id
        for id, loop in run.loops.items()
        if run.calls[id].status == "ok"
        and not any(is_gone(run, run.calls[call]) for call in loop.ended.values())
    }
    for call in run.forward_calls():
        is_part = call.within is not None and call.within in whole
        if not is_part and (not call.gathers or call.id in whole):
            yield call


def left_done(run: Run) -> list[Call]:
    """What a run that was rolled back, or failed, has done and not undone, and what may not be
    done twice: all of it would be, if the run is begun anew."""
    done = (call for call in _whole_or_items(run) if call.status == "ok" and not call.cached)
    return asked_about(
        call for call in done if is_undone_in_part(run, call) or not is_undone(run, call)
    )


def asked_about(calls: Iterable[Call]) -> list[Call]:
    """Those calls that may not be made again unasked. A nested run that ended is begun anew: only
    its action can say that this may be."""
    return [
        call
        for call in calls
        if not (call.work.idempotent if call.tool == NESTED else call.idempotent)
    ]


def standing_after(run: Run) -> str:
    """What was before the calls that are `standing`, in words."""
    undone = next(iter(undone_calls(run)), None)
    if undone is not None:
        call = run.calls[undone]
        in_part = is_undone_in_part(run, call)
        return "what was undone" if in_part else f"{base_action(call.action)}, which was undone"
    failed = next((name for name in run.settled if has_failed(run, name)), "another")
    return f"{failed}, which failed"


def unseen_calls(
    run: Run, start: str | None = None, workflow: Definition | None = None
) -> list[Call]:
    """The calls whose end nobody saw, and whose action may be called again by a run that goes on,
    from `start` or `here`, as this `workflow` says. One that was undone since is none; one that was
    stopped, or ran out of time, is one if it should have been undone."""
    left = {call.id for call in perhaps_done(run)}
    unknown = (run.calls[id] for id in run.perhaps)
    unseen = [
        call
        for call in unknown
        if (call.status == "unknown" or call.unsure or call.id in left)
        and not is_undone(run, call)
        and (call.status == "unknown" or not _is_past(run, call))
    ]
    now = workflow or run.workflow
    again = {*_to_come(now, start or resume_state(run)), *now.always} if unseen else set()
    still = [call for call in run.open.values() if not call.gathers]
    anew = {run.identity(call) for call in still}
    if takes_up(run, start, workflow):
        still = []
    unseen = [call for call in unseen if run.identity(call) not in anew]
    return [*still, *(c for c in unseen if base_action(c.action) in again)]


def nested_going_on(run: Run, start: str | None, workflow: Definition | None) -> set[int]:
    """The calls of nested runs that were stopped and stand, or failed, and are made again by a run
    that goes on so: these runs go on."""
    perhaps = (run.calls[id] for id in run.perhaps)
    ids = {c.id for c in perhaps if c.status == "cancelled" and c.nested and not is_gone(run, c)}
    newest = {run.identity(call): call for call in run.forward_calls() if call.tool == NESTED}
    for call in newest.values():
        if call.status in FAILED:  # what began it may be an earlier call that failed, too
            ids |= {call.id, *cut_off_before(run, call.id, stopped=True)}
    return {id for id in ids if goes_on(run, run.calls[id].action, start, workflow)}


def _is_past(run: Run, call: Call) -> bool:
    """Whether its action has succeeded all the same, by a fallback, or the run went on from it."""
    this = run.identity(call)
    since = (later for later in run.forward_calls() if later.id >= call.id)
    return any(
        run.identity(later) == this and (later.status == "ok" or later.goto is not None)
        for later in since
    )


def not_repeatable(run: Run, calls: Iterable[Call]) -> list[Call]:
    """Those of the `unseen_calls` that may not be made again unasked. A nested run that was stopped
    or cut off goes on, and its own calls are asked about; another one is begun anew."""
    nested = (call for call in calls if call.tool == NESTED and not is_gone(run, call))
    going = [call for call in nested if call.id in run.open or call.status in _LEFT]
    ended = [call for call in calls if call not in going]
    return [*(call for call in going if not call.idempotent), *asked_about(ended)]


def takes_up(run: Run, start: str | None, workflow: Definition | None) -> bool:
    """Whether a run that goes on so takes up the waits that it was parked with: its calls are open
    still, and nothing else was done."""
    return run.parked and run.stop is None and start is None and workflow is None


def cut_off_before(
    run: Run, call: int, at_any_time: bool = False, stopped: bool = False
) -> set[int]:
    """The calls right before that one, of its action or item, whose end nobody saw, and which
    stand: of the same time, which it goes on with; or `at_any_time`. `stopped`: also those that
    were stopped, as the run was cancelled, or had failed before it was resumed."""
    statuses = _LEFT if stopped else ("unknown",)
    ids: set[int] = set()
    if not run.resumed:
        return ids
    this, time = run.identity(run.calls[call]), run.calls[call].time
    for before in reversed(run.calls.values()):
        if before.undoes is None and before.id < call and run.identity(before) == this:
            is_other = before.time != time and not at_any_time
            failed = stopped and before.id < run.resumed and before.status in FAILED
            if is_other or not (failed or (before.status in statuses and not is_gone(run, before))):
                break
            ids.add(before.id)
    return ids


def outputs_beside(run: Run, call: int) -> Iterator[str]:
    """The files that calls of other actions and items gave as their `output`, which stand."""
    own, tool = run.identity(run.calls[call]), run.calls[call].tool
    for other in run.forward_calls():
        if other.tool == tool and run.identity(other) != own:
            yield str(other.result.get("output"))


def begun_at(run: Run, call: int) -> float | None:
    """When the call began or, where it takes up what was cut off, when that did."""
    before = cut_off_before(run, call) if run.calls[call].undoes is None else ()
    begun = (run.calls[id].started for id in (call, *before))
    return min((at for at in begun if at is not None), default=None)


def goes_on(
    run: Run, action: str, start: str | None = None, workflow: Definition | None = None
) -> bool:
    """Whether a run that goes on, from `start` or where it stopped, as this `workflow` says, may
    call an action that has not succeeded: not where it is failing, or being stopped."""
    action = base_action(action)
    if action in (workflow or run.workflow).always:
        return not (run.stop is not None and run.stop.skip_always)
    in_place = _is_here(run, start, workflow)
    problem = run.problem or run.group_problem
    failing = problem is not None and not begins_in_failure(run, action)
    if in_place and (failing or run.stop is not None):
        return False
    return action in _to_come(workflow or run.workflow, start or resume_state(run))


def still_to_call(run: Run) -> set[str]:
    """The actions that may be called from here on. States may come round again."""
    workflow = run.workflow
    if isinstance(workflow, StatesWorkflow):
        return {*_to_come(workflow, resume_state(run)), *workflow.always}
    return {*workflow.actions} - {*run.settled}


def _to_come(workflow: Definition, first: str | None) -> Collection[str]:
    if not isinstance(workflow, StatesWorkflow):
        return workflow.actions
    reached: set[str] = set()
    first = workflow.state_of(first or "")
    waiting = [first] if first in workflow.states else []
    while waiting:
        name = waiting.pop()
        # States may lead in a circle.
        if name not in reached:
            reached |= {name, *workflow.group_of(name)}
            waiting += following(workflow.states[name])
    return reached


def outdated_actions(run: Run) -> list[str]:
    """The actions whose success is kept, and which are defined otherwise now."""
    done = {call.action: call for call in run.whole_calls() if call.status == "ok"}
    return [
        name
        for name, work in run.workflow.actions.items()
        if run.settled.get(name) == "ok" and name not in run.ready and name in done
        if _is_other(work, done[name])
    ]


def with_kept_items(run: Run) -> dict[str, bool]:
    """The actions of which items that succeeded are kept, each with whether one of these is defined
    otherwise now. Which list they stand in does not matter."""
    differs: dict[str, bool] = {}
    for call in map(run.calls.__getitem__, run.kept):
        action = base_action(call.action)
        if call.within is not None and action in run.workflow.actions:
            is_other = _is_other(run.workflow.actions[action], call)
            differs[action] = differs.get(action, False) or is_other
    return differs


def _is_other(work: Work, call: Call) -> bool:
    """Whether a call was one of another action than this."""
    of_item = call.within is not None
    if call.fallback is None:
        return not indistinguishable(_does(work, of_item), _does(call.work, of_item))
    # The call was made by a fallback; a mended definition may have fewer of them.
    exists = call.fallback < len(work.on_error)
    did = _does(call.work, of_item)
    return not exists or not indistinguishable(_does(work.instead(call.fallback), of_item), did)


def _does(work: Work, of_item: bool) -> dict[str, Any]:
    # Another description is no other work, and the steps of a group are told for themselves; and an
    # item that was done stays done in a longer list.
    ignored = {"description", "steps", *(("for_each",) if of_item else ())}
    return work.model_dump(exclude=ignored, exclude_defaults=True)
