"""regular expression, text -> match; no text can hold a run up: a search has a time limit.

Expressions are those of the `regex` package, which knows all that `re` knows. `^` and `$` mean the
ends of the whole text; `(?m)` at the beginning makes them mean the ends of lines. What would take
memory without end is no expression here: `a{1000000000}`, and patterns that call themselves.

The compiler writes a repetition out as often as it has to be there, and once more for the rest: of
`(a+)+` that makes four of `a`, and each level more doubles it. So an expression of 100 characters
can ask for all the memory there is. How much it would write is counted before, in the tree of the
compiler's own parser: any other reader of these expressions (flags, comments, sets) would be led
astray by one of them. A search takes memory only while it runs: its time bounds that too.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any, Protocol, cast

from wfnb.errors import PatternInvalid, PatternTooSlow

MAX_LENGTH = 2_000
MAX_PARTS = 100_000
"""Parts of a pattern when its repetitions are written out: half a kilobyte each, at most."""
_BESIDE = ("^", "$", *(f"\\{sign}" for sign in "bBAzZmMGXK"))
"""What asks for what is beside it; a `^` in a set is no harm."""
SEARCH_TIMEOUT = 1.0
"""Seconds that one search may take."""


class Match(Protocol):
    """What a search found; `start` and `end` are places in the text."""

    @property
    def re(self) -> Any: ...
    def start(self) -> int: ...
    def end(self) -> int: ...
    def group(self) -> str: ...
    def groupdict(self) -> dict[str, str | None]: ...


@lru_cache(maxsize=512)
def compile_pattern(pattern: str) -> Any:
    """The compiled expression. Raises PatternInvalid, which says what is wrong and where."""
    import regex  # noqa: PLC0415  a workflow may have no pattern

    if len(pattern) > MAX_LENGTH:
        what = f"it has {len(pattern):,} characters; {MAX_LENGTH:,} are read at most"
        raise PatternInvalid(pattern, what)
    try:
        _check_size(pattern)
        return regex.compile(pattern, regex.VERSION0)
    except (regex.error, OverflowError, RecursionError, MemoryError, ValueError) as error:
        raise PatternInvalid(pattern, str(error) or "it is nested too deep") from None


def search(pattern: str, text: str, start: int = 0) -> Match | None:
    """The first match in `text` from `start` on.

    Raises PatternTooSlow after SEARCH_TIMEOUT seconds, PatternInvalid for what is no expression.
    """
    try:
        return cast(
            "Match | None", compile_pattern(pattern).search(text, start, timeout=SEARCH_TIMEOUT)
        )
    except TimeoutError:
        raise PatternTooSlow(pattern, SEARCH_TIMEOUT) from None


def sight(pattern: str) -> int:
    """How many characters beside a match it depends on, at most: those next to it, or all.

    >>> sight("a+"), sight("^ok"), sight("ok(?!.*ERROR)") > 1_000_000
    (0, 1, True)
    """
    if any(sign in pattern for sign in ("(?=", "(?!", "(?<=", "(?<!")):
        return sys.maxsize
    return int(any(sign in pattern for sign in _BESIDE))


def group_names(pattern: str) -> tuple[str, ...]:
    """Names of the groups of a pattern: `(?P<port>[0-9]+)` has `port`."""
    return tuple(compile_pattern(pattern).groupindex)


def _check_size(pattern: str) -> None:
    """Refuse what the compiler would write out to more than MAX_PARTS parts, and recursion."""
    from regex._regex_core import RegexBase  # type: ignore[attr-defined]  # noqa: PLC0415

    waiting: list[tuple[Any, int]] = [(_expression_tree(pattern), 1)]
    total = 0
    while waiting:
        node, times = waiting.pop()
        if type(node).__name__ == "CallGroup":
            raise PatternInvalid(pattern, "it calls a group again, which is not read here")
        total += times * max(1, len(getattr(node, "characters", ())))
        if total > MAX_PARTS:
            what = f"its repetitions make more than {MAX_PARTS:,} parts"
            raise PatternInvalid(pattern, what)
        least = getattr(node, "min_count", 0)
        times *= least + 1 if least else 1
        for value in vars(node).values():
            parts = value if isinstance(value, list | tuple) else (value,)
            waiting += [(part, times) for part in parts if isinstance(part, RegexBase)]


def _expression_tree(pattern: str) -> Any:
    """The tree of an expression, as the compiler has it before it writes it out."""
    import regex  # noqa: PLC0415  as above
    from regex import _regex_core  # noqa: PLC0415

    core: Any = _regex_core
    flags = int(regex.VERSION0)
    while True:
        source = core.Source(pattern)
        info = core.Info(flags, source.char_type, {})
        info.guess_encoding = core.UNICODE
        source.ignore_space = bool(info.flags & core.VERBOSE)
        try:
            return core._parse_pattern(source, info)
        except core._UnscopedFlagSet:  # it begins with flags: read it anew with them
            flags = info.global_flags
