"""A value, a text, an option or a pattern that does not read."""

from __future__ import annotations

from .base import Refused


class BadValue(Refused):
    field: str
    value: str
    needs: str

    def __str__(self) -> str:
        return f"{self.field} is {self.value!r}. It needs {self.needs}."


class BadText(Refused):
    field: str
    what: str
    way: str

    def __str__(self) -> str:
        return f"{self.field} {self.what}. {self.way}"


class BadOption(Refused):
    line: str
    what: str
    way: str

    def __str__(self) -> str:
        return f"{self.line}: {self.what}. {self.way}"


class PatternInvalid(Refused):
    pattern: str
    what: str

    def __str__(self) -> str:
        return f"Pattern {self.pattern[:80]!r} is no regular expression: {self.what}."


class PatternTooSlow(Refused):
    pattern: str
    seconds: float

    def __str__(self) -> str:
        return (
            f"Pattern {self.pattern[:80]!r} was not done after {self.seconds:g} s. "
            "Make it simpler: repetitions within repetitions, as in (a+)+, take that long."
        )
