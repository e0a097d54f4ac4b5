"""The fields of a tool's result, as its return type or its own schema says them."""

from dataclasses import InitVar, dataclass
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple, TypedDict

import pytest
from pydantic import BaseModel, ConfigDict, computed_field

from wfnb.workflows.tools.result_fields import outcome
from wfnb.workflows.tools.tool import tool_of

from .typed import Order, Row, Size


def row() -> Row: ...
def size() -> Size: ...
def order() -> Order: ...
def number() -> float: ...
def numbers() -> Annotated[list[int], "some"]: ...
def nothing() -> None: ...
def mapping() -> dict[str, int]: ...
def unknown(): ...
def missing() -> "Nowhere": ...  # noqa: F821


RESULTS = [
    (row, ("success", "id", "name", "error", "error_type")),
    (size, ("success", "width", "height", "error", "error_type")),
    (order, ("success", "item", "count", "error", "error_type")),
    (number, ("success", "result", "error", "error_type")),
    (numbers, ("success", "result", "error", "error_type")),
    (nothing, ("success", "error", "error_type")),
    (mapping, None),
    (unknown, None),
    (missing, None),
]


@pytest.mark.parametrize(("function", "names"), RESULTS)
def test_the_fields_of_the_result_are_known_where_the_return_type_says_them(function, names):
    assert tool_of(function).results == names


def test_named_results_win_over_the_return_type():
    assert tool_of(number, results=["a", "success"]).results == (
        "success",
        "a",
        "error",
        "error_type",
    )


@dataclass
class Counted:
    KIND: ClassVar[str] = "counted"
    start: InitVar[int] = 1
    count: int = 0


class Slotted(BaseModel):
    a: int = 1

    @computed_field
    def twice(self) -> int:
        return 2 * self.a


class Extended(Slotted):
    model_config = ConfigDict(extra="allow")


class Named(NamedTuple):
    a: int


class Typed(TypedDict):
    a: int


MADE = [
    *(Size(1, 2), Order(item="a", count=1), Counted(), Slotted(), Extended(b=2), Named(1)),
    *(None, "a", 1, 1.5, True, b"a", [1], (1,), {1}, frozenset(), {"a": 1}, Path("a")),
]


@pytest.mark.parametrize("value", MADE, ids=repr)
def test_what_a_type_says_of_the_fields_is_what_a_value_of_it_gives(value):
    """A name too few refuses what works, one too many passes what cannot."""

    def make(): ...

    kind = None if value is None else type(value)
    make.__annotations__["return"] = kind
    says = tool_of(make).results

    assert says is None or {*says} - {"error", "error_type"} == outcome(value).keys()
    if isinstance(value, dict):
        make.__annotations__["return"] = Typed
        assert {*(tool_of(make).results or ())} >= outcome(value).keys()
