"""a page written by hand -> the same page, with the kinds of investigation: what there is between
`<!-- kinds -->` and `<!-- end of kinds -->` is made from their data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from wfnb.investigations.core.kind import Confidence, Kind, Rule, RuleCondition, Status, Total
from wfnb.investigations.core.kind_reader import builtin_kinds

from .markdown import page, table, wrapped

_KINDS = re.compile(r"(?<=^<!-- kinds -->\n).*?(?=^<!-- end of kinds -->$)", re.M | re.S)


def with_kinds(page: str) -> str:
    return _KINDS.sub(lambda _: f"\n{kinds()}\n", page)


def kinds() -> str:
    """A table of all kinds, then each with its own."""
    found = builtin_kinds().values()
    heads = ("kind", "in a line", "the first step needs", "steps", "`%wfnb look` offers")
    return page(table(heads, map(_line, found)), *map(_kind, found))


def _line(kind: Kind) -> tuple[str, ...]:
    needs = ", ".join(f"`{name}`" for name in kind.needs)
    return (
        f"[`{kind.name}`](#{kind.name})",
        kind.title.partition(": ")[2],
        needs or "–",
        _steps(kind.total),
        ", ".join(f"`{what}`" for what in kind.looks) or "–",
    )


def _steps(total: Total) -> str:
    ways = {
        "estimate": f"estimated, usually {total.usual}",
        "fixed": str(total.usual),
        "models": "one for each adviser",
        "files": "one, and one for each file",
    }
    least = f"; at least {total.least} where {_when(total.when)}" if total.least > 1 else ""
    return ways[total.rule] + least


def _kind(kind: Kind) -> str:
    title = kind.title if kind.title.endswith("?") else f"{kind.title}."
    return page(
        f"### `{kind.name}`",
        wrapped(f"**{title}** {kind.description}"),
        wrapped(
            f"While it goes on: {_statuses(kind.pauses)}. At the end: {_statuses(kind.complete)}, "
            f"with `{kind.completion}`.{_scale(kind.confidence)}{_reviewed(kind)}{_waits(kind)}"
            f"{_evidence(kind)}"
        ),
        table(("field", "", "choices"), _fields(kind)),
        *_rules(kind.actions),
    )


def _scale(scale: Confidence) -> str:
    """What differs from the usual one, which the page tells once."""
    if scale.levels == Confidence().levels:
        return ""
    return f" Confidence: {', '.join(scale.levels)}; {scale.default} where it is not said."


def _statuses(statuses: Iterable[Status]) -> str:
    """
    >>> _statuses([Status(status="a", when=RuleCondition(total=5)), Status(status="b")])
    '`a` (5 steps or more), else `b`'
    """
    return ", else ".join(
        f"`{each.status}`" + (f" ({_when(each.when)})" if each.when != RuleCondition() else "")
        for each in statuses
    )


def _reviewed(kind: Kind) -> str:
    if any(when == RuleCondition() for when in kind.reviewer.skip):
        return " No reviewer is asked."
    skipped = " or ".join(map(_when, kind.reviewer.skip))
    return f" A reviewer is not asked where {skipped}." if skipped else ""


def _fields(kind: Kind) -> Iterator[tuple[str, str, str]]:
    for name, asked in kind.fields.items():
        choices = ", ".join(
            f"**{choice}**" if choice == asked.default else choice for choice in asked.choices
        )
        yield f"`{name}`", asked.says, choices or (asked.default and f"**{asked.default}**") or ""


def _waits(kind: Kind) -> str:
    return "" if kind.paused else " No step has to wait for a look."


def _evidence(kind: Kind) -> str:
    """
    >>> _evidence(builtin_kinds()["precommit"])
    ' Before it ends early, a look by git and by run has to be there.'
    """
    if not kind.evidence:
        return ""
    rows = " and by ".join(" or ".join(ways) for ways in kind.evidence)
    return f" Before it ends early, a look by {rows} has to be there."


def _rules(rules: tuple[Rule, ...]) -> Iterator[str]:
    """What is asked for, a list for each rule."""
    for number, rule in enumerate(rules):
        otherwise = "else" if number else "always"
        yield f"What is asked for, {_when(rule.when) or otherwise}:"
        yield "\n".join(
            wrapped(f"{'☐ ' if action.by else ''}{action.do}", "* ") for action in rule.do
        )


def _when(when: RuleCondition) -> str:
    """
    >>> _when(RuleCondition(steps=(2, 3), confidence=("low", "high")))
    'steps 2 to 3, confidence is low or high'
    >>> _when(RuleCondition(steps=(3, None)))
    'from step 3 on'
    """
    return ", ".join(_conditions(when))


def _conditions(when: RuleCondition) -> Iterator[str]:
    first, last = when.steps
    if last == first:
        yield f"step {first}"
    elif last is not None:
        yield f"steps {first} to {last}"
    elif first > 1:
        yield f"from step {first} on"
    if when.end is not None:
        yield "the last step" if when.end else "before the last step"
    if when.left is not None:
        follow = {0: "no step follows", 1: "one step follows at most"}
        yield follow.get(when.left, f"{when.left} steps follow at most")
    if when.total > 1:
        yield f"{when.total} steps or more"
    if when.confidence:
        yield f"confidence is {' or '.join(when.confidence)}"
    if when.proven is not None:
        yield "there is enough evidence" if when.proven else "evidence is missing"
    if when.unseen is not None:
        yield "a look that is asked for was not there" if when.unseen else "all looks were there"
    if when.issues:
        yield f"an open issue is {' or '.join(when.issues)}"
    for name, value in when.fields.items():
        yield f"`{name}` is {value}"
