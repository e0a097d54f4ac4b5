"""Members of enumerations of all kinds hold again what they held, or are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import wfnb
from wfnb.values import Keeper

from .notebook import namespace

FLAG = "import enum\nclass Kind(enum.{}):\n    A, B = 1, 2\none = Kind.A | Kind.B\n"
VALUE = """
import enum
class Own:
    def __init__(self): self.rows = [1]
class Kind(enum.Enum):
    A, B = Own(), Own()
one, value = Kind.A, Kind.A.value
"""
REDUCED = """
import enum
class Kind(enum.Enum):
    A, B = [1], 2
    def {}(self, *_): return Kind, (self.value,)
one, value = Kind.A, Kind.A.value
"""
CASES = {
    "several flags": (
        f"{FLAG.format('Flag')}one.note = note = [1]",
        "note.append(2)",
        "one is Kind.A | Kind.B and one.note is note and note == [1]",
    ),
    "several numbers": (
        f"{FLAG.format('IntFlag')}one.note = note = [1]",
        "note.append(2)\none.more = 1",
        "one is Kind(3) and one.note is note and note == [1] and not hasattr(one, 'more')",
    ),
    "a value that equals itself alone": (
        VALUE,
        "value.rows.append(2)",
        "one is Kind.A is Kind(value) and one.value is value and value.rows == [1]"
        " and list(Kind._value2member_map_.values()) == [Kind.A, Kind.B]",
    ),
    "its own __reduce_ex__": (
        REDUCED.format("__reduce_ex__"),
        "value.append(2)",
        "one is Kind.A is Kind([1]) and one.value is value == [1]",
    ),
    "its own __reduce__": (
        REDUCED.format("__reduce__"),
        "value.append(2)",
        "one is Kind.A is Kind([1]) and one.value is value == [1]",
    ),
}


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path, tmp_path / "own")


def data(space: dict[str, Any]) -> list[str]:
    return [name for name in space if not name.startswith("_") and name not in ("enum", "Own")]


@pytest.mark.parametrize("with_class", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_a_member_holds_again_what_it_held(keeper: Keeper, case: str, with_class: bool):
    cell, change, holds = CASES[case]
    space = namespace(cell)
    names = [name for name in data(space) if with_class or name != "Kind"]
    kept = keeper.keep({name: space[name] for name in names}, namespace=space)
    exec(change, space)

    for there in (space, namespace()):
        for _ in range(2):
            _, back = keeper.go_back(kept, namespace=there)
            there.update(back.also | back.values)
            back.give_back()

        assert back.missing == ()
        assert there is not space or set(back.left) == set(names)
        assert eval(holds, there)


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        ("a list", "class Kind(list, enum.Enum):\n    A = [1]"),
        ("a tuple with a list", "class Kind(tuple, enum.Enum):\n    A = ([1],)"),
        ("slots", "class S:\n    __slots__ = ('x',)\nclass Kind(S, enum.Enum):\n    A = 1"),
    ],
)
def test_a_member_that_has_more_than_attributes_is_named(keeper: Keeper, kind: str, cell: str):
    space = namespace("import enum", cell, "one = Kind.A\nbox = [one]")

    kept = keeper.keep({name: space[name] for name in ("Kind", "one", "box")}, namespace=space)

    assert {value.name: value.why_not for value in kept.values} == {
        "Kind": "it is an enumeration whose members hold more than attributes",
        "one": "it is a member of an enumeration that holds more than attributes",
        "box": "it holds a member of an enumeration that holds more than attributes",
    }


@pytest.mark.parametrize(
    "base", ["int", "str", "float", "bytes", "tuple", "datetime.date", "Own", "Data"]
)
def test_a_member_that_is_a_plain_value_too_is_kept(keeper: Keeper, base: str):
    value = {"bytes": "b'a'", "datetime.date": "(2024, 7, 1)", "tuple": "(1, 2)"}.get(base, "1")
    space = namespace(
        "import datetime, dataclasses, enum",
        "class Own:\n    def __init__(self, *_): self.rows = []",
        "@dataclasses.dataclass\nclass Data:\n    x: int",
        f"class Kind({base}, enum.Enum):\n    A = {value}\none = Kind.A",
    )
    before = repr(space["one"])

    kept = keeper.keep({name: space[name] for name in ("Kind", "one")}, namespace=space)
    fresh = namespace()
    _, back = keeper.go_back(kept, namespace=fresh)
    fresh.update(back.also | back.values)

    assert kept.not_kept == ()
    assert fresh["one"] is fresh["Kind"].A
    assert repr(fresh["one"]) == before


def test_a_program_gets_a_member_as_it_was_kept_and_its_own_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    space = namespace(CASES["its own __reduce__"][0])
    one, plain, value = space["one"], space["Kind"].B, space["value"]
    ws = wfnb.open("prices")
    ws.step("A guess", keep={"one": one, "value": value, "plain": plain})
    assert ws.restore(1, "plain")["plain"] is plain
    value.append(2)

    back = ws.restore(1)

    assert back.missing == {}
    assert back["one"].value is back["value"]
    assert (back["value"], one.value) == ([1], [1, 2])
    assert type(back["one"])["B"] is back["plain"]
