"""The table of the end: confidence by evidence by step by what was asked, each row a real story."""

from __future__ import annotations

from itertools import product

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import LONG, OPENED, found, investigating, looking
from wfnb import errors
from wfnb.core.findings import Findings
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.commands import Backtrack, ExtendTotal
from wfnb.investigations.core.kind_reader import builtin_kinds

DEBUG = builtin_kinds()["debug"].confidence
REFACTOR = builtin_kinds()["refactor"].confidence

TABLE = {  # level, enough evidence -> what comes of turns 1 to 6 of 5 where nothing is asked
    ("certain", True): "-EEEEE",
    ("certain", False): "ddddEE",
    ("almost_certain", True): "---EEE",
    ("almost_certain", False): "---dEE",
    ("very_high", True): "---EEE",
    ("very_high", False): "---dEE",
    **{
        (level, enough): "----EE"
        for level in ("exploring", "low", "medium", "high")
        for enough in (True, False)
    },
}
"""E: it ends · -: it goes on · d: it goes on, and says what is missing."""
ROWS = list(product(DEBUG.levels, (True, False), range(1, 7), (None, True, False)))


def before(turn: int, kind: str = "debug") -> Story:
    """An investigation of five planned steps that has one fewer than `turn`; a.py was opened."""
    story = Story(investigating(kind, pause=False), looking(OPENED))
    for number in range(1, turn):
        story.do(done(f"step {number}", total=5 if number == 1 else None))
    return story


def says(level: str, enough: bool) -> Findings:
    return found(LONG, relevant="a.py", confidence=level) if enough else found(confidence=level)


@pytest.mark.parametrize(("level", "enough", "turn", "asked"), ROWS)
def test_the_end_is_that_of_the_table(level, enough, turn, asked):
    story = before(turn)
    needed = None if asked is None else not asked

    story.do(
        done("last", total=max(5, turn), findings=says(level, enough), next_step_needed=needed)
    )

    now = at(story.session, turn).current
    came = TABLE[level, enough][turn - 1]
    assert now.next_step_needed == (asked is False or came != "E")
    if asked is False:
        assert now.end is None
    elif came == "E":
        assert now.end
        assert ("without" in now.end) == (turn >= 5 and not enough)
    elif turn == 1:  # a claim that would count later says why it does not yet
        claimed = asked or level == DEBUG.sure
        assert now.end == ("not ended: not before step 2" if claimed else None)
    elif came == "d":
        assert now.end
        assert now.end.startswith("not ended: what is missing: ")
    else:
        early = f"not ended: {level} at step {turn} of 5 is not enough to end early"
        assert now.end == (early if asked else None)


def test_a_claim_without_evidence_says_what_is_missing():
    story = before(3)

    story.do(done("last", findings=found("thin", confidence="certain"), next_step_needed=False))

    assert at(story.session, 3).current.end == (
        "not ended: what is missing: findings of 12 different words or more (there are 1) "
        "and a relevant file, or a context, that was looked at"
    )


def test_what_steps_before_found_is_evidence_too():
    story = before(1)
    story.do(done("a", total=5, findings=found(LONG[:40], relevant="a.py")))

    story.do(done("b", findings=found(LONG[40:], confidence="certain")))

    assert at(story.session, 2).current.end == "certain at step 2 of 5, with enough evidence"


@pytest.mark.parametrize("level", REFACTOR.levels)
def test_refactor_ends_early_when_it_is_complete(level):
    story = Story(investigating("refactor", pause=False), looking(OPENED))
    story.do(done("a", total=5, findings=found(LONG, relevant="a.py")))

    story.do(done("b", findings=found(confidence=level)))

    assert at(story.session, 2).current.next_step_needed == (level != "complete")


def test_exploring_in_a_deep_thought_is_not_certain():
    story = Story(investigating("thinkdeep", pause=False))
    story.do(done("a", total=5, findings=found(LONG, relevant="a.py")))

    story.do(done("b", findings=found(confidence="exploring")))

    assert at(story.session, 2).current.next_step_needed


def test_a_total_that_is_lowered_by_the_last_step_needs_evidence_as_an_early_end_does():
    story = before(3)

    story.do(done("c", total=3, findings=found(confidence="certain")))

    assert at(story.session, 3).current.next_step_needed


def test_a_total_that_was_lowered_before_is_an_estimate_revised():
    story = before(2)
    story.do(done("b", total=3))

    story.do(done("c"))

    assert at(story.session, 3).current.end == (
        "the last planned step; without findings of 12 different words or more (there are 0) "
        "and a relevant file, or a context, that was looked at"
    )


def test_more_steps_put_the_end_off():
    story = before(5)
    story.do(ExtendTotal(more=1, reason="two parsers"))

    story.do(done("e"))
    story.do(done("f"))

    assert [at(story.session, number).current.next_step_needed for number in (5, 6)] == [
        True,
        False,
    ]


def test_evidence_that_was_withdrawn_earns_no_end():
    story = before(1)
    story.do(done("a", total=5))
    story.do(done("b", findings=found(LONG, relevant="a.py")))
    story.do(Backtrack(place=StepPlace(number=2)))

    story.do(done("c", findings=found(confidence="certain")))

    assert at(story.session, 3).current.next_step_needed


def test_evidence_that_the_step_itself_withdraws_earns_no_end():
    story = before(1)
    story.do(done("a", total=5))
    story.do(done("b", findings=found(LONG, relevant="a.py")))

    story.do(done("c", backtrack=2, findings=found(confidence="certain")))

    assert at(story.session, 3).current.end == (
        "not ended: what is missing: findings of 12 different words or more (there are 0) "
        "and a relevant file, or a context, that was looked at"
    )


def test_a_step_that_is_changed_is_judged_without_what_it_said_before():
    story = before(2)
    story.do(done("b", findings=found(LONG, relevant="a.py", confidence="certain")))

    story.do(done("b", number=2, findings=found("less", confidence="certain")))

    assert at(story.session, 2).current.end == (
        "not ended: what is missing: findings of 12 different words or more (there are 1) "
        "and a relevant file, or a context, that was looked at"
    )


def test_files_that_are_left_are_counted():
    story = Story(investigating("docgen", pause=False))
    counts = {"total_files_to_document": 2, "num_files_documented": 0}
    story.do(done("count", fields=counts))
    story.do(done("one", fields={"num_files_documented": 1}))

    with pytest.raises(errors.FilesLeft) as refused:
        story.do(done("two", next_step_needed=False))
    assert str(refused.value) == (
        "1 of 2 files are documented: 1 is left. Document it, or go on with --next."
    )
    story.do(done("two"))
    assert at(story.session, 3).current.end == "not ended: 1 of 2 files are documented"
    story.do(done("three", fields={"num_files_documented": 2}))

    assert at(story.session, 3).current.total == 3
    assert at(story.session, 4).current.next_step_needed is False


def test_files_that_a_withdrawn_step_documented_are_left():
    story = Story(investigating("docgen", pause=False))
    story.do(done("count", fields={"total_files_to_document": 2, "num_files_documented": 0}))
    story.do(done("both", fields={"num_files_documented": 2}))
    story.do(Backtrack(place=StepPlace(number=2)))

    with pytest.raises(errors.FilesLeft):
        story.do(done("done", next_step_needed=False))


def test_a_consensus_ends_when_all_were_heard():
    story = Story(investigating("consensus"))
    story.do(done("ask", fields={"models": ["a", "b", "c"]}, findings=found(LONG, relevant="x")))

    story.do(done("b", findings=found(confidence="certain"), next_step_needed=False))
    story.do(done("c"))

    steps = [at(story.session, number).current for number in (1, 2, 3)]
    assert [now.next_step_needed for now in steps] == [True, True, False]
    assert steps[1].end == "not ended: 1 of 3 models were not heard"
