"""a run of a session -> its line in a list, and the whole of it once it is opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from wfnb.render.drawing.graph import SIGNS
from wfnb.render.text import escape
from wfnb.views.step_words import RUN_SIGNS, cut
from wfnb.workflows.core.run import Run
from wfnb.workflows.views.action_rows import Row, rows, undo_of_items, visible_rows, with_items
from wfnb.workflows.views.graph import run_graph
from wfnb.workflows.views.progress import NAMED, progress
from wfnb.workflows.views.run_result import RESUMABLE
from wfnb.workflows.views.run_words import no_answer_note
from wfnb.workflows.views.terminal_tail import Piece

from .drawn_graph import draw_graph
from .live_run import LiveRun
from .run_output import tail_lines
from .timeline import sendable_text

ACTIONS = 200
"""Actions of an opened run: the last ones."""
_ERROR, _NOW, _QUESTION = 400, 200, 400


def run_head(live: LiveRun) -> dict[str, Any]:
    """A run in a line. It asks the run only what it knows already, however many calls it made."""
    entry, run, status = live.entry, live.run, live.status
    goes_on = status in ("running", "parked")
    far = None if run is None else progress(run, entry.name)
    # Of a run of another process the entry in the journal is the newer of the two.
    error = run.error if run is not None and live.is_performed_here else entry.error
    ended = entry.ended if run is None or run.ended is None else run.ended
    return {
        "name": sendable_text(entry.name),
        "workflow": sendable_text(entry.workflow),
        "status": status,
        "sign": RUN_SIGNS.get(status, "?"),
        "step": entry.step,
        "done": 0 if far is None else far.done,
        "total": None if far is None else far.total,
        "now": [_cut(each, _NOW) for each in far.now] if far and status == "running" else [],
        "started": entry.started if run is None or run.started is None else run.started,
        "ended": None if goes_on else ended,
        "error": None if error is None else cut(escape.printable(error), _ERROR),
        "asks": list(islice(_asks(live), NAMED)) if goes_on else [],
        "here": live.is_performed_here,
        "resumable": status in (*RESUMABLE, "parked"),
    }


def run_detail(
    live: LiveRun,
    pieces: Sequence[Piece] = (),
    upto: int = 0,
    nested: Sequence[tuple[Sequence[str], str, Run]] = (),
) -> dict[str, Any]:
    """A run that was opened. `pieces` are what its calls wrote last, terminal codes and all: the
    last of `upto` lines; `nested` are runs that were called in it: the actions that lead to each,
    and its name."""
    run = live.run
    graph = None if run is None else run_graph(run, live.entry.name, times=True)
    done = () if run is None else rows(run)
    return {
        "run": run_head(live),
        "drawing": None if graph is None else draw_graph(graph),
        "actions": _actions(done),
        "tail": tail_lines(pieces),
        "upto": upto,
        "nested": [
            {"path": list(path), "run": sendable_text(name), "actions": _actions(rows(called))}
            for path, name, called in nested
        ],
    }


def _actions(done: Sequence[Row]) -> list[dict[str, Any]]:
    # The steps of a group have its index.
    whole = {(row.index, row.action): undo_of_items(items) for row, items in with_items(done)}
    return [
        _action(row, row.undo if row.is_item else whole[row.index, row.action] or row.undo)
        for row in visible_rows(done)[-ACTIONS:]
    ]


def _asks(live: LiveRun) -> Iterator[dict[str, Any]]:
    """Its own questions, then those of runs that it called."""
    own = () if live.run is None else ((live.entry.name, live.run),)
    for name, run in (*own, *live.called):
        # A copy: the run goes on in another thread, and may get an answer meanwhile.
        for call, question in list(run.questions.items()):
            default = (
                None
                if question.secret or question.default is None
                else sendable_text(str(question.default))
            )
            yield {
                "run": sendable_text(name),
                "call": call,
                "action": sendable_text(run.calls[call].action),
                "question": cut(escape.printable(question.question), _QUESTION),
                "choices": [sendable_text(str(choice)) for choice in question.choices],
                "default": default,
                "secret": question.secret,
                "otherwise": escape.line(no_answer_note(question)),
            }


def _action(row: Row, undo: str) -> dict[str, Any]:
    seconds = row.duration
    return {
        "action": row.action,
        "sign": SIGNS[row.state],
        "state": row.state,
        "tool": row.tool,
        "attempts": row.attempts,
        "seconds": None if seconds is None else round(seconds, 3),
        "undo": _cut(undo, _NOW),
        "note": _cut(" · ".join([*row.notes, *([row.result] if row.result else [])]), _ERROR),
    }


def _cut(text: str, width: int) -> str:
    return cut(escape.line(text), width)
