"""A process with open terminals is killed: what its run needs of them is said before it goes on."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Desk, Said

from .mended import OK, shell
from .place import state, states, step, steps

KILL = """
import os
if not os.path.exists("killed"):
    open("killed", "w").close()
    os.kill(os.getpid(), 9)
"""
DIE = step("die", "python", args={"code": KILL}, idempotent=True)
NOTE = shell("note", "echo note >> done")
OPEN = step("open", "open_terminal", args={"shell": "sh"})
GONE = "The terminal that 'open' opened has ended: "
WRITE = {"session_id": "{open.session_id}", "input_text": "echo undone >> done\n"}
UNDOABLE = shell("a", "echo a >> done", compensation={"tool": "send_input", "args": WRITE})


def types(session: str, id: str = "type", text: str = "true\n") -> dict[str, Any]:
    return step(id, "send_input", args={"session_id": session, "input_text": text})


def nested(*written: dict[str, Any], **given: str) -> dict[str, Any]:
    inner = steps(*written, variables=dict.fromkeys(given, "none")) | {"name": "inner"}
    args = {"workflow_definition": inner, "initial_variables": given}
    return step("nested", "run_workflow", args=args)


def killed(folder: Path, workflow: dict[str, Any], *words: str) -> Desk:
    """The place where a process was killed in the middle of a run."""
    desk = Desk(folder, {"WFNB_HOME": str(folder / "home")})
    (folder / "w.json").write_text(json.dumps(workflow))
    assert desk.wfnb("run", "w.json", *words).code == -9
    return desk


def done(desk: Desk) -> list[str]:
    file = desk.folder / "done"
    return file.read_text().split() if file.exists() else []


def recorded(desk: Desk) -> str:
    return desk.wfnb("log", "told-1", "--json").out


def message(said: Said) -> str:
    assert said.code == 2, said
    return said.err.removeprefix("wfnb: ")


IN_STATES = states(
    "open",
    open=state("open_terminal", (OK, "die"), params={"shell": "sh"}),
    die=state("python", (OK, "note"), params={"code": KILL}, idempotent=True),
    note=state("shell", (OK, "type"), params={"command": "echo note >> done"}),
    type=state("send_input", params={"session_id": "{session_id}", "input_text": "true\n"}),
)
GIVEN = nested(DIE, NOTE, types("{given}"), given="{open.session_id}")


@pytest.mark.parametrize(
    ("workflow", "says", "way"),
    [
        (steps(OPEN, DIE, NOTE, types("{open.session_id}")), GONE, "open"),
        (IN_STATES, GONE, "open"),
        (steps(OPEN, GIVEN), GONE, "open"),
        (
            steps(nested(OPEN), DIE, NOTE, types("{nested.session_id}")),
            "The terminal that 'nested' opened has ended: ",
            "nested",
        ),
    ],
    ids=["steps", "states", "given to a nested run", "opened by a nested run"],
)
def test_a_run_is_not_resumed_before_its_terminal_is_opened_again(workflow, says, way, tmp_path):
    desk = killed(tmp_path, workflow)
    before = recorded(desk)

    said = message(desk.wfnb("resume", "told-1"))

    assert said.startswith(says), said
    assert said.endswith(f"`--from {way}` opens it again.\n")
    assert (done(desk), recorded(desk)) == ([], before)
    assert desk.wfnb("resume", "told-1", "--from", way).code == 0
    assert done(desk) == ["note"]


def test_a_nested_run_that_needs_its_own_terminal_is_named(tmp_path: Path):
    inner = nested(OPEN, DIE, NOTE, types("{open.session_id}"))
    desk = killed(tmp_path, steps(shell("first", "echo first >> done"), inner))

    said = message(desk.wfnb("resume", "told-1"))

    assert said.startswith("Run 'inner-1', which 'nested' had begun when the process ended, would")
    assert "not go on: the terminal that 'open' opened has ended" in said
    assert done(desk) == ["first"]
    assert message(desk.wfnb("resume", "inner-1")).startswith(GONE)
    assert desk.wfnb("resume", "inner-1", "--from", "open").code == 0
    assert desk.wfnb("resume", "told-1").code == 0
    assert done(desk) == ["first", "note"]


@pytest.mark.parametrize("session", ["{session_id}", "session_0badcafe"])
def test_a_terminal_that_a_call_of_its_own_had_opened_is_named(session: str, tmp_path: Path):
    workflow = steps(DIE, NOTE, types(session), variables={"session_id": "none"})
    desk = killed(tmp_path, workflow, "--var", "session_id=session_0badcafe")

    said = message(desk.wfnb("resume", "told-1"))

    assert said.startswith("Terminal session_0badcafe has ended: ")
    assert done(desk) == []


def test_an_action_that_opened_a_terminal_and_is_mended_away_is_no_way_on(tmp_path: Path):
    desk = killed(tmp_path, steps(OPEN, DIE, NOTE, types("{open.session_id}")))
    (tmp_path / "mended.json").write_text(json.dumps(steps(NOTE, types("{open.session_id}"))))

    said = message(desk.wfnb("resume", "told-1", "--file", "mended.json"))

    assert said.startswith("Terminal session_"), said
    assert "--from" not in said


def test_a_terminal_that_has_ended_is_closed_for_a_rollback(tmp_path: Path):
    closing = {"tool": "exit_terminal", "args": {"session_id": "{session_id}"}}
    desk = killed(tmp_path, steps({**OPEN, "compensation": closing}, DIE))

    said = desk.wfnb("cancel", "told-1", "--rollback")

    assert (said.code, said.out) == (0, "told-1 cancelled\n  open: undone\n")


def test_a_rollback_goes_on_whose_run_would_have_needed_its_terminal(tmp_path: Path):
    """What the failed run had still to do is not called any more."""
    b = shell("b", "true", compensation={"tool": "python", "args": {"code": KILL}})
    rest = shell("fails", "false"), types("{open.session_id}")
    desk = killed(tmp_path, steps(OPEN, UNDOABLE, b, *rest))

    said = desk.wfnb("resume", "told-1", "--done")

    assert said.code == 5
    assert said.out.startswith("! a cannot be undone any more: that needs the terminal that 'open'")
    assert "told-1 ◔ partly rolled back: fails: exit code 1 · not undone: a (" in said.out


def test_what_cannot_be_undone_any_more_is_said_before_a_run_goes_on(tmp_path: Path):
    desk = killed(tmp_path, steps(OPEN, UNDOABLE, DIE, NOTE))

    said = desk.wfnb("resume", "told-1")

    assert said.code == 0
    assert said.out.startswith("! a cannot be undone any more: that needs the terminal that 'open'")


@pytest.mark.parametrize("to", ["", ">log 2>&1"])
def test_what_was_left_running_and_has_ended_is_said_before_a_run_goes_on(tmp_path: Path, to: str):
    desk = killed(tmp_path, steps(shell("serve", f"sleep 600 {to} &"), DIE, NOTE))

    said = desk.wfnb("resume", "told-1")

    assert said.code == 0
    assert said.out.startswith(
        "! What serve left running has ended with the attempt that started it. `--from serve`"
    )
    again = desk.wfnb("resume", "told-1", "--from", "serve")
    assert (again.code, again.out.startswith("told-1 goes on from serve")) == (0, True)
