"""data of a caller -> what of it is no JSON, too deep or too much, before anything else is read."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from .problem import Problem, place_text, value_text

DEEPEST = 60
"""Levels of lists and mappings in a definition."""
MAX_LENGTH = 4_000_000
"""Characters of a definition; each value counts NODE more."""
NODE = 10
_SHOWN = 20


class _TooLarge(Exception):
    pass


def foreign(data: Any) -> list[Problem]:
    """The first twenty things that keep `data` from being a definition in JSON. A definition that
    is too large is said to be that and nothing else."""
    walk = _Walk()
    found = []
    try:
        for problem in walk.problems(data, ()):
            found.append(problem)
            if len(found) == _SHOWN:
                break
    except _TooLarge:
        message = f"The definition is too large: {MAX_LENGTH:,} characters are read at most"
        return [Problem("", "size", message)]
    return found


class _Walk:
    """Counts what it passes."""

    def __init__(self) -> None:
        self.left = MAX_LENGTH

    def problems(self, value: Any, path: tuple[object, ...]) -> Iterator[Problem]:
        self._count(value)
        match value:
            case str():
                if not value.isascii() and not _is_text(value):
                    yield _problem(path, "type", "holds half a character (a lone surrogate)")
            case None | bool() | int():
                if isinstance(value, int) and value.bit_length() > 1024:
                    yield _problem(path, "type", "is a number that JSON cannot hold everywhere")
            case float():
                if not isfinite(value):
                    yield _problem(path, "type", f"is {value}, which is no number in JSON")
            # Before the walk goes in, so that it never goes deeper than Python's own recursion may.
            case dict() | list() | tuple() if len(path) >= DEEPEST:
                yield _problem(path[:3], "depth", f"is nested more than {DEEPEST} levels deep")
            case dict():
                for key, item in value.items():
                    if isinstance(key, str):
                        self._count(key)
                        if not key.isascii() and not _is_text(key):
                            yield _problem(path, "type", "has a key with half a character in it")
                    else:
                        what = (
                            f"has the key {value_text(key)}, which is no text: write it in quotes"
                        )
                        yield _problem(path, "type", what)
                    yield from self.problems(item, (*path, key))
            case list() | tuple():
                for n, item in enumerate(value):
                    yield from self.problems(item, (*path, n))
            case _:
                yield _problem(path, "type", f"is {value_text(value)}, which JSON cannot hold")

    def _count(self, value: Any) -> None:
        self.left -= NODE + (len(value) if isinstance(value, str) else 0)
        if self.left < 0:
            raise _TooLarge


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _problem(path: tuple[object, ...], rule: str, what: str) -> Problem:
    place = place_text(path)
    return Problem(place, rule, f"{place or 'The workflow'} {what}")
