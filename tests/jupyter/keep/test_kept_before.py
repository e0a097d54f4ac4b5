"""In a real kernel: a branch that would begin with what its step kept before, and how much room is
asked for."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel


def test_a_branch_does_not_begin_with_what_an_older_version_kept(kernel: Kernel):
    kernel.ok("%%step 1 Load --keep rows\nrows = [1, 2, 3]")
    kernel.ok("%%branch twice --from 1 --restore Double --value total\ntotal = 2 * sum(rows)")
    kernel.ok("%%step 1 Load --branch main\nrows = [100]")

    refused = kernel.run("%%step 2 Double --branch twice --restore\ntotal = 2 * sum(rows)").refusal

    assert refused is not None
    assert refused.startswith(
        "The values to restore were kept by version 1 of step 1, which is now at 2."
    )
    assert kernel.run("rows, total").value == "([100], 12)"
    assert [step["stale"] for step in kernel.status()["steps"]] == [False, True]


def test_a_budget_needs_a_unit(kernel: Kernel):
    bare = kernel.run("%wfnb keep --budget 1.5 GB").refusal
    said = kernel.ok("%wfnb keep --budget '1.5 GB'").text

    assert bare is not None
    assert bare == "budget is '1.5'. It needs a size, as 500MB or 2GB."
    assert "at most 1.5 GB" in said


def test_what_gc_spares_is_said_with_the_way_to_remove_it(kernel: Kernel):
    kernel.ok("%wfnb start nightly")
    kernel.ok("%%step Load --keep x\nx = [1]")
    kernel.ok("%wfnb start nightly --fresh")
    kernel.ok("%%step Load --keep x\nx = [2]")

    spared = kernel.ok("%wfnb gc").text
    removed = kernel.ok("%wfnb gc --archived").text

    assert spared == (
        "nothing to remove: steps, undone ones (`--undone`) and those of archived sessions "
        "(`--archived`) included, refer to all that is kept · 2 files kept"
    )
    assert removed == "1 file removed · 1 file kept"


def test_a_figure_that_came_back_in_a_fresh_kernel_is_shown_as_a_picture(tmp_path: Path):
    forms = "list(get_ipython().display_formatter.format(fig)[0])"
    with running(tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as kernel:
        kernel.ok(
            "%%step Draw --keep fig\nfrom matplotlib import pyplot\nfig, _ = pyplot.subplots()"
        )
        kernel.restart()

        kernel.ok("%wfnb restore 1")

        assert kernel.run(forms).value == "['text/plain', 'image/png']"
