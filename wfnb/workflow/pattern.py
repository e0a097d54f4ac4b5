"""regular expression, text -> match; no text can hold a run up: a search has a time limit.

Expressions are those of the `regex` package, which knows all that `re` knows. `^` and `$` mean the
ends of the whole text; `(?m)` at the beginning makes them mean the ends of lines. What would take
memory without end is no expression here: `a{1000000000}`, and patterns that call themselves.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Protocol, cast

from wfnb.errors import PatternInvalid, PatternTooSlow

LONGEST = 2_000
"""Characters of a pattern."""
LARGEST = 100_000
"""Parts of a pattern when its repetitions are written out: `(ab){3}` has six."""
PATIENCE = 1.0
"""Seconds that one search may take."""

_TOKEN = re.compile(
    r"(?P<call>\(\?(?:R|[+-]?[0-9]+|&|P>))"
    r"|(?P<open>\()|(?P<close>\))|\{(?P<least>[0-9]*)(?:,[0-9]*)?\}"
    r"|(?P<space>\s+)|(?P<one>\\[pPN]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*+\]|.)",
    re.DOTALL,
)
_COMMENT = re.compile(r"#[^\n]*")
_VERBOSE = re.compile(r"\(\?[a-zA-Z0-9]*x")


class Match(Protocol):
    """What a search found; `start` and `end` are places in the text."""

    def start(self) -> int: ...
    def end(self) -> int: ...
    def group(self) -> str: ...
    def groupdict(self) -> dict[str, str | None]: ...


@lru_cache(maxsize=512)
def compiled(pattern: str) -> Any:
    """The compiled expression. Raises PatternInvalid, which says what is wrong and where."""
    import regex  # noqa: PLC0415  a workflow may have no pattern

    if len(pattern) > LONGEST:
        what = f"it has {len(pattern):,} characters; {LONGEST:,} are read at most"
        raise PatternInvalid(pattern, what)
    _bounded(pattern)
    try:
        return regex.compile(pattern, regex.VERSION0)
    except (regex.error, OverflowError, RecursionError, MemoryError, ValueError) as error:
        raise PatternInvalid(pattern, str(error) or "it is nested too deep") from None


def search(pattern: str, text: str, start: int = 0) -> Match | None:
    """The first match in `text` from `start` on.

    Raises PatternTooSlow after PATIENCE seconds, PatternInvalid for what is no expression.
    """
    try:
        return cast("Match | None", compiled(pattern).search(text, start, timeout=PATIENCE))
    except TimeoutError:
        raise PatternTooSlow(pattern, PATIENCE) from None


def named(pattern: str) -> tuple[str, ...]:
    """Names of the groups of a pattern: `(?P<port>[0-9]+)` has `port`."""
    return tuple(compiled(pattern).groupindex)


def _bounded(pattern: str) -> None:
    """Refuse what the compiler would write out to more than LARGEST parts, and recursion."""
    sizes, last = [0], 0
    for token in _TOKEN.finditer(
        _COMMENT.sub("", pattern) if _VERBOSE.search(pattern) else pattern
    ):
        match token.lastgroup:
            case "call":
                what = f"{token[0]}) calls a group again, which is not read here"
                raise PatternInvalid(pattern, what)
            case "open":
                sizes.append(0)
            case "close" if len(sizes) > 1:
                last = sizes.pop()
                sizes[-1] += last
            case "least":
                more = last * (int(token["least"] or 1) - 1)
                last, sizes[-1] = last + more, sizes[-1] + more
            case "one" | "close":
                last = 1
                sizes[-1] += 1
        if sizes[-1] > LARGEST:
            what = f"its repetitions make more than {LARGEST:,} parts"
            raise PatternInvalid(pattern, what)
