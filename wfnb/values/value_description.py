"""a value -> a few words about it, a summary, a picture."""

from __future__ import annotations

import inspect
import io
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from wfnb.frozen_record import record
from wfnb.safe_attributes import is_asked_of_library, offer, own_attributes, runs_library_code
from wfnb.type_names import base_names, bases_of, is_a, local_name

from .arrays_and_frames import array_shape, columns, frame_shape, size_in_memory
from .secret_names import mask_secrets
from .value_text import MAX_LENGTH, count, kind_of, number, plain, shorten, show_value

T = TypeVar("T")
MAX_COLUMNS = 30
_PLAIN = (str, int, float, bool, type(None), bytes, list, dict, tuple, set)
_SIZED: Any = (str, bytes, bytearray, dict, list, tuple, set, frozenset, deque)


@record
class Description:
    """`type` as in "pandas.DataFrame", `says` a short line, `size` in bytes as far as it is known,
    `lines` more of it: the schema and a summary of a frame or an array."""

    type: str
    says: str
    size: int | None = None
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    lines: tuple[str, ...] = ()


def describe(value: Any, *, lines: bool = False) -> Description:
    """`lines` only where asked for: they look at all of the data. Raises nothing."""
    kind = kind_of(value)
    return _try_or(lambda: _describe_value(value, kind, lines), Description(type=kind, says=""))


def _describe_value(value: Any, kind: str, lines: bool) -> Description:
    is_plain = any(type(value) is one for one in _PLAIN)
    frame = None if is_plain else frame_shape(value)
    if frame is not None:
        says = f"{count(frame[0], 'row')} × {count(frame[1], 'column')}"
        schema: list[str] = []
        more = _try_or(lambda: list(_schema(value)), schema) if lines else schema
        return Description(
            type=kind, says=says, size=size_in_memory(value), shape=frame, lines=tuple(more)
        )
    shape = None if is_plain else array_shape(value)
    if shape is not None:
        dtype = plain(str(value.dtype))
        says = f"{' × '.join(f'{size:,}' for size in shape)} {dtype}" if shape else _scalar(value)
        said = _try_or(lambda: summary(value), "") if lines else ""
        return Description(
            type=kind,
            says=says,
            size=size_in_memory(value),
            shape=shape,
            dtype=dtype,
            lines=(said,) if said else (),
        )
    says = _try_or(lambda: mask_secrets(_says(value)), "")
    return Description(type=kind, says=says, size=_length(value))


def summary(values: Any) -> str:
    """Of an array or a column: least, mean and greatest, and how many are missing.

    >>> import numpy as np
    >>> summary(np.array([1.0, 2.0, np.nan]))
    'min 1 · mean 1.5 · max 2 · 1 missing'
    """
    # Counted first and taken out: NumPy's least and greatest of an array with NaN are NaN.
    missing = _count_missing(values)
    given = _without_nan(values)
    said = []
    for word in ("min", "mean", "max"):
        found = _try_or(lambda word=word: number(getattr(given, word)()), "")  # type: ignore[misc]
        if found and found != "None":
            said.append(f"{word} {found}")
    if missing:
        said.append(f"{missing:,} missing")
    return " · ".join(said)


def figure_png(value: Any) -> bytes | None:
    """The picture of a matplotlib figure (or of what is part of one); None for anything else."""
    # Before matplotlib 3.10 it is no more than an attribute.
    figure: Any = offer(value, "figure") or own_attributes(value).get("figure")
    figure = value if _is_figure(value) else figure
    if not _is_figure(figure):
        return None
    picture = io.BytesIO()
    # Without the version of matplotlib, or two pictures that look the same would differ.
    figure.savefig(picture, format="png", metadata={"Software": None})
    return picture.getvalue()


def _is_figure(value: Any) -> bool:
    return "matplotlib.figure.Figure" in base_names(type(value))


def _schema(frame: Any) -> Iterator[str]:
    found = columns(frame)
    for column in found[:MAX_COLUMNS]:
        said = _try_or(lambda column=column: summary(column.values()), "")  # type: ignore[misc]
        yield f"{column.label}: {plain(column.dtype)}{f' · {said}' if said else ''}"
    if len(found) > MAX_COLUMNS:
        yield f"… {count(len(found) - MAX_COLUMNS, 'more column')}"


def _says(value: Any) -> str:
    kind = type(value)
    # A class of the user's may count who asks for its length: that of what it is made of is meant.
    of: Any = next((one for base in bases_of(kind) for one in _SIZED if base is one), None)
    if of is None and is_asked_of_library(kind) and issubclass(kind, Mapping):
        of = kind
    if of is not None:
        return _says_size(value, of, of.__len__(value))
    if is_a(value, FunctionType):
        return shorten(_function_line(value), 80)
    if is_a(value, type):
        return plain(local_name(value).rpartition(".")[2])
    if is_a(value, ModuleType):
        return plain(str(own_attributes(value).get("__name__", "")))
    if _is_figure(value):
        width, height = value.get_size_inches() * value.dpi
        return f"{width:.0f} × {height:.0f} pixels, {count(len(value.axes), 'plot')}"
    said = show_value(value)
    return said if said != f"<{local_name(kind)}>" else ""


def _says_size(value: Any, of: Any, size: int) -> str:
    if of is str:
        text = of.__str__(value)
        if size <= 60:
            return show_value(text)
        return f"{show_value(text[:40])[:-1]}… ({size:,} characters)"
    if of in (bytes, bytearray):
        return count(size, "byte")
    if issubclass(of, Mapping):
        names = ", ".join(show_value(key, 20) for key in islice(of.__iter__(value), 4))
        return f"{count(size, 'key')}: {names}{', …' if size > 4 else ''}"
    short = show_value(value, 60) if size <= 6 else ""
    return short if short and not short.endswith("…") else count(size, "element")


def _function_line(function: FunctionType) -> str:
    """Its name and parameters, with what these are when nothing is given for them."""
    asked = (function.__defaults__, function.__kwdefaults__, vars(function))
    given = inspect.signature(function) if runs_library_code(asked) else "(…)"
    return f"{function.__name__}{given}"


def _scalar(value: Any) -> str:
    """A number in full, as one of Python: branches are compared by it."""
    is_number = is_a(_try_or(value.item, None), int, float)
    said = _try_or(lambda: shorten(f"{value}", MAX_LENGTH) if is_number else number(value), "")
    return said or show_value(value)


def _length(value: Any) -> int | None:
    return next((of.__len__(value) for of in (bytes, bytearray) if is_a(value, of)), None)


def _count_missing(values: Any) -> int:
    if hasattr(values, "null_count"):  # Polars has a method, PyArrow a number
        found = values.null_count
        return int(found() if callable(found) else found)
    if hasattr(values, "isna"):
        return int(values.isna().sum())
    return int((values != values).sum())  # NaN is not itself


def _without_nan(values: Any) -> Any:
    """Without NaN, where those are not left out anyway."""
    if hasattr(values, "isna") or hasattr(values, "null_count"):
        return values
    nan = values != values
    return values[~nan] if nan.any() else values


def _try_or(work: Callable[[], T], otherwise: T) -> T:
    """What a library or the user's class says, or something else where it fails to."""
    try:
        return work()
    except KeyboardInterrupt:
        raise
    except BaseException:  # it may exit
        return otherwise
