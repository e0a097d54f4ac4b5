"""How answers vote, and what is said of answers that the paths recorded otherwise."""

from dataclasses import replace

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from tests.core.story import Story, answered, done, following
from wfnb.core.events import Outcome
from wfnb.core.strategy_ledgers import ledger
from wfnb.core.vote_tally import tally, tally_of
from wfnb.errors import BadValue, FieldMissing
from wfnb.views.step_words import tally_line

SC = following("self_consistency")
BIG = 2**53
"""What a float takes the next number for."""


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ([12, 12.0, 11, 11, 12.0], "12 wins with 60% (12 × 3, 11 × 2)"),
        ([12, "12", "12.0 ", 11], "12 wins with 75% (12 × 3, 11 × 1)"),
        (["1.10", "1.1"], "tie between 1.10 and 1.1, 50% each (1.10 × 1, 1.1 × 1)"),
        ([12, 12, 11, 10, 9], "no majority: 12 leads with 40% (12 × 2, 11 × 1, 10 × 1, 9 × 1)"),
        ([12, 12, 11, 10], "no majority: 12 leads with 50% (12 × 2, 11 × 1, 10 × 1)"),
        (["00710", 710], "710 wins with 100% (710 × 2)"),
        ([True, 1, "true"], "true wins with 67% (true × 2, 1 × 1)"),
        ([0.5, 0.5, "half"], "0.5 wins with 67% (0.5 × 2, half × 1)"),
        (["New York", "new  york\n", "Rome"], "New York wins with 67% (New York × 2, Rome × 1)"),
        ([BIG + 1, f" {BIG + 1}"], f"{BIG + 1} wins with 100% ({BIG + 1} × 2)"),
        (
            [BIG, str(BIG + 1)],
            f"tie between {BIG} and {BIG + 1}, 50% each ({BIG} × 1, {BIG + 1} × 1)",
        ),
        (["Yes", " yes", "NO"], "Yes wins with 67% (Yes × 2, NO × 1)"),
        ([[1, 2], [1, 2], [2, 1]], "[1, 2] wins with 67% ([1, 2] × 2, [2, 1] × 1)"),
    ],
)
def test_numbers_vote_as_numbers_and_texts_as_texts(answers, says):
    assert tally_line(tally_of(answers)).replace("00710", "710") == says


@drawn(st.lists(st.one_of(st.integers(-3, 3), st.sampled_from(["a", "A", "2", "2.0"])), min_size=1))
def test_the_way_a_number_is_written_changes_no_vote(answers):
    written = [float(each) if isinstance(each, int) else each for each in answers]

    one, other = tally_of(answers), tally_of(written)

    assert sum(one.votes.values()) == len(answers)
    assert (sorted(one.votes.values()), one.share) == (sorted(other.votes.values()), other.share)


def paths(*values):
    """Self-consistency up to its paths, each on a branch, with the values that they recorded."""
    steps = [SC, done(), done()]
    for name, value in zip("abcdef", values, strict=False):
        kept = {} if value is None else {"answer": value}
        says = {"fields": {"reasoning_path_id": name}, "outcome": Outcome(values=kept)}
        steps.append(done(f"path {name}", branch=name, leaves=2, **says))
    return steps


def collect(answers=None, **says):
    fields = {} if answers is None else {"fields": {"path_answers": answers}}
    return done("collect", stage="answer_collection", **fields, **says)


def test_answers_that_are_not_given_are_those_that_the_paths_recorded():
    found = answered(*paths(12, 12.0, 11), collect())

    assert found.fields == {"path_answers": {"a": 12, "b": 12.0, "c": 11}}
    assert (found.tally["winner"], found.tally["votes"]) == ("12", {"12": 2, "11": 1})
    assert found.warnings == ["path_answers are the last values of the paths: a 12, b 12, c 11"]


def test_a_path_that_goes_on_is_worth_its_last_value():
    later = done("more", branch="a", stage="answer_collection", fields={"path_answers": [1]})
    on = Outcome(values={"first": 1, "last": 13})
    story = Story(*paths(12, 11))
    story.do(done("again", branch="a", number=3, outcome=on, fields={"reasoning_path_id": "a"}))

    found = story.answer(collect())

    assert found.fields["path_answers"] == {"a": 13, "b": 11}
    assert later.fields == {"path_answers": [1]}


def test_an_answer_that_differs_from_the_recorded_one_is_pointed_out():
    found = answered(*paths(12, 11), collect({"a": 12.0, "b": 13, "x": 5}))

    assert found.warnings == ["path 'b' recorded 11, path_answers has 13"]


def test_an_answer_that_a_stale_step_recorded_is_pointed_out():
    story = Story(*paths(12, 11), done("other data", branch="a", revises=1))

    found = story.answer(collect({"a": 12, "b": 11}))
    kept = ledger(story.session, story.session.lines["main"])

    assert found.warnings == ["path 'a' is stale: run it again before its answer is counted"]
    assert kept.rows == (("a", 12, 12, "stale"), ("b", 11, 11, ""))


@pytest.mark.parametrize("status", ["failed", "interrupted"])
def test_what_a_step_says_that_did_not_go_well_has_no_vote(status):
    bad = Outcome(status=status, values={"answer": 13})
    again = done(
        "again", branch="a", outcome=bad, stage="answer_collection", fields={"path_answers": [13]}
    )
    story = Story(*paths(12, 11), again, collect())
    worse = replace(collect({"a": 13, "b": 13, "c": 13}), outcome=bad, revises=3)

    before = tally(story.session, story.session.lines["main"])
    story.do(worse)

    assert before.votes == {"12": 1, "11": 1}
    assert tally(story.session, story.session.lines["main"]) == before


def test_a_path_without_an_answer_has_no_vote():
    found = answered(*paths(None, None, None), collect({"a": None, "b": None, "c": 11}))

    assert (found.tally["winner"], found.tally["share"]) == ("11", 1.0)
    assert found.warnings == ["2 of 3 paths gave no answer and have no vote"]


def test_answers_are_asked_for_where_no_path_recorded_any():
    with pytest.raises(FieldMissing):
        answered(*paths(None, None), collect())
    with pytest.raises(BadValue):
        answered(*paths(1, 2), collect({"a": None}))


def test_no_answers_at_a_later_stage_leave_the_tally_as_it_is_and_say_so():
    story = Story(*paths(12, 12, 11), collect())

    found = story.answer(done("check", fields={"path_answers": {}}))

    assert found.tally["winner"] == "12"
    assert found.warnings == [
        "path_answers has no answer: those that were given before still count"
    ]


def test_a_number_of_numpy_is_a_number():
    numpy = pytest.importorskip("numpy")

    found = answered(*paths(1), collect({"a": numpy.int64(12), "b": numpy.float64(12)}))

    assert found.fields["path_answers"] == {"a": 12, "b": 12.0}
    assert found.tally["winner"] == "12"


def test_a_field_of_another_stage_is_pointed_out():
    found = answered(
        following("react"),
        done(),
        done(),
        done("act", fields={"action": "probe", "observation": "hot"}, stage="action_planning"),
    )

    assert any("observation" in said and "is one of stage" in said for said in found.warnings)


def test_the_ledger_has_the_answer_of_each_path_beside_what_it_recorded():
    session = Story(*paths(12, 11, None), collect({"a": 12.0, "b": 13, "x": 5})).session

    kept = ledger(session, session.lines["main"])

    assert kept.rows == (
        ("a", 12.0, 12, ""),
        ("b", 13, 11, "differs"),
        ("x", 5, None, ""),
    )
