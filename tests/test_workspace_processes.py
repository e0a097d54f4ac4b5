"""A session in several processes: one that dies in a step, one without IPython."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import wfnb
from wfnb.core.commands import AddStep
from wfnb.process_identity import has_ended, process

RUNNING = """
import sys, wfnb
ws = wfnb.open("drift", home_folder=sys.argv[1])
ws.step("Load")
ws.steps.begin(ws.steps.command_for("Train for a while"))
print("running", flush=True)
sys.stdin.read()
"""
PLAIN = """
import sys, wfnb
assert len(sys.modules) < 100 or "wfnb.core" not in sys.modules
ws = wfnb.open("drift", home_folder=sys.argv[1])
ws.step("Load", total=2)
ws.step("Fit", branch="alt", values={"rmse": 0.5})
ws.score("alt", 0.5)
ws.status()
ws.undo()
heavy = ("IPython", "ipywidgets", "jsonschema", "pygraphviz", "nbformat", "ipykernel", "yaml")
print([name for name in heavy if name in sys.modules])
"""


def started(script: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_step_whose_process_was_killed_is_interrupted_and_can_run_again(tmp_path):
    with started(RUNNING, tmp_path) as child:
        assert child.stdout.readline() == "running\n"
        child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL

    ws = wfnb.open("drift", home_folder=tmp_path)

    step = ws.log.find(2)
    assert (step.current.description, step.running) == ("Train for a while", None)
    assert ws.views.answer(step).outcome == "interrupted"
    assert ws.views.answer(step).error == "the kernel ended while it ran"
    assert ws.step("Train for a while", number=2).outcome == "ok"


def test_a_step_whose_process_lives_is_left_running(tmp_path):
    with started(RUNNING, tmp_path) as child:
        assert child.stdout.readline() == "running\n"

        ws = wfnb.open("drift", home_folder=tmp_path)

        assert ws.views.answer(ws.log.find(2)).outcome == "running"
        child.communicate()
    assert child.returncode == 0
    assert ws.views.answer(ws.log.find(2)).outcome == "running"
    assert wfnb.open("drift", home_folder=tmp_path).log.find(2).outcome.status == "interrupted"


def test_the_end_of_a_process_is_recorded_once(tmp_path):
    with started(RUNNING, tmp_path) as child:
        child.communicate()

    first = wfnb.open("drift", home_folder=tmp_path).log.entries()

    assert wfnb.open("drift", home_folder=tmp_path).log.entries() == first


@pytest.mark.parametrize("name", [None, "", "elsewhere 1 abc", "no such form"])
def test_a_process_that_cannot_be_asked_is_not_known_to_be_gone(tmp_path, name):
    ws = wfnb.open("drift", home_folder=tmp_path)
    ws.log.do(AddStep(description="a", process=name))

    assert not has_ended(name)
    assert wfnb.open("drift", home_folder=tmp_path).log.find(1).running is not None


def test_this_process_is_known_by_more_than_its_number():
    host, number, nonce, *_ = process().split()

    assert not has_ended(process())
    assert has_ended(f"{host} {number} {nonce}x")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not say it")
def test_a_number_that_was_given_out_again_is_another_process():
    host, _, nonce, born = process().split()

    assert not has_ended(f"{host} {os.getppid()} {nonce}")
    assert has_ended(f"{host} {os.getppid()} {nonce} {int(born) + 1}")


def test_a_script_needs_no_ipython_and_nothing_heavy(tmp_path):
    with started(PLAIN, tmp_path) as child:
        said, _ = child.communicate()

    assert (child.returncode, said) == (0, "[]\n")


SCRATCH = """
import os, signal, sys, wfnb
ws = wfnb.open("drift", scratch=True)
ws.step("Load", keep={"x": [1]})
print("kept", flush=True)
sys.stdin.read()
"""


def test_what_a_killed_process_kept_in_memory_only_goes_with_the_next(
    tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with started(SCRATCH, tmp_path) as killed, started(SCRATCH, tmp_path) as living:
        assert (killed.stdout.readline(), living.stdout.readline()) == ("kept\n", "kept\n")
        killed.kill()
        killed.wait()
        left = len([*tmp_path.iterdir()])

        wfnb.open("other", home_folder=tmp_path / "home").values.gc()

        assert (left, len([*tmp_path.glob("wfnb-*")])) == (2, 1)
        living.stdin.close()
        living.wait()
    assert [*tmp_path.glob("wfnb-*")] == []
