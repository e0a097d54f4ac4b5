"""A command that is over, or cancelled, leaves nothing running that it should not."""

import asyncio
import sys

import pytest

from wfnb.workflows.tools.process_cleanup import bearing, end_marked
from wfnb.workflows.tools.shell import SHELL
from wfnb.workflows.tools.tool_execution import perform

from .calls import OK, Cue, cancelled, context_of, done, fields


def test_a_command_whose_time_is_over_is_ended_and_its_output_kept():
    context = context_of()

    result = fields(SHELL, context, command="echo begun; sleep 600", timeout=0.5)

    assert result == {
        "success": False,
        "exit_code": None,
        "stdout": "begun\n",
        "stderr": "",
        "timeout_occurred": True,
        "error": "The command was ended after 0.5 s.",
    }
    assert bearing(context.mark) == frozenset()


FORKS = 'import os, time; os.fork() or os.setsid(); print("ready", flush=True); time.sleep(600)'
STUBBORN = [
    "echo ready; sleep 600",
    "sleep 600 & sleep 600 & echo ready; wait",
    "trap '' TERM INT HUP; echo ready; while :; do sleep 1; done",
    "setsid sleep 600 & nohup sleep 600 >/dev/null 2>&1 & echo ready; sleep 600",
    "(setsid sh -c 'sleep 600; true' </dev/null >/dev/null 2>&1 &) ; echo ready; sleep 600",
    "env -i /bin/sleep 600 & echo ready; wait",
    f"{sys.executable} -c '{FORKS}'",
]


@pytest.mark.parametrize("command", STUBBORN)
def test_a_cancelled_command_leaves_no_process_however_it_hides(command):
    task, context = done(cancelled(SHELL, {"command": command}, "ready"))

    assert task.cancelled()
    assert bearing(context.mark) == frozenset()


def test_a_command_may_clean_up_before_it_is_killed(tmp_path):
    command = "trap 'echo cleaned > note; exit' TERM; echo ready; while :; do sleep 0.01; done"

    done(cancelled(SHELL, {"command": command}, "ready", folder=tmp_path))

    assert (tmp_path / "note").read_text() == "cleaned\n"


def test_a_cancelled_command_takes_none_of_its_neighbours_along(tmp_path):
    async def called():
        cue = Cue("up")
        context = context_of(tmp_path, say=cue.say)
        command = "echo up; while [ ! -e go ]; do sleep 0.01; done; echo over"
        stays = asyncio.create_task(perform(SHELL, {"command": command}, context))
        await cue.came.wait()
        other = Cue("ready")
        context.say = other.say
        goes = asyncio.create_task(perform(SHELL, {"command": "echo ready; sleep 600"}, context))
        await other.came.wait()
        goes.cancel()
        await asyncio.wait([goes])
        (tmp_path / "go").touch()
        return goes.cancelled(), await stays

    was_cancelled, result = done(called())

    assert was_cancelled
    assert result["stdout"] == "up\nover\n"


def test_a_background_process_does_not_hold_the_command_up_and_ends_with_the_run():
    context = context_of()

    result = fields(SHELL, context, command="sleep 600 & echo started")

    assert result == {**OK, "stdout": "started\n", "left_running": True}
    assert len(bearing(context.mark)) == 1
    assert end_marked(context.mark) == 1


def test_a_background_process_that_keeps_talking_does_not_hold_the_command_up():
    context = context_of()

    result = fields(SHELL, context, command="yes & echo started >&2")

    assert (result["success"], result["left_running"]) == (True, True)
    assert end_marked(context.mark) == 1


@pytest.mark.parametrize(
    ("command", "is_left"),
    [
        ("sleep 600 >/dev/null 2>&1 &", True),
        ("nohup sh -c 'sleep 600; exit' >/dev/null 2>&1 & disown", True),
        ("true >/dev/null 2>&1 &", False),
        ("setsid sleep 600 >/dev/null 2>&1 &", True),
        ("(setsid sh -c 'setsid sleep 600; exit' </dev/null >/dev/null 2>&1 &)", True),
        ("setsid true </dev/null >/dev/null 2>&1 &", False),
    ],
)
def test_a_background_process_whose_output_goes_elsewhere_is_noticed(command, is_left):
    context = context_of()

    result = fields(SHELL, context, command=["bash", "-c", command])

    assert result == {**OK, "left_running": is_left}
    assert end_marked(context.mark) >= is_left
