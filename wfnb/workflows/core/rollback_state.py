"""run -> which of its calls are rolled back, wholly or in part, and which could not be."""

from __future__ import annotations

from collections.abc import Iterable

from wfnb.workflows.definition.absent_fields import STILL_RUNNING
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.models import StatesWorkflow

from .ready_actions import failure_reason
from .run import Call, Run


def undone_since(run: Run, state: str) -> int:
    """The first call that was undone; of a group that begins anew, the one that began it."""
    first = next(iter(undone_calls(run)), 0)
    begun = (call.id for call in run.calls.values() if call.work.is_group and call.action == state)
    return max((id for id in begun if id < first), default=first)


def rolled_back(run: Run, undone: Iterable[int | None] = ()) -> list[str]:
    """The actions that a rollback undid, in order, those of the calls `undone` among them."""
    ids = undone_calls(run, undone)
    return list(dict.fromkeys(base_action(run.calls[id].action) for id in ids))


def undone_calls(run: Run, undone: Iterable[int | None] = ()) -> list[int]:
    ids = {id for id in run.rolled if is_gone(run, run.calls[id])}
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


def is_gone(run: Run, call: Call) -> bool:
    """Whether what a call did is not there any more, or not all of it: it is done again."""
    return is_undone(run, call) or is_undone_in_part(run, call)


def bypassed_calls(run: Run, start: str | None) -> list[int]:
    """The calls that were undone and come before what the run is to go on from: their states are
    not done again."""
    undone = undone_calls(run)
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
    rolled = {*run.armed, *run.stuck}
    calls = (run.calls[id] for id in run.perhaps if id not in rolled)
    return [
        call
        for call in calls
        if (call.work.compensation is not None or call.nested) and not is_undone(run, call)
    ]


def undone_at_work(run: Run) -> list[Call]:
    """The calls that were undone while they were still at work: what they do after that stands."""
    # A tool may have a field of that name of its own: it is the engine that is unsure of a call.
    calls = (run.calls[id] for id in run.rolled if run.calls[id].unsure)
    return [c for c in calls if c.result.get(STILL_RUNNING) is True and is_undone(run, c)]


def leaves_something(run: Run) -> bool:
    """Whether a rollback has left something, or may have."""
    return bool(run.stuck or perhaps_done(run) or undone_at_work(run))


def is_unsure(run: Run) -> bool:
    """Whether something of it, or of a run within it that could not be undone, was perhaps done."""
    undoing = (run.calls[run.calls[id].undone_by or 0] for id in run.stuck)
    stuck = any(call.undoes in run.perhaps or call.result.get("unsure") for call in undoing)
    return stuck or bool(perhaps_done(run))


def not_undone_text(run: Run) -> str:
    """What could not be undone, in order, and why; then what was perhaps done, and was left; then
    what may go on after it was undone."""
    calls = [run.calls[id] for id in reversed(run.stuck)]
    undoing = (run.calls[call.undone_by] for call in calls if call.undone_by is not None)
    failed = [f"{call.action} ({failure_reason(call).strip().splitlines()[0]})" for call in undoing]
    unknown = [f"{call.action} (unknown whether it was done)" for call in perhaps_done(run)]
    at_work = [f"{c.action} (it was still at work as it was undone)" for c in undone_at_work(run)]
    return ", ".join([*failed, *unknown, *at_work])
