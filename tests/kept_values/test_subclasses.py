"""An object of a subclass of a container or value holds what it held, whatever methods its class
has of its own, and has its attributes."""

from __future__ import annotations

import pytest

from wfnb.values import Keeper

from .notebook import gone_back, keep, namespace

MAKES = {
    "bytearray": "bytearray(b'ab')",
    "Counter": "collections.Counter('aab')",
    "date": "datetime.date(2024, 2, 29)",
    "datetime": "datetime.datetime(2024, 10, 27, 2, 30, fold=1, tzinfo=datetime.timezone.utc)",
    "Decimal": "decimal.Decimal('1.50')",
    "defaultdict": "collections.defaultdict(list, a=[1])",
    "deque": "collections.deque([1, 2], 5)",
    "dict": "{'b': 1, 'a': 2}",
    "float": "2.5",
    "Fraction": "fractions.Fraction(1, 3)",
    "int": "7",
    "list": "[1, 2]",
    "OrderedDict": "collections.OrderedDict(b=1, a=2)",
    "PurePosixPath": "pathlib.PurePosixPath('a/b')",
    "Random": "random.Random(3)",
    "set": "{1, 2}",
    "str": "'abc'",
    "time": "datetime.time(2, 30, fold=1)",
    "timedelta": "datetime.timedelta(3, 4)",
    "tuple": "(1, 2)",
}
"""By the name of a base: an object of it."""
OWN = {
    "attributes": "pass",
    "slots": "__slots__ = ('note',)",
    "methods": "\n    ".join(
        f"def {name}(self, *a, **k): raise TypeError('not mine')"
        for name in (
            *("__init__", "__iter__", "__setitem__", "__str__", "add", "append", "extend"),
            *("items", "keys", "seed", "update", "values"),
        )
    ),
    "new": "def __new__(cls): raise TypeError('not mine')\n"
    "    def __init__(self): raise TypeError('not mine')",
    "setattr": "def __setattr__(self, name, value): raise TypeError('frozen')",
}
"""What a class has of its own: it counts, refuses or changes what passes through it."""
CELL = """
import collections, datetime, decimal, fractions, pathlib, random

plain = {make}
base = type(plain)

class Mixin:
    def mixed(self): return "mixed"

class Own(base, Mixin):
    {own}

def made():
    if base in (int, float, str, tuple):
        return base.__new__(Own, plain)
    if base in (list, set, bytearray, collections.Counter, dict):
        found = base.__new__(Own)
        (dict.update if issubclass(base, dict) else base.__init__)(found, plain)
        return found
    if base is collections.OrderedDict:
        found = base.__new__(Own)
        for key, value in plain.items(): base.__setitem__(found, key, value)
        return found
    if base is random.Random:
        found = base.__new__(Own)
        base.setstate(found, plain.getstate())
        return found
    content = {{
        collections.deque: (plain, 5), collections.defaultdict: (list, plain)
    }}.get(base) or plain.__reduce_ex__(5)[1]
    empty = base in (collections.deque, collections.defaultdict)
    found = base.__new__(Own, *(() if empty else content))
    if base.__init__ is not object.__init__: base.__init__(found, *content)
    return found

x = made()
object.__setattr__(x, "note", ["n", x])
both = [x]
"""
ASKED = """
READ = {
    collections.Counter: lambda found: [*dict.items(found)],
    collections.defaultdict: lambda found: (found.default_factory, *dict.items(found)),
    collections.deque: lambda found: (found.maxlen, *base.__iter__(found)),
    collections.OrderedDict: lambda found: [*base.items(found)],
    decimal.Decimal: base.__str__,
    dict: lambda found: [*dict.items(found)],
    float: base.__repr__,
    fractions.Fraction: lambda found: (found.numerator, found.denominator),
    int: base.__repr__,
    random.Random: lambda found: base.getstate(found),
}
def read(found):
    if base in READ: return READ[base](found)
    return [*base.__iter__(found)] if hasattr(base, "__iter__") else base.__reduce_ex__(found, 5)[1]

held = read(x) == read(plain), x.note[0], x.note[1] is x, both[0] is x, x.mixed(), type(x).__name__
"""
TRUE = (True, "n", True, True, "mixed", "Own")
IMPOSSIBLE = {
    *(("int", "slots"), ("tuple", "slots")),  # each has a size of its own
    *((base, "setattr") for base in ("Fraction", "PurePosixPath", "Random")),  # they set their own
}
CASES = sorted({(base, own) for base in MAKES for own in OWN} - IMPOSSIBLE)


def cell(base: str, own: str) -> str:
    return CELL.format(make=MAKES[base], own=OWN[own])


@pytest.mark.parametrize(("base", "own"), CASES)
def test_it_is_as_it_was(keeper: Keeper, base: str, own: str):
    space = namespace(cell(base, own), ASKED)
    assert space["held"] == TRUE

    kept = keep(keeper, space, "x", "both")
    fresh = namespace(
        f"import collections, datetime, decimal, fractions, pathlib, random\n"
        f"plain = {MAKES[base]}\nbase = type(plain)"
    )
    restored = keeper.restore(kept, namespace=fresh)
    assert restored.missing == ()
    fresh.update(restored.also | restored.values)

    exec(ASKED, fresh)
    assert fresh["held"] == TRUE
    assert gone_back(keeper, kept, space).left == ("x", "both")
