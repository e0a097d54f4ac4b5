"""a value of a notebook -> what its content is, cheaply, and without running anything of its own.

A digest of the content is the same in every process and on every Python; it says whether an object
was changed in place, and it is the version of a value that cannot change. It is cheap because a
walk through the value ends at a budget, and of large arrays reads samples: then it says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from marshal import dumps
from typing import Any

from xxhash import xxh3_64_hexdigest

from .builtin_and_stdlib_types import SMALL
from .content import read
from .functions_and_classes import names_of_no_module
from .introspection import (
    attributes,
    find_imported,
    is_iterator,
    is_library_class,
    kept_results,
    module_of,
    mro,
    name_of,
    namespace,
    origin,
    registered_names,
)
from .sharing import Sharing, hides, shares
from .walk_state import Indexes, Walk

__all__ = [
    "Fingerprint",
    "Sharing",
    "attributes",
    "find_imported",
    "fingerprint",
    "hides",
    "is_iterator",
    "is_library_class",
    "kept_results",
    "module_of",
    "mro",
    "names_of_no_module",
    "namespace",
    "origin",
    "registered_names",
    "shares",
]

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`digest`: 12 hex digits. `complete`: they cover all of the content. `atomic`: the value is
    immutable through and through. `cut`: there are more objects in it than were visited. `unread`:
    content was left out, of what is no code. `indexes`: those of pandas in it and their names, by
    id."""

    digest: str
    complete: bool
    atomic: bool
    cut: bool = False
    unread: bool = False
    indexes: Indexes = field(default_factory=dict, compare=False)

    def renames(self, now: Fingerprint) -> bool:
        """Whether an index that is in it still has another name now."""
        return any(now.indexes.get(key, names) != names for key, names in self.indexes.items())


def fingerprint(value: Any, budget: int = 4096, scale: int = 1, opens: bool = False) -> Fingerprint:
    """`budget` is how many objects are visited; so many times as usual, `scale`, may arrays and
    texts be large that are read whole. `opens`: objects of libraries are read with all that they
    hold, as it is at this moment. Never raises.

    >>> fingerprint([1, 2]) == fingerprint([1, 2]), fingerprint(1) == fingerprint(True)
    (True, False)
    >>> fingerprint((1, "a")).atomic, fingerprint([1, "a"]).atomic
    (True, False)
    """
    if id(type(value)) in SMALL:
        # Version 2, as in `Walk.plain`: later ones note who else refers to an object.
        return Fingerprint(xxh3_64_hexdigest(dumps(value, 2))[:_DIGITS], True, True)
    try:
        walk = Walk(budget, scale=scale)
        if opens:
            walk.opens, walk.bytes_left = True, walk.whole
        read(walk, value)
        content = b"".join(walk.out)
    except Exception:  # of an object that defies all reading, its type
        content = name_of(type(value)).encode("utf-8", "surrogatepass")
        return Fingerprint(xxh3_64_hexdigest(content)[:_DIGITS], False, False, unread=True)
    digest = xxh3_64_hexdigest(content)[:_DIGITS]
    complete, atomic, unread = walk.complete, walk.atomic, walk.unread
    return Fingerprint(digest, complete, atomic, walk.exhausted, unread, walk.indexes)
