"""session -> what a front end that stays open draws: a snapshot, then what changed since.

The contract is labextension/src/picture.ts; everything here is JSON data as it says. Nothing here
locks: whoever calls holds the session still.

    live = Live(session, line, runs)            for a session; any number of front ends share it
    live.snapshot()                             for a front end that connects: all there is
    live.after(session, entries, line, runs)    what changed, with the next `seq`; None: nothing

`runs` are `LiveRun`s in the order of their beginning: how the session knows a run, its state where
this process has it, and whether this process performs it.
"""

from .inquiry import inquiry
from .live import Live
from .opened import card
from .rows import rows_page
from .runs import LiveRun, run_detail, run_head, tail_lines
from .side_by_side import comparison
from .whole import snapshot

__all__ = [
    "Live",
    "LiveRun",
    "card",
    "comparison",
    "inquiry",
    "rows_page",
    "run_detail",
    "run_head",
    "snapshot",
    "tail_lines",
]
