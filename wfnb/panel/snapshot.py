"""session, its runs -> the snapshot that a front end begins with."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from wfnb.core.queries import visible
from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.views.extension import active

from .drawn_lines import lines
from .drawn_stages import Ways, marks, stages
from .live_run import LiveRun
from .run_rows import run_heads
from .session_facts import Counts, head
from .strategy_table import strategy_table
from .timeline import MAX_AT_FIRST, NOWHERE, last_rows

PROTOCOL = 1
"""The same number as in labextension/src/protocol.ts."""


def snapshot(
    session: Session,
    line: str = MAIN,
    runs: Sequence[LiveRun] = (),
    last: int = MAX_AT_FIRST,
    seq: int = 0,
    ran: Container[int] = NOWHERE,
) -> dict[str, Any]:
    """All small facts, all lines, the `last` rows, all runs. `line` is the one that is chosen; one
    that is gone is main. `ran` has the keys of the steps that the process ran that shows it."""
    chosen = line if line in session.lines else MAIN
    counts = Counts(session)
    order = [step.key for step in visible(session)]
    marked = marks(session, chosen, counts.stages, Ways(session))
    return {
        "kind": "snapshot",
        "protocol": PROTOCOL,
        "seq": seq,
        "head": head(session, chosen, counts, len(runs)),
        "lines": lines(session, order),
        "count": len(order),
        "rows": last_rows(session, runs_by_step(runs), last, ran),
        "stages": stages(session, marked),
        "runs": run_heads(runs),
        "inquiry": inquiry(session),
        "ledger": strategy_table(session, chosen),
    }


def inquiry(session: Session) -> Mapping[str, Any] | None:
    """What is investigated; None where nothing is. It takes the time of all steps."""
    parts = (extension.panel(session) for extension in active(session))
    return next((part for part in parts if part is not None), None)


def runs_by_step(runs: Sequence[LiveRun]) -> dict[int, tuple[str, ...]]:
    """Key of a step -> the names of the runs that it started, in order."""
    names_by_step: dict[int, list[str]] = {}
    for run in runs:
        if run.entry.step is not None:
            names_by_step.setdefault(run.entry.step, []).append(run.entry.name)
    return {key: tuple(names) for key, names in names_by_step.items()}
