"""kind data (JSON or YAML, read elsewhere) -> a checked kind of investigation, and back.

The twelve built-in ones are data beside this file (`kinds/`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields as dataclass_fields
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from wfnb.core import validation
from wfnb.errors import KindBroken, Refused

from .kind import Action, Confidence, Field, Kind, Reviewer, Rule, RuleCondition, Status, Total
from .kind_check import problems

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@cache
def _shape() -> TypeAdapter[Kind]:
    # Read when a kind is checked first: a notebook without an investigation never loads it.
    from pydantic import ConfigDict, TypeAdapter, with_config  # noqa: PLC0415  heavy

    strict = with_config(ConfigDict(extra="forbid"))
    for part in (RuleCondition, Action, Rule, Status, Confidence, Total, Reviewer, Field):
        strict(part)
    return TypeAdapter(strict(Kind))


def kind_from(data: Any, where: str) -> Kind:
    """Raises KindBroken, naming `where` and what cannot be followed."""
    from pydantic import ValidationError  # noqa: PLC0415  heavy

    try:
        validation.json("the file", data)
        kind = _shape().validate_python(data)
    except Refused as error:
        raise KindBroken(where, str(error).rstrip(".")) from None
    except ValidationError as error:
        raise KindBroken(where, validation.shape_problem(error)) from None
    problem = next(problems(kind), None)
    if problem:
        raise KindBroken(where, problem)
    return kind


def recorded_kind(data: Mapping[str, Any]) -> Kind:
    """A kind as it was recorded. It was checked then, by the rules of then: it is not again."""
    given = dict(data)
    parts: Mapping[str, type] = {"pauses": Status, "complete": Status, "actions": Rule}
    for name, part in parts.items():
        given[name] = tuple(_part(part, each) for each in data[name])
    parts = {"confidence": Confidence, "total": Total, "reviewer": Reviewer}
    for name in parts.keys() & data.keys():
        given[name] = _part(parts[name], data[name])
    # Sought by name with a default: a journal of before had no such field.
    given["evidence"] = tuple(tuple(ways) for ways in data.get("evidence", ()))
    given["fields"] = {name: _part(Field, each) for name, each in data.get("fields", {}).items()}
    return Kind(**_known_fields(Kind, given))


def _part(kind: type, data: Mapping[str, Any]) -> Any:
    """A record inside a kind, and those inside it."""
    given = dict(data)
    if "when" in data:
        given["when"] = _part(RuleCondition, data["when"])
    if kind is Rule:
        given["do"] = [_part(Action, each) for each in data["do"]]
    if kind is Reviewer:
        given["skip"] = [_part(RuleCondition, each) for each in data.get("skip", ())]
    return kind(**_known_fields(kind, given))


def _known_fields(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """What the record has room for; JSON's lists are tuples."""
    return {
        item.name: tuple(value) if isinstance(value := data[item.name], list) else value
        for item in dataclass_fields(kind)
        if item.name in data
    }


def to_data(kind: Kind) -> dict[str, Any]:
    """The kind as JSON data; `recorded_kind` reads it again."""
    return dict(_shape().dump_python(kind, mode="json", exclude_defaults=True))


@cache
def builtin_kinds() -> Mapping[str, Kind]:
    """The twelve kinds that come with wfnb by name, in the order of their names."""
    folder = files(__package__) / "kinds"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=str)
    read = [kind_from(json.loads(file.read_text("utf-8")), file.name) for file in found]
    return {kind.name: kind for kind in read}
