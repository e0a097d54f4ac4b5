"""Rule 8: a step is stale where it read what its line, run from the top, does not give it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.kernel_names import Names, attempts, kernel, load_mean_fix, why
from tests.core.story import Story, at, begun, done, stale
from wfnb.core.commands import (
    ChangePlainNames,
    ConfirmSteps,
    FinishStep,
    Undo,
)
from wfnb.core.data_flow import DATA, DERIVED, LOST, OPEN, PLAIN, Flow
from wfnb.core.events import Cell, Outcome
from wfnb.core.replay import replay
from wfnb.core.session import Step
from wfnb.core.staleness import kept_version
from wfnb.core.validation import MAIN, StepPlace
from wfnb.views.staleness import reason


def test_a_step_that_read_what_a_revision_corrects_is_stale_and_says_so():
    names = load_mean_fix()

    assert stale(names.story.session) == ["main:2"]
    assert why(names, 2) == "read x of step 1, which step 3 revises"


def test_run_all_a_second_time_leaves_stale_what_reads_the_old_data_above_the_revision():
    names = load_mean_fix()

    names.run("load", writes="x", number=1)
    names.run("mean", reads="x", writes="y", number=2)
    names.run("fix", reads="x", writes="x", number=3)

    assert stale(names.story.session) == ["main:2"]


def test_a_step_is_fresh_again_once_it_has_read_what_its_line_gives_it():
    names = load_mean_fix()

    names.run("mean", reads="x", writes="y", number=2)

    assert stale(names.story.session) == []


def test_a_step_that_runs_over_a_stale_one_is_stale():
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("twice", reads="y", writes="z")
    names.run("load better", writes="x", number=1)

    names.run("twice", reads="y", writes="z", number=3)

    assert stale(names.story.session) == ["main:2", "main:3"]
    assert why(names, 3) == "step 2, which it read, is stale"
    names.run("mean", reads="x", writes="y", number=2)
    assert stale(names.story.session) == ["main:3"]
    names.run("twice", reads="y", writes="z", number=3)
    assert stale(names.story.session) == []


def test_a_step_that_reads_nothing_of_what_changed_stays_fresh():
    names = load_mean_fix()
    names.run("other", writes="o")
    names.run("of other", reads="o", writes="p")

    names.run("load better", writes="x", number=1)

    assert "main:5" not in stale(names.story.session)


def test_running_again_what_changes_nothing_makes_nothing_stale():
    names = kernel()
    for _ in range(2):
        names.run("load", writes="x", number=1)
        names.run("mean", reads="x", writes="y", number=2)
        assert stale(names.story.session) == []


def test_a_step_that_ran_after_a_later_one_says_which_changed_its_input():
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("scale", reads="x", writes="x")

    names.run("mean", reads="x", writes="y", number=2)

    assert why(names, 2) == "ran after step 3, which changed x"


def test_a_change_that_runs_a_second_time_over_its_own_work_is_stale():
    names = kernel()
    names.run("load", writes="x")
    names.run("scale", reads="x", writes="x")

    names.run("scale", reads="x", writes="x", number=2)

    assert why(names, 2) == "it ran again over x, which it had changed itself"


def test_a_name_of_a_plain_cell_is_good_until_that_gives_it_another_version():
    names = kernel()
    names.plain("k", "5")
    names.run("use", reads="k", writes="y")
    assert stale(names.story.session) == []

    names.plain("k", "6")

    assert why(names, 1) == "k was changed by a cell that is no step"
    names.plain("k", "5")
    assert stale(names.story.session) == []


def test_what_a_plain_cell_made_out_of_steps_is_given_by_no_line():
    names = kernel()
    names.run("load", writes="x")
    names.held["n"] = (f"{LOST}3", DERIVED)

    names.run("use", reads="n", writes="y")

    assert why(names, 2) == "n comes from a cell that is no step, out of what steps made"


def test_a_plain_cell_that_overwrites_a_steps_name_makes_its_readers_stale():
    names = kernel()
    names.run("load", writes="x")
    names.held["x"] = ("0", PLAIN)

    names.run("mean", reads="x", writes="y")

    assert why(names, 2) == "x was changed by a cell that is no step"


def test_a_stale_step_may_have_changed_what_it_handed_on():
    names = kernel()
    names.run("flag", writes="f")
    names.run("df", writes="d")
    names.run("maybe", reads="fd", possible="d")
    names.run("use", reads="d", writes="u")
    assert stale(names.story.session) == []

    names.run("flag on", writes="f", number=1)

    assert stale(names.story.session) == ["main:3", "main:4"]
    names.run("maybe", reads="fd", possible="d", number=3)
    assert stale(names.story.session) == []


def test_a_step_that_was_fresh_before_keeps_what_it_gave_while_it_ran_over_the_wrong_input():
    names = load_mean_fix()
    names.run("mean", reads="x", writes="y", number=2)
    names.run("use", reads="y", writes="z")

    names.run("load", writes="x", number=1)
    names.run("mean", reads="x", writes="y", number=2)

    assert stale(names.story.session) == ["main:2"]


def test_what_a_step_reads_from_outside_is_as_its_newest_attempt_found_it():
    names = kernel()
    names.run("load", writes="x")
    names.run("read a file", reads="x", writes="xy")
    names.run("use", reads="y", writes="z")

    names.run("read a file", reads="x", writes="xy", number=2)

    assert stale(names.story.session) == ["main:2", "main:3"]
    assert why(names, 3) == "step 2, which it read, is stale"


def test_a_failed_step_gives_what_it_wrote_and_an_interrupted_one_nothing_that_is_known():
    names = kernel()
    names.run("load", writes="x", status="failed")
    names.run("use", reads="x", writes="y")
    assert stale(names.story.session) == []

    names.run("load", writes="x", number=1, status="interrupted")

    assert "main:2" not in stale(names.story.session)  # it would write that again
    names.run("load slowly", writes="x", number=1, status="interrupted")
    assert stale(names.story.session) == ["main:2"]


def test_what_is_confirmed_holds_for_these_inputs_and_no_others():
    names = load_mean_fix()
    names.run("use", reads="y", writes="z")

    names.story.do(ConfirmSteps(places=(StepPlace(number=2),)))

    assert stale(names.story.session) == []
    names.run("fix more", reads="x", writes="x", number=3)
    assert "main:2" in stale(names.story.session)


def test_what_is_confirmed_is_this_result_and_not_that_of_another_run():
    names = kernel()
    names.run("load", writes="x")
    names.run("double", reads="x", writes="x")
    names.run("double", reads="x", writes="x", number=2)
    names.story.do(ConfirmSteps(places=(StepPlace(number=2),)))
    assert stale(names.story.session) == []

    names.run("double", reads="x", writes="x", number=2)

    assert stale(names.story.session) == ["main:2"]


def test_what_is_confirmed_over_a_stale_step_holds_until_that_would_read_something_else():
    names = kernel()
    names.run("load", writes="x")
    names.run("mean", reads="x", writes="y")
    names.run("twice", reads="y", writes="z")
    names.run("use", reads="z", writes="u")
    names.run("load better", writes="x", number=1)

    names.story.do(ConfirmSteps(places=(StepPlace(number=4),)))

    assert stale(names.story.session) == ["main:2", "main:3"]
    names.run("load best", writes="x", number=1)
    assert stale(names.story.session) == ["main:2", "main:3", "main:4"]
    names.run("load better", writes="x", number=1)
    assert stale(names.story.session) == ["main:2", "main:3"]


@pytest.mark.parametrize("plan", ["a", "ab"])
def test_undo_takes_back_what_made_a_step_stale(plan):
    names = load_mean_fix()

    names.story.do(Undo())

    assert stale(names.story.session) == []


def test_an_attempt_of_code_that_nobody_observed_is_in_doubt():
    story = Story(begun("load", cell=Cell(id="c", source="%%step load\nx = 1")))
    story.do(FinishStep(attempt=next(iter(story.session.running)), outcome=Outcome()))

    assert reason(story.session, at(story.session, 1)) == "what it read is not known"
    story.do(ConfirmSteps())
    assert stale(story.session) == []


def test_what_an_undone_step_left_in_the_kernel_may_be_read():
    names = kernel()
    names.run("load", writes="x")
    names.run("scale", writes="x")
    names.story.do(Undo())

    names.run("eval", perhaps="x")

    assert replay(names.story.log) == names.story.session
    assert stale(names.story.session) == ["main:2"]


def test_a_flow_that_was_done_at_once_counts_as_well():
    names = load_mean_fix()
    flow = Flow(reads={"x": names.held["x"]})

    names.story.do(done("words that rest on x", flow=flow))

    assert stale(names.story.session) == ["main:2"]
    names.run("fix again", reads="x", writes="x", number=3)
    assert "main:4" in stale(names.story.session)


def test_a_step_that_failed_for_want_of_a_function_may_change_whatever_that_changes():
    names = kernel()
    names.run("setup", writes="zf")
    del names.held["f"]  # the kernel was started again
    names.run("call", reads="f", status="failed")
    names.run("setup", writes="zf", number=1)
    names.run("show", reads="z", writes="y")
    names.run("count", reads="y")

    assert stale(names.story.session) == ["main:2", "main:3", "main:4"]
    assert why(names, 3) == "step 2, which gives it z, is stale"


def test_who_calls_a_stale_function_may_change_what_its_new_version_changes():
    names = kernel()
    names.run("setup", writes="zx")
    names.run("define", writes="f", runs="x")
    names.run("call", reads="f", writes="x")
    names.run("show", reads="z", writes="y")
    assert stale(names.story.session) == []
    names.run("define otherwise", writes="f", runs="z", revises=2)

    assert stale(names.story.session) == ["main:3", "main:4"]


def test_a_name_that_a_step_may_have_bound_to_what_it_held_is_open_once_that_is_another():
    names = kernel()
    names.run("load", writes="x")
    version, _ = names.held["x"]
    maybe = Flow(code="maybe", unsure={"x": version})
    names.story.do(done("maybe", flow=maybe))
    names.run("use", reads="x", writes="u")
    assert stale(names.story.session) == []

    names.run("load better", writes="x", number=1)
    names.run("use", reads="x", writes="u", number=3)

    assert stale(names.story.session) == ["main:3"]
    assert why(names, 3) == "step 2, which gives it x, may have left x as it was"


def test_a_name_that_shared_an_object_is_open_after_a_change_of_it_once_it_holds_another():
    names = kernel()
    names.run("list", writes="a")
    names.run("same", reads="a", writes="b", shares=True)
    names.run("append", reads="a", writes="a")
    names.run("use", reads="b", writes="u")
    assert stale(names.story.session) == []

    names.run("another", writes="b", number=2)
    names.run("use", reads="b", writes="u", number=4)

    assert stale(names.story.session) == ["main:4"]


def test_code_that_cannot_be_seen_is_not_taken_to_write_again_what_it_once_wrote():
    names = kernel()
    for version in ("1", "2", "1"):
        names.run("load", writes="x", number=1)
        names.plain("k", version)
        names.run("eval", perhaps="xk", writes="y", number=2)
    names.run("use", reads="y", writes="z")
    assert stale(names.story.session) == []

    names.plain("k", "2")

    assert stale(names.story.session) == ["main:2", "main:3"]


def test_a_value_is_of_the_version_that_its_name_had_when_it_was_kept():
    flow = Flow(reads={"a": ("A", 1)}, writes={"b": "B"}, held={"c": ("C", PLAIN)})
    step = Step(key=7, number=1, branch=MAIN, versions=[])
    assert kept_version(step, "a") is None

    step.kept_flow = flow

    assert [kept_version(step, name) for name in "abcd"] == [("A", 1), ("B", 7), ("C", PLAIN), None]


def test_what_a_step_changed_under_another_name_is_open_where_that_is_another_object():
    names = kernel()
    names.run("s", writes="a")
    names.run("t", reads="a", writes="b", shares=True)
    names.run("u", reads="a", writes="ab", shares=True)
    names.run("v", reads="b", writes="c")
    assert stale(names.story.session) == []

    names.run("w", writes="b", number=2)

    assert stale(names.story.session) == ["main:4"]


def given_by(names: Names, step: Step) -> dict[str, str]:
    return dict(names.story.session.staleness.outputs[step.key])


def test_a_name_that_the_same_code_bound_before_over_the_same_inputs_it_bound_again():
    names = kernel()
    names.run("load", writes="c")
    reads = {"c": names.held["c"]}
    bound = Flow(code="maybe", reads=reads, writes={"x": "X", "y": "Y"})
    again = Flow(code="maybe", reads=reads, writes={"y": "Y2"}, unsure={"x": "X", "z": "Z"})

    step = attempts(names, 2, bound, again)

    assert given_by(names, step) == {"x": "X", "y": "Y2", "z": f"{OPEN}{step.key}"}
    other = replace(again, code="another")
    assert given_by(names, attempts(names, 2, other)) == {
        "x": f"{OPEN}{step.key}",
        "y": "Y2",
        "z": f"{OPEN}{step.key}",
    }


def test_what_was_interrupted_gives_what_it_wrote_once_a_person_says_that_it_holds():
    names = kernel()
    names.run("load", writes="c")
    flow = Flow(code="slow", reads={"c": names.held["c"]}, writes={"x": "X"})

    step = attempts(names, 2, flow, status="interrupted")
    assert given_by(names, step) == {"x": f"{OPEN}{step.key}"}
    names.story.do(ConfirmSteps(places=(StepPlace(number=2),)))
    assert not step.certain  # it was not stale: nothing was to be confirmed

    names.run("load better", writes="c", number=1)
    names.story.do(ConfirmSteps(places=(StepPlace(number=2),)))
    assert given_by(names, at(names.story.session, 2)) == {"x": "X"}
    attempts(names, 2, flow, status="interrupted")
    assert stale(names.story.session) == []
    assert given_by(names, at(names.story.session, 2)) == {"x": f"{OPEN}{step.key}"}


def test_of_what_reads_files_only_the_names_are_open_that_its_attempts_wrote_otherwise():
    names = kernel()
    names.run("load", writes="x")
    one = {"x": names.held["x"]}
    first = Flow(code="read", reads=one, writes={"y": "1", "same": "0", "gone": "2"})
    names.run("load better", writes="x", number=1)
    two = {"x": names.held["x"]}
    second = Flow(code="read", reads=two, writes={"y": "3", "same": "0", "new": "4"})

    step = attempts(names, 2, first, replace(second, calls_unseen=True))
    assert given_by(names, step) == {"y": "3", "same": "0", "new": "4"}
    names.run("load", writes="x", number=1)

    unknown = f"{OPEN}{step.key}"
    assert given_by(names, step) == {"y": unknown, "same": "0", "gone": unknown, "new": unknown}
    attempts(names, 2, replace(first, calls_unseen=True), second)
    assert given_by(names, step) == {"y": "1", "same": "0", "gone": "2"}


@pytest.mark.parametrize(
    ("name", "is_open"), [("q", True), ("len", False), ("a file", False), ("x", True)]
)
def test_what_failed_for_want_of_a_function_may_write_any_name_but_none_of_pythons_own(
    name, is_open
):
    names = kernel()
    names.run("load", writes="x")
    attempts(names, 2, Flow(code="call", absent=("f",)), status="failed")
    held = {"x": names.held["x"]} if name == "x" else {}

    attempts(names, 3, Flow(code="use", reads=held, absent=() if held else (name,)))
    assert stale(names.story.session) == []  # there is no function that could have been called

    names.story.do(ChangePlainNames(versions={"f": "a function"}))
    assert stale(names.story.session) == ["main:2", *(["main:3"] if is_open else [])]

    names.story.do(ChangePlainNames(versions={"f": f"{DATA}5"}))  # nobody can call a number
    assert stale(names.story.session) == ["main:2"]


def test_a_function_that_failed_for_want_of_a_builtin_is_known():
    names = kernel()
    step = attempts(
        names, 1, Flow(code="call", absent=("len",), writes={"x": "1"}), status="failed"
    )

    assert given_by(names, step) == {"x": "1"}


@pytest.mark.parametrize("gives", ["", "2"])
def test_a_name_that_is_not_there_is_not_changed_under_another_one(gives):
    names = kernel()
    for code, writes in (("one", {"a": "A"}), ("two", {"b": "B"} if gives else {})):
        attempts(names, None, Flow(code=code, writes=writes))
    flow = Flow(
        code="append",
        reads={"a": ("A", 2)},
        writes={"a": "A2", "b": "B2"},
        aliases={"b": ("before", 3)},
    )

    step = attempts(names, None, flow)

    assert given_by(names, step) == {"a": "A2", **({"b": f"{OPEN}{step.key}"} if gives else {})}


def test_who_calls_what_calls_a_function_that_may_do_more_now_may_do_more():
    names = kernel()
    names.run("setup", writes="zx")
    names.run("inner", writes="g", runs="x")
    names.run("outer", writes="f", runs="xg")
    names.run("call", reads="f", writes="x")
    names.run("show", reads="z", writes="y")
    names.run("more", writes="o")

    names.run("inner otherwise", writes="g", runs="z", number=2)

    session = names.story.session
    index = session.staleness.lines[MAIN]
    assert index.through == {at(session, 4).key: frozenset("z")}
    names.run("outer otherwise", writes="f", runs="xg", number=3)
    assert stale(names.story.session) == ["main:4", "main:5"]
