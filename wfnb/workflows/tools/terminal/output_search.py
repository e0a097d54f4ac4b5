"""a pattern, text as it comes -> the first match in all of it, looking mostly at what is new.

A look at what is new, and a good stretch before it, finds what almost every pattern can match. What
spans more is found by a look at the whole, which is made when the text has grown by a quarter and
when no more is coming.

(The partial matches of the `regex` package, which say from where to go on, take minutes for `.*x`.)
"""

from __future__ import annotations

import asyncio
from collections import deque

from wfnb.errors import PatternTooSlow
from wfnb.frozen_record import record
from wfnb.workflows.definition.regex_search import SEARCH_TIMEOUT, Match, compile_pattern

STRETCH = 16_384
"""Characters before what is new that are looked at again."""
KEPT = 8 * 2**20
"""Characters that a look at the whole sees at most."""
_STEP = 65_536
_AT_ONCE = 0.02
"""Seconds that a search may hold the loop up; after that it goes on in a thread."""


@record
class SearchMatch:
    """A match, and its named groups."""

    text: str
    captures: dict[str, str | None]


class Search:
    """`add` text, `look` at it. PatternInvalid for a pattern that is none."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._expression = pattern, compile_pattern(pattern)
        self._parts: deque[str] = deque()
        self._size = self._seen = self._whole = 0
        self._cut = False

    def add(self, text: str) -> None:
        if not text:
            return
        self._parts.append(text)
        self._size += len(text)
        # Whole parts go, not characters: cutting would copy megabytes with each piece.
        while self._size - len(self._parts[0]) > KEPT:
            gone = len(self._parts.popleft())
            self._size, self._cut = self._size - gone, True
            self._seen, self._whole = max(self._seen - gone, 0), max(self._whole - gone, 0)

    @property
    def due(self) -> bool:
        """Whether there is enough new text for a look while more is coming."""
        return self._size - self._seen >= _STEP

    @property
    def is_behind(self) -> bool:
        """Whether the whole has not been looked at since it grew."""
        return self._whole < self._size

    async def look(self, tail: str = "", *, whole: bool = False) -> SearchMatch | None:
        """The first match in what was added and `tail`, which is what may come next.

        Raises PatternTooSlow for a pattern that takes too long.
        """
        wanted = self._size - self._seen + STRETCH
        # By a quarter: all looks at the whole together cost a constant times its length.
        if whole or wanted >= self._size or self._size * 4 > self._whole * 5:
            wanted = self._whole = self._size
        parts, had = [tail], 0
        for part in reversed(self._parts):
            if had >= wanted:
                break
            parts.append(part)
            had += len(part)
        self._seen = self._size
        # Looked at from 1, `^` does not match where the text was merely cut.
        begins_here = had == self._size and not self._cut
        found = await self._search("".join(reversed(parts)), 0 if begins_here else 1)
        return (
            None if found is None else SearchMatch(text=found.group(), captures=found.groupdict())
        )

    async def _search(self, text: str, start: int) -> Match | None:
        try:
            return self._search_from(text, start, _AT_ONCE)
        except TimeoutError:
            pass
        try:
            return await asyncio.to_thread(self._search_from, text, start, SEARCH_TIMEOUT)
        except TimeoutError:
            raise PatternTooSlow(self._pattern, SEARCH_TIMEOUT) from None

    def _search_from(self, text: str, start: int, seconds: float) -> Match | None:
        found: Match | None = self._expression.search(text, start, timeout=seconds, concurrent=True)
        return found
