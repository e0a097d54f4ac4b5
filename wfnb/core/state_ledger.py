"""the state of a calculation, as steps keep it -> a table of rounds with what changed.

A step has its state in the field `state_variables`: values as `{name: value}`, or names of the
notebook's variables, whose values are taken at the step's end. Where a later step says nothing, it
keeps the variables that were kept before. Of an array or a table only the kind is recorded: it has
changed where a step of the round wrote it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from wfnb.errors import BadValue

from .ledger import Ledger, counting_steps
from .queries import stage_of
from .session import Line, Session, Step
from .vote_tally import same_vote

FIELD = "state_variables"
_ABRIDGED = re.compile(r"^\w+ \([\d, ]*\)$|…|\.\.\.")


def names_in(given: Any) -> tuple[str, ...]:
    """The variables that a field names, without their values.

    >>> names_in("n, total"), names_in(["n"]), names_in({"n": 1})
    (('n', 'total'), ('n',), ())
    """
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        return ()
    names = [name.strip() for name in names]
    return tuple(names) if all(name.isidentifier() for name in names) else ()


def state(step: Step) -> dict[str, Any]:
    """The variables of a step with their values; None for one that is not known."""
    given = step.current.fields.get(FIELD)
    if isinstance(given, Mapping):
        return dict(given)
    values = {} if step.outcome is None else step.outcome.values
    return {name: values.get(name) for name in names_in(given)}


def keep_state(
    steps: Sequence[Step], fields: Mapping[str, Any], required: Mapping[str, str], words: str
) -> tuple[dict[str, Any], list[str]]:
    """The fields of a step with the names of its state, and what to say of variables that are left
    out. BadValue for what is no state."""
    if FIELD not in required:
        return dict(fields), []
    given = fields.get(FIELD)
    before = next((list(parts) for step in reversed(steps) if (parts := state(step))), [])
    if given in (None, "", [], {}):
        return {**fields, **({FIELD: before} if before else {})}, []
    names = [*given] if isinstance(given, Mapping) else [*names_in(given)]
    if not names:
        needs = "names of variables, as in n,total, or values as {name: value}"
        raise BadValue(f"field {FIELD!r}", str(given)[:60], needs)
    left = [name for name in before if name not in names]
    warnings = [f"the state lacks {', '.join(left)}"] if left else []
    return {**fields, FIELD: given if isinstance(given, Mapping) else names}, warnings


def ledger(session: Session, line: Line) -> Ledger | None:
    """A row a round: the state at its end, and the variables that it changed. A step that did not
    go well leaves the state as it was."""
    rounds: list[tuple[dict[str, Any], list[int]]] = []
    versions: list[dict[str, str]] = []
    for step in counting_steps(session, line):
        now, stage = state(step), stage_of(session, step)
        if not now or not step.is_done:
            continue
        if not rounds or (stage is not None and stage.effect == "begin-round"):
            # A round begins with what the one before it ended with: a step need not say again what
            # stays.
            rounds.append((dict(rounds[-1][0]) if rounds else {}, []))
            versions.append(dict(versions[-1]) if versions else {})
        rounds[-1][0].update(now)
        versions[-1].update({} if step.flow is None else step.flow.writes)
        rounds[-1][1].append(step.number)
    if not rounds:
        return None
    names = list(dict.fromkeys(name for values, _ in rounds for name in values))
    rows = []
    for place, (values, steps) in enumerate(rounds):
        last = rounds[place - 1][0] if place else values
        old, new = versions[max(place - 1, 0)], versions[place]
        changed = [
            name
            for name in names
            if not _same(last.get(name), values.get(name))
            # Of an array only its kind is recorded, which is the same before and after: its version
            # tells.
            or (_is_abridged(values.get(name)) and old.get(name) != new.get(name))
        ]
        row = (str(place) if place else "start", *(values.get(name) for name in names))
        rows.append((*row, changed if place else "", steps))
    return Ledger(title="rounds", heads=("round", *names, "changed", "steps"), rows=tuple(rows))


def _is_abridged(value: Any) -> bool:
    """Whether a recorded value says only of what kind it is, or is cut.

    >>> _is_abridged("DataFrame (3, 2)"), _is_abridged("warm"), _is_abridged(3)
    (True, False, False)
    """
    return isinstance(value, str) and _ABRIDGED.search(value) is not None


def _same(one: Any, other: Any) -> bool:
    # None first: as votes, null and the text "null" are the same.
    return (one is None) == (other is None) and same_vote(one, other)
