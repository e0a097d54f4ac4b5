"""run of states, actions that lost something -> those of which no transition has handled that.

What the run goes on over is lost wherever it stands: the failure of a step with `on_failure:
continue`, or of a tolerated item; what a run that was called has lost. Only a transition handles
it, as it does the failure of a state: where it is taken and names what failed. It may be that of
the group or of a later state. Who tells of a failure (`when`, `needs`) has not handled it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wfnb.workflows.definition.condition import Condition, expressions, parts_of
from wfnb.workflows.definition.expression import expression_names
from wfnb.workflows.definition.models import State, StatesWorkflow, Step
from wfnb.workflows.definition.scope import ALWAYS

from .run import Call, Run

_PARTS = ("results", "failed", "status")
"""The fields by which an action that succeeded says what failed in it."""


def unhandled_failures(run: Run, lost: Iterable[str]) -> list[str]:
    last = {call.action: call for call in run.whole_calls()}
    taken = [(call.time, {*_names(call)}) for call in run.whole_calls() if call.goto is not None]
    return [name for name in lost if not _is_handled(run, last[name], taken)]


def _is_handled(run: Run, lost: Call, taken: Iterable[tuple[int, set[str]]]) -> bool:
    """Whether a transition names what failed, that was taken at the time of the call or later."""
    named = {name for time, names in taken if time >= lost.time for name in names}
    fields = (*lost.result, *ALWAYS) if isinstance(lost.work, Step) else _PARTS
    ways = {f"{lost.action}{sign}{field}" for field in fields for sign in "._"}
    if isinstance(run.workflow, StatesWorkflow) and lost.status != "ok":
        ways.add(f"{run.workflow.state_of(lost.action)}.failed")  # its group counts those
    return not named.isdisjoint(ways)


def _names(call: Call) -> Iterator[str]:
    """What the transition that was taken asks for, as `ACTION.FIELD`."""
    work = call.work
    taken = () if not isinstance(work, State) else work.transitions
    for condition in (each.condition for each in taken if each.next_state == call.goto):
        for name in _names_of(condition):
            first, *rest = name.removeprefix("steps.").split(".")
            own = rest[0] if first == "result" and rest else first
            yield from (".".join([first, *rest[:1]]), f"{call.action}.{own}")


def _names_of(condition: Condition) -> Iterator[str]:
    for part in parts_of(condition):
        yield from (*(part.field_equals or ()), *(part.field_contains or ()))
    for text in expressions(condition):
        yield from expression_names(text)
