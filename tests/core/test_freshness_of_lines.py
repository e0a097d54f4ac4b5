"""Rule 8 where lines meet: what a branch, a revision on it, or a merge gives a step."""

from __future__ import annotations

import pytest

from tests.core.kernel_names import kernel, why
from tests.core.story import stale
from wfnb.core.commands import (
    AbandonBranch,
    MergeBranch,
)
from wfnb.core.validation import StepPlace


def test_what_came_from_a_branch_is_not_what_main_gives():
    names = kernel()
    names.run("load", writes="x")
    names.run("median", writes="x", branch="median", leaves=StepPlace(number=1))

    names.run("mean", reads="x", writes="y", number=2)

    assert why(names, 2) == "x came from branch `median`"


def test_a_revision_of_an_inherited_step_holds_on_the_branches_that_left_before_it():
    names = kernel()
    names.run("load", writes="x")
    names.run("median", reads="x", writes="m", branch="median", leaves=StepPlace(number=1))

    names.run("fix", reads="x", writes="x", revises=1)

    assert stale(names.story.session) == ["median:2"]


def test_a_branch_that_revises_an_inherited_step_sees_what_follows_it_otherwise():
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("fix", reads="x", writes="x", branch="b", leaves=StepPlace(number=2), revises=1)

    names.run("use", reads="y", writes="z", branch="b")

    assert stale(names.story.session) == ["b:4"]
    assert why(names, 4, "b") == "step main:2, which it read, runs otherwise on branch b"


def test_a_line_reads_the_work_of_a_branch_that_was_merged_into_it():
    names = kernel()
    names.run("load", writes="x")
    names.run("median", reads="x", writes="m", branch="b", leaves=StepPlace(number=1))
    names.run("use", reads="m", writes="z", number=2)
    assert why(names, 2) == "m came from branch `b`"

    names.story.do(MergeBranch(branch="b"))

    assert stale(names.story.session) == ["main:2"]  # it stands before the merge
    names.run("use again", reads="m", writes="z", number=3)
    assert stale(names.story.session) == ["main:2"]
    names.run("load better", writes="x", number=1)
    assert stale(names.story.session) == ["b:2", "main:2", "main:3"]
    names.story.do(AbandonBranch(branch="b"))
    assert why(names, 3) == "m came from branch `b`"


def test_an_alternative_sees_what_was_merged_before_it_was_begun_and_nothing_later():
    names = kernel()
    names.run("load", writes="x")
    fork = StepPlace(number=1)
    for branch in ("median", "mean"):
        names.run("load", writes="x", number=1)
        names.run(branch, reads="x", writes="x", branch=branch, leaves=fork)

    names.story.do(MergeBranch(branch="median"))
    names.run("use", reads="x", branch="later", leaves=fork)

    assert stale(names.story.session) == ["later:2"]  # it read the x of `mean`
    assert why(names, 2, "later") == "x came from branch `mean`"


def test_a_branch_sees_what_was_merged_after_the_step_that_it_leaves():
    names = kernel()
    names.run("load", writes="x")
    names.run("median", reads="x", writes="m", branch="b", leaves=StepPlace(number=1))
    names.story.do(MergeBranch(branch="b"))

    names.run("use", reads="m", branch="later", leaves=StepPlace(number=1))

    assert stale(names.story.session) == []


@pytest.mark.parametrize("order", ["merge own more", "more merge own", "own more merge"])
def test_a_line_sees_once_what_was_merged_into_one_that_it_left_and_merged_later(order: str):
    names = kernel()
    names.run("s", writes="a")
    names.run("t", writes="b", branch="alt", leaves=StepPlace(number=1))
    names.run("u", writes="c", branch="sub", leaves=StepPlace(number=2, branch="alt"))
    for word in order.split():
        if word == "merge":
            names.story.do(MergeBranch(branch="sub"))
        elif word == "own":
            names.run("w", writes="d", branch="own", leaves=StepPlace(number=2, branch="alt"))
        else:
            names.run("v", writes="e", branch="alt")
    names.story.do(MergeBranch(branch="alt", into="own"))
    names.run("x", reads="ce", branch="own")
    assert stale(names.story.session) == []

    names.run("other", writes="c", branch="sub", number=3)

    assert stale(names.story.session) == ["own:4"]
