"""The fields of a tool's result, as its return type or its own schema says them."""

from typing import Annotated

import pytest

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
