"""a place in a definition, the rule it breaks -> one line that says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where (`states.a.transitions.0.next_state`; empty: the whole), the
    rule (a keyword of JSON Schema, or one word for what was checked), and a line for people."""

    path: str
    rule: str
    message: str

    def __str__(self) -> str:
        return self.message


def within(place: str, problem: Problem) -> Problem:
    """The same problem, of a definition that stands inside another one at `place`."""
    path = joined(place, problem.path)
    return Problem(path, problem.rule, f"{place}: {problem.message}")


def joined(*parts: object) -> str:
    """Parts of a path with dots between them; empty ones are left out.

    >>> joined("states", "a", "", 0)
    'states.a.0'
    """
    return ".".join(text for text in map(str, parts) if text)


def at(parts: Iterable[object]) -> str:
    """A path to be shown: keys are what somebody wrote, so they are cut and escaped."""
    return joined(*(part if isinstance(part, int) else brief(str(part)) for part in parts))


def brief(text: str) -> str:
    """Text as it is where it is short and can be printed; else cut and escaped."""
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return cut if cut.isprintable() else repr(cut)[1:-1]


def shown(value: object) -> str:
    """A value as JSON would have it, short.

    >>> shown(True), shown([1, 2]), shown("a")
    ('true', 'a list', "'a'")
    """
    match value:
        case None | True | False:
            return {None: "null", True: "true", False: "false"}[value]
        case str():
            return repr(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…")
        case int() if value.bit_length() > 1024:
            return "a huge number"
        case int() | float():
            return repr(value)
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
        case _:
            return f"a {type(value).__name__}"
