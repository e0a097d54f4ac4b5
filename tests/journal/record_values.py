"""Steps that keep values, in every kind of event → `values1.db` and its twins, which have to read
for ever (`recording.py`). What their code read was not recorded then: since rule 8 asks for it,
those that ended well are stale."""

from pathlib import Path

from wfnb.core.events import (
    BranchOpened,
    Cell,
    Event,
    KeepingChosen,
    Outcome,
    Redone,
    SessionStarted,
    StepChanged,
    StepFinished,
    StepRepeated,
    Undone,
    ValuesKept,
)
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues

from .recording import FOLDER, PROCESS, record, step

FILE = FOLDER / "values1.db"
FRAME = "99aa06d3014798d86001c324468d497f-812"
BUFFER = "5f2c9e0199aa06d3014798d86001c324-80000000"


LOAD = Cell(id="c1", source="%%step Load --keep df,same\ndf = same = load()")
FIT = Cell(id="c2", source="%%step Fit\nmodel = fit(df)")
FIT_ALL = Cell(id="c2", source="%%step Fit all\nmodel = fit(df, all=True)")
TABLE = {"type": "pandas.DataFrame", "says": "3 rows", "size": 80_000_812, "group": 0}
SHARED = KeptValues(
    values=(KeptValue(name="df", **TABLE), KeptValue(name="same", **TABLE)),
    groups=(KeptGroup(blobs=(FRAME, BUFFER), signature="b7b7c270b6c9904950b86d531a457578"),),
    environment={"python": "3.11.7", "pandas": "3.1.1"},
    asked=("df", "same"),
    there=("load", "df", "same"),
)
MODEL = KeptValues(
    values=(
        KeptValue(name="model", type="notebook.Model", group=0, needs=("größe",)),
        KeptValue(name="log", type="io.TextIOWrapper", why_not="it is an open file"),
    ),
    groups=(KeptGroup(blobs=(FRAME,), signature="abef08af"),),
    asked=("m*", "log"),
)
LOADED = {"cell": LOAD, "process": PROCESS, "keep": ("df", "same")}
FITTED = {"cell": FIT, "process": PROCESS, "keep": ("m*", "log")}
STOPPED = Outcome(status="interrupted", error="KeyboardInterrupt")

COMMANDS: list[list[Event]] = [
    [SessionStarted(name="prices", cell=Cell(id="c0", source="%wfnb start prices"))],
    [step(1, "Load", 2, **LOADED)],
    [
        StepFinished(attempt=2, outcome=Outcome(duration=0.5)),
        ValuesKept(step=2, attempt=2, kept=SHARED),
    ],
    [KeepingChosen(keep=("m*", "log"), secrets=("*pin*",), budget=5_000_000_000)],
    [step(2, "Fit", 2, **FITTED)],
    [
        StepFinished(attempt=6, outcome=Outcome(duration=1.5)),
        ValuesKept(step=6, attempt=6, kept=MODEL),
    ],
    [StepRepeated(branch="main", number=1, **LOADED)],
    [StepFinished(attempt=9, outcome=Outcome(status="failed", error="OSError: no file"))],
    [
        BranchOpened(branch="alt", parent="main", leaves=1),
        step(2, "By a program", 2, branch="alt", outcome=Outcome(), keep=("df",)),
    ],
    [ValuesKept(step=12, attempt=12, kept=SHARED)],
    [ValuesKept(step=12, kept=MODEL)],
    [Undone(to=13)],
    [Redone()],
    [step(2, "Fit all", 2, StepChanged, cell=FIT_ALL, outcome=STOPPED, keep=("m*", "log"))],
    [KeepingChosen()],
    [Undone(to=10)],
]


def write(path: Path) -> None:
    record(path, "prices", COMMANDS)


if __name__ == "__main__":
    write(FILE)
