"""Investigations of several kinds, and what is recorded of each, as text: every event or refusal
whole, and how the last step stands after it. What stands in `recorded_investigations.txt` changes
on purpose only:

    python -m tests.investigations.core.recorded_investigations
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.core.story import begun, done
from tests.core.story_record import StoryRecord
from tests.recorded_text import as_json, said, written
from wfnb.core.commands import (
    AbandonBranch,
    ClearSession,
    Command,
    FinishStep,
    HideSteps,
    Redo,
    SelectBranch,
    ShowSteps,
    Undo,
)
from wfnb.core.events import Cell, Outcome
from wfnb.core.findings import Look
from wfnb.core.queries import last_step
from wfnb.core.session import Session
from wfnb.core.solution import unsolved_reason
from wfnb.core.validation import StepPlace, place_text
from wfnb.hints import use_spelling
from wfnb.hints_as_magics import MagicSpelling
from wfnb.investigations.core.assessment import assess, missing_at_end, review, stagnation
from wfnb.investigations.core.carry_over import carry_findings
from wfnb.investigations.core.commands import (
    Backtrack,
    ChooseKind,
    ExtendTotal,
    JudgeHypothesis,
    LookAt,
    TakeAdvice,
)
from wfnb.investigations.core.events import Advice
from wfnb.investigations.core.hypothesis_fates import fates
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.core.requirements import (
    actions,
    required_pause,
    standing,
    status,
    step_looks,
    tick_actions,
)
from wfnb.investigations.core.step_estimate import estimate

from .investigating import CELL, LONG, OPENED, found, investigating, looking

RECORDED = Path(__file__).with_name("recorded_investigations.txt")
TESTS = Look(kind="tool", what="pytest", files=("a.py",), acts=("run", "test"), failed=True)
WELL = Look(kind="tool", what="pytest again", acts=("run", "test"), failed=False)
GIT = Look(kind="git", what="diff", files=("b.py",), conflict=True)
CLEAN = Look(kind="git", what="status", conflict=False)


class Recorder(StoryRecord):
    def __init__(self, *commands: Command) -> None:
        super().__init__(_stands)
        self.do(*commands)

    def end(self, **says: Any) -> None:
        """The code of the step that runs has ended."""
        attempt = next(iter(self.session.running))
        self.do(FinishStep(**{"attempt": attempt, "outcome": Outcome(), **says}))

    def text(self) -> str:
        session, now = self.session, investigation_of(self.session)
        lines = [f"now{said(now, 'kind', 'found')}", f"found{said(now.found)}"] if now else []
        for step in session.steps.values():
            lines.append(f"step {place_text(step.branch, step.number)}")
            lines += [f"  {line}" for line in _of_step(session, step.key)]
        for fate in fates(session):
            at = place_text(fate.step.branch, fate.step.number)
            lines.append(f"hypothesis of {at}{said(fate, 'step', 'by', 'judge')}")
        carried = carry_findings(session)
        lines.append(f"carries{'' if carried is None else said(carried)}")
        return "\n".join([*self.lines, "", *lines])


def _stands(session: Session) -> Iterator[str]:
    now, step = investigation_of(session), last_step(session)
    if now is None or step is None:
        return
    yield from _of_step(session, step.key)
    pause = required_pause(session, None, found(), now.found)
    if pause is not None:
        yield f"waits: {pause.status}, {as_json([action.do for action in pause.actions])}"
    unsolved = unsolved_reason(session)
    yield f"total={session.total} fields={as_json(now.fields)}{unsolved and f': {unsolved}'}"


def _of_step(session: Session, key: int) -> Iterator[str]:
    step = session.steps[key]
    at = standing(session, step)
    if at is None:
        yield "is none of it"
        return
    looks = step_looks(session, step)
    ticked = [look and look.what for _, look in tick_actions(actions(session, step), looks)]
    facts = f"{status(at, ended=False)} / {status(at, ended=True)}"
    yield f"{facts}{said(at, 'kind', 'fields')} {as_json(stagnation(session, step))}"
    judged = assess(session, step)
    lacks = missing_at_end(session, step)
    yield f"assessed{'' if judged is None else said(judged)} lacks {as_json(lacks)}"
    asked = review(session, step)
    yield f"review: {asked if isinstance(asked, str) else said(asked)}; to do: {as_json(ticked)}"


def place(number: int, branch: str | None = None) -> StepPlace:
    return StepPlace(number=number, branch=branch)


def debugging() -> Recorder:
    return Recorder(
        done("before"),
        ChooseKind(kind=builtin_kinds()["debug"], reviewer="alice"),
        ChooseKind(kind=builtin_kinds()["debug"], reviewer="alice"),
        done("a", findings=found(LONG, hypothesis="the loop", confidence="low"), total=4),
        done("too early"),
        LookAt(looks=(CELL, OPENED)),
        LookAt(looks=(CELL,)),
        LookAt(looks=(OPENED,), since=1),
        LookAt(looks=(Look(kind="dream", what="x"),)),
        done(
            "b", findings=found("?", files=("a.py", "b.py"), relevant="a.py", confidence="medium")
        ),
        LookAt(looks=(TESTS, Look(kind="tool", what="t", ticks="nothing"))),
        done(
            "c",
            findings=found(
                "One more",
                relevant="c.py",
                context="parse()",
                issues=["high: slow", "low: ugly"],
                hypothesis="the parser",
                refutes="1",
            ),
        ),
        JudgeHypothesis(hypothesis=2, verdict="confirmed", reason="seen"),
        JudgeHypothesis(hypothesis="the  PARSER", verdict="confirmed", reason="seen"),
        JudgeHypothesis(hypothesis=7, verdict="refuted"),
        JudgeHypothesis(hypothesis="the end", verdict="refuted"),
        ExtendTotal(more=2, reason="more to see"),
        ExtendTotal(more=0, reason="more"),
        ExtendTotal(more=1, reason=" "),
        looking(WELL),
        done("d", findings=found(confidence="certain"), next_step_needed=False),
        done("d", number=5, findings=found(confidence="sure")),
        done("d", number=5, findings=found(LONG, confidence="certain"), next_step_needed=False),
        looking(OPENED),
        done("e", findings=found(confidence="certain"), next_step_needed=False),
        done("f", findings=found(confidence="low")),
    )


def taken_back() -> Recorder:
    told = Recorder(
        investigating("thinkdeep", pause=False, planner="bob"),
        done("a", findings=found("One", hypothesis="x", relevant="a.py"), total=5),
        done("b", findings=found("Two", files="b.py", hypothesis="y", issues="critical: lost")),
        looking(OPENED, GIT),
        done("c", findings=found("Two", "Three", relevant="b.py", confirms="y")),
        Backtrack(place=place(9)),
        Backtrack(place=place(2), reason="it was the wrong file"),
        Backtrack(place=place(2)),
        done("d", findings=found("Four", hypothesis="z")),
        done("e", backtrack=4, findings=found("Five")),
        done("b again", number=2, findings=found("Two", hypothesis="y")),
        HideSteps(places=(place(1),)),
        ShowSteps(),
        Undo(),
        Redo(),
        done("on", branch="alt", leaves=5, findings=found("Elsewhere", relevant="z.py")),
        done("on", branch="other", leaves=5, findings=found("Over there", hypothesis="w")),
        SelectBranch(branch="other"),
        AbandonBranch(branch="other"),
        done("end", branch="alt", next_step_needed=False),
    )
    told.do(ClearSession())
    return told


def repeated() -> Recorder:
    told = Recorder(investigating("debug", pause=False))
    cell = Cell(id="c1", source="%wfnb backtrack 1")
    for _ in range(2):
        told.do(
            done("a", cell=Cell(id="a", source="%%step a"), findings=found("One"), total=3),
            Backtrack(place=place(1), cell=cell),
            ExtendTotal(more=1, reason="why", cell=Cell(id="c2", source="%wfnb extend 1")),
        )
    told.do(done("a", cell=Cell(id="a", source="%%step a\nx"), findings=found("One", "more")))
    for words in "bcdef":
        told.do(looking(Look(kind="file", what=words, files=(f"{words}.py",))))
        told.do(done(words, findings=found("same", confidence="medium")))
    return told


def counting_files() -> Recorder:
    told = Recorder(
        investigating("docgen"),
        done("count", fields={"path": "src", "total_files_to_document": "3"}),
        looking(Look(kind="code", what="undocumented src", files=("src/a.py",))),
        done("one", fields={"num_files_documented": 1, "paht": "x"}),
        done("end", next_step_needed=False, left=("src/b.py",)),
        done("end", fields={"num_files_documented": -1}),
        done("end", fields={"total_files_to_document": "many"}),
        begun("two", fields={"num_files_documented": 2}, next_step_needed=False, pause=False),
    )
    told.end(fields={"num_files_documented": 3}, looks=(OPENED,))
    told.do(done("late", fields={"num_files_documented": 1}, pause=False))
    return told


def hearing_models() -> Recorder:
    models = {"models": ["a", "b:for", "c:against"]}
    told = Recorder(
        investigating("consensus"),
        done("ask"),
        done("ask", fields={"models": "a:maybe"}),
        done("ask", fields=models, next_step_needed=False),
    )
    step = told.session.lines["main"].keys[1]
    replies = [
        Advice(adviser="a", role="model", text="yes", seconds=1.5),
        Advice(adviser="b", role="model", stance="for", error="no answer"),
        Advice(adviser="r", role="reviewer", verdict="approved", text="well"),
    ]
    told.do(
        *(TakeAdvice(advice=(reply,), step=step) for reply in replies),
        TakeAdvice(advice=(replies[0],), step=99),
        done("hear a"),
        done("hear b", next_step_needed=False),
        done("hear c"),
    )
    return told


def validating() -> Recorder:
    told = Recorder(
        investigating("precommit", pause=False),
        done("a"),
        done("a", fields={"path": ".", "review": "nobody"}),
        begun("a", fields={"path": "."}, total=2, findings=found(LONG, relevant="a.py")),
    )
    told.end(looks=(TESTS, GIT))
    told.do(begun("b", findings=found(confidence="certain"), next_step_needed=False))
    told.end(outcome=Outcome(status="failed"))
    told.do(
        looking(WELL, CLEAN),
        done("b", number=2, findings=found(confidence="certain"), next_step_needed=False),
        done("c", findings=found("nothing left")),
    )
    return told


def other_kinds() -> Recorder:
    told = Recorder(done("early", findings=found("One")), done("early"))
    fields = {"tracer": {"mode": "precision", "target": "parse"}, "planner": {}}
    for kind in ("planner", "tracer", "secaudit", "analyze", "testgen", "refactor", "codereview"):
        told.do(
            investigating(kind, pause=False),
            done("a problem", total=2, fields=fields.get(kind, {})),
            done("a problem", total=2, fields={"mode": "wrong"}, findings=found(relevant="a.py")),
            done(
                f"a deadlock of {kind}\nin production, at times",
                fields=fields.get(kind, {}),
                findings=found("A data race", relevant="a.py", confidence="high"),
            ),
        )
    told.do(ChooseKind(kind=None), ChooseKind(kind=None), done("after", backtrack=1))
    return told


def carried_along() -> Recorder:
    first = debugging()
    carried = carry_findings(first.session)
    return Recorder(
        investigating("analyze", pause=False, carried=carried),
        investigating("analyze", pause=False, carried=carried),
        done("a", findings=found(LONG)),
        done("b", findings=found(confidence="certain"), next_step_needed=False),
        done("c", findings=found("New here", confidence="certain"), next_step_needed=False),
        ClearSession(),
    )


def ended_and_taken_back() -> Recorder:
    return Recorder(
        investigating("debug", pause=False),
        done("a", total=3, findings=found(LONG, relevant="a.py")),
        looking(OPENED),
        done("b", findings=found(confidence="certain"), next_step_needed=False),
        done("b once more", findings=found("Late")),
        done("c", backtrack=2, findings=found("Other")),
        done("d", findings=found("Two"), total=3),
        done("e", backtrack=4),
    )


STORIES: Mapping[str, Callable[[], Recorder]] = {
    made.__name__.replace("_", " "): made
    for made in (
        *(debugging, taken_back, repeated, counting_files, hearing_models, validating),
        *(other_kinds, carried_along, ended_and_taken_back),
    )
}
PROBLEMS = (
    "a typo",
    "rename one variable; it is trivial",
    "a data race in production, at times",
    "the parser crashes: a deadlock, perhaps a typo",
    "look into a.py, b.py, (c.py) and `d.py`",
    "it fails:\n- at first\n- then\n1. and now\n2. again. Why? How?",
    "why is it slow? " * 60,
    "long " * 700,
)


def told_of(story: str) -> str:
    return STORIES[story]().text()


def estimates() -> str:
    """The steps that are planned for each problem, by kind."""
    return "\n".join(
        f"{problem[:40]!r} {name}{said(estimate(problem, kind))}"
        for problem in PROBLEMS
        for name, kind in builtin_kinds().items()
    )


if __name__ == "__main__":
    use_spelling(MagicSpelling())
    RECORDED.write_text(
        written(
            [*STORIES, "estimates"], lambda head: told_of(head) if head in STORIES else estimates()
        ),
        "utf-8",
    )
