"""bytes of figures ⇄ files beside the journal, named by their hash; the oldest make room.

Apart from the values that steps keep: nothing goes on from a figure, so that one may go, and none
has to be signed.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from wfnb.core.kept_values import size_of
from wfnb.errors import BLOB_ERRORS, StoreBusy

from .store import Store, name_of

MAX_STORE_BYTES = 100_000_000
"""Bytes of all figures of a folder `.wfnb`."""
_LOCK_TIMEOUT = 1.0
"""Seconds that one waits for another process."""


class FigureStore:
    """The figures of one folder `.wfnb`."""

    def __init__(self, folder: Path, room: int = MAX_STORE_BYTES) -> None:
        self._store = Store(folder)
        self._room = room

    def put(self, data: bytes) -> str | None:
        """The name of the bytes, which are kept now; None where the disk says no."""
        blob = name_of([data])
        try:
            with self._store.lock(alone=False, patience=_LOCK_TIMEOUT):
                if not self._store.holds(blob):
                    self._make_room(len(data))
                    self._store.put(blob, [data])
        except (OSError, StoreBusy):
            return None
        return blob

    def read(self, blob: str) -> bytes | None:
        """None where it is not there any more, or is not what its name tells."""
        try:
            return bytes(self._store.peek(blob))
        except BLOB_ERRORS:
            return None

    def _make_room(self, size: int) -> None:
        """A quarter is freed at once: not every figure has to ask how old the others are."""
        pieces = list(self._store.pieces())
        over = sum(map(size_of, pieces)) + size - self._room
        if over <= 0:
            return
        over += self._room // 4
        for piece in sorted(pieces, key=self._age):
            if over <= 0:
                return
            with suppress(OSError):
                self._store.remove(piece)
                over -= size_of(piece)

    def _age(self, piece: str) -> int:
        with suppress(OSError):
            return (self._store.folder / piece).stat().st_mtime_ns
        return 0
