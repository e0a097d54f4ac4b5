"""a run of a session -> its line in a list, and the whole of it once it is opened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from wfnb.core.record import record
from wfnb.core.runs.run import Run
from wfnb.views.drawing.graph import SIGNS
from wfnb.views.entries import RUN_SIGNS, RunEntry
from wfnb.views.runs.graph import run_graph
from wfnb.views.runs.progress import NAMED, progress
from wfnb.views.runs.rows import Row, rows
from wfnb.views.runs.tail import Piece, tail
from wfnb.views.runs.words import unanswered
from wfnb.views.text import escape
from wfnb.views.words import cut

from .drawing import drawn
from .rows import sent

ACTIONS, TAIL = 200, 60
"""Actions and lines of output of an opened run: the last ones."""
_AGAIN = ("failed", "rolled_back", "cancelled", "interrupted")
_ERROR, _NOW, _QUESTION = 400, 200, 400


@record
class LiveRun:
    """A run as its session knows it; its state, where this process has that; whether this process
    performs it."""

    entry: RunEntry
    run: Run | None = None
    here: bool = False

    @property
    def status(self) -> str:
        """The run's own word where it runs here: the session's comes later."""
        return self.run.status if self.run is not None and self.here else self.entry.status


def run_head(live: LiveRun) -> dict[str, Any]:
    """A run in a line. It asks the run only what it knows already, however many calls it made."""
    entry, run, status = live.entry, live.run, live.status
    far = None if run is None else progress(run, entry.name)
    error = run.error if run is not None and live.here else entry.error
    ended = entry.ended if run is None or run.ended is None else run.ended
    return {
        "name": sent(entry.name),
        "workflow": sent(entry.workflow),
        "status": status,
        "sign": RUN_SIGNS.get(status, "?"),
        "step": entry.step,
        "done": 0 if far is None else far.done,
        "total": None if far is None else far.total,
        "now": [_cut(each, _NOW) for each in far.now] if far and status == "running" else [],
        "started": entry.started if run is None or run.started is None else run.started,
        "ended": None if status == "running" else ended,
        "error": None if error is None else cut(escape.printable(error), _ERROR),
        "asks": [] if run is None or status != "running" else _asks(run),
        "here": live.here,
        "resumable": status in _AGAIN,
    }


def run_detail(live: LiveRun, said: Sequence[Piece] = ()) -> dict[str, Any]:
    """A run that was opened. `said` is what its calls wrote last, terminal codes and all."""
    run = live.run
    done = [] if run is None else rows(run)
    return {
        "run": run_head(live),
        "drawing": None if run is None else drawn(run_graph(run, live.entry.name, times=True)),
        "actions": [_action(row) for row in done[-ACTIONS:]],
        "tail": tail_lines(said),
    }


def tail_lines(said: Iterable[Piece], last: int = TAIL) -> list[dict[str, str]]:
    r"""What calls wrote, as the last lines of it with who wrote them, plain.

    >>> tail_lines([("build", "\x1b[32mok\x1b[0m\n"), "done\n"])
    [{'who': 'build', 'text': 'ok'}, {'who': '', 'text': 'done'}]
    """
    found: list[dict[str, str]] = []
    for piece in reversed(list(said)):
        who, text = piece if isinstance(piece, tuple) else ("", piece)
        name = _cut(who, 80)
        found += reversed([{"who": name, "text": line} for line in tail([text], last)])
        if len(found) >= last:
            break
    return found[:last][::-1]


def _asks(run: Run) -> list[dict[str, Any]]:
    return [
        {
            "action": sent(run.calls[call].action),
            "question": cut(escape.printable(asked.question), _QUESTION),
            "choices": [sent(str(choice)) for choice in asked.choices],
            "default": None if asked.secret or asked.default is None else sent(str(asked.default)),
            "secret": asked.secret,
            "otherwise": escape.line(unanswered(asked)),
        }
        for call, asked in list(run.questions.items())[:NAMED]
    ]


def _action(row: Row) -> dict[str, Any]:
    seconds = row.duration
    return {
        "action": row.action,
        "sign": SIGNS[row.state],
        "state": row.state,
        "tool": row.tool,
        "attempts": row.attempts,
        "seconds": None if seconds is None else round(seconds, 3),
        "note": _cut(" · ".join([*row.notes, *([row.result] if row.result else [])]), _ERROR),
    }


def _cut(text: str, width: int) -> str:
    return cut(escape.line(text), width)
