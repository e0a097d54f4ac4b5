"""a command -> its exit code and output."""

from __future__ import annotations

import asyncio
import os
from contextlib import nullcontext, suppress
from functools import partial
from signal import Signals
from typing import Annotated, Any

from pydantic import Field

from wfnb.workflows.definition.schema_fit import SystemText

from .call_context import Context
from .child_program import run_program
from .result_fields import ToolFailed
from .tool import tool_of
from .truncated_output import TruncatedOutput


async def shell(
    context: Context,
    command: Annotated[
        Annotated[str, Field(json_schema_extra={"format": "shell"})]
        | Annotated[list[SystemText], Field(json_schema_extra={"minItems": 1})],
        "A line for `/bin/sh`, or a program and its arguments, without a shell",
    ],
    cwd: Annotated[
        SystemText | None, "The folder to run in, from the notebook's folder on; none: that folder"
    ] = None,
    env: Annotated[
        dict[SystemText, SystemText | None], "Added to the environment; null takes a name out of it"
    ] = {},  # noqa: B006
    input: Annotated[str | None, "What the command reads; none: nothing"] = None,
    timeout: Annotated[
        float | None, Field(gt=0, le=7200), "Seconds until the command is ended, its output kept"
    ] = None,
    check: Annotated[bool, "Whether an exit code other than 0 is a failure"] = True,
) -> dict[str, Any]:
    """Run a command and wait for its end; it has no terminal.

    Output is shown as it comes, read as UTF-8 and recorded up to 200,000 characters each, the first
    and the last half (`stdout_size`, `stderr_size`: the true size of one that was cut); up to
    32,000,000 it is handed on whole. Bytes that are
    no UTF-8 become U+FFFD; `stdout_invalid` and `stderr_invalid` count them, and the run warns. The
    exit code of a command that was killed is 128 and the signal's number; of several lines it is
    that of the last one, whatever failed before, unless the first is `set -e`; of a pipe that of
    the last program, unless `bash -eo pipefail -c` runs it. When the call is
    cancelled, or its time is over, the command and everything it started is ended.

    A background process lives on after the command, until the end of the run, and `left_running` is
    true then; not where it was started with an empty environment, by which it is known (`env -i`).
    """
    stdout, stderr = TruncatedOutput(), TruncatedOutput()

    def take(kept: TruncatedOutput, data: bytes) -> None:
        if text := kept.feed(data):
            context.say(text)

    def printed() -> dict[str, Any]:
        for kept in (stdout, stderr):
            kept.feed(b"", final=True)
        return stdout.fields("stdout", context.hide) | stderr.fields("stderr", context.hide)

    context.so_far = lambda: {"exit_code": None, **printed()}
    argv = ["/bin/sh", "-c", command] if isinstance(command, str) else command
    if not argv:
        raise ToolFailed("The command is empty.")
    folder = context.path(cwd) if cwd else context.folder
    ended = None
    try:
        # Not left to the limit of the attempt: here the output until then is kept.
        with suppress(TimeoutError):
            async with nullcontext() if timeout is None else asyncio.timeout(timeout):
                ended = await run_program(
                    argv,
                    cwd=folder,
                    env={**context.withheld_variables(), **env},
                    mark=context.mark,
                    heard=(partial(take, stdout), partial(take, stderr)),
                    input=(input or "").encode("utf-8", "replace"),
                )
    except OSError as error:
        raise ToolFailed(_not_started(argv[0], error)) from None
    if ended is None:
        over = {"timeout_occurred": True, "error": f"The command was ended after {timeout:g} s."}
        return {"success": False, **context.so_far(), **over}
    kept = printed()
    fields = {"exit_code": ended.exit_code, **kept, "left_running": ended.left_running}
    if ended.exit_code == 0 or not check:
        return {"success": True, **fields}
    said = context.hide(str(kept["stderr"]))  # before any of it is left out
    killed = {"outcome_unknown": True} if _signal_name(ended.exit_code) else {}
    return {"success": False, **fields, "error": _failure_text(ended.exit_code, said), **killed}


def _not_started(program: str, error: OSError) -> str:
    if error.filename is not None and os.fspath(error.filename) != program:
        return f"The folder {os.fspath(error.filename)!r} cannot be used: {error.strerror}."
    return f"{program!r} cannot be run: {error.strerror}."


def _failure_text(code: int, stderr: str) -> str:
    """One line: the code, and the last that the command had to say."""
    lines = stderr.strip().splitlines()
    name = _signal_name(code)
    by = f" ({name})" if name else ""
    last = f": {lines[-1].strip()[:300]}" if lines else ""
    return f"exit code {code}{by}{last}"


def _signal_name(code: int) -> str:
    """The signal that ended a program, if its exit code says so."""
    with suppress(ValueError):
        return Signals(code - 128).name if code > 128 else ""
    return ""


# It does not travel: it starts in the notebook's folder, with the environment of this process, and
# what it leaves in the background is ended with the run. None of that is on another machine.
SHELL = tool_of(
    shell,
    timeout=None,
    grace=None,
    results={
        "exit_code": "integer",
        "stdout": "string",
        "stderr": "string",
        "stdout_size": "integer",
        "stderr_size": "integer",
        "stdout_invalid": "integer",
        "stderr_invalid": "integer",
        "left_running": "boolean",
        "timeout_occurred": "boolean",
    },
)
