"""Commands as a careless user gives them: plausible ones mostly, impossible ones among them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.core.story import done, strategy
from wfnb.core.commands import (
    AbandonBranch,
    AddStep,
    ChooseKeeping,
    ChooseRecording,
    Command,
    ConfirmSteps,
    HideSteps,
    MergeBranch,
    ScoreBranch,
    SelectBranch,
    ShowSteps,
)
from wfnb.core.events import Cell, Outcome
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues
from wfnb.core.queries import line_steps, stage_choices
from wfnb.core.session import Line, Session
from wfnb.core.validation import StepPlace

FORK = strategy({"ask": ["try", "read"], "try": ["ask", "end"], "read": ["end"], "end": []})
STAGES = ("ask", "try", "read", "end", "problem_reception", "branch_selection", "gone", "")

branches = st.sampled_from(("alt", "beta", "deep", "1", "main", "../x", ""))
some_branch = st.none() | branches
numbers = st.integers(1, 9) | st.sampled_from((0, -1, 20))
places = st.builds(
    lambda number, branch: StepPlace(number=number, branch=branch), numbers, some_branch
)
outcomes = st.builds(
    Outcome,
    status=st.sampled_from(("ok", "ok", "failed", "interrupted", "unknown")),
    values=st.dictionaries(st.sampled_from(("rmse", "n")), st.integers(0, 3), max_size=1),
)
cells = st.builds(
    Cell,
    id=st.sampled_from((None, "c1", "c2", "c3")),
    source=st.sampled_from(("%%step a\nload()", "%%step b\nload()", "%%step c\nfit()", "%%step d")),
    part=st.sampled_from((0, 0, 1)),
)
fields = st.fixed_dictionaries(
    {},
    optional={
        "approach_id": st.sampled_from(("alt", 1, "nobody", "")),
        "evaluation_score": st.sampled_from((0.5, "0.7", "high", None)),
        "path_answers": st.sampled_from((["42", "41"], {"a": 1, "b": 1}, "42", [])),
        "approaches": st.just(2),
    },
)
reasons = st.sampled_from((None, None, "folds", " "))
kept = st.builds(
    lambda names, blob, there: KeptValues(
        values=tuple(
            KeptValue(name=name, type="int", says=blob, group=None if name == "f" else 0)
            for name in names
        ),
        groups=(KeptGroup(blobs=(f"{blob * 32}-5",), signature=blob),),
        there=there,
    ),
    names=st.lists(st.sampled_from(("df", "model", "f")), max_size=2, unique=True),
    blob=st.sampled_from("ab"),
    there=st.sampled_from((("df",), ("df", "not a name", "\ud800"))),
)
choices_of_keeping = st.builds(
    ChooseKeeping,
    keep=st.sampled_from(
        (None, ("df",), ("df,model*",), ("none",), ("all",), ("1x",), ("none,x",))
    ),
    secrets=st.sampled_from((None, None, ("*pin*",), ("a b",))),
    budget=st.sampled_from((None, None, 10**9, 0)),
) | st.builds(ChooseRecording, on=st.booleans(), quiet=st.booleans())
ended = st.none() | outcomes


def seldom(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Left out most of the time."""
    return st.one_of(st.none(), st.none(), st.none(), values)


@st.composite
def plausible_steps(draw: st.DrawFn, session: Session) -> AddStep:
    """A step that fits the session, but for what it revises or where its branch leaves at times."""
    new = ("alt", "beta", "deep", "1")
    branch = draw(st.sampled_from((None, None, *session.lines, *session.lines, *new)))
    line = session.lines.get(branch or "main")
    leaves, number = None, None
    if line is None:
        if not session.steps:
            branch, line = None, session.lines["main"]
        else:
            origin = draw(st.sampled_from(list(session.steps.values())))
            leaves = f"{origin.branch}:{origin.number}"
            line = Line(branch, parent=origin.branch, leaves=origin.number)
    elif line.numbers:
        number = draw(seldom(st.sampled_from(line.numbers)))
    known = tuple(step.number for step in line_steps(session, line)) or (1,)
    stage = draw(st.sampled_from((None, *stage_choices(session, line))))
    return done(
        draw(st.sampled_from("abc")),
        leaves=leaves,
        number=number,
        total=draw(seldom(st.integers(1, 9))),
        next_step_needed=draw(seldom(st.booleans())),
        needs_more_steps=draw(seldom(st.booleans())),
        revises=draw(seldom(st.sampled_from(known))),
        branch=branch,
        stage=stage,
        fields=draw(fields) | dict.fromkeys(asked_by(session, stage), 1),
        cell=draw(st.none() | cells),
        outcome=draw(ended),
        keep=draw(st.sampled_from(((), (), ("df",)))),
    )


def asked_by(session: Session, stage: str | None) -> tuple[str, ...]:
    """The fields of a stage that any value will do for."""
    found = session.strategy.stages.get(stage or "") if session.strategy else None
    return tuple(name for name in (found.fields if found else ()) if name != "path_answers")


careless_steps = st.builds(
    done,
    description=st.sampled_from(("a", "b", "c", "", "a\x00")),
    number=seldom(numbers),
    total=seldom(numbers),
    next_step_needed=seldom(st.booleans()),
    needs_more_steps=seldom(st.booleans()),
    is_step_revision=seldom(st.booleans()),
    revises=seldom(numbers),
    branch=some_branch,
    stage=seldom(st.sampled_from(STAGES)),
    fields=fields,
    cell=st.none() | cells,
    outcome=ended,
    line=st.sampled_from(("main", "main", "alt", "gone")),
    leaves=seldom(st.sampled_from((1, 2, 3, "alt:2", "alt:3", "main:1", "gone:1"))),
)
strategies = st.sampled_from((None, FORK, FORK, "react", "tree_of_thoughts", "self_consistency"))


@st.composite
def changes(draw: st.DrawFn, session: Session) -> Command:
    """Something said of a branch, mostly of one there is; or steps confirmed."""
    name = draw(st.sampled_from((*session.lines, *session.lines, "nobody")))
    reason = draw(reasons)
    match draw(st.sampled_from(["score", "select", "merge", "abandon", "confirm"])):
        case "score":
            return ScoreBranch(branch=name, score=draw(st.integers(0, 3)), reason=reason)
        case "select":
            return SelectBranch(branch=name, reason=reason)
        case "merge":
            into = draw(seldom(st.sampled_from((*session.lines, ""))))
            return MergeBranch(branch=name, into=into, reason=reason)
        case "abandon":
            return AbandonBranch(branch=name, reason=reason)
    found = [StepPlace(number=step.number, branch=step.branch) for step in session.steps.values()]
    chosen = draw(st.lists(st.sampled_from(found) if found else places, max_size=2))
    return ConfirmSteps(places=tuple(chosen))


@st.composite
def hiding(draw: st.DrawFn, session: Session) -> Command:
    """A step is hidden, or all that are hidden are shown again."""
    found = [StepPlace(number=step.number, branch=step.branch) for step in session.steps.values()]
    place = draw(st.none() | (st.sampled_from(found) if found else places))
    return ShowSteps() if place is None else HideSteps(places=(place,))
