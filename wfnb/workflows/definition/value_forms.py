"""a value that JSON does not hold as it is -> the form that JSON has of it, which knows where the
value itself is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfnb.record import record


@record
class Lost:
    """A value that is kept nowhere: its type, and why not, in words that follow its name."""

    kind: str
    why: str = ""


class Live:
    """A value of this process that is kept nowhere yet."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def lost(self, why: str = "") -> Lost:
        return Lost(kind=type(self.value).__name__, why=why)


@record
class Pickle:
    """Values that are kept together: the names of their files, what shows that this user kept them,
    the versions that reading them needs, and the action that made them."""

    blobs: tuple[str, ...]
    signature: str
    environment: Mapping[str, str]
    action: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Pickle:
        """The one of that JSON data."""
        return cls(**{**data, "blobs": tuple(data["blobs"])})


@record
class Reference:
    """A value that is kept: its place in a pickle."""

    pickle: Pickle
    at: int


Source = Live | Reference | Lost


class Form:
    """Stands for a value that it is not all of: a list for a tuple, a text for a date."""

    source: Source | None = None


class TextForm(Form, str):
    pass


class IntegerForm(Form, int):
    pass


class NumberForm(Form, float):
    pass


class ListForm(Form, list[Any]):
    pass


class MappingForm(Form, dict[str, Any]):
    pass


FORMS: Mapping[type, type[Form]] = {
    str: TextForm,
    int: IntegerForm,
    float: NumberForm,
    list: ListForm,
    dict: MappingForm,
}


def with_source(value: Any, source: Source | None) -> Any:
    """The value, which knows where that is of which it is the form. True, false and nothing know
    none."""
    if source is None:
        return value
    made: Any = FORMS[type(value)](value) if type(value) in FORMS else value  # type: ignore[call-arg]
    if hasattr(made, "source"):
        made.source = source
    return made
