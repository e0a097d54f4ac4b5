"""the readings of a tide gauge -> the days on which the harbour has to be warned.

python tides.py levels.csv 695
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from itertools import pairwise

import gauge
from gauge import Reading

MARK = 695
"""Centimetres: water above it floods the quay."""


def by_day(readings: Iterable[Reading]) -> dict[date, list[Reading]]:
    """The readings of each day."""
    days: dict[date, list[Reading]] = defaultdict(list)
    for reading in readings:
        days[gauge.day_of(reading)].append(reading)
    return dict(days)


def highest(readings: Iterable[Reading]) -> dict[date, Reading]:
    """The highest water of each day; of two that are equal, the first."""
    return {
        day: max(found, key=lambda reading: reading.level)
        for day, found in by_day(readings).items()
    }


def warning_days(readings: Iterable[Reading], mark: int = MARK) -> list[date]:
    """The days on which the water is as high as the mark, or higher."""
    return sorted(day for day, top in highest(readings).items() if top.level >= mark)


def gaps(readings: Iterable[Reading], hours: float = 1) -> list[tuple[Reading, Reading]]:
    """Neighbours that are further apart than they should be."""
    return [
        (before, after)
        for before, after in pairwise(readings)
        if (after.time - before.time).total_seconds() > hours * 3600
    ]


def report(readings: Iterable[Reading], mark: int = MARK) -> str:
    """A line for each day of warning, as the harbour office prints it."""
    tops = highest(readings)
    return "\n".join(
        f"{day:%d %B}: {tops[day].level} cm, {tops[day].level - mark} above the mark"
        for day in sorted(tops)
        if tops[day].level >= mark
    )


def main(path: str, mark: int | str = MARK) -> None:
    readings = gauge.read(path)
    for before, after in gaps(readings):
        print(f"nothing was read between {before.time} and {after.time}", file=sys.stderr)
    print(report(readings, int(mark)))


if __name__ == "__main__":
    main(*sys.argv[1:])
