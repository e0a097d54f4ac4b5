"""Going back replaces what has changed, and leaves the very same objects where nothing has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from wfnb.values import Keeper, difference

from .large import MANY, frame, set_number, set_word, strings, words
from .notebook import gone_back, namespace

KINDS: dict[str, Callable[[], Any]] = {
    "number": lambda: 1.5,
    "list": lambda: [1, [2], {"a": (3, [4])}],
    "array": lambda: np.arange(MANY * 1.0),
    "dates": lambda: np.arange(MANY).astype("M8[s]"),
    "array with gaps": lambda: np.arange(MANY * 2.0)[::2],
    "strings": strings,
    "short strings": lambda: np.array(["a", "b", None], dtype=object),
    "frame": frame,
    "series": lambda: frame().set_index("word")["x"],
    "bytearray": lambda: bytearray(MANY),
    "defined": lambda: namespace(
        """
        scale = 2
        class Model:
            def __init__(self): self.rows = [1]
            def fit(self): return scale
        """
    )["Model"](),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_as_it_was_kept_stays_the_same_object(keeper: Keeper, kind: str):
    space = {"value": KINDS[kind](), "other": [1]}
    kept = keeper.keep(space, namespace=space)
    before = dict(space)

    back = gone_back(keeper, kept, space)

    assert (back.left, back.values, back.missing) == (("value", "other"), {}, ())
    assert all(space[name] is before[name] for name in before)


@pytest.mark.parametrize("kind", KINDS)
def test_what_came_back_stays_when_one_goes_back_again(keeper: Keeper, kind: str):
    space = {"value": KINDS[kind]()}
    kept = keeper.keep(space, namespace=space)
    space["value"] = None
    assert gone_back(keeper, kept, space).left == ()

    assert gone_back(keeper, kept, space).left == ("value",)


def set_text(value: Any) -> None:
    value.loc[3, "text"] = "another"


def add_column(value: Any) -> None:
    value["new"] = 1


def put(at: Any, what: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        value[at] = what

    return change


CHANGES: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    "an element of an array": (KINDS["array"], put(7, -1.0)),
    "the sign of a zero": (lambda: np.zeros(MANY), put(7, -0.0)),
    "a string": (strings, put(7, "another")),
    "two strings that change places": (strings, put([1, 2], ["word 2", "word 1"])),
    "a one that is true now": (lambda: np.array([1] * MANY * 5, dtype=object), put(7, True)),
    "something that can be changed, among strings": (strings, put(7, [])),
    "the shape of an array of strings": (strings, lambda value: value.resize((2, MANY // 2))),
    "a string in a frame": (frame, set_word),
    "a number in a frame": (frame, set_number),
    "a string in a frame, of Arrow": (frame, set_text),
    "the columns of a frame": (frame, add_column),
    "a list in a list": (KINDS["list"], lambda value: value[1].append(5)),
    "bytes": (KINDS["bytearray"], put(7, 1)),
    "an object of the notebook": (KINDS["defined"], lambda value: value.rows.append(2)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_in_place_is_undone(keeper: Keeper, change: str):
    make, changed = CHANGES[change]
    space: dict[str, Any] = {"value": make()}
    kept = keeper.keep(space, namespace=space)
    gone_back(keeper, kept, space)
    same = space["value"]
    changed(same)

    back = gone_back(keeper, kept, space)

    assert back.left == ()
    assert space["value"] is not same
    assert keeper.keep(space, namespace=space).groups == kept.groups


def test_equal_strings_in_place_of_the_others_are_the_same(keeper: Keeper):
    space = {"value": strings()}
    kept = keeper.keep(space)
    space["value"][:] = words()

    assert gone_back(keeper, kept, space).left == ("value",)


@pytest.mark.parametrize("change", CHANGES)
def test_one_goes_back_and_forth_between_what_was_kept(keeper: Keeper, change: str):
    make, changed = CHANGES[change]
    space: dict[str, Any] = {"value": make()}
    steps = [keeper.keep(space, namespace=space)]
    changed(space["value"])
    steps.append(keeper.keep(space, namespace=space))

    for at in (0, 1, 0, 1):
        assert gone_back(keeper, steps[at], space).left == ()
        (group,) = keeper.keep(space, namespace=space).groups
        assert group.blobs[1:] == steps[at].groups[0].blobs[1:]
        there = keeper.restore(steps[at], namespace=space).values["value"]
        assert difference(there, space["value"]) == ()


ADDS = "def {name}(x, acc=[]):\n    acc.append(x)\n    return acc"
HELD = {
    "default": (ADDS.format(name="f"), "f(1)", "f(9) == [9]"),
    "closure": (
        "def made():\n    n = [0]\n    def f(): n[0] += 1; return n[0]\n    return f\nf = made()",
        "f()",
        "f() == 1",
    ),
    "defaults": ("def f(x=1): return x", "f.__defaults__ = (5,)", "f() == 1"),
    "attribute": ("def f(): ...\nf.n = 1", "f.n = 7", "f.n == 1"),
    "in a list": (f"{ADDS.format(name='g')}\nf = [g]", "f[0](1)", "f[0](9) == [9]"),
    "setter": (
        "import copyreg\n"
        "def put(o, state): o.x = state\n"
        "class Own:\n    def __reduce__(self): return (Own, (), self.x, None, None, put)\n"
        "f = Own()\nf.x = 1",
        "f.x = 2",
        "f.x == 1",
    ),
    "class": ("class f:\n    w = [0]", "f.w[0] = 5", "f.w == [0]"),
    "looked up": ("scale = 2\ndef f(x): return scale * x", "del scale", "f(3) == 6"),
    "read-only": (
        "import numpy\nf = numpy.zeros(50_000)",
        "f.setflags(write=False)",
        "f.flags.writeable",
    ),
}


@pytest.mark.parametrize("change", HELD)
def test_what_a_function_or_a_class_holds_is_compared(keeper: Keeper, change: str):
    code, then, holds = HELD[change]
    space = namespace(code)
    kept = keeper.keep({"f": space["f"]}, namespace=space)

    exec(then, space)
    gone_back(keeper, kept, space)

    assert eval(holds, space)
