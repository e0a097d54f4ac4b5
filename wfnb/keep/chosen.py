"""patterns, a namespace -> the names that are meant; a name -> whether it looks like a secret."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

SECRETS = ("*key*", "*token*", "*password*", "*passwd*", "*secret*", "*credential*")
"""Names that are not kept, whatever their case."""


def chosen(
    patterns: Iterable[str], namespace: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The values of the names that patterns (`df`, `model*`) mean, in the order of the patterns,
    and the patterns that mean nothing. A name that begins with `_` has to be said as it is.

    >>> chosen(["df", "m*", "x"], {"m2": 2, "df": 0, "m1": 1, "_m": 3})
    ({'df': 0, 'm2': 2, 'm1': 1}, ('x',))
    """
    found: dict[str, Any] = {}
    nothing = []
    for pattern in patterns:
        if pattern in namespace:
            meant = [pattern]
        else:
            public = (name for name in namespace if not name.startswith("_"))
            meant = [name for name in public if fnmatchcase(name, pattern)]
        if not meant:
            nothing.append(pattern)
        found.update((name, namespace[name]) for name in meant)
    return found, tuple(nothing)


def secret(name: str, patterns: Collection[str] = SECRETS) -> bool:
    """
    >>> secret("API_KEY"), secret("df")
    (True, False)
    """
    return any(fnmatchcase(name.lower(), pattern.lower()) for pattern in patterns)
