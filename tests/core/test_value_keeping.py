"""What a step kept is recorded with it, once, and goes and comes with it."""

import pytest

from tests.core.story import Story, at, begun, done
from wfnb.core.commands import ClearSession, FinishStep, KeepValues, Redo, Undo
from wfnb.core.events import Cell, Outcome, StepFinished, ValuesKept
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues
from wfnb.core.replay import replay
from wfnb.core.session import Step
from wfnb.core.validation import StepPlace
from wfnb.core.value_keeping import follows, patterns
from wfnb.errors import BadValue, NothingKept, StepKeptGone


def kept(name: str = "df", blob: str = "a", **says: object) -> KeptValues:
    return KeptValues(
        values=(KeptValue(name=name, type="int", says="1", group=0),),
        groups=(KeptGroup(blobs=(f"{blob * 32}-5",), signature="s"),),
        **says,
    )


def ended(story: Story, values: KeptValues | None) -> list[object]:
    """The step that runs ends well, and keeps these values."""
    (attempt,) = story.session.running
    return story.do(FinishStep(attempt=attempt, outcome=Outcome(), values=values))


def test_what_is_kept_is_recorded_with_the_end_of_its_attempt():
    story = Story(begun("load", keep=("df",)))

    events = ended(story, kept())

    assert events == [
        StepFinished(attempt=2, outcome=Outcome()),
        ValuesKept(step=2, attempt=2, kept=kept()),
    ]
    step = at(story.session, 1)
    assert (step.keep, step.kept, step.kept_in) == (("df",), kept(), 1)


def test_what_is_the_same_is_not_recorded_again():
    story = Story(begun("load", keep=("df",), number=1))
    ended(story, kept())
    story.do(begun("load", keep=("df",), number=1))

    again = ended(story, kept())

    assert again == [StepFinished(attempt=5, outcome=Outcome())]
    assert at(story.session, 1).kept == kept()


def test_what_differs_takes_the_place_of_what_was_kept():
    story = Story(begun("load", number=1))
    ended(story, kept())
    story.do(begun("load", number=1))
    ended(story, kept(blob="b"))

    assert at(story.session, 1).kept == kept(blob="b")


def test_the_same_values_of_another_version_are_recorded_as_its_own():
    story = Story(begun("load", number=1))
    ended(story, kept())
    story.do(begun("load all", number=1))
    assert (at(story.session, 1).kept, at(story.session, 1).kept_in) == (kept(), 1)

    ended(story, kept())

    assert at(story.session, 1).kept_in == 2


def test_an_attempt_that_keeps_nothing_leaves_what_was_kept_before():
    story = Story(begun("load", number=1))
    ended(story, kept())
    story.do(begun("load", number=1))
    story.do(FinishStep(attempt=5, outcome=Outcome(status="failed")))

    assert at(story.session, 1).kept == kept()


def lost(name: str = "df", why: str = "keeping it was interrupted") -> KeptValues:
    return KeptValues(values=(KeptValue(name=name, type="", why_not=why),), asked=(name,))


def test_an_attempt_that_could_keep_nothing_leaves_what_was_kept_and_says_so():
    story = Story(begun("load", number=1))
    ended(story, kept(there=("df",)))
    story.do(begun("load all", number=1))
    ended(story, lost())
    step = at(story.session, 1)

    assert step.kept == kept(there=("df",), failed=lost().values)
    assert step.kept_in == 1
    assert replay(story.log) == story.session
    story.do(begun("load all", number=1))
    ended(story, kept(blob="b"))
    assert (step.kept, step.kept_in) == (kept(blob="b"), 2)


def test_where_nothing_was_kept_before_the_reason_is_what_is_recorded():
    story = Story(begun("load", number=1))
    ended(story, lost())
    story.do(begun("load", number=1))
    ended(story, lost(why="it is an open file"))

    assert at(story.session, 1).kept == lost(why="it is an open file")


def test_other_names_that_are_there_are_no_reason_to_record_the_same_again():
    story = Story(begun("load", number=1))
    ended(story, kept(there=("df",)))
    story.do(begun("load", number=1))

    again = ended(story, kept(there=("df", "later")))

    assert again == [StepFinished(attempt=5, outcome=Outcome())]


def test_undoing_a_step_takes_what_it_kept_with_it():
    story = Story(done("a"), begun("load"))
    ended(story, kept())

    story.do(Undo())
    assert [step.current.description for step in story.session.steps.values()] == ["a"]
    story.do(Redo())

    assert at(story.session, 2).kept == kept()


def test_undoing_another_attempt_brings_back_what_was_kept_before_it():
    story = Story(begun("load", number=1))
    ended(story, kept())
    story.do(begun("load", number=1))
    ended(story, kept(blob="b"))

    story.do(Undo())

    assert at(story.session, 1).kept == kept()


def test_undoing_what_came_meanwhile_leaves_what_a_step_kept_at_its_end():
    story = Story(begun("load"), done("other", branch="alt", leaves=1))
    ended(story, kept())

    story.do(Undo())

    assert list(story.session.lines) == ["main"]
    assert at(story.session, 1).kept == kept()
    assert replay(story.log) == story.session


def test_values_that_are_kept_later_are_a_change_of_their_own():
    story = Story(done("load"))
    story.do(KeepValues(step=2, values=kept()))
    assert at(story.session, 1).kept == kept()

    story.do(Undo())

    assert at(story.session, 1).kept is None


def test_nothing_is_kept_with_a_step_that_is_gone():
    story = Story(done("load"), ClearSession())

    with pytest.raises(StepKeptGone):
        story.do(KeepValues(step=2, values=kept()))


def test_names_that_are_no_names_are_not_recorded_among_those_that_were_there():
    story = Story(done("load"))

    story.do(KeepValues(step=2, values=kept(there=("df", "no name", "\ud800", "größe"))))

    found = at(story.session, 1).kept
    assert found is not None
    assert found.there == ("df", "größe")


def test_a_new_branch_follows_the_step_that_it_leaves():
    story = Story(done("a"), done("b"), done("c"))

    found = follows(story.session, done("x", branch="alt", leaves=2))

    assert found is at(story.session, 2)


def test_a_step_follows_the_one_before_it_on_its_line_also_when_it_runs_again():
    story = Story(done("a"), done("b"), done("x", branch="alt", leaves=1))
    story.do(done("y", branch="alt", cell=Cell(id="c1", source="y")))

    assert follows(story.session, done("z", branch="alt")) is at(story.session, 3, "alt")
    assert follows(story.session, done("z")) is at(story.session, 2)
    again = done("y", branch="alt", cell=Cell(id="c1", source="y2"))
    assert follows(story.session, again) is at(story.session, 2, "alt")
    first = done("x", branch="alt", number=2, leaves=StepPlace(number=1))
    assert follows(story.session, first) is at(story.session, 1)


def test_the_first_step_follows_none():
    for commands, step in ((), done("a")), ((done("a"), done("b")), done("a", number=1)):
        with pytest.raises(NothingKept) as refusal:
            follows(Story(*commands).session, step)
        assert (refusal.value.step, refusal.value.steps) == ("", ())


def test_a_branch_that_is_new_follows_the_last_step_of_the_chosen_line_or_the_one_it_leaves():
    story = Story(done("a"), done("b"), done("x", branch="alt", leaves=1), done("y", branch="alt"))
    session = story.session

    def follows_on(line: str, leaves: int | str | None = None) -> Step:
        return follows(session, done("z", branch="new", line=line, leaves=leaves))

    assert follows_on("main") is at(session, 2)
    assert follows_on("alt") is at(session, 3, "alt")
    assert follows_on("alt", 2) is at(session, 2, "alt")
    assert follows_on("main", "alt:2") is at(session, 2, "alt")
    assert follows(session, done("z", line="alt")) is at(session, 3, "alt")
    assert follows(session, done("z", number=2)) is at(session, 1)
    assert follows(session, done("z", number=9)) is at(session, 2)
    with pytest.raises(BadValue):
        follows(session, done("z", branch="../x", leaves=1))


def test_what_can_be_no_name_is_refused_with_what_can():
    with pytest.raises(BadValue) as refusal:
        patterns(["df", "a-b"])

    said = "names of variables: df, or 'model*', or all"
    assert (refusal.value.value, refusal.value.needs) == ("a-b", said)
