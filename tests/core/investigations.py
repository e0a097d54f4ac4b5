"""A small language for investigations: a kind, what was found, what was looked at -> commands and
stories of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.core.story import Story, at, done
from wfnb.core.commands import ChooseKind, LookAt
from wfnb.core.findings import Findings, Look, findings
from wfnb.core.kind import Kind, builtin
from wfnb.core.required import standing

CELL = Look(kind="cell", what="parse('')")
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "tracer": {"mode": "precision"},
    "precommit": {"path": "."},
    "consensus": {"models": ["a", "b:for", "c:against"]},
    "docgen": {"total_files_to_document": 1, "num_files_documented": 1},
}
TURNS = {"docgen": 2, "consensus": 3, "secaudit": 7}


def investigating(kind: str | Kind = "debug", **says: object) -> ChooseKind:
    return ChooseKind(**{"kind": builtin()[kind] if isinstance(kind, str) else kind, **says})


def looking(*looks: Look) -> LookAt:
    return LookAt(looks=looks or (CELL,))


def found(*said: str, **says: object) -> Findings:
    return findings({"finding": list(said), **says}) or Findings()


def gone(kind: str, turn: int, total: int, level: str | None = None, **fields: Any) -> Story:
    """An investigation of `total` planned steps after its step `turn`, at that confidence; what
    the kind asks to be looked at was looked at."""
    story = Story(investigating(kind, pause=False))
    fixed = builtin()[kind].total.rule != "estimate"
    for number in range(1, turn + 1):
        given = total if number == 1 and not fixed else None
        first = {**FIELDS.get(kind, {}), **fields} if number == 1 else {}
        says = found(relevant="a.py", confidence=level if number == turn else None)
        story.do(done(f"step {number}", total=given, fields=first, findings=says))
        if number < turn and builtin()[kind].evidence:
            looks = (Look(kind=ways[0], what=ways[0]) for ways in builtin()[kind].evidence)
            story.do(LookAt(looks=tuple(looks), since=story.session.position))
    return story


def analysed() -> Story:
    return Story(
        investigating("analyze", pause=False),
        done("a", total=2, findings=found("One", relevant="a.py", issues="low: slow")),
        done("b", findings=found("two", files="b.py", confidence="high", hypothesis="the loop")),
    )


def turn(story: Story, number: int, branch: str = "main") -> int:
    stands = standing(story.session, at(story.session, number, branch))
    assert stands is not None
    return stands.turn


HELD = {
    "the same finding in other letters": found("Old  news"),
    "a known file": found(files="a.py"),
    "another hypothesis": found(hypothesis="the loop"),
    "another confidence": found(confidence="high"),
}
