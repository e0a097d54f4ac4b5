"""After a step something has to be looked at, or found, before the next."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import CELL, HELD, found, investigating, looking
from wfnb import errors
from wfnb.core.commands import Command
from wfnb.core.events import StepRepeated
from wfnb.core.findings import Findings, Look
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack, LookAt, TakeAdvice
from wfnb.investigations.core.events import Advice, LookedAt
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.core.requirements import actions, tick_actions


def test_the_answer_to_a_step_says_what_to_look_at_before_the_next():
    story = Story(investigating())

    answer = story.answer(done("Empty input crashes", findings=found(files="parse.py"))).to_dict()

    assert answer["required_actions"] == [a.do for a in builtin_kinds()["debug"].actions[0].do]
    assert (answer["status"], answer["total_steps"]) == ("pause_for_investigation", 4)
    assert (len(answer["required_actions"]), answer["next_step_number"]) == (4, 2)


def test_the_next_step_is_refused_until_something_was_looked_at():
    story = Story(investigating(), done("a"))

    with pytest.raises(errors.PauseHolds) as refused:
        story.do(done("b"))

    assert str(refused.value) == (
        "Nothing new was looked at since step 1. Run a cell that reads, runs or shows something, "
        "`%wfnb look` at what nobody looked at since it changed, or bring a new --finding or "
        "--issue; `%wfnb status` has the list."
    )
    story.do(looking())
    assert story.answer(done("b")).to_dict()["evidence"] == ["cell: parse('')"]


LET_THROUGH: dict[str, tuple[Command, ...]] = {
    "a new finding": (done("b", findings=found("it is the loop")),),
    "a new file that was opened": (done("b", findings=found(files="b.py")),),
    "a new relevant file that was opened": (done("b", findings=found(relevant="b.py")),),
    "a new issue": (done("b", findings=found(issues="high: no check")),),
    "no pause for this step": (done("b", pause=False),),
    "an adviser's reply": (
        TakeAdvice(advice=(Advice(adviser="alice", role="model", text="yes"),), step=3),
        done("b"),
    ),
    "the last step withdrawn": (Backtrack(place=StepPlace(number=1)), done("b")),
}


@pytest.mark.parametrize("commands", LET_THROUGH.values(), ids=LET_THROUGH)
def test_a_step_is_let_through_by(commands: tuple[Command, ...]):
    look = looking(Look(kind="code", what="outline", files=("a.py", "b.py")))
    story = Story(investigating(), look, done("a", findings=found("old", files="a.py")))

    for command in commands:
        story.do(command)

    assert at(story.session, 2).current.description == "b"


@pytest.mark.parametrize("says", HELD.values(), ids=HELD)
def test_a_step_is_held_with_nothing_but(says: Findings):
    story = Story(investigating(), done("a", findings=found("old news", files="a.py")))

    with pytest.raises(errors.PauseHolds):
        story.do(done("b", findings=says))


def test_what_began_before_the_awaited_step_is_no_look_at_it():
    story = Story(investigating(), done("a"))
    awaited = at(story.session, 1).key

    assert story.do(LookAt(looks=(CELL,), since=awaited - 1)) == []
    assert story.do(LookAt(looks=(CELL,), since=awaited)) == [LookedAt(looks=(CELL,))]
    assert story.do(looking()) == []


def test_a_session_without_pause_goes_on():
    story = Story(investigating(pause=False), done("a"), done("b"))

    with pytest.raises(errors.PauseHolds):
        story.do(done("c", pause=True))


def test_a_step_that_runs_again_is_not_held_and_changes_nothing():
    story = Story(investigating(), done("a", findings=found("old")))
    before = investigation_of(story.session).found.findings.copy()

    assert [type(event) for event in story.do(done("a", number=1))] == [StepRepeated]
    assert investigation_of(story.session).found.findings == before


def test_one_look_ticks_one_action():
    story = Story(investigating(), done("a"))
    asked = actions(story.session, at(story.session, 1))

    assert [look for _, look in tick_actions(asked, (CELL,))] == [None, CELL, None, None]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([1, 2, 3, 0]),
            st.sampled_from([None, "a", "b"]),
            st.sampled_from(["x", "y"]),
        ),
        min_size=3,
        max_size=6,
    )
)
@example([(1, "a", "x"), (2, "b", "x"), (1, "a", "y")])
def test_a_field_holds_as_it_was_said_last(acts):
    """Steps say a field, the same again in other words, another value, or no more; 0 withdraws what
    is a step of another field."""
    story = Story(investigating("tracer", pause=False))
    for number in (1, 2, 3, 4):
        story.do(done(f"step {number}", total=9 if number == 1 else None, fields={"mode": "ask"}))
    said: dict[int, tuple[int, str | None]] = {}

    for position, (number, value, words) in enumerate(acts):
        if number:
            told = {"mode": "ask"} | ({"target": value} if value else {})
            story.do(done(f"again {words}", number=number, fields=told))
            if said.get(number, (0, None))[1] != value:
                said[number] = position, value
        else:
            story.do(Backtrack(place=StepPlace(number=4)))

    newest = max((each for each in said.values() if each[1]), default=(0, None))
    now = investigation_of(story.session)
    assert now.fields.get("target") == newest[1]
