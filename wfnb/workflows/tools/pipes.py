"""a pipe's end and the running loop -> bytes as they come, or as they are taken."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

Heard = Callable[[bytes], None]
CHUNK = 65_536


class OutputPipe:
    """A pipe that is read: as it fills, once it is opened, or when asked to. `entry` is for the
    process that writes."""

    def __init__(self, loop: asyncio.AbstractEventLoop, take: Heard) -> None:
        self.size = 0
        """Bytes in all."""
        self.closed = False
        self._loop, self._take = loop, take
        self._exit, self.entry = os.pipe()
        # The loop reads it: a read that waits would hold up every other run.
        os.set_blocking(self._exit, False)
        self._open = False
        self._end: asyncio.Future[None] | None = None

    def open(self) -> None:
        if not self.closed and not self._open:
            self._loop.add_reader(self._exit, self.read)
            self._open = True

    def read(self) -> bool:
        """Take what is there, at most one pipe full; whether there may be more."""
        if self.closed:
            return False
        try:
            data = os.read(self._exit, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            # The other end is gone: that is the end of the output, and no error.
            data = b""
        if not data:
            self.close()
            return False
        self.size += len(data)
        self._take(data)
        return True

    def end(self) -> asyncio.Future[None]:
        """Done when nobody writes any more."""
        if self._end is None:
            self._end = self._loop.create_future()
            if self.closed:
                self._end.set_result(None)
        return self._end

    def forget(self) -> None:
        """From here on what comes is read, so that nobody waits for a reader, and not kept."""
        self._take = _nothing

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            if self._open:
                self._loop.remove_reader(self._exit)
            os.close(self._exit)
            if self._end is not None and not self._end.done():
                self._end.set_result(None)


def _nothing(data: bytes) -> None:
    pass


class InputPipe:
    """A pipe that is filled as it is read, then closed. `exit` is for the process that reads."""

    def __init__(self, loop: asyncio.AbstractEventLoop, data: bytes) -> None:
        self._loop, self._rest = loop, memoryview(data)
        self.exit, self._entry = os.pipe()
        os.set_blocking(self._entry, False)

    def open(self) -> None:
        self._loop.add_writer(self._entry, self._write)

    def _write(self) -> None:
        try:
            self._rest = self._rest[os.write(self._entry, self._rest) :]
        except BlockingIOError:
            return
        except OSError:  # nobody reads it any more
            self._rest = self._rest[:0]
        if not self._rest:
            self.close()

    def close(self) -> None:
        if self._entry >= 0:
            self._loop.remove_writer(self._entry)
            os.close(self._entry)
            self._entry = -1
