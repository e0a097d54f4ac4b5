"""a file, a port or a command that is looked at again and again -> it is as it is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from time import time
from typing import Annotated, Any

from pydantic import Field

from wfnb.workflows.definition.schema_fit import SystemText

from .call_context import Context
from .parameter_conflicts import one_of
from .result_fields import ToolFailed
from .shell import shell
from .sleep import MAX_SECONDS
from .tool import tool_of
from .wait import Wait, pause_for, seconds_left, steady

LOOK = 30.0
"""Seconds that one look may take."""


async def watch(
    context: Context,
    file: Annotated[
        SystemText | None, "Wait until this file is there, from the notebook's folder on"
    ] = None,
    changed: Annotated[
        bool, "Wait until the file was written after the wait began, instead of until it is there"
    ] = False,
    port: Annotated[
        Annotated[int, Field(ge=1, le=65535)] | None, "Wait until something answers at this port"
    ] = None,
    host: Annotated[str, "The machine that has the port"] = "localhost",
    command: Annotated[
        Annotated[str, Field(json_schema_extra={"format": "shell"})] | None,
        "Wait until this line for `/bin/sh` succeeds",
    ] = None,
    every: Annotated[float, Field(ge=0.1, le=86_400), "Seconds from one look to the next"] = 5.0,
    timeout: Annotated[
        float | None,
        Field(gt=0, le=MAX_SECONDS),
        "Seconds after which it has failed; none: as long as the workflow has",
    ] = None,
) -> dict[str, Any]:
    """Wait for a file, a port, or the success of a command.

    `stdout` is what the command printed when it succeeded, with `stdout_size` and `stdout_invalid`
    as `shell` has them. If `timeout` is over first it failed,
    with `timeout_occurred`. A look takes 30 s at most.
    """
    if wrong := _joint({"file": file, "port": port, "command": command, "changed": changed}):
        raise ToolFailed(wrong)
    over = inf if timeout is None else steady() + seconds_left(context.since, timeout)
    while True:
        began = steady()
        try:
            # A command that hangs counts as "not yet", and must not use up the whole wait.
            async with asyncio.timeout(LOOK) as limit:
                found = await _look(context, file, changed, host, port, command)
        except TimeoutError:
            if not limit.expired():
                raise
            found = None
        if found is not None:
            return found
        if (left := over - steady()) <= 0:
            if command is not None:
                missed = f"`{command}` did not succeed"
            elif port is not None:
                missed = f"nothing answered at {host}:{port}"
            else:
                missed = f"{file} was not {'written' if changed else 'there'}"
            raise ToolFailed(f"{missed} in {timeout:g} s.", timeout_occurred=True)
        rest = min(began + every - steady(), left)
        ends = None if timeout is None else time() + left
        with context.waiting(Wait(until=time() + rest, ends=ends, answerable=True)):
            await pause_for(rest)


def _joint(params: Mapping[str, Any]) -> str | None:
    if wrong := one_of(params, "file", "port", "command"):
        return wrong
    if params.get("changed") is True and params.get("file") is None:
        return "`changed` goes with a `file`."
    return None


async def _look(
    context: Context,
    file: str | None,
    changed: bool,
    host: str,
    port: int | None,
    command: str | None,
) -> dict[str, Any] | None:
    """The fields of the result; None where it is not so yet."""
    if command is not None:
        ended = await shell(replace(context), command)  # what a look printed is no result yet
        told = {name: value for name, value in ended.items() if name.startswith("stdout")}
        return told if ended["success"] else None
    try:
        if file is not None:
            written = context.path(file).stat().st_mtime
            return {} if not changed or written > context.since else None
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return None
    writer.close()
    return {}


WATCH = tool_of(
    watch,
    idempotent=True,
    timeout=None,
    grace=None,
    waits=True,
    joint=_joint,
    results={
        "stdout": "string",
        "stdout_size": "integer",
        "stdout_invalid": "integer",
        "timeout_occurred": "boolean",
    },
)
