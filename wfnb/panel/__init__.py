"""session -> what a front end that stays open draws: a snapshot, then what changed since.

The contract is labextension/src/protocol.ts; everything here is JSON data as it says. Nothing here
locks: whoever calls holds the session still.

    live = Live(session, line, runs)            for a session; any number of front ends share it
    live.snapshot()                             for a front end that connects: all there is
    live.after(session, entries, line, runs)    what changed, with the next `seq`; None: nothing

`runs` are `LiveRun`s in the order of their beginning: how the session knows a run, its state where
this process has it, and whether this process performs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .comparison import code_comparison, comparison
from .deltas import Live
from .live_run import LiveRun
from .run_output import PrintedOutput, kept_output, tail_lines
from .snapshot import inquiry, runs_by_step, snapshot
from .step_card import card, source, step_cell
from .timeline import figure_names, notebook_names, rows_page

if TYPE_CHECKING:
    from .runs import run_detail, run_head

__all__ = [
    "Live",
    "LiveRun",
    "PrintedOutput",
    "card",
    "code_comparison",
    "comparison",
    "figure_names",
    "inquiry",
    "kept_output",
    "notebook_names",
    "rows_page",
    "run_detail",
    "run_head",
    "runs_by_step",
    "snapshot",
    "source",
    "step_cell",
    "tail_lines",
]


def __getattr__(name: str) -> Any:
    """What is said of runs is imported where there are any: it brings the models of workflows."""
    if name not in ("run_detail", "run_head"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.runs"), name)
