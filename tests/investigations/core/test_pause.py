"""The pause: a new step waits until something was looked at, or brings something new."""

from __future__ import annotations

import pytest

from tests.core.story import Kernel, Story, at, begun, descriptions, done
from tests.investigations.core.investigating import CELL, HELD, found, investigating, looking
from wfnb import errors
from wfnb.core.commands import AbandonBranch, ClearSession, Command, FinishStep, Undo
from wfnb.core.events import Outcome
from wfnb.core.findings import Findings, Look
from wfnb.core.replay import replay
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack, ChooseKind, LookAt, TakeAdvice
from wfnb.investigations.core.events import Advice
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind import LOOKS, Action
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.core.reducer import conflict
from wfnb.investigations.core.requirements import actions, tick_actions

FIRST = {
    "findings": found("old", relevant="a.py"),
    "fields": {"mode": "precision", "path": ".", "models": ["bob", "eve"]},
}


@pytest.mark.parametrize("name", sorted({*builtin_kinds()} - {"consensus", "planner"}))
def test_every_kind_makes_the_next_step_wait(name: str):
    story = Story(investigating(name), done("a", **FIRST))

    with pytest.raises(errors.PauseHolds):
        story.do(done("b"))


@pytest.mark.parametrize("kind", ["consensus", "planner"])
def test_a_vote_and_a_plan_wait_for_no_look(kind: str):
    story = Story(investigating(kind), done("a", **FIRST))

    story.do(done("b"))

    assert investigation_of(story.session).looks == []
    assert descriptions(story.session) == ["a", "b"]


@pytest.mark.parametrize("kind", LOOKS)
def test_every_kind_of_look_lets_the_next_step_through(kind: str):
    story = Story(investigating(), done("a"), looking(Look(kind=kind, what="it")))

    assert story.answer(done("b")).to_dict()["evidence"] == [f"{kind}: it"]


def test_a_look_serves_one_step():
    story = Story(investigating(), done("a"), looking(), done("b"))

    with pytest.raises(errors.PauseHolds):
        story.do(done("c"))


def test_a_reply_that_failed_is_no_look():
    failed = Advice(adviser="bob", role="model", error="timed out")
    story = Story(investigating(), done("a"), TakeAdvice(advice=(failed,), step=3))

    with pytest.raises(errors.PauseHolds):
        story.do(done("b"))


def test_a_look_of_no_known_kind_is_refused():
    story = Story(investigating(), done("a"))

    with pytest.raises(errors.BadValue):
        story.do(looking(Look(kind="dream", what="it")))


def test_fifty_looks_are_kept():
    story = Story(investigating(), done("a"))

    story.do(looking(*(Look(kind="cell", what=str(each)) for each in range(60))))

    assert len(investigation_of(story.session).looks) == 50


@pytest.mark.parametrize("commands", [1, 2, 60])
def test_what_was_opened_or_used_counts_however_many_looks_there_were(commands: int):
    looks = [
        Look(kind="file", what=f"{n}", files=(f"{n}.py",), names=(f"n{n}",)) for n in range(60)
    ]
    looks += [Look(kind="git", what="status", conflict=False), Look(kind="cell", what="no more")]
    story = Story(investigating(), done("a"))

    size = len(looks) // commands
    for at_once in range(commands):
        upto = None if at_once == commands - 1 else (at_once + 1) * size
        story.do(looking(*looks[at_once * size : upto]))

    there = investigation_of(story.session).looks
    assert {file for look in there for file in look.files} == {f"{n}.py" for n in range(60)}
    assert {name for look in there for name in look.names} == {f"n{n}" for n in range(60)}
    assert conflict(there) is False
    assert "no more" not in {look.what for look in there}
    story.do(looking(looks[55]))
    assert investigation_of(story.session).looks == there


NOT_HELD: dict[str, tuple[Command, ...]] = {
    "the first step": (),
    "a step after one that ended its line": (done("a", total=1),),
    "the session told not to pause": (done("a"), investigating(pause=False)),
    "the awaited step undone": (done("a"), Undo()),
    "the session cleared": (done("a"), ClearSession()),
    "another kind chosen": (done("a"), investigating("thinkdeep")),
    "no investigation any more": (done("a"), ChooseKind(kind=None)),
    "its line abandoned": (
        done("z"),
        looking(),
        done("a", branch="alt"),
        AbandonBranch(branch="alt"),
    ),
}


@pytest.mark.parametrize("commands", NOT_HELD.values(), ids=NOT_HELD)
def test_nothing_is_waited_for_with(commands: tuple[Command, ...]):
    story = Story(investigating(), *commands)
    before = descriptions(story.session)

    story.do(done("b"))

    assert descriptions(story.session) == [*before, "b"]


def test_the_first_step_of_a_branch_waits_as_any_other():
    story = Story(investigating(), done("a"))

    with pytest.raises(errors.PauseHolds):
        story.do(done("b", branch="alt"))
    assert list(story.session.lines) == ["main"]


def test_a_step_that_is_changed_does_not_wait():
    story = Story(investigating(), done("a"))

    story.do(done("a, better", number=1))

    assert at(story.session, 1).current.description == "a, better"


def test_a_revision_is_a_new_step_and_waits():
    story = Story(investigating(), done("a"))

    with pytest.raises(errors.PauseHolds):
        story.do(done("b", revises=1))


def test_the_cells_of_a_notebook_that_run_again_do_not_wait():
    story = Story(investigating())
    first = Kernel(story)
    first.run("%%step a", id="c1")
    story.do(looking())
    first.run("%%step b", id="c2")

    again = Kernel(story)

    assert [again.run(f"%%step {name}", id=id).number for id, name in (("c1", "a"), ("c2", "b"))]
    assert len(story.session.steps) == 2


def test_the_end_of_a_step_is_no_look_at_it():
    story = Story(investigating(), begun("a"))
    story.do(FinishStep(attempt=next(iter(story.session.running)), outcome=Outcome()))

    with pytest.raises(errors.PauseHolds):
        story.do(done("b"))


def test_no_look_is_kept_where_none_is_awaited():
    assert Story(done("a")).do(LookAt(looks=(CELL,))) == []


@pytest.mark.parametrize("says", HELD.values(), ids=HELD)
def test_what_is_no_news_does_not_stand_in_the_evidence(says: Findings):
    story = Story(investigating(), done("a", findings=found("old news", files="a.py")))

    answer = story.answer(done("b", findings=says, pause=False)).to_dict()

    assert answer["evidence"] == []


def test_what_only_a_withdrawn_step_said_is_news_again():
    story = Story(
        investigating(),
        done("a"),
        done("b", findings=found("it is the loop")),
        looking(),
        done("c"),
        Backtrack(place=StepPlace(number=2)),
        done("d"),
    )

    answer = story.answer(done("e", findings=found("It is the loop"))).to_dict()

    assert answer["evidence"] == ["new finding"]


def test_what_only_the_steps_it_withdraws_said_is_news():
    story = Story(
        investigating(),
        done("a"),
        done("b", branch="alt", findings=found("it is the loop")),
        looking(),
        done("c", branch="main"),
    )

    with pytest.raises(errors.PauseHolds):
        story.do(done("d", findings=found("it is the loop")))
    back = done("d", findings=found("it is the loop"), backtrack=2, branch="alt")
    assert story.answer(back).to_dict()["evidence"] == ["new finding"]
    assert [step.is_withdrawn for step in story.session.steps.values()] == [
        False,
        True,
        False,
        False,
    ]


def test_a_step_that_withdraws_the_awaited_one_need_not_wait_for_it():
    story = Story(investigating(), done("a"), looking(), done("b"))

    story.do(done("c", backtrack=2))

    assert [step.is_withdrawn for step in story.session.steps.values()] == [False, True, False]


def test_a_step_to_go_back_to_has_to_exist():
    story = Story(investigating(), done("a"))

    with pytest.raises(errors.StepUnknown):
        story.do(done("b", backtrack=7))


def test_a_look_ticks_the_first_open_action_that_takes_it():
    staged, other = Look(kind="git", what="staged"), Look(kind="cell", what="1")
    asked = (Action(do="a", by=("cell",)), Action(do="b", by=("git:staged",)))
    asked += (Action(do="c", by=("cell",)),)

    told = tick_actions(asked, (staged, other, Look(kind="git", what="status"), other))

    assert [look for _, look in told] == [other, staged, other]


def test_after_a_kill_the_same_is_asked_and_ticked():
    story = Story(investigating(), done("a"), looking())
    again = replay(story.log)

    def asked(session):
        return tick_actions(actions(session, at(session, 1)), investigation_of(session).looks)

    assert asked(again) == asked(story.session)
    assert [look for _, look in asked(again)] == [None, CELL, None, None]
