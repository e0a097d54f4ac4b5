"""`--restore` of `%%branch` and `%wfnb switch`: a line goes on with the values that it had."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


def test_a_branch_begins_with_the_values_of_the_step_that_it_leaves(kernel: Kernel):
    kernel.ok("%%step Load --keep rows\nrows = [1, 2]")
    kernel.ok("%%step Change\nrows.append(3)")

    cell = "%%branch alt --from 1 --restore Other --value n\nn = len(rows)\nrows.append(9)"
    ran = kernel.ok(cell, "c3")
    kernel.ok("rows = None")
    kernel.ok(cell, "c3")

    assert ran.shown[0]["text/plain"].startswith("step 1 · Load · 1 replaced")
    assert kernel.run("rows").value == "[1, 2, 9]"
    assert [step["values"] for step in kernel.status()["steps"]][2] == {"n": 2}


def test_a_branch_does_not_begin_without_the_values_that_it_needs(kernel: Kernel):
    kernel.ok("%%step Load --keep rows\nrows = [1, 2]")
    kernel.ok("%%step Change\nrows.append(3)")

    nothing = kernel.run("%%branch alt --from 2 --restore Other\nrows.append(9)").refusal
    for blob in (kernel.home / "values").rglob("*-*"):
        blob.unlink()
    gone = kernel.run("%%branch alt --from 1 --restore Other\nrows.append(9)").refusal

    assert nothing == (
        "rows of step 2 cannot be restored: step 2 changed it after it was kept, and did not keep "
        "it. Nothing was changed. `%wfnb restore 2` brings back the others; then go on without "
        "--restore."
    )
    assert gone.startswith("rows of step 1 cannot be restored: ")
    assert kernel.run("rows").value == "[1, 2, 3]"
    assert kernel.steps("branch") == ["main", "main"]


def test_a_branch_does_not_begin_without_what_could_not_be_kept(kernel: Kernel):
    kernel.ok("%%step Load --keep rows,log\nrows, log = [1], open('log.txt', 'w')")

    refused = kernel.run("%%branch alt --from 1 --restore Other\nprint('ran')")
    kernel.ok("%wfnb restore 1")
    kernel.ok("%%branch alt --from 1 Other\nrows.append(9)")

    assert refused.refusal == (
        "log of step 1 cannot be restored: it is an open file. Nothing was changed. "
        "`%wfnb restore 1` brings back the others; then go on without --restore."
    )
    assert refused.stdout == ""
    assert kernel.run("rows").value == "[1, 9]"


def test_switching_brings_back_what_the_line_kept_last(kernel: Kernel):
    kernel.ok("%%step Load --keep x\nx = 1")
    kernel.ok("%%branch alt --from 1 Other --keep x\nx = 2")
    kernel.ok("%%step On main --keep x\nx = 3")

    said, restored = kernel.ok("%wfnb switch alt --restore").shown
    alt = kernel.run("x").value
    kernel.ok("%wfnb switch --restore")

    assert said["text/plain"].startswith("on 'alt'")
    assert restored["text/plain"].startswith("step alt:2 · Other · 1 replaced")
    assert (alt, kernel.run("x").value) == ("2", "3")


def test_switching_to_a_line_that_kept_nothing_is_refused_and_does_not_switch(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1")
    kernel.ok("%%branch alt --from 1 Other\nx = 2")

    assert kernel.run("%wfnb switch alt --restore").refusal == (
        "No step kept anything. `%%step --keep NAMES` keeps. Steps that kept values: none yet."
    )
    assert kernel.status()["line"] == "main"
