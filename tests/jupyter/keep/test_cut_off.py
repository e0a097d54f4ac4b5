"""Keeping that is interrupted, or killed with its kernel, leaves what was kept before."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel


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

    kernel.interrupted(cell, cell_id="c1")
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
