"""Functions and classes of the notebook come back, in the user's namespace."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path
from typing import Any

import pytest

from wfnb.core.kept import Kept
from wfnb.keep import Keeper

from . import child
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
    restored.give_back()


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


def test_functions_and_what_classes_hold_are_shared_again(keeper: Keeper):
    space = namespace(
        """
        def f(): return g()
        def g(): return 1
        handlers, weights = {"f": f}, {f: 1}
        class Reg:
            items = []
            def add(self, one): self.items.append(one)
        reg, items, add = Reg(), Reg.items, Reg.add
        """
    )
    kept = keep(keeper, space, "reg", "handlers", "items", "f", "g", "weights", "Reg", "add")
    assert {kept.members(place) for place in range(len(kept.groups))} == {
        ("items", "Reg", "add"),
        ("reg",),
        ("handlers", "f", "weights"),
        ("g",),
    }
    space["items"].append(1)
    fresh = namespace()
    for there in (space, fresh):
        put_back(keeper, kept, there)

        assert there["handlers"]["f"] is there["f"]
        assert there["f"] in there["weights"]
        assert there["Reg"].items is there["items"]
        assert there["reg"].items is there["items"]
        assert there["Reg"].add is there["add"]
        assert (there["items"], there["f"]()) == ([], 1)


def test_a_builtin_method_is_kept_with_the_object_it_is_of(keeper: Keeper):
    space = namespace(
        """
        from random import Random
        rows, rng, table, alone = [], Random(1), {"a": 1}, [len, dict.fromkeys]
        push, rnd, ask, same = rows.append, rng.random, [table.get], [len, dict.fromkeys]
        """
    )
    names = "rows", "rng", "table", "alone", "push", "rnd", "ask", "same"
    kept = keep(keeper, space, *names)
    pairs = [("rows", "push"), ("rng", "rnd"), ("table", "ask"), ("alone",), ("same",)]
    assert sorted(map(kept.members, range(len(kept.groups)))) == sorted(pairs)
    space["push"](1)

    put_back(keeper, kept, space)

    assert space["push"].__self__ is space["rows"]
    assert space["rows"] == []
    assert space["rnd"].__self__ is space["rng"]
    assert space["ask"][0].__self__ is space["table"]


def test_a_named_tuple_of_the_notebook_comes_back_in_a_fresh_kernel(keeper: Keeper, tmp_path: Path):
    cell = "from typing import NamedTuple\nclass Point(NamedTuple):\n    x: int = 1"
    kept = keep(keeper, namespace(cell, "p = Point(3)"), "p")
    (tmp_path / "kept").write_bytes(pickle.dumps(kept))

    said = child.asked(
        """
        import json, pickle, sys
        from pathlib import Path
        from wfnb.keep import Keeper

        folder = Path(sys.argv[1])
        kept = pickle.loads((folder / "kept").read_bytes())
        back = Keeper(folder, folder / "own").restore(kept)
        print(json.dumps([repr(back.values.get("p")), [one.why for one in back.missing]]))
        """,
        tmp_path,
    )

    assert said == ["Point(x=3)", []]


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
        from wfnb.keep import Keeper
        from tests.keep.test_defined import holds_as_it_did

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
        before.setattr("wfnb.keep.members.is_plain", lambda kind: False)
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


def test_a_method_of_an_object_that_a_function_uses_is_not_copied_with_it(keeper: Keeper):
    space = namespace(
        """
        from math import floor
        class Own:
            made = []
            def note(self): return self
            @classmethod
            def make(cls): return cls.made
        rows, own = [1], Own()
        push, note, make = rows.append, own.note, Own.make
        def f(x):
            push(floor(x))
            return note(), make()
        """
    )
    alone, both = keep(keeper, space, "f"), keep(keeper, space, "f", "rows", "push")

    assert alone.values[0].needs == ("note", "push")
    assert both.values[0].needs == ("note",)
    fresh = namespace()
    assert set(keeper.restore(alone, namespace=fresh).also) == {"floor", "make", "Own"}
    put_back(keeper, both, fresh)
    fresh["note"] = dict
    assert (fresh["f"](2.5), fresh["rows"]) == (({}, []), [1, 2])


def test_a_list_that_a_method_adds_to_since_is_read_again(keeper: Keeper):
    space = namespace("rows, more = [], []\npush = more.append")
    kept = keep(keeper, space, "rows", "push")
    space["push"] = space["rows"].append

    plan, back = keeper.go_back(kept, namespace=space)

    assert [entry.way for entry in plan.names[:2]] == ["replaces", "replaces"]
    assert back.values["push"].__self__ is not back.values["rows"]


CLASSES = """
from dataclasses import dataclass, field
from enum import Enum
class Colour(Enum):
    RED = 1
    @property
    def name_of(self): return self.name
@dataclass(frozen=True)
class Run:
    n: int = 3
    tags: tuple = field(default=())
    def more(self, by=1): return [n for n in range(self.n)]
class Own:
    __slots__ = ("x",)
    kinds = {"a": Run}
    def __init__(self): self.x = Run(5)
    def __eq__(self, other): return type(self) is type(other) and self.x == other.x
    @classmethod
    def make(cls): return cls()
"""


def test_objects_are_of_the_class_that_a_cell_defined_again(keeper: Keeper):
    before = namespace(CLASSES, "colour, run, own = Colour.RED, Run(1), Own()")
    kept = keep(keeper, before, "colour", "run", "own")
    for space in (before, namespace()):
        exec(compile(CLASSES, "another cell", "exec"), space)

        restored = keeper.restore(kept, namespace=space)

        assert restored.classes == ()
        assert restored.values["colour"] is space["Colour"].RED
        assert restored.values["run"] == space["Run"](1)
        assert restored.values["own"] == space["Own"]()


def test_in_another_kernel_too(keeper: Keeper, tmp_path: Path):
    before = namespace(CLASSES, "colour, run, own = Colour.RED, Run(1), Own()")
    kept = keep(keeper, before, "colour", "run", "own")
    (tmp_path / "kept").write_bytes(pickle.dumps(kept))

    said = child.asked(
        """
        from __future__ import annotations  # as in the module that made the others
        import json, pickle, sys
        from pathlib import Path
        from wfnb.keep import Keeper

        folder = Path(sys.argv[1])
        exec(sys.argv[2])
        kept = pickle.loads((folder / "kept").read_bytes())
        back = Keeper(folder, folder / "own").restore(kept)
        there = back.values
        print(json.dumps([
            there["colour"] is Colour.RED, there["run"] == Run(1), there["own"] == Own(),
            [str(one) for one in back.missing], list(back.also), list(back.classes),
        ]))
        """,
        tmp_path,
        CLASSES,
    )

    assert said == [True, True, True, [], [], []]


def test_a_class_of_another_definition_is_left_and_named(keeper: Keeper):
    before = namespace(CLASSES, "run = Run(1)")
    kept = keep(keeper, before, "run")
    space = namespace(CLASSES.replace("n: int = 3", "n: int = 4"))
    own = space["Run"]

    restored = keeper.restore(kept, namespace=space)

    assert restored.classes == ("Run",)
    assert (space["Run"], restored.also) == (own, {})
    assert type(restored.values["run"])().n == 3


def test_a_class_that_is_asked_for_comes_back_as_it_was(keeper: Keeper):
    space = namespace("class Conf:\n    size = 3\n    def hi(self): return 'old'\nconf = Conf()")
    kept = keep(keeper, space, "conf", "Conf")
    now = space["Conf"]
    exec("Conf.size = 99\nConf.hi = lambda self: 'new'\nother = Conf()", space)

    put_back(keeper, kept, space)

    assert (space["Conf"].size, space["conf"].hi()) == (3, "old")
    assert type(space["conf"]) is space["Conf"]
    assert (space["other"].hi(), now.size) == ("new", 99)
    assert keeper.restore(kept, namespace=space).values["Conf"] is space["Conf"]


@pytest.mark.parametrize(
    ("content", "change"),
    [
        ("table = np.arange(3)", "Conf.table[0] = 7"),
        ("rows = [{'a': [1]}]", "Conf.rows[0]['a'].append(2)"),
        ("part = None", "Conf.part = Conf"),
        ("own = Own(1)", "Conf.own.n = 2"),
    ],
)
def test_what_changed_in_a_class_that_is_asked_for_comes_back(
    keeper: Keeper, content: str, change: str
):
    space = namespace(
        "import numpy as np\nclass Own:\n    def __init__(self, n): self.n = n",
        f"class Conf:\n    {content}",
        "conf = Conf()",
    )
    name = content.partition(" ")[0]
    before = repr(vars(space["Own"](1))) if name == "own" else repr(getattr(space["Conf"], name))
    kept = keep(keeper, space, "Conf")
    exec(change, space)

    put_back(keeper, kept, space)

    after = getattr(space["Conf"], name)
    assert (repr(vars(after)) if name == "own" else repr(after)) == before


def test_what_is_a_secret_is_not_kept_with_a_function_that_uses_it(keeper: Keeper, tmp_path: Path):
    space = namespace(
        "API_KEY, RATE = 'hunter2', 3\ndef call():\n    return API_KEY, RATE",
        "class Own:\n    def call(self):\n        return API_KEY\nown = Own()",
    )

    kept = keep(keeper, space, "call", "own")

    assert [value.needs for value in kept.values] == [("API_KEY",), ("API_KEY",)]
    files = [path.read_bytes() for path in (tmp_path / "values").iterdir()]
    assert not any(b"hunter2" in content for content in files)
    assert {one.way for one in keeper.plan(kept, namespace=space).names} == {"same"}
    fresh = namespace("API_KEY = 'other'")
    put_back(keeper, kept, fresh)
    assert fresh["call"]() == ("other", 3)


@pytest.mark.parametrize("method", ["__reduce__", "__getstate__"])
@pytest.mark.parametrize("error", ["SystemExit('no')", "GeneratorExit"])
def test_a_value_that_exits_while_it_is_pickled_is_named(keeper: Keeper, method: str, error: str):
    space = namespace(f"class Bad:\n    def {method}(self): raise {error}\nbad, good = Bad(), [1]")

    kept = keep(keeper, space, "bad", "good")

    assert kept.names == ("good",)
    assert "it cannot be pickled" in str(kept.values[0].why_not)


def test_a_value_that_exits_while_it_is_described_is_kept(tmp_path: Path):
    said = child.asked(
        """
        import json, sys
        from pathlib import Path
        from wfnb.keep import Keeper

        class Bad:
            def __repr__(self): raise SystemExit("no")

        kept = Keeper(Path(sys.argv[1]), Path(sys.argv[1]) / "own").keep({"bad": Bad()})
        print(json.dumps([(value.name, value.says, value.why_not) for value in kept.values]))
        """,
        tmp_path,
    )

    assert said == [["bad", "", None]]


def test_a_value_that_exits_while_it_is_read_is_named(keeper: Keeper):
    space = namespace(
        "class Bad:\n    n = 1\n    def __setstate__(self, state): raise SystemExit('no')\n"
        "bad, good = Bad(), [1]\nbad.m = 2"
    )
    kept = keep(keeper, space, "bad", "good")

    restored = keeper.restore(kept, namespace=space)

    assert restored.values == {"good": [1]}
    assert restored.missing[0].why == "it cannot be read here (SystemExit: no)"


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
