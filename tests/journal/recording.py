"""A story, command by command → a journal and its twins, which have to read for ever.

`x.db` is as the journal wrote it; `x.jsonl` is what it has to be read as, and the third file what
the session or the run has to be after each event. What is recorded already is not written again.
"""

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

from wfnb.core.events import Event, StepAdded
from wfnb.core.replay import replay
from wfnb.core.session import Session
from wfnb.journal import SqliteJournal
from wfnb.workflows.core.apply import replay as replay_run
from wfnb.workflows.core.events import RunEvent
from wfnb.workflows.core.run import Run

FOLDER = Path(__file__).parent
PROCESS = "notebook-host 4711 5f2c9e01"
COLUMNS = ("position", "first", "type", "version", "body", "at")


def step(number: int, says: str, total: int, kind: Any = StepAdded, **more: Any) -> Any:
    """What a story adds, or what it makes of it (StepChanged): on main, and not the last."""
    where = {"branch": "main", "number": number, "total": total, "description": says}
    return kind(**{**where, "next_step_needed": True, **more})


def record(path: Path, name: str, commands: Iterable[list[Event]]) -> None:
    """A session. Positions count all events, from 1."""
    with closing(_journal(path)) as journal:
        session, recorded = journal.create(name, [])
        for command in commands:
            recorded += journal.append(session, command, len(recorded))
    upto = (recorded[: index + 1] for index in range(len(recorded)))
    _lines(path.with_suffix(".sessions.jsonl"), (as_told(replay(es)) for es in upto))
    _twin(path, "event")


def record_run(path: Path, name: str, commands: Iterable[list[RunEvent]]) -> None:
    """A run of a session. Positions count all events, from 1."""
    with closing(_journal(path)) as journal:
        session, _ = journal.create("churn", [])
        first, *more = commands
        info, recorded = journal.begin_run(session, name, first, step=3, process=PROCESS)
        for command in more:
            recorded += journal.append_run(info.id, command, len(recorded))
    upto = (recorded[: index + 1] for index in range(len(recorded)))
    told = (run_as_told(replay_run(events)) for events in upto)
    _lines(path.with_suffix(".told.jsonl"), told)
    _twin(path, "run_event")


def _journal(path: Path) -> SqliteJournal:
    if path.exists():
        raise SystemExit(f"{path.name} is recorded for ever. A new version needs a new file.")
    return SqliteJournal(path, clock=count(1_700_000_000.0).__next__)


def _twin(path: Path, table: str) -> None:
    """What the table of events has, as lines; the journal is one file then."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("VACUUM")
        asked = f"SELECT {', '.join(COLUMNS)} FROM {table} ORDER BY position"
        rows = [dict(zip(COLUMNS, row, strict=True)) for row in db.execute(asked)]
    says = ((row, row["version"] & 0xFF, json.loads(row["body"])) for row in rows)  # without sums
    told = ({**row, "version": version, "body": body} for row, version, body in says)
    _lines(path.with_suffix(".jsonl"), told)


def _lines(path: Path, told: Iterable[dict[str, object]]) -> None:
    with path.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in told)


def as_told(session: Session) -> dict[str, object]:
    """What a session is, in the words that every version has for it."""
    return {
        "steps": [
            f"{step.branch}:{step.number} {step.current.description!r}"
            + (f" {step.outcome.status}" if step.outcome else " running")
            + " stale" * step.stale
            for step in session.steps.values()
        ],
        "lines": {line.id: line.state for line in session.lines.values()},
        "strategy": session.strategy.name if session.strategy else None,
        "redoable": session.redoable,
    }


def run_as_told(run: Run) -> dict[str, object]:
    """What a run is, in the words that every version has for it."""
    return {
        "status": run.status,
        "error": run.error,
        "saved": run.saved,
        "calls": [
            f"{'undo ' * (call.undoes is not None)}{call.action} {call.status} {call.attempt}"
            for call in run.calls.values()
        ],
        "ready": list(run.ready),
        "armed": {str(id): dict(values) for id, values in run.armed.items()},
        "variables": run.variables,
        "questions": [asked.question for asked in run.questions.values()],
    }
