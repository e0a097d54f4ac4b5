"""the parts of IPython and ipykernel that are private or not documented -> functions of ours.

No other module names them, so that what a new release changes is mended here. The tests try them
with IPython 9.18 and ipykernel 7.4; `pyproject.toml` keeps out the next major versions. Where a
kernel lacks a part (a shell in a terminal, an ipykernel without subshells, the kernel of another
project), the function says so by what it returns, or does nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar

from IPython.core.interactiveshell import InteractiveShell

from wfnb.interrupt_deferral import Deferral
from wfnb.render.message import MIME

Transform = TypeVar("Transform", bound=Callable[[list[str]], list[str]])

CELL_FILES = f"{os.sep}ipykernel_"
"""What is in the file name of a cell's code: ipykernel makes it of this and the process's id."""


# IPython


def show_lines(error: BaseException, lines: list[str]) -> None:
    """These lines are what IPython shows of an error, in place of its traceback."""
    vars(error)["_render_traceback_"] = lines.copy


def runs_once(transform: Transform) -> Transform:
    """IPython does not call it to see whether a cell is complete: with `%%` a terminal waits for
    the body, and has to see the mark."""
    setattr(transform, "has_side_effects", True)  # noqa: B010  mypy knows no attributes of functions
    return transform


def prefilter(shell: InteractiveShell, line: str) -> str:
    """A line as IPython takes a cell of one line: a magic without its `%`, a macro, a call without
    parentheses."""
    rewrite: Any = shell.prefilter_manager
    with shell.builtin_trap:
        return str(rewrite.prefilter_lines(line))


def result_of(shell: InteractiveShell, info: Any) -> Any:
    """The result of the cell of that run; None where its code has not ended, or others came after
    it."""
    result = shell.last_execution_result
    return result if info is not None and getattr(result, "info", None) is info else None


def line_raised(result: Any, source: str, names: object) -> int | None:
    """The line of a cell, which ran in the namespace `names`, at which it raised an exception.
    IPython counts from the first line that is not blank."""
    trace = getattr(getattr(result, "error_in_exec", None), "__traceback__", None)
    while trace is not None and trace.tb_frame.f_globals is not names:
        trace = trace.tb_next
    return None if trace is None else int(trace.tb_lineno) + blank_lines_above(source)


def blank_lines_above(source: str) -> int:
    """Of a cell: the lines that IPython does not count."""
    return source[: len(source) - len(source.lstrip())].count("\n")


def last_input(shell: InteractiveShell) -> str:
    """The source of the cell that began last, as it was typed."""
    return shell.history_manager.input_hist_raw[-1] if shell.history_manager else ""


def remove_magics(shell: InteractiveShell, registered: type, line: str, cells: str) -> None:
    """Take out a class of magics, and these names of them (with spaces between)."""
    for kind, names in (("line", line), ("cell", cells)):
        for name in names.split():
            shell.magics_manager.magics[kind].pop(name, None)
    magics = shell.magics_manager.registry.pop(registered.__name__, None)
    if magics in shell.configurables:
        shell.configurables.remove(magics)


def on_display(
    shell: InteractiveShell,
    forms: Collection[str],
    shown: Callable[[dict[str, Any], object], None],
    cleared: Callable[[bool], None],
) -> Callable[[], None]:
    """Have it called after each output that a cell shows in one of these forms (all its forms, and
    the name under which it takes the place of an earlier one), unless it is one of wfnb's own, and
    after the outputs are cleared. Returns what takes it out again. What is captured goes
    elsewhere."""
    wanted = frozenset(forms)

    # All outputs come by here, and few are wanted: no more is called for the others.
    def publish(out: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        out(*args, **kwargs)
        data = kwargs.get("data", args[0] if args else {})
        if not wanted.isdisjoint(data) and MIME not in data:
            shown(data, (kwargs.get("transient") or {}).get("display_id"))

    def clear(out: Callable[[bool], None], wait: bool = False) -> None:
        out(wait)
        cleared(wait)

    ours: list[tuple[Any, str, Callable[..., None]]] = []
    for of, name, function in (
        (shell.display_pub, "publish", publish),
        (shell.display_pub, "clear_output", clear),
        (shell.displayhook, "write_format_data", publish),
    ):
        ours.append((of, name, partial(function, getattr(of, name))))
        setattr(*ours[-1])

    def take_out() -> None:
        for of, name, function in ours:
            if vars(of).get(name) is function:  # else another extension has put its own over it
                delattr(of, name)

    return take_out


# the kernel that a shell belongs to


def kernel_of(shell: InteractiveShell) -> Any:
    """The kernel; None for a shell in a terminal, or in a program."""
    return getattr(shell, "kernel", None)


def request_part(shell: InteractiveShell, part: str, key: str) -> Any:
    """A part of the request that is being answered; None where there is none."""
    get_parent = getattr(shell, "get_parent", None)
    message = get_parent() if get_parent is not None else None
    return (message or {}).get(part, {}).get(key)


def on_request_end(shell: InteractiveShell, ended: Callable[[], None]) -> Callable[[], None]:
    """Have it called as each request ends, before a front end is told so; ipykernel ignores
    interrupts from there on. Returns what takes it out again. Nothing where there are no requests,
    as in a terminal."""
    kernel = kernel_of(shell)
    plain: Callable[[], None] | None = getattr(kernel, "post_handler_hook", None)
    if plain is None:
        return lambda: None

    def hook() -> None:
        plain()
        ended()

    def take_out() -> None:
        if kernel.post_handler_hook is hook:  # else another extension has put its own over it
            del kernel.post_handler_hook

    kernel.post_handler_hook = hook
    return take_out


def takes_input(shell: InteractiveShell) -> bool:
    """Whether a person can be asked: the front end said so, or there is a terminal."""
    kernel = kernel_of(shell)
    if kernel is not None:
        return bool(getattr(kernel, "_allow_stdin", False))
    return sys.stdin is not None and sys.stdin.isatty()


def load_inline_backend() -> None:
    """Show figures as pictures, which the first figure that is made in a kernel sees to, and one
    that comes back does not. Only where the kernel shows them so: elsewhere another backend was
    chosen."""
    inline = "matplotlib_inline.backend_inline"
    is_inline = os.environ.get("MPLBACKEND", "").removeprefix("module://") == inline
    if is_inline and "matplotlib.figure" in sys.modules:
        with Deferral():
            import matplotlib_inline.backend_inline  # noqa: F401, PLC0415  only with matplotlib


def log_of(kernel: Any) -> Any:
    """The kernel's log, or None."""
    return getattr(kernel, "log", None)


# comms


def announce_comm(kernel: Any, comm: Any, target: str) -> None:
    """Tell front ends of a comm, as nobody's reply: nbclient warns of each comm in a cell that it
    does not know. Nothing where the kernel is not ipykernel: its own comm is all there is."""
    session = getattr(kernel, "session", None)
    if session is not None:
        content = {"comm_id": comm.comm_id, "target_name": target, "data": {}}
        session.send(kernel.iopub_socket, "comm_open", content, ident=comm.topic)


def clear_reply_route(comm: Any) -> None:
    """What comes back on a comm goes on being handled where the front end sends it. ipykernel 7.4
    would take it to the shell that published last, which may be busy with a cell. The comms of
    other kernels may have no attributes of their own."""
    getattr(comm, "__dict__", {}).pop("_reply_subshell_id", None)


def hear(comm: Any, callback: Callable[[dict[str, Any]], object]) -> None:
    """What a front end says on a comm is no cell. The package `comm` would call the hooks that
    stand before and after each cell, in the thread of the front end: matplotlib draws all open
    figures then, while the cell that runs draws them, too, and both pictures lack parts."""
    comm.on_msg(callback)
    with suppress(AttributeError):  # the comm of another kernel, that has no attributes of its own
        comm.handle_msg = callback


def send_from_thread(comm: Any, data: dict[str, Any]) -> None:
    """Publish on a comm. ipykernel 7.0 asks which request it belongs to, and in a thread of one's
    own there is none: there it belongs to what the kernel begins with."""
    try:
        comm.send(data)
    except LookupError:
        request = getattr(getattr(comm, "kernel", None), "_shell_parent", None)
        if not isinstance(request, ContextVar) or request.get(None) is not None:
            raise
        request.set({})
        comm.send(data)


def send_replies_by_stream(kernel: Any) -> None:
    """A request that comes while a reply is sent is read. ipykernel 7.0 to 7.3 sends replies on the
    bare socket that a stream reads: that takes away what wakes the stream, and no cell runs any
    more. 7.4 sends by the stream itself; a front end beside cells makes it happen often."""
    manager: Any = getattr(getattr(kernel, "shell_channel_thread", None), "manager", None)
    if getattr(manager, "_shell_socket", None) is not None:
        manager._shell_socket = kernel.shell_stream


def subshell_of(message: dict[str, Any]) -> str | None:
    """The subshell by which a message came, a thread that a front end made in the kernel."""
    id: str | None = message.get("header", {}).get("subshell_id")
    return id


def end_subshell(kernel: Any, subshell: str | None) -> None:
    """End a thread that a front end left in the kernel. Nothing where the kernel has none."""
    manager = getattr(getattr(kernel, "shell_channel_thread", None), "manager", None)
    loop = getattr(manager, "_shell_channel_io_loop", None)
    delete: Callable[[str], None] | None = getattr(manager, "_delete_subshell", None)
    if subshell is None or loop is None or delete is None:
        return

    def end(id: str) -> None:
        with suppress(Exception):  # the front end ended it itself
            delete(id)

    loop.add_callback(end, subshell)  # the kernel's rule: only its shell channel ends threads
