"""class -> value: frozen, slotted, made by keyword.

What all values share is written once here: `dataclass` would compile it anew for each of them,
and there are enough of them to be felt when the extension is loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
_NONE: Mapping[Any, Any] = {}


def none() -> Mapping[Any, Any]:
    """The empty mapping that values share which have nothing in theirs: a long history has a
    million."""
    return _NONE


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """A value: compared by its fields, never changed, never subclassed into behaviour."""
    made: Any = dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)(cls)
    for name, shared in (("__repr__", _repr), ("__eq__", _eq), ("__hash__", _hash)):
        if name not in cls.__dict__:
            setattr(made, name, shared)
    return made  # type: ignore[no-any-return]


def _fields(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in value.__dataclass_fields__)


def _repr(self: Any) -> str:
    said = (f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
    return f"{type(self).__qualname__}({', '.join(said)})"


def _eq(self: Any, other: object) -> bool:
    return type(other) is type(self) and _fields(self) == _fields(other)


def _hash(self: Any) -> int:
    return hash((type(self), *_fields(self)))
