"""What a program and the panel did beside the notebook, and what was taken back of it →
`authors1.db` and its twins, which have to read for ever (`recording.py`)."""

from pathlib import Path

from wfnb.core.events import (
    Author,
    BranchOpened,
    BranchScored,
    Event,
    Outcome,
    Redone,
    SessionStarted,
    StepTagged,
    TakenBack,
    Undone,
)

from .recording import FOLDER, record, step

FILE = FOLDER / "authors1.db"
HELPER = Author(host="mcp", name="helper", version="2.1")
NAMELESS, PANEL = Author(host="mcp"), Author(host="panel")
ENDED = Outcome(duration=0.5)

COMMANDS: list[list[Event]] = [
    [SessionStarted(name="tides")],
    [step(1, "Load", 3, outcome=ENDED)],
    [
        BranchOpened(branch="ridge", parent="main", leaves=1, by=HELPER),
        step(2, "Try ridge", 3, branch="ridge", outcome=ENDED, by=HELPER),
    ],
    [StepTagged(branch="main", number=1, tags=("data",), by=NAMELESS)],
    [BranchScored(branch="ridge", score=0.5, by=PANEL)],
    [step(2, "Fit", 3, outcome=ENDED)],
    [step(3, "Fit again", 3, outcome=ENDED, by=HELPER)],
    [TakenBack(positions=(8,))],
    [TakenBack(positions=(5,), by=PANEL)],
    [Redone()],
    [Undone(to=7)],
]


def write(path: Path) -> None:
    record(path, "tides", COMMANDS)


if __name__ == "__main__":
    write(FILE)
