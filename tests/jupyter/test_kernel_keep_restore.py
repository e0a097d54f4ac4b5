"""`%wfnb restore`, `--restore` and what goes with them in a real kernel: what comes back, what does
not, and what is said of it."""

import shutil
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


@pytest.fixture
def kernel(kernel: Kernel) -> Kernel:
    """Without names of the tests before."""
    kernel.ok(
        "for _name in [n for n in globals() if not n.startswith('_')]:\n"
        "    if _name not in ('In', 'Out', 'exit', 'quit', 'open', 'get_ipython'):\n"
        "        del globals()[_name]"
    )
    return kernel


def table(text: str) -> list[list[str]]:
    """The rows of what was shown, without the sentence above and the heads."""
    return [[cell.strip() for cell in row.split("  ") if cell.strip()] for row in _rows(text)]


def _rows(text: str) -> list[str]:
    return [line for line in text.splitlines()[2:] if not line.startswith("!")]


def test_values_come_back_in_a_fresh_kernel(tmp_path: Path):
    with running(tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as kernel:
        kernel.ok(
            "%%step Load --keep all\n"
            "import numpy as np\n"
            "df = np.arange(6).reshape(2, 3)\n"
            "class Model:\n    def fit(self, x): return scale * x.sum()\n"
            "scale = 2\nmodel = Model()\nsame = df"
        )
        kernel.restart()

        shown = kernel.ok("%wfnb restore 1").text
        value = kernel.run("df[0, 0] = 10; model.fit(same), type(model) is Model, np.sum(df)").value

    assert shown.splitlines()[0] == "step 1 · Load · 6 back"
    assert value == "(np.int64(50), True, np.int64(25))"


def test_what_shares_memory_or_is_held_by_an_enumeration_shares_it_again(tmp_path: Path):
    cell = (
        "%%step Make --keep all\n"
        "import numpy as np\nfrom enum import Enum\n"
        "class Kind(Enum):\n    A = [1]\n"
        "held, a = Kind.A.value, Kind.A\n"
        "raw = bytearray(4)\nseen = np.frombuffer(raw, 'u1')\n"
        "rows = [1]\npush = rows.append\n"
        "x, y = np.zeros(4), np.zeros(4)\n"
        "def call(n=2): push(n)"
    )
    change = "held.append(9); raw[0] = 9; push(9); y = x[:]; call = None"
    shares = (
        "held.append(2); raw[1] = 3; call(); x[0] = 1\n"
        "Kind.A.value, a is Kind.A, seen.tolist(), rows, y.sum() == 0"
    )
    with running(tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as kernel:
        kernel.ok(cell)
        kernel.ok(change)
        kernel.ok("%wfnb restore 1")
        here = kernel.run(shares).value
        kernel.restart()
        kernel.ok("%wfnb restore 1")
        fresh = kernel.run(shares).value
        kernel.ok("x, y = np.zeros(4), None; y = x[:]")
        kernel.ok("%%step Again --keep x,y")
        kernel.ok("%wfnb restore 1 x y")
        apart = kernel.run("np.shares_memory(x, y)").value

    assert here == fresh == "([1, 2], True, [0, 3, 0, 0], [1, 2], np.True_)"
    assert apart == "False"


def test_the_values_are_those_of_the_end_of_the_step(kernel: Kernel):
    kernel.ok("%%step Load --keep rows\nrows = [1, 2]")
    kernel.ok("%%step Change --keep rows\nrows.append(3)")
    kernel.ok("rows.clear()")

    kernel.ok("%wfnb restore 1")
    first = kernel.run("rows").value
    kernel.ok("%wfnb restore last")
    last = kernel.run("rows").value

    assert (first, last) == ("[1, 2]", "[1, 2, 3]")


def test_a_dry_run_says_what_would_happen_and_does_nothing(kernel: Kernel):
    kernel.ok("%%step Load --keep all\na, b, c = 1, [2], [3]\nimport os; f = open(os.devnull)")
    kernel.ok("a = 10; del c; new = 5")

    shown = kernel.ok("%wfnb restore 1 --dry-run --exact")
    values = kernel.run("a, b, 'c' in globals(), new").value

    assert values == "(10, [2], False, 5)"
    assert shown.text.splitlines()[0] == (
        "step 1 · Load · 1 would come back · 1 would be replaced · 2 would stay the same · "
        "1 cannot come back · 1 would be removed"
    )
    assert table(shown.text) == [
        ["a", "would be replaced", "int · 1", "10"],
        ["b", "would stay the same", "list · [2]"],
        ["c", "would come back", "list · [3]"],
        ["os", "would stay the same", "module · os"],
        ["f", "cannot come back", "it is an open file"],
        ["new", "would be removed", "5"],
    ]
    ways = {entry["name"]: entry["way"] for entry in shown.shown[0][MIME]["names"]}
    assert ways == {
        "a": "replaces",
        "b": "same",
        "c": "comes back",
        "os": "same",
        "f": "cannot",
        "new": "removed",
    }


def test_restoring_does_it_and_says_what_it_did(kernel: Kernel):
    kernel.ok("%%step Load --keep a,b\na, b = 1, [2]")
    kernel.ok("a = 10; del b; new = 5")

    shown = kernel.ok("%wfnb restore 1").text
    values = kernel.run("a, b, new").value

    assert values == "(1, [2], 5)"
    assert shown.splitlines()[0] == "step 1 · Load · 1 back · 1 replaced"
    assert table(shown) == [["a", "replaced", "int · 1", "10"], ["b", "back", "list · [2]"]]


def test_what_has_not_changed_stays_and_what_was_changed_in_place_comes_back(kernel: Kernel):
    kernel.ok("import numpy as np")
    kernel.ok("%%step Load --keep a,b,rows\na, b = np.zeros(50_000), np.zeros(50_000)\nrows = [a]")
    kernel.ok("first, other, alias = a, b, rows\nb[7] = 1")

    shown = kernel.ok("%wfnb restore 1").text
    values = kernel.run("a is first, rows is alias, rows[0] is a, b is other, b.sum()").value

    assert values == "(True, True, True, False, np.float64(0.0))"
    assert [row[:2] for row in table(shown)] == [
        ["a", "unchanged"],
        ["b", "replaced"],
        ["rows", "unchanged"],
    ]


def test_exact_removes_names_that_were_not_there(kernel: Kernel):
    kernel.ok("other = 1")
    kernel.ok("%%step Load --keep a\na = 1")
    kernel.ok("new = 5\nimport os")

    kernel.ok("%wfnb restore 1 --exact")

    assert kernel.run("[name in globals() for name in ('a', 'other', 'new', 'os')]").value == (
        "[True, True, False, True]"
    )


def test_some_names_come_back_alone(kernel: Kernel):
    kernel.ok("%%step Load --keep all\nm1, m2, x = 1, 2, 3")
    kernel.ok("m1 = m2 = x = 0")

    kernel.ok("%wfnb restore 1 'm*'")

    assert kernel.run("m1, m2, x").value == "(1, 2, 0)"
    assert kernel.run("%wfnb restore 1 m3").refusal == ("Step 1 did not keep 'm3'. Kept: m1, m2, x")


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
        "Step 2 kept nothing. Run it again with `--keep NAMES`. Steps that kept values: 1."
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


def test_a_space_among_the_names_to_keep_is_refused_with_the_right_spelling(kernel: Kernel):
    cells = ("--keep w, a", "--keep w ,a A title", "--keep=w, a", "--keep w,")

    said = [kernel.run(f"%%step {cell}\nw = a = 1").refusal for cell in cells]

    assert said[0] == ("%%step: there is a space among the names of --keep. Written: --keep w,a")
    assert said[1] == said[2] == said[0]
    assert said[3] == "%%step: --keep w, ends with a comma. Written: --keep w"
    assert kernel.ok("%%step Load, and look --keep w,a\nw = a = 1").answer["kept"] == {
        "names": ["w", "a"]
    }
    assert kernel.ok("w = 2\n%wfnb restore 1 a, w").text.startswith("step 1 · Load, and look · ")


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


def test_a_stale_step_says_that_it_is_stale(kernel: Kernel):
    kernel.ok("%%step Load --keep x\nx = 1", "c1")
    kernel.ok("%%step Fit --keep y\ny = x + 1", "c2")
    kernel.ok("%%step Load --keep x\nx = 10", "c1")

    shown = kernel.ok("%wfnb restore 2 --dry-run")

    assert shown.text.splitlines()[-1] == (
        "! step 2 is stale: what it was built on was changed by step 1"
    )
    assert len(shown.shown[0][MIME]["notes"]) == 1


def test_values_of_an_older_version_and_of_an_earlier_attempt_are_named_so(kernel: Kernel):
    kernel.ok("%%step Load --keep x\nx = 1", "c1")
    kernel.run("%%step Load --keep x\nx = 2; 1 / 0", "c1")
    older = kernel.ok("%wfnb restore 1").text.splitlines()[-1]
    kernel.ok("%%step Fit --keep y\ny = 1 / rate if 'rate' in globals() else 1", "c2")
    kernel.run("rate = 0")
    kernel.run("%%step Fit --keep y\ny = 1 / rate if 'rate' in globals() else 1", "c2")

    earlier = kernel.ok("%wfnb restore 2").text.splitlines()[-1]

    assert older == "! kept by version 1 of step 1, which is now at 2"
    assert earlier == "! kept by an earlier attempt of step 2: the last one failed"


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


def test_values_that_nothing_refers_to_are_removed_when_asked(kernel: Kernel):
    kernel.ok("%%step Load --keep x\nx = [1]")
    kernel.ok("%%step More --keep y\ny = [2]")
    kernel.ok("%wfnb undo")

    spared = kernel.ok("%wfnb gc").text
    first = kernel.ok("%wfnb gc --undone").text
    second = kernel.ok("%wfnb gc --undone").text
    kernel.ok("%wfnb redo")

    assert spared == (
        "nothing to remove: steps, undone ones (`--undone`) included, refer to all that is kept"
        " · 2 files kept"
    )
    assert first == "1 file removed · 1 file kept"
    assert second == "nothing to remove: steps refer to all that is kept · 1 file kept"
    assert "Run the step again" in kernel.ok("%wfnb restore 2").text
    kernel.ok("x = None\n%wfnb restore 1")
    assert kernel.run("x").value == "[1]"


def test_what_archived_sessions_refer_to_is_not_removed(kernel: Kernel):
    kernel.ok("%%step Load --keep x\nx = [1]")
    kernel.ok("%wfnb start demo --fresh")

    kernel.ok("%wfnb gc")
    kernel.ok("%wfnb resume demo~1")
    kernel.ok("x = None\n%wfnb restore 1")

    assert kernel.run("x").value == "[1]"


def test_what_another_user_kept_is_read_only_when_it_is_trusted(tmp_path: Path):
    with running(tmp_path / "his", XDG_DATA_HOME=str(tmp_path / "his-data")) as his:
        his.ok("%%step Load --keep x\nx = [1]")
        shutil.copytree(his.home, tmp_path / "mine" / "home")
    with running(tmp_path / "mine", XDG_DATA_HOME=str(tmp_path / "my-data")) as mine:
        refused = mine.run("%wfnb restore 1").refusal
        dry = mine.ok("%wfnb restore 1 --dry-run").text
        compared = mine.ok("%wfnb compare").text
        absent = mine.run("'x' in globals()").value
        trusted = mine.ok("%wfnb trust").text
        mine.ok("%wfnb restore 1")
        value = mine.run("x").value

    assert "`%wfnb trust`" in refused
    assert ("cannot come back" in dry, "list · [1]" in compared, absent) == (True, True, "False")
    assert trusted == "1 kept value is trusted now"
    assert value == "[1]"


def test_tab_offers_what_can_stand_there(kernel: Kernel):
    kernel.ok("%%step Load --keep all\nalpha, beta = 1, 2")
    kernel.ok("%%branch alt --from 1 --keep alpha\nalpha = 3")
    kernel.ok("gamma = 1")

    flags = ["--dry-run", "--exact", "--json", "--rerun"]
    words = ["1", "alpha", "alt", "alt:2", "beta", "last", "main"]
    assert kernel.complete("%wfnb restore ") == [*flags, *words]
    assert kernel.complete("%wfnb restore 1 al") == ["alpha", "alt", "alt:2"]
    assert kernel.complete("%%step Load --keep al") == ["alpha"]
    assert kernel.complete("%%step Load --keep alpha,ga") == ["alpha,gamma"]
    assert kernel.complete("%wfnb keep ga") == ["gamma"]
    assert kernel.complete("%wfnb diff 1 be") == ["beta"]
    assert "--restore" in kernel.complete("%%branch alt --re")
