"""`%wfnb diff` and `%wfnb compare`: what steps and branches kept is compared."""

import pytest

from tests.jupyter.keep.told import table
from tests.jupyter.kernel import MIME, Kernel

pytestmark = pytest.mark.kernel


def test_the_values_of_two_steps_are_compared(kernel: Kernel):
    kernel.ok("%%step One --keep all\na, b, gone, rmse = [1], 'x', 1, 0.5")
    kernel.ok("%%step Two --keep all\na, b, new, rmse = [1], 'y', 2, 0.25")

    shown = kernel.ok("%wfnb diff 1 2")
    some = kernel.ok("%wfnb diff 1 2 rmse").text

    assert shown.text.splitlines()[0] == "step 1, One → step 2, Two · 4 values differ"
    assert table(shown.text)[:4] == [
        ["b", "'x' → 'y'"],
        ["gone", "gone: int · 1"],
        ["rmse", "0.5 → 0.25 (-0.25, -50.0%)"],
        ["new", "new: int · 2"],
    ]
    assert shown.text.splitlines()[-1] == "the same: a"
    assert shown.shown[0][MIME]["same"] == ["a"]
    assert some.count("→") == 2
    assert kernel.run("%wfnb diff 1 2 nope").refusal.startswith("'nope' was not kept.")


def test_two_runs_are_compared_by_the_same_verb(kernel: Kernel):
    for number in (1, 2):
        kernel.ok(
            "%%run_workflow --no-save\n"
            "name: add\nvariables: {n: " + str(number) + "}\n"
            "steps: [{tool: sleep, args: {seconds: 0}}]"
        )

    assert "add-1" in kernel.ok("%wfnb diff add-1 add-2").text
    assert "No run is called '3'" in kernel.run("%wfnb diff add-1 3").refusal


def test_branches_are_compared_by_what_they_kept(kernel: Kernel):
    kernel.ok("%%step Load --keep rows\nrows = [1]")
    kernel.ok("%%branch a --from 1 --keep rmse,model\nrmse, model = 0.5, {'k': 1}")
    kernel.ok("%%branch b --from 1 --keep rmse,model\nrmse, model = 0.25, [1]")

    shown = kernel.ok("%wfnb compare a b").text

    assert ["rmse", "0.5", "0.25 *"] in table(shown)
    assert ["model", "dict · 1 key: 'k'", "list · [1]"] in table(shown)


def test_figures_are_compared_as_pictures(kernel: Kernel):
    for number in (1, 2):
        kernel.ok(
            "%%step Draw --keep fig\n"
            "from matplotlib.figure import Figure\nfig = Figure()\n"
            f"fig.subplots().plot([0, {number}])"
        )

    html = kernel.ok("%wfnb diff 1 2").shown[0]["text/html"]

    assert html.count('src="data:image/png;base64,') == 2
    assert 'alt="fig at step 1"' in html
