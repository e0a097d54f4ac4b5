"""The published schema: what an editor knows is what the models know."""

import json
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, example, given, settings
from jsonschema import Draft202012Validator

from tests.amount import times
from wfnb.errors import WorkflowInvalid
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.schema import FILE, text, workflow_schema

from .documents import documents

NOT_STRUCTURE = {"states", "ids", "needs", "cycle", "order", "format"}
"""Rules that a JSON Schema cannot state."""


# The expressions of a JSON Schema are those of ECMAScript, where `$` is the very end.
VALIDATOR = Draft202012Validator(json.loads(text().replace('*$"', '*\\\\Z"')))


def structure_of(document):
    try:
        parse(document)
    except WorkflowInvalid as error:
        return [p for p in error.problems if p.rule not in NOT_STRUCTURE]
    return []


def test_the_stored_file_is_what_the_models_say():
    stored = files("wfnb.workflows.definition").joinpath(FILE).read_text("utf-8")

    assert stored == text()
    assert json.loads(stored) == workflow_schema()


def test_the_schema_is_one_of_draft_2020_12():
    Draft202012Validator.check_schema(workflow_schema())

    assert workflow_schema()["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert workflow_schema()["$id"] == "urn:wfnb:workflow:1"


def test_every_property_is_described():
    parts = workflow_schema()["$defs"]

    bare = [
        f"{part}.{name}"
        for part, schema in parts.items()
        for name, field in schema["properties"].items()
        if not field.get("description", "").endswith(".")
    ]

    assert len(parts) == 15
    assert bare == []
    assert all(part["description"] for part in parts.values())


@settings(
    max_examples=times(50, 400),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
@given(documents())
@example({"steps": [{"tool": "x", "retry": 2.0}]})
@example({"steps": [{"tool": "x", "retry": True}]})
@example({"steps": [{"tool": "x", "args": {}, "params": {}}]})
@example({"steps": [{"tool": "x"}], "states": {}})
@example({"steps": [{"tool": "x\n"}]})
@example({"steps": [{"tool": "x", "timeout": None}]})
@example({"steps": [{"tool": "x", "retry": {"attempts": 1, "when": {}}}]})
@example({"name": "w", "initial_state": "a", "states": {"a": {"action": {"tool": "x"}}, "9": {}}})
@example({"name": "w", "initial_state": "a", "states": {}})
@example({"$schema": 3, "steps": [{"tool": "x"}]})
def test_the_schema_and_the_models_accept_and_refuse_the_same(document):
    refused = [error.message for error in VALIDATOR.iter_errors(document)]

    assert bool(refused) == bool(structure_of(document)), (refused, structure_of(document))


@pytest.mark.parametrize("name", ["a\n", "a b", "", "9a", "a-b"])
def test_a_name_that_is_none_is_refused_by_both(name):
    document = {"name": "w", "initial_state": "a", "states": {name: {"action": {"tool": "x"}}}}

    assert not VALIDATOR.is_valid(document)
    assert [p.rule for p in structure_of(document)][:1] == ["pattern"]
