"""What a class holds makes steps stale as names do (rule 8): its attributes, those of classes of
libraries, what descriptors keep, and a class that is defined again."""

from pathlib import Path

import pytest

from tests.dataflow.hidden_state.story import Story, stale_steps
from tests.dataflow.kernel import Kernel

CLASS = "class C:\n    k = 1\n    def m(self): return self.k"
FRACTION = (
    "import fractions, numbers\nfrom fractions import Fraction\n"
    "half = Fraction(1, 2)\nclass C: pass"
)
WRAP = "def wrap(old): return lambda self: old(self) + 1\n"
SET_ON_CLASS = {
    "Fraction.wfnb_tried = lambda self: {}": "r = half.wfnb_tried()",
    "fractions.Fraction.wfnb_tried = {}": "r = [each.wfnb_tried for each in [half]]",
    "setattr(Fraction, 'wfnb_tried', {})": "r = getattr(half, 'wfnb_tried')",
    "def to(kind):\n    return lambda f: setattr(kind, 'wfnb_tried', f)\n"
    "@to(Fraction)\ndef f(self): return {}": "r = (half + 1).wfnb_tried()",
    "def put(v): Fraction.wfnb_tried = v\nput({})": "def f(): return half.wfnb_tried\nr = f()",
}
COUNTS = """
class C:
    n = 0
    @classmethod
    def count(cls):
        cls.n += 1
    def count_all(self):
        type(self).n += 1
"""
SETS_AND_GETS = """
    def __set__(self, owner, value): self.{0} = value
    def __get__(self, owner, kind=None): return self.{0} if owner else self
class C:
    x = D()
    def put(self, value): self.x = value
"""
KEEPERS = {
    "a descriptor": ("class D:\n    v = 0" + SETS_AND_GETS.format("v"), "c.x = 5", "r = e.x"),
    "a descriptor, by a method,": (
        "class D:\n    v = 0" + SETS_AND_GETS.format("v"),
        "c.put(5)",
        "r = e.x",
    ),
    "a slot of a descriptor": (
        "class D:\n    __slots__ = ('v',)\n    def __init__(self): self.v = 0"
        + SETS_AND_GETS.format("v"),
        "c.x = 5",
        "r = e.x",
    ),
    "a descriptor that counts": (
        "class D:\n    n = 0\n    def __get__(self, owner, kind=None):\n"
        "        self.n += 1\n        return self.n\nclass C:\n    x = D()",
        "q = c.x",
        "r = e.x",
    ),
    "a method in its default": (
        "class C:\n    def put(self, v, past=[]):\n        past.append(v)\n"
        "        return len(past)",
        "q = c.put(5)",
        "r = e.put(1)",
    ),
    "the function around a property": (
        "def make():\n    s = {}\n    class C:\n        @property\n"
        "        def x(self): return s.get('v', 0)\n        @x.setter\n"
        "        def x(self, v): s['v'] = v\n    return C\nC = make()",
        "c.x = 5",
        "r = e.x",
    ),
}
WEAK = """
import weakref
class K:
    v = 1
    def put(self):
        self.v += 1
k = K()
w = weakref.ref(k)
"""
PATCHED = "class A:\n    p = 1\n    def m(self): return 1\na = A()\nxs = [A(), A()]"
STORIES = {
    "an attribute of a class, by an object": Story(
        {"a": CLASS, "b": "c = C()", "e": "C.k = 3", "d": "r = c.k"},
        ["a", "b", "e", "d", ("e", "C.k = 4")],
        {3, 4},
    ),
    "an attribute of a class, by a method": Story(
        {"a": CLASS, "b": "c = C()", "e": "C.k = 3", "d": "r = c.m()"},
        ["a", "b", "e", "d"] * 2,
        set(),
    ),
    **{
        f"an instance that is changed, and {what} that is not": Story(
            {"a": kind, "b": "p = P([])", "c": "p.l.append(1)"}, ["a", "b", "c", "b"], set()
        )
        for what, kind in {
            "its class": "class P:\n    def __init__(self, l): self.l = l",
            "its named tuple": "from collections import namedtuple\nP = namedtuple('P', 'l')",
            "its typed tuple": "from typing import NamedTuple\nclass P(NamedTuple):\n    l: list",
        }.items()
    },
    "an instance of a class defined again": Story(
        {"a": "class P: pass", "b": "p = P()", "c": "r = isinstance(p, P)"},
        ["a", "b", "c", "a", "c"],
        {3},
    ),
    "an instance of a subclass, and its class defined again": Story(
        {
            "a": "class P: pass",
            "q": "class Q(P): pass",
            "b": "p = Q()",
            "c": "r = isinstance(p, P)",
        },
        ["a", "q", "b", "c", "a", "c"],
        {4},
    ),
    "a member of an enumeration defined again by a cell that is no step": Story(
        {
            "a": "# plain\nimport enum\nclass C(enum.Enum): RED = 1",
            "b": "c = C.RED",
            "c": "r = c == C.RED",
        },
        ["a", "b", "c", "a", "c"],
        {2},
    ),
    "equal to what a dataclass defined again makes": Story(
        {
            "a": "import dataclasses\n@dataclasses.dataclass\nclass P: v: int",
            "b": "p = P(1)",
            "c": "r = p == P(1)",
        },
        ["a", "b", "c", "a", "c"],
        {3},
    ),
    **{
        f"a class that gets {what}": Story(
            {"a": PATCHED, "b": read, "c": patch}, ["a", "b", "c", "b"], {2}
        )
        for what, (patch, read) in {
            "another method": ("A.m = lambda self: 2", "r = a.m()"),
            "a method by a decorator": (
                "def add(cls):\n    return lambda f: setattr(cls, f.__name__, f)\n"
                "@add(A)\ndef m(self): return 2",
                "r = a.m()",
            ),
            "a method in a loop": ("for each in [A]: each.m = lambda self: 2", "r = a.m()"),
            "a property": ("A.p = property(lambda self: 2)", "r = a.p"),
            "another method of what a list holds": (
                "A.m = lambda self: 2",
                "r = [each.m() for each in xs]",
            ),
        }.items()
    },
    **{
        f"a class that {how} changes, of which {what} reads": Story(
            {"a": COUNTS, "b": "a = C()\nb = C()", "c": change, "d": read},
            ["a", "b", "c", "d", "a", "b", "d"],
            {4},
        )
        for how, change in {
            "a method of the class": "a.count()",
            "a method of its object": "a.count_all()",
        }.items()
        for what, read in {"a name of the class": "r = C.n", "another object": "r = b.n"}.items()
    },
    **{
        f"an object that {change} changes through a weak reference, and {read} reads": Story(
            {"a": WEAK, "b": f"r = {read}", "c": change}, ["a", "b", "c", "b"], {2}
        )
        for change in ("w().v += 1", "w().put()", "k.put()")
        for read in ("k.v", "w().v")
    },
    **{
        f"what {keeper} keeps, and an object of the class changes": Story(
            {"a": kind, "b": "c = C()\ne = C()", "d": read, "c": change},
            ["a", "b", "d", "c", "d"],
            {3},
        )
        for keeper, (kind, change, read) in KEEPERS.items()
    },
    **{
        f"what {keeper} keeps, in order": Story(
            {"a": kind, "b": "c = C()\ne = C()", "c": change, "d": read},
            ["a", "b", "c", "d"] * 2,
            set(),
        )
        for keeper, (kind, change, read) in KEEPERS.items()
    },
    "a class that is made anew and was registered": Story(
        {
            "a": "from abc import ABC\nclass A(ABC): pass",
            "b": "class B: pass",
            "c": "A.register(B)",
            "d": "r = isinstance(B(), A)",
        },
        ["a", "b", "c", "d", "b", "d"],
        {4},
    ),
    **{
        f"what is set on a class of a library by {change}": Story(
            {"a": FRACTION, "c": change.format(1), "b": read},
            ["a", "c", "b", ("c", change.format(2))],
            {3},
        )
        for change, read in SET_ON_CLASS.items()
    },
    "two attributes of a class of a library": Story(
        {
            "a": FRACTION,
            "c": "Fraction.wfnb_tried = 1",
            "d": "Fraction.wfnb_other = 1",
            "b": "r = half.wfnb_tried + half.wfnb_other",
            "e": "q = half + 1",
        },
        ["a", "c", "d", "b", "e", ("c", "Fraction.wfnb_tried = 2")],
        {4},
    ),
    "what is set on a class of a library later": Story(
        {"a": FRACTION, "b": "r = hasattr(half, 'wfnb_tried')", "c": "Fraction.wfnb_tried = 1"},
        ["a", "b", "c", "b"],
        {2},
    ),
    "what is set on a class of a library, and deleted": Story(
        {"a": FRACTION, "b": "r = hasattr(half, 'wfnb_tried')", "c": "Fraction.wfnb_tried = 1"},
        ["a", "b", "c", ("c", "Fraction.wfnb_tried = 1\ndel Fraction.wfnb_tried"), "b"],
        set(),
    ),
    **{
        f"what is set on a class of a library, in a step run twice that {does}": Story(
            {"a": FRACTION, "c": "Fraction.wfnb_tried = lambda self: 1", "b": code},
            ["a", "c", "b", "b"],
            stale,
        )
        for does, stale, code in (
            ("calls it first", {3}, "r = half.wfnb_tried()\nFraction.wfnb_tried = lambda self: 2"),
            ("wraps it", {3}, f"{WRAP}Fraction.wfnb_tried = wrap(Fraction.wfnb_tried)"),
            (
                "calls it later",
                set(),
                "Fraction.wfnb_tried = lambda self: 2\nr = half.wfnb_tried()",
            ),
            (
                "sets it in a function",
                set(),
                "def put(): Fraction.wfnb_tried = 2\nput()\nr = half.wfnb_tried",
            ),
        )
    },
    "what is deleted from a class of a library, and is set no more": Story(
        {"a": FRACTION, "c": "Fraction.wfnb_tried = 1", "d": "del Fraction.wfnb_tried"},
        ["a", "c", "d", ("c", "pass")],
        {3},
    ),
    "what a function of another cell sets on a class of a library": Story(
        {
            "a": f"{FRACTION}\ndef put(): Fraction.wfnb_tried = 2",
            "b": "put()\nr = half.wfnb_tried",
        },
        ["a", "b", "b"],
        set(),
    ),
    "what a function of another cell sets on a class of a library, that was asked for": Story(
        {
            "a": f"{FRACTION}\ndef put(): Fraction.wfnb_tried = 2",
            "b": "r = hasattr(half, 'wfnb_tried')\nput()",
        },
        ["a", "b", "b"],
        {2},
    ),
    "what is set on a class of a library that is not known yet": Story(
        {
            "c": "import fractions as q\nsetattr(q.Fraction, 'wfnb_tried', 1)",
            "b": "from fractions import Fraction\nr = hasattr(Fraction(1, 2), 'wfnb_tried')",
        },
        ["c", "b", ("c", "import fractions as q\nsetattr(q.Fraction, 'wfnb_tried', 2)")],
        {2},
    ),
    **{
        f"a class that {base} is told of": Story(
            {
                "a": f"{FRACTION}\nfrom abc import ABC\nclass Known(ABC): pass",
                "b": f"def f(): return isinstance(C(), {base})\nr = f()",
                "c": f"{base}.register(C)",
            },
            ["a", "b", "c", "b"],
            {2},
        )
        for base in ("Known", "numbers.Number")
    },
}


@pytest.mark.parametrize("name", STORIES)
def test_state_of_a_class_makes_a_step_stale(kernel: Kernel, tmp_path: Path, name: str):
    story = STORIES[name]

    found = stale_steps(kernel, tmp_path, story)

    assert found.keys() == story.stale, found
