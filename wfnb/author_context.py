"""who acts in a thread -> the events that it records, with their author."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TypeVar

from wfnb.core.events import Author, Authored

E = TypeVar("E")

AUTHOR: ContextVar[Author | None] = ContextVar("author", default=None)
"""None: the notebook. It is asked for without a call: each step does."""


@contextmanager
def author_context(author: Author | None) -> Iterator[None]:
    """What this thread records meanwhile was done by that author; None: by the notebook."""
    before = AUTHOR.set(author)
    try:
        yield
    finally:
        AUTHOR.reset(before)


def by_author(events: Sequence[E]) -> list[E]:
    """The events, those that have an author with who acts in this thread."""
    author = AUTHOR.get()
    if author is None:
        return list(events)
    return [replace(each, by=author) if isinstance(each, Authored) else each for each in events]
