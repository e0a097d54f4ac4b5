"""a value -> whether it is an array or a frame, and its columns, by what it can do.

No library is imported for it: where a value of a library is, the library is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wfnb.safe_attributes import offer
from wfnb.type_names import is_a

from .value_text import plain


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a frame: its name (of pandas, anything), its type, how to get its values."""

    name: Any
    dtype: str
    values: Callable[[], Any]

    @property
    def label(self) -> str:
        return plain(str(self.name))


def array_shape(value: Any) -> tuple[int, ...] | None:
    """The shape of an array, a series or a tensor; None for anything else."""
    try:
        shape, dtype = offer(value, "shape"), offer(value, "dtype")
        # A class has descriptors of these names, which are no shape of anything.
        if dtype is None or not is_a(shape, tuple) or is_a(value, type):
            return None
        return tuple(map(int, shape))
    except Exception:
        return None


def frame_shape(value: Any) -> tuple[int, int] | None:
    """Rows and columns of a frame or a table; None for anything else."""
    try:
        if is_a(value, type) or offer(value, "columns") is None:
            return None
        if isinstance(rows := offer(value, "num_rows"), int):  # PyArrow
            return rows, int(offer(value, "num_columns"))
        shape = offer(value, "shape")
        return (int(shape[0]), int(shape[1])) if is_a(shape, tuple) and len(shape) == 2 else None
    except Exception:
        return None


def columns(frame: Any) -> tuple[Column, ...]:
    """The columns of a frame in their order. Names may come twice."""
    if hasattr(frame, "iloc"):
        # By place: of two columns with one name, the name gives both.
        types = list(frame.dtypes)
        return tuple(
            Column(name, str(types[at]), _pandas_column(frame, at))
            for at, name in enumerate(frame.columns)
        )
    if hasattr(frame, "get_column"):
        return tuple(
            Column(name, str(type_), _polars_column(frame, name))
            for name, type_ in frame.schema.items()
        )
    return tuple(
        Column(field.name, str(field.type), _arrow_column(frame, at))
        for at, field in enumerate(frame.schema)
    )


def size_in_memory(value: Any) -> int | None:
    """Bytes, as far as the value says; a frame's strings are not counted one by one."""
    try:
        if (memory := offer(value, "memory_usage")) and frame_shape(value):
            # Not `deep`: that goes through each string, which takes seconds for a large frame.
            return int(memory(index=True, deep=False).sum())
        if estimate := offer(value, "estimated_size"):
            return int(estimate())
        size = offer(value, "nbytes")
        return int(size) if isinstance(size, int) else None
    except Exception:
        return None


def _pandas_column(frame: Any, at: int) -> Callable[[], Any]:
    return lambda: frame.iloc[:, at]


def _polars_column(frame: Any, name: str) -> Callable[[], Any]:
    return lambda: frame.get_column(name)


def _arrow_column(frame: Any, at: int) -> Callable[[], Any]:
    return lambda: frame.column(at)
