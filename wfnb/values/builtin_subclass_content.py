"""an object of a subclass -> what its base made of it, read by the base's own methods.

A subclass may have other methods of these names, which count, refuse or change what passes through
them. What they make of the content is in it already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Content = Callable[[Any, Any], tuple[Any, ...]]
"""The base, an object -> the arguments by which the base makes the same content."""


def _elements(base: Any, found: Any) -> tuple[Any, ...]:
    return ([*base.__iter__(found)],)


def _items(base: Any, found: Any) -> tuple[Any, ...]:
    return (dict(dict.items(found)),)


def _reduced(base: Any, found: Any) -> tuple[Any, ...]:
    arguments: tuple[Any, ...] = base.__reduce_ex__(found, 5)[1]
    return arguments


FILLED: Mapping[str, Content] = {
    "builtins.bytearray": lambda base, found: (bytes(base.__getitem__(found, slice(None))),),
    "builtins.dict": _items,
    "builtins.list": _elements,
    "builtins.set": _elements,
    "collections.Counter": _items,
    "collections.OrderedDict": lambda base, found: ([*base.items(found)],),
    "collections.defaultdict": lambda base, found: (
        base.default_factory.__get__(found),
        *_items(base, found),
    ),
    "collections.deque": lambda base, found: (
        *_elements(base, found),
        base.maxlen.__get__(found),
    ),
    "random.Random": lambda base, found: (base.getstate(found),),
}
"""Of what can be changed: it is made empty, may be met in its own content, and is filled then."""
MADE: Mapping[str, Content] = {
    "datetime.date": _reduced,
    "datetime.datetime": _reduced,
    "datetime.time": _reduced,
    "datetime.timedelta": _reduced,
    "decimal.Decimal": lambda base, found: (base.__str__(found),),
    "fractions.Fraction": lambda base, found: (
        base.numerator.__get__(found),
        base.denominator.__get__(found),
    ),
    **{
        f"{module}.{kind}": _reduced
        for module in ("pathlib", "pathlib._local")
        for kind in ("PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath")
    },
}
"""Of what never changes."""
FORGETFUL = frozenset(("collections.Counter", "collections.defaultdict", "random.Random", *MADE))
"""Those whose pickle has no attributes of a subclass."""
