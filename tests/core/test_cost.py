"""A change concerns the readers up to the next writer, however long the history is after them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.core.kernel_names import Names
from tests.core.story import Story
from tests.investigations.core.test_cost import calls
from wfnb.core.commands import ChangePlainNames, ConfirmSteps, MergeBranch
from wfnb.core.validation import StepPlace


def history(blocks: int, branch: str | None = None) -> Names:
    """A name that is written, read, and written again, as often; on a branch that was merged."""
    names = Names(Story())
    names.run("plain", reads="k", writes="o")
    on = {} if branch is None else {"branch": branch, "leaves": StepPlace(number=1)}
    for block in range(blocks):
        names.run(f"load {block}", writes="x", **on)
        names.run(f"use {block}", reads="xo", writes="y", **on)
    if branch is not None:
        names.story.do(MergeBranch(branch=branch))
    for block in range(blocks):
        names.run(f"show {block}", reads="y", writes="z")
    return names


def again(names: Names, words: str, branch: str | None = None) -> None:
    """The first step that writes x is run with other code."""
    number = 2
    names.run(words, writes="x", number=number, branch=branch)


CHANGES: dict[str, Callable[[Names], object]] = {
    "another version of the first": lambda names: again(names, "load better"),
    "the same once more": lambda names: again(names, "load 0"),
    "a plain name that nobody reads": lambda names: names.story.do(
        ChangePlainNames(versions={"q": "1"})
    ),
    "what is confirmed": lambda names: (
        again(names, "load better"),
        names.story.do(ConfirmSteps(places=(StepPlace(number=3),))),
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_at_the_beginning_costs_as_many_calls_in_a_long_history_as_in_a_short_one(what):
    costs = []
    for blocks in (10, 40):
        names = history(blocks)
        costs.append(calls(lambda names=names: CHANGES[what](names)))

    assert costs[1] <= costs[0] * 1.15


@pytest.mark.parametrize("words", ["load better", "load 0"])
def test_so_it_does_on_a_branch_that_was_merged(words):
    costs = []
    for blocks in (10, 40):
        names = history(blocks, "b")
        costs.append(calls(lambda names=names: again(names, words, "b")))

    assert costs[1] <= costs[0] * 1.15
