"""a function's signature -> the JSON Schema of its parameters, and what reads and checks them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from types import NoneType, SimpleNamespace
from typing import Annotated, Any, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticUndefined

from wfnb.errors import BadParameters, ToolBroken
from wfnb.frozen_record import record
from wfnb.workflows.definition.expression import as_number

from .call_context import Context
from .parameter_errors import parameter_problems
from .parameter_schema import reader

Read = Callable[[Mapping[str, Any]], dict[str, Any]]
_OPAQUE = ("pandas.DataFrame", "pandas.Series", "builtins.bytes", "builtins.bytearray")
"""Types of values of which JSON never holds more than a text that shows them."""
_VALUES = (str, int, float, bool, bytes, list, tuple, set, frozenset)


@record
class Signature:
    """What a function takes and gives. `context` is the parameter that takes the Context; `opaque`
    are the fields of its result that are of a type JSON cannot hold, with the name of that."""

    parameters: Mapping[str, Any]
    read: Read
    results: tuple[str, ...] | None
    context: str | None
    opaque: Mapping[str, str]


def signature_of(
    function: Callable[..., Any], name: str, schema: Mapping[str, Any] | None = None
) -> Signature:
    """The signature of the function of the tool `name`, from its annotations and defaults, or, for
    the parameters, from a JSON Schema that says what they are.

    Raises ToolBroken for a function that cannot be called by keywords, an annotation that means
    nothing, a schema that is none.
    """
    try:
        taken = dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        raise ToolBroken(name, "it is no function with a known signature") from None
    hints = _hints(function, name, taken)
    # wfnb gives the Context itself: a workflow has no such parameter.
    context = next((key for key, hint in hints.items() if _is_context(hint)), None)
    taken.pop(context or "", None)
    for parameter in list(taken.values()):
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL):
            # A parameter with a default may stay away: a workflow calls by names alone.
            if parameter.kind is parameter.POSITIONAL_ONLY and parameter.default is parameter.empty:
                raise ToolBroken(name, f"it takes {parameter.name!r} by position only")
            del taken[parameter.name]
    rest = next((key for key, value in taken.items() if value.kind is value.VAR_KEYWORD), None)
    taken.pop(rest or "", None)
    if schema is not None:
        names = None if rest else frozenset(taken)
        parameters, read = reader(name, schema, names)
    else:
        said = split_docstring(inspect.getdoc(function) or "")[1]
        model = _model(name, taken, hints, said, is_open=rest is not None)
        parameters, read = _schema(model), _reader(name, model)
    return Signature(
        parameters=parameters,
        read=read,
        results=_results(hints.get("return")),
        context=context,
        opaque=_opaque(hints.get("return")),
    )


def _hints(function: Any, name: str, taken: Mapping[str, Any]) -> dict[str, Any]:
    """The annotations, each as what it means."""
    while isinstance(function, partial):
        function = function.func
    if not inspect.isroutine(function):  # a class, or an object that can be called
        made = isinstance(function, type)
        function = getattr(function if made else type(function), "__init__" if made else "__call__")
    # Of the function itself: a decorator's module need not have the names that the annotations use.
    names = getattr(inspect.unwrap(function), "__globals__", {})
    hints = {}
    # One by one: an annotation that cannot be resolved matters only if it is a parameter's.
    for key, said in getattr(function, "__annotations__", {}).items():
        try:
            one: Any = SimpleNamespace(__annotations__={key: said})
            hints.update(get_type_hints(one, names, include_extras=True))
        except Exception as error:
            if key in taken:
                what = f"the annotation {said!r} of {key!r} means nothing ({error})"
                raise ToolBroken(name, what) from None
    return hints


def _is_context(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return _is_context(get_args(hint)[0])
    return hint is Context or (Context in get_args(hint) and NoneType in get_args(hint))


def _model(
    name: str,
    taken: Mapping[str, inspect.Parameter],
    hints: Mapping[str, Any],
    said: Mapping[str, str],
    *,
    is_open: bool,
) -> type[BaseModel]:
    """A model with a field for each parameter; the alias is its name, since a field's name may not
    be just any name."""
    fields: dict[str, Any] = {}
    for place, (key, parameter) in enumerate(taken.items()):
        hint = hints.get(key, Any)
        extra = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        texts = [getattr(item, "documentation", item) for item in extra]
        texts += [item.description for item in extra if isinstance(item, FieldInfo)]
        text = next((item for item in texts if isinstance(item, str)), said.get(key))
        default = PydanticUndefined if parameter.default is parameter.empty else parameter.default
        field = Field(default=default, alias=key, description=text and " ".join(text.split()))
        fields[f"p{place}"] = (hint, field)
    config = ConfigDict(
        extra="allow" if is_open else "forbid",
        arbitrary_types_allowed=True,
        # YAML reads `version: 3` as a number, where a text is meant.
        coerce_numbers_to_str=True,
        validate_by_name=False,
    )
    try:
        return create_model(name, __config__=config, **fields)
    except (PydanticUserError, TypeError, ValueError) as error:
        first = str(error).partition("\n")[0]
        raise ToolBroken(name, f"its annotations mean nothing together ({first})") from None


class _Schema(GenerateJsonSchema):
    """A type that JSON Schema cannot describe may be anything there; reading still checks it."""

    ignored_warning_kinds = {"non-serializable-default", "skipped-choice"}  # noqa: RUF012

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchemaValue:
        return {}

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    schema = model.model_json_schema(by_alias=True, schema_generator=_Schema)
    schema.pop("title", None)
    schema.setdefault("properties", {})
    return schema


def _reader(name: str, model: type[BaseModel]) -> Read:
    aliases = {field: info.alias or field for field, info in model.model_fields.items()}

    def read(params: Mapping[str, Any]) -> dict[str, Any]:
        try:
            value = model.model_validate(dict(params))
        except ValidationError as error:
            raise BadParameters(
                name, parameter_problems(error, params, tuple(aliases.values()))
            ) from None
        given = value.model_fields_set
        # Only what was given: defaults are the function's own, and may be no JSON.
        known = {alias: getattr(value, key) for key, alias in aliases.items() if key in given}
        if wrong := tuple(_misread(params, known)):
            raise BadParameters(name, wrong)
        return known | (value.model_extra or {})

    return read


def _misread(given: Any, read: Any, place: str = "") -> Iterator[str]:
    """What is read otherwise than conditions read it: true and false are no numbers, no number is
    true or false, nor is a word but those two, and a text is a number where it is written as one.
    """
    match read:
        case bool() if not isinstance(given, bool) and str(given).lower() not in ("true", "false"):
            yield f"{place} needs true or false"
        case int() | float() if not isinstance(read, bool) and (
            isinstance(given, bool) or (isinstance(given, str) and as_number(given) is None)
        ):
            yield f"{place} needs a number"
        case dict() if isinstance(given, Mapping):
            for name in (name for name in read if name in given):
                yield from _misread(given[name], read[name], f"{place}.{name}".lstrip("."))
        case list() | tuple() if isinstance(given, list | tuple) and len(given) == len(read):
            for n, (one, other) in enumerate(zip(given, read, strict=True)):
                yield from _misread(one, other, f"{place}.{n}")


def _results(hint: Any) -> tuple[str, ...] | None:
    """The fields of a result of that type, where the type says so."""
    if get_origin(hint) is Annotated:
        return _results(get_args(hint)[0])
    if hint is NoneType:
        return ()
    if is_typeddict(hint):
        return tuple(hint.__annotations__)
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        is_open = hint.model_config.get("extra") == "allow"
        return None if is_open else (*hint.model_fields, *hint.model_computed_fields)
    if is_dataclass(hint):
        return tuple(field.name for field in fields(hint))
    return ("result",) if hint in _VALUES or get_origin(hint) in _VALUES else None


def _opaque(hint: Any) -> Mapping[str, str]:
    """The fields of a result of that type which JSON cannot hold, where the type says so."""
    if get_origin(hint) is Annotated:
        return _opaque(get_args(hint)[0])
    named = getattr(hint, "__annotations__", {}) if _has_fields(hint) else {"result": hint}
    kinds = ((name, kind) for name, kind in named.items() if isinstance(kind, type))
    return {
        name: kind.__name__
        for name, kind in kinds
        if f"{kind.__module__.partition('.')[0]}.{kind.__name__}" in _OPAQUE
    }


def _has_fields(hint: Any) -> bool:
    model = isinstance(hint, type) and issubclass(hint, BaseModel)
    return model or is_typeddict(hint) or is_dataclass(hint)


_ARGS = re.compile(r"^(?:Args|Arguments|Parameters):[ ]*\n((?:[ ]+.*(?:\n|$)|\n)+)", re.MULTILINE)
_ARG = re.compile(r"(\**\w+)(?: *\([^)]*\))?: *(.*)")


def split_docstring(doc: str) -> tuple[str, dict[str, str]]:
    """A docstring without the part that describes the parameters, and that part.

    >>> said = "Ring.\\n\\nArgs:\\n    bell (str): which\\n        one\\n    times: how often"
    >>> split_docstring(said)
    ('Ring.', {'bell': 'which one', 'times': 'how often'})
    """
    found = _ARGS.search(doc)
    if not found:
        return doc.strip(), {}
    said: dict[str, str] = {}
    lines = [line for line in found[1].splitlines() if line.strip()]
    first = len(lines[0]) - len(lines[0].lstrip())
    name = ""
    for line in lines:
        opening = _ARG.fullmatch(line.strip())
        if opening and len(line) - len(line.lstrip()) == first:
            name = opening[1].lstrip("*")
            said[name] = opening[2]
        # What is indented more goes on with the parameter before.
        elif name:
            said[name] = f"{said[name]} {line.strip()}".strip()
    return f"{doc[: found.start()].strip()}\n\n{doc[found.end() :].strip()}".strip(), said
