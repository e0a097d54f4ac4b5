"""Investigations for tests: one with a branch, a withdrawn step and a checklist, and its words."""

from __future__ import annotations

from typing import Any

from tests.core.story import Story, done
from tests.investigations.core.investigating import found, investigating
from wfnb.core.commands import AbandonBranch
from wfnb.core.findings import Look
from wfnb.core.session import Session
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack, LookAt
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.views.finding_tables import sections
from wfnb.views.step_answer import Answer

CELL = Look(
    kind="cell", what="days(readings)", acts=("run",), files=("tides.py",), names=("day_of",)
)


def looking(*looks: Look) -> LookAt:
    return LookAt(looks=looks or (CELL,))


DEAD_ENDS = (
    done(
        "Run the parser",
        branch="parser",
        leaves=2,
        findings=found("none is lost", confidence="medium", hypothesis="the parser is right"),
    ),
    AbandonBranch(branch="parser", reason="no reading is lost"),
    done("Sorted?", findings=found("twice", confidence="high", hypothesis="the order is bad")),
    Backtrack(place=StepPlace(number=3), reason="the sort is stable"),
)
"""After step 2: a branch that is given up, and step 3 that is withdrawn."""


def tides() -> Story:
    """Four steps, of which one was withdrawn, and a branch that was abandoned; the next step is
    awaited, and a cell ran since."""
    return Story(
        investigating(),
        done(
            "One warning is missing",
            total=6,
            findings=found("3 days, the log book says 4", relevant="tides.py", files="tides.py"),
        ),
        looking(CELL, Look(kind="code", what="calls warnings")),
        done(
            "Are readings lost?",
            findings=found(
                "335 rows",
                hypothesis="the parser loses some",
                issues=["low: the name is fixed", "high: the day is cut from UTC text"],
            ),
        ),
        looking(),
        *DEAD_ENDS,
        done(
            "Days are cut in UTC",
            findings=found(
                "00:10 is counted to the day before",
                confidence="high",
                hypothesis="days are those of UTC",
                relevant="gauge.py",
                context="gauge.day_of",
                issues="high: the day is cut from UTC text",
            ),
        ),
        looking(),
    )


def rows(session: Session, title: str) -> tuple[tuple[str, ...], ...]:
    """Of the table of the page that is called so."""
    return next((each.rows for each in sections(session) if each.title == title), ())


def added(answer: Answer) -> dict[str, Any]:
    """The part of the answer that an investigation adds, in order."""
    data = answer.to_dict()
    names = list(data)
    return {name: data[name] for name in names[names.index("status") :]}


def asked(kind: str, rule: int) -> list[str]:
    return [action.do for action in builtin_kinds()[kind].actions[rule].do]


def thoughts(kind: str, rule: int) -> list[str]:
    return [action.do for action in builtin_kinds()[kind].actions[rule].do if not action.by]
