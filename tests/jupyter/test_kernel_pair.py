"""Two kernels that use one session: what one records the other knows, and no choice of its own."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

WAITING = "%%step Wait\nimport threading\nprint('waiting', flush=True)\nthreading.Event().wait(60)"


def test_they_write_one_history(pair: tuple[Kernel, Kernel]):
    one, two = pair
    one.ok("%%step Load\nx = 1", "a")
    two.ok("%%step Use\n1", "b")
    one.ok("%%step Tell\n2", "c")
    two.ok("%%step Ask\n3", "d")

    assert one.history() == two.history()
    assert one.steps("number", "description") == [
        (1, "Load"),
        (2, "Use"),
        (3, "Tell"),
        (4, "Ask"),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "%branch alt --from 2 Other",
        "%step --revises 2 Better",
        "%branch beta Further",
        "%wfnb score beta 2",
        "%wfnb select beta",
        "%wfnb switch beta",
        "%wfnb compare beta",
    ],
)
def test_what_one_has_just_recorded_the_other_can_name(pair: tuple[Kernel, Kernel], code: str):
    one, two = pair
    two.ok("%step One")
    one.ok("%step Two")
    one.ok("%branch beta --from 1 Other")

    ran = two.run(code)

    assert (ran.status, ran.stderr, ran.traceback) == ("ok", "", "")


def test_what_one_has_just_changed_the_other_can_change_back(pair: tuple[Kernel, Kernel]):
    one, two = pair
    two.ok("%step One")
    two.ok("%branch beta --from 1 Other")
    two.ok("%wfnb score beta 1")
    one.ok("%wfnb score beta 2")

    two.ok("%wfnb score beta 1")

    assert one.status()["lines"][1]["score"] == 1


def test_a_cell_that_one_ran_is_known_to_the_other(pair: tuple[Kernel, Kernel]):
    one, two = pair
    two.ok("%%step Load\nx = 1", "a")
    one.ok("%%step Use\n1", "b")

    two.ok("%%step Use\n1", "b")

    assert two.steps("number", "attempts") == [(1, 1), (2, 2)]


def test_the_line_chosen_is_the_choice_of_one(pair: tuple[Kernel, Kernel]):
    one, two = pair
    one.ok("%step One")
    one.ok("%branch alt --from 1 Other")

    one.ok("%wfnb switch alt")
    here = one.ok("%%step Here\n2", "c")
    there = two.ok("%%step There\n2", "d")

    assert (here.answer["current_branch"], there.answer["current_branch"]) == ("alt", None)
    assert (one.status()["line"], two.status()["line"]) == ("alt", "main")


def test_a_branch_that_the_other_took_back_is_no_longer_chosen(pair: tuple[Kernel, Kernel]):
    one, two = pair
    one.ok("%step One")
    one.ok("%branch alt --from 1 Other")
    one.ok("%wfnb switch alt")

    two.ok("%wfnb undo")

    assert one.status()["line"] == "main"
    assert one.ok("%step Two").answer["current_branch"] is None


def test_a_step_that_runs_in_one_is_running_for_the_other(pair: tuple[Kernel, Kernel]):
    one, two = pair
    request = one.send(WAITING)
    next(one.published(request))
    two.ok("%wfnb resume demo")

    while_it_runs = two.steps("outcome")
    one.interrupt()
    list(one.published(request))

    assert while_it_runs == ["running"]
    assert two.steps("outcome") == ["interrupted"]


def test_a_step_that_was_taken_back_while_it_ran_says_so_in_one_line(pair: tuple[Kernel, Kernel]):
    one, two = pair
    one.ok("%step One")
    request = one.send(WAITING)
    next(one.published(request))

    two.ok("%wfnb undo")
    one.interrupt()
    said = [message["content"].get("text", "") for message in one.published(request)]

    assert (
        "wfnb: The step that just ran is no longer open: it was run again, undone or cleared.\n"
        in said
    )
    assert one.steps("description") == ["One"]


def test_of_two_kernels_that_run_one_cell_at_once_the_later_one_counts(pair: tuple[Kernel, Kernel]):
    one, two = pair
    request = one.send(WAITING, "cell-1")
    next(one.published(request))
    two.ok("%wfnb resume demo")

    two.ok("%%step 1 Another\nx = 2", "cell-1")
    one.interrupt()
    said = [message["content"].get("text", "") for message in one.published(request)]

    assert any("it was run again" in each for each in said)
    assert one.steps("outcome") == two.steps("outcome") == ["ok"]
