"""a tool, its parameters -> what a call of it does, as far as that is something to look at."""

from __future__ import annotations

import os
import posixpath
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wfnb.inspection.digest import digest
from wfnb.inspection.look_recognition import shows, sight
from wfnb.inspection.shell_commands import (
    Shell,
    code_runs,
    commands,
    hides_failure,
    run_settings,
    run_within,
    shell_script,
    shows_tests,
)
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
    command, code = params.get("command"), _code(params)
    if tool == "shell" and command:
        told, before = commands(_line(command), shows), [*_set_up(params)]
        runs = tuple(run_within(before, run) for run in told.runs)
        return replace(told, runs=runs) if told.looks else None
    if tool == "send_input":
        # What is typed may be for any program: only that it tests something is taken from it.
        told = commands(str(params.get("input_text", "")))
        return Shell(looks=True, acts=tuple(run.act for run in told.runs), runs=told.runs)
    if tool == "python" and code is not None:
        shown = sight(code)
        if not shown.looks:
            return None
        given = (repr(params.get(name)) for name in ("args", "arguments"))
        runs = code_runs(shown.acts, code, *given)
        return Shell(looks=True, acts=shown.acts, words=shown.words, runs=runs)
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
    command, code = params.get("command"), _code(params)
    if tool == "shell" and command:
        printed = "\n".join(str(result.get(name) or "") for name in ("stdout", "stderr"))
        line = _line(command)
        hides = hides_failure(line) or not shows_tests(line, printed)
    elif tool == "send_input":
        hides = True  # how it ends is told by the screen alone
    elif tool == "python" and code is not None:
        seen = sight(code)
        # Nobody watches what it starts, as a cell is watched.
        hides = seen.hides or seen.tests or seen.starts
    else:
        hides = False
    return None if hides else False


def _code(params: Mapping[str, Any]) -> str | None:
    """The Python code of a call; of a library's function that it names, as a cell would call it."""
    code, function = params.get("code"), params.get("function")
    if isinstance(code, str):
        return code
    if isinstance(function, str) and "." in function:
        return f"import {function.rpartition('.')[0]}\n{function}()"
    return None


def _set_up(params: Mapping[str, Any]) -> Iterator[str]:
    """What is set for a command: its folder, and what stands for its variables."""
    cwd = posixpath.normpath(str(params.get("cwd") or "."))
    if cwd != ".":
        yield f"cd {cwd}"
    if env := params.get("env"):
        yield f"env {digest(repr(env))}"
    yield from run_settings(os.environ)


def _line(command: str | Sequence[str]) -> str:
    """What is run, as a shell reads it."""
    if isinstance(command, str):
        return command
    script = shell_script([*command])
    return shlex.join(command) if script is None else script
