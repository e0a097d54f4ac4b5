"""a workflow -> what is odd about the ways through it: states never reached, no way out."""

from __future__ import annotations

from collections.abc import Iterator

from wfnb.errors import listing

from .condition import Condition
from .models import State, StatesWorkflow, StepOrder, StepsWorkflow, Workflow
from .problem import Problem, place_text
from .scope import actions_before, captures, following


def odd(workflow: Workflow) -> Iterator[Problem]:
    """Warnings: the workflow can be run, but hardly as it was meant."""
    for name, work in workflow.actions.items():
        if work.compensate_on_failure and work.compensation is None:
            message = f"'{name}' asks for its compensation on failure, and has none"
            yield Problem(name, "compensation", message)
        if work.cache and work.compensation is not None:
            message = f"`cache` of '{name}' changes nothing: what can be undone is done each time"
            yield Problem(name, "cache", message)
    lists: list[StepOrder] = []
    if isinstance(workflow, StepsWorkflow):
        lists.append(workflow)
    if isinstance(workflow, StatesWorkflow):
        lists += workflow.states.values()
    for order in lists:
        if not order.in_sequence and order.max_parallel > 1:
            yield from _captures_side_by_side(workflow, order)
    if isinstance(workflow, StatesWorkflow):
        yield from _unreachable_states(workflow)
        yield from _endless_states(workflow)


def _captures_side_by_side(workflow: Workflow, order: StepOrder) -> Iterator[Problem]:
    """A name that two steps capture of which neither waits for the other: the last one wins."""
    assert isinstance(workflow, StatesWorkflow | StepsWorkflow)
    before, bits = actions_before(workflow), {s: 1 << n for n, s in enumerate(workflow.actions)}
    makers: dict[str, list[str]] = {}
    for step, work in ((step.id, step) for step in order.steps):
        for name in dict.fromkeys(captures(work)):
            others = makers.setdefault(name, [])
            apart = (o for o in others if not (before[step] & bits[o] or before[o] & bits[step]))
            beside = next(apart, None)
            others.append(step)
            if beside is not None:
                message = (
                    f"Steps '{beside}' and '{step}' run side by side and both capture '{name}': "
                    "it is what the later of them found. Give the names a part of their own"
                )
                yield Problem(step, "captures", message)


def _unreachable_states(workflow: StatesWorkflow) -> Iterator[Problem]:
    reached = {workflow.initial_state, *workflow.always}
    coming = [workflow.initial_state]
    while coming:
        for target in following(workflow.states[coming.pop()]):
            if target not in reached:
                reached.add(target)
                coming.append(target)
    for name in workflow.states:
        if name not in reached:
            message = f"State '{name}' is never reached from '{workflow.initial_state}'"
            yield Problem(place_text(("states", name)), "unreachable", message)


def _endless_states(workflow: StatesWorkflow) -> Iterator[Problem]:
    """States whose every success leads on among themselves."""
    trapped = {name: state for name, state in workflow.states.items() if _goes_on(state)}
    # Whoever can leave takes out those that lead to it, until no more can.
    size = -1
    while size != len(trapped):
        size = len(trapped)
        trapped = {
            name: state
            for name, state in trapped.items()
            if all(target in trapped for target in following(state))
        }
    if trapped:
        names = listing((f"'{name}'" for name in trapped), "none")
        states = f"State {names} has" if len(trapped) == 1 else f"States {names} have"
        message = (
            f"{states} no way out but a failure: every success leads on, and never to an end. "
            f"The run stops at {workflow.max_states} states (max_states)"
        )
        yield Problem(place_text(("states", next(iter(trapped)))), "endless", message)


def _goes_on(state: State) -> bool:
    """Whether a success never ends the run here."""
    return any(_is_every_success(item.condition) for item in state.transitions)


def _is_every_success(condition: Condition) -> bool:
    return condition.success is True and condition.model_fields_set == {"success"}
