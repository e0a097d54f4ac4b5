"""A session in record mode → `recording1.db` and its twins, which have to read for ever
(`recording.py`)."""

from pathlib import Path

from wfnb.core.events import Cell, Event, Outcome, RecordingChosen, SessionStarted, Undone

from .recording import FOLDER, record, step

FILE = FOLDER / "recording1.db"
LOAD = Cell(id="c1", source="# Load\nx = 1", notebook="a.ipynb")

COMMANDS: list[list[Event]] = [
    [SessionStarted(name="plain")],
    [RecordingChosen(on=True)],
    [step(1, "Load", 1, cell=LOAD, outcome=Outcome())],
    [RecordingChosen(on=True, quiet=True)],
    [RecordingChosen(on=False)],
    [Undone(to=4)],
]


def write(path: Path) -> None:
    record(path, "plain", COMMANDS)


if __name__ == "__main__":
    write(FILE)
