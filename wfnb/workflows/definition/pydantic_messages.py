"""what pydantic found -> problems in words of our own: the place, what it is, what it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from pydantic import AliasChoices, ValidationError

from wfnb.errors import listing, nearest

from .action_parts import Call, Compensation, Retry
from .condition import Condition
from .field_types import Model
from .models import (
    Fallback,
    ForEach,
    Need,
    Output,
    Repeat,
    State,
    Step,
    StepsWorkflow,
    Transition,
    Variable,
)
from .name_rules import RULES
from .problem import Problem, brief, place_text, value_text

MAX_PROBLEMS = 100
"""Problems that are put into words; who has more is not helped by them."""

_NEEDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "tuple_type": "a list",
}
_NEEDS_HERE = {
    "for_each": "a list, an expression that gives one, or a mapping that has `items`",
    "retry": "a number of attempts, or a mapping that has `attempts`",
    "jitter": "a number, or a list of two: from and to",
    "capture": "a regular expression, or a list of them",
}
_RULES = {
    "missing": "required",
    "extra_forbidden": "additionalProperties",
    "literal_error": "enum",
    "string_pattern_mismatch": "pattern",
    "greater_than_equal": "minimum",
    "less_than_equal": "maximum",
    "string_too_long": "maxLength",
    "string_too_short": "minLength",
    "too_long": "maxItems",
    "too_short": "minItems",
    "regex": "format",
    "empty": "minProperties",
}


def problems(error: ValidationError, form: type[Model]) -> list[Problem]:
    """The first MOST of what a definition of that form got wrong."""
    found = (item for item in error.errors(include_url=False) if not _is_echo(item))
    return [_problem(item, form) for item in islice(found, MAX_PROBLEMS)]


def _is_echo(item: Any) -> bool:
    """A list whose items are wrong is called too short as well."""
    return bool(item["type"] == "too_short" and len(item["input"]) >= item["ctx"]["min_length"])


def _problem(item: Any, form: type[Model]) -> Problem:
    kind, loc, value = item["type"], tuple(item["loc"]), item["input"]
    is_key = bool(loc) and loc[-1] == "[key]"
    place = place_text(loc[:-1] if is_key else loc)
    rule = _RULES.get(kind, "type" if kind in _NEEDS else kind)
    # pydantic has one word for both; JSON Schema, whose rules are named here, has two.
    if isinstance(value, dict):
        rule = rule.replace("Items", "Properties")
    if is_key:
        owner = place_text(loc[:-2])
        return Problem(place, rule, f"{owner} has the name {value_text(value)}; {_wants(item)}")
    if kind in ("missing", "extra_forbidden") and isinstance(loc[-1], str):
        owner = place_text(loc[:-1]) or "The workflow"
        what = _missing(loc) if kind == "missing" else _unknown(loc, form)
        return Problem(place, rule, f"{owner} {what}")
    wants = _wants(item)
    if value is None and _may_be_left_out(loc, form):
        wants += ", or to be left out"
    return Problem(place, rule, f"{place or 'The workflow'} {_is(item, value)}; {wants}")


def _may_be_left_out(loc: tuple[Any, ...], form: type[Model]) -> bool:
    """Whether the last part of a place is a key that is not needed."""
    model = _model_at(loc[:-1], form) if loc else None
    field = model.model_fields.get(str(loc[-1])) if model else None
    return field is not None and not field.is_required()


def _missing(loc: tuple[Any, ...]) -> str:
    return f"has no {loc[-1]!r}, which it needs"


def _unknown(loc: tuple[Any, ...], form: type[Model]) -> str:
    model = _model_at(loc[:-1], form)
    keys = tuple(_keys(model)) if model else ()
    key = str(loc[-1])
    if key in keys:
        other = "args" if key == "params" else "params"
        return f"has no key {key!r} beside {other!r}, which is another name for it"
    if form is StepsWorkflow and loc == ("parallel",):
        return "has no key 'parallel'. Did you mean 'mode: parallel'?"
    # A key that long is no slip of the pen.
    near = nearest(key, keys) if len(key) <= 40 else ""
    if near:
        return f"has no key {brief(key)!r}. {near.strip()}"
    return f"has no key {brief(key)!r}. Keys: {listing(keys, 'none')}"


def _is(item: Any, value: Any) -> str:
    match item["type"]:
        case "too_long" | "too_short":
            count = len(value) if isinstance(value, dict | list | tuple) else 0
            return f"has {count:,} entr{'y' if count == 1 else 'ies'}"
        case "string_too_long":
            return f"has {len(value):,} characters"
        case "missing":
            return "is missing"
        case "regex" | "order" | "empty" | "needs" | "always":
            return "does not read"
        case _:
            return f"is {value_text(value)}"


def _wants(item: Any) -> str:
    kind, context = item["type"], item.get("ctx", {})
    here = _NEEDS_HERE.get(str(item["loc"][-1])) if item["loc"] else None
    match kind:
        case "tuple_type" | "model_type" if here:
            return f"it needs {here}"
        # Of a pair that is too short pydantic says that its second place is missing.
        case "too_long" | "too_short" | "missing" if item["loc"][-2:-1] == ("jitter",) or here:
            return f"it needs {here or 'two numbers'}"
        case _ if kind in _NEEDS:
            return f"it needs {_NEEDS[kind]}"
        case "literal_error":
            return f"it can be {context['expected']}"
        case "string_pattern_mismatch":
            return f"a name has {RULES[context['pattern']].lacks(item['input'])}"
        case "greater_than_equal":
            return f"it has to be at least {context['ge']:g}"
        case "less_than_equal":
            return f"it can be at most {context['le']:g}"
        case "string_too_long" | "too_long":
            return f"it may have {context['max_length']:,} at most"
        case "string_too_short" if context["min_length"] == 1:
            return "it cannot be empty"
        case "too_short":
            return f"it needs at least {context['min_length']}"
        case _:
            return str(item["msg"])


def _keys(model: type[Model]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        if isinstance(field.validation_alias, AliasChoices):
            yield from map(str, field.validation_alias.choices)
        else:
            yield field.alias or name


def _model_at(loc: Iterable[Any], form: type[Model]) -> type[Model] | None:
    """The model of the mapping that stands at a place of a definition."""
    match tuple(loc):
        case ():
            return form
        case ("states", _):
            return State
        case ("steps", int()) | ("states", _, "steps", int()):
            return Step
        case ("steps", int(), "needs", int()) | ("states", _, "steps", int(), "needs", int()):
            return Need
        case ("variables", _):
            return Variable
        case ("outputs", _):
            return Output
        case (*_, "action"):
            return Call
        case (*_, "compensation"):
            return Compensation
        case (*_, "for_each"):
            return ForEach
        case (*_, "retry"):
            return Retry
        case (*_, "on_error", int()):
            return Fallback
        case (*_, "repeat"):
            return Repeat
        case (*_, "transitions", int()):
            return Transition
        case (*_, "condition" | "when" | "unless" | "until" | "not") | (*_, "any" | "all", int()):
            return Condition
        case _:
            return None
