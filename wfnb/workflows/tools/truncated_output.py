"""bytes as they come -> the text that is kept of them: all of it, or both ends and its size.

Half a secret is not known for one. So more is kept than will be told: where a text was cut as it
came, a margin beside the cut is thrown away after secrets are hidden, and what they left with it.
A text that is not much too long is kept whole besides, for who is handed it.
"""

from __future__ import annotations

from codecs import getincrementaldecoder, register_error
from collections import deque
from collections.abc import Callable

from wfnb.workflows.definition.truncation import INVALID, MAX_TEXT, Cut, join_ends
from wfnb.workflows.definition.value_form_types import Live, Source

MARGIN = 16_384
"""Characters: a secret that is longer, as it is written, may be left in part beside a cut."""
WHOLE = 32_000_000
"""Characters of a text up to which all of it can be handed on."""
_Decoder = getincrementaldecoder("utf-8")
_INVALID = "\udc80"
"""Stands for bytes that are no UTF-8 until they are counted: no UTF-8 text has it."""


def _mark_invalid(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _INVALID, error.end


register_error("wfnb-invalid", _mark_invalid)


class TruncatedOutput:
    """An output. Of one that is too long the first and the last half of `longest` characters stay,
    each with its margin, and a line between them that says how much there was."""

    def __init__(self, longest: int = MAX_TEXT) -> None:
        assert longest % 2 == 0
        self.size = 0
        """Characters in all."""
        self.invalid = 0
        """How often bytes that are no UTF-8 were replaced."""
        self._half = longest // 2 + MARGIN
        self._longest = longest
        self._first = ""
        self._last: deque[str] = deque()
        self._room = 0
        self._all: list[str] | None = [] if longest == MAX_TEXT else None
        self._decode = _Decoder("wfnb-invalid").decode

    def feed(self, data: bytes, final: bool = False) -> str:
        """The text of the next bytes; a character may wait for its last byte, until the final
        ones. What is no UTF-8 is replaced."""
        text = self._decode(data, final)
        if not text.isascii() and (invalid := text.count(_INVALID)):
            self.invalid += invalid
            text = text.replace(_INVALID, "\ufffd")
        if text:
            self.add(text)
        return text

    def add(self, text: str) -> None:
        """The next text."""
        self.size += len(text)
        if self._all is not None:
            self._all.append(text)
            # Too long to be kept whole: from here on only its two ends are.
            if self.size > WHOLE:
                self._all = None
        missing = self._half - len(self._first)
        if missing > 0:
            self._first += text[:missing]
            text = text[missing:]
        if not text:
            return
        self._last.append(text)
        self._room += len(text)
        # Whole pieces only: a long output is not copied again for each line.
        while self._room - len(self._last[0]) >= self._half:
            self._room -= len(self._last.popleft())

    def __str__(self) -> str:
        last = "".join(self._last)
        if self.size <= 2 * self._half:
            return self._first + last
        cut = join_ends(self._first, last[-self._half :], self.size)
        cut.source = None if self._all is None else Live("".join(self._all))
        return cut

    def fields(self, name: str, hide: Callable[[str], str] | None = None) -> dict[str, str | int]:
        """The fields of a result: the text as it is told, marked where it was cut (`Cut`), and then
        its true size too; and how often bytes that are no UTF-8 were replaced, if they were.
        Without `hide`: the text with its margins, to be `told` elsewhere."""
        text = str(self)
        said: dict[str, str | int] = {name: truncate(text, hide, self._longest) if hide else text}
        if self.size > self._longest:
            said[f"{name}_size"] = self.size
        if self.invalid:
            said[f"{name}{INVALID}"] = self.invalid
        return said


def truncate(text: str, hide: Callable[[str], str], longest: int = MAX_TEXT) -> str:
    """Of a text that is too long both ends: secrets are hidden first, and what may be left of one
    where it was cut before is not in them."""
    if (text.kept if isinstance(text, Cut) else len(text)) <= longest:
        return text  # secrets are hidden with those of all that a tool gave
    source: Source | None
    if isinstance(text, Cut):
        size, half = text.size, text.kept // 2
        source = text.source
        first, last = hide(text[:half])[:-MARGIN], hide(text[-half:])[MARGIN:]
    else:
        size, first = len(text), hide(text)
        source, last = Live(first), first
        if len(first) <= longest:
            return first
    cut = join_ends(first[: longest // 2], last[-(longest // 2) :], size)
    cut.source = source
    return cut
