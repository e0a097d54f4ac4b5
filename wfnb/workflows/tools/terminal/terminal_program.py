"""a command line -> a program in a terminal of its own, whose output is read by the running loop.

pexpect starts it. The descriptor is read here, when there is something in it and in slices, because
pexpect's own search takes seconds for a match after megabytes; nothing is polled. The program has
ended when it lets go of its terminal or when the process is gone, whichever is seen first.
"""

from __future__ import annotations

import asyncio
import os
import signal
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from wfnb.workflows.tools.platform_support import termios

from .echo import IUTF8, Modes

SLICE = 65_536
"""Bytes read before others have their turn."""
ENDING = 0.1
"""Seconds that a program has for ending once it let go of its terminal; then it counts as ended."""
_LAST = 16
"""Slices that may be left when a program has ended: a terminal holds less."""


class Program:
    """A running program. `heard` takes its output as it comes; `stirred` is called whenever
    something has come, and when the program has ended. Belongs to the loop that it was made on."""

    def __init__(
        self,
        argv: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        size: tuple[int, int],
        heard: Callable[[bytes], None],
        stirred: Callable[[], None],
    ) -> None:
        """Raises OSError where it cannot be started."""
        self.number, self.descriptor = _start_program(argv, folder, environment, size)
        self.ended = False
        self.exit_code: int | None = None
        """As `subprocess` has it: negative for one that was ended by a signal."""
        self.reaped = False
        self.quiet = True
        """Whether everything that has come was read."""
        self._heard, self._stirred = heard, stirred
        self._loop = asyncio.get_running_loop()
        self._turn = asyncio.Lock()
        self._has_room = asyncio.Event()
        os.set_blocking(self.descriptor, False)
        self._loop.add_reader(self.descriptor, self.read)
        self._watch: int | None = None
        # Without it (an old kernel, macOS) the end shows when the terminal is read.
        with suppress(AttributeError, OSError):
            self._watch = os.pidfd_open(self.number)
            self._loop.add_reader(self._watch, self._on_exit)

    def read(self) -> None:
        """Read what has come, a slice of it at most."""
        if self.descriptor < 0:
            return
        size, self.quiet = 0, False
        # At most a slice: a program that writes without end would keep the loop for itself.
        while size < SLICE:
            try:
                data = os.read(self.descriptor, SLICE)
            except BlockingIOError:
                self.quiet = True
                break
            except OSError:
                data = b""
            if not data:
                self._close()
                break
            size += len(data)
            self._heard(data)
        self._stirred()

    def _on_exit(self) -> None:
        """The process has ended: what it said before is still to be read."""
        if self._watch is not None:
            self._loop.remove_reader(self._watch)
            os.close(self._watch)
            self._watch = None
        self.look_after()
        # The process is gone, so what is in the terminal is all; but a child may go on writing.
        for _ in range(_LAST):
            self.read()
            if self.quiet:
                break
        self._on_output_end()

    def _close(self) -> None:
        """It let go of the terminal, most probably because it is ending."""
        self.quiet = True
        if self.descriptor >= 0:
            self._loop.remove_reader(self.descriptor)
            self._loop.remove_writer(self.descriptor)
            os.close(self.descriptor)
            self.descriptor = -1
        self._has_room.set()
        self.look_after()
        # Without a pidfd nothing else says that it has ended.
        if self._watch is None or self.exit_code is not None:
            self.ended = True
        else:
            self._loop.call_later(ENDING, self._on_output_end)

    def _on_output_end(self) -> None:
        self.ended = True
        self._stirred()

    def look_after(self) -> None:
        """See how the process has ended, if it has. Its number is kept for it until `reap`."""
        if self.exit_code is None and not self.reaped:
            if not hasattr(os, "waitid"):
                self.reap()
                return
            with suppress(ChildProcessError):
                # WNOWAIT leaves a zombie, which keeps the number from being given to another
                # process while what it started is still looked for by it.
                end = os.waitid(os.P_PID, self.number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if end is not None:
                    code = end.si_status
                    self.exit_code = code if end.si_code == os.CLD_EXITED else -code

    def reap(self) -> None:
        """Let the process go, if it has ended."""
        try:
            number, status = os.waitpid(self.number, os.WNOHANG)
        except ChildProcessError:
            self.reaped = True
            return
        if number:
            self.reaped, self.exit_code = True, os.waitstatus_to_exitcode(status)

    def modes(self) -> Modes:
        """How the terminal is set now."""
        try:
            flags = termios.tcgetattr(self.descriptor)
        except (termios.error, OSError, ValueError):
            return Modes()
        characters = tuple(c if isinstance(c, bytes) else bytes((c,)) for c in flags[6])
        return Modes(input=flags[0], output=flags[1], local=flags[3], characters=characters)

    def resize(self, rows: int, columns: int) -> None:
        with suppress(OSError, termios.error):
            termios.tcsetwinsize(self.descriptor, (rows, columns))

    async def write(self, data: bytes) -> None:
        """Type to the program; done when the terminal has taken all of it. OSError, if it ended."""
        # Two calls that type at once would mix their texts.
        async with self._turn:
            rest = memoryview(data)
            while rest:
                try:
                    rest = rest[os.write(self.descriptor, rest) :]
                except BlockingIOError:
                    await self._room()

    async def _room(self) -> None:
        self._has_room.clear()
        descriptor = self.descriptor
        self._loop.add_writer(descriptor, self._has_room.set)
        try:
            await self._has_room.wait()
        finally:
            if self.descriptor == descriptor:
                self._loop.remove_writer(descriptor)

    def answer(self, data: bytes) -> None:
        """Type what the terminal itself has to say, as far as there is room for it."""
        with suppress(OSError):
            os.write(self.descriptor, data)

    def hang_up(self) -> None:
        """Take the terminal away from the program (SIGHUP)."""
        if not self._loop.is_closed():
            for watched in (self.descriptor, self._watch):
                if watched is not None and watched >= 0:
                    self._loop.remove_reader(watched)
                    self._loop.remove_writer(watched)
        self.forget()
        self._has_room.set()
        self.ended = True
        self._stirred()

    def hang_up_from_anywhere(self) -> None:
        """The same, from any thread."""
        # At exit the loop stands still, and what is queued there would never be done.
        if self._loop.is_running() and asyncio._get_running_loop() is not self._loop:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.hang_up)
        else:
            self.hang_up()

    def forget(self) -> None:
        """Close what this process has of it; another one may still have it."""
        for opened in (self.descriptor, self._watch):
            if opened is not None and opened >= 0:
                with suppress(OSError):
                    os.close(opened)
        self.descriptor, self._watch = -1, None


def _start_program(
    argv: Sequence[str], folder: Path, environment: Mapping[str, str], size: tuple[int, int]
) -> tuple[int, int]:
    import pexpect  # noqa: PLC0415  not on every system

    def prepare() -> None:  # in the new process; what it raises is raised here
        os.chdir(folder)
        # What this process ignores (a server under nohup does) the program would ignore, too.
        for ignored in (signal.SIGPIPE, signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            signal.signal(ignored, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        modes = termios.tcgetattr(0)
        modes[0] |= IUTF8  # as every terminal does: a character is erased whole
        termios.tcsetattr(0, termios.TCSANOW, modes)

    here = os.getpid()
    try:
        with warnings.catch_warnings():  # of forking with threads: it runs exec next
            warnings.simplefilter("ignore", DeprecationWarning)
            spawned = pexpect.spawn(
                argv[0],
                [*argv[1:]],
                env={**environment},
                preexec_fn=prepare,
                dimensions=size,
                timeout=None,
            )
    except pexpect.ExceptionPexpect as error:
        raise OSError(str(error)) from None
    except BaseException:
        if os.getpid() != here:  # never go on as a second one of this process
            os._exit(127)
        raise
    process = spawned.ptyproc
    spawned.closed = process.closed = True  # else thrown away, in a fork too, they kill the program
    # pexpect closes its own when its object goes; this one is ours.
    descriptor = os.dup(process.fd)
    process.fileobj.close()
    return process.pid, descriptor
