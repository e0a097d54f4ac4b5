"""a new branch's name, those there are -> the one that may have been meant.

Names are near where they differ in case or separators alone, or in one letter of one word: one
more, one less, another, or two that changed places. Numbers and short words tell branches apart:
`try-1` and `try-2`, `plan-a` and `plan-b`, `ridge2` and `ridge3` are not near.

>>> similar_name("medain", ("median",)), similar_name("Median", ("median",))
('median', 'median')
>>> similar_name("no_drift", ("no-drift",))
'no-drift'
>>> similar_name("try-2", ("try-1",)), similar_name("groupB", ("groupA",))
(None, None)
>>> similar_name("mean", ("median",))
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_SEPARATORS = re.compile(r"(?<!\d)[._/ -]+|[._/ -]+(?!\d)")
_WORDS = re.compile(r"[^\W\d_]+|\++")
_NUMBERS = re.compile(r"\d+")
_LEAST = 4
"""Letters of a word in which one letter may be a slip; five where it is another letter."""


def similar_name(name: str, names: Iterable[str]) -> str | None:
    """The first of the names that is so near to this one that it may be meant."""
    return next((other for other in names if other != name and _is_similar(name, other)), None)


def _is_similar(name: str, other: str) -> bool:
    # Before anything about letters: `no_drift` and `No-Drift` are one name that is typed twice.
    if _joined(name) == _joined(other):
        return True
    ours, theirs = _words(name), _words(other)
    if _NUMBERS.findall(name) != _NUMBERS.findall(other) or len(ours) != len(theirs):
        return False
    differing = [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and _slip(*sorted(differing[0], key=len))


def _joined(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()


def _words(name: str) -> list[str]:
    return [word.casefold() for word in _WORDS.findall(_CAMEL.sub(" ", name))]


def _slip(short: str, long: str) -> bool:
    """Whether one letter makes the one word of the other; `short` is the shorter."""
    if len(short) < _LEAST or len(long) - len(short) > 1:
        return False
    at = next((i for i, letter in enumerate(short) if letter != long[i]), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    if short[at + 1 :] == long[at + 1 :]:
        return len(short) > _LEAST
    swapped = short[at : at + 2] == long[at : at + 2][::-1]
    return swapped and short[at + 2 :] == long[at + 2 :]
