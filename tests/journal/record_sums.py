"""A session whose events have sums → `v4.db` and its twins, which have to read for ever
(`recording.py`): the one that was renamed, as it is written since."""

from pathlib import Path

from .record_identity import COMMANDS
from .recording import FOLDER, record

FILE = FOLDER / "v4.db"


def write(path: Path) -> None:
    record(path, "Untitled", COMMANDS)


if __name__ == "__main__":
    write(FILE)
