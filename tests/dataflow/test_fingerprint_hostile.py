"""Nothing of a value's own code runs, and nothing is raised, whatever the value is."""

import importlib.util
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from wfnb.dataflow.fingerprint import fingerprint, is_iterator, origin, shares

DEFIANT = """
import array, collections, enum, numpy, pandas, datetime, types, functools

def refuse(self, *args, **named):
    ran.append(type(self))
    raise SystemExit("code of the user ran")

names = '''__getattribute__ __getattr__ __eq__ __ne__ __hash__ __len__ __iter__ __getitem__ __bool__
__repr__ __str__ __contains__ __index__ __int__ __float__ __complex__ __call__ __reduce__ __sizeof__
__reduce_ex__ __getstate__ __dir__ __next__ keys items values copy __format__ __instancecheck__
__subclasscheck__ __array__ __buffer__ __fspath__ __array_finalize__ __array_interface__ utcoffset
tzname dst __lt__ __missing__ __length_hint__ __copy__ __deepcopy__ dtype shape'''.split()
defiance = dict.fromkeys(names, refuse) | {
    "__class__": property(refuse),
}

class Meta(type):
    for name in names:
        if name not in ("__call__", "__bool__"):
            locals()[name] = refuse
    del name

    __name__ = __module__ = __mro__ = __flags__ = __bases__ = property(refuse)

def defiant(name, *bases, meta=type):
    skipped = {"__hash__", "__getattribute__"} if enum.Enum in bases else set()
    held = {key: one for key, one in defiance.items() if key not in skipped}
    return meta(name, bases, held | {"__module__": "__main__"})

def made(kind, *args):
    base = next(one for one in kind.__mro__[1:] if one.__module__ != "__main__")
    if base in (int, float, str, bytes, tuple, frozenset, complex):
        return base.__new__(kind, *args)
    value = base.__new__(kind, *args)
    (dict if base is collections.Counter else base).__init__(value, *args)
    return value

def values():
    yield "object", object.__new__(defiant("A"))
    full = object.__new__(defiant("B"))
    object.__setattr__(full, "part", [1])
    yield "attribute", full
    for base, *args in (
        *((int, 5), (float, 5.5), (str, "a"), (bytes, b"a"), (complex, 1j), (tuple, (1, [2]))),
        *((frozenset, (1, 2)), (list, [1]), (set, [1]), (bytearray, b"a")),
        (collections.deque, [1]),
        *((dict, {"a": 1}), (collections.OrderedDict, [("a", 1)]), (collections.Counter, {"a": 1})),
        *((Exception, "a"), (types.SimpleNamespace,), (types.ModuleType, "odd")),
    ):
        yield base.__name__, made(defiant("D" + base.__name__, base), *args)
    yield "class of a class", Meta.__new__(Meta, "C", (), {"__module__": "__main__"})
    yield "of such a class", object.__new__(type.__new__(Meta, "C", (), {"__module__": "__main__"}))
    key = object.__new__(type("Key", (), {"__module__": "__main__"}))
    odd = collections.OrderedDict([(key, 1)])
    type(key).__hash__ = type(key).__eq__ = refuse
    yield "keys", odd
    zone = made(defiant("Zone", datetime.tzinfo))
    yield "zone", datetime.datetime(2020, 1, 1).replace(tzinfo=zone)
    views = defiant("Array", numpy.ndarray)
    del views.__array_finalize__
    array = numpy.ndarray.view(numpy.arange(3), views)
    views.__array_finalize__ = refuse
    yield "array", array
    objects = numpy.array([1, None], object)
    objects[0] = full
    yield "objects", objects
    frame = pandas.DataFrame({"a": [1]}, dtype=object)
    frame._mgr.blocks[0].values[0, 0] = full
    yield "frame", frame
    hidden = type("Hidden", (), {"__dict__": property(refuse), "__module__": "__main__"})()
    yield "hidden dict", hidden
    yield "partial", functools.partial(len, full)
    yield "bound method", types.MethodType(len, full)
"""


def defiant_values() -> tuple[list[Any], list[tuple[str, Any]]]:
    held: dict[str, Any] = {"__name__": "__main__", "ran": []}
    exec(DEFIANT, held)
    return held["ran"], list(held["values"]())


def use(value: Any) -> Iterator[Any]:
    """What each function of the module says of a value."""
    yield fingerprint(value)
    yield fingerprint([value, (value, {1: value})])
    yield shares(value, [value])
    yield shares([value], [])
    yield is_iterator(value)
    yield origin(value)


def test_no_code_of_the_user_runs_and_nothing_is_raised():
    ran, values = defiant_values()
    failed = []

    for name, value in values:  # of no value pytest may show anything: it would run its code
        ran.clear()
        try:
            same = list(use(value)) == list(use(value))
        except BaseException as raised:
            failed.append((name, raised.args))
        else:
            failed += [(name, ran[:])] if ran or not same else []
    value = values = None  # type: ignore[assignment]

    assert failed == []


def test_an_object_that_hides_its_attributes_is_not_complete():
    hidden = dict(defiant_values()[1])["hidden dict"]

    assert not fingerprint(hidden).complete
    assert shares(hidden, []) is None


def test_an_attribute_of_a_defiant_object_is_content_all_the_same():
    _, values = defiant_values()
    full = dict(values)["attribute"]
    before = fingerprint(full)

    object.__getattribute__(full, "part").append(2)

    assert before.complete
    assert fingerprint(full) != before


def dead_proxy() -> Any:
    class Gone:
        pass

    return weakref.proxy(Gone())


def deep(size: int) -> list[Any]:
    rows: list[Any] = []
    for _ in range(size):
        rows = [rows]
    return rows


@pytest.mark.parametrize(
    "make",
    [
        lambda: dead_proxy(),
        lambda: mock.Mock(),
        lambda: mock.MagicMock(),
        lambda: mock.Mock(spec=dict).keys,
        lambda: 10**100_000,
        lambda: "\ud800",
        lambda: {"\ud800": ["\udfff" * 3000]},
        lambda: b"\x00" * (1 << 25),
        lambda: "ä" * (1 << 25),
        lambda: [bytes(1 << 20)] * 100,
        lambda: deep(100_000),
        lambda: (lambda: (yield))(),
        lambda: threading.Lock(),
        lambda: threading.local(),
        lambda: sys.stdout,
        lambda: sys,
        lambda: sys.modules,
        lambda: sys._getframe(),
        lambda: memoryview(b"a"),
        lambda: object(),
        lambda: type,
        lambda: NotImplemented,
        lambda: {1: 2}.items(),
        lambda: weakref.ref(SimpleNamespace),
    ],
)
def test_an_odd_value_has_a_digest(make: Callable[[], Any]):
    value = make()
    found = fingerprint(value)

    assert len(found.digest) == 12
    assert found == fingerprint(value)
    assert shares(value, [1]) in (False, None)


def test_a_list_of_any_depth_has_a_digest():
    assert fingerprint(deep(4000)).complete
    assert not fingerprint(deep(5000)).complete
    assert fingerprint(deep(5000)) == fingerprint(deep(5000))


def test_sets_of_any_depth_have_a_digest():
    value: frozenset[Any] = frozenset()
    for _ in range(500):
        value = frozenset([value])

    assert not fingerprint(value).complete


def test_a_digest_is_found_where_the_stack_is_nearly_full():
    def descend() -> Any:
        try:
            return descend()
        except RecursionError:
            return fingerprint([{1, (2, "a")}, SimpleNamespace(a=[1])])

    assert len(descend().digest) == 12


def test_a_module_that_loads_itself_when_it_is_used_is_not_loaded(tmp_path):
    (tmp_path / "late.py").write_text("raise SystemExit('loaded')", "utf-8")
    spec = importlib.util.spec_from_file_location("late", tmp_path / "late.py")
    assert spec is not None
    assert spec.loader is not None
    spec.loader = importlib.util.LazyLoader(spec.loader)
    late: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules["late"] = late
    try:
        spec.loader.exec_module(late)
        assert origin(late) == "late"
        assert fingerprint([late]) == fingerprint([late])
        assert shares(late, [late]) is False
    finally:
        del sys.modules["late"]


def test_what_other_threads_change_meanwhile_is_read_without_a_crash():
    held: dict[Any, Any] = {number: [number] for number in range(50)}
    stop = threading.Event()

    def change() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            held[number % 500] = {number}
            held.pop((number * 7) % 500, None)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        found = [fingerprint([held]) for _ in range(1000)]
        assert all(len(one.digest) == 12 for one in found)
        assert {shares(held, []) for _ in range(300)} <= {False, None}
    finally:
        stop.set()
        thread.join()


def test_neither_numpy_nor_pandas_is_imported():
    source = """
    import sys
    from wfnb.dataflow.fingerprint import fingerprint, is_iterator, origin, shares

    class Frame: pass

    for value in ([1], Frame(), Frame, iter([])):
        fingerprint(value), is_iterator(value), origin(value), shares(value, value)
    print({"numpy", "pandas", "polars"} & sys.modules.keys())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)], capture_output=True, text=True, check=True
    )

    assert done.stdout == "set()\n"


def test_symbols_of_sympy_have_digests():
    sympy = pytest.importorskip("sympy")
    x = sympy.Symbol("x")

    assert fingerprint([x + 1, x**2]) == fingerprint([x + 1, x**2])
    assert shares(x, [x]) in (True, None)
