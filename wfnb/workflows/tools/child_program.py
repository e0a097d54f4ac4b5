"""a program and its input -> its output as it comes, and how it ended. Nothing of it outlives a
cancelled call.

The processes are started with `subprocess` (by vfork: nothing runs between fork and exec) and
watched by the running loop: pipes by their descriptors, the end by a pidfd, or, where there is
none, by a thread. asyncio's own subprocesses take longer to set up than `true` takes to run.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from signal import SIGTERM

from wfnb.frozen_record import record
from wfnb.stoppable_calls.threads import THREADS

from . import process_cleanup
from .pipes import Heard, InputPipe, OutputPipe
from .platform_support import SIGKILL, check_platform, poll
from .process_table import left_behind

MERCY = 0.12
"""Seconds from SIGTERM to SIGKILL when a call is cancelled."""
SILENCE = 0.1
"""Seconds without output after which a command that has ended is done, though something that it
left behind still holds its output open."""
MAX_WAKE = 1.0
"""Seconds after which it is done even if that something keeps talking."""
INSTANT = 1
"""Milliseconds that a command is waited for on the spot. Most of the short ones end within, and
their output is read then: going round the loop for them would take half as long as they do."""
_LOOKS = 10
_calls = count(1)


@record
class ProgramEnd:
    """How a program ended: its exit code (128 and the signal's number for one that was killed), and
    whether something that it started is still there."""

    exit_code: int
    left_running: bool


async def run_program(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str | None],
    mark: str,
    heard: tuple[Heard, Heard],
    input: bytes = b"",
    pass_fds: Sequence[int] = (),
) -> ProgramEnd:
    """Run a program, without a terminal, in a session of its own; `heard` take the bytes of its
    standard output and error. `env` is added to the environment (None takes a name out of it).

    When the call is cancelled the process group, and everything that bears its mark, is asked to
    end (SIGTERM); what has not ended after 0.12 s is killed. A child that went to the background
    lives on after the command, as in a shell, and the end of the run ends it; `left_running` says
    so. Output that it holds open is read on and thrown away. Raises OSError where the program
    cannot be started, SystemUnsupported where none can be.
    """
    check_platform()
    own = f"{mark}.{next(_calls)}"
    loop = asyncio.get_running_loop()
    outputs: list[OutputPipe] = []
    source: InputPipe | None = None
    try:
        outputs.extend(OutputPipe(loop, take) for take in heard)
        source = InputPipe(loop, input) if input else None
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=_environment(own, env),
            stdin=_nothing() if source is None else source.exit,
            stdout=outputs[0].entry,
            stderr=outputs[1].entry,
            # A group of its own to be killed as one, and no terminal: a program that asks for a
            # password would else ask in the terminal of the kernel.
            start_new_session=True,
            pass_fds=pass_fds,
        )
    except BaseException:
        _close(outputs, source)
        raise
    finally:
        # In this process the ends of the child are closed at once: else a pipe would never end.
        for output in outputs:
            os.close(output.entry)
        if source is not None:
            os.close(source.exit)
    end: asyncio.Future[None] | None = None
    try:
        if source is not None:
            source.open()
        watch = None
        with suppress(AttributeError, OSError):  # where the system has no such descriptor
            watch = os.pidfd_open(process.pid)
        # With input it cannot end before the loop has written that.
        if watch is None or source is not None or not _ends_at_once(process, watch):
            for output in outputs:
                output.open()
            end = _end(loop, process, watch)
            # Shielded: `_kill_processes` awaits the same future after a cancel.
            await asyncio.shield(end)
        # The pipes end later than the program where a child of it holds them.
        left_running = not _read_up(outputs) and await _read_rest(loop, outputs)
        # Cheap looks first: the search through all processes is for the few that left something.
        if not left_running and left_behind(process.pid, own):
            left_running = await _leaves_processes(process, own)
    except BaseException:
        await _kill_processes(process, end, own)
        _close(outputs, source)
        raise
    if source is not None:
        source.close()
    code = process.returncode
    return ProgramEnd(exit_code=code if code >= 0 else 128 - code, left_running=left_running)


@cache
def _nothing() -> int:
    """What a command reads that is given nothing: one descriptor for all of them, never closed."""
    return os.open(os.devnull, os.O_RDONLY)


def _environment(mark: str, env: Mapping[str, str | None]) -> dict[bytes, bytes]:
    """What `children.environment` gives, with `env`, as bytes: text would be decoded and encoded
    again, which takes as long as everything else that is done here for a short command."""
    environment = dict(
        getattr(os.environb, "_data", os.environb)
    )  # not name by name, checking each
    name = process_cleanup.VARIABLE.encode()
    environment[name] = b" ".join(filter(None, (environment.get(name), mark.encode())))
    for key, value in env.items():
        if value is None:
            environment.pop(os.fsencode(key), None)
        else:
            environment[os.fsencode(key)] = os.fsencode(value)
    return environment


def _close(outputs: Sequence[OutputPipe], source: InputPipe | None) -> None:
    for output in outputs:
        output.close()
    if source is not None:
        source.close()


def _ends_at_once(process: subprocess.Popen[bytes], watch: int) -> bool:
    # poll, not select: that refuses descriptors above 1023, which a notebook with many files has.
    ends = poll()
    ends.register(watch)
    if not ends.poll(INSTANT):
        return False
    os.close(watch)
    process.wait()
    return True


def _end(
    loop: asyncio.AbstractEventLoop, process: subprocess.Popen[bytes], watch: int | None
) -> asyncio.Future[None]:
    """Done when the process has ended; its exit code is known then."""
    end = loop.create_future()
    if watch is None:
        threading.Thread(target=_wait, args=(loop, process, end), daemon=True).start()
        return end

    def on_exit() -> None:
        process.wait()
        loop.remove_reader(watch)
        os.close(watch)
        _tell(end)

    loop.add_reader(watch, on_exit)
    return end


def _wait(
    loop: asyncio.AbstractEventLoop, process: subprocess.Popen[bytes], end: asyncio.Future[None]
) -> None:
    process.wait()
    with suppress(RuntimeError):  # the loop was closed
        loop.call_soon_threadsafe(_tell, end)


def _tell(end: asyncio.Future[None]) -> None:
    if not end.done():
        end.set_result(None)


def _read_up(outputs: Sequence[OutputPipe]) -> bool:
    """Read what is there, at most two pipes full; whether that was the end of all."""
    for output in outputs:
        # Twice: the first read takes what is there, the second finds the end of nearly every
        # command.
        if output.read():
            output.read()
    return all(output.closed for output in outputs)


async def _read_rest(loop: asyncio.AbstractEventLoop, outputs: Sequence[OutputPipe]) -> bool:
    """Read what is left after the end; whether someone else still holds an output open."""
    for output in outputs:
        output.open()
    latest = loop.time() + MAX_WAKE
    while (left := [output for output in outputs if not output.closed]) and loop.time() < latest:
        before = sum(output.size for output in outputs)
        done, _ = await asyncio.wait([output.end() for output in left], timeout=SILENCE)
        # Nothing came in the time: whoever holds the output open is silent, like a daemon.
        if not done and sum(output.size for output in outputs) == before:
            break
    for output in outputs:
        output.forget()
    return not all(output.closed for output in outputs)


async def _leaves_processes(process: subprocess.Popen[bytes], mark: str) -> bool:
    """Whether something of its group, or that bears its mark, is there after a while. One that has
    ended counts as one of its group until its parent has looked, which the first process of a
    container may never do."""
    for _ in range(_LOOKS):
        await asyncio.sleep(SILENCE / _LOOKS)
        if not left_behind(process.pid, mark):
            return False
    return bool(await asyncio.wrap_future(THREADS.submit(process_cleanup.bearing, mark)))


async def _kill_processes(
    process: subprocess.Popen[bytes], end: asyncio.Future[None] | None, mark: str
) -> None:
    """The group is asked to end, and so is all that bears the mark, wherever it went; what is left
    after that is killed. Looking for marks takes milliseconds, and is done in a thread."""
    _signal(process, SIGTERM)
    ending = asyncio.wrap_future(THREADS.submit(process_cleanup.end_marked, mark, MERCY))
    try:
        await asyncio.shield(ending)
    finally:
        _signal(process, SIGKILL)
        # A process that the kernel does not let end (a dead disk) must not hold the call for ever.
        if end is not None and not end.done():
            await asyncio.wait([end], timeout=MERCY)


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
