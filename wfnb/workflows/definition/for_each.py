"""`for_each` of an action, values by name -> the items that it is done for, one by one."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    WithJsonSchema,
    model_serializer,
)
from pydantic import SerializerFunctionWrapHandler as Dumped
from pydantic_core import PydanticCustomError

from wfnb.errors import ExpressionFailed, ItemsTooMany

from .expression import MAX_LENGTH, evaluate, expression_names, shown
from .field_types import Json, Model, OrBare, Whole, reads
from .template import fill, names
from .truncation import TextKeyDict, marks_of

MAX_ITEMS = 10_000
OWN = ("item", "index")
"""What an action that is done for each can name: the item, and its place from 0."""
RESULTS = ("results", "count", "failed")
"""The fields of its result: what each item gave, in order; how many there are; how many failed."""
_SHARE = r"^(100|[0-9]{1,2})(\.[0-9]+)?%$"
_ITEM = re.compile(r"(.+)\[(\d+)\]")


def _spell_out(value: Any) -> Any:
    return value if isinstance(value, dict | ForEach) else {"items": value}


def _listed(value: Any) -> Any:
    if not isinstance(value, str | list | dict):
        what = "it needs a list, a mapping, or an expression that gives one"
        raise PydanticCustomError("items", "{what}", {"what": what})
    return reads(value) if isinstance(value, str) else value


def _number_or_share(value: Any) -> Any:
    whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if not whole and not (isinstance(value, str) and re.fullmatch(_SHARE, value)):
        what = "it needs a whole number that is not negative, or a share as '10%'"
        raise PydanticCustomError("tolerate", "{what}", {"what": what})
    return value


_TEXT = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_LENGTH,
    "format": "expression",
}


class ForEach(Model):
    """What an action is done for, and how many of it at the same time."""

    items: Annotated[
        Json,
        AfterValidator(_listed),
        WithJsonSchema({"anyOf": [_TEXT, {"type": ["array", "object"]}]}),
    ] = Field(
        description="An expression that gives a list or a mapping; or one of these, written out. "
        "The items of a mapping have a `key` and a `value`."
    )
    max_parallel: Whole = Field(
        default=1, ge=1, le=256, description="Items that are done at the same time at most."
    )
    tolerate: Annotated[
        int | str,
        PlainValidator(_number_or_share),
        WithJsonSchema(
            {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": _SHARE}]}
        ),
    ] = Field(default=0, description="How many items may fail: a number, or a share as `10%`.")

    @model_serializer(mode="wrap")
    def _short(self, dumped: Dumped) -> Any:
        data = dumped(self)
        return data["items"] if self.is_short else data

    @property
    def is_short(self) -> bool:
        """Whether its items alone say all of it."""
        plain = self.max_parallel == 1 and not self.tolerate
        return plain and not isinstance(self.items, dict)

    def tolerated(self, count: int) -> int:
        """How many of so many items may fail.

        >>> ForEach(items=[1], tolerate="10%").tolerated(25)
        2
        """
        if isinstance(self.tolerate, int):
            return self.tolerate
        # A Fraction: as floats, 10 % of some counts would be a hair less, and one item fewer.
        return int(Fraction(self.tolerate.rstrip("%")) * count / 100)

    def names(self) -> tuple[str, ...]:
        """The names that are asked for where the items are listed."""
        if isinstance(self.items, str):
            return expression_names(self.items)
        return tuple(name for _, name in names({"items": self.items}))


ForEachField = Annotated[
    ForEach,
    BeforeValidator(_spell_out),
    OrBare(anyOf=[_TEXT, {"type": "array"}]),
]


def list_items(each: ForEach, scope: Mapping[str, Any], hidden: Collection[str]) -> list[Any]:
    """The items, in order. Raises ExpressionFailed where that is no list and no mapping,
    ItemsTooMany, and what `fill` raises for a list that is written out."""
    if isinstance(each.items, str):
        found = evaluate(each.items, scope, hidden, takes=True)
        # A text is a sequence, too: its letters are hardly what was meant.
        if isinstance(found, str | TextKeyDict) or not isinstance(found, list | tuple | Mapping):
            way = ": for its lines write lines(…)" if isinstance(found, str) else ""
            raise ExpressionFailed(each.items, f"it gives {shown(found)}, and no list{way}")
    else:
        found = fill({"items": each.items}, scope, objects=None)["items"]
    if isinstance(found, Mapping):
        found = [{"key": key, "value": value} for key, value in found.items()]
    if len(found) > MAX_ITEMS:
        raise ItemsTooMany(len(found), MAX_ITEMS)
    return list(found)


def item_keys(items: Iterable[Any]) -> tuple[str, ...]:
    """What tells each item from the others, and is the same in another list that has it: its value,
    and the how-manieth of that value it is.

    >>> item_keys(["a", True, 1, "a"])
    ('"a" 0', 'true 0', '1 0', '"a" 1')
    """
    # JSON tells true from 1, which Python's own comparison does not.
    values = [json.dumps(item, sort_keys=True) + _identity(item) for item in items]
    seen: Counter[str] = Counter()
    keys = []
    for value in values:
        keys.append(f"{value} {seen[value]}")
        seen[value] += 1
    return tuple(keys)


def _identity(item: Any) -> str:
    """What tells an item that JSON cannot hold from one that looks the same."""
    marks = marks_of(item=item)
    return f" {json.dumps(marks, sort_keys=True)}" if marks else ""


def item_name(action: str, index: int) -> str:
    """What one item of an action is called. No action has a bracket in its name.

    >>> item_name("upload", 3), base_action("upload[3]"), base_action("upload"), place("upload[3]")
    ('upload[3]', 'upload', 'upload', 3)
    """
    return f"{action}[{index}]"


def base_action(name: str) -> str:
    """The action of which that is an item, or that it is."""
    return name.partition("[")[0]


def place(name: str) -> int:
    """The place of an item in its list, from 0."""
    found = _ITEM.fullmatch(name)
    assert found is not None
    return int(found[2])


def names_item(expression: str) -> bool:
    """Whether an expression asks for the item, so that it is asked for each."""
    return any(name.partition(".")[0] in OWN for name in expression_names(expression))
