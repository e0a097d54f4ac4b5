"""Steps that are hidden, described otherwise and tagged after they were recorded."""

import pytest

from tests.core.kernel_names import Names
from tests.core.story import ABC, Kernel, Story, at, begun, descriptions, done, stale
from wfnb.core.commands import (
    DescribeStep,
    FinishStep,
    HideSteps,
    Redo,
    ShowSteps,
    TagStep,
    Undo,
)
from wfnb.core.events import Outcome, StepChanged, StepRepeated
from wfnb.core.queries import answer_step, counting_head, last_step, open_lines, visible
from wfnb.core.replay import replay
from wfnb.core.validation import place
from wfnb.errors import BadText, BadValue, StepUnknown

SOURCE = "%%step Load\nload()"


def hide(*steps):
    return HideSteps(places=tuple(place("step", step) for step in steps))


def show(*steps):
    return ShowSteps(places=tuple(place("step", step) for step in steps))


def described(number=1, **says):
    return DescribeStep(place=place("step", number), **says)


def tagged(number=1, **says):
    return TagStep(place=place("step", number), **says)


def shown(session):
    return [step.current.description for step in visible(session)]


# hidden


def test_a_hidden_step_stays_in_the_history_and_counts_no_more():
    story = Story(*ABC)

    story.do(hide(3))

    assert shown(story.session) == ["a", "b"]
    assert len(story.session.steps) == 3
    assert last_step(story.session) is at(story.session, 2)
    assert counting_head(story.session, story.session.lines["main"]) is at(story.session, 2)


def test_the_number_of_a_hidden_step_is_not_given_again():
    story = Story(*ABC, hide(3))

    assert story.answer(done("d")).step_number == 4


def test_hidden_steps_are_shown_again_by_number_or_all_at_once():
    story = Story(*ABC, done("x", branch="alt", leaves=1), hide(2, 3, "alt:2"))

    story.do(show(3))
    one = shown(story.session)
    story.do(show())

    assert one == ["a", "c"]
    assert shown(story.session) == ["a", "b", "c", "x"]


def test_hiding_what_is_hidden_and_showing_what_is_shown_records_nothing():
    story = Story(*ABC, hide(3))

    assert [story.do(hide(3)), story.do(show(1))] == [[], []]


def test_a_step_that_is_not_there_cannot_be_hidden():
    with pytest.raises(StepUnknown):
        Story(*ABC).do(hide(9))


def test_a_stale_step_that_is_hidden_is_not_among_the_stale_until_it_is_shown_again():
    story = Story(*ABC, done("A", revises=1))
    before = stale(story.session)

    story.do(hide(2))
    hidden = set(story.session.stale)
    story.do(show(2))

    assert before == ["main:2", "main:3"]
    assert hidden == {at(story.session, 3).key}
    assert story.session.stale == {at(story.session, 2).key, at(story.session, 3).key}


def test_a_step_that_gets_stale_while_it_is_hidden_is_stale_when_it_is_shown():
    story = Story(*ABC, hide(3), done("A", revises=1))
    hidden = set(story.session.stale)

    story.do(show())

    assert hidden == {at(story.session, 2).key}
    assert at(story.session, 3).key in story.session.stale


def test_an_answer_that_is_hidden_is_the_answer_no_more():
    story = Story(done("a"), done("the answer", total=2, next_step_needed=False))
    before = answer_step(story.session)

    story.do(hide(2))

    assert before is at(story.session, 2)
    assert answer_step(story.session) is None


def test_a_branch_that_is_hidden_whole_awaits_nothing():
    story = Story(done("a"), done("x", branch="alt", leaves=1))

    story.do(hide("alt:2"))

    assert [line.id for line in open_lines(story.session)] == ["main"]


def test_a_hidden_step_whose_cell_runs_again_is_shown_again():
    story = Story()
    kernel = Kernel(story)
    kernel.run(SOURCE, id="c1")
    story.do(hide(1))

    step = kernel.run(SOURCE, id="c1")

    assert (step.hidden, story.session.hidden) == (False, set())


def test_a_step_that_is_hidden_while_it_runs_ends_as_any_other():
    story = Story(begun("a"))
    (attempt,) = story.session.running
    story.do(hide(1))

    story.do(FinishStep(attempt=attempt, outcome=Outcome()))

    assert at(story.session, 1).outcome.status == "ok"
    assert at(story.session, 1).hidden


def test_what_read_from_a_step_that_is_hidden_is_stale_until_it_is_shown_again():
    names = Names(Story())
    names.run("load", writes="x")
    names.run("double", reads="x", writes="x")
    names.run("use", reads="x")

    names.story.do(hide(2))
    hidden = stale(names.story.session)
    names.story.do(show(2))

    assert hidden == ["main:3"]
    assert stale(names.story.session) == []


# described


def test_a_step_described_otherwise_is_the_same_version_and_makes_nothing_stale():
    story = Story(*ABC)

    story.do(described(1, title="Load both years", reason="The second was missing."))

    step = at(story.session, 1)
    assert step.current.description == "Load both years\n\nThe second was missing."
    assert (len(step.versions), step.attempts, stale(story.session)) == (1, 1, [])


def test_a_title_keeps_the_reason_and_a_reason_keeps_the_title():
    story = Story(done("Load\n\nbecause"))

    story.do(described(title="Load all"))
    titled = at(story.session, 1).current.description
    story.do(described(reason="why not"))
    reasoned = at(story.session, 1).current.description
    story.do(described(reason=""))

    assert (titled, reasoned) == ("Load all\n\nbecause", "Load all\n\nwhy not")
    assert at(story.session, 1).current.description == "Load all"


def test_the_unchanged_cell_that_runs_again_does_not_bring_the_old_title_back():
    story = Story()
    kernel = Kernel(story)
    kernel.run(SOURCE, id="c1", description="Load")
    story.do(described(title="Load both years"))

    for again in (kernel, Kernel(story)):
        again.run(SOURCE, id="c1", description="Load")

    assert descriptions(story.session) == ["Load both years"]
    assert isinstance(story.log[-1].event, StepRepeated)


def test_changed_code_under_the_old_title_keeps_the_new_one():
    story = Story()
    kernel = Kernel(story)
    kernel.run(SOURCE, id="c1", description="Load")
    story.do(described(title="Load both years"))

    kernel.run(f"{SOURCE} + more()", id="c1", description="Load")
    kernel.run(f"{SOURCE} + most()", id="c1", description="Load")

    assert descriptions(story.session) == ["Load both years"]
    assert len(at(story.session, 1).versions) == 3


def test_a_cell_that_gets_another_title_itself_says_what_the_step_is():
    story = Story()
    kernel = Kernel(story)
    kernel.run(SOURCE, id="c1", description="Load")
    story.do(described(title="Load both years"))

    kernel.run("%%step Load three\nload()", id="c1", description="Load three")
    kernel.run(SOURCE, id="c1", description="Load")

    assert descriptions(story.session) == ["Load"]


def test_the_same_words_again_record_nothing():
    assert Story(done("Load")).do(described(title="Load")) == []


@pytest.mark.parametrize(
    ("says", "error"),
    [
        ({"title": "two\nlines"}, BadValue),
        ({"title": "  "}, BadValue),
        ({"title": "\x00"}, BadText),
        ({"reason": "\x1b"}, BadText),
    ],
)
def test_a_title_is_one_line_that_says_something(says, error):
    with pytest.raises(error):
        Story(done("Load")).do(described(**says))


# tagged


def test_tags_are_added_once_and_removed():
    story = Story(done("a", tags=("data",)))

    story.do(tagged(add=("slow", "data")))
    both = at(story.session, 1).tags
    story.do(tagged(remove=("data", "never")))

    assert both == ("data", "slow")
    assert at(story.session, 1).tags == ("slow",)
    assert story.do(tagged(add=("slow",))) == []


@pytest.mark.parametrize("name", ["two words", "", "a,b", "#x", "x" * 41, "a\nb"])
def test_what_is_no_tag_is_refused(name):
    with pytest.raises(BadValue):
        Story(done("a")).do(tagged(add=(name,)))
    with pytest.raises(BadValue):
        Story().do(done("a", tags=(name,)))


def test_a_cell_that_names_other_tags_changes_those_that_it_named_and_no_others():
    story = Story()
    kernel = Kernel(story)
    kernel.run("%%step a --tag x,y", id="c1", description="a", tags=("x", "y"))
    story.do(tagged(add=("mine",), remove=("y",)))

    kernel.run("%%step a --tag y,z", id="c1", description="a", tags=("y", "z"))

    assert at(story.session, 1).tags == ("mine", "z")
    assert story.log[-1].event == StepChanged(
        **{name: getattr(at(story.session, 1).current, name) for name in FIELDS}
    )


FIELDS = tuple(StepChanged.__dataclass_fields__)


# undone, replayed


@pytest.mark.parametrize(
    "command",
    [hide(2), described(title="other"), tagged(add=("t",)), hide(1, 2, 3)],
)
def test_undo_takes_each_back_and_redo_brings_it_again(command):
    story = Story(*ABC)

    def facts():
        return [(s.hidden, s.current.description, s.tags) for s in story.session.steps.values()]

    before = facts()
    story.do(command)
    after = facts()

    story.do(Undo())
    undone = facts()
    story.do(Redo())

    assert before != after
    assert (undone, facts()) == (before, after)


def test_replaying_the_journal_gives_the_session():
    story = Story(*ABC, done("x", branch="alt", leaves=1, tags=("t",)))
    for command in (hide(2), described(title="A"), tagged(3, add=("u",)), hide(3), show(2)):
        story.do(command)

    assert replay(story.log) == story.session
