"""run, an action that has settled -> which actions are ready: the order of states, and of steps.

Theory of operation
-------------------

The plan is a few small maps in the run, which events change; it is never computed from the whole
history while the run goes on. Both forms of a workflow use the same ones:

    ready     the actions that may begin now, in order
    settled   the outcome of each action that has ended: ok, failed, timed_out, skipped
    left      steps only: how many needs of a step are not met yet
    after     steps only: which steps wait for a step

A workflow of states has one action in `ready`: the next state, or the one that failed. A workflow
of steps has all whose needs are met. When a step succeeds, `left` goes down by one for the steps
that need it; at zero they are ready. So an event costs as much as the steps that wait for it,
however large the workflow is. Where steps run side by side, a step that fails with
`on_failure: continue` is settled, and what needs it is skipped, directly or not. With `on_failure:
stop` the run gets a problem, nothing new begins, and the rollback follows (`next_action.py`).

A step may also be one that begins even if what it needs failed, or only then. Such a failure counts
as a need that is met, and that step begins though the run is failing: it is done before the
rollback. `on_failure` alone says what a failure means for the run.

What is `always` done last is in none of these maps but `settled`. It begins when nothing else is
left to do, nor to undo (`next_action.py`), also in a run that was stopped, and does not change what
is undone.

An action whose `when` does not hold is skipped, too. It has a call, which was not made, and counts
as a success: what needs it goes on, and a state goes where a success leads.

A state may be a group of steps. It has a call of its own, of no tool, that is open as long as its
steps are done, as the call of what is done for each item is. While it is open, `ready`, `left` and
`after` have its steps besides the state, and these are settled as those of a workflow of steps are;
only that a failure with `on_failure: stop` is the group's (`group_problem`), and not yet the run's.
When nothing of it is open and nothing is to begin, the call ends, with what its transitions say,
and the state is settled as any other. So all that is done is in one stream of events, with one
`armed` for the rollback, and a process that dies leaves the group open: it goes on by itself. An id
of a step names no other action, so that `settled` and results need no place for groups.

A group that comes round again begins anew. One that ended in a failure that nothing handled, was
stopped, or was undone in part goes on: what `_order` gives are the steps to which the rules of a
resume of steps apply, and `Group.over` says that the run had gone on from there. Not taken: a
nested run for each group (a history, a rollback and a resume of its own), and states for the steps
(only one is ready at a time, which is what makes a state a state).

An action that failed stays in `ready`. That is what makes a resume simple: it begins with what is
ready.

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

A state that the run comes to again is done at another *time* (`Call.time`: the call with which it
came there; all that belongs to the state has it). What is known by the name of an action is of its
newest time: attempts, rounds, what a cut off call may have done, items and calls that stand, what a
group's steps gave. It is gone on with at the same time only; where the run goes on from, it ends
(`settle`), and so at a resume for what is not gone on with.

A call whose end nobody saw (the process was killed) is `open` or `unknown`. Before a resume, a
person is asked about exactly those that would be called again and that are not marked as safe to
repeat. The functions below which take `start` and `workflow` answer such questions for a resume
that is only being considered: they change nothing.

Not taken: a topological order that is computed once (failures and rollbacks change it), and going
through all calls at each event (its cost grows with the square of the steps).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.models import (
    StatesWorkflow,
    Step,
    StepOrder,
    StepsWorkflow,
    Work,
)
from wfnb.workflows.definition.reader import Definition
from wfnb.workflows.definition.scope import CAUGHT, NESTED, following

from .events import CallFinished, CallStatus
from .run import Call, Group, Run

FAILED: tuple[CallStatus, ...] = ("failed", "timed_out")


def side_by_side(run: Run, call: Call) -> bool:
    """Whether others may run at the same time as this call's action."""
    workflow = run.workflow
    order = workflow if isinstance(workflow, StepsWorkflow) else workflow.order_of(call.action)
    return order is not None and not order.in_sequence


def width(run: Run) -> int:
    """How many actions may run at the same time; of a group, of its steps."""
    order: StepOrder | None = None
    if isinstance(run.workflow, StepsWorkflow):
        order = run.workflow
    elif run.group is not None:
        order = _group(run.calls[run.group].work)
    return 1 if order is None or order.in_sequence else order.max_parallel


def _group(work: Work) -> StepOrder:
    assert isinstance(work, StepOrder)
    return work


def begin(run: Run, order: StepOrder | None = None) -> None:
    """What a run begins with, or the steps of a group."""
    if order is None:
        if isinstance(run.workflow, StatesWorkflow):
            run.ready[run.workflow.initial_state] = None
            return
        order = run.workflow
    for step, needs in order.needs.items():
        run.left[step] = len(needs)
        for name in needs:
            run.after.setdefault(name, []).append(step)
        if not needs:
            run.ready[step] = None


def begin_group(run: Run, call: Call) -> None:
    """The steps of a group begin, with what a resume left of them. Else they are done anew: what
    they gave before is not known any more, as it would look like that of this time."""
    order, group = _group(call.work), run.groups.get(call.action)
    run.group, run.group_problem = call.id, None
    if group is None or group.over:
        run.groups[call.action] = Group(begun=call.id)
        for step in order.needs:
            run.settled.pop(step, None)
            run.rounds.pop(step, None)
            run.redo.discard(step)
            _forget_result(run, step)
    run.left.clear()
    run.after.clear()
    begin(run, order)
    _release_settled(run, order)


def _forget_result(run: Run, step: str) -> None:
    """What a step gave at an earlier time would look like what it gives at this one."""
    forget_fields(run, step)
    for name in [name for name, captor in run.captors.items() if captor == step]:
        run.captors.pop(name)
        run.captured.pop(name, None)
        run.standard.pop(name, None)


def end_group(run: Run, call: Call) -> None:
    """No step of it is to begin any more; its state is what a resume begins with. What was to be
    tried again is not: another time begins with its first attempt."""
    run.group = run.group_problem = None
    run.ready = {call.action: None}
    own = _group(call.work).needs
    run.tries = {name: tries for name, tries in run.tries.items() if base_action(name) not in own}


def enter(run: Run, call: Call) -> None:
    """A call begins: which time of its state it is of."""
    is_whole = call.within is None and not isinstance(call.work, Step)
    now = run.calls.get(run.time)
    if is_whole and (now is None or now.action != call.action):
        run.time = call.id
    call.time = run.time


def forget_resume(run: Run, action: str) -> None:
    """The next time of an action is none that a resume goes on with."""
    run.redo.discard(action)
    run.kept = [
        id
        for id in run.kept
        if run.calls[id].within is None or base_action(run.calls[id].action) != action
    ]


def _release_settled(run: Run, order: StepOrder) -> None:
    """What succeeded before a resume is not done again."""
    done = [step for step in order.needs if step in run.settled]
    for step in done:
        run.ready.pop(step, None)
    for step in done:
        if not order.needs[step]:  # the others follow from these
            release(run, step)


def settle(run: Run, call: Call) -> None:
    """The action has its outcome: what comes next, or why the run fails. An action that failed
    stays ready: a run that is resumed begins with it."""
    run.settled[call.action] = call.status  # type: ignore[assignment]
    failed = call.status not in ("ok", "skipped")
    if call.work.always:
        return
    step = call.work
    if not isinstance(step, Step):
        if call.goto is not None or not failed:
            run.ready.clear()
            run.time = 0
            if run.redo or run.kept:
                forget_resume(run, call.action)
            if call.action in run.groups:  # else it was skipped each time
                run.groups[call.action].over = True
                # What it did not come to is not of the next time.
                run.kept = [id for id in run.kept if not _is_of(run.calls[id], _group(step), 0)]
        if call.goto is not None:
            run.ready[call.goto] = None
        elif failed:
            run.problem = run.problem or failure(call)
        return
    stops = failed and step.on_failure == "stop"
    if stops and run.group is None:
        run.problem = run.problem or failure(call)
    elif stops:  # what that means for the run, the transitions of the group say
        run.group_problem = run.group_problem or failure(call)
    else:
        run.ready.pop(call.action, None)
    if failed and side_by_side(run, call):
        # One that stands, as somebody said that it was done, needs nothing any more.
        waiting = (name for name in run.after.get(call.action, ()) if name not in run.settled)
        unmet = [name for name in waiting if not _may_fail(run, name, call)]
        if not stops:
            _skip(run, unmet)
        release(run, call.action, unmet)
    elif not stops:
        release(run, call.action)


def next_always(run: Run) -> str | None:
    """What is to be done last, the first that has no outcome yet."""
    return next((name for name in run.workflow.always if name not in run.settled), None)


def always_failure(run: Run) -> str | None:
    """Why a run fails by what is always done last: after the rollback, which it does not cause."""
    for name in run.workflow.always:
        work = run.workflow.actions[name]
        may_fail = isinstance(work, Step) and work.on_failure == "continue"
        if has_failed(run, name) and not may_fail:
            return failure(next(c for c in reversed(run.calls.values()) if c.action == name))
    return None


def failure(call: Call) -> str:
    """Why a call failed, in a sentence."""
    return f"{call.action}: {_failure_reason(call)}"


def _failure_reason(call: Call) -> str:
    return call.error or ("it timed out" if call.status == "timed_out" else "it failed")


def release(run: Run, action: str, unmet: Collection[str] = ()) -> None:
    """What needed this action needs one less; but for those whose need is not met. What stands
    though something before it is done again lets go on what needs it only after that."""
    unmet = set(unmet)
    ended = [action]
    for each in ended:
        for name in run.after.get(each, ()):
            if name in unmet:
                continue
            run.left[name] -= 1
            if not run.left[name] and name in run.settled:
                ended.append(name)
            elif not run.left[name]:
                run.ready[name] = None


def _may_fail(run: Run, name: str, needed: Call) -> bool:
    """Whether a step begins also where the one that it needs has failed."""
    work = run.workflow.actions[name]
    needs = work.needs if isinstance(work, Step) else ()
    return any(need.may_fail for need in needs if need.id == needed.action)


def not_failed(run: Run, work: Work) -> list[str]:
    """The steps that had to fail for this one to be run, and did not."""
    needs = work.needs if isinstance(work, Step) else ()
    return [need.id for need in needs if need.only_if and not has_failed(run, need.id)]


def has_failed(run: Run, action: str) -> bool:
    return run.settled.get(action) in FAILED


def begins_in_failure(run: Run, action: str) -> bool:
    """Whether something that is ready begins although the run is failing. What made it fail is
    ready, too, for a resume."""
    return run.work(action).despite_failure and action not in run.settled


def _skip(run: Run, actions: Iterable[str]) -> None:
    """What needs a step that failed is not run, nor what needs that, in whichever way: it neither
    succeeded nor failed."""
    waiting = list(actions)
    while waiting:
        name = waiting.pop()
        if name not in run.settled:
            run.settled[name] = "skipped"
            waiting += run.after.get(name, ())


def resume_state(run: Run, ends: Iterable[CallFinished] = ()) -> str | None:
    """The state that a run goes on with: the first that a rollback undid, else where it failed or
    was stopped. None: it has ended, or what is left is a question of needs. `ends` of calls are
    about to be recorded."""
    if not isinstance(run.workflow, StatesWorkflow):
        return None
    ends = tuple(ends)
    undone, chosen = _ended_so(run, ends)
    first = next(iter((*_rolled_back(run, undone), *chosen, *run.ready)), None)
    return None if first is None else run.workflow.state_of(first)


def _ended_so(run: Run, ends: Iterable[CallFinished]) -> tuple[list[int | None], list[str]]:
    """The calls that these ends say are undone, and the states that they lead to."""
    # Not recorded yet, so not in `rolled`: a compensation that a person says was done.
    undone = [run.calls[end.call].undoes for end in ends if end.status == "ok"]
    return undone, [end.goto for end in ends if end.goto is not None]


def _order(
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
    undone = _undone_calls(run, _ended_so(run, ends)[0])
    if start is None and (undone[0] < group.begun if undone else group.over):
        return None, 0
    return state, group.begun


def _is_of(call: Call, order: StepOrder | None, since: int) -> bool:
    """Whether it is a call of these steps, since then."""
    return order is not None and call.id > since and base_action(call.action) in order.needs


def prepare_resume(run: Run, start: str | None, kept: Collection[int] = ()) -> None:
    """A run that ended goes on: with `start`, else `here`; steps with all that did not succeed, was
    undone, or needs what is called again, but for the calls that are `kept`."""
    order, begun = _order(run, start)
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
        if start is None and min(_undone_calls(run), default=run.time) < run.time:
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
    _release_settled(run, order)
    _forget_always(run)


def _state_begun(run: Run, start: str | None) -> int:
    """The call with which the run came to the state that it is to go on with; 0: it did not yet."""
    undone = _undone_calls(run)
    if start is None:
        return run.calls[undone[0]].time if undone else run.time
    assert isinstance(run.workflow, StatesWorkflow)
    state = run.workflow.state_of(start)
    return max((call.time for call in run.whole_calls() if call.action == state), default=0)


def _rewind_steps(run: Run, order: StepOrder, begun: int = 0) -> None:
    """The same for steps, which were done since `begun`: in sequence, as else none sets bare
    names."""
    for call in run.calls.values():
        stands = _is_of(call, order, begun) and base_action(call.action) in run.settled
        call.earlier |= call.id > begun and not stands
    newest = {c.action: c.id for c in run.whole_calls() if _is_of(c, order, begun)}
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


def forget_fields(run: Run, action: str) -> None:
    for name in run.results.pop(action, ()):
        run.specific.pop(f"{action}_{name}", None)


def _keep_settled(
    run: Run, order: StepOrder, start: str | None, kept: Collection[str] = ()
) -> None:
    """Of these steps only those stay settled that are not done again."""
    again = [*([start] if start else ()), *_rolled_back(run)]
    repeated = _built_on(order, [*again, *_after_failure(order, run.settled)]) - {*kept}
    own = {step.id for step in order.steps}
    for name, status in tuple(run.settled.items()):
        is_gone = name not in run.workflow.actions
        if is_gone or (name in own and (status != "ok" or name in repeated)):
            del run.settled[name]
            if not is_gone:
                _forget_result(run, name)


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
        return {*run.workflow.actions} - _built_on(run.workflow, [start] if start else ())
    first = next(iter(run.ready), "")
    state, group = run.workflow.states.get(first), run.groups.get(first)
    found = {*run.ready} if start is None else set()
    if state is not None and group is not None and not group.over:
        found |= {*state.needs} - _built_on(state, [start] if start else ())
    return found


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
    here = run.status == "running" and start is None and workflow is None
    order, since = _order(run, start, workflow, ends)
    first = resume_state(run, ends) if start is None else None
    wanted = {first} if first else set()
    undone_states = _rolled_back(run, _ended_so(run, ends)[0])
    if order is not None:
        undone = _rolled_back(run)
        done = {name for name, status in run.settled.items() if status in ("ok", "skipped")}
        steps = {step.id for step in order.steps} - (done - {*undone})
        steps -= _built_on(order, [start] if start else ())
        if not here:  # else it does what it did
            steps -= _built_on_others(order, [*undone, *_after_failure(order, run.settled)])
        wanted |= steps
    ended = {end.call for end in ends if end.status == "ok"}
    taken = [run.calls[id] for id in ended if run.calls[id].within is not None]
    items: dict[str, dict[str, Call]] = {}
    for id, loop in run.loops.items():  # those of several lists, each resume may have had another
        known = items.setdefault(run.calls[id].action, {})
        # A state that came round again has a new list, in which an equal item is another piece of
        # work.
        if not loop.goes_on:
            known.clear()
        call = run.calls[id]
        over = call.time != run.time and call.action not in undone_states
        # It came round again, and was cut off before its new list began.
        if (over and call.action == first) or (order is not None and id < since):
            known.clear()
            continue
        known |= {run.identity(run.calls[each]): run.calls[each] for each in loop.ended.values()}
    found = [call for name in items if name in wanted for call in items[name].values()]
    going = [loop for id, loop in run.loops.items() if here and id in run.open]
    counts = {id for loop in going for id in loop.ended.values()}
    found = [
        call
        for call in found
        if not _is_gone(run, call) and (call.status == "ok" or call.id in counts)
    ]
    return [*found, *(call for call in taken if base_action(call.action) in wanted)]


def _forget_always(run: Run) -> None:
    """What is always done last is done again after what is done now. Where that is nothing, what
    succeeded of it stands."""
    for name in run.workflow.always:
        if run.ready or run.settled.get(name) != "ok":
            run.settled.pop(name, None)


def _after_failure(order: StepOrder, settled: Mapping[str, CallStatus]) -> list[str]:
    """The steps that may have begun because another had failed. That one is called again, and what
    comes of it may be another thing."""
    return [
        step.id
        for step in order.steps
        if any(need.may_fail and settled.get(need.id) in FAILED for need in step.needs)
    ]


def _built_on(order: StepOrder, names: Iterable[str]) -> set[str]:
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
    later = set() if order is None else _built_on(order, [action]) - {action}
    stood = {
        id: base_action(run.calls[id].action)
        for id in run.armed
        if id in run.stood or run.calls[id].within in run.stood
    }
    run.armed |= {id: run.armed.pop(id) for id, name in stood.items() if name in later}


def _built_on_others(order: StepOrder, names: Iterable[str]) -> set[str]:
    """What needs one of these steps, directly or not; one of them, where it needs another."""
    names = list(names)
    found = _built_on(order, names) - set(names)
    # Taken apart for each: `names` themselves are only found if they need another one of them.
    return found | {name for name in names if name in _built_on(order, set(names) - {name})}


def repeated_calls(
    run: Run,
    calls: Iterable[Call],
    start: str | None = None,
    workflow: Definition | None = None,
) -> list[Call]:
    """Those calls whose action a run that goes on, from `start` or `here`, as this `workflow` says,
    calls again even if they have succeeded: it comes after `start`, or after what was undone, or
    was done because something had failed."""
    now, undone = workflow or run.workflow, _rolled_back(run)
    if run.status == "running" and start is None and workflow is None:
        return []  # it does what it did
    names = [*([start] if start else ()), *undone]
    order, begun = _order(run, start, workflow)
    there: Collection[str] = ()
    again: Collection[str] = ()
    others: Collection[str] = ()
    since = 0
    if isinstance(now, StatesWorkflow) and names:
        # What succeeded before the first call that was undone stands, even if its state comes
        # round again.
        since = 0 if start else _undone_since(run, now.state_of(names[0]))
        there = {*_to_come(now, names[0])} - {start, *now.group_of(start or "")}
    if order is not None:
        names += _after_failure(order, run.settled)
        again, others = _built_on(order, names) - {*undone, start}, _built_on_others(order, names)
    return [
        call
        for call in calls
        if (
            base_action(call.action) in (again if call.within is None else others)
            if _is_of(call, order, begun)
            else call.id > since and base_action(call.action) in there
        )
    ]


def _undone_since(run: Run, state: str) -> int:
    """The first call that was undone; of a group that begins anew, the one that began it."""
    first = next(iter(_undone_calls(run)), 0)
    begun = (call.id for call in run.calls.values() if call.work.is_group and call.action == state)
    return max((id for id in begun if id < first), default=first)


def standing(run: Run, start: str | None = None, workflow: Definition | None = None) -> list[Call]:
    """The calls that succeeded, were not undone, or in part only, and are made again all the same,
    as they come after one that was, or after a failure. Not what comes after `start`, which
    somebody named to have it done again."""
    done = [call for call in _whole_or_items(run) if call.status == "ok"]
    done = [call for call in done if not is_undone(run, call)]
    order, begun = _order(run, start, workflow)
    by_states = isinstance(run.workflow, StatesWorkflow) and start is None
    found = [call for call in done if by_states and not _is_of(call, order, begun)]
    newest = {
        call.action: call
        for call in done
        if _is_of(call, order, begun)
        and (call.within is not None or run.settled.get(call.action) == "ok")
    }
    repeated = repeated_calls(run, [*found, *newest.values()], start, workflow)
    rolled = () if start and not by_states else _undone_calls(run)
    partly = [run.calls[id] for id in rolled if is_undone_in_part(run, run.calls[id])]
    found = list({call.id: call for call in (*partly, *repeated)}.values())
    wanted = _built_on(order, [start]) if start and order is not None else ()
    return [call for call in found if base_action(call.action) not in wanted]


def _whole_or_items(run: Run) -> Iterator[Call]:
    """The calls of actions in order. Of what is done for each item and has not succeeded as a
    whole, or was undone in part, those of its items."""
    whole = {
        id
        for id, loop in run.loops.items()
        if run.calls[id].status == "ok"
        and not any(_is_gone(run, run.calls[call]) for call in loop.ended.values())
    }
    for call in run.forward_calls():
        is_part = call.within is not None and call.within in whole
        if not is_part and (not call.gathers or call.id in whole):
            yield call


def asked_about(calls: Iterable[Call]) -> list[Call]:
    """Those calls that may not be made again unasked. A nested run that ended is begun anew: only
    its action can say that this may be."""
    return [
        call
        for call in calls
        if not (call.work.idempotent if call.tool == NESTED else call.idempotent)
    ]


def stands(run: Run, action: str) -> Call | None:
    """The call that stands for the next one of this action. Items have their own (`ended`)."""
    kept = (run.calls[id] for id in run.kept)
    return next((call for call in kept if call.within is None and call.action == action), None)


def standing_after(run: Run) -> str:
    """What was before the calls that are `standing`, in words."""
    undone = next(iter(_undone_calls(run)), None)
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
    from `start` or `here`, as this `workflow` says. One that was undone since is none."""
    unknown = (run.calls[id] for id in run.unsure.values())
    found = [call for call in unknown if call.status == "unknown" and not is_undone(run, call)]
    now = workflow or run.workflow
    again = {*_to_come(now, start or resume_state(run)), *now.always} if found else set()
    still = [call for call in run.open.values() if not call.gathers]
    if takes_up(run, start, workflow):
        still = []
    return [*still, *(c for c in found if base_action(c.action) in again)]


def takes_up(run: Run, start: str | None, workflow: Definition | None) -> bool:
    """Whether a run that goes on so takes up the waits that it was parked with: its calls are open
    still, and nothing else was done."""
    return run.parked and run.stop is None and start is None and workflow is None


def cut_off_before(run: Run, call: int, at_any_time: bool = False) -> set[int]:
    """The calls right before that one, of its action or item, whose end nobody saw, and which
    stand: of the same time, which it goes on with; or `at_any_time`."""
    found: set[int] = set()
    if not run.resumed:
        return found
    this, time = run.identity(run.calls[call]), run.calls[call].time
    for before in reversed(run.calls.values()):
        if before.undoes is None and before.id < call and run.identity(before) == this:
            is_other = before.time != time and not at_any_time
            if is_other or before.status != "unknown" or is_undone(run, before):
                break
            found.add(before.id)
    return found


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
    here = run.status == "running" and start is None and workflow is None
    problem = run.problem or run.group_problem
    failing = problem is not None and not begins_in_failure(run, action)
    if here and (failing or run.stop is not None):
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
    found: set[str] = set()
    first = workflow.state_of(first or "")
    waiting = [first] if first in workflow.states else []
    while waiting:
        name = waiting.pop()
        # States may lead in a circle.
        if name not in found:
            found |= {name, *workflow.group_of(name)}
            waiting += following(workflow.states[name])
    return found


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
    found: dict[str, bool] = {}
    for call in map(run.calls.__getitem__, run.kept):
        action = base_action(call.action)
        if call.within is not None and action in run.workflow.actions:
            is_other = _is_other(run.workflow.actions[action], call)
            found[action] = found.get(action, False) or is_other
    return found


def _is_other(work: Work, call: Call) -> bool:
    """Whether a call was one of another action than this."""
    of_item = call.within is not None
    if call.fallback is None:
        return _does(work, of_item) != _does(call.work, of_item)
    # The call was made by a fallback; a mended definition may have fewer of them.
    there = call.fallback < len(work.on_error)
    return not there or _does(work.instead(call.fallback), of_item) != _does(call.work, of_item)


def _does(work: Work, of_item: bool) -> dict[str, Any]:
    # Another description is no other work, and the steps of a group are told for themselves; and an
    # item that was done stays done in a longer list.
    ignored = {"description", "steps", *(("for_each",) if of_item else ())}
    return work.model_dump(exclude=ignored, exclude_defaults=True)


def _rolled_back(run: Run, undone: Iterable[int | None] = ()) -> list[str]:
    """The actions that a rollback undid, in order, those of the calls `undone` among them."""
    ids = _undone_calls(run, undone)
    return list(dict.fromkeys(base_action(run.calls[id].action) for id in ids))


def _undone_calls(run: Run, undone: Iterable[int | None] = ()) -> list[int]:
    ids = {id for id in run.rolled if _is_gone(run, run.calls[id])}
    ids |= {id for id in undone if id is not None}
    ids = {id for id in ids if not run.calls[id].earlier}
    # An item that stands for one of a later list was done, for what came after, with that list.
    of = {id: list for list, loop in run.loops.items() for id in loop.ended.values()} if ids else {}
    return sorted(ids, key=lambda id: (max(id, of.get(id, 0)), id))


def is_undone(run: Run, call: Call) -> bool:
    """Whether what a call did was undone since."""
    undoing = None if call.undone_by is None else run.calls[call.undone_by]
    if undoing is None or undoing.status != "ok":
        return False
    # The compensation of a nested run may find nothing to undo, and succeeds all the same.
    return call.nested is None or bool(undoing.result.get("undone"))


def is_undone_in_part(run: Run, call: Call) -> bool:
    """Whether only some of what a nested run did was undone since: it neither stands nor is gone,
    and a resume asks what to do about it."""
    undoing = run.calls.get(call.undone_by or 0)
    return call.nested is not None and undoing is not None and bool(undoing.result.get("in_part"))


def _is_gone(run: Run, call: Call) -> bool:
    """Whether what a call did is not there any more, or not all of it: it is done again."""
    return is_undone(run, call) or is_undone_in_part(run, call)


def bypassed_calls(run: Run, start: str | None) -> list[int]:
    """The calls that were undone and come before what the run is to go on from: their states are
    not done again."""
    undone = _undone_calls(run)
    if start is None or not undone or not isinstance(run.workflow, StatesWorkflow):
        return []
    of, state = run.workflow.state_of, run.workflow.state_of(start)
    own = (call.id for call in run.calls.values() if of(base_action(call.action)) == state)
    first = next((id for id in own if id >= undone[0]), run.position)
    return [id for id in undone if id < first]


def undone_below(run: Run) -> list[str]:
    """The actions that were undone, bypassed, and not done since: what came after them was done on
    nothing."""
    undone = {base_action(run.calls[id].action): id for id in sorted(run.bypassed)}
    done = (call for call in run.whole_calls() if call.status in ("ok", "skipped"))
    last = {call.action: call.id for call in done} if undone else {}
    return [name for name, id in undone.items() if last.get(name, 0) <= id]


def perhaps_done(run: Run) -> list[Call]:
    """The calls that were stopped or cut off and that a rollback would undo had they been done: it
    leaves them, for nobody knows whether they were."""
    calls = (run.calls[id] for id in run.unsure.values() if id not in run.armed)
    return [
        call
        for call in calls
        if (call.work.compensation is not None or call.nested) and not is_undone(run, call)
    ]


def not_undone_text(run: Run) -> str:
    """What could not be undone, in order, and why; then what was perhaps done, and was left."""
    calls = [run.calls[id] for id in reversed(run.stuck)]
    undoing = (run.calls[call.undone_by] for call in calls if call.undone_by is not None)
    failed = [
        f"{call.action} ({_failure_reason(call).strip().splitlines()[0]})" for call in undoing
    ]
    unknown = [f"{call.action} (unknown whether it was done)" for call in perhaps_done(run)]
    return ", ".join([*failed, *unknown])
