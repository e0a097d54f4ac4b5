"""What a reader of one kind of object gives the walk to read next."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class UnsharedPart:
    """A part that is read whenever it is met: it does not count whether it is one object or two."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


Parts = Iterable[Any] | None
"""What is to be read next, of one object; None where nothing is."""
