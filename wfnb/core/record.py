"""class -> value: frozen, slotted, made by keyword."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """A value: compared by its fields, never changed, never subclassed into behaviour."""
    return dataclass(frozen=True, slots=True, kw_only=True)(cls)
