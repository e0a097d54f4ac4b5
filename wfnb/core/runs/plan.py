"""run, an action that has settled -> which actions are ready: the order of states, and of steps.

Both forms keep `run.ready`. A workflow of states has one there: the state that is next, or the one
that failed. A workflow of steps has those whose needs are met; an event costs as much as the steps
that wait for it, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable

from wfnb.workflow.models import StatesWorkflow, Step

from .run import Call, Run


def side_by_side(run: Run) -> bool:
    """Whether actions may run at the same time."""
    return not isinstance(run.workflow, StatesWorkflow) and not run.workflow.in_sequence


def width(run: Run) -> int:
    """How many actions may run at the same time."""
    workflow = run.workflow
    if isinstance(workflow, StatesWorkflow) or workflow.in_sequence:
        return 1
    return workflow.max_parallel


def begin(run: Run) -> None:
    """What a run begins with."""
    if isinstance(run.workflow, StatesWorkflow):
        run.ready[run.workflow.initial_state] = None
        return
    for step, needs in run.workflow.needs.items():
        run.left[step] = len(needs)
        for name in needs:
            run.after.setdefault(name, []).append(step)
        if not needs:
            run.ready[step] = None


def settle(run: Run, call: Call) -> None:
    """The action has its outcome: what comes next, or why the run fails. An action that failed
    stays ready: a run that is resumed begins with it."""
    run.settled[call.action] = call.status  # type: ignore[assignment]
    failed = call.status != "ok"
    if isinstance(run.workflow, StatesWorkflow):
        if call.goto is not None or not failed:
            run.ready.clear()
        if call.goto is not None:
            run.ready[call.goto] = None
        elif failed:
            run.problem = run.problem or failure(call)
        return
    step = run.work(call.action)
    assert isinstance(step, Step)
    if failed and step.on_failure == "stop":
        run.problem = run.problem or failure(call)
        return
    run.ready.pop(call.action, None)
    if failed and side_by_side(run):
        _skip(run, run.after.get(call.action, ()))
    else:
        release(run, call.action)


def failure(call: Call) -> str:
    """Why a call failed, in a sentence."""
    said = call.error or ("it timed out" if call.status == "timed_out" else "it failed")
    return f"{call.action}: {said}"


def release(run: Run, action: str) -> None:
    """What needed this action needs one less."""
    for name in run.after.get(action, ()):
        run.left[name] -= 1
        if not run.left[name] and name not in run.settled:
            run.ready[name] = None


def _skip(run: Run, actions: Iterable[str]) -> None:
    """What needs a step that failed is not run, nor what needs that."""
    waiting = list(actions)
    while waiting:
        name = waiting.pop()
        if name not in run.settled:
            run.settled[name] = "skipped"
            waiting += run.after.get(name, ())


def again(run: Run, start: str | None) -> None:
    """A run that ended goes on: with `start`; else with the first action that a rollback undid;
    else where it failed or was stopped."""
    undone = [run.calls[id].action for id in sorted(run.rolled) if _undone(run, id)]
    if isinstance(run.workflow, StatesWorkflow):
        first = start or (undone[0] if undone else None)
        if first is not None:
            run.ready = {first: None}
        return
    repeated = {start} if start else set()
    repeated |= set(undone)
    waiting = list(repeated)
    while waiting:  # what was built on it, too
        for name in run.after.get(waiting.pop(), ()):
            if name not in repeated:
                repeated.add(name)
                waiting.append(name)
    kept = {
        name: status
        for name, status in run.settled.items()
        if name not in repeated and status == "ok"
    }
    run.settled.clear()
    run.ready.clear()
    run.left.clear()
    run.after.clear()
    begin(run)
    for name, status in kept.items():
        run.settled[name] = status
        run.ready.pop(name, None)
    for name in kept:
        release(run, name)


def _undone(run: Run, id: int) -> bool:
    by = run.calls[id].undone_by
    return by is not None and run.calls[by].status == "ok"
