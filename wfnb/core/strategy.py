"""strategy data (JSON or YAML, read elsewhere) -> a checked graph of stages.

One table drives validation, diagram and prompts. The nine built-in ones are data beside this
file; their texts are kept per (strategy, stage), because stages share names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from dataclasses import fields as dataclass_fields
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from wfnb.errors import Refused, StrategyBroken
from wfnb.frozen_record import record

from . import validation

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Effect = Literal["score-branch", "select-branch", "tally-answers", "begin-round", "show-ledger"]
"""What a step of the stage does beside being recorded. Each shows what the strategy keeps."""
Keeps = Literal["evidence", "rounds", "questions", "votes", "beam", "principle", "turns"]
"""What a strategy keeps of its steps (`strategy_ledgers.py`)."""
Holds = Literal["text", "words", "number", "value"]
"""How a field is read from a line: as it is written; the same but for `{…}` and `[…]`; as a number;
as a YAML value."""
_NAME = re.compile(r"\w[\w.+-]{0,79}")


@record
class Stage:
    """A kind of step."""

    description: str = ""
    """What it is."""
    prompt: str = ""
    """What to do in it."""
    next: tuple[str, ...] = ()
    """The stages that may follow."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Those that it asks for, each with what it is."""
    holds: Mapping[str, Holds] = field(default_factory=dict)
    """How fields are read from a line, where they are no YAML values."""
    effect: Effect | None = None
    """What a step of it does to the session."""
    repeats: bool = False
    """Whether it may follow itself."""
    opens: bool = False
    """Whether it may begin a branch wherever that leaves, where a step names it."""
    branch_as: str | None = None
    """On a branch, the field that is the branch's name where it is left out."""


@record
class Strategy:
    """A graph of stages: `stages["plan"].next` is what may follow a plan."""

    name: str
    start: str
    stages: Mapping[str, Stage]
    title: str = ""
    description: str = ""
    keeps: Keeps | None = None


@cache
def _shape() -> TypeAdapter[Strategy]:
    """What JSON data has to look like, and nothing beside."""
    from pydantic import ConfigDict, TypeAdapter, with_config  # noqa: PLC0415  heavy

    strict = with_config(ConfigDict(extra="forbid"))
    strict(Stage)
    return TypeAdapter(strict(Strategy))


def _validate_shape(data: Any, where: str) -> Strategy:
    from pydantic import ValidationError  # noqa: PLC0415  heavy

    try:
        return _shape().validate_python(data)
    except ValidationError as error:
        raise StrategyBroken(where, validation.shape_problem(error)) from None


def strategy_from(data: Any, where: str) -> Strategy:
    """The strategy that `data` describes; `start` may be left out where just one stage has
    nothing before it.

    Raises StrategyBroken, naming `where` and what cannot be followed: a wrong shape, a stage that
    does not exist, no single start, no end, a stage that is never reached or never gets to an end.
    """
    named = not isinstance(data, Mapping) or "start" in data
    # pydantic asks for `start`; it can be worked out only once the stages are known to be well
    # formed.
    strategy = _validate_shape(data if named else {**data, "start": ""}, where)
    try:
        validation.json("the file", data)
    except Refused as error:
        raise StrategyBroken(where, str(error).rstrip(".")) from None
    if not named:
        strategy = replace(strategy, start=_only_start(strategy.stages, where))
    problem = next(_problems(strategy), None)
    if problem:
        raise StrategyBroken(where, problem)
    return strategy


def recorded_strategy(data: Mapping[str, Any]) -> Strategy:
    """A strategy as it was recorded. It was checked then, by the rules of then: it is not again."""
    stages = {
        name: Stage(**_known_fields(Stage, {**stage, "next": tuple(stage.get("next", ()))}))
        for name, stage in data["stages"].items()
    }
    return Strategy(**_known_fields(Strategy, {**data, "stages": stages}))


def _known_fields(kind: type, data: Mapping[str, Any]) -> dict[str, Any]:
    # A journal may be of another version, whose strategies have fields that this one does not know.
    return {item.name: data[item.name] for item in dataclass_fields(kind) if item.name in data}


def to_data(strategy: Strategy) -> dict[str, Any]:
    """The strategy as JSON data; `recorded_strategy` reads it again."""
    data = _shape().dump_python(strategy, mode="json", exclude_defaults=True)
    return dict(data)


def _only_start(stages: Mapping[str, Stage], where: str) -> str:
    """Where no start is named, it is the stage that nothing leads to."""
    follow = {after for stage in stages.values() for after in stage.next}
    starts = [name for name in stages if name not in follow]
    if len(starts) == 1:
        return starts[0]
    if not stages:
        raise StrategyBroken(where, "it has no stages")
    names = ", ".join(map(repr, starts)) or "none: every stage follows another"
    raise StrategyBroken(
        where, f"one stage has to be the start (found {names}); name it as `start`"
    )


def _problems(strategy: Strategy) -> Iterator[str]:
    stages = strategy.stages
    if not _NAME.fullmatch(strategy.name):
        yield f"the name {strategy.name!r} is not up to 80 letters, digits or . _ + -"
    for word in (*stages, *(name for stage in stages.values() for name in stage.fields)):
        if not (word.strip() == word != "" and word.isprintable() and len(word) <= 80):
            yield f"the name {word[:80]!r} is not up to 80 characters on one line"
    for name, stage in stages.items():
        for after in stage.next:
            if after not in stages:
                yield f"stage {name!r} leads to {after!r}, which is no stage"
    for name, stage in stages.items():
        for held in stage.holds:
            if held not in stage.fields:
                yield f"stage {name!r} says what {held!r} holds, which is none of its fields"
        if stage.branch_as is not None and stage.branch_as not in stage.fields:
            yield f"stage {name!r} names its branch by {stage.branch_as!r}, which is no field of it"
    if strategy.start not in stages:
        yield f"the start {strategy.start!r} is no stage"
    ends = [name for name, stage in stages.items() if not stage.next]
    if not ends:
        yield "no stage is an end (one whose `next` is empty)"
    before: dict[str, list[str]] = {name: [] for name in stages}
    for name, stage in stages.items():
        for after in stage.next:
            before[after].append(name)
    reached = _spread([strategy.start], lambda name: stages[name].next)
    ending = _spread(ends, lambda name: before[name])
    for name in stages:
        if name not in reached:
            yield f"stage {name!r} is never reached from {strategy.start!r}"
        if name not in ending:
            yield f"stage {name!r} is a dead end: no end can be reached from it"


def _spread(names: Iterable[str], onward: Callable[[str], Iterable[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(onward(name))
    return seen


@cache
def builtin_strategies() -> Mapping[str, Strategy]:
    """The nine strategies that come with wfnb by name, in the order of their names."""
    folder = files(__package__) / "strategies"
    texts = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=str)
    read = [strategy_from(json.loads(file.read_text("utf-8")), file.name) for file in texts]
    return {strategy.name: strategy for strategy in read}
