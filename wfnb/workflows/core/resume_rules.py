"""run that ended, where it goes on -> the run as that begins: what stands, what is done again.

Resume. A run that ended goes on like this:

 * states: with the state that somebody named, else the first that the rollback undid, else the one
   that is ready. The calls before it stand. In a group: with the steps as below.
 * steps: everything is set to the beginning. Then the steps that succeeded are settled again, but
   for those that were undone or named, or were done because of a failure, and for all that need
   one of these, directly or not. Of these a person may say that one was done: it stands, and what
   needs it still waits for what stands before it in the order, and is done again.

Example: a → b → c, and c failed and was rolled back together with b. `a` is settled; `b` and `c`
run again. If only `c` failed and nothing was undone, only `c` runs again.

What is done for each item of a list is one action in these maps. Its items are counted in a `Loop`
of its own (run.py), so that 10,000 of them cost the others nothing. A resume makes the list anew.
An item that ended well, and was not undone, is not called again: `ended_items` finds it, and it
counts for the item of the new list that has the same value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.models import (
    StatesWorkflow,
    StepOrder,
    StepsWorkflow,
)
from wfnb.workflows.definition.reader import Definition
from wfnb.workflows.definition.scope import CAUGHT

from .events import CallFinished, CallStatus
from .ready_actions import (
    FAILED,
    begin,
    forget_fields,
    forget_result,
    is_of_order,
    release_settled,
)
from .rollback_state import is_undone, rolled_back, undone_calls
from .run import Call, Run


def resume_state(run: Run, ends: Iterable[CallFinished] = ()) -> str | None:
    """The state that a run goes on with: the first that a rollback undid, else where it failed or
    was stopped. None: it has ended, or what is left is a question of needs. `ends` of calls are
    about to be recorded."""
    if not isinstance(run.workflow, StatesWorkflow):
        return None
    ends = tuple(ends)
    undone, chosen = ended_so(run, ends)
    first = next(iter((*rolled_back(run, undone), *chosen, *run.ready)), None)
    return None if first is None else run.workflow.state_of(first)


def ended_so(run: Run, ends: Iterable[CallFinished]) -> tuple[list[int | None], list[str]]:
    """The calls that these ends say are undone, and the states that they lead to."""
    # Not recorded yet, so not in `rolled`: a compensation that a person says was done.
    undone = [run.calls[end.call].undoes for end in ends if end.status == "ok"]
    return undone, [end.goto for end in ends if end.goto is not None]


def order_gone_on_with(
    run: Run,
    start: str | None,
    workflow: Definition | None = None,
    ends: Collection[CallFinished] = (),
) -> tuple[StepOrder | None, int]:
    """The steps that a run which goes on so does again in part, and the call since which they were
    done: all of a workflow of steps; the group that it goes on with, unless that begins anew, as
    one does that is named by its state, or of which an earlier time was undone."""
    now = workflow or run.workflow
    if not isinstance(now, StatesWorkflow):
        return now, 0
    first = resume_state(run, ends) if start is None else now.state_of(start)
    state, group = now.states.get(first or ""), run.groups.get(first or "")
    if state is None or group is None or not state.is_group or start == first:
        return None, 0
    undone = undone_calls(run, ended_so(run, ends)[0])
    if start is None and (undone[0] < group.begun if undone else group.over):
        return None, 0
    return state, group.begun


def prepare_resume(run: Run, start: str | None, kept: Collection[int] = ()) -> None:
    """A run that ended goes on: with `start`, else `here`; steps with all that did not succeed, was
    undone, or needs what is called again, but for the calls that are `kept`."""
    order, begun = order_gone_on_with(run, start)
    if isinstance(run.workflow, StatesWorkflow):
        since = _state_begun(run, start) if order is None else 0
        _rewind(run, since)
        _rewind_results(run, since)
        # `start` says where to begin, so an earlier "was done" of a person does not hold any
        # more. What it did not come to yet stands as it did, unless it was undone since.
        before = () if start else (id for id in run.kept if not is_undone(run, run.calls[id]))
        run.kept = list(dict.fromkeys((*before, *kept)))
        first = resume_state(run) if start is None else run.workflow.state_of(start)
        if first is not None:
            run.ready = {first: None}
        if start is None and min(undone_calls(run), default=run.time) < run.time:
            run.time = 0  # it begins again with an earlier time of its states
        for name, group in run.groups.items():  # the run comes to all others anew
            group.over = order is None or name != first
        if first in run.groups and order is None:
            run.time = 0
        if order is not None:
            run.stood = [*kept]
            _keep_settled(run, order, start)
            _rewind_steps(run, order, begun)
        for call in run.calls.values():
            call.earlier |= 0 < since <= call.id
        _forget_always(run)
        return
    assert order is not None
    run.stood = [*kept]
    # A person said that these need not be repeated, which is stronger than the order.
    _keep_settled(run, order, start, {run.calls[id].action for id in kept})
    _rewind_steps(run, order)
    for each in (run.ready, run.left, run.after):
        each.clear()
    begin(run)
    release_settled(run, order)
    _forget_always(run)


def _state_begun(run: Run, start: str | None) -> int:
    """The call with which the run came to the state that it is to go on with; 0: it did not yet."""
    undone = undone_calls(run)
    if start is None:
        return run.calls[undone[0]].time if undone else run.time
    assert isinstance(run.workflow, StatesWorkflow)
    state = run.workflow.state_of(start)
    return max((call.time for call in run.whole_calls() if call.action == state), default=0)


def _rewind_steps(run: Run, order: StepOrder, begun: int = 0) -> None:
    """The same for steps, which were done since `begun`: in sequence, as else none sets bare
    names."""
    for call in run.calls.values():
        stands = is_of_order(call, order, begun) and base_action(call.action) in run.settled
        call.earlier |= call.id > begun and not stands
    newest = {c.action: c.id for c in run.whole_calls() if is_of_order(c, order, begun)}
    again = [id for step, id in newest.items() if step not in run.settled]
    _rewind(run, min(again) if again and order.in_sequence else 0, {*newest} & {*run.settled})


def _rewind(run: Run, since: int, stand: Collection[str] = ()) -> None:
    """Bare names are what they were when that call began: what is done again is given the same as
    then. What was given by hand since stays, and what steps gave that `stand`."""
    stays: set[str] = set()
    for call in reversed([*run.whole_calls()] if since else []):
        if call.id < since:
            break
        if call.action in stand:
            stays |= call.overlaid.keys()
            continue
        for name, before in call.overlaid.items():
            if name in stays or run.given.get(name, 0) > call.id:
                continue
            for known in (run.standard, run.captured, run.captors):
                known.pop(name, None)
            if before:
                value, captor = before
                run.standard[name] = value
                if captor is not None:
                    run.captured[name], run.captors[name] = value, str(captor)
        call.overlaid = {}


def _rewind_results(run: Run, since: int) -> None:
    """What actions gave is what they had given when that call began. It goes on from there, perhaps
    another way: what was undone, or came of that, would look like what is there."""
    calls = [*run.forward_calls()] if since else []
    again = {call.action for call in calls if call.id >= since}
    for call in (call for call in calls if call.action in again):
        run.results.pop(call.action, None)
        for name in call.result:  # of each time: fields that a later one has not stay known
            run.specific.pop(f"{call.action}_{name}", None)
    for call in calls:
        if call.id < since and call.action in again and call.status not in ("cancelled", "unknown"):
            if call.status == "skipped" or CAUGHT in call.result:
                forget_fields(run, call.action)
            run.specific |= {f"{call.action}_{name}": item for name, item in call.result.items()}
            run.results[call.action] = call.result


def _keep_settled(
    run: Run, order: StepOrder, start: str | None, kept: Collection[str] = ()
) -> None:
    """Of these steps only those stay settled that are not done again."""
    again = [*([start] if start else ()), *rolled_back(run)]
    repeated = built_on(order, [*again, *after_failure(order, run.settled)]) - {*kept}
    own = {step.id for step in order.steps}
    for name, status in tuple(run.settled.items()):
        is_gone = name not in run.workflow.actions
        if is_gone or (name in own and (status != "ok" or name in repeated)):
            del run.settled[name]
            if not is_gone:
                forget_result(run, name)


def keep_items(run: Run, kept: Iterable[int]) -> None:
    """Those of the `kept` calls that are items count for the next list that has them. Those of an
    earlier resume do no more: they may be undone."""
    whole = [id for id in run.kept if run.calls[id].within is None]
    items = (id for id in kept if run.calls[id].within is not None)
    run.kept = list(dict.fromkeys((*whole, *items)))


def resumed_actions(run: Run, start: str | None) -> set[str]:
    """The actions that a run which goes on does again, and not anew: not `start`, which somebody
    named, nor what it comes to later by its states."""
    if not isinstance(run.workflow, StatesWorkflow):
        return {*run.workflow.actions} - built_on(run.workflow, [start] if start else ())
    first = next(iter(run.ready), "")
    state, group = run.workflow.states.get(first), run.groups.get(first)
    found = {*run.ready} if start is None else set()
    if state is not None and group is not None and not group.over:
        found |= {*state.needs} - built_on(state, [start] if start else ())
    return found


def _forget_always(run: Run) -> None:
    """What is always done last is done again after what is done now. Where that is nothing, what
    succeeded of it stands."""
    for name in run.workflow.always:
        if run.ready or run.settled.get(name) != "ok":
            run.settled.pop(name, None)


def after_failure(order: StepOrder, settled: Mapping[str, CallStatus]) -> list[str]:
    """The steps that may have begun because, or although, another had failed. That one is called
    again, and what comes of it may be another thing. In sequence that is also what comes right
    after one whose failure does not stop the run."""
    failed = {step.id for step in order.steps if settled.get(step.id) in FAILED}
    passed = {step.id for step in order.steps if step.on_failure == "continue"} & failed
    before = order.needs if order.in_sequence else {}
    return [
        step.id
        for step in order.steps
        if any(need.may_fail and need.id in failed for need in step.needs)
        or not passed.isdisjoint(before.get(step.id, ()))
    ]


def built_on(order: StepOrder, names: Iterable[str]) -> set[str]:
    """These steps, and all that need them, or what needs them."""
    found = set(names)
    after: dict[str, list[str]] = {}
    for step, needs in order.needs.items():
        for name in needs:
            after.setdefault(name, []).append(step)
    waiting = list(found)
    while waiting:
        new = [name for name in after.get(waiting.pop(), ()) if name not in found]
        found.update(new)
        waiting += new
    return found


def undo_stood_first(run: Run, call: Call) -> None:
    """What stands, as a person said, is undone before what it comes after, which was done again."""
    action, workflow = base_action(call.action), run.workflow
    order = workflow if isinstance(workflow, StepsWorkflow) else workflow.order_of(action)
    later = set() if order is None else built_on(order, [action]) - {action}
    stood = {
        id: base_action(run.calls[id].action)
        for id in run.armed
        if id in run.stood or run.calls[id].within in run.stood
    }
    run.armed |= {id: run.armed.pop(id) for id, name in stood.items() if name in later}


def built_on_others(order: StepOrder, names: Iterable[str]) -> set[str]:
    """What needs one of these steps, directly or not; one of them, where it needs another."""
    names = list(names)
    found = built_on(order, names) - set(names)
    # Taken apart for each: `names` themselves are only found if they need another one of them.
    return found | {name for name in names if name in built_on(order, set(names) - {name})}
