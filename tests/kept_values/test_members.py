"""Members of an enumeration are themselves again, and so is what they hold."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from wfnb.values import Keeper

from . import child
from .notebook import keep, namespace, put_back

ENUM = """
from enum import Enum, Flag, IntEnum
class Kind(Enum):
    A = [1]
    B = "b"
    ALSO = "b"
    C = "c"
    def __init__(self, *_): self.seen = []
class Bits(Flag):
    R, W = 1, 2
class Size(IntEnum):
    S = 1
held, a, b, box, both, size = Kind.A.value, Kind.A, Kind.B, {"s": Kind.B.seen}, ~Bits.R, Size.S
"""
ENUM_NAMES = "held", "a", "b", "box", "both", "size"


def holds_as_it_did(space: dict[str, Any]) -> bool:
    kind = type(space["a"])
    return (
        space["a"] is kind.A is kind(space["held"])
        and space["a"].value is space["held"]
        and space["b"] is kind("b")
        and space["b"].seen is space["box"]["s"]
        and (space["held"], space["box"]) == ([1], {"s": []})
        and [*vars(space["b"])] == ["_value_", "_name_", "__objclass__", "seen", "_sort_order_"]
        and space["size"] == 1
        and [one.name for one in space["both"]] == ["W"]
    )


@pytest.mark.parametrize("with_class", [False, True])
def test_what_a_member_of_an_enumeration_holds_is_shared_and_comes_back(
    keeper: Keeper, with_class: bool, tmp_path: Path
):
    space = namespace(ENUM)
    names = ENUM_NAMES + ("Kind",) * with_class
    kept = keep(keeper, space, *names)
    same = [
        one.name for one in keeper.plan(kept, names, namespace=space).names if one.way == "same"
    ]
    assert {*same} == {*names}
    kind = space["Kind"]

    space["held"].append(2)
    space["a"].more = 1
    kind.B.seen = None
    read = keeper.restore(kept, namespace=space)
    assert (kind.A.value, kind.A.more, kind.B.seen) == ([1, 2], 1, None)
    assert {*read.values} == {*names}
    put_back(keeper, kept, space)

    assert holds_as_it_did(space)
    assert type(space["a"]) is space["Kind"]
    assert with_class or space["Kind"] is kind
    (tmp_path / "kept").write_bytes(pickle.dumps(kept))
    said = child.asked(
        """
        import json, pickle, sys
        from pathlib import Path
        from wfnb.values import Keeper
        from tests.kept_values.test_members import holds_as_it_did

        folder = Path(sys.argv[1])
        kept, space = pickle.loads((folder / "kept").read_bytes()), {}
        plan, back = Keeper(folder, folder / "own").go_back(kept, namespace=space)
        space.update(back.also | back.values)
        print(json.dumps([[one.why for one in back.missing], holds_as_it_did(space)]))
        """,
        tmp_path,
    )
    assert said == [[], True]


@pytest.mark.parametrize(
    ("cell", "names", "changed"),
    [
        (ENUM, (*ENUM_NAMES, "Kind"), "held.append(2)"),
        ("class Plain:\n    rows = [1]\none = Plain()", ("Plain", "one"), "Plain.n = 7"),
    ],
)
def test_a_class_that_came_back_is_then_as_it_was_kept(
    keeper: Keeper, cell: str, names: tuple[str, ...], changed: str
):
    space = namespace(cell)
    kept = keep(keeper, space, *names)
    exec(changed, space)
    put_back(keeper, kept, space)

    again = keeper.plan(kept, names, namespace=space).names

    assert {one.name: one.way for one in again} == dict.fromkeys(names, "same")


def test_a_member_that_has_several_names_comes_back_with_all(keeper: Keeper):
    kept = keep(keeper, namespace(ENUM), "Kind")
    space = namespace()

    put_back(keeper, kept, space)

    assert [*space["Kind"].__members__] == ["A", "B", "ALSO", "C"]
    assert space["Kind"]["ALSO"] is space["Kind"].B


def test_a_member_that_was_kept_without_what_it_holds_is_read(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
):
    """As stores have it that are older than that."""
    space = namespace(ENUM)
    with monkeypatch.context() as before:
        before.setattr("wfnb.values.enum_members.is_plain", lambda kind: False)
        kept = keep(keeper, space, "held", "a", "b", "both", "Kind")

    for there in (space, namespace()):
        put_back(keeper, kept, there)

        assert (there["a"], there["b"]) == (there["Kind"].A, there["Kind"].B)
        assert (there["held"], there["a"].value, there["b"].value) == ([1], [1], "b")


def test_a_member_that_is_not_asked_for_holds_what_it_does(keeper: Keeper):
    space = namespace(ENUM)
    kept = keep(keeper, space, "held", "a", "b", "box")
    space["held"].append(2)
    space["b"].seen.append(3)

    _, back = keeper.go_back(kept, ["held", "b"], namespace=space)
    back.give_back()

    assert (back.values["held"], space["a"].value) == ([1], [1, 2])
    assert (space["b"].seen, space["box"]["s"]) == ([], [3])


def test_a_member_is_of_the_class_that_a_cell_defined_again(keeper: Keeper):
    space = namespace(ENUM)
    kept = keep(keeper, space, "held", "a", "b", "box")
    old = space["Kind"]
    exec(ENUM, space)
    old.A.value.append(7)

    put_back(keeper, kept, space)

    assert space["a"] is space["Kind"].A is not old.A
    assert space["a"].value is space["held"]
    assert (space["held"], old.A.value) == ([1], [1, 7])
