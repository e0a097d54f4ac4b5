"""a text -> the words that say something, and a form in which the same text is the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

MIN_WORDS = 2
"""Different words that make a phrase: a finding or an issue that has fewer brings nothing new."""

_WORD = re.compile(r"[^\W\d_]+")
_SIGN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
)
"""A sign of a script that puts no space between words (Thai, Lao, Burmese, Khmer, Japanese,
Chinese): each stands for a word."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_AROUND = ".,;:!?…'\"()[]"
_RECENT = 256
"""Texts: one step asks several times for the words of what it says."""


@lru_cache(_RECENT)
def words(text: str) -> frozenset[str]:
    """The different words of a text. A single letter, or one that is repeated, is none, nor is a
    number.

    >>> sorted(words("It divides by len(values), not by 2")), words("aaaa b 42")
    (['by', 'divides', 'it', 'len', 'not', 'values'], frozenset())
    >>> len(words("平均值少除了一"))
    7
    """
    return frozenset(_words(text.casefold()))


def is_phrase(text: str) -> bool:
    """Whether it says something in words, or in a word and a number.

    >>> is_phrase("rmse 0.31"), is_phrase("it ends"), is_phrase("looked"), is_phrase("1 2 3")
    (True, True, False, False)
    """
    found = words(text)
    return bool(found) and len(found | {*_NUMBER.findall(text)}) >= MIN_WORDS


@lru_cache(_RECENT)
def same_text(text: str) -> str:
    """A text by which it is the same in other letters, other spaces and other punctuation around
    its words.

    >>> same_text(" It is the  loop! ") == same_text("it is the loop"), same_text("x<y")
    (True, 'x<y')
    """
    plain = text.casefold()
    parts = (part.strip(_AROUND) for part in plain.split())
    return " ".join(filter(None, parts)) or " ".join(plain.split())


def _words(text: str) -> Iterator[str]:
    for found in _WORD.findall(text):
        signs = _SIGN.findall(found)
        yield from signs
        rest = _SIGN.sub("", found) if signs else found
        if len({*rest}) > 1:
            yield rest
