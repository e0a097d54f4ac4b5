"""A run in every kind of event → `runs2.db` and its twins: what has to read for ever.

Run once for each version of the tables or of a type of a run's event; what is recorded is never
written again. `runs2.jsonl` is what the events have to be read as, and `runs2.told.jsonl` what the
run has to be after each of them.
"""

import json
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

from wfnb.core.runs.apply import replay
from wfnb.core.runs.events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    QuestionAsked,
    RunEnded,
    RunEvent,
    RunResumed,
    RunStarted,
    StopAsked,
)
from wfnb.journal import SqliteJournal

from .test_recorded_runs import as_told

FOLDER = Path(__file__).parent
HERE, THERE = "notebook-host 4711 5f2c9e01", "notebook-host 4712 00c0ffee"
WORKFLOW = {
    "name": "deploy",
    "variables": {"env": "prod", "token": {"secret": True}},
    "rollback_on_cancel": True,
    "initial_state": "build",
    "states": {
        "build": {
            "action": {"tool": "shell", "params": {"command": "make {env!q}"}},
            "transitions": [{"condition": {"success": True}, "next_state": "confirm"}],
            "retry": {"attempts": 2, "wait": 1, "backoff": "exponential"},
            "compensation": {"tool": "shell", "params": {"command": "make clean {result.out}"}},
        },
        "confirm": {
            "action": {"tool": "ask", "params": {"question": "Go on?", "choices": ["yes", "no"]}},
            "transitions": [
                {"condition": {"field_equals": {"answer": "yes"}}, "next_state": "upload"}
            ],
        },
        "upload": {
            "action": {"tool": "shell", "params": {"command": "upload {token}"}},
            "on_timeout": "upload",
        },
    },
}


def commands() -> list[list[RunEvent]]:
    """One run, command by command. Positions count all events, from 1."""
    made = {"success": True, "exit_code": 0, "stdout": "built “x” – 3 Dateien\n", "out": "dist"}
    late = {"success": False, "timeout_occurred": True, "error": "timed out after 30s"}
    lost = {"success": False, "error": "the process ended while it ran"}
    make = {"command": "make prod"}
    return [
        [
            RunStarted(
                workflow=WORKFLOW,
                variables={"env": "prod"},
                secrets=("token",),
                max_states=20,
                timeout=600.0,
                process=HERE,
            )
        ],
        [CallStarted(action="build", tool="shell", params=make)],
        [
            CallFinished(
                call=2,
                status="failed",
                result={"success": False, "exit_code": 2, "error": "exit code 2"},
                duration=0.5,
                retry=True,
            ),
        ],
        [CallStarted(action="build", tool="shell", params=make, attempt=2, waited=1.0)],
        [
            CallFinished(
                call=4,
                status="ok",
                result=made,
                duration=0.75,
                goto="confirm",
                captured={"files": "3"},
                armed={"result": {"out": "dist"}},
                cached=True,
            ),
            CallStarted(
                action="confirm", tool="ask", params={"question": "Go on?"}, idempotent=True
            ),
        ],
        [QuestionAsked(call=6, question="Go on?", choices=("yes", "no"), default="no", timeout=60)],
        [QuestionAnswered(call=6, answer="yes")],
        [
            CallFinished(
                call=6, status="ok", result={"success": True, "answer": "yes"}, goto="upload"
            ),
            CallStarted(action="upload", tool="shell", params={"command": "upload •••"}),
        ],
        [CallFinished(call=10, status="timed_out", result=late, duration=30.0, goto="upload")],
        [CallStarted(action="upload", tool="shell", params={"command": "upload •••"})],
        [
            CallFinished(call=12, status="unknown", result=lost, retry=True),
            RunResumed(process=THERE, secrets=("token",)),
        ],
        [CallStarted(action="upload", tool="shell", params={"command": "upload •••"})],
        [StopAsked(why="cancelled", reason="enough", rollback=True)],
        [CallFinished(call=15, status="cancelled", result={"success": False, "error": "stopped"})],
        [
            CallStarted(
                action="build", tool="shell", params={"command": "make clean dist"}, undoes=4
            )
        ],
        [CallFinished(call=18, status="ok", result={"success": True}, duration=0.1)],
        [RunEnded(status="cancelled", error="enough")],
        [RunResumed(process=THERE, start="build", variables={"env": "test"}, secrets=("token",))],
        [CallStarted(action="build", tool="shell", params={"command": "make test"})],
        [CallFinished(call=22, status="ok", result={"success": True}, duration=1.0)],
        [RunEnded(status="success", saved="deploy")],
    ]


def main() -> None:
    path = FOLDER / "runs2.db"
    if path.exists():
        raise SystemExit(f"{path.name} is recorded for ever. A new version needs a new file.")
    with closing(SqliteJournal(path, clock=count(1_700_000_000.0).__next__)) as journal:
        session, _ = journal.create("churn", [])
        first, *more = commands()
        info, recorded = journal.begin_run(session, "deploy", first, step=3, process=HERE)
        for command in more:
            recorded += journal.append_run(info.id, command, len(recorded))
        told = [as_told(replay(recorded[: index + 1])) for index in range(len(recorded))]
    with path.with_suffix(".told.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in told)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("VACUUM")
        columns = ("position", "first", "type", "version", "body", "at")
        asked = f"SELECT {', '.join(columns)} FROM run_event ORDER BY position"
        rows = db.execute(asked).fetchall()
    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as lines:
        for row in rows:
            line = dict(zip(columns, row, strict=True))
            line["body"] = json.loads(line["body"])
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
