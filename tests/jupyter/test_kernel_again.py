"""Cells that run again in one kernel: attempts, versions, copies, branches, sessions."""

import json
from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel


def test_a_cell_that_runs_again_is_another_attempt(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1", "a")
    kernel.run("%%step Load\nx = 1", "a")

    assert kernel.steps("number", "attempts", "versions") == [(1, 2, 1)]


def test_an_attempt_that_succeeds_has_the_last_word(kernel: Kernel):
    kernel.run("%%step Use it\nunready + 1", "a")
    kernel.ok("unready = 1")
    kernel.ok("%%step Use it\nunready + 1", "a")

    assert kernel.steps("number", "attempts", "outcome") == [(1, 2, "ok")]


def test_a_changed_cell_is_a_version_and_what_came_after_is_stale(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1", "a")
    kernel.ok("%%step Use\nx + 1", "b")
    kernel.ok("%%branch alt Use otherwise\nx - 1", "c")

    ran = kernel.ok("%%step Load\nx = 2", "a")

    assert ran.answer["stale_steps"] == [2, 3]
    assert kernel.steps("number", "versions", "stale") == [
        (1, 2, False),
        (2, 1, True),
        (3, 1, True),
    ]


def test_a_stale_cell_that_runs_again_holds(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1", "a")
    kernel.ok("%%step Use\nx + 1", "b")
    kernel.ok("%%step Load\nx = 2", "a")

    kernel.ok("%%step Use\nx + 1", "b")

    assert kernel.steps("number", "attempts", "stale") == [(1, 2, False), (2, 2, False)]


def test_a_changed_title_makes_nothing_stale(kernel: Kernel):
    kernel.ok("%%step Lod\nx = 1", "a")
    kernel.ok("%%step Use\nx + 1", "b")

    kernel.ok("%%step Load\nx = 1", "a")

    assert kernel.steps("description", "stale") == [("Load", False), ("Use", False)]


def test_a_number_says_which_step_it_is(kernel: Kernel):
    kernel.ok("%%step 1 Load\nx = 1", "a")
    kernel.ok("%%step 2 Use\nx", "b")

    kernel.ok("%%step 1 Load\nx = 2", "another cell")

    assert kernel.steps("number", "versions") == [(1, 2), (2, 1)]


def test_a_copy_of_a_cell_is_a_step_of_its_own(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1", "a")
    kernel.ok("%%step Load\nx = 1", "b")

    assert kernel.steps("number", "cell_id") == [(1, "a"), (2, "b")]


def test_without_cell_ids_the_same_source_twice_is_two_steps(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1")
    kernel.ok("%%step Load\nx = 1")

    assert kernel.steps("number", "attempts") == [(1, 1), (2, 1)]


def test_run_all_twice_without_cell_ids_repeats_the_steps_of_the_notebooks_file(tmp_path: Path):
    cells = ["%%step Load\nx = 1", "%%step Use\nx", "%%step Use\nx"]
    saved = [{"cell_type": "code", "metadata": {}, "source": code} for code in cells]
    notebook = tmp_path / "study.ipynb"
    notebook.write_text(json.dumps({"cells": saved, "metadata": {}, "nbformat": 4}))

    with running(tmp_path, JPY_SESSION_NAME=str(notebook)) as kernel:
        for code in cells * 2:
            kernel.ok(code)

        assert kernel.steps("number", "attempts") == [(1, 2), (2, 2), (3, 2)]


@pytest.mark.parametrize("verb", ["resume", "start"])
def test_going_on_with_the_session_in_use_forgets_nothing(kernel: Kernel, verb: str):
    kernel.ok("%wfnb start other", "a")
    kernel.ok("%%step\nz = 1")
    kernel.ok("%%branch alt Other\nz = 2")
    kernel.ok("%wfnb switch alt")

    kernel.ok(f"%wfnb {verb} other", "a")
    kernel.ok("%%step\nz = 1")

    steps = [("main", 1, 1), ("alt", 2, 1), ("main", 2, 1)]
    assert kernel.steps("branch", "number", "attempts") == steps


def test_each_step_of_a_cell_is_known_again(kernel: Kernel):
    cell = "%step One\nx = 1\n%step Two\ny = 1"
    kernel.ok(cell, "a")

    kernel.ok(cell, "a")

    assert kernel.steps("description", "attempts") == [("One", 2), ("Two", 2)]


def test_steps_made_in_a_loop_are_known_again(kernel: Kernel):
    cell = "for n in range(3):\n    get_ipython().run_line_magic('step', f'Fit {n}')"
    kernel.ok(cell, "a")

    kernel.ok(cell, "a")

    assert kernel.steps("description", "attempts") == [("Fit 0", 2), ("Fit 1", 2), ("Fit 2", 2)]


def test_a_step_taken_back_can_be_run_again(kernel: Kernel):
    kernel.ok("%%step One\n1", "a")
    kernel.ok("%%step Two\n2", "b")
    kernel.ok("%wfnb undo")

    kernel.ok("%%step Two\n2", "b")

    assert kernel.steps("number", "description") == [(1, "One"), (2, "Two")]


def test_a_branch_cell_is_known_again(kernel: Kernel):
    kernel.ok("%%step One\n1", "a")
    kernel.ok("%%branch alt --from 1 Other\n2", "b")
    kernel.ok("%%branch alt --from 1 Other\n2", "b")

    assert kernel.steps("branch", "number", "attempts") == [("main", 1, 1), ("alt", 2, 2)]


NOTEBOOK = (
    "%wfnb open twice",
    "%%step 1/6 Load\nx = [1, 2]",
    "%%step 2/6 Sum --value total\ntotal = sum(x)\ntotal",
    "%%branch alt --from 1 Another sum\nother = 3",
    "%%step 3/6 Half of it --revises 2\ntotal = sum(x) / 2",
    "%%step 4/6 Words --text\nBecause two is enough.",
    "%%branch late --from 3 Later\nlater = 4",
    "%%step 6/6 --done The end\ntotal",
)


def test_a_notebook_that_runs_again_stores_the_same(kernel: Kernel):
    def stored() -> list[list[dict[str, object]]]:
        runs = [kernel.ok(code, f"cell-{at}") for at, code in enumerate(NOTEBOOK)]
        return [
            [each["content"]["data"] for each in ran.published if "data" in each["content"]]
            for ran in runs[1:]
        ]

    first = stored()
    again = stored()
    kernel.stop()
    kernel.start()
    kernel.ok("%load_ext wfnb")

    assert (again, stored()) == (first, first)


def test_the_cell_that_started_a_session_goes_on_with_it(kernel: Kernel):
    kernel.ok("%wfnb start other", "a")
    kernel.ok("%%step One\n1", "b")

    again = kernel.ok("%wfnb start other", "a")
    other = kernel.run("%wfnb start other", "c")

    assert again.text == "session 'other' resumed · 1 step"
    assert other.refusal == (
        "Session 'other' exists, with 1 step. `%wfnb open other` goes on with it, "
        "each time that it runs; `%wfnb start other --fresh` archives it and starts anew."
    )


def test_a_fresh_start_archives_the_old_session(kernel: Kernel):
    kernel.ok("%%step One\n1")
    kernel.ok("%wfnb start demo --fresh")

    assert kernel.steps("number") == []
    assert [line.split()[-1] for line in kernel.ok("%wfnb list --all").text.splitlines()[1:]] == [
        "archived",
        "use",
    ]


def test_a_session_is_named_after_the_notebook(tmp_path: Path):
    notebook = tmp_path / "drift study.ipynb"

    with running(tmp_path / "kernel", JPY_SESSION_NAME=str(notebook)) as kernel:
        kernel.ok("%%step One\n1")

        assert kernel.status()["session"] == "drift study"


def test_the_history_is_kept_beside_the_notebook(tmp_path: Path):
    notebook = tmp_path / "study.ipynb"

    with running(tmp_path / "kernel", JPY_SESSION_NAME=str(notebook)) as kernel:
        kernel.ok("import os; del os.environ['WFNB_HOME']")
        kernel.ok("%%step One\n1")

    assert (tmp_path / ".wfnb" / "journal.db").is_file()
