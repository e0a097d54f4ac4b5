"""Functions and classes of the notebook come back, in the user's namespace."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

from wfnb.core.kept import Kept
from wfnb.keep import Keeper

from .notebook import namespace


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path, tmp_path / "own")


def keep(keeper: Keeper, space: dict[str, Any], *names: str) -> Kept:
    return keeper.keep({name: space[name] for name in names}, namespace=space)


def put_back(keeper: Keeper, kept: Kept, space: dict[str, Any]) -> None:
    restored = keeper.restore(kept, namespace=space)
    assert restored.missing == ()
    space.update(restored.also | restored.values)


def test_a_function_sees_what_is_defined_after_it_came_back(keeper: Keeper):
    space = namespace("rate = 2\ndef price(x):\n    return x * rate")
    kept = keep(keeper, space, "price")
    put_back(keeper, kept, space)

    space["rate"] = 10

    assert space["price"](3) == 30
    assert space["price"].__globals__ is space


def test_what_a_function_needs_comes_along_where_the_kernel_is_fresh(keeper: Keeper):
    cells = "import math\nRATE = 2\ndef whole(x):\n    return math.floor(x)\ndef price(x):\n"
    kept = keep(keeper, namespace(f"{cells}    return whole(x * RATE)"), "price")
    fresh = namespace("RATE = 100")

    restored = keeper.restore(kept, namespace=fresh)

    assert sorted(restored.also) == ["math", "whole"]
    assert sorted(fresh) == ["RATE", "__builtins__", "__name__"]
    fresh.update(restored.also | restored.values)
    assert fresh["price"](1.5) == 150


def test_the_namespace_keeps_its_builtins(keeper: Keeper):
    space = namespace("def f():\n    return len('abc')")
    kept = keep(keeper, space, "f")
    builtins = space["__builtins__"] = object()

    keeper.restore(kept, namespace=space)

    assert space["__builtins__"] is builtins


def test_data_that_a_function_uses_is_not_kept_with_it_and_is_named(keeper: Keeper):
    space = namespace("table = list(range(100_000))\ndef f():\n    return len(table)")

    alone = keep(keeper, space, "f")
    both = keep(keeper, space, "f", "table")

    assert alone.size < 2_000
    assert [value.needs for value in alone.values] == [("table",)]
    assert [value.needs for value in both.values] == [(), ()]
    assert len(both.groups) == 2


def test_a_class_comes_along_with_its_objects(keeper: Keeper):
    kept = keep(
        keeper, namespace("class Own:\n    def two(self):\n        return 2\nx = Own()"), "x"
    )
    gc.collect()  # the class is gone, as in another kernel
    fresh = namespace()

    put_back(keeper, kept, fresh)

    assert type(fresh["x"]) is fresh["Own"]
    assert fresh["Own"]().two() == 2


def test_a_class_that_is_there_stays_as_it_is(keeper: Keeper):
    space = namespace("class Own:\n    count = 1\nx = Own()")
    kept = keep(keeper, space, "x")
    space["Own"].count = 5

    put_back(keeper, kept, space)

    assert type(space["x"]) is space["Own"]
    assert space["Own"].count == 5


def test_objects_of_one_class_are_pickles_of_their_own(keeper: Keeper):
    space = namespace(
        """
        from dataclasses import dataclass, field

        @dataclass
        class Run:
            '''With a list and annotations that belong to the class.'''
            tags: list = field(default_factory=list)
            seen = []
            def add(self, tag: str = "x", *more: int) -> None:
                self.tags.append(tag)

        a, b = Run(), Run()
        """
    )

    kept = keep(keeper, space, "a", "b")
    put_back(keeper, kept, space)

    assert len(kept.groups) == 2
    space["a"].add()
    assert (space["a"].tags, space["b"].tags) == (["x"], [])


def test_functions_that_share_a_variable_share_it_again(keeper: Keeper):
    space = namespace(
        """
        def counter():
            n = 0
            def up():
                nonlocal n
                n += 1
            def get():
                return n
            return up, get
        up, get = counter()
        up()
        """
    )
    kept = keep(keeper, space, "up", "get")
    space["up"]()

    put_back(keeper, kept, space)
    space["up"]()

    assert space["get"]() == 2


def test_a_generic_class_an_abstract_one_and_an_enum_come_back(keeper: Keeper):
    space = namespace(
        """
        from abc import ABC, abstractmethod
        from enum import Flag, auto
        from typing import Generic, TypeVar
        T = TypeVar("T")
        class Shape(ABC):
            @abstractmethod
            def area(self): ...
        class Square(Shape, Generic[T]):
            @property
            def side(self): return 3
            @classmethod
            def make(cls): return cls()
            def area(self): return self.side ** 2
        class Mode(Flag):
            R = auto()
            W = auto()
        square, mode = Square.make(), Mode.R | Mode.W
        """
    )
    kept = keep(keeper, space, "square", "mode")
    del space
    gc.collect()
    fresh = namespace()

    put_back(keeper, kept, fresh)

    assert fresh["square"].area() == 9
    assert fresh["mode"] == fresh["Mode"].R | fresh["Mode"].W
