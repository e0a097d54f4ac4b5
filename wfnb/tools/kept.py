"""bytes as they come -> the text that is kept of them: all of it, or both ends and its size."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections import deque

_Decoder = getincrementaldecoder("utf-8")
LONGEST = 200_000
"""Characters of an output that are kept."""


class Kept:
    """An output. Of one that is too long the first and the last half of `longest` characters stay,
    with a line between them that says how much there was."""

    def __init__(self, longest: int = LONGEST) -> None:
        assert longest % 2 == 0
        self.size = 0
        """Characters in all."""
        self._half = longest // 2
        self._longest = longest
        self._first = ""
        self._last: deque[str] = deque()
        self._room = 0
        self._decode = _Decoder("replace").decode

    def feed(self, data: bytes, final: bool = False) -> str:
        """The text of the next bytes; a character may wait for its last byte, until the final
        ones. What is no UTF-8 is replaced."""
        text = self._decode(data, final)
        if text:
            self.add(text)
        return text

    def add(self, text: str) -> None:
        """The next text."""
        self.size += len(text)
        missing = self._half - len(self._first)
        if missing > 0:
            self._first += text[:missing]
            text = text[missing:]
        if not text:
            return
        self._last.append(text)
        self._room += len(text)
        while self._room - len(self._last[0]) >= self._half:
            self._room -= len(self._last.popleft())

    @property
    def is_cut(self) -> bool:
        return self.size > self._longest

    def __str__(self) -> str:
        last = "".join(self._last)
        if not self.is_cut:
            return self._first + last
        return f"{self._first}\n… cut: {self.size:,} characters in all …\n{last[-self._half :]}"

    def fields(self, name: str) -> dict[str, str | int]:
        """The fields of a result: the text, and its true size where it was cut."""
        said: dict[str, str | int] = {name: str(self)}
        return said | ({f"{name}_size": self.size} if self.is_cut else {})
