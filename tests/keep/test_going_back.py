"""Going back replaces what has changed, and leaves the very same objects where nothing has."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import TypeAdapter

from wfnb.core.kept import Kept, size_of
from wfnb.errors import StoreForeign
from wfnb.keep import Keeper, Restored, atoms, difference
from wfnb.keep.room import LARGE, content
from wfnb.keep.store import Store

from .notebook import namespace

MANY = 40_000


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path, tmp_path / "own")


def words(mark: str = "word") -> list[str]:
    return [f"{mark} {number}" for number in range(MANY)]


def strings() -> Any:
    return np.array(words(), dtype=object)


def frame() -> pd.DataFrame:
    when = pd.date_range("2024", periods=MANY, freq="s", tz="UTC")
    columns = {"word": pd.Series(words(), dtype=object), "x": np.arange(MANY * 1.0), "when": when}
    return pd.DataFrame(
        {**columns, "text": words("text"), "kind": pd.Categorical(["a", "b"] * 20_000)}
    )


def gone_back(keeper: Keeper, kept: Kept, space: dict[str, Any], *names: str) -> Restored:
    """As a notebook does: what came back is put there."""
    plan, back = keeper.go_back(kept, names or None, namespace=space)
    left = {entry.name for entry in plan.names if entry.way == "same"}
    assert left == set(back.left)
    space.update(back.also | back.values)
    back.give_back()
    return back


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


def test_nothing_of_what_stays_is_read(keeper: Keeper, monkeypatch: pytest.MonkeyPatch):
    space: dict[str, Any] = {"frame": frame(), "n": [1]}
    kept = keeper.keep(space)
    read = []
    monkeypatch.setattr(Store, "read", lambda store, blob: read.append(blob))

    gone_back(keeper, kept, space)

    assert read == []


def set_word(value: Any) -> None:
    value.loc[3, "word"] = "another"


def set_number(value: Any) -> None:
    value.loc[3, "x"] = -1.0


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


def test_what_has_changed_takes_the_strings_that_have_not_from_what_is_there(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
):
    space = {
        "value": pd.DataFrame(
            {"word": pd.Series(strings(), dtype=object), "x": np.arange(MANY * 1.0)}
        )
    }
    kept = keeper.keep(space)
    first, was = space["value"], space["value"].copy(deep=True)
    set_number(first)
    blobs, read = list[str](), Store.read
    monkeypatch.setattr(Store, "read", lambda store, blob: blobs.append(blob) or read(store, blob))

    gone_back(keeper, kept, space)
    set_word(first)

    assert [size_of(blob) for blob in kept.blobs() if blob not in blobs] == [
        len(atoms.written(strings()))
    ]
    pd.testing.assert_frame_equal(space["value"], was)


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


def test_two_names_that_have_become_one_object_come_back_as_two(keeper: Keeper):
    space = {"a": [1], "b": [1]}
    kept = keeper.keep(space)
    space["b"] = space["a"]

    gone_back(keeper, kept, space)

    assert space == {"a": [1], "b": [1]}
    assert space["a"] is not space["b"]


@pytest.mark.parametrize("kind", ["int(3)", "str('x')", "tuple((1,))", "frozenset((1,))"])
def test_an_object_with_attributes_is_one_and_changes_also_where_its_base_never_does(
    keeper: Keeper, kind: str
):
    base, content = kind.split("(", 1)
    space = namespace(f"class T({base}): pass\nt = T({content}", "box, apart = [t], T(t)")
    kept = keeper.keep({name: space[name] for name in ("t", "box", "apart")}, namespace=space)
    assert len(kept.groups) == 2
    assert set(gone_back(keeper, kept, space).left) == {"t", "box", "apart"}

    space["t"].n = 5
    gone_back(keeper, kept, space)
    assert space["box"][0] is space["t"]
    assert vars(space["t"]) == {}

    space["apart"] = space["t"]
    gone_back(keeper, kept, space)
    assert space["apart"] is not space["t"]


def test_one_object_that_has_become_two_comes_back_as_one(keeper: Keeper):
    shared = [1]
    space = {"a": shared, "b": shared}
    kept = keeper.keep(space)
    space["b"] = [1]

    gone_back(keeper, kept, space)

    assert space["a"] is space["b"]


def test_two_arrays_that_have_become_one_memory_come_back_as_two(keeper: Keeper):
    space = {"a": np.zeros(MANY), "b": np.zeros(MANY), "c": np.zeros(4), "d": [np.zeros(4)]}
    kept = keeper.keep(space)
    space["b"], space["d"][0] = space["a"][:], space["c"][:]

    gone_back(keeper, kept, space)
    space["b"][0] = space["d"][0][0] = 1

    assert (space["a"].sum(), space["c"].sum()) == (0, 0)


def views(frame: pd.DataFrame) -> dict[str, Any]:
    return {"frame": frame, "x": frame["x"], "rest": frame["x"].to_numpy()[9:]}


def test_parts_of_a_frame_that_were_parts_when_they_were_kept_stay(keeper: Keeper):
    space = views(frame())
    kept = keeper.keep(space)

    assert set(gone_back(keeper, kept, space).left) == {*space}


def test_parts_of_an_array_that_were_none_when_they_were_kept_come_back_as_none(keeper: Keeper):
    array = np.zeros(MANY)
    space = {"array": array, "first": array[:9], "last": array[9:]}
    kept = keeper.keep({name: value.copy() for name, value in space.items()})
    for _ in range(2):
        assert keeper.keep(space).groups == kept.groups

    gone_back(keeper, kept, space)
    space["array"][:] = 1

    assert space["first"].sum() == space["last"].sum() == 0


def test_a_later_kernel_tells_arrays_that_were_one_memory_from_those_that_have_become_one(
    keeper: Keeper, tmp_path: Path
):
    array = np.zeros(MANY)
    whole = {"array": array, "first": array[:9], "last": [array[9:], array[::-1]], "apart": [1]}
    parted = {"array": array, "first": array[:9].copy(), "last": [array[9:].copy(), array.copy()]}
    adapter = TypeAdapter(Kept)
    then = [keeper.keep(space, namespace=space) for space in (whole, parted)]
    shared, apart = (adapter.validate_json(adapter.dump_json(kept)) for kept in then)
    assert shared.groups[:3] == apart.groups

    later, elsewhere = Keeper(tmp_path, tmp_path / "own"), np.zeros(MANY + 2)[1:-1]
    space = {"array": elsewhere, "first": elsewhere[:9], "apart": [1]}
    space["last"] = [elsewhere[9:], elsewhere[::-1]]
    later.keep({name: space[name] for name in parted}, namespace=space)

    assert set(gone_back(later, shared, dict(space)).left) == {*whole}
    assert gone_back(later, replace(shared, memory=()), dict(space)).left == ("apart",)
    assert gone_back(later, apart, dict(space)).left == ()
    space["first"] = elsewhere[8::-1]
    assert gone_back(later, shared, space).left == ("apart",)
    space["array"][:] = 1
    assert space["first"].sum() == space["last"][0].sum() == 0


def test_what_has_changed_in_an_array_is_undone_in_its_parts(keeper: Keeper):
    array = np.zeros(MANY)
    space = {"array": array, "first": array[:9], "last": array[9:]}
    kept = keeper.keep(space)
    array[3] = 1

    back = gone_back(keeper, kept, space)

    assert back.left == ("last",)
    assert space["array"].sum() == space["first"].sum() == 0


def test_a_name_alone_shares_nothing_with_another_that_was_kept_apart(keeper: Keeper):
    space = {"a": [1], "b": [1], "c": np.zeros(9), "d": np.zeros(9)}
    kept = keeper.keep(space)
    space["b"], space["d"] = space["a"], space["c"][:]

    gone_back(keeper, kept, space, "a", "c")
    space["b"].append(2)
    space["d"][0] = 1

    assert space["a"] == [1]
    assert space["c"].sum() == 0


def test_what_is_lost_from_the_store_is_said_to_be_so_also_where_it_is_there(
    keeper: Keeper, tmp_path: Path
):
    space = {"a": [1], "b": [2]}
    kept = keeper.keep(space)
    (tmp_path / "values" / kept.groups[0].blobs[0]).unlink()

    back = gone_back(keeper, kept, space)

    assert [one.name for one in back.missing] == ["a"]
    assert (back.left, space) == (("b",), {"a": [1], "b": [2]})


def test_what_another_user_kept_is_refused_only_where_it_would_be_read(tmp_path: Path):
    space: dict[str, Any] = {"a": [1]}
    kept = Keeper(tmp_path, tmp_path / "his").keep(space)
    mine = Keeper(tmp_path, tmp_path / "mine")

    assert gone_back(mine, kept, space).left == ("a",)
    with pytest.raises(StoreForeign):
        gone_back(mine, kept, {"a": [2]})


def test_what_is_remembered_of_an_array_goes_with_it(keeper: Keeper):
    gc.collect()
    before = len(atoms._written)
    space = {"value": strings()}
    keeper.keep(space)
    assert len(atoms._written) == before + 1

    space.clear()
    gc.collect()

    assert len(atoms._written) == before


def test_strings_that_are_remembered_are_written_again_where_their_file_is_gone(keeper: Keeper):
    space = {"value": strings()}
    kept = keeper.keep(space)
    keeper.gc(tuple)

    assert keeper.keep(space) == kept

    assert keeper.restore(kept).values["value"].tolist() == words()


@pytest.mark.parametrize("size", [10, LARGE + 10, 2 * LARGE])
@pytest.mark.parametrize("had", [0, 4, 9, 10])
def test_a_file_is_read_as_far_as_it_goes(tmp_path: Path, size: int, had: int):
    there = os.urandom(size * had // 10)
    (tmp_path / "file").write_bytes(there)
    file = os.open(tmp_path / "file", os.O_RDONLY)
    try:
        found, count = content(file, size)
    finally:
        os.close(file)

    assert (len(found), count) == (size, len(there))
    assert bytes(found)[:count] == there


def test_a_large_array_that_comes_back_is_its_own(keeper: Keeper, tmp_path: Path):
    space: dict[str, Any] = {"a": np.zeros(LARGE // 4)}
    kept = keeper.keep(space)
    space["a"] = None
    gone_back(keeper, kept, space)
    first = space["a"]
    first[:] = 1

    gone_back(keeper, kept, space)

    assert (space["a"].sum(), first.sum()) == (0, first.size)


HELD = {
    "default": ("def f(x, acc=[]):\n    acc.append(x)\n    return acc", "f(1)", "f(9) == [9]"),
    "closure": (
        "def made():\n    n = [0]\n    def f(): n[0] += 1; return n[0]\n    return f\nf = made()",
        "f()",
        "f() == 1",
    ),
    "defaults": ("def f(x=1): return x", "f.__defaults__ = (5,)", "f() == 1"),
    "attribute": ("def f(): ...\nf.n = 1", "f.n = 7", "f.n == 1"),
    "in a list": (
        "def g(x, acc=[]): acc.append(x); return acc\nf = [g]",
        "f[0](1)",
        "f[0](9) == [9]",
    ),
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
