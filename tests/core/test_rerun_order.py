"""What is run again so that a step is fresh: enough, in an order that works, and nothing beside."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from tests.amount import times
from tests.core.kernel_names import Names
from tests.core.story import Story, at, begun, done
from wfnb.core.commands import AbandonBranch, FinishStep, MergeBranch, SelectBranch
from wfnb.core.data_flow import ABSENT, CODE_OF, DERIVED, LOST, PLAIN, Flow
from wfnb.core.events import Outcome
from wfnb.core.rerun_order import Rerun, has_stale_steps, in_order, next_stale, rerun, stale_steps
from wfnb.core.session import Step
from wfnb.core.validation import MAIN, StepPlace
from wfnb.errors import Refused

Code = tuple[str, str, str]
"""What a step says, reads and writes."""


def plan_of(names: Names, step: Step) -> Rerun:
    return rerun(names.story.session, step, lambda name: names.held.get(name, (ABSENT, PLAIN)))


def numbers(steps) -> list[str]:
    return [f"{step.branch}:{step.number}" for step in steps]


def run_again(names: Names, steps: tuple[Step, ...], codes: Mapping[int, Code]) -> None:
    for step in steps:
        names.run(*codes[step.key], number=step.number, branch=step.branch)


def drawn_session(moves) -> tuple[Names, dict[int, Code]]:
    """A session of steps, revisions, branches and merges, run in any order, and the code of each
    step; no code sees what was not observed."""
    names, codes = Names(Story()), dict[int, Code]()
    for what, pick, words, reads, writes in moves:
        session = names.story.session
        steps = list(session.steps.values())
        says: dict[str, object] = {}
        code = words, reads, writes
        if what == "plain":
            names.plain("k", words)
            continue
        if what == "merge":
            branches = [name for name in session.lines if name != MAIN]
            if branches:
                with suppress(Refused):
                    names.story.do(MergeBranch(branch=branches[pick % len(branches)]))
            continue
        if steps and what != "new":
            step = steps[pick % len(steps)]
            if what in ("again", "edit"):
                says = {"number": step.number, "branch": step.branch}
                code = codes[step.key] if what == "again" else code
            elif what == "revise":
                says = {"revises": step.number, "branch": step.branch}
            else:
                leaves = StepPlace(number=step.number, branch=step.branch)
                says = {"branch": f"b{len(session.lines)}", "leaves": leaves}
        with suppress(Refused):
            codes[names.run(*code, **says).key] = code
    return names, codes


letters = st.text("xyz", max_size=2)
moves = st.lists(
    st.tuples(
        st.sampled_from(
            ("new", "new", "new", "again", "edit", "revise", "branch", "branch", "plain", "merge")
        ),
        st.integers(0, 30),
        st.sampled_from("abcd"),
        st.text("xyzk", max_size=2),
        letters,
    ),
    max_size=12,
)


@drawn(moves, st.booleans(), st.integers(0, 30))
@settings(max_examples=times(50, 400), deadline=None)
def test_a_step_is_fresh_after_the_plan_and_not_after_less(moves, is_anew, pick):
    names, codes = drawn_session(moves)
    session = names.story.session
    if is_anew:  # the kernel was started again: what is there is what plain cells make
        names.held = {name: read for name, read in names.held.items() if read[1] == PLAIN}
    if not session.steps:
        return
    step = list(session.steps.values())[pick % len(session.steps)]
    plan = plan_of(names, step)
    assert plan.steps[-1] is step or session.staleness.merged
    assert step in plan.steps
    assert len(plan.steps) == len(set(numbers(plan.steps)))
    if plan != Rerun(steps=plan.steps):  # something is missing that no step makes
        return

    ran = deepcopy(names)
    run_again(ran, plan.steps, codes)

    assert not ran.story.session.steps[step.key].stale
    for one in plan.steps:
        if one is not step:  # each of them is there for something
            less = deepcopy(names)
            run_again(less, tuple(each for each in plan.steps if each is not one), codes)
            assert less.story.session.steps[step.key].stale


def test_the_line_of_a_session_is_run_in_order_each_branch_after_what_it_leaves():
    names = Names(Story())
    names.run("load", writes="x")
    names.run("b", reads="x", writes="y", branch="b", leaves=StepPlace(number=1))
    names.run("mean", reads="x", writes="m")
    names.run("fix", reads="x", writes="x", revises=1)
    steps = names.story.session.steps.values()

    assert numbers(in_order(names.story.session, reversed(steps))) == [
        *("main:1", "main:3", "main:2"),
        "b:2",
    ]


def test_stale_steps_are_those_with_code_of_lines_that_were_not_decided_against():
    names = Names(Story())
    names.run("load", writes="x")
    for branch in ("b", "c"):
        names.run(branch, reads="x", writes="y", branch=branch, leaves=StepPlace(number=1))
    session = names.story.session
    assert not has_stale_steps(session)
    assert stale_steps(session, [at(session, 1)]) == []
    names.run("load better", writes="x", number=1)
    names.story.do(AbandonBranch(branch="c"))

    session = names.story.session
    b, c = at(session, 2, "b"), at(session, 2, "c")
    assert has_stale_steps(session)
    assert stale_steps(session) == [b]
    assert stale_steps(session, [c, at(session, 1)]) == [c]
    assert next_stale(session, (), ()) is b
    assert next_stale(session, (), {b.key}) is None
    assert next_stale(session, [b, c], {b.key}) is c
    names.story.do(SelectBranch(branch="b"))
    assert numbers(stale_steps(names.story.session)) == ["b:2"]


FLOWS = {  # what a step read, or missed, and the kernel holds otherwise now: how it is told
    "a plain cell's": (Flow(reads={"k": ("5", PLAIN)}), {"missing": ("k",)}),
    "made out of what steps made": (
        Flow(reads={"k": (f"{LOST}1", DERIVED)}, absent=("k",)),
        {"derived": ("k",)},
    ),
    "perhaps made out of it": (Flow(perhaps={"k": (f"{LOST}1", DERIVED)}), {}),
    "of another line": (Flow(reads={"k": ("5", 77)}), {"foreign": ("k",)}),
    "not there then": (Flow(absent=("k",)), {"changed": ("k",)}),
    "no name": (Flow(reads={"a file": ("5", 77)}), {"changed": ("a file",)}),
    "the code of a module": (Flow(reads={f"{CODE_OF}m": ("5", 77)}), {}),
}


@pytest.mark.parametrize("flow", FLOWS)
def test_what_no_step_of_the_line_gives_is_told_by_where_it_came_from(flow):
    read, told = FLOWS[flow]
    story = Story(begun("use"))
    story.do(FinishStep(attempt=next(iter(story.session.running)), outcome=Outcome(), flow=read))
    step = at(story.session, 1)

    assert rerun(story.session, step, lambda name: ("now", PLAIN)) == Rerun(steps=(step,), **told)


def test_a_step_whose_flow_is_not_known_is_run_alone():
    story = Story(done("words"))
    step = at(story.session, 1)

    assert rerun(story.session, step, lambda name: (ABSENT, PLAIN)) == Rerun(steps=(step,))


def test_what_is_there_as_the_line_gives_it_is_not_made_again_unless_it_is_overwritten_on_the_way():
    names = Names(Story())
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="m")
    names.run("scale", reads="x", writes="x")
    names.run("use", reads="mx", writes="u")
    session = names.story.session
    use = at(session, 4)
    assert numbers(plan_of(names, use).steps) == ["main:4"]

    names.held.pop("m")

    # The mean needs the x of step 1, which takes the place of that of step 3.
    assert numbers(plan_of(names, use).steps) == ["main:1", "main:2", "main:3", "main:4"]
    names.held["m"] = names.story.session.staleness.outputs[at(session, 2).key]["m"], 2
    names.held.pop("x")
    assert numbers(plan_of(names, use).steps) == ["main:1", "main:3", "main:4"]


def test_a_step_of_a_branch_that_was_merged_does_not_run_over_what_the_line_still_needs():
    names = Names(Story())
    names.run("load", writes="x")
    names.run("own", reads="x", writes="xm", branch="b", leaves=StepPlace(number=1))
    names.run("load", writes="x", number=1)
    names.run("more", reads="x", writes="y")
    names.story.do(MergeBranch(branch="b"))
    names.run("use", reads="ym", writes="u")
    names.held = {}

    plan = plan_of(names, at(names.story.session, 3))

    codes = {
        at(names.story.session, number, branch).key: code
        for number, branch, code in (
            *((1, MAIN, ("load", "", "x")), (2, "b", ("own", "x", "xm"))),
            *((2, MAIN, ("more", "x", "y")), (3, MAIN, ("use", "ym", "u"))),
        )
    }
    run_again(names, plan.steps, codes)
    assert numbers(plan.steps) == ["main:1", "main:2", "b:2", "main:3"]
    assert not at(names.story.session, 3).stale


def test_what_changes_an_object_is_run_after_all_that_gave_it_its_names():
    names = Names(Story())
    names.run("list", writes="a")
    names.run("same", reads="a", writes="b", shares=True)
    names.run("append", reads="a", writes="a")
    append = at(names.story.session, 3)
    names.held = {}

    assert numbers(plan_of(names, append).steps) == ["main:1", "main:2", "main:3"]
