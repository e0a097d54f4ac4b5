"""The store under a real kernel: cut off in the middle, damaged, full, large, somebody else's."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, rmtree
from threading import Event

import pytest

from tests.amount import times
from tests.jupyter.kernel import Kernel, Ran, running

pytestmark = pytest.mark.kernel

KERNELS = times(2, 6)
STEPS, LARGEST = times(20, 200), 105_000_000
THREE = "import numpy as np\na, b, c = (np.full(50_000, n) for n in (1, 2, 3))"
WHICH = "print({name: int(globals()[name][0]) for name in 'abc' if name in globals()})"


@pytest.fixture
def data(tmp_path: Path) -> str:
    """The folder in which programs of one user keep what is his."""
    return str(tmp_path / "data")


@pytest.fixture
def kernel(tmp_path: Path, data: str) -> Iterator[Kernel]:
    with running(tmp_path / "kernel", tmp_path / "home", XDG_DATA_HOME=data) as kernel:
        kernel.ok("%wfnb start demo")
        yield kernel


def file_of(home: Path, number: int) -> Path:
    """The file of the array that is full of the number."""
    content = number.to_bytes(8, sys.byteorder) * 50_000
    (found,) = [file for file in (home / "values").iterdir() if file.read_bytes() == content]
    return found


def parts(home: Path) -> list[Path]:
    """What was being written as its process was killed."""
    return list((home / "values").glob(".part-*"))


def why(ran: Ran) -> dict[str, str]:
    """Of each name that did not come back, the reason."""
    (shown,) = ran.shown
    names = shown["application/vnd.wfnb+json"]["names"]
    return {entry["name"]: entry["why"] for entry in names if entry["way"] == "cannot"}


def test_a_kernel_killed_with_half_a_value_written_leaves_a_store_that_works(
    kernel: Kernel, tmp_path: Path, data: str
):
    kernel.ok(f"%%step Before --keep a,b,c\n{THREE}")
    kernel.ok(
        "import os, threading, wfnb.values.store as store\n"
        "def half(file, chunks):\n"
        "    os.write(file, chunks[0][: len(chunks[0]) // 2])\n"
        "    print('waiting', flush=True)\n"
        "    threading.Event().wait(60)\n"
        "    yield b''\n"
        "store._copies = half"
    )

    next(kernel.published(kernel.send("%%step Killed --keep a\na = a + 6")))
    kernel.kill()

    with running(tmp_path / "next", tmp_path / "home", XDG_DATA_HOME=data) as after:
        after.ok("%wfnb resume demo")
        assert [step["outcome"] for step in after.status()["steps"]] == ["ok", "interrupted"]
        assert after.status()["steps"][1]["kept"] == {
            "names": [],
            "not_kept": {"a": "the step was interrupted"},
        }
        assert after.run("%wfnb restore 2 --alone").refusal == (
            "Step 2 kept nothing. Run it again with `--keep NAMES`. Steps that kept values: 1."
        )
        after.ok("%wfnb restore 1")
        assert after.ok(WHICH).stdout == "{'a': 1, 'b': 2, 'c': 3}\n"
        assert parts(tmp_path / "home") != []
        after.ok("%wfnb gc")
        assert parts(tmp_path / "home") == []
        after.ok("%wfnb restore 1")


def test_kernels_killed_at_random_moments_lose_no_value_that_was_answered(
    tmp_path: Path, data: str
):
    chance = random.Random(6)
    home = tmp_path / "home"
    answered: list[int] = []

    for life in range(KERNELS):
        with running(tmp_path / f"life-{life}", home, XDG_DATA_HOME=data) as kernel:
            kernel.ok("%wfnb open notebook")
            kernel.ok("import numpy as np")
            cells = {
                number: f"%%step Step {number} --keep a\na = np.full(500_000, {number})"
                for number in range(life * 100, life * 100 + 20)
            }
            requests = {number: kernel.send(cell) for number, cell in cells.items()}
            for number in list(requests)[: chance.randint(1, 8)]:
                (found,) = kernel.published(requests[number])
                assert found["msg_type"] == "display_data"
                answered.append(number)
            Event().wait(chance.uniform(0, 0.01))
            kernel.kill()

    with running(tmp_path / "after", home, XDG_DATA_HOME=data) as kernel:
        steps = kernel.status()["steps"]
        back = set()
        for step in steps:
            names = step.get("kept", {}).get("names", [])
            assert bool(names) == (step["outcome"] == "ok"), step
            if names:
                kernel.ok(f"%wfnb restore {step['number']}")
                found = kernel.ok("print(int(a.min()), int(a.max()), a.size)").stdout
                number = int(step["description"].removeprefix("Step "))
                assert found == f"{number} {number} 500000\n"
                back.add(number)
    assert set(answered) <= back


def test_many_steps_that_keep_the_same_100_mb_take_105_mb(kernel: Kernel, tmp_path: Path):
    kernel.ok("import numpy as np\narray = np.random.default_rng(0).random(12_500_000)")

    for number in range(1, STEPS + 1):
        kernel.ok(f"%%step Step {number} --keep array,number\nnumber = {number}")

    store = tmp_path / "home" / "values"
    size = sum(file.stat().st_size for file in store.iterdir())
    kernel.ok("total = array.sum()\ndel array, number\n%wfnb restore 7")
    found = kernel.ok("print(number, bool(total == array.sum()))").stdout
    rmtree(store)  # or three runs of the tests leave 300 MB behind
    assert 100_000_000 < size <= LARGEST
    assert found == "7 True\n"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda file: file.unlink(), "is missing"),
        (lambda file: file.write_bytes(file.read_bytes()[:1000]), "1,000"),
        (lambda file: file.write_bytes(b"x" * 400_000), "does not hold what was written"),
    ],
    ids=["missing", "truncated", "corrupt"],
)
def test_of_a_damaged_store_the_other_values_come_back(
    kernel: Kernel, tmp_path: Path, damage: Callable[[Path], object], says: str
):
    kernel.ok(f"%%step Three --keep a,b,c\n{THREE}")
    kernel.ok("del a, b, c")
    damage(file_of(tmp_path / "home", 2))

    ran = kernel.ok("%wfnb restore 1")

    assert list(why(ran)) == ["b"]
    assert says in why(ran)["b"]
    assert "\n" not in why(ran)["b"]
    assert ran.stderr == ""
    assert kernel.ok(WHICH).stdout == "{'a': 1, 'c': 3}\n"


def test_where_no_file_can_grow_so_large_the_step_says_so_and_keeps_the_rest(
    kernel: Kernel, tmp_path: Path
):
    kernel.ok("import numpy as np, resource\nsmall, large = [1], np.zeros(500_000)")
    kernel.ok("resource.setrlimit(resource.RLIMIT_FSIZE, (3_000_000, resource.RLIM_INFINITY))")

    ran = kernel.ok("%%step Full --keep small,large\n1")

    assert ran.answer["kept"] == {
        "names": ["small"],
        "not_kept": {"large": "there is no room on the disk for its 4 MB"},
    }
    assert parts(tmp_path / "home") == []
    kernel.ok("del small\n%wfnb restore 1")
    assert kernel.ok("print(small)").stdout == "[1]\n"


EVIL = """
class Evil:
    def __reduce__(self):
        return eval, ("__import__('pathlib').Path({mark!r}).touch()",)
evil, data = Evil(), [1, 2]
"""


def test_what_came_with_a_repository_runs_no_code_before_it_is_trusted(
    kernel: Kernel, tmp_path: Path
):
    mark = tmp_path / "mark"
    kernel.ok(f"%%step Theirs --keep evil,data\n{EVIL.format(mark=str(mark))}")
    kernel.ok("%%step Theirs --keep evil,data\nevil, data = Evil(), [3]")
    copytree(tmp_path / "home", tmp_path / "repository" / ".wfnb")
    mark.unlink(missing_ok=True)
    own = str(tmp_path / "mine")

    with running(tmp_path / "mine", tmp_path / "repository" / ".wfnb", XDG_DATA_HOME=own) as other:
        other.ok("%wfnb resume demo")
        other.ok("%wfnb restore 1 --dry-run")
        for asked in ("restore 1", "restore 1 data", "restore last", "diff 1 2"):
            assert "saved by another user" in other.run(f"%wfnb {asked}").refusal
        assert "saved by another user" in other.run("%%branch alt --from 1 --restore\n1").refusal
        other.ok("import wfnb\nws = wfnb.open('demo')\n%wfnb show 1\n%wfnb status\n%wfnb compare")
        assert "StoreForeign" in other.run("ws.restore(1)").traceback
        assert not mark.exists()

        other.ok("%wfnb trust")
        other.ok("%wfnb restore 1 data")
        assert other.ok("print(data)").stdout == "[1, 2]\n"
        assert not mark.exists()
        other.ok("%wfnb restore 1")
        assert mark.exists()
