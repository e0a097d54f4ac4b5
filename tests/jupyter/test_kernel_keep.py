"""`--keep` in a real kernel: what a step keeps, what it does not and says so, and what it costs
where nobody asks for it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jupyter.kernel import MIME, Kernel, running

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel whose user has a data folder of his own."""
    folder = tmp_path_factory.mktemp("kernel")
    with running(folder, XDG_DATA_HOME=str(folder / "data")) as kernel:
        yield kernel


def kept(kernel: Kernel) -> list[dict[str, object]]:
    """What each step kept, in order of creation; None for one that was not to keep anything."""
    return [step.get("kept") for step in kernel.status()["steps"]]


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


def test_an_interrupt_while_values_are_kept_leaves_the_step_without_them(kernel: Kernel):
    kernel.ok(
        "import time\n"
        "class Slow:\n"
        "    def __reduce__(self):\n"
        "        print('waiting', flush=True)\n"
        "        time.sleep(60)\n"
    )

    ran = kernel.interrupted("%%step Wait --keep small,slow\nsmall, slow = 1, Slow()")

    why = "keeping it was interrupted"
    assert ran.answer["outcome"] == "ok"
    assert ran.answer["kept"] == {"names": [], "not_kept": {"small": why, "slow": why}}
    assert kernel.ok("%%step Then --keep small\n0").answer["kept"] == {"names": ["small"]}


def test_an_interrupt_while_a_step_keeps_again_leaves_what_it_had_kept(kernel: Kernel):
    kernel.ok(
        "import time\n"
        "class Slow:\n"
        "    def __reduce__(self):\n"
        "        if slow: print('waiting', flush=True); time.sleep(60)\n"
        "        return int, (7,)\n"
    )
    cell = "%%step Wait --keep small,value\nsmall, value = [1], Slow()"
    kernel.ok("slow = False")
    kernel.ok(cell, "c1")
    kernel.ok("slow = True")

    ran = kernel.send(cell, "c1")
    for message in kernel.published(ran):
        if "waiting" in message["content"].get("text", ""):
            kernel.interrupt()
    kernel.reply(ran)
    kernel.ok("small = value = None\n%wfnb gc")
    shown = kernel.ok("%wfnb restore 1").text

    assert kernel.run("small, value").value == "([1], 7)"
    assert shown.splitlines()[-1] == (
        "! kept by an earlier attempt of step 1: the last one could keep nothing"
    )


def test_a_kernel_that_is_killed_while_it_keeps_leaves_the_step_without_the_values(tmp_path: Path):
    with running(tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as kernel:
        kernel.ok("%%step Before --keep x\nx = [1]")
        kernel.ok(
            "import time\n"
            "class Slow:\n"
            "    def __reduce__(self):\n"
            "        print('waiting', flush=True)\n"
            "        time.sleep(600)\n"
        )
        request = kernel.send("%%step Killed --keep x,slow\nslow = Slow()")
        next(found for found in kernel.published(request) if "text" in found["content"])
        kernel.kill()
        kernel.restart()

        steps = kernel.steps("description", "outcome")
        told = kernel.status()["steps"][1]["kept"]
        kernel.ok("%wfnb restore 1")
        x = kernel.run("x").value

    assert steps == [("Before", "ok"), ("Killed", "interrupted")]
    why = "the step was interrupted"
    assert told == {"names": [], "not_kept": {"x": why, "slow": why}}
    assert x == "[1]"


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


def test_a_session_keeps_what_was_chosen_for_it(kernel: Kernel):
    assert kernel.ok("%wfnb keep 'fitted*' --budget 500MB").text == (
        "steps keep fitted* · at most 500 MB"
    )

    kernel.ok("%%step Load\nrows = 1")
    kernel.ok("%%step Fit\nfitted_1 = 2")
    kernel.ok("%%step Own --keep rows\nrows = 3")
    kernel.ok("%%step Nothing --keep none\nfitted_1 = 4")
    kernel.ok("%step Only words")

    assert kept(kernel) == [None, {"names": ["fitted_1"]}, {"names": ["rows"]}, None, None]
    assert kernel.ok("%wfnb keep none").text == "steps keep what they say · at most 500 MB"
    kernel.ok("%%step Fit more\nmodel = 5")
    assert kept(kernel)[-1] is None


def test_a_session_may_keep_all_that_its_steps_assign(kernel: Kernel):
    kernel.ok("%wfnb keep all")

    kernel.ok("%%step Load\n%%time\nfirst = 1")
    kernel.ok("%%step Wait\nimport asyncio\nawait asyncio.sleep(0)\nsecond = 2")
    kernel.ok("%%step Look\nfirst + second")

    assert kept(kernel) == [{"names": ["first"]}, {"names": ["asyncio", "second"]}, None]


def test_names_that_are_never_kept_can_be_others(kernel: Kernel):
    kernel.ok("%wfnb keep --secrets '*pin*,*salary*'")

    ran = kernel.ok("%%step Load --keep all\nkey = 1\nmy_pin = 2")

    assert ran.answer["kept"]["names"] == ["key"]
    assert list(ran.answer["kept"]["not_kept"]) == ["my_pin"]


def test_it_is_told_which_names_are_never_kept(kernel: Kernel):
    usual = kernel.ok("%wfnb keep").text
    none = kernel.ok("%wfnb keep --secrets none").text
    ran = kernel.ok("%%step Load --keep api_key\napi_key = 1")
    back = kernel.ok("%wfnb keep --secrets default").text

    assert usual.startswith("steps keep what they say · never *_key, ")
    assert none == "steps keep what they say · no name is a secret"
    assert ran.answer["kept"] == {"names": ["api_key"]}
    assert back == "steps keep what they say"
    assert kernel.ok("%wfnb keep").text == usual


def test_where_the_key_of_the_user_cannot_be_written_the_first_step_says_so(tmp_path: Path):
    (tmp_path / "file").touch()
    with running(tmp_path / "kernel", XDG_DATA_HOME=str(tmp_path / "file")) as kernel:
        first = kernel.ok("%%step One --keep a\na = 1").answer
        second = kernel.ok("%%step Two --keep a\na = 2").answer

    assert "can be read by this process alone" in first["warnings"][0]
    assert "Set XDG_DATA_HOME to a folder that can be" in first["warnings"][0]
    assert "warnings" not in second


def test_what_does_not_fit_into_the_budget_is_named_with_the_way_on(kernel: Kernel):
    kernel.ok("%wfnb keep --budget 1MB")

    ran = kernel.ok("%%step Load --keep big,small\nbig = bytes(2_000_000)\nsmall = 1")

    assert ran.answer["kept"]["names"] == ["small"]
    assert "`%wfnb keep --budget`" in ran.answer["kept"]["not_kept"]["big"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "%%step A --keep 1x\n0",
            "keep is '1x'. It needs names of variables: df, or 'model*', or all.",
        ),
        ("%wfnb keep --budget much", "budget is 'much'. It needs a size, as 500MB or 2GB."),
    ],
)
def test_what_cannot_be_kept_by_anyone_is_refused(kernel: Kernel, line: str, said: str):
    assert kernel.run(line).refusal == said
    assert kernel.steps("number") == []


def test_a_step_of_text_keeps_at_once(kernel: Kernel):
    kernel.ok("df = 1")

    ran = kernel.ok("%%step Where we are --text --keep df\nAll is **well**.")

    assert ran.answer["kept"] == {"names": ["df"]}


def test_two_steps_of_a_cell_keep_each_their_own(kernel: Kernel):
    ran = kernel.ok("%step One --keep all\nx = 1\n%step Two --keep all\ny = 2")

    assert [answer["kept"]["names"] for answer in ran.answers] == [["x"], ["y"]]


def test_a_step_without_keep_imports_and_scans_nothing(tmp_path: Path):
    counted = (
        "import sys, json\nfrom wfnb.jupyter import steps\ncalls = []\n"
        "steps.patterns = lambda *said: calls.append(said) or ()\n"
        "steps.Wanted = lambda **said: calls.append(said)\n"
    )
    heavy = ("wfnb.keep", "cloudpickle", "xxhash", "wfnb.core.assigned", "wfnb.views.restored")
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
