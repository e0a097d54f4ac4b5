"""A value: what it is made of, that it stays as it is, and that it comes back whole."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, field, replace
from inspect import Parameter, signature
from typing import Any, ClassVar, get_type_hints

import pytest

from wfnb.frozen_record import record


@record
class Place:
    """A line of a file."""

    folder: str
    line: int = 1
    marks: Mapping[str, int] = field(default_factory=dict)
    known: ClassVar[int] = 3


@record
class Heading(Place):
    title: str


@record
class Empty: ...


def test_it_says_what_it_takes():
    said = signature(Heading)

    assert list(said.parameters) == ["folder", "line", "marks", "title"]
    assert {each.kind for each in said.parameters.values()} == {Parameter.KEYWORD_ONLY}
    assert said.parameters["folder"].default is Parameter.empty
    assert said.parameters["line"].default == 1
    assert get_type_hints(Heading.__init__)["marks"] == Mapping[str, int]


def test_its_fields_have_what_it_was_given_and_else_their_defaults():
    first, second = Place(folder="a"), Place(folder="a")

    assert (first.folder, first.line, first.marks, first.known) == ("a", 1, {}, 3)
    assert first.marks is not second.marks
    assert Heading(title="T", folder="b", line=2).line == 2
    assert Empty() == Empty()


@pytest.mark.parametrize("given", [{}, {"folder": "a", "page": 1}])
def test_what_lacks_a_field_or_has_another_is_not_made(given: dict[str, Any]):
    with pytest.raises(TypeError, match=r"Place\.__init__\(\)"):
        Place(**given)


def test_it_is_never_changed():
    place: Any = Place(folder="a")

    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'line'"):
        place.line = 2
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'page'"):
        place.page = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'line'"):
        del place.line
    assert place == Place(folder="a")


@pytest.mark.parametrize(
    "value", [Place(folder="a", marks={"x": 1}), Heading(folder="b", title="T")]
)
def test_copied_and_pickled_it_is_the_same(value: Place):
    for other in (copy(value), deepcopy(value), pickle.loads(pickle.dumps(value)), replace(value)):
        assert other == value
        assert other is not value
