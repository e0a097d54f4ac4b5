"""a kind of investigation -> what in it cannot be followed, the first problem first.

The shape is checked before (`kind_reader`): here is what JSON's types do not say, that parts of
a kind name each other rightly. A kind of an older journal is not checked again: it was followed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from wfnb.core.findings import SEVERITIES

from .kind import ACTS, LOOKS, OFFERED, Action, Kind, Rule, RuleCondition, Status

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
STATUS = re.compile(r"\w(?:[\w .,-]{0,78}[\w.])?")
NONE = "none"
"""The word for no kind, no reviewer, no planner."""
_ANSWERS = """
    step_number total_steps next_step_needed last_step_description current_branch branches
    step_history_length session outcome error branch_from_step revises_step needs_more_steps solved
    strategy stage next_stages fields values stale_steps tally scores warnings next_actions
    investigation status next_step_required continuation_id evidence withdrawn required_actions
    ticked thoughts next_step_number next_steps progress end stagnation lacks staged review
    planner model_consulted model_stance model_response model_verdict model_error"""
ANSWERS = frozenset(_ANSWERS.split())
"""What an answer says itself: the whole at the end has another name."""


def problems(kind: Kind) -> Iterator[str]:
    yield from _names(kind)
    yield from _confidence(kind)
    yield from _evidence(kind)
    tables: dict[str, tuple[Rule, ...] | tuple[Status, ...]] = {
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
    for each in (*kind.pauses, *kind.complete):
        if not STATUS.fullmatch(each.status):
            yield f"the status {each.status[:60]!r} is not up to 80 letters, digits, spaces or _.,-"
    whens = [rule.when for rules in tables.values() for rule in rules]
    for when in (*whens, *kind.reviewer.skip, kind.total.when):
        yield from _condition(kind, when)
    for rule in kind.actions:
        if not rule.do:
            yield "a rule asks for nothing"
        for action in rule.do:
            yield from _action(action)
    yield from _total(kind)
    for name, asked in kind.fields.items():
        if not FIELD.fullmatch(name):
            yield f"the field {name[:60]!r} is not up to 40 letters, digits or _"
        if asked.default is not None and asked.choices and asked.default not in asked.choices:
            yield f"the default of {name!r} is none of its choices"


def _names(kind: Kind) -> Iterator[str]:
    if not NAME.fullmatch(kind.name):
        yield f"the name {kind.name[:60]!r} is not up to 40 small letters, digits or _"
    if kind.name == NONE:
        yield f"the name {NONE!r} means no kind"
    if not NAME.fullmatch(kind.completion):
        yield f"completion {kind.completion[:60]!r} is not up to 40 small letters, digits or _"
    # An answer is one mapping: the kind's own field would take the place of another.
    if kind.completion in (*ANSWERS, f"{kind.name}_status", f"{kind.name}_required"):
        yield f"completion {kind.completion!r} is a field that every answer has"


def _confidence(kind: Kind) -> Iterator[str]:
    scale = kind.confidence
    if len(set(scale.levels)) < len(scale.levels) or len(scale.levels) < 2:
        yield "confidence needs two levels or more, each once"
    yield from _levels((scale.default, scale.sure, *scale.nearly, *scale.patience), kind)
    for level, often in scale.patience.items():
        if often < 1:
            yield f"patience with {level!r} is {often}: it is a number from 1"
    if scale.default == scale.sure:
        yield f"confidence begins at {scale.sure!r}, so nothing would have to be shown"


def _levels(named: Iterable[str], kind: Kind) -> Iterator[str]:
    for level in named:
        if level not in kind.confidence.levels:
            yield f"confidence {level!r} is none of its levels"


def _evidence(kind: Kind) -> Iterator[str]:
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
            yield from _way(way, way, (*LOOKS, *ACTS))


def _way(way: str, said: str, known: Collection[str]) -> Iterator[str]:
    if way not in known:
        yield f"{said!r} is no evidence; there are {', '.join((*LOOKS, *ACTS))}"


def _condition(kind: Kind, when: RuleCondition) -> Iterator[str]:
    first, last = when.steps
    if first < 1 or (last is not None and last < first):
        yield f"steps {first} to {last} are none"
    yield from _levels(when.confidence, kind)
    for severity in when.issues:
        if severity not in SEVERITIES:
            yield f"{severity!r} is no severity; there are {', '.join(SEVERITIES)}"
    if when.left is not None and when.left < 0:
        yield "left is a number of steps from 0"
    for name, value in when.fields.items():
        asked = kind.fields.get(name)
        if asked is None or (asked.choices and value not in asked.choices):
            yield f"{name}={value!r} is no field with that choice"


def _action(action: Action) -> Iterator[str]:
    if not action.do.strip() or not action.do.isprintable():
        yield f"an action is {action.do[:60]!r}, and no line of text"
    for by in action.by:
        way, colon, begins = by.partition(":")
        # What code did has no name to begin with: only what was looked at has.
        wrong = [*_way(way, by, LOOKS if colon else (*LOOKS, *ACTS))]
        yield from wrong
        if colon and not begins and not wrong:
            yield f"{by!r} says nothing after its colon"


def _total(kind: Kind) -> Iterator[str]:
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
