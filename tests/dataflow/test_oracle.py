"""✓ means true: random notebooks, used in any order, against their lines run from the top."""

from pathlib import Path
from typing import Any

import pytest

from tests.amount import times
from tests.dataflow.kernel import Kernel as Shell
from tests.dataflow.kernel import Observation, Place
from tests.dataflow.lines import Lines, Recorded
from tests.dataflow.marks import Program, check
from tests.dataflow.notebooks import (
    Cell,
    Confirm,
    Edit,
    Event,
    Notebook,
    Restart,
    Run,
    RunAll,
    notebook,
)
from tests.dataflow.oracle import run
from tests.dataflow.shared_home import HOME
from tests.dataflow.shrinking import readable, shrunk
from tests.dataflow.values import canonical
from tests.jupyter.kernel import Kernel, running

PROGRAMS: dict[str, tuple[int, ...]] = {
    "plain": (*range(times(12, 120)), 5684, 20131, 20159, 102575, 104301, 405315, 9401363),
    "aliases": (*range(times(6, 25)), 665),
    "confirm": (*range(times(6, 25)),),
    "hidden": (*range(times(6, 25)),),
    "conditional": (*range(times(6, 25)),),
    "lazy": (*range(times(6, 25)),),
    "reach": (*range(times(20, 60)), 10489, 11280),
    "loads": (*range(times(5, 15)), 27),
    "keeps": (*range(times(6, 25)), 164),
    "redefines": (*range(times(6, 25)),),
    "behind": (*range(times(6, 25)), 60307, 60976, 61104),
}
X = Cell("cell-1", "x = 1", "%%step X")
Y = Cell("cell-2", "y = x + 1", "%%step Y")


@pytest.mark.parametrize("mode", PROGRAMS)
def test_no_step_is_shown_as_true_that_is_not(mode: Any):
    summary = run(PROGRAMS[mode], mode)

    shown = [readable(shrunk(notebook(seed, mode))) for seed in summary["wrong_seeds"][:1]]
    assert summary["broken"] == summary["untrue_reasons"] == {}
    assert summary["wrong"] == 0, f"{summary}\n{''.join(shown)}"
    assert summary["ok"] > 15 * len(PROGRAMS[mode])
    assert summary["needless"] <= summary["stale"] / (10 if mode == "plain" else 6), summary


@pytest.mark.parametrize("mode", ["plain", "aliases"])
def test_what_runs_once_from_the_top_gives_what_its_line_gives(mode: Any):
    oks = 0

    for seed in range(times(20, 40)):
        cells = notebook(seed, mode).cells
        on_main = (cell for cell in cells if cell.header and cell.branch == "main")
        steps = tuple(cell for cell in on_main if cell.revises is None)
        result = check(Notebook(steps, (RunAll(),)))
        oks += result.counts["ok"]
        assert result.wrong == []

    assert oks >= times(20, 41)


def test_the_oracle_sees_a_step_that_is_shown_as_true_on_an_old_value(
    monkeypatch: pytest.MonkeyPatch,
):
    marks = Shell.marks
    monkeypatch.setattr(Shell, "marks", lambda self: [{**m, "stale": False} for m in marks(self)])

    result = check(Notebook((X, Y), (RunAll(), Edit(X.id, "x = 5"))))

    (wrong,) = result.wrong
    assert (wrong.event, wrong.place, wrong.why) == (
        1,
        Place("main", 2),
        "y was 2, its line gives 6",
    )


def test_the_oracle_sees_a_needless_mark(monkeypatch: pytest.MonkeyPatch):
    marks = Shell.marks
    said = {"stale": True, "stale_reason": "it is"}
    monkeypatch.setattr(Shell, "marks", lambda self: [{**m, **said} for m in marks(self)])

    result = check(Notebook((X, Y), (RunAll(),)))

    assert (result.counts["stale"], result.counts["needless"]) == (2, 2)


LIMIT = Cell("cell-0", "limit = 4")
LATER = Cell("cell-3", "limit = 7")
ZS = Cell("cell-1", "zs = [limit, 8]", "%%step Setup")
APPEND = Cell("cell-2", "zs.append(1)", "%%step Append")
N = Cell("cell-2", "n = 5\nzs.append(n)", "%%step Append")


def test_what_ran_again_over_what_a_confirmed_step_gives_is_no_other_result_than_was_confirmed():
    events = (RunAll(), Run(APPEND.id), Confirm(), Restart(), RunAll())
    book = Notebook((LIMIT, ZS, LATER, APPEND), events)

    result = check(book)

    shown = [[stale for _, _, stale in marks] for marks in result.marks]
    assert shown[1:] == [[True, True], *[[False, False]] * 3]
    assert result.wrong == []


def test_a_confirmed_step_rests_on_no_name_that_it_assigns_first():
    edit = Edit(LATER.id, "limit = 7\nn = 3")

    assert check(Notebook((LIMIT, ZS, LATER, N), (RunAll(), Confirm("2"), edit))).wrong == []


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Run(APPEND.id), "another result was confirmed: zs was [4, 8, 1, 1, 1], then [4, 8, 1, 1]"),
        (Edit(ZS.id, "zs = [9]"), "it was confirmed for zs = [4, 8], its line gives [9]"),
    ],
)
def test_the_oracle_sees_a_confirmed_step_that_is_shown_as_true_over_something_else(
    event: Event, why: str, monkeypatch: pytest.MonkeyPatch
):
    book = Notebook((LIMIT, ZS, APPEND), (RunAll(), Run(APPEND.id), Confirm(), event))
    marks = Shell.marks
    calls = iter(range(100))

    def after_the_confirmation(self: Shell) -> list[dict[str, Any]]:
        found = marks(self)
        return found if next(calls) < 4 else [{**mark, "stale": False} for mark in found]

    monkeypatch.setattr(Shell, "marks", after_the_confirmation)

    assert [wrong.why for wrong in check(book).wrong] == [why]


def test_a_shrunk_notebook_has_only_what_makes_it_wrong(monkeypatch: pytest.MonkeyPatch):
    marks = Shell.marks
    monkeypatch.setattr(Shell, "marks", lambda self: [{**m, "stale": False} for m in marks(self)])
    z = Cell("cell-3", "z = 3\nprint(z)", "%%step Z")
    events = (RunAll(), Run(z.id), Restart(), RunAll(), Edit(X.id, "w = 4\nx = 5"), Run(z.id))

    small = shrunk(Notebook((X, z, Y), events))

    assert small == Notebook((X, Y), (RunAll(), Edit(X.id, "x = 5")))


def test_a_line_runs_each_step_followed_by_its_revisions():
    lines = Lines(leaves={"alt": Place("main", 2), "deep": Place("alt", 3)})
    for branch, number, revises in (
        *(("main", 1, None), ("main", 2, None), ("main", 3, None)),
        *(("main", 4, Place("main", 1)), ("main", 5, Place("main", 3)), ("main", 6, None)),
        *(("main", 7, Place("main", 4)), ("alt", 3, None), ("alt", 4, Place("main", 2))),
        *(("alt", 5, None), ("deep", 4, None)),
    ):
        place = Place(branch, number)
        lines.steps[place] = Recorded(place, "", revises)

    orders = {
        branch: " ".join(str(step.place) for step in lines.from_the_top(branch))
        for branch in ("main", "alt", "deep")
    }

    assert orders == {
        "main": "1 4 7 2 3 5 6",
        "alt": "1 4 7 2 alt:4 alt:3 alt:5",
        "deep": "1 4 7 2 alt:4 alt:3 deep:4",
    }


def test_equal_values_have_one_text_and_others_have_another():
    def of(code: str) -> str:
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(code, names)
        return canonical(names["v"])

    same = (
        ("v = {8, 0}", "v = {0, 8}"),
        ("def v(a): return a + 1", "\n\ndef v(a): return a + 1"),
        ("class C:\n    n = 1\nv = C()", "class C:\n    n = 1\nv = C()"),
        ("import pandas as pd\nv = pd.DataFrame({'a': [1]})",) * 2,
    )
    others = (
        ("v = 1", "v = 1.0"),
        ("v = {'a': 1, 'b': 2}", "v = {'b': 2, 'a': 1}"),
        ("def v(a): return a + 1", "def v(a): return a + 2"),
        ("def v(a, b=1): return a", "def v(a, b=2): return a"),
        (
            "k = 1\ndef m(k):\n    return lambda: k\nv = m(1)",
            "def m(k):\n    return lambda: k\nv = m(2)",
        ),
        ("class C:\n    n = 1\nv = C()", "class C:\n    n = 2\nv = C()"),
        ("a = []\nv = [a, a]", "v = [[], []]"),
        ("import numpy as np\nv = np.arange(3)", "import numpy as np\nv = np.arange(3.0)"),
        (
            "import pandas as pd\nv = pd.DataFrame({'a': [1]})",
            "import pandas as pd\nv = pd.Series([1])",
        ),
    )

    assert [of(one) == of(two) for one, two in same] == [True] * len(same)
    assert [of(one) == of(two) for one, two in others] == [False] * len(others)


def test_a_seed_names_the_same_notebook_every_time():
    assert [notebook(seed) for seed in range(20)] == [notebook(seed) for seed in range(20)]
    assert notebook(1) != notebook(1, "aliases")


class _KernelOfItsOwn:
    """A real kernel, run as the shell of the oracle is."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        kernel.ok("%wfnb start demo")

    def run(self, source: str, cell: str) -> tuple[Observation, dict[str, Any] | None]:
        ran = self.kernel.run(source, cell)
        answers = [bundle for bundle in (_answer(each) for each in ran.shown) if bundle]
        error = None if ran.status == "ok" else "failed"
        return Observation(error, "", ""), answers[-1] if answers else None

    def say(self, line: str) -> None:
        self.kernel.run(line)

    def marks(self) -> list[dict[str, Any]]:
        return list(self.kernel.status()["steps"])

    def restart(self) -> None:
        self.kernel.restart()
        self.kernel.ok("%wfnb resume demo")

    def stop(self) -> None: ...


def _answer(bundle: dict[str, Any]) -> dict[str, Any] | None:
    found = bundle.get("application/vnd.wfnb+json", {})
    return found if "step_number" in found else None


@pytest.mark.kernel
def test_a_real_kernel_shows_the_marks_that_the_shell_of_the_oracle_shows(tmp_path: Path):
    book = notebook(13, events=8)  # it has branches, a restart, and marks of both kinds

    with running(tmp_path) as kernel:
        real = Program(book, _KernelOfItsOwn(kernel)).play()
    with HOME as session:
        quick = Program(book, Shell(session)).play()

    assert real.marks == quick.marks
    assert any(stale for marks in quick.marks for _, _, stale in marks)
