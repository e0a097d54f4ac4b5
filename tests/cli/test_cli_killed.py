"""A run whose process was killed: listed as interrupted, resumed where it was, or cancelled."""

import time

import pytest

from tests.workflows.runner.place import gone

from .command import PATIENCE, Desk, events, open_gate, steps, until


def test_a_killed_run_is_listed_as_interrupted_and_resumed_where_it_was(desk: Desk):
    gate, other, made = desk.gate(), desk.gate("other"), desk.folder / "made"
    file = desk.write(steps(f"echo once >> {made}", "cat {gate}"))

    with desk.begun("run", file, "--var", f"gate={gate}") as running:
        until(running, "▶ b")
        running.kill()
        running.wait()
    listed = desk.wfnb("runs", "--json").data["runs"][0]["status"]
    refused = desk.wfnb("resume", "last")
    with desk.begun("resume", "last", "--again", "--var", f"gate={other}") as resumed:
        lines = until(resumed, "▶ b")
        open_gate(other)
        lines += events(resumed.stdout.read().splitlines())
        resumed.wait()

    assert listed == "interrupted"
    assert (refused.code, refused.err) == (
        2,
        "wfnb: Whether b (shell) was done is unknown: nobody saw its end. Look, "
        "then resume with `--again` (call it again) or `--done` (it was).\n",
    )
    assert lines == [
        "b: ? unknown, nobody saw its end",
        "work-1 goes on",
        "▶ b (shell)",
        "b: ✓ ok",
        "  │ go",
        "work-1 ✓ success · saved as work",
    ]
    assert (resumed.returncode, made.read_text()) == (0, "once\n")


def test_every_view_of_a_killed_run_says_that_it_was_interrupted(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps("echo once", "cat {gate}"))

    with desk.begun("run", file, "--var", f"gate={gate}") as running:
        until(running, "▶ b")
        running.kill()
        running.wait()
    text = desk.wfnb("show", "last").out.splitlines()
    data = desk.wfnb("show", "last", "--json").data
    drawn = desk.wfnb("graph", "last").out
    times = desk.wfnb("timeline", "last").out

    assert text[0].startswith("work-1 · ◐ interrupted")
    assert (data["status"], [each["status"] for each in data["actions"]]) == (
        "interrupted",
        ["ok", "interrupted"],
    )
    assert "interrupted" in drawn
    assert "interrupted" in times
    assert "▶ running" not in " ".join([*text, drawn, times])


def test_what_was_cut_off_may_be_taken_as_done(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps(f"cat {gate}", "echo after"))

    with desk.begun("run", file) as running:
        until(running, "▶ a")
        running.kill()
        running.wait()
    said = desk.wfnb("resume", "work-1", "--done")

    assert said.code == 0
    assert said.lines[:5] == ["a: ✓ ok", "work-1 goes on", "▶ b (shell)", "b: ✓ ok", "  │ after"]


def test_a_killed_run_is_cancelled_by_who_names_it(desk: Desk):
    gate = desk.gate()
    file = desk.write(steps(f"cat {gate}"))

    with desk.begun("run", file) as running:
        until(running, "▶ a")
        running.kill()
        running.wait()

    assert desk.wfnb("cancel").err == (
        "wfnb: No run is going on. Interrupted: work-1. `wfnb cancel work-1` ends it for good.\n"
    )
    assert desk.wfnb("cancel", "work-1").out == "work-1 cancelled\n"
    assert desk.wfnb("runs", "--json").data["runs"][0]["status"] == "cancelled"


def test_what_a_cancelled_run_had_done_is_undone_and_told(desk: Desk):
    gate, made = desk.gate(), desk.folder / "made"
    definition = steps(f"touch {made}", "true", f"echo waits; cat {gate}")
    definition["steps"][0]["compensation"] = {"tool": "shell", "args": {"command": f"rm {made}"}}

    with desk.begun("run", desk.write(definition)) as running:
        until(running, "▶ c")
        running.kill()
        running.wait()
    said = desk.wfnb("cancel", "work-1", "--rollback")

    assert said.lines[1:3] == ["  a: undone", "  b: not undone: it has no compensation"]
    assert not made.exists()
    told = [line.partition("  ")[2] for line in desk.wfnb("log", "work-1").lines]
    assert "c: ? unknown, nobody saw its end" in told
    assert "▶ c (shell)" not in told[told.index("c: ? unknown, nobody saw its end") :]


def end_soon(pids: list[int]) -> bool:
    """Whether all of these processes have ended, or do before somebody would look."""
    until = time.monotonic() + PATIENCE
    while not all(map(gone, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    return all(map(gone, pids))


def test_what_a_killed_command_had_started_ends_with_it(desk: Desk):
    """A job of its own session, and one that hears no SIGTERM, too: with no other command."""
    pids = desk.folder / "pids"
    file = desk.write(
        steps(
            f"setsid sleep 600 & echo $! >> {pids}; (trap '' TERM; while :; do sleep 1; done) &"
            f" echo $! >> {pids}; echo $$ >> {pids}; echo up; sleep 600"
        )
    )

    with desk.begun("run", file) as running:
        while not pids.exists() or len(pids.read_text().split()) < 3:
            assert running.poll() is None
            time.sleep(0.01)
        running.kill()
        running.wait()
    started = [int(pid) for pid in pids.read_text().split()]

    assert end_soon(started)
    assert desk.wfnb("runs", "--json").data["runs"][0]["status"] == "interrupted"


@pytest.mark.parametrize("kills", [True, False], ids=["killed", "at its end"])
def test_what_python_code_of_a_command_had_started_ends_with_it(desk: Desk, kills: bool):
    code = (
        "import subprocess, time\n"
        "child = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "open('pid', 'w').write(f'{child.pid}\\n')\n"
        f"time.sleep({600 if kills else 0})"
    )
    step = {"id": "a", "tool": "python", "args": {"code": code}}

    with desk.begun("run", desk.write({"name": "work", "steps": [step]})) as running:
        pid = desk.folder / "pid"
        while not pid.exists() or not pid.read_text().endswith("\n"):
            time.sleep(0.01)
        if kills:
            running.kill()
        running.wait()

    assert end_soon([int(pid.read_text())])
