"""`%wfnb restore --rerun`: what cannot be kept is made again by its step."""

import pytest

from tests.jupyter.keep.told import table
from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


def test_what_cannot_be_kept_is_made_again_where_that_is_asked_for(kernel: Kernel):
    kernel.ok("%%step Load --keep rows\nrows = [1, 2]")
    kernel.ok("%%step Walk --keep rows,walk\nrows.append(3)\nwalk = (r for r in rows)")
    kernel.ok("del walk; rows = None")

    shown = kernel.ok("%wfnb restore 2 --rerun 2")
    values = kernel.run("rows, list(walk)").value

    assert values == "([1, 2, 3], [1, 2, 3, 3])"
    assert table(shown.text) == [
        ["rows", "replaced", "list · [1, 2, 3]", "None"],
        ["walk", "made again by step 2", "it is a generator"],
    ]
    assert "! ran again: step 2" in shown.text
    assert kernel.steps("attempts") == [1, 1]


@pytest.mark.parametrize(
    ("cell", "name", "said"),
    [
        (
            "%%step Two\n1 / 0",
            "RerunFailed",
            "Step 2 failed when it was run again (ZeroDivisionError: division by zero). "
            "The kept values are back.",
        ),
        (
            "%step Two",
            "RerunImpossible",
            "Step 2 cannot be run again: it has no code. Leave it out of --rerun.",
        ),
    ],
)
def test_a_step_that_cannot_be_run_again_is_said_to_be_so(
    kernel: Kernel, cell: str, name: str, said: str
):
    kernel.ok("%%step One --keep a\na = 1")
    kernel.run(cell)

    ran = kernel.run("a = 2\n%wfnb restore 1 --rerun 2")

    assert (ran.reply["ename"], ran.reply["evalue"]) == (name, said)
