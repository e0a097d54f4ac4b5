"""Where something may fail that the run goes on over, and whether its end says so."""

import pytest

from wfnb.workflows.core.apply import replay

from .story import fails, ok, played, steps
from .test_groups import group, made, one

A = {"id": "a", "on_failure": "continue"}
LIST = {"for_each": {"items": [1, 2], "tolerate": 1}}
PART = ok | {"status": "partial_success"}
CALL = {"action": {"tool": "run_workflow", "params": {"workflow_name": "w"}}}
TO_T = {"success": "t"}


def then(**ways):
    return {"transitions": [{"condition": said, "next_state": "t"} for said in ways.values()]}


LOST = {
    "a step": steps(A),
    "a step that another tells of": steps(A, {"id": "b", "when": "not a.success"}),
    "a step of the last state": made(s=group(A)),
    "a step of a state before it": made(s=group(A, "b", then=TO_T), t=one()),
    "a step of which a later state tells": made(s=group(A, then=TO_T), t=one(when="not a.success")),
    "a step of which a step of its group tells": made(
        s=group(A, {"id": "b", "needs": [{"id": "a", "only_if": "failed"}]})
    ),
    "a step, where a transition asks for another": made(
        s=group(A, "b", then={"b.success": "t"}), t=one()
    ),
    "a step, where the transition is not taken": made(
        s=group(A, then={"failed > 1": "u", "success": "t"}), t=one(), u=one()
    ),
    "a step, where how many there are is asked": made(
        s=group(A, then={"count == 1": "t"}), t=one()
    ),
    "two steps, where one is asked for": made(
        s=group(A, {**A, "id": "b"}, then={"not a.success": "t"}),
        t=one(),
    ),
    "an item in a state": made(s=one(**LIST)),
    "an item in a step of a group": made(s=group({**A, **LIST})),
    "an item in a step": steps({"id": "a", **LIST}),
    "a run that a state calls": made(s=CALL | {"transitions": []}),
    "a run that a step of a group calls": made(
        s=group({"id": "n", "tool": "run_workflow", "args": {"workflow_name": "w"}})
    ),
    "a run that is called instead": made(
        s=one(on_error=[{"tool": "run_workflow", "args": {"workflow_name": "w"}}])
    ),
}
HANDLED = {
    "a step": made(s=group(A, then={"not a.success": "t"}), t=one()),
    "a step by its error": made(s=group(A, then={'steps.a.error == "no"': "t"}), t=one()),
    "a step by its group": made(s=group(A, then={"failed > 0": "t"}), t=one()),
    "a step by its group's name": made(s=group(A, then={"s.failed == 1": "t"}), t=one()),
    "a step by a field": made(s={**group(A), **then(way={"field_equals": {"failed": 1}})}, t=one()),
    "a step by a later state": made(
        s=group(A, then=TO_T), t=one({"not a.success": "u", "success": "v"}), u=one(), v=one()
    ),
    "a step of a group that failed": made(
        s=group(A, {"id": "b", "needs": [{"id": "a", "even_if": "failed"}]}, then={"failure": "t"}),
        t=one(),
    ),
    "a state": made(s=one({"failure": "t"}), t=one()),
    "an item in a state": made(s=one({"failed > 0": "t"}, **LIST), t=one()),
    "a run that a state calls": made(s=CALL | then(way='status == "partial_success"'), t=one()),
}
SAYS = {"a": fails, "s[1]": fails, "a[1]": fails, "n": PART}


def played_with(name, definition):
    says = {**SAYS, "b": fails if "failed" in name or name.startswith("two") else ok}
    first = "instead" in name
    called = [fails, PART] if first else PART if "run" in name else fails
    return played(definition, **says, s=called)


@pytest.mark.parametrize("name", LOST)
def test_what_failed_and_nothing_handled_is_told_by_the_end(name):
    told = played_with(name, LOST[name])

    assert told.run.status == "partial_success"
    assert replay(told.entries) == told.run


@pytest.mark.parametrize("name", HANDLED)
def test_what_a_transition_handled_was_no_failure_of_the_run(name):
    told = played_with(name, HANDLED[name])

    assert told.run.status == "success"
    assert "failed" in {call.status for call in told.run.calls.values()} or "run" in name


def test_what_failed_and_succeeded_as_its_state_came_round_again_is_not_lost():
    definition = made(s=group(A, then={"failed == 1": "s"}))

    assert played(definition, a=[fails, ok]).run.status == "success"
    twice = made(s=group(A, "b", then={"b.n == 1": "s"}))
    told = played(twice, a=[ok, fails], b=[ok | {"n": 1}, ok | {"n": 2}])
    assert (told.run.status, told.run.entered) == ("partial_success", 2)
