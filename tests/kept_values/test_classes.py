"""Classes of the notebook come back with their objects, or stay where they are there."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path

import pytest

from wfnb.core.kept_values import KeptValues
from wfnb.values import Keeper

from . import child
from .notebook import keep, namespace, put_back


def test_a_class_comes_along_with_its_objects(keeper: Keeper):
    kept = keep(
        keeper, namespace("class Own:\n    def two(self):\n        return 2\nx = Own()"), "x"
    )
    gc.collect()  # the class is gone, as in another kernel
    fresh = namespace()

    put_back(keeper, kept, fresh)

    assert type(fresh["x"]) is fresh["Own"]
    assert fresh["Own"]().two() == 2


def test_a_class_that_is_made_anew_has_its_attributes_in_their_order(keeper: Keeper):
    space = namespace("class Own:\n    zeta = 1\n    def alpha(self): ...\n    beta = [2]")
    kept = keep(keeper, space, "Own")
    del space
    gc.collect()  # the class is gone, as in another kernel
    fresh = namespace()

    put_back(keeper, kept, fresh)

    assert [name for name in vars(fresh["Own"]) if name[:1] != "_"] == ["zeta", "alpha", "beta"]


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


def test_a_named_tuple_of_the_notebook_comes_back_in_a_fresh_kernel(keeper: Keeper, tmp_path: Path):
    cell = "from typing import NamedTuple\nclass Point(NamedTuple):\n    x: int = 1"
    kept = keep(keeper, namespace(cell, "p = Point(3)"), "p")
    (tmp_path / "kept").write_bytes(pickle.dumps(kept))

    said = child.asked(
        """
        import json, pickle, sys
        from pathlib import Path
        from wfnb.values import Keeper

        folder = Path(sys.argv[1])
        kept = pickle.loads((folder / "kept").read_bytes())
        back = Keeper(folder, folder / "own").restore(kept)
        print(json.dumps([repr(back.values.get("p")), [one.why for one in back.missing]]))
        """,
        tmp_path,
    )

    assert said == ["Point(x=3)", []]


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
        from wfnb.values import Keeper

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


READS = """
import math
LIMIT = 2
def clean(word): return word[: math.floor(LIMIT)].lower()
class Word:
    def __init__(self, word): self.word = word
    def __hash__(self): return hash(clean(self.word))
    def __eq__(self, other): return clean(self.word) == clean(other.word)
    def __setstate__(self, state): self.__init__(state["word"][:LIMIT] + "!")
    def __reduce__(self): return made, (self.word,)
def made(word): return Word(clean(word))
"""
"""Code that runs as a pickle is read, and looks up names of the notebook."""


def kept_elsewhere(keeper: Keeper, name: str, *cells: str) -> KeptValues:
    """As in another kernel: its classes are gone."""
    kept = keep(keeper, namespace(*cells), name)
    gc.collect()
    return kept


@pytest.mark.parametrize("way", ["__hash__", "__setstate__", "__reduce__"])
def test_code_that_runs_as_it_is_read_finds_what_it_looks_up(keeper: Keeper, way: str):
    others = {"__setstate__", "__reduce__"} - {way}
    unset = "\n".join(f"del Word.{name}" for name in sorted(others))
    kept = kept_elsewhere(keeper, "words", READS, unset, "words = {Word('Abc'): 1}")
    fresh = namespace()

    put_back(keeper, kept, fresh)

    (word,) = fresh["words"]
    assert word.word == {"__hash__": "Abc", "__setstate__": "Ab!", "__reduce__": "ab"}[way]
    assert fresh["words"][fresh["Word"]("ABX")] == 1


def test_what_comes_back_with_it_counts_and_not_what_is_there(keeper: Keeper):
    space = namespace(READS, "del Word.__setstate__, Word.__reduce__\nwords = {Word('Abc'): 1}")
    kept = keep(keeper, space, "words", "clean", "Word")
    exec("def clean(word): return word.upper()", space)

    put_back(keeper, kept, space)

    assert space["words"][space["Word"]("ABX")] == 1


def test_what_could_not_be_read_leaves_nothing_behind(keeper: Keeper):
    unread = READS.replace('LIMIT] + "!"', "OPEN[0]]")
    kept = kept_elsewhere(
        keeper, "words", unread, "OPEN = [1]\ndel Word.__reduce__\nwords = [Word('Abc')]"
    )
    fresh = namespace("LIMIT = 7")
    before = dict(fresh)

    (lost,) = keeper.restore(kept, namespace=fresh).missing

    assert (lost.name, "'OPEN' is not defined" in lost.why) == ("words", True)
    assert fresh == before


REGISTRIES = {
    "a metaclass that notes each class": """
        class Reg(type):
            seen = []
            def __init__(cls, *given):
                super().__init__(*given)
                Reg.seen.append(cls.__name__)
        class Own(metaclass=Reg): pass
        class Other(Own): pass
        def told(): return Reg.seen
        """,
    "a metaclass that makes each class otherwise": """
        import abc
        seen = []
        class Reg(abc.ABCMeta):
            def __new__(cls, name, *given):
                seen.append(name)
                return super().__new__(cls, name, *given)
        class Own(metaclass=Reg):
            @abc.abstractmethod
            def two(self): pass
        def told(): return seen, Own.__abstractmethods__ == {"two"}
        """,
    "a base that is told of each class": """
        class Base:
            seen = []
            def __init_subclass__(cls, **more):
                super().__init_subclass__(**more)
                Base.seen.append(cls.__name__)
        class Own(Base): pass
        class Other(Own): pass
        def told(): return Base.seen
        """,
    "a base that has to be told more": """
        class Base:
            def __init_subclass__(cls, /, kind, **more):
                super().__init_subclass__(**more)
                cls.kind = kind
        class Own(Base, kind="x"): pass
        def told(): return Own.kind
        """,
    "a generic base": """
        from typing import Generic, TypeVar
        T = TypeVar("T")
        class Base(Generic[T]):
            seen = []
            def __init_subclass__(cls, **more):
                super().__init_subclass__(**more)
                Base.seen.append(cls.__name__)
        class Own(Base[T]): pass
        def told(): return Base.seen, Own[int].__args__, len(Own.__parameters__)
        """,
}


@pytest.mark.parametrize("code", REGISTRIES.values(), ids=REGISTRIES)
def test_what_was_done_when_a_class_was_defined_is_not_done_again(keeper: Keeper, code: str):
    space = namespace(code)
    names = [name for name in space if not name.startswith("__") and name not in ("abc", "T")]
    before = space["told"]()
    kept = keep(keeper, space, *names)
    space.clear()
    gc.collect()  # the classes are gone, as in another kernel
    fresh = namespace()

    put_back(keeper, kept, fresh)

    assert fresh["told"]() == before
    # A class that is defined now is told of, as ever.
    if "Base" in fresh and "seen" in vars(fresh["Base"]):
        type("Late", (fresh["Base"],), {})
        assert fresh["Base"].seen[-1] == "Late"
