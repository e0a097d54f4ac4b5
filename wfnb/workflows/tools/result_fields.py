"""what a tool returned or raised -> the fields of its result, as JSON can hold them."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from inspect import isawaitable
from math import isfinite, isnan
from pathlib import PurePath
from typing import Any
from uuid import UUID

from wfnb.errors import WfnbError
from wfnb.workflows.definition.truncation import MAX_TEXT, TWO_KEYS, Cut, PrintedValue, TextKeyDict
from wfnb.workflows.definition.value_form_types import Form, Live, with_source

MAX_REPR = 1000
"""Characters kept of an object that JSON cannot hold."""
MAX_ARRAY = 100_000
"""Elements of an array that become a list; a larger one is shown as it shows itself."""
MAX_RANGE = 1_000_000
"""Numbers of a range that become a list, likewise."""
MAX_REASONS = 3
"""Exceptions of a group that are told."""
_DEEPEST = 40


class ToolFailed(Exception):
    """Raised by a tool: it could not do what was asked. `fields` become fields of its result.

    >>> outcome_of(ToolFailed("no such host", host="web1"))
    {'success': False, 'error': 'no such host', 'host': 'web1'}
    """

    def __init__(self, message: str, /, **fields: Any) -> None:
        super().__init__(message)
        self.message = message
        self.fields = fields

    def __reduce__(self) -> Any:
        # By default an exception is made again from `args`, which lack the fields.
        return _restore_failure, (self.message, self.fields)


def _restore_failure(message: str, fields: dict[str, Any]) -> ToolFailed:
    return ToolFailed(message, **fields)


def outcome(value: Any) -> dict[str, Any]:
    """The fields of a result, from what a tool returned: nothing, fields (a mapping, a dataclass,
    a pydantic model; `success` is true unless they say otherwise), or a value, named `result`.

    >>> outcome({"files": {"b", "a"}})
    {'success': True, 'files': ['a', 'b']}
    """
    if value is None:
        return {"success": True}
    named = _value_fields(value)
    if named is None:
        return {"success": True, "result": plain(value)}
    fields = {"success": True, **_mapping(named, 1)}
    said = fields["success"]
    if said in (True, False, None):  # 1 and 0 are equal to these
        fields["success"] = bool(said)
        return fields
    # The text "false" would count as true; a number may be how many succeeded.
    wrong = f"its field 'success' is {str(said)[:80]!r}, and not true or false"
    return {**fields, "success": False, "error": wrong}


def outcome_of(error: BaseException) -> dict[str, Any]:
    """The fields of a result, from what a tool raised. Of a group of exceptions (a TaskGroup raises
    one) its parts are told, those of the groups in it too; one alone counts as raised itself.

    >>> outcome_of(ExceptionGroup("two tasks", [KeyError("a"), OSError("no")]))["error"]
    "KeyError: 'a'; OSError: no (ExceptionGroup: two tasks)"
    """
    if isinstance(error, BaseExceptionGroup):
        return _of_group(error)
    if isinstance(error, ToolFailed):
        return {"success": False, "error": text(error.message), **plain(error.fields)}
    kind = type(error).__name__
    try:
        said = text(str(error))
    except Exception:
        said = ""
    if not isinstance(error, WfnbError):  # those are sentences
        said = f"{kind}: {said}" if said else kind
    return {"success": False, "error": said, "error_type": kind}


def _of_group(group: BaseExceptionGroup[BaseException]) -> dict[str, Any]:
    kind, parts = type(group).__name__, list(_parts(group))
    fields = [outcome_of(part) for part in parts[:MAX_REASONS]]
    said = [str(each["error"]) for each in fields]
    if len(parts) > MAX_REASONS:
        said.append(f"… and {len(parts) - MAX_REASONS:,} more")
    told = f"{'; '.join(said)} ({kind}: {text(group.message)})"
    alone = fields[0] if len(parts) == 1 else {"success": False, "error_type": kind}
    return {**alone, "error": told}


def _parts(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    """What is in a group, in order, and is no group itself."""
    waiting: list[BaseException] = [group]
    while waiting:
        error = waiting.pop()
        if isinstance(error, BaseExceptionGroup):
            waiting += reversed(error.exceptions)
        else:
            yield error


def call_function(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the result of a call, whatever it does; what it returns is awaited, if it can
    be, on a loop of its own."""
    try:
        value = function(**arguments)
        return outcome(_run_awaitable(value) if isawaitable(value) else value)
    except BaseException as error:
        return outcome_of(error)


def _run_awaitable(value: Awaitable[Any]) -> Any:
    import asyncio  # noqa: PLC0415  heavy: only where it is wanted

    async def await_value() -> Any:
        return await value

    return asyncio.run(await_value())


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON can hold it: itself, or a form of it that is marked as that, and which has
    the value itself as its `source`.

    Mappings, sequences and sets are gone through (a set in the order of its elements), arrays and
    their scalars become lists and numbers, paths, decimals and dates text, a time delta seconds.
    What JSON cannot hold is a PrintedValue: bytes, a number that is none or infinite, text that is
    no Unicode, and anything else as its `repr`, cut after 1,000 characters. A mapping whose keys
    are no texts is a TextKeyDict.

    >>> plain({1: (float("nan"), float("-inf")), "p": PurePath("a/b")})
    {'1': ['nan', '-inf'], 'p': 'a/b'}
    """
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is str:
        said = _text(value)
        return said if said is value else with_source(said, Live(value))
    if isinstance(value, Cut | PrintedValue | TextKeyDict | Form):  # ours, which says what it is
        return value
    if kind is int or kind is float:
        return _number(value)
    if isinstance(value, Enum):
        form = plain(value.value, depth)
        # True, false and nothing know no source.
        form = _printed_value(value) if form is None or isinstance(form, bool) else form
        return with_source(form, Live(value))
    if isinstance(value, str):
        return with_source(_text(value), Live(value))
    if isinstance(value, int | float):
        return with_source(_number(value), Live(value))
    if depth >= _DEEPEST:
        form = _printed_value(value)
        # Of a run within it may have been gone through already: what it stands for is not here.
        deep = PrintedValue(form, form.kind, why="it is nested too deeply")
        return deep if _has_marks(value) else with_source(form, Live(value))
    form = _plain_object(value, depth + 1)
    if kind is list and not isinstance(form, PrintedValue):
        return form
    if kind is dict and not isinstance(form, TextKeyDict) and {str}.issuperset(map(type, value)):
        return form
    return with_source(form, Live(value))


def _number(value: int | float) -> Any:
    """A number as JSON holds it."""
    if isinstance(value, float):
        if isfinite(value):
            return float.__float__(value)
        return PrintedValue(float.__repr__(value), "nan" if isnan(value) else "inf")
    if value.bit_length() <= 1024:
        return int.__int__(value)
    # Larger than any float, as which most readers of JSON take a number.
    return with_source(_printed_value(value), Live(value))


def _has_marks(value: Any) -> bool:
    """Whether something in lists and mappings is a form already."""
    waiting, met = [value], set[int]()
    while waiting:
        each = waiting.pop()
        if isinstance(each, Cut | PrintedValue | TextKeyDict | Form):
            return True
        if isinstance(each, dict | list) and id(each) not in met:
            met.add(id(each))
            waiting += each.values() if isinstance(each, dict) else each
    return False


def _plain_object(value: Any, depth: int) -> Any:
    named = _value_fields(value)
    if named is not None:
        return _mapping(named, depth)
    match value:
        case bytes() | bytearray() | memoryview():
            whole = bytes(value) if isinstance(value, memoryview) else value
            more = f"… ({len(whole):,} bytes)" if len(whole) > MAX_TEXT else ""
            return PrintedValue(whole[:MAX_TEXT].decode("utf-8", "replace") + more, "bytes")
        case AbstractSet():
            return [plain(item, depth) for item in _sort_items(value)]
        case range() if value[MAX_RANGE:]:  # it has no room yet, and would take it all
            return _printed_value(value)
        case deque() | Sequence():
            return [plain(item, depth) for item in value]
        case PurePath() | Decimal() | UUID():
            return text(str(value))
        case date() | time() if value == value:  # but that which is no time
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        item = value.item()
        no_time = value.dtype.kind in "mM" and not isinstance(item, date | timedelta)
        return _printed_value(value) if no_time or item is value else plain(item, depth)
    if (
        numpy is not None
        and isinstance(value, numpy.ndarray)
        and value.size <= MAX_ARRAY
        and value.dtype.kind not in "mM"
    ):
        return plain(value.tolist(), depth)
    return _printed_value(value)


def _mapping(named: Mapping[Any, Any], depth: int) -> dict[str, Any]:
    """Keys that are no texts become what they are printed as. Of two that are printed alike the
    last is shown, marked as what cannot be passed on."""
    found: dict[str, Any] = {}
    kind = named.kind if isinstance(named, TextKeyDict) else ""
    for key, item in named.items():
        name = _text(key) if type(key) is str else _key(key)
        if not isinstance(key, str) or isinstance(name, PrintedValue):
            kind = type(key).__name__
        twice = str(name) in found
        found[str(name)] = (
            PrintedValue(_printed_value(item), TWO_KEYS) if twice else plain(item, depth)
        )
    return TextKeyDict(found, kind) if kind else found


def _value_fields(value: Any) -> Mapping[Any, Any] | None:
    """The fields of what has fields."""
    if isinstance(value, dict | Mapping):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    pydantic = sys.modules.get("pydantic")
    if pydantic is not None and isinstance(value, pydantic.BaseModel):
        computed = type(value).model_computed_fields
        return dict(value) | {name: getattr(value, name) for name in computed}
    return None


def _key(key: Any) -> str:
    said = plain(key, _DEEPEST)
    return said if isinstance(said, str) else _printed_value(said)


def _sort_items(items: Iterable[Any]) -> list[Any]:
    try:
        return sorted(items)
    except TypeError:
        # Elements of several types have no order; any will do that is the same in each process.
        return sorted(items, key=_printed_value)


def _text(value: str) -> str:
    said = text(value)
    return said if said == value else PrintedValue(said, "str")


def text(value: str) -> str:
    """Text that can be written as UTF-8: a lone surrogate becomes a question mark."""
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "replace").decode()
    return str.__str__(value)


def _printed_value(value: Any) -> PrintedValue:
    kind = type(value).__name__
    try:
        shown = text(repr(value))
    except Exception:  # too many digits, too deep, or a repr that fails
        return PrintedValue(f"<{kind} that cannot be shown>", kind)
    if len(shown) <= MAX_REPR:
        return PrintedValue(shown, kind)
    return PrintedValue(f"{shown[:MAX_REPR]}… ({len(shown):,} characters)", kind)
