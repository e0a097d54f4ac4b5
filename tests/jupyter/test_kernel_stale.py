"""✓ and ◌ by what cells read, in a real kernel; `%wfnb why`, `%wfnb run-stale`, and what is said
with `--reads` and `--writes` (rule 8)."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.ran import MIME

pytestmark = pytest.mark.kernel

Cells = dict[str, str]

MEAN: Cells = {
    "load": "%%step Load\nx = [20, 21, 99, 22]",
    "mean": "%%step Mean --value mean\nmean = sum(x) / len(x)",
    "fix": "%%step --revises 1 Fix\nx = [v for v in x if v != 99]",
}
CHAIN: Cells = {
    "x": "%%step Load\nx = 40",
    "y": "%%step Mean\ny = x + 1",
    "z": "%%step Twice\nz = 2 * y",
}
CHANGED = "%%step Load\nx = 80"


def run(kernel: Kernel, cells: Cells, *ids: str) -> None:
    """Run these cells, or all of them, in order."""
    for id in ids or cells:
        kernel.ok(cells[id], id)


def stale(kernel: Kernel) -> dict[int, str]:
    """The stale steps of all lines, each with the reason."""
    told = kernel.steps("number", "stale", "stale_reason")
    return {number: reason for number, is_stale, reason in told if is_stale}


def again(kernel: Kernel) -> None:
    """Restart the kernel and go on with its session."""
    kernel.restart()
    kernel.ok("%wfnb resume demo")


def test_run_all_a_second_time_turns_nothing_fresh_that_read_the_old_data(kernel: Kernel):
    old = {2: "read x of step 1, which step 3 revises"}
    run(kernel, MEAN)
    assert stale(kernel) == old

    run(kernel, MEAN)

    assert stale(kernel) == old
    assert kernel.ok("mean").value == "40.5"
    again(kernel)
    run(kernel, MEAN)
    assert stale(kernel) == old


def test_a_step_that_ran_over_the_revision_holds_until_it_reads_the_old_data_again(kernel: Kernel):
    run(kernel, MEAN)

    run(kernel, MEAN, "mean")

    assert stale(kernel) == {}
    assert kernel.ok("mean").value == "21.0"
    run(kernel, MEAN, "load", "mean")
    assert stale(kernel) == {2: "read x of step 1, which step 3 revises"}


def test_stale_passes_on_and_goes_from_the_first_to_the_last(kernel: Kernel):
    run(kernel, CHAIN)
    kernel.ok(CHANGED, "x")
    read, rests = "read x of step 1, which has run again since", "step 2, which it read, is stale"
    assert stale(kernel) == {2: read, 3: rests}

    ran = kernel.ok(CHAIN["z"], "z")

    assert stale(kernel) == {2: read, 3: rests}
    assert ran.answer["next_actions"] == [
        f"stale: {rests}; `%wfnb run-stale 3` runs what it rests on, then it"
    ]
    run(kernel, CHAIN, "y")
    assert stale(kernel) == {3: "read y of step 2, which has run again since"}
    run(kernel, CHAIN, "z")
    assert stale(kernel) == {}


@pytest.mark.parametrize(
    ("cells", "put", "late"),
    [
        (
            {"load": "%%step Load\nx = [1, 2, 50]", "mean": "%%step Mean\nm = sum(x) / len(x)"},
            {"drop": "%%step Drop\nx = [v for v in x if v < 10]"},
            (2, "ran after step 3, which changed x", 3, "--revises 1"),
        ),
        (
            {"load": "%%step Load\nx = 1", "both": "%%step Both\nm = x", "use": "%%step Use\nq"},
            {"twice": "%%step Twice\nq = m * 2"},
            (3, "ran after step 4, which changed q", 4, "--revises 2"),
        ),
    ],
    ids=["put in between", "split"],
)
def test_a_cell_that_was_put_above_says_how_it_comes_first(
    kernel: Kernel, cells: Cells, put: Cells, late: tuple[int, str, int, str]
):
    number, reason, writer, revises = late
    *above, last = cells
    run(kernel, {name: cells[name] for name in above})
    kernel.run(cells[last], last)

    again(kernel)
    run(kernel, {**{name: cells[name] for name in above}, **put, last: cells[last]})

    assert stale(kernel) == {number: reason}
    said = kernel.ok(f"%wfnb why {number}").shown[0]["text/plain"].splitlines()[0]
    assert said.endswith(f"; if step {writer} is to come first, give it `{revises}`")
    ((name, code),) = put.items()
    put = {name: code.replace("\n", f" {revises}\n", 1)}
    again(kernel)
    run(kernel, {**{name: cells[name] for name in above}, **put, last: cells[last]})
    assert stale(kernel) == {}


def test_what_read_a_step_that_failed_since_says_that_it_failed(kernel: Kernel):
    run(kernel, CHAIN)

    assert kernel.run("%%step Load\nx = 1 / 0", "x").status == "error"

    assert stale(kernel)[2] == "step 1, which it read, failed"


def test_a_cell_that_runs_again_and_changes_nothing_makes_nothing_stale(kernel: Kernel):
    run(kernel, CHAIN)

    run(kernel, CHAIN, "y", "x", "x", "z")

    assert stale(kernel) == {}


def test_a_step_that_reads_nothing_of_what_changed_holds(kernel: Kernel):
    run(kernel, {**CHAIN, "other": "%%step Other\nother = 1"})

    kernel.ok(CHANGED, "x")

    assert list(stale(kernel)) == [2, 3]


def test_what_a_function_of_the_notebook_reads_counts(kernel: Kernel):
    kernel.ok("%%step Limit\nlimit = 1", "limit")
    kernel.ok("%%step Function\ndef over(v):\n    return v > limit", "over")
    kernel.ok("%%step Use\nn = over(2)", "use")

    kernel.ok("%%step Limit\nlimit = 2", "limit")

    assert stale(kernel) == {3: "read limit of step 1, which has run again since"}


def test_a_cell_that_is_no_step_makes_its_readers_stale_where_it_gives_another_value(
    kernel: Kernel,
):
    kernel.ok("k = 5", "plain")
    kernel.ok("%%step Use\nuse = k + 1", "use")
    kernel.ok("k = 5", "plain")
    assert stale(kernel) == {}

    kernel.ok("k = 6", "plain")

    assert stale(kernel) == {1: "k was changed by a cell that is no step"}
    kernel.ok("%%step Use\nuse = k + 1", "use")
    assert stale(kernel) == {}


@pytest.mark.parametrize(
    "ground",
    [
        ("x = [4, 2]", "x.append(1)"),
        ("x = [4, 2]", "x = sorted(x)", "x = [v for v in x if v > 2]"),
        ("import numpy as np\nrng = np.random.default_rng(0)", "x = rng.normal(size=3)"),
        ("import pandas as pd\nx = pd.DataFrame({'a': [1, None]})", "x['b'] = 2", "x = x.a"),
    ],
)
def test_cells_that_change_what_others_made_may_all_be_run_again(
    kernel: Kernel, ground: tuple[str, ...]
):
    kernel.restart()  # of other cells that are no steps, too
    kernel.ok("%load_ext wfnb")
    cells = {str(place): code for place, code in enumerate(ground)}
    cells["sum"] = "%%step Sum\nsum(x)"

    for _ in range(3):
        run(kernel, cells)

    assert stale(kernel) == {}


def test_a_cell_that_changes_its_own_work_is_not_what_the_notebook_gives(kernel: Kernel):
    kernel.restart()
    kernel.ok("%load_ext wfnb")
    cells = {"make": "x = [4, 2]", "add": "x.append(1)", "sum": "%%step Sum\nsum(x)"}
    run(kernel, cells)

    run(kernel, cells, "add", "sum")

    assert stale(kernel) == {1: "x is not what your cells that are no steps give, run in order"}
    assert "run those cells again" in kernel.ok("%wfnb why 1").text
    run(kernel, cells)
    assert stale(kernel) == {}


def test_a_cell_that_gives_the_same_over_its_own_work_may_be_run_again(kernel: Kernel):
    kernel.restart()
    kernel.ok("%load_ext wfnb")
    cells = {"make": "x = [4, 2]", "sort": "x.sort()", "sum": "%%step Sum\nsum(x)"}
    run(kernel, cells)

    run(kernel, cells, "sort", "sum")

    assert stale(kernel) == {}


def test_what_came_from_a_branch_says_so(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1", "load")
    kernel.ok("%%branch median\nx = 2", "median")

    kernel.ok("%%step Use\ny = x", "use")

    assert stale(kernel) == {2: "x came from branch `median`"}


def test_an_interrupted_cell_gives_nothing_that_is_known(kernel: Kernel):
    kernel.ok("import time")
    run(kernel, CHAIN)
    slow = "%%step Load\nx = 80\nprint('waiting', flush=True)\ntime.sleep(60)\nx = 90"

    kernel.interrupted(slow, cell_id="x")

    assert kernel.steps("outcome")[0] == "interrupted"
    assert list(stale(kernel)) == [2, 3]
    kernel.ok(CHAIN["y"], "y")
    assert kernel.ok("y").value == "81"
    assert stale(kernel)[2] == "step 1, which it read, was interrupted"
    kernel.ok("%%step Load\nx = [80]", "x")
    assert stale(kernel)[2] == "read x of step 1, which has run again since"


def test_a_failing_cell_gives_what_it_wrote(kernel: Kernel):
    run(kernel, CHAIN)

    kernel.run("%%step Load\nx = 80\n1 / 0", "x")

    assert kernel.steps("outcome") == ["failed", "ok", "ok"]
    assert list(stale(kernel)) == [2, 3]
    run(kernel, CHAIN, "y", "z")
    assert stale(kernel) == {}
    assert kernel.ok("z").value == "162"


@pytest.mark.parametrize("above", ["", "x = 7\n"])
def test_a_step_with_a_syntax_error_changes_nothing(kernel: Kernel, above: str):
    run(kernel, CHAIN)

    ran = kernel.run(f"{above}%step Load\nx = = 80", "other")

    assert ran.reply["ename"] == "SyntaxError"
    assert stale(kernel) == {}
    assert kernel.ok("x").value == "40"


@pytest.mark.parametrize(
    "code",
    [
        "%%time\ny = x + 1",
        "%time y = x + 1",
        "%timeit -n1 -r1 x\ny = x + 1",
        "!echo $x\ny = x + 1",
        "y = !echo {x}",
        "%%capture out\ny = x + 1",
    ],
)
def test_what_a_magic_or_the_shell_reads_counts(kernel: Kernel, code: str):
    kernel.ok(CHAIN["x"], "x")
    kernel.ok(f"%%step Mean\n{code}", "y")

    kernel.ok(CHANGED, "x")

    assert stale(kernel) == {2: "read x of step 1, which has run again since"}


@pytest.mark.parametrize(
    "code",
    [
        "%%time\nx = 80",
        "%time x = 80",
        "x = !echo 80",
        "%%capture out\nx = 80",
        "get_ipython().run_cell('x = 80')",
        "exec('x = 80')",
        "globals()['x'] = 80",
    ],
)
def test_what_a_magic_or_the_shell_writes_counts(kernel: Kernel, code: str):
    run(kernel, CHAIN, "x", "y")

    kernel.ok(f"%%step Load\n{code}", "x")

    assert stale(kernel) == {2: "read x of step 1, which has run again since"}


def test_a_nested_cell_that_is_a_step_is_read_for_itself(kernel: Kernel):
    run(kernel, CHAIN, "x")
    kernel.ok("get_ipython().run_cell('%%step Nested\\ny = x + 1')", "nested")

    kernel.ok(CHANGED, "x")

    assert stale(kernel) == {2: "read x of step 1, which has run again since"}


# what is said


def test_what_is_said_to_be_read_counts_as_read(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1", "load")
    kernel.ok("%%step Use --reads x\nseen = 1", "use")

    kernel.ok("%%step Load\nx = 2", "load")

    assert stale(kernel) == {2: "read x of step 1, which has run again since"}


def test_words_say_what_they_rest_on(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1", "load")
    kernel.ok("%%step --text --reads x Conclusion\n*All* is well.", "words")
    kernel.ok("%%step --text Another\nWhatever x is.", "others")

    kernel.ok("%%step Load\nx = 2", "load")

    assert stale(kernel) == {
        2: "read x of step 1, which has run again since",
        3: "step 1, before it, has changed",
    }
    kernel.ok("%%step --text --reads x Conclusion\n*All* is well.", "words")
    assert list(stale(kernel)) == [3]


def test_what_is_said_to_be_written_counts_as_written(kernel: Kernel):
    kernel.ok("%%step Load\nx = object()", "load")
    kernel.ok("%%step Use\ny = x", "use")

    kernel.ok("%%step --revises 1 --writes x Change it\npass", "change")

    assert stale(kernel) == {2: "read x of step 1, which step 3 revises"}


@pytest.mark.parametrize("flag", ["reads", "writes"])
def test_a_name_that_is_not_there_may_be_said(kernel: Kernel, flag: str):
    ran = kernel.ok(f"%%step Use --{flag} nowhere\ny = 1", "use")

    assert ran.answer["outcome"] == "ok"
    assert stale(kernel) == {}


# why


def test_why_tells_what_a_step_rests_on(kernel: Kernel):
    run(kernel, MEAN)

    shown = kernel.ok("%wfnb why 2").shown[0]

    assert shown["text/plain"].splitlines()[:3] == [
        "step 2 · ◌ stale · read x of step 1, which step 3 revises · run it again, "
        "`%wfnb run-stale 2`, or `%wfnb confirm 2`",
        "name  read from  its line gives",
        "x     1 Load     3 Fix           ◌ another",
    ]
    assert "1 Load" in shown["text/html"]
    assert "<svg" in shown["text/html"]
    assert "<table" in shown["text/html"]
    assert shown[MIME] == {
        "step": "2",
        "stale": True,
        "stale_reason": "read x of step 1, which step 3 revises",
        "known": True,
        "reads": [{"name": "x", "from": "1", "given_by": "3", "same": False}],
        "writes": ["mean"],
        "unseen": [],
    }
    assert kernel.ok("%wfnb why 2 --json").shown[0][MIME] == shown[MIME]


def test_why_says_of_a_name_that_nobody_gives_any_more_that_nobody_does(kernel: Kernel):
    kernel.ok("%%step 1 Load\nx = 1", "a")
    kernel.ok("%%step 1 Load\nw = 1", "a")
    kernel.ok("%%step 2 Use\ny = x", "b")

    assert "x     1 Load     nobody          ◌ another" in kernel.ok("%wfnb why 2").text


def test_why_of_a_confirmed_step_says_that_it_was_confirmed(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1", "a")
    kernel.ok("%%step Use\ny = x + 1", "b")
    kernel.ok("%%step More --revises 1\nx = 5", "c")
    kernel.ok("%wfnb confirm 2")

    text = kernel.ok("%wfnb why 2").text
    assert text.startswith("step 2 · ✓ ok · it was confirmed, though not all that it read is")


def test_why_of_a_fresh_step_goes_back_to_where_all_began(kernel: Kernel):
    kernel.ok("plain = 2")
    run(kernel, {**CHAIN, "z": "%%step Twice\nz = plain * y"})

    text = kernel.ok("%wfnb why 3").text

    assert text.startswith("step 3 · ✓ ok · all that it read is what its line gives it")
    for each in ("1 Load", "2 Mean", "3 Twice", "cells that are no steps"):
        assert each in text


def test_why_draws_cells_that_are_no_steps_only_where_one_gave_something(
    kernel: Kernel, tmp_path: Path
):
    (tmp_path / "settings.py").write_text("rate = 2")
    kernel.ok(f"import sys\nsys.path.append({str(tmp_path)!r})")
    cells = {"a": "x = [3, 1]", "b": "y = x", "c": "import settings", "d": "settings.rate"}
    run(kernel, {letter: f"%%step {letter.upper()}\n{code}" for letter, code in cells.items()})
    kernel.ok(f"%%step A\n{cells['a']}", "a")
    kernel.ok("%%step E\ny.reverse()\nx", "e")

    code, old = (kernel.ok(f"%wfnb why {number}").text for number in (4, 5))

    assert "y     before another cell ran again" in old
    assert "the code of settings  its file" in code
    assert "no step" not in old + code


def test_why_of_words_says_that_they_go_by_their_place(kernel: Kernel):
    kernel.ok("%%step --text Thought\nIt is so.")

    assert kernel.ok("%wfnb why 1").text.startswith(
        "step 1 · ✓ ok · it has no code that was observed: it goes by its place on the line"
    )


@pytest.mark.parametrize(
    "code", ["eval('x '.strip())", "exec('y = x '.strip())", "get_ipython().run_cell('y = x')"]
)
def test_why_of_code_that_cannot_be_observed_says_so(kernel: Kernel, code: str):
    kernel.ok("%%step Load\nx = 1", "load")
    kernel.ok(f"%%step Run it\n{code}", "run")

    text = kernel.ok("%wfnb why 2").text

    assert text.splitlines()[0].endswith(f" · not observed: {code.partition('(')[0]}")
    kernel.ok(f"%%step Run it --reads x\n{code}", "run")
    kernel.ok("%%step Load\nx = 2", "load")
    assert stale(kernel) == {2: "read x of step 1, which has run again since"}


def test_code_above_a_step_is_a_cell_that_is_no_step(kernel: Kernel):
    cell = "import math\nk = 2\n%step Root\nroot = math.sqrt(k)"
    for _ in range(2):
        kernel.ok(cell, "root")
        assert stale(kernel) == {}

    kernel.ok(cell.replace("2", "3"), "root")
    assert stale(kernel) == {}

    kernel.ok("k = 4", "below the root")
    assert stale(kernel) == {1: "k was changed by a cell that is no step"}


def test_why_asks_for_one_step_that_there_is(kernel: Kernel):
    kernel.ok("%%step Load\nx = 1")

    assert kernel.run("%wfnb why").refusal
    assert "There is no step 7" in kernel.run("%wfnb why 7").refusal


# run-stale


def test_run_stale_runs_what_is_stale_in_the_order_of_the_line(kernel: Kernel):
    run(kernel, CHAIN)
    kernel.ok(CHANGED, "x")

    ran = kernel.ok("%wfnb run-stale")

    assert ran.shown[-1]["text/plain"] == "ran steps 2, 3"
    assert stale(kernel) == {}
    assert kernel.ok("z").value == "162"
    assert kernel.steps("number", "attempts") == [(1, 2), (2, 2), (3, 2)]


def test_run_stale_runs_the_revision_before_what_reads_it(kernel: Kernel):
    run(kernel, MEAN)
    run(kernel, MEAN)
    again(kernel)

    assert kernel.ok("%wfnb run-stale").shown[-1]["text/plain"] == "ran steps 1, 3, 2"
    assert stale(kernel) == {}
    assert kernel.ok("mean").value == "21.0"
    assert kernel.steps("number", "versions") == [(1, 1), (2, 1), (3, 1)]


def test_run_stale_up_to_one_step_runs_what_it_rests_on_and_no_more(kernel: Kernel):
    run(kernel, {**CHAIN, "other": "%%step Other\nother = x"})
    kernel.ok(CHANGED, "x")

    ran = kernel.ok("%wfnb run-stale 3")

    assert ran.shown[-1]["text/plain"].splitlines() == [
        "ran steps 2, 3",
        "still stale: 4 · read x of step 1, which has run again since",
    ]


def test_of_a_hidden_step_it_is_not_said_that_its_line_gives_what_it_read(kernel: Kernel):
    run(kernel, CHAIN)
    kernel.ok("%wfnb hide 2")
    kernel.ok(CHANGED, "x")

    shown = kernel.ok("%wfnb why 2").shown[0]

    assert shown["text/plain"].splitlines() == [
        "step 2 · ✓ ok · it is hidden, and does not count: its line gives it nothing",
        "✓ 2 Mean",
    ]
    assert shown[MIME]["reads"] == []


def test_a_dry_run_runs_nothing(kernel: Kernel):
    run(kernel, CHAIN)
    kernel.ok(CHANGED, "x")

    ran = kernel.ok("%wfnb run-stale --dry-run")

    assert ran.text.splitlines() == [
        "would run:",
        "2 Mean · read x of step 1, which has run again since",
        "3 Twice · step 2, which it read, is stale",
    ]
    assert kernel.steps("attempts") == [2, 1, 1]


def test_without_stale_steps_nothing_is_run(kernel: Kernel):
    run(kernel, CHAIN)

    assert kernel.ok("%wfnb run-stale").text == "nothing was run"
    assert kernel.ok("%wfnb run-stale --dry-run").text == "nothing is stale"
    assert kernel.ok("%wfnb run-stale 2").text == "nothing was run"


def test_a_step_that_is_hidden_or_fresh_is_not_run_and_a_dry_run_says_the_same(kernel: Kernel):
    run(kernel, CHAIN)
    kernel.ok(CHANGED, "x")
    kernel.ok("%wfnb hide 2")

    for place in ("1", "2"):
        for way, said in ((" --dry-run", "nothing would be run"), ("", "nothing was run")):
            ran = kernel.ok(f"%wfnb run-stale {place}{way}").text.splitlines()
            assert [line.partition(" · ")[0] for line in ran] == [said, "still stale: 3"]


def test_of_words_that_are_stale_a_dry_run_says_that_they_are(kernel: Kernel):
    kernel.ok("%step Load")
    kernel.ok("%step Think")
    kernel.ok("%step --revises 1 Load both years")

    still = "still stale: 2 · step 1, before it, is revised by step 3"
    for way, said in ((" --dry-run", "nothing would be run"), ("", "nothing was run")):
        assert kernel.ok(f"%wfnb run-stale{way}").text.splitlines() == [said, still]


def test_after_a_restart_steps_are_run_whose_values_are_not_there(kernel: Kernel):
    run(kernel, CHAIN)
    kernel.ok("%%step Mean\ny = x + 2", "y")
    again(kernel)
    assert stale(kernel) == {3: "read y of step 2, which has run again since"}

    ran = kernel.ok("%wfnb run-stale")

    assert ran.shown[-1]["text/plain"] == "ran steps 1, 2, 3"
    assert kernel.ok("z").value == "84"
    assert len(kernel.steps("number")) == 3


def test_names_of_cells_that_are_no_steps_are_asked_for(kernel: Kernel):
    kernel.ok("k = 5", "plain")
    kernel.ok("%%step Load\nx = 40", "x")
    kernel.ok("%%step Mean\ny = x + k", "y")
    kernel.ok(CHANGED, "x")
    again(kernel)

    ran = kernel.run("%wfnb run-stale")

    assert ran.reply["ename"] == "StaleNotRun"
    assert ran.refusal == (
        "Step 2 cannot be run again here: k comes from a cell that is no step: run that first."
    )
    assert "k comes from a cell that is no step: run that first" in (
        kernel.ok("%wfnb run-stale --dry-run").text
    )
    kernel.ok("k = 5", "plain")
    assert kernel.ok("%wfnb run-stale").shown[-1]["text/plain"] == "ran steps 1, 2"
    assert kernel.ok("y").value == "85"


def test_what_a_plain_cell_makes_out_of_steps_is_to_become_part_of_a_step(kernel: Kernel):
    kernel.ok("%%step Load\nx = [40]", "x")
    kernel.ok("more = x + [2]", "plain")
    kernel.ok("%%step Sum\ntotal = sum(more)", "total")

    ran = kernel.run("%wfnb run-stale")

    assert ran.refusal == (
        "Step 2 cannot be run again here: more comes from a cell that is no step, out of what steps"
        " made: put that cell's code into a step."
    )


def test_what_another_line_makes_is_no_reason_to_start_the_kernel_again(kernel: Kernel):
    kernel.ok("%%step Load\nx = 4", "x")
    kernel.ok("%%step Import\nimport math", "math")
    kernel.ok("%%branch alt --from 1\nroot = math.sqrt(x)", "root")

    ran = kernel.run("%wfnb run-stale")

    assert ran.refusal == (
        "Step alt:2 cannot be run again here: no step of its line makes math: add one that does."
    )
    kernel.ok("%%branch alt\nimport math\nroot = math.sqrt(x)", "root")
    assert stale(kernel) == {}


def test_what_a_restart_alone_puts_right_is_said_and_keeps_no_other_step_from_running(
    kernel: Kernel,
):
    kernel.restart()
    kernel.ok("%load_ext wfnb")
    cells = {
        "table": "%%step Table\nimport pandas as pd\ntable = pd.Series([1])\ntable.head()",
        "rows": "%%step Rows\npd.set_option('display.max_rows', 5)",
        **CHAIN,
    }
    run(kernel, cells)
    run(kernel, cells, "table", "x")
    kernel.ok(CHANGED, "x")

    said = kernel.ok("%wfnb run-stale").shown[-1]["text/plain"]

    assert "ran steps 4, 5" in said
    assert "the display options of pandas: display.max_rows changed since the kernel" in said
    assert list(stale(kernel)) == [1]


def test_a_setting_that_changed_since_is_said_with_who_changed_it(kernel: Kernel):
    kernel.restart()
    kernel.ok("%load_ext wfnb\nimport pandas as pd")
    kernel.ok("%%step Table\npd.Series([1])", "table")

    kernel.ok("pd.set_option('display.max_rows', 5)", "plain")

    assert stale(kernel) == {
        1: "a cell that is no step has changed the display options of pandas: display.max_rows"
        " since"
    }


MERGED: dict[str, tuple[Cells, str, str]] = {
    "a list that both go on with": (
        {"a": "y = [1]", "b": "x = 1", "c": "y.append(2)", "d": "y.append(3)\nr = str(y)"},
        "a",
        "[1, 2, 3]",
    ),
    "a name that both make, and that another one is made of": (
        {"a": "x = [1]", "b": "x = [5]", "c": "y = [*x, 2]", "d": "r = str((x, y))"},
        "",
        "([5], [1, 2])",
    ),
    "what the merged branch makes after the line": (
        {"a": "x = [1]", "b": "x = [5]\nz = 3", "c": "x = [2]", "d": "r = str((x, z))"},
        "b",
        "([2], 3)",
    ),
}


def merged(kernel: Kernel, bodies: Cells, ids: str) -> None:
    """Steps 1 and 2, a branch that leaves 1 and is merged, and step 3 after it; in any order."""
    heads = (
        "%%step 1 A",
        "%%step 2 B",
        "%%branch alt --from 1 --number 3 C",
        "%%step 3 D --value r",
    )
    cells = {id: f"{head}\n{bodies[id]}" for id, head in zip("abcd", heads, strict=True)}
    run(kernel, cells, "a", "b", "c")
    kernel.ok("%wfnb merge alt")
    run(kernel, cells, *"dcdb", *ids)


@pytest.mark.parametrize("what", MERGED)
def test_run_stale_runs_what_a_merged_line_needs(kernel: Kernel, what: str):
    bodies, ids, value = MERGED[what]
    merged(kernel, bodies, ids)

    ran = kernel.ok("%wfnb run-stale")

    assert stale(kernel) == {}, ran.text
    assert kernel.steps("values")[-1] == {"r": value}


def test_run_stale_gives_up_what_no_order_of_a_merged_line_gives(kernel: Kernel):
    bodies = {"a": "x = [1]\nz = [1]", "b": "x.append(2)\nz.append(len(x))", "c": "x.append(3)"}
    merged(kernel, {**bodies, "d": "z.append(4)\nr = x, z"}, "")
    kernel.ok("%%step 4 Other\no = 1", "o")
    kernel.ok("%%step 1 A\nx = [0]\nz = [1]", "a")

    ran = kernel.ok("%wfnb run-stale").shown[-1]["text/plain"]

    why = "the steps that it rests on overwrite what step 1 makes"
    assert f"Step 3 cannot be run again here: {why}." in ran
    assert max(kernel.steps("attempts")) < 9


def test_a_step_that_fails_ends_the_rerun(kernel: Kernel):
    run(kernel, {**CHAIN, "y": "%%step Mean\ny = 1 / x"})
    kernel.ok("%%step Load\nx = 0", "x")

    ran = kernel.run("%wfnb run-stale")

    assert ran.reply["ename"] == "StaleFailed"
    assert ran.reply["evalue"] == (
        "Step 2 failed when it was run again (ZeroDivisionError: division by zero). Stale steps "
        "after it were not run."
    )
    assert kernel.steps("outcome", "attempts") == [("ok", 2), ("failed", 2), ("ok", 1)]


def test_a_step_that_awaits_is_left_to_its_cell(kernel: Kernel):
    run(kernel, {**CHAIN, "y": "import asyncio\n%step Mean\nawait asyncio.sleep(0)\ny = x + 1"})
    kernel.ok(CHANGED, "x")

    assert kernel.run("%wfnb run-stale").refusal == (
        "Step 2 cannot be run again here: its code awaits something: run its cell instead."
    )


def test_steps_of_one_cell_are_run_together(kernel: Kernel):
    kernel.ok(CHAIN["x"], "x")
    kernel.ok("%step Mean\ny = x + 1\n%step Twice\nz = 2 * y", "yz")
    kernel.ok(CHANGED, "x")

    ran = kernel.ok("%wfnb run-stale")

    assert stale(kernel) == {}
    assert kernel.ok("z").value == "162"
    assert kernel.steps("number", "attempts") == [(1, 2), (2, 2), (3, 2)]
    assert ran.shown[-1]["text/plain"] == "ran steps 2, 3"


def test_cells_without_ids_are_run_again_as_the_steps_that_they_were(kernel: Kernel):
    for code in CHAIN.values():
        kernel.ok(code)
    kernel.ok("%%step 1 Load\nx = 80")

    assert kernel.ok("%wfnb run-stale").shown[-1]["text/plain"] == "ran steps 2, 3"
    assert kernel.steps("number", "attempts", "versions") == [(1, 2, 2), (2, 2, 1), (3, 2, 1)]
    assert kernel.ok("z").value == "162"


def test_a_step_of_a_branch_is_run_again_over_what_its_branch_gives(kernel: Kernel):
    run(kernel, CHAIN)
    kernel.ok("%%branch half --from 1 Half\nx = x // 2", "half")
    kernel.ok("%%branch half Mean\ny = x + 1", "y2")
    kernel.ok("%%branch half Twice\nz = 2 * y", "z2")
    kernel.ok(CHANGED, "x")

    ran = kernel.ok("%wfnb run-stale half:4")

    assert ran.shown[-1]["text/plain"].splitlines()[0] == "ran steps half:2, half:3, half:4"
    assert kernel.ok("z").value == "82"
    ran = kernel.ok("%wfnb run-stale")
    assert stale(kernel) == {}
    assert kernel.ok("z").value == "162"
    assert ran.shown[-1]["text/plain"].startswith("ran steps 1, 2, 3")


def test_an_interrupt_ends_the_rerun(kernel: Kernel):
    kernel.ok("import time\nlong = 0")
    slow = "%%step Mean\nprint('waiting' * long, flush=True)\ntime.sleep(60 * long)\ny = x + 1"
    run(kernel, {**CHAIN, "y": slow})
    kernel.ok(CHANGED, "x")
    kernel.ok("long = 1")

    ran = kernel.interrupted("%wfnb run-stale 2")

    assert ran.reply["ename"] == "KeyboardInterrupt"
    assert kernel.steps("outcome") == ["ok", "interrupted", "ok"]
