"""Compiled functions and live values, and what running them may do to global names."""

import collections
import functools
import itertools
import operator
import sys
import types
from collections import deque
from dataclasses import replace
from typing import Any

import pytest

from wfnb.dataflow.bytecode_effects import Uses, codes, may_store, reach, uses
from wfnb.dataflow.module_attribute_mentions import SHOWS

SOURCE = """
import functools

def reads(p):
    return [a for q in p if b] + (lambda: c)()
def writes():
    global a, b
    a = 1
    del b
def changes(p, q, /, r, *rest, k=1, **more):
    x.append(1); y["a"] = 2; z.a.b = 3; w += [1]
    p["a"] = 1
    r.a.pop()
    rest[0].sort()
    k[0] += 1
    more["a"].clear()

def global_augmented():
    global w
    w += [1]
def loops(rows, other):
    for row in rows:
        row["a"] = 1
    for one, two in enumerate(other):
        print(one, two)
def copies(p):
    p = p.copy()
    p["a"] = 1
    return p
def closes(p):
    def inner():
        p.append(1)
        y.sort()
    return inner
def defines():
    class Inner:
        a = 1
        b = a + c
    return Inner

def used():
    return target
def decorated(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper
class Plain:
    def method(self):
        return target
class Slotted:
    __slots__ = ("held",)
class Child(Plain):
    pass
class Property:
    @property
    def value(self):
        return target
class Static:
    @staticmethod
    def value():
        return target
class Evil:
    def __getattribute__(self, name):
        raise SystemExit
    def __eq__(self, other):
        raise SystemExit
    def __hash__(self):
        raise SystemExit
    @property
    def __dict__(self):
        raise SystemExit
    @property
    def __class__(self):
        raise SystemExit
    def __iter__(self):
        raise SystemExit
    def method(self):
        return target
class EvilMeta(type):
    def __getattribute__(cls, name):
        raise SystemExit
    def __subclasscheck__(cls, other):
        raise SystemExit
    def __eq__(cls, other):
        raise SystemExit
    __hash__ = type.__hash__
class EvilClass(metaclass=EvilMeta):
    def method(self):
        return target
def generate():
    yield target
"""


@pytest.fixture(scope="module")
def notebook() -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(SOURCE.replace("; w += [1]", ""), namespace)
    return namespace


def _effects(code: types.CodeType) -> Uses:
    """What code does, whatever it is called, names and calls."""
    nothing = dict.fromkeys(("names", "calls", "sets", "bare"), frozenset[str]())
    return replace(uses(code), **nothing, name="")


SETS = {
    "lib.begin()": {("lib", "begin")},
    "lib.begin(a, b=1)": {("lib", "begin")},
    "lib.begin(*a)": {("lib", "begin")},
    "begin(1)": {("begin", "")},
    "x = lib.begin()": set(),
    "x = lib.set_seed(1)": {("lib", "set_seed")},
    "import lib.sub as s\n s.begin()": {("", "lib.sub.begin")},
    "import lib.sub\n lib.sub.flag = 1": {("", "lib.sub.flag")},
    "from lib import flags\n flags['a'] = 1": {("", "lib.flags")},
    "from . import own\n own.flag = 1": set(),
    "lib.getLogger().setLevel(1)": {("lib", "getLogger.setLevel")},
    "log = lib.getLogger()\n log.disabled = True": {("lib", "getLogger.disabled")},
    "del lib.flags['a']": {("lib", "flags")},
    "setattr(lib, 'flag', 1)": {("lib", ""), ("setattr", "")},
    "log = lib.getLogger()\n log.info('x')": set(),
    "lib.makedirs('x')\n lib.sleep(1)\n print(1)": set(),
    "x = lib.Figure()\n x.set_title('a')\n x.size = 1\n x.draw()": set(),
    "a.set_title('a')\n a.flag = 1\n a.use()": set(),
    "with warnings.catch_warnings():\n  warnings.simplefilter('ignore')": set(),
}
"""Bodies of a function of `a`, and what of outside they may set."""


@pytest.mark.parametrize("body", SETS)
def test_a_compiled_function_shows_what_it_may_set(body: str):
    names: dict[str, Any] = {}
    exec(f"def f(a):\n {body}", names)

    assert uses(names["f"].__code__).sets == SETS[body]


OBJECTS = {
    "return lib.rate": ("lib.rate", ""),
    "lib.rate = 1": ("", ""),
    "return vars(lib)": ("", "vars lib"),
    "return lib.__dict__": ("lib.__dict__", "lib"),
    "import lib.sub as s\n return s.rate": (".lib.sub .lib.sub.rate", ""),
    "from lib import rate as r\n return r": (".lib.rate", ".lib.rate"),
    "import lib as s\n def g(): return s.rate\n return g": (".lib .lib.rate", ""),
    "import lib as s\n return [s]": (".lib", ".lib"),
    "import lib as s\n s.rate = 1": ("", ""),
    "class C:\n  import lib as s\n return C": ("", ".lib"),
}
"""Bodies of a function, the attributes of modules that it reads, and what it uses otherwise; a dot
stands before what it imports."""


@pytest.mark.parametrize("body", OBJECTS)
def test_a_compiled_function_shows_which_modules_it_has_as_objects(body: str):
    names: dict[str, Any] = {}
    exec(f"def f():\n {body}", names)

    found = uses(names["f"].__code__)

    attributes = {".".join(pair) for pair in found.attributes}
    objects = found.bare | {f".{name}" for name in found.reaches}
    assert (attributes, objects - {"__name__"}) == tuple({*s.split()} for s in OBJECTS[body])


def test_a_compiled_function_shows_what_it_calls():
    names: dict[str, Any] = {}
    exec("def f(x):\n    return g(x.m(), len, x.n)", names)

    assert uses(names["f"].__code__).calls == {"g", "m"}


def test_compiled_functions_show_the_globals_that_they_use(notebook):
    found = {
        name: replace(_effects(notebook[name].__code__), called=frozenset())
        for name in ("reads", "writes", "global_augmented", "closes", "loops", "copies")
    }

    assert found == {
        "reads": Uses(reads=frozenset("abc")),
        "writes": Uses(writes=frozenset("a"), deletes=frozenset("b")),
        "global_augmented": Uses(
            reads=frozenset("w"), writes=frozenset("w"), mutates=frozenset("w"), stores=True
        ),
        "closes": Uses(
            reads=frozenset("y"),
            mutates=frozenset("y"),
            mutated_parameters=(0, "p"),
            attributes=frozenset({("y", "sort")}),
            stores=True,
        ),
        "loops": Uses(
            reads=frozenset({"enumerate", "print"}),
            mutated_parameters=(0, "rows"),
            words=frozenset({SHOWS}),
            stores=True,
        ),
        "copies": Uses(stores=True),
    }


def test_compiled_functions_show_what_they_change_in_place(notebook):
    found = uses(notebook["changes"].__code__)

    assert found.mutates == {"x", "y", "z"}
    assert found.mutated_parameters == (0, 2, "r", "k", "*", "**")


@pytest.mark.parametrize("arguments", ["", "p", "p, q", "p, q, 3", "p, k=q", "*p", "p, **q"])
@pytest.mark.parametrize(
    "changing", ["rows[make({})] += 1", "rows.a += make({})", "r = rows; r += make({})"]
)
def test_what_is_changed_beside_a_call_does_not_depend_on_its_arguments(changing, arguments):
    namespace: dict[str, Any] = {}
    exec(f"def function(p, q):\n    {changing.format(arguments)}", namespace)

    assert uses(namespace["function"].__code__).mutates == {"rows"}


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("frame['a'].to_numpy()", {"frame"}),
        ("frame['a'].to_numpy().copy()", set()),
        ("frame.get_axes().tolist()", set()),
    ],
)
def test_what_a_method_of_a_part_gives_is_no_part(part: str, changed: set[str]):
    namespace: dict[str, Any] = {}
    exec(f"def function():\n part = {part}\n own = part\n own[0] = 1", namespace)

    assert uses(namespace["function"].__code__).mutates == changed


def test_names_of_a_class_body_are_not_global(notebook):
    assert _effects(notebook["defines"].__code__) == Uses(reads=frozenset("c"))


def test_a_module_binds_global_names():
    code = compile("a = b\ndel c\nd[0] = 1", "<cell>", "exec")

    assert _effects(code) == Uses(
        frozenset("bd"), frozenset("a"), frozenset("c"), frozenset("d"), stores=True
    )


METHODS = """
class Store:
    def __init__(self): self.held = []
    def put(self): self.held.append(1)
    def fill(self): self.put()
    def size(self): return len(self.held)
"""


@pytest.mark.parametrize(
    ("said", "stores"),
    [({"size"}, False), ({"put"}, True), ({"fill"}, True), ({"getattr"}, True), (set(), False)],
)
def test_a_method_changes_its_object_where_it_is_named(said: set[str], stores: bool):
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(METHODS, names)

    assert may_store(reach(names["Store"]()), said) is stores


VALUES = {
    "a function": "used",
    "a lambda": "lambda: target",
    "a class": "Plain",
    "a class without its own methods": "Child",
    "an instance": "Plain()",
    "a bound method": "Plain().method",
    "a property": "Property()",
    "a static method": "Static()",
    "a partial": "functools.partial(used, 1)",
    "a partial's argument": "functools.partial(print, used)",
    "a cached function": "functools.lru_cache(used)",
    "a wrapped function": "decorated(used)",
    "a closure": "(lambda held: lambda: held)(used)",
    "a default": "lambda p=used: p",
    "a keyword's default": "lambda *, p=used: p",
    "a list": "[1, [2, used]]",
    "a tuple": "(1, (2, used))",
    "a dictionary": "{'a': {'b': used}}",
    "a subclass of dict": "type('D', (dict,), {})(a=used)",
    "a deque": "deque([used])",
    "a set": "{used}",
    "an attribute": "types.SimpleNamespace(a=used)",
    "an attribute of the notebook's own": "held(Plain(), used)",
    "a slot": "held(Slotted(), used)",
    "a generator": "generate()",
    "a generator in an iterator": "zip(enumerate([generate()]))",
    "a map": "map(used, [1])",
    "a filter of a map": "filter(None, map(used, [1]))",
    "an iterator of itertools": "itertools.chain([], itertools.tee(map(used, [1]))[0])",
    "a view of a dictionary": "{'a': used}.values()",
    "the attributes of a class": "vars(Plain)",
    "what makes the values of a dictionary": "collections.defaultdict(used)",
    "a call of a method": "operator.methodcaller('sort', key=used)",
    "a key of another order": "functools.cmp_to_key(used)(1)",
    "an object that refuses to be looked at": "Evil()",
    "a class that refuses to be looked at": "EvilClass",
}


@pytest.mark.parametrize("kind", VALUES)
def test_the_notebooks_code_is_reached_through(kind, notebook):
    def held(item: Any, value: Any) -> Any:
        item.held = value
        return item

    modules = {each.__name__: each for each in (types, functools, collections, itertools, operator)}
    names = {**notebook, **modules, "deque": deque, "held": held}
    value = eval(VALUES[kind], names)

    assert any("target" in use.reads for use in reach(value))


def test_the_code_of_libraries_is_not_the_notebooks():
    assert reach([functools.reduce, pytest.raises, types.SimpleNamespace(a=print), sys]) == set()
    assert reach(1) == reach("used") == reach(None) == set()


def test_no_more_objects_are_looked_at_than_the_budget_allows(notebook):
    deep: Any = notebook["used"]
    for _ in range(50):
        deep = [deep]
    circle: list[Any] = []
    circle.append(circle)

    assert len(reach(deep, budget=100)) == 1
    assert reach(deep, budget=10) == set()
    assert reach(circle) == set()


def test_each_code_object_is_found_once(notebook):
    value = [notebook["used"], notebook["Plain"], notebook["used"]]

    assert codes(value) == {notebook["used"].__code__, notebook["Plain"].method.__code__}


def test_a_code_object_made_by_hand_does_not_raise(notebook):
    strange = notebook["used"].__code__.replace(co_consts=([], {}))

    assert uses(strange) == Uses()
    assert reach(types.FunctionType(strange, notebook)) == set()
