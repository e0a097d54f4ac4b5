"""`%wfnb restore` in a real kernel: what comes back, what does not, and what is said of it."""

from pathlib import Path

import pytest

from tests.jupyter.keep.told import table
from tests.jupyter.kernel import MIME, Kernel, running

pytestmark = pytest.mark.kernel


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


def test_a_constant_that_is_another_than_a_function_had_is_named(kernel: Kernel):
    kernel.ok("limit, step = 100, float('nan')")
    kernel.ok("%%step Make more --keep far\ndef far(x): return x > limit or x == step")

    same = kernel.ok("%wfnb restore last far").text
    changed = kernel.ok("limit = 5\n%wfnb restore last far").text

    says = "! limit is another value than when a function that uses it was kept"
    assert says not in same
    assert changed.splitlines()[-1] == says
    assert kernel.run("far(50)").value == "True"


def test_some_names_come_back_alone(kernel: Kernel):
    kernel.ok("%%step Load --keep all\nm1, m2, x = 1, 2, 3")
    kernel.ok("m1 = m2 = x = 0")

    kernel.ok("%wfnb restore 1 'm*'")

    assert kernel.run("m1, m2, x").value == "(1, 2, 0)"
    assert kernel.run("%wfnb restore 1 m3").refusal == ("Step 1 did not keep 'm3'. Kept: m1, m2, x")


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


def test_a_stale_step_says_that_it_is_stale(kernel: Kernel):
    kernel.ok("%%step Load --keep x\nx = 1", "c1")
    kernel.ok("%%step Fit --keep y\ny = x + 1", "c2")
    kernel.ok("%%step Load --keep x\nx = 10", "c1")

    shown = kernel.ok("%wfnb restore 2 --dry-run")

    assert shown.text.splitlines()[-1] == (
        "! step 2 is stale: read x of step 1, which has run again since"
    )
    assert len(shown.shown[0][MIME]["notes"]) == 2  # and of which step x is


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


def test_tab_offers_what_can_stand_there(kernel: Kernel):
    kernel.ok("%%step Load --keep all\nalpha, beta = 1, 2")
    kernel.ok("%%branch alt --from 1 --keep alpha\nalpha = 3")
    kernel.ok("gamma = 1")

    flags = ["--alone", "--dry-run", "--exact", "--json", "--rerun"]
    words = ["1", "alpha", "alt", "alt:2", "beta", "last", "main"]
    assert kernel.complete("%wfnb restore ") == [*flags, *words]
    assert kernel.complete("%wfnb restore 1 al") == ["alpha", "alt", "alt:2"]
    assert kernel.complete("%%step Load --keep al") == ["alpha"]
    assert kernel.complete("%%step Load --keep alpha,ga") == ["alpha,gamma"]
    assert kernel.complete("%wfnb keep ga") == ["gamma"]
    assert kernel.complete("%wfnb diff 1 be") == ["beta"]
    assert "--restore" in kernel.complete("%%branch alt --re")
