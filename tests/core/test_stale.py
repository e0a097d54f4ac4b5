"""Rule 8: what came after a revised step is stale, until it runs again or is confirmed."""

import pytest

from tests.core.story import ABC, Story, answered, at, begun, done, given, numbers, stale
from wfnb.core.commands import ConfirmSteps, FinishStep
from wfnb.core.data_flow import Flow
from wfnb.core.events import Cell, Outcome, StepsConfirmed
from wfnb.core.validation import place


@pytest.mark.parametrize(
    ("revision", "outdated"),
    [
        (done("A", revises=1), ["main:2", "main:3"]),
        (done("B", revises=2), ["main:3"]),
        (done("C", revises=3), []),
        (done("A", number=1), ["main:2", "main:3"]),
        (done("B", number=2), ["main:3"]),
        (done("C", number=3), []),
    ],
)
def test_rule_8_what_came_after_the_revised_step_on_its_line_is_stale(revision, outdated):
    assert stale(given(*ABC, revision)) == outdated


LINES = (
    *ABC,
    done("x", branch="before", leaves=1),
    done("y", branch="at", leaves=2),
    done("z", branch="after", leaves=3),
    done("y4", branch="at"),
    done("deep", branch="deep", leaves="at:3"),
)


@pytest.mark.parametrize("revision", [done("B", revises=2), done("B", number=2)])
def test_rule_8_branches_that_left_at_the_revised_step_or_later_are_stale_those_before_are_not(
    revision,
):
    session = given(*LINES, revision)

    assert stale(session) == ["main:3", "at:3", "after:4", "at:4", "deep:4"]


def test_rule_8_a_change_on_a_branch_leaves_its_parent_and_its_brothers():
    session = given(*LINES, done("Y", branch="at", number=3))

    assert stale(session) == ["at:4", "deep:4"]


def test_rule_8_a_branch_that_revises_an_inherited_step_makes_only_its_own_steps_stale():
    session = given(*LINES, done("B", branch="at", revises=2))

    assert stale(session) == ["at:3", "at:4", "deep:4"]


def test_rule_8_a_nested_branch_that_left_a_branch_before_the_change_stays_fresh():
    session = given(*LINES, done("Y4", branch="at", number=4))

    assert stale(session) == []


def test_rule_8_a_stale_step_that_runs_again_is_stale_no_more():
    session = given(*ABC, done("A", number=1), done("b", number=2))

    assert stale(session) == ["main:3"]


def test_rule_8_a_stale_step_that_is_changed_is_stale_no_more():
    session = given(*ABC, done("A", number=1), done("B", number=2))

    assert stale(session) == ["main:3"]


@pytest.mark.parametrize(
    ("status", "left"),
    [
        ("ok", ["main:3"]),
        ("unknown", ["main:3"]),
        ("failed", ["main:2", "main:3"]),
        ("interrupted", ["main:2", "main:3"]),
    ],
)
def test_rule_8_an_attempt_that_did_not_end_well_leaves_the_step_stale(status, left):
    again = done("b", number=2, outcome=Outcome(status=status))

    assert stale(given(*ABC, done("A", number=1), again)) == left


def test_rule_8_a_stale_step_is_stale_while_it_runs_and_fresh_once_it_ended():
    story = Story(*ABC, done("A", number=1), begun("b", number=2))
    attempt = next(iter(story.session.running))

    assert stale(story.session) == ["main:2", "main:3"]
    story.do(FinishStep(attempt=attempt, outcome=Outcome()))
    assert stale(story.session) == ["main:3"]


@pytest.mark.parametrize(
    ("places", "left"),
    [
        ((), []),
        (("3",), ["at:3", "after:4", "at:4", "deep:4"]),
        (("at:3", "deep:4"), ["main:3", "after:4", "at:4"]),
        (("1",), ["main:3", "at:3", "after:4", "at:4", "deep:4"]),
    ],
)
def test_rule_8_stale_steps_are_confirmed_by_place_or_all_at_once(places, left):
    confirmed = ConfirmSteps(places=tuple(place("step", where) for where in places))

    assert stale(given(*LINES, done("B", number=2), confirmed)) == left


def test_a_place_that_is_confirmed_is_on_the_line_chosen():
    story = Story(*LINES, done("B", number=2))

    events = story.do(ConfirmSteps(places=(place("step", 3),), line="at"))

    assert events == [StepsConfirmed(branch="at", numbers=(3,))]


@pytest.mark.parametrize("places", [(), ("2",)])
def test_confirming_what_is_not_stale_does_nothing(places):
    story = Story(*ABC)

    assert story.do(ConfirmSteps(places=tuple(place("step", p) for p in places))) == []


CODE = "%%step 2 Clean\ndf = df.dropna()"


@pytest.mark.parametrize(
    ("source", "outdated"),
    [
        ("%%step 2 Clean the table --total 5\ndf = df.dropna()", []),
        ("%step 2 Clean\ndf = df.dropna()\n", []),
        ("%%step 2 Clean\ndf = df.fillna(0)", ["main:3"]),
        ("%%step 2 Clean", ["main:3"]),
    ],
)
def test_rewording_a_step_whose_code_stays_makes_nothing_stale(source, outdated):
    words = source.splitlines()[0]
    session = given(
        done("a"),
        done("Clean", number=2, cell=Cell(id="c2", source=CODE)),
        done("c"),
        done(words, number=2, cell=Cell(id="c2", source=source)),
    )

    assert stale(session) == outdated
    assert len(at(session, 2).versions) == 2


def test_a_revision_that_comes_later_leaves_a_gap_alone():
    session = given(done("a"), done("c", number=3), done("b", number=2), done("A", number=1))

    assert numbers(session) == [1, 2, 3]
    assert stale(session) == ["main:3", "main:2"]


def test_the_answer_to_a_revision_names_the_stale_steps_and_what_to_do_about_them():
    answer = answered(*LINES, done("B", number=2))

    assert answer.stale_steps == [3, 4]
    assert answer.next_actions[0] == (
        "steps 3, at:3, after:4, at:4, deep:4 are stale: "
        "run them again, or `%wfnb confirm 3 at:3 after:4 at:4 deep:4`"
    )


def outcome(**says):
    return Outcome(values=says)


SAME = ("x", "1", outcome(n=1))
OTHERWISE = {
    "the same": (SAME, []),
    "another version": (("x", "2", outcome(n=1)), ["main:2"]),
    "another name": (("y", "1", outcome(n=1)), ["main:2"]),
    "another value": (("x", "1", outcome(n=2)), ["main:2"]),
    "another result": (("x", "1", Outcome(values={"n": 1}, result="r")), ["main:2"]),
    "a failure": (("x", "1", Outcome(status="failed", values={"n": 1})), ["main:2"]),
}


@pytest.mark.parametrize("how", OTHERWISE)
def test_words_after_a_step_are_stale_once_an_attempt_of_it_comes_to_something_else(how):
    (name, version, ended), outdated = OTHERWISE[how]
    told, versions = Story(), (("x", "1", outcome(n=1)), (name, version, ended))
    for wrote, as_version, came in versions:
        told.do(begun("a", number=1, cell=Cell(id="c", source="%%step a\nload()")))
        (attempt,) = told.session.running
        flow = Flow(code="c", writes={wrote: as_version})
        told.do(FinishStep(attempt=attempt, outcome=came, flow=flow))
        if len(told.session.steps) == 1:
            told.do(done("words"))

    assert stale(told.session) == outdated


def test_words_after_a_step_that_becomes_stale_by_what_it_read_are_stale_and_those_before_are_not():
    told = Story(done("words before"))
    held = {}
    for name, reads in (("x", ""), ("y", "x")):
        told.do(begun(f"make {name}"))
        (attempt,) = told.session.running
        held[name] = (f"{name}1", told.session.running[attempt][0])
        flow = Flow(code=name, reads={n: held[n] for n in reads}, writes={name: f"{name}1"})
        told.do(FinishStep(attempt=attempt, outcome=Outcome(), flow=flow))
    told.do(done("words after"))
    assert stale(told.session) == []

    told.do(begun("make x", number=2))
    (attempt,) = told.session.running
    flow = Flow(code="x better", writes={"x": "x2"})
    told.do(FinishStep(attempt=attempt, outcome=Outcome(), flow=flow))

    assert stale(told.session) == ["main:3", "main:4"]
    causes = {key for step in told.session.steps.values() for key in step.made_stale_by}
    assert at(told.session, 3).key in causes


def test_every_outcome_that_was_another_is_history_with_its_version():
    told = Story(done("a", outcome=outcome(n=1)))

    for words, n in (("a", 1), ("a", 2), ("b", 2), ("b", 3)):
        told.do(done(words, number=1, outcome=outcome(n=n)))

    step = at(told.session, 1)
    assert step.past == ((1, outcome(n=1)), (1, outcome(n=2)), (2, outcome(n=2)))
    assert step.outcome == outcome(n=3)
