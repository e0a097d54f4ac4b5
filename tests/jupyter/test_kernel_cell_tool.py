"""A workflow runs cells of its notebook again, by the numbers of their steps."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, Ran, running

pytestmark = pytest.mark.kernel

FIT = "%%step Fit the line\nslope = 2 * degree\nprint('slope', slope)\nslope"
AGAIN = """%%run_workflow again --quiet
steps:
- {id: change, tool: python, args: {code: 'degree = 5'}}
- {id: fit, tool: python, args: {step: 1}}
"""
RESULT = "print(wfnb.open('notebook').runs.fields('last'))"


@pytest.fixture
def kernel(tmp_path: Path):
    with running(tmp_path) as kernel:
        kernel.ok("import wfnb\ndegree = 1")
        yield kernel


def again(kernel: Kernel, step: int, more: str = "") -> Ran:
    """A run of one step again."""
    args = f"{{step: {step}{more}}}"
    return kernel.run(f"%%run_workflow again --quiet\nsteps: [{{tool: python, args: {args}}}]")


def test_a_cell_runs_again_with_the_names_as_they_are_now(kernel):
    first = kernel.ok(FIT)

    kernel.ok(AGAIN)

    assert first.value == "2"
    assert kernel.ok("degree, slope").value == "(5, 10)"
    assert kernel.ok(RESULT).stdout == (
        "{'success': True, 'result': 10, 'stdout': 'slope 10\\n', 'stderr': '', "
        "'step': 1, 'version': 1}\n"
    )
    assert kernel.steps("number", "outcome", "attempts") == [(1, "ok", 1)]


def test_a_cell_that_was_changed_runs_as_it_is_now(kernel):
    kernel.ok(FIT, "a")
    kernel.ok(FIT.replace("2 *", "3 *"), "a")

    kernel.ok(AGAIN)

    assert kernel.ok("slope").value == "15"
    assert "'version': 2" in kernel.ok(RESULT).stdout


def test_a_later_step_of_a_cell_is_run_without_the_others(kernel):
    kernel.ok("%%step Count\ncount = 1\n%step Count on\ncount += 1\ncount")

    assert again(kernel, 2).status == "ok"

    assert kernel.ok("count").value == "3"


def test_a_step_that_failed_can_be_run_once_its_reason_is_gone(kernel):
    kernel.run("%%step Use it\nmissing + 1")

    assert again(kernel, 1, ", arguments: {missing: 41}").status == "ok"

    assert "'result': 42" in kernel.ok(RESULT).stdout


def test_a_cell_with_a_magic_and_a_step_that_is_not_there_are_refused_in_a_line(kernel):
    kernel.ok("%%step Look\nx = 1\n%time x")

    magic, absent = again(kernel, 1).refusal, again(kernel, 7).refusal

    assert "Step 1 is not all Python: line 3: %time x — invalid syntax." in magic
    assert "There is no step 7 on 'main'. Steps there: 1." in absent


def test_words_are_no_code(kernel):
    kernel.ok("%%step Because it is so\n# and only so")

    assert "Step 1 is words only: it has no code to run." in again(kernel, 1).refusal
