"""A run whose process was killed: listed as interrupted, resumed where it was, or cancelled."""

from .command import Desk, events, open_gate, steps, until


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
        "wfnb: Whether b (shell) was done is unknown: the process ended while it ran. Look, "
        "then resume with `--again` (call it again) or `--done` (it was).\n",
    )
    assert lines == [
        "b: ? unknown, the process ended while it ran · is tried again",
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
