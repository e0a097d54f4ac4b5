"""What one author did is taken out of the middle of a history, or refused by what rests on it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.story import Story, at, begun, descriptions, done, following
from wfnb.core.commands import (
    ClearSession,
    Command,
    ConfirmSteps,
    DescribeStep,
    FinishStep,
    MergeBranch,
    Redo,
    ScoreBranch,
    SelectBranch,
    TagStep,
    TakeBack,
    Undo,
)
from wfnb.core.events import Author, Outcome, TakenBack
from wfnb.core.replay import replay, standing
from wfnb.core.undo_by_author import Resting, changes_of
from wfnb.core.validation import StepPlace
from wfnb.errors import Refused
from wfnb.frozen_record import record

HELPER = Author(host="mcp", name="helper")
ONE, TWO = StepPlace(number=1), StepPlace(number=2)


class Shared(Story):
    """A story in which a program acts, too: its commands are those of `By`."""

    def do(self, command):
        by, meant = (HELPER, command.command) if isinstance(command, By) else (None, command)
        before = len(self.log)
        events = super().do(meant)
        self.log[before:] = [written_by(entry, by) for entry in self.log[before:]]
        self.session = replay(self.log)
        return events

    def chosen(self, since: int = 0):
        is_his = HELPER.__eq__
        return changes_of(self.session, standing(self.log), is_his, since)

    def take_back(self, since: int = 0) -> list[int]:
        found = self.chosen(since)
        assert not isinstance(found, Resting), found
        positions = tuple(entry.position for entry in found)
        super().do(TakeBack(positions=positions, at=self.session.position))
        return list(positions)


@record
class By:
    command: Command


def written_by(entry, by):
    return replace(entry, event=replace(entry.event, by=by))


def by_helper(command: Command) -> By:
    return By(command=command)


def test_its_steps_go_and_those_of_others_keep_their_numbers():
    story = Shared(done("a"), by_helper(done("b")), done("c"))

    assert story.take_back() == [3]

    assert descriptions(story.session, "main") == ["a", "c"]
    assert [step.number for step in story.session.steps.values()] == [1, 3]


def test_a_branch_with_all_of_its_steps_goes():
    story = Shared(done("a"), by_helper(done("x", branch="alt", leaves=1)), done("b"))

    story.take_back()

    assert list(story.session.lines) == ["main"]
    assert descriptions(story.session, "main") == ["a", "b"]


def test_only_what_came_after_an_entry_goes():
    story = Shared(done("a"), by_helper(done("b")), by_helper(done("c")))

    assert story.take_back(since=3) == [4]

    assert descriptions(story.session, "main") == ["a", "b"]


def test_it_is_one_change_that_can_be_brought_back():
    story = Shared(done("a"), by_helper(done("b")), done("c"), by_helper(done("d")))
    before = descriptions(story.session, "main")
    story.take_back()

    story.do(Redo())

    assert descriptions(story.session, "main") == before


def test_undo_after_it_takes_what_stands():
    story = Shared(done("a"), done("c"), by_helper(done("d")))
    story.take_back()

    story.do(Undo())

    assert descriptions(story.session, "main") == ["a"]


def test_small_changes_of_what_others_made_go_alone():
    story = Shared(
        done("a"),
        done("x", branch="alt", leaves=1),
        by_helper(TagStep(place=ONE, add=("data",))),
        by_helper(ScoreBranch(branch="alt", score=1)),
        by_helper(SelectBranch(branch="alt")),
        done("b"),
    )

    story.take_back()

    alt = story.session.lines["alt"]
    assert (at(story.session, 1).tags, alt.score, alt.state) == ((), None, "open")


HELD = {
    "a step on its branch": (
        [by_helper(done("x", branch="alt", leaves=1)), done("y", branch="alt")],
        3,
        5,
    ),
    "a branch that leaves its step": (
        [by_helper(done("b")), done("x", branch="alt", leaves=2)],
        3,
        4,
    ),
    "a revision of its step": ([by_helper(done("b")), done("B", revises=2)], 3, 4),
    "a tag of its step": ([by_helper(done("b")), TagStep(place=TWO, add=("data",))], 3, 4),
    "another version of its step": ([by_helper(done("b")), done("B", number=2)], 3, 4),
    "words of its version": (
        [by_helper(done("A", number=1)), DescribeStep(place=ONE, title="A load")],
        3,
        4,
    ),
    "a score of its branch": (
        [by_helper(done("x", branch="alt", leaves=1)), ScoreBranch(branch="alt", score=1)],
        3,
        5,
    ),
    "a merge of its branch": (
        [by_helper(done("x", branch="alt", leaves=1)), MergeBranch(branch="alt")],
        3,
        5,
    ),
    "what its step is confirmed by": (
        [by_helper(done("b")), done("A", revises=1), ConfirmSteps()],
        3,
        5,
    ),
    "the end of its step": (
        [by_helper(begun("b")), FinishStep(attempt=3, outcome=Outcome())],
        3,
        4,
    ),
    "whatever came after its strategy": (
        [by_helper(following("react")), TagStep(place=ONE, add=("data",))],
        3,
        4,
    ),
    "whatever came after it cleared all": ([by_helper(ClearSession()), done("b")], 3, 4),
}


@pytest.mark.parametrize("case", HELD)
def test_nothing_goes_on_which_something_of_anothers_rests(case: str):
    commands, on, what = HELD[case]
    story = Shared(done("a"), *commands)

    found = story.chosen()

    assert isinstance(found, Resting)
    assert (found.on.position, found.what.position) == (on, what)


def test_nothing_is_taken_back_of_a_history_that_went_on_meanwhile():
    story = Shared(done("a"), by_helper(done("b")))
    at_that_time = story.session.position
    story.do(done("c"))

    assert story.do(TakeBack(positions=(3,), at=at_that_time)) == []


COMMANDS = st.sampled_from(
    [
        *(done(name) for name in "ab"),
        *(done(name, branch=name, leaves=1) for name in ("p", "q")),
        *(done(name, branch=name) for name in ("p", "q")),
        *(done("r", revises=number) for number in (1, 2)),
        *(done("v", number=number) for number in (1, 2)),
        *(TagStep(place=StepPlace(number=number), add=("t",)) for number in (1, 2)),
        ScoreBranch(branch="p", score=1),
        SelectBranch(branch="q"),
        MergeBranch(branch="p"),
        ConfirmSteps(),
        ClearSession(),
        Undo(),
        Redo(),
    ]
)


@given(st.lists(st.tuples(st.booleans(), COMMANDS), max_size=14), st.integers(0, 12))
def test_whatever_is_taken_back_what_others_did_stands(acts, since):
    story = Shared(done("a"))
    for is_his, command in acts:
        try:
            story.do(by_helper(command) if is_his else command)
        except Refused:
            continue
    before = standing(story.log)
    found = story.chosen(since)
    if isinstance(found, Resting):
        return

    story.do(TakeBack(positions=tuple(e.position for e in found), at=story.session.position))

    stays = [entry for entry in before if entry not in found]
    assert standing(story.log) == stays
    if found:
        assert isinstance(story.log[-1].event, TakenBack)
        story.do(Redo())
        assert standing(story.log) == before
