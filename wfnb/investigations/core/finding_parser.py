"""loose values (words of a command line, JSON of a caller) -> what a step found.

A string where a list is meant is a list of one; what cannot be meant is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from wfnb.core import validation
from wfnb.core.findings import SEVERITIES, Findings, Issue
from wfnb.errors import BadText, BadValue, ModelTwice

T = TypeVar("T")
Json = Any

_MODEL = ("model", "stance")
STANCES = ("for", "against", "neutral")
MAX_FINDINGS, MAX_HYPOTHESIS, MAX_NAME, MAX_ENTRIES = 50_000, 10_000, 1_000, 1_000
"""Letters of a finding, of a hypothesis, of a name; entries of a list."""


def findings(loose: Mapping[str, Any]) -> Findings | None:
    """What is said under `finding`, `hypothesis`, `confidence`, `files`, `relevant`, `context`,
    `issues`, `confirms` and `refutes`; None where nothing is. Raises BadValue and BadText with that
    name."""
    said = {name: value for name, value in loose.items() if value not in (None, (), [])}
    if not said.keys() & _READ.keys():
        return None
    return Findings(
        **{field: read(name, said[name]) for name, (field, read) in _READ.items() if name in said}
    )


def issue(value: Any) -> Issue:
    """`"high: no check"`, `{"severity": "high", "description": "no check"}`, or an Issue."""
    severity: Any
    text: Any
    if isinstance(value, Issue):
        severity, text = value.severity, value.text
    elif isinstance(value, Mapping):
        severity, text = value.get("severity"), value.get("description", value.get("text"))
    else:
        severity, colon, text = validation.text("issue", value).partition(":")
        if not colon:
            raise BadValue("issue", value[:60], "SEVERITY: TEXT, as in high: no check of the size")
    severity = severity.strip().lower() if isinstance(severity, str) else severity
    if severity not in SEVERITIES:
        raise BadValue("issue severity", str(severity)[:60], f"one of {', '.join(SEVERITIES)}")
    return Issue(severity=severity, text=_sentence("issue", text, MAX_FINDINGS))


def models(value: Any) -> tuple[tuple[str, str], ...]:
    """Who is asked, each with a stance: `"alice:for, bob"`, `{"model": "alice", "stance": "for"}`;
    neutral where none is said. ModelTwice where two are the same, BadValue for another key."""
    if isinstance(value, str):
        # Nothing but commas stays as it is, for the refusal to show it.
        value = [each.strip() for each in value.split(",") if each.strip()] or value
    found = _list("models", value, _model)
    for at, (name, stance) in enumerate(found):
        if (name, stance) in found[:at]:
            raise ModelTwice(name, stance)
    return found


def _model(field: str, value: Any) -> tuple[str, str]:
    if isinstance(value, Mapping):
        unknown = next((str(key) for key in value if key not in _MODEL), None)
        if unknown is not None:
            needs = f"{' and '.join(_MODEL)} alone: a model is told its stance, and the proposal"
            raise BadValue("models", unknown[:60], needs)
        name, stance = value.get("model"), value.get("stance")
    else:
        name, _, stance = validation.text(field, value).partition(":")
    stance = str(stance or "neutral").strip().lower()
    if stance not in STANCES:
        raise BadValue("stance", stance[:60], f"one of {', '.join(STANCES)}")
    return validation.line("model", name, 80), stance


def _sentence(field: str, value: Any, limit: int) -> str:
    return validation.sentence(field, validation.text(field, value, limit))


def _name(field: str, value: Any) -> str:
    return validation.line(field, value, MAX_NAME)


def _list(field: str, value: Any, read: Callable[[str, Any], T]) -> tuple[T, ...]:
    """One or several; a string is one."""
    several = list(value) if isinstance(value, list | tuple) else [value]
    if len(several) > MAX_ENTRIES:
        what = f"has {len(several):,} entries; {MAX_ENTRIES:,} are kept at most"
        raise BadText(field, what, "Keep the rest in a file and name it.")
    return tuple(read(field, each) for each in several)


def _names(field: str, value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_list(field, value, _name)))


def _claim(field: str, value: Any) -> str:
    # A hypothesis may be named by its number.
    return _sentence(field, str(value) if isinstance(value, int) else value, MAX_HYPOTHESIS)


_READ: Mapping[str, tuple[str, Callable[[str, Any], Any]]] = {
    "finding": (
        "findings",
        lambda name, value: _list(name, value, lambda n, v: _sentence(n, v, MAX_FINDINGS)),
    ),
    "hypothesis": ("hypothesis", lambda name, value: _sentence(name, value, MAX_HYPOTHESIS)),
    "confidence": ("confidence", lambda name, value: _name(name, value)),
    "files": ("files", _names),
    "relevant": ("relevant", _names),
    "context": ("context", _names),
    "issues": ("issues", lambda name, value: _list(name, value, lambda _, each: issue(each))),
    "confirms": ("confirms", lambda name, value: _list(name, value, _claim)),
    "refutes": ("refutes", lambda name, value: _list(name, value, _claim)),
}
"""How a caller names it -> the field of Findings, and how it is read."""
NAMES = tuple(_READ)
