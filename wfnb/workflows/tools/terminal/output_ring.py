"""bytes as they come -> the latest of them, each at the place it has in all that ever came."""

from __future__ import annotations

from collections import deque

KEPT = 8 * 2**20
"""Bytes kept at least, once so many have come."""
_BLOCK = 65_536


class Ring:
    """The bytes from `start` to `end`; places are counted from the first byte that came."""

    def __init__(self, kept: int = KEPT) -> None:
        self.start = self.end = 0
        self._kept = kept
        self._blocks: deque[bytearray] = deque()

    def spare(self, size: int) -> int:
        """The place before which bytes will be given up when so many more have come."""
        blocks = max(self.end + size - self._kept - self.start, 0) // _BLOCK
        return min(self.start + blocks * _BLOCK, self.end)

    def append(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            if not self._blocks or len(self._blocks[-1]) == _BLOCK:
                self._blocks.append(bytearray())
            room = _BLOCK - len(self._blocks[-1])
            self._blocks[-1] += rest[:room]
            self.end += len(rest[:room])
            rest = rest[room:]
        # In blocks: to cut bytes off the front would move all others each time.
        while self.end - self.start - _BLOCK >= self._kept:
            self._blocks.popleft()
            self.start += _BLOCK

    def read(self, place: int, size: int = _BLOCK) -> bytes:
        """The bytes from a place on, or from the first that is kept: some, at most `size`, and none
        only where there are none."""
        block, offset = divmod(max(place, self.start) - self.start, _BLOCK)
        if block >= len(self._blocks):
            return b""
        return bytes(memoryview(self._blocks[block])[offset : offset + size])

    def rest(self, place: int) -> bytes:
        """All bytes from a place on, or from the first that is kept."""
        parts, place = [], max(place, self.start)
        while part := self.read(place):
            parts.append(part)
            place += len(part)
        return b"".join(parts)
