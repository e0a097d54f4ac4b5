"""What JSON cannot hold goes from one Python action to the next as it is, wherever these run."""

from __future__ import annotations

import re
import signal
from collections import OrderedDict, namedtuple
from enum import Enum
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wfnb
from tests.journal.processes import spawn
from wfnb.journal import SqliteJournal
from wfnb.workflows.core.run import Run
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool
from wfnb.workflows.views.run_diff import diff

from .place import gone_on, runner_in, step, steps

pytest.importorskip("cloudpickle")
Point = namedtuple("Point", "x y")


class Text(str):
    def __str__(self) -> str:
        return "another text"


class Whole(int):
    pass


class Share(float):
    pass


class Answer(Enum):
    YES = True
    UNKNOWN = None
    TWO = 2


MADE = {
    "frame": "import pandas as pd\npd.DataFrame({'a': [1, 2, 3], 'b': list('xyz')})",
    "array": "import numpy as np\nnp.arange(12).reshape(3, 4)",
    "bytes": "b'a\\xff'",
    "set": "{1, 'a', None}",
    "keys": "{1: 'a', (2, 3): {4}}",
    "tuple": "(1, (2.5, [3]), float('inf'))",
    "date": "import datetime\ndatetime.date(2026, 2, 3)",
    "number": "import decimal\n{'price': decimal.Decimal('1.10'), 'rate': 3 + 4j}",
    "function": "def double(x): return 2 * x\ndouble",
    "instance": "class Model:\n    def fit(self): return 7\nModel()",
}
SHOWN = {
    "set": "sorted(f, key=repr)",
    "frame": "(f.shape, f.b.tolist(), type(f).__name__)",
    "function": "f(21)",
    "instance": "f.fit()",
}


def make(code: str, **more: Any) -> dict[str, Any]:
    return step("make", "python", args={"code": code, **more})


def use(code: str, name: str = "{make.result}", **more: Any) -> dict[str, Any]:
    return step("use", "python", args={"code": code, "arguments": {"f": name}, **more})


def plainly(code: str, shown: str) -> str:
    """What plain Python shows of what the code makes."""
    *lines, last = code.split("\n")
    space: dict[str, Any] = {"__name__": "__main__"}
    exec("\n".join([*lines, f"f = {last}"]), space)
    return repr(eval(shown, space))


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize("process", [(False, False), (True, True)], ids=["here", "processes"])
def test_a_value_is_what_plain_python_would_have(
    runner: Runner, kind: str, process: tuple[bool, bool]
):
    shown = SHOWN.get(kind, "f")
    first = make(MADE[kind], process=process[0])

    done = runner.run(steps(first, use(f"repr({shown})", process=process[1])))

    assert done.error is None
    assert done.execution_log[1]["result"]["result"] == plainly(MADE[kind], shown)


@pytest.mark.parametrize("process", [False, True], ids=["here", "processes"])
def test_of_two_values_that_differ_in_large_arrays_alone_each_is_its_own(
    runner: Runner, process: bool
):
    """Their pickles are the same: what differs lies beside them."""

    def made(name: str) -> dict[str, Any]:
        return step(name, "python", args={"code": f"import numpy\nnumpy.{name}(100_000)"})

    sums = {
        "code": "[float(x.sum()), float(y.sum())]",
        "arguments": {"x": "{zeros.result}", "y": "{ones.result}"},
        "process": process,
    }

    done = runner.run(steps(made("zeros"), made("ones"), step("sums", "python", args=sums)))

    assert done.final_variables["sums_result"] == [0.0, 100_000.0]


@pytest.mark.parametrize("made", ["pandas.DataFrame({'x': [value] * 3})", "float(value)"])
def test_runs_that_made_other_values_which_look_alike_are_not_the_same(
    runner: Runner, made: str, monkeypatch: pytest.MonkeyPatch
):
    code = f"import os, pandas\nvalue = float(os.environ['VALUE'])\n{made}"

    def ran(value: str, code: str = code) -> Run:
        monkeypatch.setenv("VALUE", value)
        done = runner.run(steps(make(code), use("len(str(f)) > 0")), save=False)
        return runner.log(done.run).run

    assert diff(ran("1"), ran("1"), "x", "y").same
    assert not diff(ran("1"), ran("2"), "x", "y").same
    assert diff(ran("nan"), ran("nan"), "x", "y").same


LOOKS_ALIKE = [
    *("1", "1.0", "True", "Decimal(1)", "Fraction(1)", "'1'", "1 + 0j", "1 + 2**-52"),
    *("0.0", "-0.0", "None", "'None'", "nan", "'nan'", "Decimal('nan')", "inf", "'inf'"),
    *("[1, 2]", "(1, 2)", "range(1, 3)", "[1.0, 2]", "[True, 2]", "{1, 2}", "frozenset({1, 2})"),
    *("{'a': None}", "{}", "{'a': 1}", "{'a': True}", "{1: 'a'}", "{'1': 'a'}", "[{'a': None}]"),
    *("[{}]", "[]", "()", "''", "b''", "b'1'", "date(2024, 1, 2)", "'2024-01-02'", "[nan]"),
]
"""Values that are shown like others, or are equal to them, and are not the same."""


IN_DOUBT = ["Fraction(1)", "1 + 0j", "range(1, 3)", "{1: 'a'}", "b''", "b'1'"]
"""Those of them of which what is shown does not say all."""


@pytest.mark.parametrize(
    ("then", "unknown"),
    [([], IN_DOUBT), ([use("len(str(f)) > 0")], [])],
    ids=["only printed", "kept"],
)
def test_runs_are_the_same_where_what_came_is_and_else_are_not(
    runner: Runner, monkeypatch: pytest.MonkeyPatch, then: list[Any], unknown: list[str]
):
    code = (
        "import os\nfrom datetime import date\nfrom decimal import Decimal\n"
        "from fractions import Fraction\nfrom math import inf, nan\n"
        "{'value': eval(os.environ['VALUE'])}"
    )

    def ran(value: str) -> Run:
        monkeypatch.setenv("VALUE", value)
        return runner.log(runner.run(steps(make(code), *then), save=False).run).run

    first, again = ({each: ran(each) for each in LOOKS_ALIKE} for _ in range(2))

    other = [each for each in LOOKS_ALIKE if not diff(first[each], again[each], "x", "y").same]
    same = [
        (one, two)
        for one in LOOKS_ALIKE
        for two in LOOKS_ALIKE
        if one != two and diff(first[one], again[two], "x", "y").same
    ]
    unsaid = [
        (one, two)
        for one in LOOKS_ALIKE
        for two in LOOKS_ALIKE
        # Two that are kept are told apart by their files, which do not say what they hold.
        if one != two and not then and diff(first[one], again[two], "x", "y").to_dict().get("cut")
    ]
    # Of what is shown and kept nowhere nobody can say that it is the same.
    assert (other, same, unsaid) == (unknown, [], [])


def test_a_number_is_not_the_text_that_says_it(runner: Runner, monkeypatch: pytest.MonkeyPatch):
    code = "import os\n'nan' if os.environ['VALUE'] == 'text' else float('nan')"

    def ran(value: str) -> Run:
        monkeypatch.setenv("VALUE", value)
        return runner.log(runner.run(steps(make(code)), save=False).run).run

    assert not diff(ran("number"), ran("text"), "x", "y").same


DIG = """
n = 0
while isinstance(value, list) and value:
    value, n = value[0], n + 1
[n, type(value).__name__]
"""


@pytest.mark.parametrize("levels", [38, 39, 40, 41, 60])
@pytest.mark.parametrize("process", [False, True], ids=["here", "processes"])
def test_a_list_of_many_levels_comes_whole_or_not_at_all(
    runner: Runner, levels: int, process: bool
):
    code = f"x = []\nfor _ in range({levels}): x = [x]\nx"
    made = step("made", "python", args={"code": code, "process": process})
    inner = {"workflow_definition": {**steps(made), "outputs": {"o": "made.result"}}}
    within = step("within", "run_workflow", args={**inner, "save_on_success": False})

    def dug(read: str, *before: Any) -> Any:
        args = {"code": DIG, "arguments": {"value": read}}
        done = runner.run(steps(*before, step("dug", "python", args=args)), save=False)
        return done.final_variables["dug_result"] if done.success else done.error

    assert dug("{made.result}", made) == [levels, "list"]
    for read in ("{within.outputs.o}", "{within.final_variables.made_result}"):
        found = dug(read, within)
        assert found == [levels, "list"] or "(it is nested too deeply)" in found


LOCKED = {
    "list": "[1]",
    "dict": "{'a': 1}",
    "str": "'s'",
    "int": "1",
    "float": "'nan'",
    "datetime.date": "2020, 1, 2",
    "pathlib.PurePosixPath": "'a'",
}


@pytest.mark.parametrize("kind", LOCKED)
@pytest.mark.parametrize("inside", ["made", "[{'a': made}]"])
def test_the_form_of_what_cannot_be_kept_is_not_passed_for_it(
    runner: Runner, kind: str, inside: str
):
    code = (
        f"import datetime, pathlib, threading\nclass Locked({kind}): pass\n"
        f"made = Locked({LOCKED[kind]})\nmade.lock = threading.Lock()\n{inside}"
    )

    done = runner.run(steps(make(code), use("f")), save=False)

    assert "is a Locked, which JSON cannot hold, so it is not passed on" in (done.error or "")


@pytest.mark.parametrize("made", ["(1, 2)", "[(1, 2)]", "{'a': __import__('numpy').int64(1)}"])
def test_nor_is_that_of_what_nothing_read_when_it_was_made(runner: Runner, made: str):
    fails = step("fails", "shell", args={"command": "test -e there"})
    first = runner.run(steps(make(made), fails), save=False)
    (runner.folder / "there").touch()

    run = gone_on(runner, first.run, workflow=steps(make(made), fails, use("f")))

    assert "so it is not passed on" in (run.error or "")


def test_what_json_holds_is_recorded_as_ever(runner: Runner):
    code = "{'a': [1, 2.5, None, True, 'x'], 'b': {}}"

    done = runner.run(steps(make(code), use("f")))

    events = [entry.event for entry in runner.log(done.run).entries()]
    assert [getattr(event, "cut", {}) for event in events] == [{}] * len(events)
    assert not (runner.home / "values").exists()


def test_what_nothing_reads_is_not_kept(runner: Runner):
    runner.run(steps(make(MADE["array"]), step("other", "python", args={"code": "1"})))

    assert not (runner.home / "values").exists()


ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8"), max_size=6),
    st.binary(max_size=4),
    st.complex_numbers(allow_nan=False),
    st.dates(),
    st.decimals(allow_nan=False),
    st.fractions(),
    st.sampled_from((float("inf"), 2**2000, range(3), ..., slice(1, None), int, len, "\ud800")),
    st.sampled_from(
        (
            numpy.int64(7),
            numpy.float32(0.1),
            numpy.float64("nan"),
            numpy.str_("a"),
            signal.SIGTERM,
            re.IGNORECASE | re.MULTILINE,
            *Answer,
            Text("x"),
            Whole(3),
            Share("inf"),
            Point(1, 2),
            OrderedDict(a=1),
        )
    ),
)
KEYS = st.one_of(
    st.integers(0, 3),
    st.text(max_size=3),
    st.tuples(st.booleans()),
    st.none(),
    st.builds(numpy.str_, st.text(max_size=3)),
)
VALUES = st.recursive(
    ATOMS,
    lambda part: st.one_of(
        st.lists(part, max_size=3),
        st.lists(part, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=3), part, max_size=3),
        st.dictionaries(KEYS, part, max_size=3),
        st.sets(st.integers(0, 9), max_size=3),
        st.frozensets(st.text(max_size=2), max_size=3),
    ),
    max_leaves=8,
)


def exactly(value: Any) -> Any:
    """What differs where a value or a type in it does."""
    if isinstance(value, dict):
        return type(value), [(exactly(key), exactly(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [exactly(item) for item in value]
    return type(value), repr(sorted(value) if isinstance(value, set | frozenset) else value)


@pytest.mark.parametrize("process", [False, True], ids=["here", "processes"])
@given(made=st.lists(VALUES, min_size=12, max_size=12))
@settings(
    max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_random_values_come_through_a_chain_as_in_plain_python(
    runner: Runner, process: bool, made: list[Any]
):
    taken: list[Any] = []

    @tool
    def take(values: Any) -> None:
        taken.append(values)

    runner.namespace = {"made": made}
    passes = {"arguments": {"values": "{first.result}"}, "process": process}
    part = {f"v{n}": f"{{first.result.{n}}}" for n in range(len(made))}

    done = runner.run(
        steps(
            step("first", "python", args={"code": "made", "process": process}),
            step("second", "python", args={"code": "values", **passes}),
            step("parts", "python", args={"code": f"[{', '.join(part)}]", "arguments": part}),
            step("take", "take", args={"values": ["{second.result}", "{parts.result}"]}),
        ),
        save=False,
    )

    assert done.error is None
    assert [exactly(each) for each in taken[0]] == [exactly(made)] * 2


DIES = """
import os
from pathlib import Path
flag = Path(folder, 'flag')
if not flag.exists():
    flag.touch()
    os.kill(os.getpid(), 9)
f['a'].sum()
"""


def run_and_die(home: Path) -> None:
    runner_in(home).run(
        steps(
            step("make", "python", args={"code": MADE["frame"]}),
            step(
                "use",
                "python",
                args={
                    "code": DIES,
                    "arguments": {"f": "{make.result}", "folder": str(home)},
                },
            ),
        )
    )


def killed(home: Path) -> Runner:
    """The runner of a run whose process was killed while an action had a frame."""
    process = spawn.Process(target=run_and_die, args=(home,))
    process.start()
    process.join(60)
    assert process.exitcode == -9
    return runner_in(home)


def test_a_run_that_goes_on_after_a_kill_reads_the_value_again(home: Path):
    run = gone_on(killed(home), lost="again")

    assert (run.status, run.results["use"]["result"]) == ("success", 6)
    assert [call.action for call in run.calls.values()] == ["make", "use", "use"]


def test_of_a_value_that_is_gone_a_run_says_so_and_goes_on_from_where_it_is_made(home: Path):
    runner = killed(home)
    for path in (home / "values").iterdir():
        path.unlink()

    failed = gone_on(runner, lost="again")

    assert failed.error is not None
    assert failed.error.startswith("use: What 'make' made cannot be read again: ")
    assert failed.error.endswith("`--from make` makes it again.")
    assert gone_on(runner, start="make").status == "success"


def test_what_a_run_may_read_again_outlives_a_collection_and_what_it_read_does_not(home: Path):
    runner = killed(home)
    values = wfnb.open("told", home_folder=home).values

    assert values.gc().blobs == 0
    assert gone_on(runner, lost="again").status == "success"
    assert values.gc().blobs > 0
    assert values.usage().blobs == 0


def test_a_value_that_another_user_kept_is_read_once_it_is_trusted(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    fails = step("use", "python", args={"code": "f, 1 / 0", "arguments": {"f": "{make.result}"}})
    name = runner_in(home).run(steps(make(MADE["frame"]), fails)).run
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another"))
    monkeypatch.setattr(SqliteJournal, "is_own", lambda self, run: True)  # trusted before
    mended = steps(make(MADE["frame"]), use("len(f)"))

    error = gone_on(runner_in(home), name, workflow=mended).error
    trusted = wfnb.open("told", home_folder=home).values.trust()

    assert error is not None
    assert "`%wfnb trust`" in error
    assert trusted == 1
    assert gone_on(runner_in(home), name).results["use"]["result"] == 3
