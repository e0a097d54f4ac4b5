"""the plan of a line and what its calls gave -> the evidence by label, and where it is used.

A plan is the field `tool_calls`: `[{tool: shell, args: {command: ls}}, …]`, or by label. Calls
without a label are E1, E2, … by their place. A text that has `#E1` or `{E1}` in it refers to what
that call gave. Evidence is a named value of a later step: its name is the label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wfnb.errors import BadValue
from wfnb.frozen_record import record

from .ledger import Ledger, counting_steps
from .session import Line, Session, Step

FIELD = "tool_calls"
_NEEDS = "calls, as [{tool: shell, args: {command: ls}}, …], each with an `id` if wanted"
_KEYS = {"id", "tool", "args"}
_LABEL = re.compile(r"[A-Za-z_]\w{0,79}")
_REFERENCE = re.compile(
    r"#(?P<mark>[A-Za-z_]\w*)"
    r"|(?<!\{)\{(?P<name>[A-Za-z_]\w*)(?P<path>\.[\w.]+)?(?P<form>![a-z])?\}(?!\})"
)
_NUMBERED = re.compile(r"#(E[1-9]\d*)\b")


@record
class PlannedCall:
    label: str
    tool: str
    args: Mapping[str, Any]


def calls(given: Any) -> list[PlannedCall]:
    """The calls of a plan. BadValue for what is no plan."""
    if isinstance(given, Mapping):
        given = [
            {"id": label, **call} if isinstance(call, Mapping) else call
            for label, call in given.items()
        ]
    if not isinstance(given, list | tuple) or not given:
        raise BadValue(f"field {FIELD!r}", str(given)[:60], _NEEDS)
    planned = [_call(call, place) for place, call in enumerate(given, 1)]
    labels = [call.label for call in planned]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise BadValue(f"field {FIELD!r}", twice, "labels that differ")
    return planned


def _call(given: Any, place: int) -> PlannedCall:
    parts = given if isinstance(given, Mapping) else {}
    label, tool, args = parts.get("id", f"E{place}"), parts.get("tool"), parts.get("args", {})
    well = isinstance(tool, str) and isinstance(args, Mapping) and parts.keys() <= _KEYS
    if not well or not _LABEL.fullmatch(str(label)):
        raise BadValue(f"field {FIELD!r}, call {place}", str(given)[:60], _NEEDS)
    return PlannedCall(label=str(label), tool=str(tool), args=args)


def referred(value: Any, labels: Sequence[str]) -> list[str]:
    """The labels that the texts of a value refer to, in the order of the plan."""
    labels_in_text = {
        each["mark"] or each["name"] for text in _texts(value) for each in _REFERENCE.finditer(text)
    }
    return [label for label in labels if label in labels_in_text]


def replace_references(value: Any, places: Mapping[str, str]) -> Any:
    """The value with `#E1` and `{E1}` in its texts as the placeholder of what that label gave."""

    def place(match: re.Match[str]) -> str:
        label = match["mark"] or match["name"]
        if match["path"] or label not in places:
            return match[0]
        return f"{{{places[label]}{match['form'] or ''}}}"

    if isinstance(value, str):
        return _REFERENCE.sub(place, value)
    if isinstance(value, Mapping):
        return {key: replace_references(each, places) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [replace_references(each, places) for each in value]
    return value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def plan_step(steps: Sequence[Step]) -> Step | None:
    """The last of the steps that has a plan."""
    return next((step for step in reversed(steps) if _planned(step)), None)


def _planned(step: Step) -> list[PlannedCall]:
    try:
        return calls(step.current.fields[FIELD]) if FIELD in step.current.fields else []
    except BadValue:  # of a strategy that does not check it
        return []


def plan(session: Session, line: Line) -> list[PlannedCall]:
    """The calls that the line planned last; none: it has no plan."""
    step = plan_step(counting_steps(session, line))
    return [] if step is None else _planned(step)


def evidence(steps: Sequence[Step], labels: Sequence[str]) -> dict[str, Any]:
    """Label -> the last value that steps recorded under that name, and went well."""
    results: dict[str, Any] = {}
    for step in steps:
        values = step.outcome.values if step.outcome is not None and step.is_done else {}
        # The last wins: a call that was made again replaces what it gave before.
        results |= {label: values[label] for label in labels if label in values}
    return {label: value for label, value in results.items() if value is not None}


def check_plan(
    steps: Sequence[Step], fields: Mapping[str, Any], required: Mapping[str, str], words: str
) -> tuple[dict[str, Any], list[str]]:
    """The fields of a step, a plan in them with its labels; and what to say of labels that the
    step's words use."""
    if FIELD not in required or fields.get(FIELD) in (None, ""):
        return dict(fields), unplanned(steps, words)
    planned = calls(fields[FIELD])
    labels = [call.label for call in planned]
    named = dict.fromkeys(_NUMBERED.findall(" ".join(_texts([call.args for call in planned]))))
    warnings = [f"{label} is no call of the plan" for label in named if label not in labels]
    return {
        **fields,
        FIELD: [{"id": c.label, "tool": c.tool, "args": c.args} for c in planned],
    }, warnings


def unplanned(steps: Sequence[Step], description: str) -> list[str]:
    """What to say of labels in a step's words that no call of the plan has."""
    step = plan_step(steps)
    if step is None:
        return []
    labels = [call.label for call in _planned(step)]
    results = evidence(steps, labels)
    named = dict.fromkeys(_NUMBERED.findall(description))
    return [
        f"{label} is no call of the plan" if label not in labels else f"evidence {label} is missing"
        for label in named
        if label not in results
    ]


def ledger(session: Session, line: Line) -> Ledger | None:
    """A row a call: what it gave, and the steps that use it."""
    steps = counting_steps(session, line)
    step = plan_step(steps)
    if step is None:
        return None
    planned = _planned(step)
    labels = [call.label for call in planned]
    # An earlier plan may have used the same labels for other calls.
    later = steps[steps.index(step) + 1 :]
    results = evidence(later, labels)
    used: dict[str, list[str]] = {label: [] for label in labels}
    for call in planned:
        for label in referred(call.args, labels):
            used[label].append(call.label)
    for each in later:
        for label in _used(each, labels):
            used[label].append(f"step {each.number}")
    return Ledger(
        title="evidence",
        heads=("call", "tool", "with", "gave", "used in"),
        rows=tuple(
            (call.label, call.tool, call.args, results.get(call.label, "missing"), used[call.label])
            for call in planned
        ),
        lacks=tuple(f"evidence {label} is missing" for label in labels if label not in results),
    )


def _used(step: Step, labels: Sequence[str]) -> list[str]:
    """The labels that a step's words, fields or code refer to."""
    now, reads = step.current, () if step.flow is None else step.flow.reads
    named = referred([now.description, now.fields], labels)
    return [label for label in labels if label in named or label in reads]
