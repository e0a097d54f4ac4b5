"""A definition is read: names, short forms, numbers; written again it is the same."""

import json
import pickle
import re
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings

from tests.amount import times
from wfnb.errors import WorkflowInvalid
from wfnb.workflows.definition.models import Compensation, Retry
from wfnb.workflows.definition.reader import content_hash, parse

from .documents import documents, states, steps
from .reading import A, flow, problems_of, state, step


def test_a_name_from_outside_fills_a_missing_one_and_no_other():
    nameless = {"initial_state": "a", "states": {"a": A}}

    assert parse(nameless, "given").name == "given"
    assert parse(flow(), "given").name == "w"
    assert parse(step(), "given").name == "given"
    assert parse(step()).name is None
    assert "name" not in nameless


def test_the_key_for_editors_is_read_over():
    assert parse({"$schema": "urn:wfnb:workflow:1"} | flow()) == parse(flow())


def test_both_names_of_parameters_mean_the_same():
    one, other = {"args": {"a": 1}}, {"params": {"a": 1}}

    assert parse(step(**one)) == parse(step(**other))
    assert parse(state(action={"tool": "x"} | one)) == parse(state(action={"tool": "x"} | other))
    assert parse(step(compensation={"tool": "x"} | one)).actions["step_1"].compensation == (
        Compensation(tool="x", params={"a": 1})
    )


def test_numbers_may_be_written_as_json_has_them():
    workflow = parse(flow(max_states=3.0, version=1.5, timeout=60))

    assert (workflow.max_states, workflow.version, workflow.timeout) == (3, "1.5", 60.0)
    assert parse(step(retry=2.0)).actions["step_1"].retry == Retry(attempts=2)


def test_data_of_a_workflow_has_no_defaults_and_short_forms():
    workflow = parse(
        {
            "name": "w",
            "rollback": True,
            "variables": {"a": {"default": 1}, "b": {"default": {"c": None}}, "d": None, "e": {}},
            "steps": [
                {"id": "step_1", "params": {"x": 1}, "tool": "t", "retry": {"attempts": 2}},
                {"tool": "t", "retry": {"attempts": 0}, "capture": "(?P<a>b)", "needs": []},
                {"tool": "t", "id": "step_1b", "retry": {"attempts": 1, "jitter": 2}},
            ],
        }
    )

    assert workflow.data == {
        "name": "w",
        "variables": {"a": 1, "b": {"default": {"c": None}}, "d": None, "e": {}},
        "steps": [
            {"tool": "t", "args": {"x": 1}, "retry": 2},
            {"tool": "t", "capture": ["(?P<a>b)"]},
            {"tool": "t", "id": "step_1b", "retry": {"attempts": 1, "jitter": [0.0, 2.0]}},
        ],
    }
    assert list(workflow.data["steps"][2]) == ["id", "tool", "retry"]


MANY = settings(
    max_examples=times(25, 150), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@MANY
@given(states() | steps())
def test_data_of_a_workflow_is_read_as_the_same_workflow(document):
    try:
        workflow = parse(document)
    except WorkflowInvalid:
        return

    data = json.loads(json.dumps(workflow.data))

    assert parse(data) == workflow
    assert parse(data).data == data
    assert content_hash(parse(data)) == content_hash(workflow)


@MANY
@given(documents())
def test_whatever_is_wrong_is_said_in_lines_that_can_be_printed(document):
    problems = problems_of(document)

    assert all(str(problem).isprintable() for problem in problems)
    error = WorkflowInvalid(problems)
    assert pickle.loads(pickle.dumps(error)).problems == problems


def test_a_hash_is_of_what_a_workflow_does():
    one = content_hash(parse(flow()))

    assert re.fullmatch(r"[0-9a-f]{16}", one)
    assert content_hash(parse(flow(name="x", description="y", rollback=True))) == one
    assert content_hash(parse(flow(max_states=99))) != one
    assert content_hash(parse(step(args={"a": 1, "b": 2}))) == content_hash(
        parse(step(params={"b": 2, "a": 1}))
    )
    assert content_hash(parse(step(args={"a": 1}))) != content_hash(parse(step(args={"a": "1"})))


def _loop(names):
    return step(for_each={"items": dict.fromkeys(names, 1)})


def _last(names):
    return flow(states={"a": A} | {name: A | {"always": True} for name in names})


def _within(names):
    return step(tool="run_workflow", args={"workflow_definition": _last(names)})


@pytest.mark.parametrize("made", [_loop, _last, _within])
def test_another_order_of_what_is_done_one_after_the_other_is_another_workflow(made):
    """A run of the other order would count as this one: not saved, and not gone on with."""
    hashes = {content_hash(parse(made(names))) for names in permutations("xyz")}

    assert len(hashes) == 6
    assert content_hash(parse(flow(states={"b": A, "a": A}))) == content_hash(
        parse(flow(states={"a": A, "b": A}))
    )


def test_hashes_that_files_have_already_stay_as_they_are():
    assert content_hash(parse(_last("xyz"))) == "c2ff1dbaabf622ab"
    assert content_hash(parse(_loop("xyz"))) == "ece77ea90c04ae57"
    assert content_hash(parse(flow())) == "3bae5b0be93a2f21"
