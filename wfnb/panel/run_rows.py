"""runs -> a line for each. What they are made with is imported where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .live_run import LiveRun


def run_heads(runs: Sequence[LiveRun]) -> list[dict[str, Any]]:
    """The runs, each in a line, in order."""
    if not runs:
        return []
    from .runs import run_head  # noqa: PLC0415  heavy: the models of workflows

    return [run_head(run) for run in runs]
