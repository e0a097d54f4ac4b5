"""a place in a definition, the rule it breaks -> one line that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .name_rules import is_name

_MAX_LENGTH = 80
"""Letters that are said of a name or a value."""
_STEP = re.compile(r"(?:states\.([^.]+)\.)?steps\.([0-9]{1,6})(?![0-9])")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where (`states.a.transitions.0.next_state`; empty: the whole), the
    rule (a keyword of JSON Schema, or one word for what was checked), and a line for people."""

    path: str
    rule: str
    message: str

    def __str__(self) -> str:
        return self.message


def nest_problem(place: str, problem: Problem) -> Problem:
    """The same problem, of a definition that stands inside another one at `place`."""
    path = join_path(place, problem.path)
    return Problem(path, problem.rule, f"{place}: {problem.message}")


def with_ids(problems: Iterable[Problem], data: object) -> Iterator[Problem]:
    """The same problems, their lines with the id beside the place of each step that has one.

    >>> data = {"steps": [{"id": "build"}]}
    >>> [said] = with_ids([Problem("steps.0.tool", "type", "steps.0.tool is 1")], data)
    >>> said.message
    'steps.0 (build).tool is 1'
    """
    for problem in problems:
        place = _STEP.match(problem.path)
        keys = ("states", place[1]) if place and place[1] else ()
        listed = data
        for key in (*keys, "steps"):
            listed = listed.get(key) if isinstance(listed, Mapping) else None
        steps = listed if isinstance(listed, list | tuple) else ()
        step = steps[int(place[2])] if place and int(place[2]) < len(steps) else None
        own = step.get("id") if isinstance(step, Mapping) else None
        if place is None or not is_name(own) or len(own) > _MAX_LENGTH:
            yield problem
            continue
        label = f"{place[0]} ({own})"
        # `steps.1` is also how `steps.10` begins.
        said = re.escape(place[0])
        message = re.sub(rf"\b{said}(?![0-9])", label, problem.message, count=1)
        yield Problem(problem.path, problem.rule, message)


def join_path(*parts: object) -> str:
    """Parts of a path with dots between them; empty ones are left out.

    >>> join_path("states", "a", "", 0)
    'states.a.0'
    """
    return ".".join(text for text in map(str, parts) if text)


def place_text(parts: Iterable[object]) -> str:
    """A path to be shown: keys are what somebody wrote, so they are cut and escaped."""
    return join_path(*(part if isinstance(part, int) else brief(str(part)) for part in parts))


def brief(text: str) -> str:
    """Text as it is where it is short and can be printed; else cut and escaped."""
    cut = text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"
    return cut if cut.isprintable() else repr(cut)[1:-1]


def quote_text(text: str) -> str:
    r"""Text in quotes, its backslashes as they were written; what cannot be printed is escaped.

    >>> print(quote_text(r"^\(Pdb\) $"), quote_text("a\\n\n"), quote_text("it's"))
    '^\(Pdb\) $' 'a\\n\n' "it's"
    """
    return repr(text).replace("\\\\", "\\") if text.isprintable() else repr(text)


def value_text(value: object) -> str:
    """A value as JSON would have it, short.

    >>> value_text(True), value_text([1, 2]), value_text("a")
    ('true', 'a list', "'a'")
    """
    match value:
        case None | True | False:
            return {None: "null", True: "true", False: "false"}[value]
        case str():
            return quote_text(value if len(value) <= _MAX_LENGTH else f"{value[:_MAX_LENGTH]}…")
        # Python refuses to write one of some thousand digits.
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
