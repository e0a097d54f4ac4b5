"""Which names of branches are near enough that one may be meant by the other."""

import pytest
from hypothesis import assume
from hypothesis import given as drawn
from hypothesis import strategies as st

from tests.core.story import done, given
from wfnb.core.branch_names import similar_name
from wfnb.errors import BranchNear

NEAR = [
    ("medain", "median"),
    ("Median", "median"),
    ("medan", "median"),
    ("mediann", "median"),
    ("mediun", "median"),
    ("amedian", "median"),
    ("no_drift", "no-drift"),
    ("NoDrift", "no-drift"),
    ("robsut2", "robust2"),
    ("mian", "main"),
    ("Main", "main"),
]
FAR = [
    ("b", "a"),
    ("alt2", "alt1"),
    ("plan-b", "plan-a"),
    ("groupB", "groupA"),
    ("v1.1", "v11"),
    ("mean", "median"),
    ("last", "fast"),
    ("ridge", "lasso"),
    ("ridge-0.1", "ridge-0.2"),
    ("lang-C++", "lang-C"),
    ("low", "high"),
    ("median-2", "median"),
]


@pytest.mark.parametrize(("name", "known"), NEAR)
def test_a_slip_of_the_fingers_is_near(name, known):
    assert similar_name(name, ("x", known)) == known


@pytest.mark.parametrize(("name", "known"), FAR)
def test_names_that_are_counted_or_short_are_not_near(name, known):
    assert similar_name(name, (known,)) is None


@drawn(st.text("abcdefgh", min_size=4, max_size=12), st.data())
def test_two_letters_that_changed_places_are_always_noticed(word, data):
    place = data.draw(st.integers(0, len(word) - 2))
    slip = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    assume(slip != word)

    assert similar_name(slip, (word,)) == word
    assert similar_name(word, (slip,)) == slip


@drawn(st.text("ab-_12", min_size=1, max_size=9), st.text("ab-_12", min_size=1, max_size=9))
def test_near_is_mutual_and_a_name_is_not_near_itself(one, other):
    assert bool(similar_name(one, (other,))) == bool(similar_name(other, (one,)))
    assert similar_name(one, (one,)) is None


def test_a_near_name_opens_a_branch_where_the_step_that_it_leaves_is_said():
    before = (done("a"), done("x", branch="median"))

    with pytest.raises(BranchNear):
        given(*before, done("y", branch="medain"))
    opened = given(*before, done("y", branch="medain", leaves=1), done("z", branch="medain"))

    assert [*opened.lines] == ["main", "median", "medain"]
    assert opened.lines["medain"].numbers == [2, 3]
