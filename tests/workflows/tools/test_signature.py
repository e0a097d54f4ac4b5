"""A function's signature says what a tool takes, and its parameters are read by it."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, Optional

import pytest
from pydantic import Field

from wfnb.errors import BadParameters
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.tool import tool_of

from .typed import Order, Size, known


class Strange:
    """Nothing that JSON knows."""


def everything(
    text: str,
    whole: int,
    real: float = 0.5,
    truth: bool = True,
    words: list[str] = [],  # noqa: B006
    table: dict[str, int] = {},  # noqa: B006
    mode: Literal["fast", "safe"] = "fast",
    maybe: Optional[int] = None,  # noqa: UP045
    place: Path = Path("."),
    size: Size | None = None,
    order: Order | None = None,
    anything=None,
): ...


def test_the_schema_is_that_of_the_annotations_and_defaults():
    schema = tool_of(everything).parameters

    definitions = schema.pop("$defs")
    assert schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["text", "whole"],
        "properties": {
            "text": {"type": "string"},
            "whole": {"type": "integer"},
            "real": {"type": "number", "default": 0.5},
            "truth": {"type": "boolean", "default": True},
            "words": {"type": "array", "items": {"type": "string"}, "default": []},
            "table": {
                "type": "object",
                "additionalProperties": {"type": "integer"},
                "default": {},
            },
            "mode": {"type": "string", "enum": ["fast", "safe"], "default": "fast"},
            "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
            "place": {"type": "string", "format": "path", "default": "."},
            "size": {"anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}], "default": None},
            "order": {"anyOf": [{"$ref": "#/$defs/Order"}, {"type": "null"}], "default": None},
            "anything": {"default": None},
        },
    }
    assert definitions["Order"]["required"] == ["item", "count"]


def test_parameters_are_read_as_what_the_function_takes():
    given = {
        "text": 7,
        "whole": "3",
        "truth": "false",
        "words": ["a"],
        "table": {"a": "1"},
        "place": "x/y",
        "size": {"width": "2"},
        "order": {"item": "tea", "count": 2},
        "anything": [1, {"b": 2}],
    }

    assert tool_of(everything).read(given) == {
        "text": "7",
        "whole": 3,
        "truth": False,
        "words": ["a"],
        "table": {"a": 1},
        "place": Path("x/y"),
        "size": Size(width=2),
        "order": Order(item="tea", count=2),
        "anything": [1, {"b": 2}],
    }


BAD = [
    ({}, "text is missing; whole is missing"),
    ({"whole": 1, "text": "a", "wrods": []}, "wrods is no parameter (nearest: words)"),
    ({"whole": 1, "text": "a", "zzz": 1}, "zzz is no parameter (there are: text, whole, real, tr"),
    ({"whole": "x", "text": "a"}, "whole needs a whole number."),
    ({"whole": 1.5, "text": "a"}, "whole needs a whole number."),
    ({"whole": True, "text": "a"}, "whole needs a number."),
    ({"whole": "1_000", "text": "a"}, "whole needs a number."),
    ({"whole": 1, "text": "a", "real": "inf"}, "real needs a number."),
    ({"whole": 1, "text": "a", "real": False}, "real needs a number."),
    *(
        ({"whole": 1, "text": "a", "truth": truth}, "truth needs true or false.")
        for truth in (0, 1, "1", "yes", "on", "t", 1.0)
    ),
    ({"whole": 1, "text": "a", "table": {"k": 1, "l": True}}, "table.l needs a number."),
    ({"whole": 1, "text": "a", "maybe": True}, "maybe needs a number."),
    ({"whole": 1, "text": ["a"]}, "text needs text."),
    ({"whole": 1, "text": "a", "words": ["a", {}]}, "words.1 needs text."),
    ({"whole": 1, "text": "a", "table": {"k": "v"}}, "table.k needs a whole number."),
    ({"whole": 1, "text": "a", "mode": "slow"}, "mode should be 'fast' or 'safe'"),
    ({"whole": 1, "text": "a", "size": {}}, "size.width is missing"),
    ({"whole": 1, "text": "a", "order": {"item": "t", "count": 0}}, "order.count should be greate"),
    ({"whole": 1, "text": "a", "order": 3}, "order needs a mapping."),
]


@pytest.mark.parametrize(("given", "said"), BAD)
def test_a_mistake_in_the_parameters_is_named_with_its_path(given, said):
    with pytest.raises(BadParameters) as refused:
        tool_of(everything).read(given)

    assert str(refused.value).startswith(f"everything: {said}")


def test_the_value_that_is_wrong_is_not_repeated():
    with pytest.raises(BadParameters) as refused:
        tool_of(everything).read({"text": "a", "whole": "hunter2", "table": {"k": "hunter2"}})

    assert "hunter2" not in str(refused.value)


def test_of_alternatives_the_one_that_got_on_is_complained_about():
    def run(command: str | list[str]): ...

    with pytest.raises(BadParameters) as refused:
        tool_of(run).read({"command": ["a", []]})
    with pytest.raises(BadParameters) as neither:
        tool_of(run).read({"command": {}})

    assert str(refused.value) == "run: command.1 needs text."
    assert str(neither.value) == "run: command needs text or a list."


def test_descriptions_come_from_the_annotation_or_the_docstring():
    def ring(
        bell: Annotated[str, "which one"],
        times: Annotated[int, Field(ge=1, description="how often")] = 1,
        loud: bool = False,
    ):
        """Ring a bell.

        It can be heard.

        Args:
            loud (bool): so that it can be heard
                far away

        Raises nothing.
        """

    tool = tool_of(ring)

    assert (tool.says, tool.about) == ("Ring a bell.", "It can be heard.\n\nRaises nothing.")
    assert tool.parameters["properties"] == {
        "bell": {"type": "string", "description": "which one"},
        "times": {"type": "integer", "minimum": 1, "default": 1, "description": "how often"},
        "loud": {
            "type": "boolean",
            "default": False,
            "description": "so that it can be heard far away",
        },
    }


def test_the_context_is_no_parameter():
    def one(a: int, c: Context): ...
    def two(c: Annotated[Context | None, "this call"] = None, *, a: int = 1): ...

    assert (tool_of(one).context, tool_of(two).context) == ("c", "c")
    assert list(tool_of(one).parameters["properties"]) == ["a"]
    assert tool_of(two).read({"a": "2"}) == {"a": 2}
    with pytest.raises(BadParameters):
        tool_of(one).read({"a": 1, "c": {}})


def test_any_name_can_be_that_of_a_parameter():
    def names(model_config, schema, _hidden, json=1, copy=2, class_="c", self=None): ...

    given = {"model_config": 1, "schema": 2, "_hidden": 3, "self": 4}

    assert tool_of(names).read(given) == given


def test_names_beyond_the_known_are_taken_where_the_function_takes_them():
    def open_one(a: int, **more: Any): ...

    assert tool_of(open_one).parameters["additionalProperties"] is True
    assert tool_of(open_one).read({"a": 1, "b": [2]}) == {"a": 1, "b": [2]}


def test_a_type_that_json_does_not_know_may_be_anything_in_the_schema_and_is_checked():
    def take(thing: Strange): ...

    thing = Strange()

    assert tool_of(take).parameters["properties"] == {"thing": {}}
    assert tool_of(take).read({"thing": thing}) == {"thing": thing}
    with pytest.raises(BadParameters, match="thing should be an instance of Strange"):
        tool_of(take).read({"thing": 3})


def test_a_partial_and_an_object_that_can_be_called_are_functions_too():
    class Adder:
        def __init__(self, by):
            self.by = by

        def __call__(self, to: int) -> int:
            return to + self.by

    def add(to: int, by: int) -> int:
        """Add."""

    assert tool_of(Adder(2), name="adder").read({"to": "1"}) == {"to": 1}
    assert tool_of(partial(add, by=3)).says == "Add."
    assert tool_of(partial(add, by=3)).parameters["required"] == ["to"]


def test_a_schema_of_their_own_is_what_parameters_are_checked_by():
    def take(**given): ...

    schema = {
        "properties": {"n": {"type": "integer", "minimum": 1}, "to": {"enum": ["a", "b"]}},
        "required": ["n"],
        "additionalProperties": False,
    }
    tool = tool_of(take, parameters=schema)

    assert tool.parameters == {"type": "object", **schema}
    assert tool.read({"n": 1, "to": "a"}) == {"n": 1, "to": "a"}
    for given, said in [
        ({}, "n is missing"),
        ({"n": "1"}, 'n does not follow type: "integer"'),
        ({"n": 0}, "n does not follow minimum: 1"),
        ({"n": 1, "to": "c"}, 'to does not follow enum: ["a", "b"]'),
        ({"n": 1, "too": "a"}, "too is no parameter (nearest: to)"),
    ]:
        with pytest.raises(BadParameters) as refused:
            tool.read(given)
        assert str(refused.value) == f"take: {said}."


def test_how_long_an_attempt_may_take_can_depend_on_the_parameters():
    assert tool_of(known).seconds({"a": 1}) == 30.0
    assert tool_of(known, timeout=None).seconds({"a": 1}) is None
    assert tool_of(known, timeout=lambda params: params["a"] + 5).seconds({"a": 1}) == 6
