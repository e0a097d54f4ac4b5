"""What recording costs: one step in process, as the history grows, and two processes at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import perf_counter

from . import child
from .figures import Curve, Figure, Measured, Times, shown, timed, within
from .histories import NAME, Recording, branching, by_api, by_cell, empty_folder, grown

SIZES = (100, 1_000, 10_000, 100_000)
ROUNDS = 500
LIMIT = 0.0005
FLAT = 1.25  # of two medians of one run: less is noise
EACH = 1_000
APPEND = (child.__file__, "append")


def measure() -> Iterator[Measured]:
    recordings: Mapping[str, Recording] = {
        "a step by `ws.step`": by_api,
        "a step of a cell, begun and finished": by_cell,
    }
    for what, record in recordings.items():
        times = _as_it_grows(record, SIZES)
        small, large = times[SIZES[0]], times[SIZES[-1]]
        yield within(f"{what}, recorded to SQLite after 100,000 others", large, LIMIT, "p95")
        ratio = large.median / small.median
        yield Figure(
            f"{what}: after 100,000 over after 100",
            f"ratio ≤ {FLAT}",
            f"{ratio:.2f}",
            f"{large.p95 / small.p95:.2f}",
            ratio <= FLAT,
        )
        yield _curve(what, times)
    times = _as_it_grows(branching, SIZES[:-1])
    yield _curve("a step by `ws.step` on a history of 7, 67 and 667 lines", times)
    yield _two_processes()


def _as_it_grows(record: Recording, sizes: Sequence[int]) -> Mapping[int, Times]:
    """One session of each size; a step in each of them, round after round, so that whatever else
    the machine does slows all sizes alike."""
    workspaces = {size: grown(record, size) for size in sizes}
    seconds: dict[int, list[float]] = {size: [] for size in sizes}
    gc.collect()
    for turn in range(1, ROUNDS + 1):
        for size, workspace in workspaces.items():
            seconds[size].append(timed(partial(record, workspace, size + turn)))
    for size, workspace in workspaces.items():
        kept = workspace.log.journal.read(workspace.log.id)
        assert len(kept) == workspace.session.position > size + ROUNDS
        assert len(workspace.session.steps) == size + ROUNDS
        workspace.log.journal.close()
    return {size: Times(found) for size, found in seconds.items()}


def _curve(what: str, times: Mapping[int, Times]) -> Curve:
    rows = ((f"{size:,}", *found.cells, shown(max(found.seconds))) for size, found in times.items())
    heads = ("steps before", "median", "p95", "worst")
    return Curve(f"{what}, as the history grows", heads, tuple(rows))


def _two_processes() -> Figure:
    """Both wait until both are ready, then write to one session as fast as they can."""
    folder = empty_folder()
    with child.started(*APPEND, folder, EACH) as one, child.started(*APPEND, folder, EACH) as two:
        writers = (one, two)
        for writer in writers:
            writer.wait_until_ready()
        begun = perf_counter()
        for writer in writers:
            writer.go()
        conflicts = sum(writer.answer()["conflicts"] for writer in writers)
        seconds = perf_counter() - begun
    found = child.asked(child.__file__, "replay", folder, NAME)
    assert (found["steps"], found["last"]) == (2 * EACH, 2 * EACH)
    return Figure(
        f"two processes, {EACH:,} steps each at once into one session",
        "",
        f"{2 * EACH / seconds:,.0f} steps/s, {conflicts:,} conflicts, none lost",
    )
