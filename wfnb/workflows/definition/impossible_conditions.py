"""conditions of an action, what its tool gives -> those that cannot hold, whatever happens.

A condition asks of one result: that of its own action. A field which that cannot have is null for
ever, a pattern finds nothing where there is no text: the run would go the other way and call it a
success.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from wfnb.errors import listing, nearest

from .absent_fields import ANY_RESULT
from .condition import Condition, has_text
from .constant_comparisons import NOTHING_KNOWN, Kinds, fixed_fields
from .models import Retry, State, Work
from .problem import Problem, brief, place_text

Path = tuple[object, ...]


def of_end(work: Work, path: Path) -> Iterator[tuple[Condition, Path]]:
    """The conditions that are asked of what an action gave, each with its place."""
    if isinstance(work, State):
        for n, transition in enumerate(work.transitions):
            yield transition.condition, (*path, "transitions", n, "condition")


def of_call(work: Work, path: Path) -> Iterator[tuple[Condition, Path]]:
    """The conditions that are asked of each call of an action."""
    yield from of_retry(work.retry, path)
    yield from of_repeat(work, path)


def of_repeat(work: Work, path: Path) -> Iterator[tuple[Condition, Path]]:
    if work.repeat is not None:
        yield work.repeat.until, (*path, "repeat", "until")


def of_fallbacks(work: Work, path: Path) -> Iterator[tuple[Condition, Path]]:
    """The conditions that are asked of a failure of an action, for what is done instead."""
    for n, fallback in enumerate(work.on_error):
        if fallback.when is not None:
            yield fallback.when, (*path, "on_error", n, "when")


def of_retry(retry: Retry, path: Path) -> Iterator[tuple[Condition, Path]]:
    for key, condition in (("when", retry.when), ("unless", retry.unless)):
        if condition is not None:
            yield condition, (*path, "retry", key)


def other_outcome(condition: Condition, path: Path, succeeded: bool) -> Iterator[Problem]:
    """What asks for the other outcome than that of the calls of which it is asked."""
    asks_late = condition.timeout_occurred is True and succeeded
    if asks_late or condition.success is (not succeeded):
        words = ("a success", "a failure") if succeeded else ("a failure", "a success")
        what = f"is asked of {words[0]} alone, and asks for {words[1]}"
        yield Problem(place_text(path), "conditions", f"{place_text(path)} {what}")
    for n, part in enumerate(condition.all or ()):
        yield from other_outcome(part, (*path, "all", n), succeeded)


def impossible(
    condition: Condition,
    path: Path,
    tool: str,
    fields: Collection[str] | None,
    others: Collection[str] = (),
    succeeded: bool | None = None,
    kinds: Kinds = NOTHING_KNOWN,
) -> Iterator[tuple[Problem, bool]]:
    """What of a condition cannot hold, and whether that is sure. `fields` are those of the results
    of its tool (None: not known), `kinds` what some of them hold; `others` are names of variables
    and actions, which are none; `succeeded`: it is asked of successes alone, or of failures
    (None: of both)."""
    yield from ((problem, True) for problem in fixed_fields(condition, path, kinds))
    known = None if fields is None else (*fields, *ANY_RESULT)
    asked = (("field_equals", condition.field_equals), ("field_contains", condition.field_contains))
    for key, wanted in asked:
        for name in wanted or ():
            first = name.partition(".")[0]
            # Of a tool whose fields nobody knows, only a name that means something else can be
            # wrong.
            if (first in others) if known is None else not {name, first} & {*known}:
                said = f"{place_text((*path, key))} asks for {brief(name)!r}"
                what = _no_field(first, tool, known, others)
                yield (
                    Problem(place_text((*path, key)), "conditions", f"{said}, {what}"),
                    known is not None,
                )
    if condition.success is True and condition.timeout_occurred is True:
        what = "asks for a success that ran out of time: what runs out of time has not succeeded"
        yield Problem(place_text(path), "conditions", f"{place_text(path)} {what}"), True
    for part in (condition, *(condition.all or ())):
        if part.success is not None or part.timeout_occurred:
            succeeded = bool(part.success)
    if (
        known is not None
        and succeeded is not False
        and not has_text(name for name in known if name != "error")
    ):
        for key in ("pattern_match", "pattern_not_match"):
            if getattr(condition, key) is not None:
                what = (
                    f"looks in the result of '{tool}', which has no text but a failure's error: "
                    "ask a field, or `success: false` beside it"
                )
                where = place_text((*path, key))
                yield Problem(where, "conditions", f"{where} {what}"), True
    parts = chain(
        ((part, ("all", n)) for n, part in enumerate(condition.all or ())),
        ((part, ("any", n)) for n, part in enumerate(condition.any or ())),
        () if condition.not_ is None else ((condition.not_, ("not",)),),
    )
    for part, place in parts:
        yield from impossible(part, (*path, *place), tool, fields, others, succeeded, kinds)


def _no_field(name: str, tool: str, known: Collection[str] | None, others: Collection[str]) -> str:
    if name in others:
        return "which is no field of a result: a condition asks of its own action's result alone"
    there = tuple(sorted({*(known or ())} - {"taken_as_done"}))
    near = nearest(name, there).strip() if len(name) <= 40 else ""
    fields = f"Fields: {listing(there, 'none')}"
    return f"which the result of '{tool}' has not. {near or fields}"
