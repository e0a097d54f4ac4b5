"""A story in every kind of event → `v1.db` and its twins: the journal that has to read for ever.

Run once for each version of the tables or of a type of event; what is recorded is never written
again. `v1.db` is as the journal wrote it; `v1.jsonl` is what it has to be read as, and
`v1.sessions.jsonl` what the session has to be after each event.
"""

import json
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

from wfnb.core.events import (
    BranchAbandoned,
    BranchMerged,
    BranchOpened,
    BranchReopened,
    BranchScored,
    BranchSelected,
    Cell,
    Event,
    Outcome,
    Redone,
    SessionCleared,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StrategyChosen,
    Undone,
)
from wfnb.core.replay import replay
from wfnb.journal import SqliteJournal

from .test_recorded import as_told

FOLDER = Path(__file__).parent
STRATEGY = {
    "name": "react",
    "start": "initial_analysis",
    "stages": {
        "initial_analysis": {"next": ["action_execution"], "fields": {}},
        "action_execution": {"next": ["final_response"], "fields": {"action": "what is done"}},
        "final_response": {"next": [], "fields": {}},
    },
}
COLUMNS = ("position", "first", "type", "version", "body", "at")
PROCESS = "notebook-host 4711 5f2c9e01"


def commands() -> list[list[Event]]:
    """One session, command by command. Positions count all events, from 1."""
    load = Cell(id="c1", source='%%step 1/3 Load\ndf = load("data.csv")')
    fit = Cell(id="c3", source="%%step Fit a model\nmodel = fit(df)")
    better = Cell(id="c2", source="%%step Clean\ndf = df.dropna().drop_duplicates()")
    return [
        [SessionStarted(name="churn", cell=Cell(id="c0", source="%wfnb start churn"))],
        [StrategyChosen(strategy=STRATEGY)],
        [
            StepAdded(
                branch="main",
                number=1,
                total=3,
                description="Load\n\nThe **raw** data – 12 000 Zeilen, “as is”",
                next_step_needed=True,
                total_given=True,
                stage="initial_analysis",
                cell=load,
                process=PROCESS,
                outcome=Outcome(duration=0.25, result="(12000, 8)", values={"rows": 12000}),
            )
        ],
        [
            StepAdded(
                branch="main",
                number=2,
                total=3,
                description="Clean",
                next_step_needed=True,
                needs_more_steps=True,
                stage="action_execution",
                fields={"action": "drop what is missing"},
                cell=Cell(id="c2", source="%%step Clean\ndf = df.dropna()"),
                outcome=Outcome(duration=0.5),
            )
        ],
        [
            StepAdded(
                branch="main",
                number=3,
                total=3,
                description="Fit a model",
                next_step_needed=False,
                stage="final_response",
                cell=fit,
                process=PROCESS,
            )
        ],
        [
            StepFinished(
                attempt=5,
                outcome=Outcome(status="failed", duration=1.5, error="ValueError: no rows"),
            )
        ],
        [
            BranchOpened(branch="alt", parent="main", leaves=2),
            StepAdded(
                branch="alt",
                number=3,
                total=3,
                description="Fit a forest",
                next_step_needed=False,
                stage="final_response",
                warnings=("Step 3 is also on main.",),
                outcome=Outcome(duration=2.0, values={"rmse": 0.31, "names": ["a", None, True]}),
            ),
        ],
        [BranchScored(branch="alt", score=0.8, reason="best on the held-out set")],
        [BranchSelected(branch="alt", reason="least error")],
        [
            StepChanged(
                branch="main",
                number=2,
                total=3,
                description="Clean",
                next_step_needed=True,
                stage="action_execution",
                fields={"action": "drop what is missing or double"},
                cell=better,
                outcome=Outcome(duration=0.75),
            )
        ],
        [
            StepChanged(
                branch="main",
                number=1,
                total=3,
                description="Load the table",
                next_step_needed=True,
                stage="initial_analysis",
                cell=load,
                outcome=Outcome(),
                reworded=True,
            )
        ],
        [
            StepsConfirmed(branch="main", numbers=(3,)),
            StepsConfirmed(branch="alt", numbers=(3,)),
        ],
        [StepRepeated(branch="main", number=3, cell=fit, process=PROCESS)],
        [StepFinished(attempt=15, outcome=Outcome(status="interrupted", duration=60.0))],
        [StepRepeated(branch="main", number=3, outcome=Outcome(duration=1.25, result="0.29"))],
        [BranchMerged(branch="alt", into="main", after=3, reason="its features are used")],
        [BranchOpened(branch="linear", parent="main", leaves=1)],
        [BranchAbandoned(branch="linear", reason="not linear")],
        [BranchReopened(branch="linear")],
        [
            StepAdded(
                branch="main",
                number=4,
                total=4,
                description="Step 3 overfits",
                next_step_needed=False,
                needs_more_steps=False,
                revises=3,
                stage="final_response",
                outcome=Outcome(status="unknown"),
            )
        ],
        [SessionCleared()],
        [Undone(to=22)],
        [Redone()],
        [Undone(to=22)],
        [StrategyChosen(strategy=None)],
    ]


def main() -> None:
    record(FOLDER / "v1.db", "churn", commands())


def record(path: Path, name: str, commands: list[list[Event]]) -> None:
    """Write the journal and its twins. What is recorded already is not written again."""
    if path.exists():
        raise SystemExit(f"{path.name} is recorded for ever. A new version needs a new file.")
    with closing(SqliteJournal(path, clock=count(1_700_000_000.0).__next__)) as journal:
        session, recorded = journal.create(name, [])
        for command in commands:
            recorded += journal.append(session, command, len(recorded))
        told = [as_told(replay(recorded[: index + 1])) for index in range(len(recorded))]
    with path.with_suffix(".sessions.jsonl").open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in told)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("VACUUM")
        rows = db.execute(f"SELECT {', '.join(COLUMNS)} FROM event ORDER BY position").fetchall()
    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as lines:
        for row in rows:
            line = dict(zip(COLUMNS, row, strict=True))
            line["body"] = json.loads(line["body"])
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
