"""a function -> a tool: its schema from what it takes, its description from its docstring.

    @tool(gives={"line": "string"}, changes=True)
    def switch_branch(around: Connection, *, branch: str = "main") -> Data:
        \"""Choose the line of steps that name no branch.\"""

The schemas are small, since each conversation pays for them: no titles, no defaults.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from wfnb.errors import BadParameters, nearest
from wfnb.render.text import escape

from .connection import Connection

Data = dict[str, Any]
Detail = Literal["brief", "full"]
SessionName = str | None
"""The one in use, where none is named."""
StepName = Annotated[int | str, Field(description="3, or alt:3 on branch alt")]

Function = Callable[..., Data]

MAX_ANSWER_BYTES: Mapping[str, int] = {"brief": 2_000, "full": 24_000}
"""Bytes of an answer; clients refuse much more."""
_MIN_TEXT_LENGTH = 40
"""Letters of a text that is not shortened further."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Tool:
    """What an agent can call. `gives` has the type of each field that its answer may have. The
    hints say of it what clients ask a person about."""

    function: Function
    gives: Mapping[str, str]
    changes: bool = False
    destroys: bool = False
    repeats: bool = False
    reaches: bool = False
    only: str = ""
    """The set that a person has to ask for; empty: it is always there."""
    detail: Detail = "brief"
    """The room of its answers, where a call does not say."""
    takes_others: bool = False
    """Whether it is given what it does not know, too, and says what it made of that."""
    within: str = ""
    """A parameter that may hold the others, as another server has them."""

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def description(self) -> str:
        return " ".join((self.function.__doc__ or "").split())

    @cached_property
    def model(self) -> type[BaseModel]:
        """What it takes."""
        hints = get_type_hints(self.function, include_extras=True)
        given = inspect.signature(self.function).parameters.values()
        fields: dict[str, Any] = {
            each.name: (hints[each.name], ... if each.default is each.empty else each.default)
            for each in given
            if each.kind is each.KEYWORD_ONLY
        }
        return create_model(
            self.name,
            __config__=ConfigDict(extra="allow" if self.takes_others else "forbid"),
            **fields,
        )

    @cached_property
    def takes(self) -> Data:
        """The same as a JSON schema."""
        schema: Data = small(self.model.model_json_schema())
        schema.pop("additionalProperties", None)  # said where something else is given
        return schema

    @cached_property
    def output(self) -> Data:
        """What its answers are, as a JSON schema."""
        types = {
            name: {"type": kind.split("|") if "|" in kind else kind}
            for name, kind in self.gives.items()
        }
        return {"type": "object", "properties": types}

    def call(self, around: Connection, arguments: Mapping[str, Any]) -> Data:
        """Its answer, in the room that it may take. BadParameters says all that is wrong."""
        if set(arguments) == {self.within} and isinstance(arguments[self.within], Mapping):
            arguments = arguments[self.within]
        try:
            given = self.model.model_validate(dict(arguments))
        except ValidationError as error:
            raise BadParameters(self.name, tuple(self._wrong(error))) from None
        values = {name: getattr(given, name) for name in type(given).model_fields}
        values |= given.model_extra or {}
        room = MAX_ANSWER_BYTES[values.get("detail", self.detail)]
        data = self.function(around, **values)
        if news := around.news():
            ways = data.pop("next", [])
            data |= {"meanwhile": news, "next": ways}
        return shorten(data, room)

    def _wrong(self, error: ValidationError) -> Iterator[str]:
        names = tuple(self.model.model_fields)
        for each in error.errors(include_url=False, include_context=False, include_input=False):
            where = escape.line(".".join(map(str, each["loc"][:2])))[:_MIN_TEXT_LENGTH]
            if each["type"] == "extra_forbidden":
                close = nearest(where, names).strip() or f"It takes {', '.join(names)}"
                yield f"it takes no {where!r}. {close.rstrip('?')}"
            elif each["type"] == "missing":
                yield f"{where!r} is needed"
            else:
                yield f"{where}: {escape.line(each['msg'])}"


TOOLS: list[Tool] = []
"""In the order in which they are listed, which never changes while a server runs."""


def tool(gives: Mapping[str, str], only: str = "", **says: Any) -> Callable[[Function], Function]:
    """Make a tool of a function. It `changes` something, perhaps so that it cannot be taken back
    (`destroys`); a call `repeats` where a second one changes nothing more; it `reaches` what is not
    of wfnb. It is `only` there where a person asks for that set."""

    def declare(function: Function) -> Function:
        given = {**gives, "next": "array"}
        TOOLS.append(Tool(function=function, gives=given, only=only, **says))
        return function

    return declare


def small(schema: Any) -> Any:
    """A JSON schema without what says nothing to a reader.

    >>> small({"title": "A", "anyOf": [{"type": "string"}, {"type": "null"}], "default": None})
    {'type': 'string'}
    """
    if isinstance(schema, list):
        return [small(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: {name: small(each) for name, each in value.items()}
        if key == "properties"
        else small(value)
        for key, value in schema.items()
        if key not in ("title", "default")
    }
    # `null` beside another type says only that it may be left out, as `required` does.
    either = [each for each in kept.pop("anyOf", ()) if each != {"type": "null"}]
    if len(either) == 1:
        kept = either[0] | kept
    elif either and all(set(each) == {"type"} for each in either):
        kept["type"] = [each["type"] for each in either]
    elif either:
        kept["anyOf"] = either
    # That is what holds where nothing is said.
    if kept.get("additionalProperties") is True:
        del kept["additionalProperties"]
    return kept


def size(data: Any) -> int:
    """Bytes of it as JSON."""
    return len(to_json(data).encode("utf-8", "replace"))


def to_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str)


def shorten(data: Data, room: int) -> Data:
    """The answer with its longest texts and lists cut until it fits; `cut` names those.

    >>> shorten({"said": "a" * 99, "n": 1}, 80)["cut"]
    ['said']
    """
    cut: list[str] = []
    while size(data) > room:
        longest = max(
            (name for name in data if name not in ("cut", "next")),
            key=lambda name: size(data[name]),
        )
        value = data[longest]
        if isinstance(value, str) and len(value) > _MIN_TEXT_LENGTH:
            value = value[: max(_MIN_TEXT_LENGTH, len(value) * 2 // 3)].rstrip("…") + "…"
        elif isinstance(value, list) and value:
            value = value[: len(value) * 2 // 3]
        elif isinstance(value, dict) and value:
            value = dict(list(value.items())[: len(value) * 2 // 3])
        else:
            break
        cut = sorted({*cut, longest})
        data = {**data, longest: value, "cut": cut}
    return data
