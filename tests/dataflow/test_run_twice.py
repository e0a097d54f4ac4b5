"""Cells that run in order, once and again, are fresh: they did nothing that their line does not."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from tests.dataflow.kernel import Kernel
from tests.jupyter.kernel import running

NOTEBOOKS = {
    "a loop": ("readings = [20.5, 21.5]", "for v in readings:\n    w = v / 2\nw", "round(w)"),
    "equal objects": ("rate = 1.1", "if rate > 1:\n    label = 'high'\nlabel", "len(label)"),
    "a try": (
        "rates = {'eur': 2}",
        "try:\n    r = rates['eur']\nexcept KeyError:\n    1\nr",
        "r + 1",
    ),
    "a with": (
        "from contextlib import contextmanager\nstack = []\n@contextmanager\n"
        "def level(n):\n"
        "    stack.append(n)\n    try:\n        yield len(stack)\n"
        "    finally:\n        stack.pop()",
        "with level('a') as one:\n    deep = list(stack)\ndeep",
    ),
    "much": (
        "sizes = [9_000]",
        "for n in sizes:\n    rows = [[n] for n in range(n)]\nrows[0]",
        "len(rows)",
    ),
    "an iterator": (
        "lines = ['a', 'b']",
        "it = iter(lines)",
        "next(it)",
        "lines.append('c')",
        "list(it)",
    ),
    "a class": (
        "class A:\n    rate = 1\n    def pay(self, x):\n        self.balance = x",
        *("a = A()", "a.pay(5)", "A.rate = 2", "a.rate"),
    ),
    "a script": ("open('script_.py', 'w').write('q = 7').real", "%run script_.py", "q + 1"),
    "a name that is put together": ("k = 'q'", "globals()[k] = 7", "q + 1", "z = q"),
    "code that is put together": ("k = 'q'", "exec(k + ' = True')", "not q", "exec(k + ' = None')"),
    "a function that keeps a frame": (
        "from functools import cache\nimport pandas as pd\n@cache\ndef load():\n"
        "    rows = []\n    rows.append(1)\n    return pd.DataFrame({'a': rows})",
        *("df = load()", "n = {}\nn['rows'] = len(load())", "df.a.sum()"),
    ),
    "a class of a library": (
        "import pandas as pd\ndf = pd.DataFrame({'a': [1]})",
        *("pd.DataFrame.total = lambda self: int(self.sum().sum())", "df.total()"),
    ),
    "a counter": (
        "import itertools, dataclasses\nids = itertools.count()",
        "@dataclasses.dataclass\nclass P:\n"
        "    id: int = dataclasses.field(default_factory=ids.__next__)",
        *("p = P()", "p.id"),
    ),
    "a setting that another cell sets, too": (
        "import pandas as pd\npd.set_option('display.max_rows', 11)",
        *("pd.DataFrame({'a': [1]})", "pd.options.display.max_rows = 11"),
    ),
    "a drawing of what was changed before": (
        "import pandas as pd\nfrom matplotlib.figure import Figure",
        *("df = pd.DataFrame({'v': [1, 2]})", "ax = Figure().subplots()", "df['w'] = 3"),
        *("df['z'] = 4\nax.plot(df.z)", "len(ax.lines)"),
    ),
    "two objects that one cell changes": (
        "a = {'a': 4}",
        "from collections import defaultdict\nd = defaultdict(list)",
        *("part = d['k']", "a.pop('a', None)\nd['k'].append(2)", "len(part)"),
    ),
    "an enumeration, as a default of a data class": (
        "from enum import Enum\nfrom dataclasses import dataclass\nclass Kind(Enum):\n    A = 1",
        *("@dataclass\nclass Item:\n    kind: Kind = Kind.A", "items = [Item()]", "str(items)"),
    ),
    "classes of one base of a library": (
        "from abc import ABC\nclass A(ABC):\n    rows = []",
        *(
            "class B(A):\n    held = A",
            "b = B()",
            "b.rows.append(1)",
            "class C(ABC): pass",
            "str(b)",
        ),
    ),
    "what comes to be shared": (
        "class M: pass\nm = M()\nm.rows = [1]",
        *("log = []", "log.append(1)", "m.rows.append(2)\nlog.append(m.rows)", "len(log)"),
    ),
}


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    with pd.option_context("display.max_rows", 60):
        made = Kernel("twice")
        yield made
        made.stop()
    if "total" in vars(pd.DataFrame):
        del pd.DataFrame.total


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_what_ran_in_order_is_fresh_each_time(kernel: Kernel, name: str):
    for _ in range(3):
        for number, code in enumerate(NOTEBOOKS[name], 1):
            assert kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}") is None
        assert [step["number"] for step in kernel.marks() if step["stale"]] == []


def test_a_loop_that_binds_nothing_shows_what_was_there(kernel: Kernel):
    loop = "for v in xs:\n    w = v\nw"
    for number, code in ((1, "xs = [1]"), (2, loop), (1, "xs = []"), (2, loop)):
        kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}")

    assert [step["number"] for step in kernel.marks() if step["stale"]] == [2]


def test_a_setting_set_again_by_a_cell_that_was_edited_is_the_same(kernel: Kernel):
    cells = {
        1: "import pandas as pd",
        2: "pd.set_option('display.max_rows', 11)",
        3: "pd.Series([1])",
    }
    for number, code in (*cells.items(), (2, f"n = 1\n{cells[2]}")):
        kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}")

    assert [step["number"] for step in kernel.marks() if step["stale"]] == []


@pytest.mark.parametrize("shows", ["", "\nq"], ids=["alone", "and its name"])
@pytest.mark.parametrize("edited", ["q = 9", "q = 7\nz = 1", "q = 7 if True else 8"])
def test_a_script_binds_all_its_names_however_it_was_edited(
    kernel: Kernel, edited: str, shows: str
):
    for script in ("q = 7", edited):
        Path("script_.py").write_text(script)
        for _ in range(2):
            kernel.say(f"%%step 1 Cell\n%run script_.py{shows}", "cell-1")
            kernel.say("%%step 2 Cell\nr = q + 1", "cell-2")

            assert [step["number"] for step in kernel.marks() if step["stale"]] == []


def test_a_script_that_runs_after_a_name_was_read_has_not_bound_it_before(kernel: Kernel):
    Path("script_.py").write_text("q = 7")
    for number, code in ((1, "q = 1"), (2, "r = q\n%run script_.py"), (1, "q = 2")):
        kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}")

    assert [step["number"] for step in kernel.marks() if step["stale"]] == [2]


@pytest.mark.parametrize(
    ("first", "then"),
    [("%run script_.py", "z = 7"), ("exec(k + ' = 7')", "k = 'z'"), ("exec(s)", "w = 0")],
)
def test_code_that_binds_a_name_no_longer_gives_it_to_none(kernel: Kernel, first: str, then: str):
    Path("script_.py").write_text("q = 7")
    made = "k, w, s = 'q', 1, 'if w: q = 7'"
    for number, code in ((1, made), (2, first), (3, "q + 1"), (2, first)):
        kernel.say(f"%%step {number} Cell\n{code}", f"cell-{number}")
    assert [step["number"] for step in kernel.marks() if step["stale"]] == []

    Path("script_.py").write_text("z = 7")
    kernel.say(f"%%step 1 Cell\n{made}; {then}", "cell-1")
    kernel.say(f"%%step 2 Cell\n{first}", "cell-2")

    assert [step["number"] for step in kernel.marks() if step["stale"]] == [3]


@pytest.mark.kernel
def test_a_cell_that_loads_a_library_and_sets_its_options_may_run_again(tmp_path: Path):
    with running(tmp_path) as kernel:
        kernel.ok("%wfnb start options")
        for cell, source in (
            *(("set", "import pandas as pd\npd.set_option('display.max_columns', 21)"),),
            *(("show", "%%step Show\npd.DataFrame({'a': [1]})"),),
            *(("set", "import pandas as pd\npd.set_option('display.max_columns', 21)"),),
        ):
            kernel.ok(source, cell)
        assert [step["stale_reason"] for step in kernel.status()["steps"]] == [None]

        kernel.ok("import pandas as pd\npd.set_option('display.max_columns', 5)", "set")
        assert [step["stale"] for step in kernel.status()["steps"]] == [True]
