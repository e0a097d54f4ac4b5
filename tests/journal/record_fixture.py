"""A story in every kind of event of a session → `v1.db` and its twins (`recording.py`).

Run once for each version of the tables or of a type of event; what is recorded is never written
again.
"""

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
    StepChanged,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StrategyChosen,
    Undone,
)

from .recording import FOLDER, PROCESS, record, step

FILE = FOLDER / "v1.db"
ANALYSIS, ACTION, FINAL = "initial_analysis", "action_execution", "final_response"
STRATEGY = {
    "name": "react",
    "start": ANALYSIS,
    "stages": {
        ANALYSIS: {"next": [ACTION], "fields": {}},
        ACTION: {"next": [FINAL], "fields": {"action": "what is done"}},
        FINAL: {"next": [], "fields": {}},
    },
}
LOAD = Cell(id="c1", source='%%step 1/3 Load\ndf = load("data.csv")')
CLEAN = Cell(id="c2", source="%%step Clean\ndf = df.dropna()")
BETTER = Cell(id="c2", source="%%step Clean\ndf = df.dropna().drop_duplicates()")
FIT = Cell(id="c3", source="%%step Fit a model\nmodel = fit(df)")
NO_ROWS = "ValueError: no rows"
LAST = {"next_step_needed": False, "stage": FINAL}

LOADED = {
    "total_given": True,
    "stage": ANALYSIS,
    "cell": LOAD,
    "process": PROCESS,
    "outcome": Outcome(duration=0.25, result="(12000, 8)", values={"rows": 12000}),
}
CLEANED = {
    "needs_more_steps": True,
    "stage": ACTION,
    "fields": {"action": "drop what is missing"},
    "cell": CLEAN,
    "outcome": Outcome(duration=0.5),
}
FOREST = {
    "branch": "alt",
    "warnings": ("Step 3 is also on main.",),
    "outcome": Outcome(duration=2.0, values={"rmse": 0.31, "names": ["a", None, True]}),
}
DOUBLE = {
    "stage": ACTION,
    "fields": {"action": "drop what is missing or double"},
    "cell": BETTER,
    "outcome": Outcome(duration=0.75),
}
REWORDED = {"stage": ANALYSIS, "cell": LOAD, "outcome": Outcome(), "reworded": True}
OVERFITS = {"needs_more_steps": False, "revises": 3, "outcome": Outcome(status="unknown")}

COMMANDS: list[list[Event]] = [
    [SessionStarted(name="churn", cell=Cell(id="c0", source="%wfnb start churn"))],
    [StrategyChosen(strategy=STRATEGY)],
    [step(1, "Load\n\nThe **raw** data – 12 000 Zeilen, “as is”", 3, **LOADED)],
    [step(2, "Clean", 3, **CLEANED)],
    [step(3, "Fit a model", 3, **LAST, cell=FIT, process=PROCESS)],
    [StepFinished(attempt=5, outcome=Outcome(status="failed", duration=1.5, error=NO_ROWS))],
    [
        BranchOpened(branch="alt", parent="main", leaves=2),
        step(3, "Fit a forest", 3, **LAST, **FOREST),
    ],
    [BranchScored(branch="alt", score=0.8, reason="best on the held-out set")],
    [BranchSelected(branch="alt", reason="least error")],
    [step(2, "Clean", 3, StepChanged, **DOUBLE)],
    [step(1, "Load the table", 3, StepChanged, **REWORDED)],
    [StepsConfirmed(branch="main", numbers=(3,)), StepsConfirmed(branch="alt", numbers=(3,))],
    [StepRepeated(branch="main", number=3, cell=FIT, process=PROCESS)],
    [StepFinished(attempt=15, outcome=Outcome(status="interrupted", duration=60.0))],
    [StepRepeated(branch="main", number=3, outcome=Outcome(duration=1.25, result="0.29"))],
    [BranchMerged(branch="alt", into="main", after=3, reason="its features are used")],
    [BranchOpened(branch="linear", parent="main", leaves=1)],
    [BranchAbandoned(branch="linear", reason="not linear")],
    [BranchReopened(branch="linear")],
    [step(4, "Step 3 overfits", 4, **LAST, **OVERFITS)],
    [SessionCleared()],
    [Undone(to=22)],
    [Redone()],
    [Undone(to=22)],
    [StrategyChosen(strategy=None)],
]


def write(path: Path) -> None:
    record(path, "churn", COMMANDS)


if __name__ == "__main__":
    write(FILE)
