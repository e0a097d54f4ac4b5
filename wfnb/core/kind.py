"""kind data (JSON or YAML, read elsewhere) -> a checked kind of investigation.

One table drives the pause, the end, the totals, the help and the pages. The twelve built-in ones
are data beside this file (`kinds/`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from dataclasses import fields as dataclass_fields
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from wfnb.errors import KindBroken, Refused

from . import values
from .record import record

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
LOOKS = ("cell", "tool", "file", "git", "code", "adviser")
"""Kinds of evidence. In a rule, `git:staged` means looks of git whose name begins with `staged`."""
OFFERED = ("changes", "last", "outline", "calls", "undocumented")
"""What a kind may offer to look at, as `%wfnb look` names it."""


@record
class When:
    """All that is said has to hold; nothing said: always. `steps` are the first and the last (None:
    open) of the investigation's own count; `end`: the last planned step; `total`: at least."""

    steps: tuple[int, int | None] = (1, None)
    end: bool | None = None
    total: int = 1
    confidence: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


@record
class Action:
    """What is to be looked at, and which evidence ticks it."""

    do: str
    by: tuple[str, ...] = ("cell", "tool", "file")


@record
class Rule:
    do: tuple[Action, ...]
    when: When = When()


@record
class Status:
    status: str
    when: When = When()


@record
class Confidence:
    """`levels` go up. `sure` ends early by itself, `nearly` at the last step but one. `patience`:
    how often in a row a level may be said before it is pointed out."""

    levels: tuple[str, ...] = (
        "exploring", "low", "medium", "high", "very_high", "almost_certain", "certain",
    )  # fmt: skip
    default: str = "low"
    sure: str = "certain"
    nearly: tuple[str, ...] = ("very_high", "almost_certain")
    patience: Mapping[str, int] = field(
        default_factory=lambda: {"exploring": 3, "low": 3, "medium": 5}
    )


@record
class Total:
    """How many steps: an estimate from the problem (about `usual`), a fixed number, one for each
    model, or one and one for each file; never below `least`, where `when` holds. `count` and
    `done` are the fields that hold the models, or the files there are and those that are done."""

    rule: Literal["estimate", "fixed", "models", "files"] = "estimate"
    usual: int = 3
    least: int = 1
    when: When = When()
    count: str | None = None
    done: str | None = None


@record
class Reviewer:
    """No reviewer is asked where one of `skip` holds."""

    skip: tuple[When, ...] = ()


@record
class Field:
    """A field of the kind's steps (`--set NAME=VALUE`). `holds`: how it is read, and checked."""

    says: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    holds: Literal["text", "count", "models", "repository", "folder"] = "text"


@record
class Kind:
    name: str
    pauses: tuple[Status, ...]
    complete: tuple[Status, ...]
    completion: str
    actions: tuple[Rule, ...]
    title: str = ""
    description: str = ""
    confidence: Confidence = Confidence()
    total: Total = Total()
    reviewer: Reviewer = Reviewer()
    needs: tuple[str, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)
    finding: bool = True
    paused: bool = True
    looks: tuple[str, ...] = ()


@cache
def _shape() -> TypeAdapter[Kind]:
    from pydantic import ConfigDict, TypeAdapter, with_config  # noqa: PLC0415  heavy

    strict = with_config(ConfigDict(extra="forbid"))
    for part in (When, Action, Rule, Status, Confidence, Total, Reviewer, Field):
        strict(part)
    return TypeAdapter(strict(Kind))


def kind_from(data: Any, where: str) -> Kind:
    """Raises KindBroken, naming `where` and what cannot be followed."""
    from pydantic import ValidationError  # noqa: PLC0415  heavy

    try:
        values.json("the file", data)
        kind = _shape().validate_python(data)
    except Refused as error:
        raise KindBroken(where, str(error).rstrip(".")) from None
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(map(str, first["loc"]))[:80] or "the file"
        path = path if path.isprintable() else repr(path)
        raise KindBroken(where, f"{path}: {first['msg'].lower()}") from None
    problem = next(_problems(kind), None)
    if problem:
        raise KindBroken(where, problem)
    return kind


def recorded(data: Mapping[str, Any]) -> Kind:
    """A kind as it was recorded. It was checked then, by the rules of then: it is not again."""
    given = dict(data)
    parts: Mapping[str, type] = {"pauses": Status, "complete": Status, "actions": Rule}
    for name, part in parts.items():
        given[name] = tuple(_part(part, each) for each in data[name])
    parts = {"confidence": Confidence, "total": Total, "reviewer": Reviewer}
    for name in parts.keys() & data.keys():
        given[name] = _part(parts[name], data[name])
    given["fields"] = {name: _part(Field, each) for name, each in data.get("fields", {}).items()}
    return Kind(**_known(Kind, given))


def _part(kind: type, data: Mapping[str, Any]) -> Any:
    """A record inside a kind, and those inside it."""
    given = dict(data)
    if "when" in data:
        given["when"] = _part(When, data["when"])
    if kind is Rule:
        given["do"] = [_part(Action, each) for each in data["do"]]
    if kind is Reviewer:
        given["skip"] = [_part(When, each) for each in data.get("skip", ())]
    return kind(**_known(kind, given))


def _known(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    """What the record has room for; JSON's lists are tuples."""
    return {
        item.name: tuple(value) if isinstance(value := data[item.name], list) else value
        for item in dataclass_fields(kind)
        if item.name in data
    }


def to_data(kind: Kind) -> dict[str, Any]:
    """The kind as JSON data; `recorded` reads it again."""
    return dict(_shape().dump_python(kind, mode="json", exclude_defaults=True))


def _problems(kind: Kind) -> Iterator[str]:
    scale = kind.confidence
    if not _NAME.fullmatch(kind.name):
        yield f"the name {kind.name!r} is not up to 40 small letters, digits or _"
    if len(set(scale.levels)) < len(scale.levels) or len(scale.levels) < 2:
        yield "confidence needs two levels or more, each once"
    for level in (scale.default, scale.sure, *scale.nearly, *scale.patience):
        if level not in scale.levels:
            yield f"confidence {level!r} is none of its levels"
    if scale.default == scale.sure:
        yield f"confidence begins at {scale.sure!r}, so nothing would have to be shown"
    for name in kind.needs:
        if name != "relevant_files" and name not in kind.fields:
            yield f"the first step needs {name!r}, which is no field"
    for what in kind.looks:
        if what not in OFFERED:
            yield f"{what!r} is nothing that can be looked at; there are {', '.join(OFFERED)}"
    tables: Mapping[str, Sequence[Rule | Status]] = {
        "pauses": kind.pauses,
        "complete": kind.complete,
        "actions": kind.actions,
    }
    for name, rules in tables.items():
        if not rules:
            yield f"{name} is empty"
        elif rules[-1].when != When():
            yield f"the last of {name} holds only sometimes: leave out its `when`"
    whens = [rule.when for rules in tables.values() for rule in rules]
    for when in (*whens, *kind.reviewer.skip, kind.total.when):
        first, last = when.steps
        if first < 1 or (last is not None and last < first):
            yield f"steps {first} to {last} are none"
        for level in when.confidence:
            if level not in scale.levels:
                yield f"confidence {level!r} is none of its levels"
        for name, value in when.fields.items():
            asked = kind.fields.get(name)
            if asked is None or (asked.choices and value not in asked.choices):
                yield f"{name}={value!r} is no field with that choice"
    for rule in kind.actions:
        if not rule.do:
            yield "a rule asks for nothing"
        for action in rule.do:
            for by in action.by:
                if by.partition(":")[0] not in LOOKS:
                    yield f"{by!r} is no evidence; there are {', '.join(LOOKS)}"
    total = kind.total
    if (total.rule in ("models", "files")) != (total.count in kind.fields):
        yield f"a total of rule {total.rule!r} needs the field that holds the count, no other does"
    if total.rule == "files" and total.done not in kind.fields:
        yield "a total of rule 'files' needs the field that holds how many are done"
    if not 1 <= total.least <= 1000 or not 1 <= total.usual <= 1000:
        yield "a total is from 1 to 1,000 steps"
    for name, asked in kind.fields.items():
        if asked.default is not None and asked.choices and asked.default not in asked.choices:
            yield f"the default of {name!r} is none of its choices"


@cache
def builtin() -> Mapping[str, Kind]:
    """The twelve kinds that come with wfnb by name, in the order of their names."""
    folder = files(__package__) / "kinds"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=str)
    read = [kind_from(json.loads(file.read_text("utf-8")), file.name) for file in found]
    return {kind.name: kind for kind in read}
