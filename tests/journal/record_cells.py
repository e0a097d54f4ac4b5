"""Steps that are hidden, described otherwise and tagged → `cells1.db` and its twins, which have to
read for ever (`recording.py`)."""

from pathlib import Path

from wfnb.core.events import (
    BranchOpened,
    Cell,
    Event,
    Outcome,
    Redone,
    SessionStarted,
    StepChanged,
    StepDescribed,
    StepRepeated,
    StepsHidden,
    StepsShown,
    StepTagged,
    Undone,
)

from .recording import FOLDER, record, step

FILE = FOLDER / "cells1.db"
LOAD = Cell(id="c1", source="%%step Load --tag data\nload()", notebook="tides.ipynb")
MOVED = Cell(id="c9", notebook="tides.ipynb")
LONGER = Cell(id="c9", source="%%step Load --tag slow\nload(2)", notebook="tides.ipynb")
ENDED = Outcome(duration=0.5)

COMMANDS: list[list[Event]] = [
    [SessionStarted(name="tides")],
    [step(1, "Load", 3, cell=LOAD, tags=("data",), outcome=ENDED)],
    [step(2, "Plot", 3, outcome=ENDED)],
    [BranchOpened(branch="alt", parent="main", leaves=1), step(2, "Fit", 3, branch="alt")],
    [StepDescribed(branch="main", number=1, description="Load both years\n\nOne was missing.")],
    [StepTagged(branch="main", number=1, tags=("data", "größe"))],
    [StepsHidden(branch="main", numbers=(2,)), StepsHidden(branch="alt", numbers=(2,))],
    [StepRepeated(branch="main", number=1, cell=MOVED, outcome=ENDED)],
    [StepsShown(branch="alt", numbers=(2,))],
    [
        step(
            1,
            "Load both years",
            3,
            StepChanged,
            cell=LONGER,
            tags=("slow",),
            outcome=ENDED,
            reworded=True,
        )
    ],
    [Undone(to=9)],
    [Redone()],
]


def write(path: Path) -> None:
    record(path, "tides", COMMANDS)


if __name__ == "__main__":
    write(FILE)
