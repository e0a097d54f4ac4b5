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

A state that the run comes to again is done at another *time* (`Call.time`: the call with which it
came there; all that belongs to the state has it). What is known by the name of an action is of its
newest time: attempts, rounds, what a cut off call may have done, items and calls that stand, what a
group's steps gave. It is gone on with at the same time only; where the run goes on from, it ends
(`settle`), and so at a resume for what is not gone on with.

Not taken: a topological order that is computed once (failures and rollbacks change it), and going
through all calls at each event (its cost grows with the square of the steps).

What a resume changes in these maps is in `resume_rules.py`, what may be asked about one beforehand
in `resume_queries.py`, and what of a run was rolled back in `rollback_state.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.models import (
    StatesWorkflow,
    Step,
    StepOrder,
    StepsWorkflow,
    Work,
)

from .events import CallStatus
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
            forget_result(run, step)
    run.left.clear()
    run.after.clear()
    begin(run, order)
    release_settled(run, order)


def forget_result(run: Run, step: str) -> None:
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


def release_settled(run: Run, order: StepOrder) -> None:
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
                order = _group(step)
                run.kept = [id for id in run.kept if not is_of_order(run.calls[id], order, 0)]
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
    return f"{call.action}: {failure_reason(call)}"


def failure_reason(call: Call) -> str:
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


def is_of_order(call: Call, order: StepOrder | None, since: int) -> bool:
    """Whether it is a call of these steps, since then."""
    return order is not None and call.id > since and base_action(call.action) in order.needs


def forget_fields(run: Run, action: str) -> None:
    for name in run.results.pop(action, ()):
        run.specific.pop(f"{action}_{name}", None)


def stands(run: Run, action: str) -> Call | None:
    """The call that stands for the next one of this action. Items have their own (`ended`)."""
    kept = (run.calls[id] for id in run.kept)
    return next((call for call in kept if call.within is None and call.action == action), None)
