"""a table of events, a session or run in it -> its rows, each with a sum that holds: they are all
there, as they were written, and they go on from what was read here before."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from wfnb.errors import JournalCorrupt, JournalReplaced

from .checksums import pack_row, rows_with_sums, sum_of, unpack_row, with_tag, wrong
from .codec import Row

Tag = Callable[[Row, int], str]
"""A row and its sum -> a signature of both, in hexadecimal digits."""
_REMEMBERED = 256
"""Places of a stream whose sum is known here, the newest."""


class Stream:
    """The events of sessions, or of runs: `kind` says which, `table` has them by the column of that
    name. What was read or written last of each is remembered, so that a file that was put in the
    place of the journal is noticed, however long it is."""

    def __init__(self, table: str, kind: str, place: str) -> None:
        self._kind, self._place = kind, place
        columns = "position, first, type, version, body, at"
        ends = f"FROM {table} WHERE {kind} = ?"
        self._rows = f"SELECT {columns} {ends} AND position >= ? ORDER BY position"
        # Without its text, which may be a long cell.
        no_text = columns.replace("body", "''")
        self._newest = f"SELECT {no_text} {ends} ORDER BY position DESC LIMIT 1"
        self._insert = f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._known: dict[int, dict[int, int]] = {}

    def newest(self, id: int, db: sqlite3.Connection) -> tuple[int, int]:
        """The place and the sum of the newest event; 0 where there is none, and a sum of 0 where it
        was written without one."""
        row_of_newest = db.execute(self._newest, (id,)).fetchone()
        if not row_of_newest:
            return 0, 0
        row, sum = unpack_row(row_of_newest)
        return row[0], sum

    def rows_and_sums(self, id: int, db: sqlite3.Connection) -> list[tuple[Row, int]]:
        """All events, each with its sum, unread."""
        return [unpack_row(row) for row in db.execute(self._rows, (id, 0))]

    def insert(
        self,
        rows: Sequence[Row],
        id: int,
        after: int,
        db: sqlite3.Connection,
        tag: Tag | None = None,
    ) -> int:
        """Write the events that follow event `after`, which is the newest, with the tags of who
        writes; the sum of the last. JournalReplaced where that is another than it was."""
        before = self.newest(id, db)[1] if after else 0
        self._check(id, after, before)
        summed = rows_with_sums(rows, before if after else _start(id))
        if tag is not None:
            summed = [(row, with_tag(sum, tag(row, sum))) for row, sum in summed]
        db.executemany(self._insert, [(id, *pack_row(row, sum)) for row, sum in summed])
        for row, sum in summed[-1:]:
            self._remember(id, row[0], sum)
        return summed[-1][1] if summed else before

    def rows(
        self, id: int, name: str, after: int, newest: int, db: sqlite3.Connection
    ) -> list[Row]:
        """The events after event `after`. JournalCorrupt, JournalReplaced."""
        summed = [unpack_row(row) for row in db.execute(self._rows, (id, after)).fetchall()]
        whose = f"{self._kind} {name!r}"
        before = _start(id)
        # Fewer events than this process has seen itself: it is another file.
        if newest < after and after in self._known.get(id, {}):
            raise JournalReplaced(self._place)
        if after and newest >= after:
            if not summed or summed[0][0][0] != after:
                raise JournalCorrupt(self._place, f"events of {whose} are missing")
            before = summed[0][1]
            self._check(id, after, before)
            # It was read only for its sum, which the next ones continue.
            del summed[0]
        if [row[0] for row, _ in summed] != [*range(after + 1, newest + 1)]:
            raise JournalCorrupt(self._place, f"events of {whose} are missing")
        if (place := wrong(summed, before)) is not None:
            what = f"event {summed[place][0][0]} of {whose} is not as it was written"
            raise JournalCorrupt(self._place, what)
        if summed:
            self._remember(id, summed[-1][0][0], summed[-1][1])
        return [row for row, _ in summed]

    def _remember(self, id: int, position: int, sum: int) -> None:
        sums = self._known.setdefault(id, {})
        sums[position] = sum
        if len(sums) > _REMEMBERED:
            # The oldest: of a long stream only the newest places are asked for.
            del sums[next(iter(sums))]

    def _check(self, id: int, position: int, sum: int) -> None:
        if sum != self._known.get(id, {}).get(position, sum):
            raise JournalReplaced(self._place)


def _start(id: int) -> int:
    """What the first event of a stream follows."""
    return sum_of(id)
