"""A small language for investigations: a kind, what was found, what was looked at -> commands and
stories of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.core.story import Story, at, done
from wfnb.core.findings import Findings, Look
from wfnb.investigations.core.commands import ChooseKind, LookAt, TakeAdvice
from wfnb.investigations.core.events import Advice
from wfnb.investigations.core.finding_parser import findings
from wfnb.investigations.core.kind import LOOKS, Kind
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.core.requirements import standing

CELL = Look(kind="cell", what="parse('')", files=("a.py",), names=("parse",), acts=("run", "file"))
"""A cell that called `parse` of a.py."""
OPENED = Look(kind="file", what="a.py", files=("a.py",))
LONG = "an empty input leaves the loop at once since nobody asks whether its end was seen"
"""A finding of enough words."""
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "tracer": {"mode": "precision"},
    "precommit": {"path": "."},
    "consensus": {"models": ["a", "b:for", "c:against"]},
    "docgen": {"total_files_to_document": 1, "num_files_documented": 1},
}
TURNS = {"docgen": 2, "consensus": 3, "secaudit": 7}


def investigating(kind: str | Kind = "debug", **says: object) -> ChooseKind:
    return ChooseKind(**{"kind": builtin_kinds()[kind] if isinstance(kind, str) else kind, **says})


def looking(*looks: Look) -> LookAt:
    return LookAt(looks=looks or (CELL,))


def found(*said: str, **says: object) -> Findings:
    return findings({"finding": list(said), **says}) or Findings()


def gone(kind: str, turn: int, total: int, level: str | None = None, **fields: Any) -> Story:
    """An investigation of `total` planned steps after its step `turn`, at that confidence; what
    the kind asks to be looked at was looked at."""
    story = Story(investigating(kind, pause=False), looking(OPENED))
    fixed = builtin_kinds()[kind].total.rule != "estimate"
    for number in range(1, turn + 1):
        given = total if number == 1 and not fixed else None
        first = {**FIELDS.get(kind, {}), **fields} if number == 1 else {}
        says = found(LONG, relevant="a.py", confidence=level if number == turn else None)
        story.do(done(f"step {number}", total=given, fields=first, findings=says))
        if number < turn and builtin_kinds()[kind].evidence:
            ways = [ways[0] for ways in builtin_kinds()[kind].evidence]
            looks = (
                Look(kind=way, what=way)
                if way in LOOKS
                else Look(kind="cell", what=way, acts=(way,), failed=False)
                for way in ways
            )
            story.do(LookAt(looks=tuple(looks), since=story.session.position))
        if number == 1 and kind == "consensus":
            reply = Advice(adviser="a", role="model", text="yes")
            story.do(TakeAdvice(advice=(reply,), step=at(story.session, 1).key))
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
    "the same finding with a full stop": found("old news."),
    "a file that nothing opened": found(files="c.py", relevant="c.py"),
    "a finding of one word": found("looked"),
    "a finding of one sign": found("a" * 200),
    "an issue without words": found(issues="high: 1"),
    "another hypothesis": found(hypothesis="the loop"),
    "another confidence": found(confidence="high"),
}
