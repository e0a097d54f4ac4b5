"""Signals, and a reader that goes away: what was recorded stays."""

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .command import PATIENCE, WFNB, Desk, asks, events, hung_up, open_gate, steps, until

ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def undone_on_cancel(made: Path, gate: Path) -> dict[str, Any]:
    """It makes a file, waits, and takes the file away again when it is stopped."""
    definition = steps(f"touch {made}", f"echo waits; cat {gate}", rollback_on_cancel=True)
    definition["steps"][0]["compensation"] = {"tool": "shell", "args": {"command": f"rm {made}"}}
    return definition


@pytest.mark.parametrize("number", ENDING, ids=lambda each: each.name)
def test_a_signal_stops_the_run_and_undoes_where_the_workflow_says_so(desk: Desk, number):
    gate, made = desk.gate(), desk.folder / "made"

    with desk.begun("run", desk.write(undone_on_cancel(made, gate))) as running:
        until(running, "▶ b")
        running.send_signal(number)
        rest = events(running.stdout.read().splitlines())
        running.wait()

    said = "it was interrupted" if number == signal.SIGINT else f"{number.name} came"
    assert rest == [
        f"stopping: {said} · what succeeded is undone",
        "b: ⊘ cancelled, it was stopped",
        "↶ undoing a (shell)",
        "undoing a: ✓ ok",
        f"work-1 ⊘ cancelled: {said}",
        "! `wfnb resume work-1` goes on from there",
    ]
    assert (running.returncode, made.exists()) == (128 + number, False)


def test_a_closed_terminal_stops_the_run_and_undoes_where_the_workflow_says_so(desk: Desk):
    gate, made = desk.gate(), desk.folder / "made"

    with desk.terminal("run", desk.write(undone_on_cancel(made, gate))) as child:
        child.expect("│ waits")
        code = hung_up(child)

    run = desk.wfnb("runs", "--json").data["runs"][0]
    assert (code, run["status"], made.exists()) == (129, "cancelled", False)


def test_a_terminal_that_closes_while_a_question_is_open_stops_the_run(desk: Desk):
    for secret in (False, True):
        with desk.terminal("run", desk.write(asks(question="Go?", secret=secret))) as child:
            child.expect_exact("? ask asks: Go? ")
            code = hung_up(child)

        assert code == 129
        assert desk.wfnb("runs", "--json").data["runs"][-1]["status"] == "cancelled"


def test_several_hangups_are_one_wish_to_stop_and_another_signal_stops_at_once(desk: Desk):
    gate, never, made = desk.gate(), desk.gate("never"), desk.folder / "made"
    definition = undone_on_cancel(made, gate)
    definition["steps"][0]["compensation"]["args"]["command"] = f"cat {never}; rm {made}"

    with desk.begun("run", desk.write(definition)) as running:
        until(running, "▶ b")
        running.send_signal(signal.SIGHUP)
        until(running, "↶ undoing a")
        running.send_signal(signal.SIGHUP)
        running.send_signal(signal.SIGTERM)
        rest = events(running.stdout.read().splitlines())
        running.wait()

    assert "undoing a: ⊘ cancelled, it was stopped" in rest
    assert (running.returncode, made.exists()) == (129, True)


def test_a_hangup_that_the_process_was_told_to_ignore_is_ignored(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps(f"cat {gate}"))

    def as_nohup() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with desk.begun("run", file, preexec_fn=as_nohup) as running:
        until(running, "▶ a")
        running.send_signal(signal.SIGHUP)
        open_gate(gate)
        running.wait()

    assert running.returncode == 0


@pytest.mark.parametrize("number", ENDING, ids=lambda each: each.name)
@pytest.mark.parametrize("word", ["exit 0", "exit 3"])
def test_a_signal_that_comes_after_the_end_of_a_run_does_not_change_its_code(
    desk: Desk, number: int, word: str
):
    gate = desk.gate()
    # A thread for which Python waits as it ends, until the process is ended.
    held = f"import threading; threading.Thread(target=open, args=({str(gate)!r},)).start()"
    definition = steps(word)
    definition["steps"].insert(0, {"id": "held", "tool": "python", "args": {"code": held}})

    with desk.begun("run", desk.write(definition)) as running:
        until(running, "work-1 ✓" if word == "exit 0" else "work-1 ✕")
        running.send_signal(number)
        running.wait(PATIENCE)
        complaints = running.stderr.read()

    assert (running.returncode, complaints) == (0 if word == "exit 0" else 1, "")


@pytest.mark.parametrize("number", ENDING, ids=lambda each: each.name)
def test_a_success_that_nobody_reads_is_one_when_it_is_ended(desk: Desk, number: int):
    file = desk.write(steps("head -c 150000 /dev/zero | tr '\\0' a"))

    # Its JSON is more than a pipe holds.
    with desk.begun("run", file, "--json") as running:
        while [run["status"] for run in desk.wfnb("runs", "--json").data["runs"]] != ["success"]:
            assert running.poll() is None
        running.send_signal(number)
        running.wait(PATIENCE)

    assert running.returncode == 0


def test_an_interrupt_ends_only_the_log_that_follows(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps(f"cat {gate}"))

    with desk.begun("run", file) as running:
        until(running, "▶ a")
        with desk.begun("log", "last", "--follow") as following:
            until(following, "▶ a")
            following.send_signal(signal.SIGINT)
            following.wait()
            assert following.stderr.read() == ""
        open_gate(gate)
        running.wait()

    assert (following.returncode, running.returncode) == (130, 0)


def test_a_failed_run_goes_on_with_other_variables_from_the_state_that_is_named(desk: Desk):
    file = desk.write(steps("echo first", "exit {code}"))
    desk.wfnb("run", file, "--var", "code=3")

    said = desk.wfnb("resume", "work-1", "--from", "b", "--var", "code=0")

    assert said.code == 0
    assert said.lines[:3] == ["work-1 goes on from b", "▶ b (shell)", "b: ✓ ok"]


def test_a_run_goes_on_when_its_reader_is_gone(desk: Desk):
    gate, made = desk.gate(), desk.folder / "made"
    file = desk.write(steps(f"cat {gate}", f"touch {made}"))

    with desk.begun("run", file) as running:
        running.stdout.readline()
        running.stdout.close()
        open_gate(gate)
        running.wait(PATIENCE)
        complaints = running.stderr.read()
        running.stdout = None

    assert (running.returncode, complaints, made.exists()) == (0, "", True)


@pytest.mark.parametrize(
    "words",
    ["log work-1", "show work-1", "runs", "tools", "workflows", "graph work-1", "--help"],
)
def test_a_reader_may_go_away_at_any_time(desk: Desk, words):
    desk.wfnb("run", desk.write(steps(*["true"] * 8)))
    line = f'{" ".join(map(str, WFNB))} {words} | true; echo "${{PIPESTATUS[0]}}"'

    done = subprocess.run(
        ["bash", "-c", line], cwd=desk.folder, env=desk.environment, capture_output=True, text=True
    )

    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_disk_under_stdout_is_said_and_the_run_is_not_hurt(desk: Desk):
    file = desk.write(steps("true"))

    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*WFNB, "run", str(file)],
            cwd=desk.folder,
            env=desk.environment,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )

    assert (done.returncode, done.stderr) == (
        0,
        "wfnb: stdout cannot be written: No space left on device.\n",
    )
    assert desk.wfnb("runs", "--json").data["runs"][0]["status"] == "success"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_what_was_done_is_done_under_a_full_disk_and_what_was_only_looked_at_is_not(desk: Desk):
    file = desk.write(steps("true"))
    codes = {}

    for words in (
        f"workflows import {file} --name a",
        "workflows rename a b",
        "workflows export b b.yaml",
        "workflows delete b",
        "trust",
        "trust --dry-run",
        "runs",
        f"check {file}",
    ):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [*WFNB, *words.split()],
                cwd=desk.folder,
                env=desk.environment,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
            )
        assert done.stderr == "wfnb: stdout cannot be written: No space left on device.\n"
        codes[" ".join(words.replace(str(file), "FILE").split()[:2])] = done.returncode

    assert (desk.folder / "b.yaml").exists()
    assert codes == {
        "workflows import": 0,
        "workflows rename": 0,
        "workflows export": 0,
        "workflows delete": 0,
        "trust": 0,
        "trust --dry-run": 2,
        "runs": 2,
        "check FILE": 2,
    }


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="this system has no such file")
def test_a_disk_that_fails_under_stdout_is_no_terminal_that_was_closed(desk: Desk):
    assert desk.wfnb("run", desk.write(steps("true"))).code == 0

    with open("/proc/self/mem", "r+b", buffering=0) as failing:  # its first bytes: EIO
        done = subprocess.run(
            [*WFNB, "runs"],
            cwd=desk.folder,
            env=desk.environment,
            stdout=failing,
            stderr=subprocess.PIPE,
            text=True,
        )

    assert (done.returncode, done.stderr) == (
        2,
        "wfnb: stdout cannot be written: Input/output error.\n",
    )
