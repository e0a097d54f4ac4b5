"""the file of a tide gauge -> its readings."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path


@dataclass(frozen=True)
class Reading:
    """`time` is in UTC, whatever the clock of the gauge says; `level` is in centimetres."""

    time: datetime
    level: int


def read(path: str | Path) -> list[Reading]:
    """All readings of a file, in order of time. Empty levels are left out."""
    with open(path, newline="", encoding="utf-8") as lines:
        return sorted(readings(csv.DictReader(lines)), key=lambda reading: reading.time)


def readings(rows: Iterator[dict[str, str]] | csv.DictReader) -> Iterator[Reading]:
    for row in rows:
        if row["level"]:
            yield Reading(time=moment(row["time"]), level=int(row["level"]))


def moment(text: str) -> datetime:
    """A time with its offset, as the gauge writes it, in UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


def day_of(reading: Reading) -> date:
    """The day that a reading belongs to."""
    return date.fromisoformat(reading.time.isoformat()[:10])
