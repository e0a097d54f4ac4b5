"""patterns, a namespace -> the names that are meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

OWN = frozenset(("In", "Out", "exit", "get_ipython", "open", "quit"))
"""Names that IPython puts into the user's namespace."""


def choose_values(
    patterns: Iterable[str], namespace: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The values of the names that patterns (`df`, `model*`) mean, in the order of the patterns,
    and the patterns that mean nothing. A name that begins with `_`, or that IPython put there, has
    to be said as it is.

    >>> choose_values(["df", "m*", "x"], {"m2": 2, "df": 0, "m1": 1, "_m": 3})
    ({'df': 0, 'm2': 2, 'm1': 1}, ('x',))
    """
    found: dict[str, Any] = {}
    nothing = []
    for pattern in patterns:
        # A name that is there is meant itself, even if its letters are also a pattern.
        if pattern in namespace:
            meant = [pattern]
        else:
            public = (name for name in names_in(namespace) if name not in OWN)
            meant = [name for name in public if fnmatchcase(name, pattern)]
        if not meant:
            nothing.append(pattern)
        found.update((name, namespace[name]) for name in meant)
    return found, tuple(nothing)


def names_in(namespace: Mapping[str, Any]) -> tuple[str, ...]:
    """Those that do not begin with `_`. Other keys may be there that code cannot name.

    >>> names_in({"a": 1, "_b": 2, 3: 4})
    ('a',)
    """
    return tuple(n for n in tuple(namespace) if type(n) is str and not n.startswith("_"))
