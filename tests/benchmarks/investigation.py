"""What an investigation costs: a step of one, over the same step without, as the history grows."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from functools import partial

from wfnb.workspace import Workspace

from .figures import Curve, Figure, Measured, Times, shown, timed
from .histories import by_api, grown

SIZES = (100, 10_000)
ROUNDS = 500
LIMIT = 0.0002


def measure() -> Iterator[Measured]:
    for size in SIZES:
        plain, investigated = _side_by_side(size)
        more = investigated.median - plain.median
        yield Figure(
            f"a step of an investigation over a plain one, after {size:,} others",
            f"median ≤ {shown(LIMIT)}",
            shown(more),
            shown(investigated.p95 - plain.p95),
            more <= LIMIT,
        )
        rows = (("plain", *plain.cells), ("of an investigation", *investigated.cells))
        yield Curve(f"a step after {size:,} others", ("", "median", "p95"), rows)


def by_inquiry(workspace: Workspace, number: int) -> None:
    """A step that says what it found; its finding is new, so that the pause lets it through."""
    if number == 1:
        workspace.inquiry.choose("debug")
    workspace.step(
        f"Compare the residuals of day {number}",
        total=1_000_000 if number == 1 else None,
        finding=f"the residuals of day {number} drift by a tenth more than those of the day before",
        hypothesis="the sensor ages",
        confidence="low",
        context=f"day_{number}",
        issues=f"low: day {number} has a gap",
    )


def _side_by_side(size: int) -> tuple[Times, Times]:
    """A step in each of two sessions, round after round, so that whatever else the machine does
    slows both alike."""
    recordings = (by_api, by_inquiry)
    workspaces = [grown(record, size) for record in recordings]
    seconds: tuple[list[float], ...] = ([], [])
    gc.collect()
    for turn in range(1, ROUNDS + 1):
        for record, workspace, found in zip(recordings, workspaces, seconds, strict=True):
            found.append(timed(partial(record, workspace, size + turn)))
    for workspace in workspaces:
        assert len(workspace.session.steps) == size + ROUNDS
        workspace.journal.close()
    investigation = workspaces[1].session.investigation
    assert investigation is not None
    assert len(investigation.found.findings) == size + ROUNDS
    return Times(seconds[0]), Times(seconds[1])
