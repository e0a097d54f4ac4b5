"""What is said of a stale step: who changed what it read, and what settles it."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from tests.dataflow.kernel import Kernel
from tests.mcp.agent import answers, at

Cells = tuple[str, ...]

CLASSES = (
    "class B:\n    reg = {}\n    def __init_subclass__(cls): B.reg['R'] = cls",
    "class R(B):\n    a = 1\n    def p(self): return self.a",
    "x = B.reg['R']()",
    "R.a = 6",
    "y = x.p()",
)
OPTIONS = (
    "import pandas as pd",
    "t = str(pd.Series([1.5]))",
    "pd.set_option('display.max_rows', 5)",
    "n = pd.options.display.max_rows * 2",
)
OPTION = "the display options of pandas: display.max_rows"


@pytest.fixture(autouse=True)
def options() -> Iterator[None]:
    """As they were, for the tests that follow in this process."""
    with pd.option_context("display.max_rows", 60):
        yield


def run(kernel: Kernel, cells: Cells, *numbers: int) -> None:
    for number in numbers:
        assert kernel.say(f"%%step Cell {number}\n{cells[number - 1]}", f"cell-{number}") is None


def reasons(kernel: Kernel) -> dict[int, str]:
    return {step["number"]: step["stale_reason"] for step in kernel.marks() if step["stale"]}


def why(kernel: Kernel, number: int) -> str:
    assert kernel.shell is not None
    kernel.shell.run_line_magic("wfnb", f"why {number}")
    return str(kernel.shell.display_pub.bundles[-1]["text/plain"])


@pytest.mark.parametrize(
    ("cells", "number", "writer", "name"),
    [(CLASSES, 3, 4, "B"), (OPTIONS, 2, 3, OPTION)],
    ids=["a class", "an option"],
)
def test_the_reason_names_who_changed_a_name_and_not_who_only_might_have(
    kernel: Kernel, cells: Cells, number: int, writer: int, name: str
):
    run(kernel, cells, *range(1, len(cells) + 1))
    assert reasons(kernel) == {}

    run(kernel, cells, number)

    reason = f"ran after step {writer}, which changed {name}"
    assert reasons(kernel)[number] == reason
    assert reason in why(kernel, number)


def test_the_reason_names_nobody_who_ran_later(kernel: Kernel):
    cells = (*OPTIONS, "pd.set_option('display.max_rows', 6)")

    run(kernel, cells, 1, 2, 3, 4, 2, 5, 4)  # 4 read the option of 5 since

    assert reasons(kernel)[2] == f"ran after step 4, which changed {OPTION}"


def test_of_a_step_that_needs_a_new_kernel_why_says_that_first(kernel: Kernel):
    run(kernel, OPTIONS, 1, 2, 3, 2)

    told = why(kernel, 2)

    first = f"{OPTION} changed since the kernel started: restart it first"
    assert f"{first}, or `%wfnb confirm 2`" in told
    assert "run it again" not in told
    assert kernel.say("%wfnb run-stale 2") == "StaleNotRun"


def test_the_answer_of_a_step_that_needs_a_new_kernel_says_that_first(kernel: Kernel):
    run(kernel, OPTIONS, 1, 2, 3)

    _, answer = kernel.run(f"%%step Cell 2\n{OPTIONS[1]}", "cell-2")

    assert answer is not None
    (said,) = answer["next_actions"]
    assert said == (
        f"stale: ran after step 3, which changed {OPTION}; "
        "restart the kernel, then run it again, `%wfnb run-stale 2`, or `%wfnb confirm 2`; "
        "if step 3 is to come first, give it `--revises 1`"
    )


def test_an_answer_says_which_other_steps_need_a_new_kernel(kernel: Kernel):
    run(kernel, OPTIONS, 1, 2, 3, 2)

    _, answer = kernel.run(f"%%step Cell 3\n{OPTIONS[2]}", "cell-3")

    assert answer is not None
    (said,) = answer["next_actions"]
    assert said == ("step 2 is stale: restart the kernel, then run it again, or `%wfnb confirm 2`")


def test_a_step_that_read_a_name_of_a_later_one_needs_no_new_kernel(kernel: Kernel):
    run(kernel, ("x = 1", "y = x", "x = 2"), 1, 2, 3)

    _, answer = kernel.run("%%step Cell 2\ny = x", "cell-2")

    assert answer is not None
    assert "restart" not in str(answer["next_actions"])


def test_an_agent_is_told_that_a_step_needs_a_new_kernel(kernel: Kernel, tmp_path: Path):
    run(kernel, OPTIONS, 1, 2, 3, 2)

    (said,) = answers(at(tmp_path / "home"), ("why", {"step": 2, "session": "demo"}))

    assert "restart the kernel, then run it again" in said["says"]
    assert "after a restart of its kernel" in said["next"][0]


def test_steps_that_run_stale_runs_did_it_and_not_its_cell(kernel: Kernel):
    cells = (
        "import random, numpy as np\nfrom sklearn.linear_model import LinearRegression",
        "np.random.seed(3); random.seed(3)",
        "drawn = [random.random(), np.random.rand()]",
    )
    run(kernel, cells, 1, 2, 3, 3)
    assert reasons(kernel).keys() == {3}

    assert kernel.say("%wfnb run-stale") is None

    assert reasons(kernel) == {}


def test_what_its_own_line_made_later_is_not_called_made_by_nobody(kernel: Kernel):
    cells = ("try: memo\nexcept NameError: memo = {}", "memo['k'] = 1", "print(memo)")
    run(kernel, cells, 1, 2, 3, 1, 2, 3)

    assert "memo changed since the kernel started: restart it first" in why(kernel, 1)
    assert "makes memo" not in why(kernel, 3)


@pytest.mark.parametrize(
    "looks",
    [
        "if 'found' not in globals(): found = 3\nprint(held)",
        "print(globals()['held'])",
        "print(eval('xs' if True else ''))",
    ],
)
def test_code_that_may_read_any_name_met_the_object_that_was_made(kernel: Kernel, looks: str):
    run(kernel, ("xs = [3, 1]; held = {'a': xs}", "xs.sort()", looks), 1, 2, 3)

    assert reasons(kernel) == {}
