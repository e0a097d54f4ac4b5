"""`--keep` in a real kernel: what a step keeps, what it does not and says so, and what it costs
where nobody asks for it."""

import json
from pathlib import Path

import pytest

from tests.jupyter.keep.told import kept
from tests.jupyter.kernel import MIME, Kernel, running

pytestmark = pytest.mark.kernel


def test_a_kept_value_is_in_the_answer_and_in_its_line(kernel: Kernel):
    ran = kernel.ok("%%step Load --keep df,limits\ndf = [1, 2]\nlimits = {'low': 0}")

    assert ran.answer["kept"] == {"names": ["df", "limits"]}
    assert "warnings" not in ran.answer
    assert "kept <b>df, limits</b>" in ran.shown[0]["text/html"]


def test_a_large_value_is_told_with_its_size_and_a_small_one_is_not(kernel: Kernel):
    ran = kernel.ok("%%step Load --keep raw\nraw = bytes(3_000_000)")

    assert ran.answer["kept"] == {"names": ["raw"], "size": "3 MB"}
    assert "kept <b>raw</b> · 3 MB" in ran.shown[0]["text/html"]


def test_all_is_what_the_step_assigns(kernel: Kernel):
    kernel.ok("before = 1")

    ran = kernel.ok(
        "%%step Fit --keep all\n"
        "import math as m\n%time fast = 1\nrows = [before]\nrows.append(2)\n"
        "def area(r): return m.pi * r\nfor _ in rows: n = _\n"
    )

    assert ran.answer["kept"] == {"names": ["m", "fast", "rows", "area", "n"]}


ALL = {
    "%%time\nfiles = !echo a\nx = 1": ["files", "x"],
    "%%capture\n%matplotlib inline\ny = 2": ["y"],
    "%%capture cap\nz = 3": ["cap", "z"],
    "%%bash --out o --err e\necho a": ["e", "o"],
    "files = !echo a\n%time fast = 1": ["fast", "files"],
    "from quopri import *": ["decode", "decodestring", "encode", "encodestring"],
    "%run -i made.py": ["made_here"],
    "%%timeit -n 1 -r 1\ninner = 1": [],
    "%alias_magic -l t time\n%t quick = 5": ["quick"],
    "exec('hidden = 1')": ["hidden"],
    "before.append(1)": ["before"],
    "def adds(): before.append(2)\nadds()": ["adds", "before"],
    "before[:] = before": ["before"],
    "del before\nafter = 1": ["after"],
}


@pytest.mark.parametrize("body", ALL)
def test_all_is_what_the_step_was_seen_to_write_whatever_wrote_it(kernel: Kernel, body: str):
    (kernel.folder / "made.py").write_text("made_here = 1")
    kernel.ok("before, other = [0], [1]")

    ran = kernel.ok(f"%%step Fit --keep all\n{body}")

    assert sorted(ran.answer.get("kept", {"names": []})["names"]) == ALL[body]


def test_patterns_name_what_there_is_at_the_end(kernel: Kernel):
    ran = kernel.ok(
        "%%step Fit --keep 'model_?' --keep 'x[ab]'\nmodel_a = model_b = xa = 1\nxc = 2"
    )

    assert ran.answer["kept"] == {"names": ["model_a", "model_b", "xa"]}


def test_what_cannot_be_kept_is_named_with_the_reason_and_the_rest_is_kept(kernel: Kernel):
    ran = kernel.ok(
        "%%step Open --keep ok,log,api_token,nowhere\n"
        "import os\nok = 1\nlog = open(os.devnull)\napi_token = 'x'"
    )

    assert ran.answer["kept"] == {
        "names": ["ok"],
        "not_kept": {
            "log": "it is an open file",
            "api_token": "its name is that of a secret",
            "nowhere": "there was no such name",
        },
    }
    assert ran.answer["warnings"] == [
        "not kept: log: it is an open file",
        "not kept: api_token: its name is that of a secret",
        "not kept: nowhere: there was no such name",
    ]


def test_a_cell_that_fails_keeps_nothing_and_says_so(kernel: Kernel):
    ran = kernel.run("%%step Load --keep df\ndf = 1\n1 / 0")

    assert ran.answer["outcome"] == "failed"
    assert ran.answer["kept"] == {"names": [], "not_kept": {"df": "the step failed"}}
    assert ran.answer["warnings"] == ["not kept: df: the step failed"]
    assert kernel.run("%wfnb restore 1").refusal == (
        "Step 1 kept nothing. Run it again with `--keep NAMES`. Steps that kept values: none yet."
    )


def test_a_step_that_runs_again_unchanged_records_no_values_again(kernel: Kernel):
    cell = "%%step Load --keep df\ndf = list(range(9))"
    kernel.ok(cell, "c1")
    kernel.ok(cell, "c1")

    log = kernel.ok("%wfnb log --json").shown[0][MIME]["log"]

    assert [line["event"] for line in log[1:]] == [
        "step-added",
        "step-finished",
        "values-kept",
        "step-repeated",
        "step-finished",
    ]


def test_run_all_keeps_what_it_kept_before(tmp_path: Path):
    cells = [
        ("c1", "%%step Load --keep df\ndf = list(range(9))"),
        ("c2", "%%step Fit --keep all\nmodel = {'rows': df}"),
    ]
    with running(tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as kernel:
        for cell, code in cells:
            kernel.ok(code, cell)
        first = [ran.shown for ran in kernel.run_all(*cells)]
        before = kept(kernel), sorted((kernel.home / "values").rglob("*-*"))

        again = [ran.shown for ran in kernel.run_all(*cells)]

        assert again == first
        assert (kept(kernel), sorted((kernel.home / "values").rglob("*-*"))) == before
        assert before[0] == [{"names": ["df"]}, {"names": ["model"]}]


def test_where_the_key_of_the_user_cannot_be_written_the_first_step_says_so(tmp_path: Path):
    (tmp_path / "file").touch()
    with running(tmp_path / "kernel", XDG_DATA_HOME=str(tmp_path / "file")) as kernel:
        first = kernel.ok("%%step One --keep a\na = 1").answer
        second = kernel.ok("%%step Two --keep a\na = 2").answer

    assert "can be read by this process alone" in first["warnings"][0]
    assert "Set XDG_DATA_HOME to a folder that can be" in first["warnings"][0]
    assert "warnings" not in second


def test_a_step_of_text_keeps_at_once(kernel: Kernel):
    kernel.ok("df = 1")

    ran = kernel.ok("%%step Where we are --text --keep df\nAll is **well**.")

    assert ran.answer["kept"] == {"names": ["df"]}


def test_two_steps_of_a_cell_keep_each_their_own(kernel: Kernel):
    ran = kernel.ok("%step One --keep all\nx = 1\n%step Two --keep all\ny = 2")

    assert [answer["kept"]["names"] for answer in ran.answers] == [["x"], ["y"]]


def test_a_step_without_keep_imports_and_scans_nothing(tmp_path: Path):
    counted = (
        "import sys, json\nfrom wfnb.jupyter import step_command as steps\ncalls = []\n"
        "steps.patterns = lambda *said: calls.append(said) or ()\n"
        "steps.Wanted = lambda **said: calls.append(said)\n"
    )
    heavy = ("wfnb.values", "cloudpickle", "wfnb.core.assigned_names", "wfnb.views.restore_result")
    with running(tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as kernel:
        kernel.ok(counted)
        kernel.ok("%%step Load\ndf = 1")
        kernel.ok("%%branch alt --from 1 Other\ndf = 2")
        kernel.ok("%wfnb compare")
        kernel.ok("%wfnb show 1")
        kernel.ok("%wfnb switch alt")
        ran = kernel.ok(
            f"print(json.dumps([[name for name in {heavy} if name in sys.modules], calls]))"
        )
        events = {line["event"] for line in kernel.ok("%wfnb log --json").shown[0][MIME]["log"]}

    assert json.loads(ran.stdout) == [[], []]
    assert not (kernel.home / "values").exists()
    assert events == {"session-started", "branch-opened", "step-added", "step-finished"}


def test_a_scratch_session_keeps_values_for_as_long_as_it_lives(kernel: Kernel):
    kernel.ok("%wfnb start notes --scratch")
    kernel.ok("%%step Load --keep df\ndf = [1]")
    kernel.ok("df.append(2)")

    kernel.ok("%wfnb restore 1")

    assert kernel.run("df").value == "[1]"
    assert not (kernel.home / "values").exists()


def test_what_is_kept_is_told_by_the_views(kernel: Kernel):
    kernel.ok("%%step Load --keep df,f\ndf = [1]\nimport os; f = open(os.devnull)")

    card = kernel.ok("%wfnb show 1").text
    log = kernel.ok("%wfnb log").text
    status = kernel.ok("%wfnb status").text

    assert "✓ ok · kept df · not kept: f" in card
    assert "kept: df · list · [1]" in card
    assert "not kept: f · it is an open file" in card
    assert "kept df; not kept: f" in log
    assert "kept df" in status
