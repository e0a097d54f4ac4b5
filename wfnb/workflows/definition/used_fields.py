"""the texts of a workflow, an action -> the fields of its result that something may read.

It finds too many sooner than too few: a word of a text counts, whatever it is there for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from .for_each import RESULTS

_WORDS = (re.compile(r"\w+"), re.compile(r"[\w-]+"))


def leaves(data: Any) -> Iterator[Any]:
    """All that is in data of mappings and lists and is neither, keys apart."""
    match data:
        case Mapping():
            for item in data.values():
                yield from leaves(item)
        case list() | tuple():
            for item in data:
                yield from leaves(item)
        case _:
            yield data


def strings(data: Any) -> Iterator[str]:
    """All texts in a definition, keys of mappings apart."""
    return (leaf for leaf in leaves(data) if isinstance(leaf, str))


def fields_read(texts: Sequence[str], action: str) -> frozenset[str] | None:
    """Their names; None: any, since its result is named as a whole.

    >>> sorted(fields_read(["a", "{a.rows} of {b.n}", "a_stdout"], "a") or ())
    ['a', 'a_stdout', 'b', 'n', 'of', 'rows', 'stdout']
    """
    words = _words(tuple(texts))
    whole = re.compile(rf"\{{(steps\.)?{re.escape(action)}(!q)?\}}")
    if RESULTS[0] in words or any(map(whole.search, texts)):
        return None
    own = f"{action}_"
    return words | {word.removeprefix(own) for word in words if word.startswith(own)}


@lru_cache(maxsize=8)
def _words(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for text in texts for each in _WORDS for word in each.findall(text))
