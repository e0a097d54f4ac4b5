"""lists as they were, and are -> how the one becomes the other, in few bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from json import dumps
from typing import Any

from .changed_facts import differing_facts


def splices(before: Sequence[Any], now: Sequence[Any]) -> list[list[Any]]:
    """In turn, each on the list as those before it left it: `[at, gone, *came]`, from place `at`
    so many entries make room for those that came; `[at, facts]`, the entry there has other facts.

    >>> splices([{"n": 1}, {"n": 2}], [{"n": 2}, {"n": 3}])
    [[0, 1], [1, 0, {'n': 3}]]
    >>> splices([{"n": 1, "is": "new"}], [{"n": 1, "is": "old"}])
    [[0, {'is': 'old'}]]
    """
    # As texts: SequenceMatcher wants entries that can be hashed, and mappings cannot.
    olds, news = ([dumps(each, sort_keys=True) for each in side] for side in (before, now))
    # autojunk would ignore entries that are frequent in a list of 200 or more, and find long
    # changes.
    opcodes = SequenceMatcher(None, olds, news, autojunk=False).get_opcodes()
    return [
        each
        for tag, old, old_end, new, new_end in opcodes
        if tag != "equal"
        for each in _replacements(new, before[old:old_end], now[new:new_end])
    ]


def _replacements(at: int, olds: Sequence[Any], news: Sequence[Any]) -> Iterator[list[Any]]:
    """Entry by entry where both have facts by the same names; the rest at once."""
    same = 0
    for old, new in zip_longest(olds, news):
        if not isinstance(old, Mapping) or not isinstance(new, Mapping) or old.keys() != new.keys():
            break
        yield [at + same, differing_facts(old, new)]
        same += 1
    if same < max(len(olds), len(news)):
        yield [at + same, len(olds) - same, *news[same:]]


def fact_changes(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that differ; of a list, how it became what it is. All of it, where it is new.

    >>> fact_changes({"a": [], "b": 1}, {"a": ["x"], "b": 1})
    {'a': [[0, 0, 'x']]}
    """
    if before is None:
        return dict(now)
    return {
        name: splices(before[name], value) if isinstance(value, list) else value
        for name, value in differing_facts(before, now).items()
    }
