"""kind data (JSON or YAML, read elsewhere) -> a checked kind of investigation.

One table drives the pause, the end, the totals, the help and the pages. The twelve built-in ones
are data beside this file (`kinds/`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from dataclasses import fields as dataclass_fields
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from wfnb.core import validation
from wfnb.core.findings import SEVERITIES
from wfnb.errors import KindBroken, Refused
from wfnb.record import record

from .reserved_names import ANSWERS, FIELD, NAME, NONE, STATUS

if TYPE_CHECKING:
    from pydantic import TypeAdapter

LOOKS = ("cell", "tool", "file", "git", "code", "adviser")
"""Kinds of evidence. In a rule, `git:staged` means looks of git whose name begins with `staged`."""
ACTS = ("run", "test", "check", "search", "versions")
"""What a cell or a tool can be seen to do: it ran code or a program, tests, a linter (a formatter,
a type checker), a search in files, or asked for versions. One that opened files is a `file` too."""
OFFERED = ("changes", "last", "outline", "calls", "undocumented")
"""What a kind may offer to look at, as the verb `look` names it."""


@record
class RuleCondition:
    """All that is said has to hold; nothing said: always. `steps` are the first and the last (None:
    open) of the investigation's own count; `end`: the last planned step; `left`: so many planned
    steps follow at most; `total`: at least; `issues`: one so severe is open; `found`: a finding, a
    relevant file or an issue is there, or none is; `unseen`: a look that is asked for as `evidence`
    was not there, or all were; `proven`: there is enough evidence, or something is missing."""

    steps: tuple[int, int | None] = (1, None)
    end: bool | None = None
    total: int = 1
    confidence: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    issues: tuple[str, ...] = ()
    left: int | None = None
    found: bool | None = None
    unseen: bool | None = None
    proven: bool | None = None


@record
class Action:
    """What is to be done, and which evidence ticks it; none: it is for thought, and nothing shows
    that it was done."""

    do: str
    by: tuple[str, ...] = ()


@record
class Rule:
    do: tuple[Action, ...]
    when: RuleCondition = RuleCondition()


@record
class Status:
    status: str
    when: RuleCondition = RuleCondition()


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
    when: RuleCondition = RuleCondition()
    count: str | None = None
    done: str | None = None


@record
class Reviewer:
    """No reviewer is asked where one of `skip` holds."""

    skip: tuple[RuleCondition, ...] = ()


@record
class Field:
    """A field of the kind's steps (`--set NAME=VALUE`). `holds`: how it is read, and checked."""

    says: str
    choices: tuple[str, ...] = ()
    default: str | None = None
    holds: Literal["text", "count", "models", "repository", "folder"] = "text"


@record
class Kind:
    """`evidence` are kinds of looks, or acts, without which it does not end early: one of each
    row."""

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
    evidence: tuple[tuple[str, ...], ...] = ()


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
        first = error.errors()[0]
        path = ".".join(map(str, first["loc"]))[:80] or "the file"
        path = path if path.isprintable() else repr(path)
        raise KindBroken(where, f"{path}: {first['msg'].lower()}") from None
    problem = next(_problems(kind), None)
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


def _problems(kind: Kind) -> Iterator[str]:
    scale = kind.confidence
    if not NAME.fullmatch(kind.name):
        yield f"the name {kind.name[:60]!r} is not up to 40 small letters, digits or _"
    if kind.name == NONE:
        yield f"the name {NONE!r} means no kind"
    if not NAME.fullmatch(kind.completion):
        yield f"completion {kind.completion[:60]!r} is not up to 40 small letters, digits or _"
    # An answer is one mapping: the kind's own field would take the place of another.
    if kind.completion in (*ANSWERS, f"{kind.name}_status", f"{kind.name}_required"):
        yield f"completion {kind.completion!r} is a field that every answer has"
    if len(set(scale.levels)) < len(scale.levels) or len(scale.levels) < 2:
        yield "confidence needs two levels or more, each once"
    for level in (scale.default, scale.sure, *scale.nearly, *scale.patience):
        if level not in scale.levels:
            yield f"confidence {level!r} is none of its levels"
    for level, often in scale.patience.items():
        if often < 1:
            yield f"patience with {level!r} is {often}: it is a number from 1"
    if scale.default == scale.sure:
        yield f"confidence begins at {scale.sure!r}, so nothing would have to be shown"
    for name in kind.needs:
        if name != "relevant_files" and name not in kind.fields:
            yield f"the first step needs {name!r}, which is no field"
    for what in kind.looks:
        if what not in OFFERED:
            yield f"{what!r} is nothing that can be looked at; there are {', '.join(OFFERED)}"
    for ways in kind.evidence:
        if not ways:
            yield "a row of evidence is empty"
        for way in ways:
            if way not in (*LOOKS, *ACTS):
                yield f"{way!r} is no evidence; there are {', '.join((*LOOKS, *ACTS))}"
    tables: Mapping[str, Sequence[Rule | Status]] = {
        "pauses": kind.pauses,
        "complete": kind.complete,
        "actions": kind.actions,
    }
    for name, rules in tables.items():
        if not rules:
            yield f"{name} is empty"
        # `first` falls back on the last: it has to hold always.
        elif rules[-1].when != RuleCondition():
            yield f"the last of {name} holds only sometimes: leave out its `when`"
    for told in (*kind.pauses, *kind.complete):
        if not STATUS.fullmatch(told.status):
            yield f"the status {told.status[:60]!r} is not up to 80 letters, digits, spaces or _.,-"
    whens = [rule.when for rules in tables.values() for rule in rules]
    for when in (*whens, *kind.reviewer.skip, kind.total.when):
        first, last = when.steps
        if first < 1 or (last is not None and last < first):
            yield f"steps {first} to {last} are none"
        for level in when.confidence:
            if level not in scale.levels:
                yield f"confidence {level!r} is none of its levels"
        for severity in when.issues:
            if severity not in SEVERITIES:
                yield f"{severity!r} is no severity; there are {', '.join(SEVERITIES)}"
        if when.left is not None and when.left < 0:
            yield "left is a number of steps from 0"
        for name, value in when.fields.items():
            asked = kind.fields.get(name)
            if asked is None or (asked.choices and value not in asked.choices):
                yield f"{name}={value!r} is no field with that choice"
    for rule in kind.actions:
        if not rule.do:
            yield "a rule asks for nothing"
        for action in rule.do:
            if not action.do.strip() or not action.do.isprintable():
                yield f"an action is {action.do[:60]!r}, and no line of text"
            for by in action.by:
                way, colon, begins = by.partition(":")
                if way not in (LOOKS if colon else (*LOOKS, *ACTS)):
                    yield f"{by!r} is no evidence; there are {', '.join((*LOOKS, *ACTS))}"
                elif colon and not begins:
                    yield f"{by!r} says nothing after its colon"
    total = kind.total
    if (total.rule in ("models", "files")) != (total.count in kind.fields):
        yield f"a total of rule {total.rule!r} needs the field that holds the count, no other does"
    if total.rule == "files" and total.done not in kind.fields:
        yield "a total of rule 'files' needs the field that holds how many are done"
    held = {"models": "models", "files": "count"}.get(total.rule)
    counting = (total.count, total.done if total.rule == "files" else None)
    for counts in filter(None, counting):
        if held and counts in kind.fields and kind.fields[counts].holds != held:
            yield f"a total of rule {total.rule!r} needs {counts!r} to be `holds: {held}`"
    if not 1 <= total.least <= 1000 or not 1 <= total.usual <= 1000:
        yield "a total is from 1 to 1,000 steps"
    for name, asked in kind.fields.items():
        if not FIELD.fullmatch(name):
            yield f"the field {name[:60]!r} is not up to 40 letters, digits or _"
        if asked.default is not None and asked.choices and asked.default not in asked.choices:
            yield f"the default of {name!r} is none of its choices"


@cache
def builtin() -> Mapping[str, Kind]:
    """The twelve kinds that come with wfnb by name, in the order of their names."""
    folder = files(__package__) / "kinds"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=str)
    read = [kind_from(json.loads(file.read_text("utf-8")), file.name) for file in found]
    return {kind.name: kind for kind in read}
