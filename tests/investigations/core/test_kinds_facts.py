"""What is asked for after each step of each built-in kind, and what its steps are called, as
investigations of these kinds are known to go. Each row is a real story."""

from __future__ import annotations

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import LONG, TURNS, found, gone, investigating
from wfnb import errors
from wfnb.core.findings import Look
from wfnb.investigations.core.commands import LookAt
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.core.missing_evidence import missing_looks
from wfnb.investigations.core.requirements import actions, standing
from wfnb.investigations.core.requirements import status as status_of
from wfnb.views.step_answer import answer


def asked(story: Story, turn: int) -> int:
    return len(actions(story.session, at(story.session, turn)))


def status(story: Story, turn: int) -> str:
    return str(answer(story.session, at(story.session, turn)).to_dict()["status"])


PAUSES = {
    "debug": "pause_for_investigation",
    "analyze": "pause_for_analysis",
    "codereview": "pause_for_code_review",
    "precommit": "pause_for_validation",
    "refactor": "pause_for_refactoring_analysis",
    "secaudit": "pause_for_security_audit",
    "testgen": "pause_for_test_analysis",
    "tracer": "pause_for_tracing",
    "docgen": "pause_for_documentation_analysis",
    "planner": "pause_for_planning",
    "thinkdeep": "pause_for_thinkdeep",
    "consensus": "analysis_and_first_model_consulted",
}
COMPLETE = {
    "debug": "certain_confidence_proceed_with_fix",
    "analyze": "analysis_complete_ready_for_implementation",
    "codereview": "code_review_complete_ready_for_implementation",
    "precommit": "validation_complete_ready_for_commit",
    "refactor": "refactoring_analysis_complete_ready_for_implementation",
    "secaudit": "security_analysis_complete",
    "testgen": "test_generation_complete_ready_for_implementation",
    "tracer": "tracing_complete",
    "docgen": "documentation_analysis_complete",
    "planner": "planning_complete",
    "thinkdeep": "deep_thinking_complete_ready_for_implementation",
    "consensus": "consensus_workflow_complete",
}


@pytest.mark.parametrize(("kind", "named"), PAUSES.items())
def test_the_status_of_a_pause(kind: str, named: str):
    assert status(gone(kind, 1, 4), 1) == named


@pytest.mark.parametrize(("kind", "named"), COMPLETE.items())
def test_the_status_of_the_end(kind: str, named: str):
    turns = TURNS.get(kind, 4)

    assert status(gone(kind, turns, 4, builtin_kinds()[kind].confidence.sure), turns) == named


def test_a_debugging_that_ends_unsure_is_only_complete():
    assert status(gone("debug", 4, 4, "medium"), 4) == "investigation_complete"


def test_the_later_models_are_consulted_one_by_one():
    assert status(gone("consensus", 2, 3), 2) == "model_consulted"


def test_a_tracing_that_asks_for_its_mode_waits_for_it():
    story = gone("tracer", 1, 3, mode="ask")
    assert status(story, 1) == "mode_selection_required"

    story.do(done("chosen", fields={"mode": "dependencies"}))

    assert status(story, 2) == "pause_for_tracing"


DEEP = [(1, 4, False), (1, 5, True), (3, 5, True), (4, 5, False), (3, 9, True)]


@pytest.mark.parametrize(("turn", "total", "deep"), DEEP)
def test_a_long_plan_begins_with_deep_thinking(turn: int, total: int, deep: bool):
    named = "pause_for_deep_thinking" if deep else "pause_for_planning"

    assert status(gone("planner", turn, total), turn) == named


ACTIONS = [
    *(("debug", 1, 6, level, {}, 4) for level in (None, "certain")),
    *(("debug", 2, 6, level, {}, 4) for level in builtin_kinds()["debug"].confidence.levels),
    ("analyze", 1, 4, None, {}, 6),
    ("analyze", 3, 4, None, {}, 6),
    ("analyze", 4, 4, None, {}, 6),
    *(("codereview", turn, 6, None, {}, 6) for turn in (1, 2, 3, 4)),
    ("precommit", 1, 5, None, {}, 9),
    ("precommit", 2, 5, None, {}, 6),
    ("precommit", 3, 5, None, {}, 6),
    ("precommit", 4, 5, None, {"review": "internal"}, 5),
    ("refactor", 1, 5, None, {}, 7),
    ("refactor", 2, 5, "exploring", {}, 7),
    ("refactor", 2, 5, "incomplete", {}, 7),
    ("refactor", 2, 5, "partial", {}, 6),
    ("refactor", 2, 5, "complete", {}, 5),
    *(("secaudit", turn, 6, None, {}, 4) for turn in range(1, 7)),
    ("secaudit", 7, 8, None, {}, 3),
    ("testgen", 1, 5, None, {}, 6),
    *(("testgen", 2, 5, level, {}, 6) for level in ("exploring", "low", "medium", "high")),
    *(("testgen", 2, 5, level, {}, 5) for level in ("very_high", "almost_certain", "certain")),
    ("tracer", 1, 4, None, {"mode": "ask"}, 4),
    ("tracer", 1, 4, None, {}, 5),
    ("tracer", 2, 4, None, {}, 5),
    *(("planner", turn, total, None, {}, 4) for turn, total, _ in DEEP),
    *(
        ("thinkdeep", 2, 5, level, {}, 1 if level == "certain" else 3)
        for level in builtin_kinds()["thinkdeep"].confidence.levels
    ),
    ("consensus", 1, 3, None, {}, 2),
    ("consensus", 2, 3, None, {}, 3),
    ("consensus", 3, 3, None, {}, 4),
]


@pytest.mark.parametrize(("kind", "turn", "total", "level", "fields", "count"), ACTIONS)
def test_so_many_things_are_to_be_looked_at(kind, turn, total, level, fields, count):
    assert asked(gone(kind, turn, total, level, **fields), turn) == count


@pytest.mark.parametrize("turn", range(1, 7))
def test_documenting_asks_for_ten_to_twelve(turn: int):
    story = gone("docgen", turn, 8, total_files_to_document=7)

    assert 10 <= asked(story, turn) <= 12


@pytest.mark.parametrize(
    ("kind", "levels"),
    [
        ("debug", builtin_kinds()["debug"].confidence.levels),
        ("thinkdeep", ("exploring", "low", "high")),
    ],
)
def test_other_confidence_asks_for_other_things(kind: str, levels: tuple[str, ...]):
    lists = {actions((s := gone(kind, 2, 6, level)).session, at(s.session, 2)) for level in levels}

    assert len(lists) == {"debug": 4, "thinkdeep": 3}[kind]


NEEDS = {
    "analyze": "--relevant FILE",
    "codereview": "--relevant FILE",
    "refactor": "--relevant FILE",
    "testgen": "--relevant FILE",
    "precommit": "--set path=.",
    "tracer": "--set mode=…",
    "consensus": "--model NAME:for",
}


@pytest.mark.parametrize("kind", builtin_kinds())
def test_the_first_step_brings_what_the_kind_needs(kind: str):
    story = Story(investigating(kind))

    if kind not in NEEDS:
        story.do(done("a"))
        return
    with pytest.raises(errors.FirstStepNeeds) as refused:
        story.do(done("a"))
    assert str(refused.value).endswith(f"Say {NEEDS[kind]}.")


TOTALS = [
    ("debug", {}, 4),
    ("secaudit", {}, 7),
    ("consensus", {"models": ["a", "b", "c"]}, 3),
    ("docgen", {"total_files_to_document": 5}, 6),
    ("docgen", {"total_files_to_document": 0}, 1),
    ("precommit", {"path": ".", "review": "external"}, 4),
]


@pytest.mark.parametrize(("kind", "fields", "total"), TOTALS)
def test_the_total_of_the_first_step(kind, fields, total):
    story = Story(investigating(kind), done("a", fields=fields, findings=found(relevant="a.py")))

    assert at(story.session, 1).current.total == total


def test_the_total_of_documenting_follows_the_count():
    story = gone("docgen", 1, 0, total_files_to_document=5)

    story.do(done("more were found", fields={"total_files_to_document": 7}))

    assert story.session.total == 8


def test_another_total_than_that_of_the_models_is_theirs():
    story = Story(investigating("consensus"))

    answer = story.answer(done("a", fields={"models": "a:for, b"}, total=9)).to_dict()

    assert answer["total_steps"] == 2
    assert answer["warnings"] == ["consensus takes a step for each model: 2 are planned"]


CHOICES = [
    ("analyze", "analysis_type", "architecture performance security quality general"),
    ("codereview", "review_type", "full security performance quick"),
    ("refactor", "refactor_type", "codesmells decompose modernize organization"),
    ("secaudit", "threat_level", "low medium high critical"),
    ("secaudit", "audit_focus", "owasp compliance infrastructure dependencies comprehensive"),
    ("tracer", "mode", "precision dependencies ask"),
]


@pytest.mark.parametrize(("kind", "field", "choices"), CHOICES)
def test_a_field_has_one_of_its_choices(kind: str, field: str, choices: str):
    for choice in choices.split():
        gone(kind, 1, 4, **{field: choice})

    with pytest.raises(errors.BadValue) as refused:
        gone(kind, 1, 4, **{field: "other"})
    assert str(refused.value) == (
        f"field {field!r} is 'other'. It needs one of {', '.join(choices.split())}."
    )


def test_a_plan_needs_no_findings_and_goes_on_by_its_numbers():
    story = gone("planner", 3, 3)

    assert [step.current.next_step_needed for step in story.session.steps.values()] == [
        True,
        True,
        False,
    ]


def ran(what: str, failed: bool | None, *acts: str) -> Look:
    return Look(kind="cell", what=what, acts=("run", *acts), failed=failed, seen=f"{what} {failed}")


def unseen(what: str, told: str) -> str:
    silent = ", or that no test ran" if what == "tests" else ""
    return (
        f"{what} seen to succeed: `{told}` would not show a failure{silent} (run it alone as "
        "`!PROGRAM`, with nothing before or behind it that hides its exit code)"
    )


RUNS = {
    "it passed": ((ran("!pytest", False, "test"),), ()),
    "nobody knows": ((ran("!pytest; ls", None, "test"),), (unseen("tests", "!pytest; ls"),)),
    "hidden after a success": (
        (ran("!make", False), ran("!make | tail", None)),
        (unseen("something that ran", "!make | tail"),),
    ),
    "hidden, then a success": (
        (ran("!ruff | tail", None, "check"), ran("!ruff", False, "check")),
        (),
    ),
    "it failed": ((ran("!pytest", True, "test"),), ("tests without a failure after `!pytest`",)),
    "mended": ((ran("!pytest", True, "test"), ran("!pytest -q", False, "test")), ()),
    "broken": (
        (ran("!pytest", False, "test"), ran("!pytest -q", True, "test")),
        ("tests without a failure after `!pytest -q`",),
    ),
    "something else passed": (
        (ran("!pytest", True, "test"), ran("!ruff check", False, "check"), ran("!make", False)),
        ("tests without a failure after `!pytest`",),
    ),
}


@pytest.mark.parametrize("in_steps", [True, False], ids=["steps", "before a step"])
@pytest.mark.parametrize("case", RUNS)
def test_nothing_is_ready_while_what_ran_last_failed(case: str, in_steps: bool):
    looks, lacks = RUNS[case]
    story = gone("precommit", 2, 9)
    for look in looks:
        story.do(LookAt(looks=(look,), since=story.session.position))
        if in_steps:
            story.do(done(f"after {look.what}", findings=found(LONG)))
    says = found(LONG, confidence="certain")
    story.do(done("ready", findings=says, next_step_needed=False))

    now = investigation_of(story.session)
    last = next(reversed(story.session.steps.values()))
    assert missing_looks(story.session, now.found) == lacks
    ready = status_of(standing(story.session, last), ended=True)
    assert ready.endswith("_not_ready" if lacks else "_ready_for_commit")
    assert last.current.next_step_needed == bool(lacks)


def test_a_failure_is_something_to_see_where_it_is_looked_for():
    story = gone("debug", 2, 5)
    story.do(LookAt(looks=(ran("!pytest", True, "test"),), since=story.session.position))

    assert missing_looks(story.session, investigation_of(story.session).found) == ()
