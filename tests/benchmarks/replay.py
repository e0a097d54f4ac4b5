"""What opening a long history costs: time and memory of a new process."""

from __future__ import annotations

from collections.abc import Iterator

from . import child
from .figures import Figure, Measured, Times, within
from .histories import NAME, Recording, by_api, by_cell, folder_of

STEPS = 100_000
TIMES = 5
SECONDS = 2.0
MEGABYTES = 300


def measure() -> Iterator[Measured]:
    yield from _replay(by_api, 1, "100,000 steps by `ws.step`")
    yield from _replay(by_cell, 2, "100,000 steps of cells with sources, 200,000 events")


def _replay(record: Recording, each: int, what: str) -> Iterator[Measured]:
    folder = folder_of(record, STEPS)
    child.asked(child.__file__, "replay", folder, NAME)
    found = [child.asked(child.__file__, "replay", folder, NAME) for _ in range(TIMES)]
    for one in found:
        assert (one["steps"], one["last"]) == (STEPS, STEPS)
        assert one["events"] == 1 + each * STEPS
    yield within(f"replay of {what}", Times([one["seconds"] for one in found]), SECONDS)
    memory = max(one["peak"] for one in found) / 1e6
    before = max(one["before"] for one in found) / 1e6
    yield Figure(
        f"peak memory of that process ({before:.0f} MB before the replay)",
        f"≤ {MEGABYTES} MB",
        f"{memory:.0f} MB",
        met=memory <= MEGABYTES,
    )
