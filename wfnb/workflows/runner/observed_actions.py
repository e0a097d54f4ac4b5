"""a tool, its parameters -> what a call of it does, as far as that is something to look at."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from wfnb.inspection.digest import digest
from wfnb.inspection.look_recognition import shows, sight
from wfnb.inspection.shell_commands import Shell, commands, hides_failure, shell_script
from wfnb.workflows.definition.models import GROUP
from wfnb.workflows.definition.scope import TERMINALS

_IDLE = frozenset(
    {
        "sleep",
        "wait_until",
        "list_terminal_sessions",
        "exit_terminal",
        "open_terminal",
        "resize_terminal",
        GROUP,
    }
)
_RUNS = Shell(looks=True, acts=("run",))


_NEW_EACH_TIME = ("created_at", "elapsed_time", "session_id", "timestamp")
"""What a terminal says of itself: the same screen, asked for again, is nothing new."""


def seen_in(tool: str, params: Mapping[str, Any], result: Mapping[str, Any], status: str) -> str:
    """What stands for what a call showed: another, where anything of it is."""
    if tool in TERMINALS:
        params, result = (
            {name: value for name, value in each.items() if name not in _NEW_EACH_TIME}
            for each in (params, result)
        )
    return digest(tool, repr(dict(params)), repr(dict(result)), status)


def deed(tool: str, params: Mapping[str, Any]) -> Shell | None:
    """None where it shows nothing but its own words, or the clock.

    >>> deed("shell", {"command": "echo done"}), deed("sleep", {"seconds": 1})
    (None, None)
    >>> deed("shell", {"command": "pytest -q"}).acts
    ('run', 'test')
    """
    if tool in _IDLE:
        return None
    command, code = params.get("command"), params.get("code")
    if tool == "shell" and command:
        told = commands(_line(command), shows)
        return told if told.looks else None
    if tool == "python" and isinstance(code, str):
        shown = sight(code)
        if not shown.looks:
            return None
        return Shell(looks=True, acts=shown.acts, words=shown.words)
    return _RUNS if tool in ("python", "notebook") else Shell(looks=True)


def has_failed(
    tool: str, params: Mapping[str, Any], result: Mapping[str, Any], status: str
) -> bool | None:
    """Whether what a call ran failed. None where that would not have been seen.

    >>> has_failed("shell", {"command": "pytest | tail"}, {"exit_code": 0}, "ok")
    >>> has_failed("shell", {"command": "pytest", "check": False}, {"exit_code": 1}, "ok")
    True
    """
    if status != "ok" or result.get("exit_code"):
        return True
    command, code = params.get("command"), params.get("code")
    if tool == "shell" and command:
        hides = hides_failure(_line(command))
    elif tool == "python" and isinstance(code, str):
        seen = sight(code)
        hides = seen.hides or seen.tests
    else:
        hides = False
    return None if hides else False


def _line(command: str | Sequence[str]) -> str:
    """What is run, as a shell reads it."""
    if isinstance(command, str):
        return command
    script = shell_script([*command])
    return shlex.join(command) if script is None else script
