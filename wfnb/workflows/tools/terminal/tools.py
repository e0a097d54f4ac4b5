"""the terminal tools of a workflow: their parameters -> the fields of their results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from wfnb.workflows.definition.problem import value_text
from wfnb.workflows.definition.schema_fit import SystemText
from wfnb.workflows.definition.scope import TERMINAL_ID
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.result_fields import ToolFailed
from wfnb.workflows.tools.tool import Tool, tool_of

from .screen import COLUMNS, ROWS
from .terminal import MAX_WHOLE
from .terminals import TerminalSession

OUTPUT_TIMEOUT = 10.0
"""Seconds that output is waited for."""
MAX_INPUT = 10_000
SHOWN = 3
"""Lines of the screen that are told where something was not seen on it."""
_ENDED = "The program in this terminal has ended"
Fields = dict[str, Any]
Rows = Annotated[int, Field(ge=2, le=500)]
Columns = Annotated[int, Field(ge=2, le=1000)]


async def open_terminal(
    context: Context,
    shell: SystemText = "bash",
    working_directory: SystemText | None = None,
    environment: dict[SystemText, SystemText] | None = None,
    rows: Rows = ROWS,
    columns: Columns = COLUMNS,
) -> Fields:
    """Start a program in a terminal.

    It ends with the run that opened it. One that a single call opened, outside of a workflow, stays
    open for the next call, until it is closed or the process ends. What is typed in it is kept in
    no history file of shells, node, less, sqlite3, psql, mysql, and Python from 3.13 on, unless its
    environment names one. Bytes that are no UTF-8 are shown as U+FFFD, as in any terminal, and not
    counted: `shell` counts them. No page shows a terminal, so that `web_url` is null.

    Args:
        shell: its command line; a bash without arguments reads no start-up files, prompt `$ `
        working_directory: where it is started; relative to the notebook's folder
        environment: what it has in its environment besides
        rows: how many lines the screen has
        columns: how many characters a line of the screen has
    """
    session = await context.terminals.open(
        shell=shell,
        folder=context.path(working_directory),
        environment=environment,
        without=context.withheld_variables(),
        # Without the run's mark it is not ended together with the run.
        root="" if context.lasting else context.root,
        mark="" if context.lasting else context.mark,
        size=(rows, columns),
    )
    return {
        **await _screen_fields(session),
        "shell": shell,
        "web_url": None,
        "message": f"Terminal opened: {shell}",
    }


async def send_input(
    context: Context,
    session_id: str,
    input_text: Annotated[str, Field(max_length=MAX_INPUT)],
) -> Fields:
    """Type a text in a terminal.

    Args:
        session_id: the terminal
        input_text: what is typed; no newline is added
    """
    session = _running_session(context, session_id)
    try:
        await session.terminal.send(input_text)
    except ValueError:
        raise ToolFailed(
            f"The program reads whole lines now, of which the terminal takes {MAX_WHOLE:,} "
            "bytes and would cut the rest. Await its prompt first, or send shorter lines.",
            session_id=session_id,
        ) from None
    except OSError:
        raise ToolFailed(_ENDED, session_id=session_id) from None
    return {"message": f"{len(input_text):,} characters sent", **await _screen_fields(session)}


async def await_output(
    context: Context,
    session_id: str,
    pattern: Annotated[str, Field(json_schema_extra={"format": "regex"})],
    timeout: Annotated[float, Field(ge=0, le=7200)] = OUTPUT_TIMEOUT,
) -> Fields:
    """Wait until a terminal shows, since the last input, what matches a regular expression.

    The pattern matches lines as a person sees them: what was written over (`\\r`, backspace, cursor
    moves) is gone, what has left the screen stays, a line of several rows is one. The echo of the
    input is not among them; a program's own line always is. What a line editor brings from its
    history (`^R`, the key up) is an echo once it is entered; before, it may be among them. A line
    sent to Python's prompt before it is there is shown twice, the second time as the program's:
    wait for the prompt first. In bash `\\n` ends a search, and `\\r` runs what it found. Ends at
    once when the program ends. To have waited in vain is no success: `missed` says for what, and
    what was on the screen last.

    Args:
        session_id: the terminal
        pattern: a regular expression; named groups become `captures`
        timeout: how long to wait, in seconds
    """
    session = _session(context, session_id)
    terminal = session.terminal
    try:
        awaited = await terminal.wait_for(pattern, timeout, heard=lambda: context.say(""))
    except asyncio.CancelledError:  # perhaps the time of the whole action is over
        seen = await _screen_fields(session)
        missed = _missed_note(pattern, seen["screen_content"], context.hide)
        context.so_far = lambda: {"match_text": None, "captures": {}, "missed": missed, **seen}
        raise
    seen = await _screen_fields(session)
    screen = seen["screen_content"]
    over = awaited.match is None and not awaited.timed_out
    return {
        "success": awaited.match is not None,
        # No error where it timed out: patterns look in one, and may ask for the end of the screen.
        **({"error": "the program ended before it said that"} if over else {}),
        "match_text": awaited.match and awaited.match.text,
        "captures": awaited.match.captures if awaited.match else {},
        "missed": None if awaited.match else _missed_note(pattern, screen, context.hide),
        "elapsed_time": round(awaited.seconds, 6),
        "timeout_occurred": awaited.timed_out,
        **seen,
    }


async def get_screen_content(
    context: Context,
    session_id: str,
    content_mode: Literal["screen", "since_input", "history", "tail"] = "screen",
    line_count: Annotated[int, Field(ge=1, le=10_000)] = ROWS,
) -> Fields:
    """What a person would see in a terminal.

    Args:
        session_id: the terminal
        content_mode: the screen; since_input: without what was there before the last input;
            history: with the lines that have left the screen; tail: the last lines of the history
        line_count: how many lines `tail` has
    """
    session = _session(context, session_id)
    terminal, seen = session.terminal, await _screen_fields(session)
    match content_mode:
        case "screen":
            return seen
        case "since_input":
            content = await terminal.since_input()
        case "history":
            content = "\n".join(await terminal.lines())
        case "tail":
            content = "\n".join((await terminal.lines())[-line_count:])
    return {**seen, "screen_content": content}


async def resize_terminal(
    context: Context, session_id: str, rows: Rows = ROWS, columns: Columns = COLUMNS
) -> Fields:
    """Give a terminal another size; its program is told (SIGWINCH).

    Args:
        session_id: the terminal
        rows: how many lines the screen has
        columns: how many characters a line of the screen has
    """
    session = _running_session(context, session_id)
    await session.terminal.resize(rows, columns)
    return {"message": f"{rows} rows, {columns} columns", **await _screen_fields(session)}


async def list_terminal_sessions(context: Context) -> Fields:
    """The terminals that are open in this process."""
    sessions = [_session_fields(session) for session in context.terminals.list()]
    return {"sessions": sessions, "total_sessions": len(sessions)}


async def exit_terminal(context: Context, session_id: str) -> Fields:
    """End a terminal, with every process that was started in it.

    As a compensation it succeeds where the terminal has ended already.

    Args:
        session_id: the terminal
    """
    there = {session.session_id for session in context.terminals.list()}
    # A name that could be one: a mistake in writing is refused also when undoing.
    if context.undoing and TERMINAL_ID.fullmatch(session_id) and session_id not in there:
        return {"message": "The terminal had ended already"}
    session = _session(context, session_id)
    seen, running = await _screen_fields(session), not session.terminal.program.ended
    # A shell that has hung up by itself is none that had to be ended: it was ended all the same.
    count = max(await context.terminals.exit(session_id), int(running))
    ended = f"{count} process{'es' * (count != 1)} ended" if count else "its program had ended"
    message = f"Terminal closed; {ended}"
    return {**seen, "process_running": False, "message": message}


def _missed_note(pattern: str, screen: str, hide: Callable[[str], str]) -> str:
    """What was waited for, and what came instead. It is no field in which patterns are looked for:
    it holds one. Secrets are hidden before lines are chosen and cut: half of one is not known."""
    last = [line for line in map(str.rstrip, hide(screen).splitlines()) if line][-SHOWN:]
    seen = " | ".join(map(value_text, last))
    there = f"the screen ended with {seen}" if seen else "the screen was empty"
    return f"waited for {value_text(hide(pattern))}; {there}"


def _session(context: Context, session_id: str) -> TerminalSession:
    session: TerminalSession = context.terminals.get(session_id)
    return session


def _running_session(context: Context, session_id: str) -> TerminalSession:
    session = _session(context, session_id)
    if session.terminal.program.ended:
        raise ToolFailed(_ENDED, session_id=session_id)
    return session


async def _screen_fields(session: TerminalSession) -> Fields:
    """What every call on a terminal tells of it: what is on its screen now. A program may not have
    answered yet: who needs its answer awaits it."""
    return {
        "session_id": session.session_id,
        "screen_content": await session.terminal.screen(),
        "process_running": not session.terminal.program.ended,
        "timestamp": _timestamp(),
    }


def _session_fields(session: TerminalSession) -> Fields:
    program = session.terminal.program
    return {
        "session_id": session.session_id,
        "shell": session.shell,
        "working_directory": str(session.folder),
        "rows": session.terminal.size[0],
        "columns": session.terminal.size[1],
        "process_running": not program.ended,
        "exit_code": program.exit_code,
        "created_at": session.opened.isoformat(),
    }


def _timestamp() -> str:
    return datetime.now(UTC).isoformat()


def _patience(params: Mapping[str, Any]) -> float | None:
    """A second more than the tool itself waits."""
    try:
        # So that the tool's own end comes first: it says what was on the screen.
        return float(params.get("timeout", OUTPUT_TIMEOUT)) + 1
    except (TypeError, ValueError):
        return OUTPUT_TIMEOUT + 1


_SEEN = {
    "session_id": "string",
    "screen_content": "string",
    "process_running": "boolean",
    "timestamp": "string",
}
_DONE = _SEEN | {"message": "string"}
_AWAITED = {
    "match_text": "string",
    "captures": "object",
    "missed": "string",
    "elapsed_time": "number",
    "timeout_occurred": "boolean",
}
_tool = partial(tool_of, grace=None)
TERMINAL_TOOLS: tuple[Tool, ...] = (
    _tool(open_terminal, results=_SEEN | {"shell": "string", "web_url": "", "message": "string"}),
    _tool(send_input, results=_DONE),
    _tool(
        await_output,
        idempotent=True,
        timeout=_patience,
        results=_AWAITED | _SEEN,
    ),
    _tool(
        get_screen_content,
        idempotent=True,
        results=_SEEN,
    ),
    _tool(resize_terminal, idempotent=True, results=_DONE),
    _tool(
        list_terminal_sessions,
        idempotent=True,
        results={"sessions": "array", "total_sessions": "integer"},
    ),
    _tool(exit_terminal, results=_DONE),
)
