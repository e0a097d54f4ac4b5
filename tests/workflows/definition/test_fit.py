"""Parameters are held against a tool's JSON Schema, as far as they are known."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator, Draft7Validator, Draft202012Validator, SchemaError

from tests.amount import times
from wfnb.workflows.definition.schema_fit import misfits

SCALAR = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 2.0, "", "a", "bb"])
VALUES = st.recursive(
    SCALAR,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3)
    ),
    max_leaves=6,
)
KINDS = st.sampled_from(["string", "number", "integer", "boolean", "array", "object", "null"])
SCHEMAS = st.recursive(
    st.just(True)
    | st.just(False)
    | st.just({"$ref": "#/$defs/part"})
    | st.fixed_dictionaries({"type": KINDS})
    | st.fixed_dictionaries({"type": st.lists(KINDS, min_size=1, max_size=2, unique=True)})
    | st.fixed_dictionaries({"enum": st.lists(VALUES, min_size=1, max_size=3)})
    | st.fixed_dictionaries({"const": VALUES})
    | st.fixed_dictionaries(
        {},
        optional={
            "minimum": st.integers(-3, 3),
            "maximum": st.integers(-3, 3),
            "exclusiveMinimum": st.integers(-3, 3),
            "exclusiveMaximum": st.integers(-3, 3),
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(0, 2),
            "pattern": st.sampled_from(["^a", "b$"]),
        },
    ),
    lambda inner: (
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)})
        | st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)})
        | st.fixed_dictionaries(
            {},
            optional={
                "items": inner,
                "prefixItems": st.lists(inner, min_size=1, max_size=2),
                "minItems": st.integers(0, 2),
                "maxItems": st.integers(0, 2),
            },
        )
        | st.fixed_dictionaries(
            {"properties": st.dictionaries(st.sampled_from("xy"), inner, max_size=2)},
            optional={
                "required": st.lists(st.sampled_from("xyz"), max_size=2, unique=True),
                "additionalProperties": inner,
                "patternProperties": st.dictionaries(st.sampled_from("xy"), inner, max_size=2),
            },
        )
    ),
    max_leaves=5,
)


@settings(max_examples=times(60, 500), deadline=None)
@given(SCHEMAS, VALUES)
def test_what_fits_is_what_json_schema_says(schema, value):
    root = {"$defs": {"part": {"type": ["integer", "array"], "maximum": 1}}, "allOf": [schema]}

    assert (not list(misfits(value, root, ("p",)))) == Draft202012Validator(root).is_valid(value)


PARTS = [True, False, {"type": "integer"}, {"type": "string"}, {"minimum": 1}, {"minLength": 1}]
PART = st.sampled_from(PARTS)
OF_DRAFTS = {
    "items": PART | st.lists(PART, max_size=2),
    "additionalItems": PART,
    "minimum": st.integers(-1, 1),
    "exclusiveMinimum": st.integers(-1, 1) | st.booleans(),
    "maximum": st.integers(-1, 1),
    "exclusiveMaximum": st.integers(-1, 1) | st.booleans(),
    "properties": st.dictionaries(st.sampled_from("xy"), PART, max_size=2),
    "patternProperties": st.dictionaries(st.sampled_from("xy"), PART, max_size=2),
    "additionalProperties": PART,
    "propertyNames": PART,
    "dependentRequired": st.just({"x": ["y"]}),
    "uniqueItems": st.booleans(),
    "contains": PART,
    "multipleOf": st.just(2),
    "not": PART,
    "oneOf": st.lists(PART, min_size=1, max_size=3),
    "unevaluatedProperties": PART,
}


@settings(max_examples=times(100, 2000), deadline=None)
@given(
    st.sampled_from([Draft4Validator, Draft7Validator, Draft202012Validator]),
    st.fixed_dictionaries({}, optional=OF_DRAFTS),
    VALUES,
)
def test_what_json_schema_of_any_draft_takes_is_not_refused(draft, schema, value):
    """What a tool's own reader takes: it has the last word."""
    try:
        draft.check_schema(schema)
        fits = draft(schema).is_valid(value)
    except (SchemaError, TypeError):  # jsonschema cannot have `items: true` beside additionalItems
        return

    assert not (fits and list(misfits(value, schema, ("p",))))


SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 5},
        "mode": {"enum": ["screen", "tail"]},
        "lines": {"type": "integer", "minimum": 1},
        "wait": {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "null"}]},
        "pattern": {"type": "string", "format": "regex"},
        "list": {"type": "array", "items": {"type": "number"}},
        "either": {"anyOf": [{"type": "string"}, {"const": 3}]},
    },
    "required": ["text"],
    "additionalProperties": False,
}
WRONG = [
    ({}, "p.text", "required", "p has no 'text', which it needs"),
    ({"txt": 1, "text": ""}, "p.txt", "additionalProperties", "p has no key 'txt'. Did you mean"),
    ({"text": 3}, "p.text", "type", "p.text is 3; it needs text"),
    ({"text": "abcdef"}, "p.text", "maxLength", "p.text has 6 characters; it may have 5 at most"),
    ({"text": "", "mode": "x"}, "p.mode", "enum", "p.mode is 'x'; it can be 'screen' or 'tail'"),
    ({"text": "", "lines": 0}, "p.lines", "minimum", "p.lines is 0; it has to be at least 1"),
    ({"text": "", "lines": True}, "p.lines", "type", "p.lines is true; it needs a whole number"),
    ({"text": "", "wait": 0}, "p.wait", "exclusiveMinimum", "p.wait is 0; it has to be more than"),
    ({"text": "", "wait": "x"}, "p.wait", "anyOf", "p.wait is 'x'; it needs a number or null"),
    ({"text": "", "pattern": "("}, "p.pattern", "format", "p.pattern is no regular expression: m"),
    ({"text": "", "list": [1, "x"]}, "p.list.1", "type", "p.list.1 is 'x'; it needs a number"),
    ({"text": "", "either": 4}, "p.either", "const", "p.either is 4; it can be 3"),
    (
        {"text": "", "lines": "{n} "},
        "p.lines",
        "type",
        "p.lines is '{n} '; it needs a whole number",
    ),
    ({"text": "", "list": ["a{n}"]}, "p.list.0", "type", "p.list.0 is 'a{n}'; it needs a number"),
]


@pytest.mark.parametrize(("value", "path", "rule", "line"), WRONG)
def test_what_does_not_fit_is_said_with_its_place(value, path, rule, line):
    (problem,) = misfits(value, SCHEMA, ("p",))

    assert (problem.path, problem.rule) == (path, rule)
    assert problem.message.startswith(line)


@pytest.mark.parametrize(
    "value",
    [
        {"text": "{a}"},
        {"text": "{a} and far more than five characters"},
        {"text": "", "mode": "{mode}", "lines": "{n}", "wait": "{w}", "list": "{l}"},
        {"text": "", "mode": "ta{il}", "list": ["{n}", 2]},
        {"text": "", "pattern": "({part}"},
        {"text": "", "either": "{x}"},
    ],
)
def test_what_a_placeholder_may_become_fits(value):
    assert list(misfits(value, SCHEMA, ("p",))) == []
