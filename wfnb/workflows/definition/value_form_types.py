"""The types of forms: what JSON has of a value that it does not hold, and where that value is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wfnb.frozen_record import record

_SCALARS = (
    "float16 float32 float64 int8 int16 int32 int64 longlong uint8 uint16 uint32 uint64 ulonglong"
)
_WHOLE = {
    **dict.fromkeys(("tuple", "set", "frozenset"), "builtins"),
    **dict.fromkeys(_SCALARS.split(), "numpy"),
    "date": "datetime",
    "Decimal": "decimal",
    "UUID": "uuid",
}
"""Types, each with its module, whose form says all of a value. Of a time it does not say the zone
and the `fold`, of an array the type of its elements, of a range its end, of a path what is no
Unicode, of an Enum's member or an object what its class is."""


@record
class Lost:
    """A value that is kept nowhere: its type, and why not, in words that follow its name."""

    kind: str
    why: str = ""

    @property
    def is_shown_whole(self) -> bool:
        """Whether the form says all of the value, what is in it aside."""
        return self.kind in _WHOLE


class Live:
    """A value of this process that is kept nowhere yet."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def lost(self, why: str = "") -> Lost:
        kind = type(self.value)
        name, module = kind.__name__, kind.__module__
        # A class of somebody's own may have the name of one whose form says all.
        is_other = name in _WHOLE and module != _WHOLE[name]
        return Lost(kind=f"{module}.{name}" if is_other else name, why=why)


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
