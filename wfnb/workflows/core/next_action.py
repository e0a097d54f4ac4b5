"""run -> what is to be done now: calls, compensations, stops, or the end.

No clock and no randomness: a wait is a pair of bounds in seconds, drawn by who waits. Asked again
before anything was done, it says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, islice

from wfnb.core.events import Json
from wfnb.errors import BadOutput, listing
from wfnb.frozen_record import record
from wfnb.workflows.definition.for_each import item_name
from wfnb.workflows.definition.models import StatesWorkflow, Step, Work
from wfnb.workflows.definition.scope import CAUGHT, NESTED

from . import ready_actions, rollback_state
from .events import CallStatus, RunStatus
from .run import Call, Run, tries_of
from .unhandled_failures import unhandled_failures

CANCELLED = "it was cancelled"


@record
class Start:
    """Call this action's tool, after a wait between these bounds (seconds)."""

    action: str
    attempt: int = 1
    wait: tuple[float, float] = (0.0, 0.0)


@record
class Undo:
    """Call the compensation of this call."""

    call: int
    attempt: int = 1
    wait: tuple[float, float] = (0.0, 0.0)


@record
class Gather:
    """All items of this call have ended, or no more are begun: so has it."""

    call: int


@record
class Stop:
    """End this call from here."""

    call: int


@record
class End:
    status: RunStatus
    error: str | None = None


Do = Start | Undo | Gather | Stop | End


def next_action(run: Run) -> tuple[Do, ...]:
    """What to do now; nothing while calls have to end first, and after the end."""
    # Asked several times per event (the loop, decide, views): once for each position is enough.
    if run.planned[0] != run.position:
        run.planned = (run.position, _next(run))
    return run.planned[1]


def _next(run: Run) -> tuple[Do, ...]:
    if run.status != "running":
        return ()
    problem = problem_of(run)
    # The order of these tests is the order of a failing run: stop what runs, then undo, then what
    # is always done, then the end. Each begins only when the one before has nothing open.
    if skips_always(run) and any_always(run):
        return _stops(run)
    if run.stop is not None and run.stop.why == "cancelled" and any_forward(run):
        return _stops(run)
    if run.stop is None:
        failing = problem is not None or run.group_problem is not None
        starts = (*_items(run), *_starts(run, failing))
        if starts or run.open:
            return starts
    if run.open:
        stopping = run.stop is not None and any_forward(run)
        return _stops(run) if stopping else _items(run)
    # One at a time, the newest first: a later action may rest on an earlier one.
    if rolls_back(run) and run.armed:
        return (_undo(run, next(reversed(run.armed))),)
    last = ready_actions.next_always(run)
    if last is not None and not skips_always(run):
        return (_start(run, last),)
    return (_end(run, problem or ready_actions.always_failure(run)),)


def any_forward(run: Run) -> bool:
    """Whether something is called that is neither a compensation nor always done last."""
    return any(call.undoes is None and not call.work.always for call in run.open.values())


def any_always(run: Run) -> bool:
    """Whether something is called that is always done last."""
    return any(call.undoes is None and call.work.always for call in run.open.values())


def skips_always(run: Run) -> bool:
    """Whether what is always done last is not done any more."""
    return run.stop is not None and run.stop.skip_always


def problem_of(run: Run) -> str | None:
    """Why the run fails, if it does: an action, its limit of states, or what stopped it."""
    if run.stop is not None and run.stop.why != "cancelled":
        return run.stop.reason
    if run.problem is None and exceeds_max_states(run):
        return f"Maximum states limit ({run.max_states}) reached - possible infinite loop"
    # Outputs are worked out before the end, as one that cannot be makes the run fail, and undo.
    if run.problem is None and run.workflow.outputs and run.stop is None and _is_done(run):
        try:
            run.output_values()
        except BadOutput as refusal:
            return str(refusal)
    return run.problem


def _is_done(run: Run) -> bool:
    """Whether nothing is left to do but what is always done last."""
    return not any_forward(run) and not _starts(run, failing=False)


def exceeds_max_states(run: Run) -> bool:
    """Whether the next state is one too many. A state that is tried again is no new one."""
    if not isinstance(run.workflow, StatesWorkflow) or any_forward(run) or not run.ready:
        return False
    return run.entered >= run.max_states and not any(name in run.tries for name in run.ready)


def rolls_back(run: Run) -> bool:
    """Whether what succeeded is to be undone."""
    if run.stop is not None and run.stop.why != "failed":
        return run.stop.rollback
    return run.workflow.rollback and problem_of(run) is not None


def _stops(run: Run) -> tuple[Do, ...]:
    """All that is called is stopped; what is done for each item has ended when its items have."""
    stops = (Stop(call=call.id) for call in run.open.values() if not call.gathers)
    return (*stops, *_items(run))


def _items(run: Run) -> tuple[Do, ...]:
    """The next items of what is done for each, or its end; the end of a group of steps."""
    found: list[Do] = []
    if run.group is not None and len(run.open) == 1 and not _begins_step(run):
        return (Gather(call=run.group),)
    for id in (id for id in run.loops if id in run.open):
        loop, call = run.loops[id], run.calls[id]
        if loop.is_over or not _begins_more(run, call):
            found += () if loop.open else [Gather(call=id)]
            continue
        places = chain(loop.again, range(loop.next, len(loop.keys)))
        # A generator, from `next` on: a list of 10,000 items would be gone through at each event.
        left = (n for n in places if n not in loop.ended and n not in loop.open)
        free = max(0, loop.width - len(loop.open))
        found += [_start(run, item_name(call.action, n)) for n in islice(left, free)]
    return tuple(found)


def _begins_step(run: Run) -> bool:
    """Whether a step of the group that is being done is to begin."""
    failing = problem_of(run) is not None or run.group_problem is not None
    return run.stop is None and bool(_starts(run, failing))


def _begins_more(run: Run, call: Call) -> bool:
    """Whether an action that has begun may begin with a further item."""
    if call.work.always:
        return not skips_always(run)
    problem = problem_of(run) or run.group_problem
    return run.stop is None and (problem is None or call.work.despite_failure)


def _starts(run: Run, failing: bool) -> tuple[Start, ...]:
    calling = run.calling()
    free = ready_actions.width(run) - len(calling) + (run.group is not None)
    found: list[Start] = []
    # All that is ready is being called: that need not be found out by going through it.
    if free <= 0 or (len(run.ready) == len(calling)):
        return ()
    for action in run.ready:
        if action in calling or (failing and not ready_actions.begins_in_failure(run, action)):
            continue
        found.append(_start(run, action))
        if len(found) == free:
            break
    return tuple(found)


def _start(run: Run, action: str) -> Start:
    tries, work = run.tries.get(action), run.work(action)
    if tries is None or tries.attempt == 1:
        return Start(action=action)
    if tries.fallback is not None:
        wait = (0.0, 0.0)
    elif tries.failed or work.repeat is None:
        wait = work.retry.bounds(tries.failed)
    else:
        wait = work.repeat.bounds(tries.rounds)
    return Start(action=action, attempt=tries.attempt, wait=wait)


def _undo(run: Run, call: int) -> Undo:
    action = run.calls[call].action
    tries = run.tries.get(tries_of(action, call))
    compensation = run.calls[call].work.compensation
    if tries is None or not tries.failed or compensation is None:
        return Undo(call=call)
    return Undo(call=call, attempt=tries.failed + 1, wait=compensation.retry.bounds(tries.failed))


def _is_lost(run: Run, name: str, status: CallStatus) -> bool:
    """Whether an action failed and the run went on; or a part of it: items, or a run that it called
    succeeded in part."""
    states = run.workflow
    if status == "skipped":
        return False
    if status != "ok":
        # Where a state failed, a group too, that is handled already, or is the run's problem.
        return not isinstance(states, StatesWorkflow) or (
            isinstance(run.work(name), Step) and run.settled.get(states.state_of(name)) == "ok"
        )
    work = run.workflow.actions.get(name)  # none: it was mended away
    result = run.results.get(name, {})
    if work is not None and work.for_each is not None:
        parts = (part for part in result.get("results", ()) if part)
        return bool(result.get("failed")) or any(_ran_in_part(work, part) for part in parts)
    if work is None or (work.tool != NESTED and not work.on_error):
        return False
    return _ran_in_part(work, result)


def _ran_in_part(work: Work, result: Mapping[str, Json]) -> bool:
    """Whether a run that was called, by the action or by what it did instead, succeeded in part."""
    caught = result.get(CAUGHT) is not None
    tools = [each.tool for each in work.on_error] if caught else [work.tool]
    return NESTED in tools and result.get("status") == "partial_success"


def _end(run: Run, problem: str | None) -> End:
    rolls = rolls_back(run)
    undone = rolls and any(rollback_state.is_undone(run, run.calls[id]) for id in run.rolled)
    if rolls and rollback_state.leaves_something(run):
        why = problem or (run.stop.reason if run.stop is not None else None) or CANCELLED
        remains = rollback_state.not_undone_text(run)
        return End(status="partly_rolled_back", error=f"{why} · not undone: {remains}")
    if run.stop is not None and run.stop.why == "cancelled":
        return End(status="cancelled", error=run.stop.reason)
    if problem is None and run.bypassed and (below := rollback_state.undone_below(run)):
        was = "were" if len(below) > 1 else "was"
        error = f"{listing(below, '')} {was} undone, and not done again"
        return End(status="partial_success", error=error)
    if problem is None:
        lost = [name for name, status in run.settled.items() if _is_lost(run, name, status)]
        if lost and isinstance(run.workflow, StatesWorkflow):
            lost = unhandled_failures(run, lost)
        return End(status="partial_success" if lost else "success")
    return End(status="rolled_back" if undone else "failed", error=problem)
