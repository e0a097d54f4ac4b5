"""What looking at a long history costs, and taking a change of it back."""

from __future__ import annotations

from collections.abc import Iterator

from .figures import Measured, Times, repeated, timed, told
from .histories import by_cell, grown

SIZES = (1_000, 10_000)
TIMES = 15


def measure() -> Iterator[Measured]:
    for steps in SIZES:
        workspace = grown(by_cell, steps)
        assert len(workspace.status()["steps"]) == steps
        yield told(
            f"`ws.status()`, the whole state of {steps:,} steps", repeated(workspace.status, TIMES)
        )
        seconds = []
        for _ in range(TIMES):
            seconds.append(timed(workspace.undo))
            assert len(workspace.session.steps) == steps - 1
            workspace.redo()
            assert len(workspace.session.steps) == steps
        yield told(f"undo after {steps:,} steps of cells", Times(seconds))
