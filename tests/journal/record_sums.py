"""A session whose events have sums → `v4.db` and its twins, which have to read for ever
(`recording.py`)."""

from pathlib import Path

from wfnb.core.events import Cell, Event, Redone, SessionRenamed, SessionStarted, Undone

from .recording import FOLDER, record, step

FILE = FOLDER / "v4.db"

COMMANDS: list[list[Event]] = [
    [SessionStarted(name="Untitled", cell=Cell(id="c0", source="%wfnb start Untitled"))],
    [step(1, "Load", 2)],
    [step(2, "Fit", 2)],
    [SessionRenamed(name="penguins")],
    [Undone(to=2)],
    [SessionRenamed(name="Pinguine – “neu”")],
    [Redone()],
    [Undone(to=2)],
    [step(2, "Fit a forest", 2)],
]


def write(path: Path) -> None:
    record(path, "Untitled", COMMANDS)


if __name__ == "__main__":
    write(FILE)
