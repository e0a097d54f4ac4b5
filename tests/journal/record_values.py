"""Steps that keep values, in every kind of event → `values1.db` and its twins, which have to read
for ever, as those of `record_fixture.py` do."""

from wfnb.core.events import (
    BranchOpened,
    Cell,
    Event,
    KeepingChosen,
    Outcome,
    Redone,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepFinished,
    StepRepeated,
    Undone,
    ValuesKept,
)
from wfnb.core.kept import Kept, KeptGroup, KeptValue

from .record_fixture import FOLDER, PROCESS, record

FRAME = "99aa06d3014798d86001c324468d497f-812"
BUFFER = "5f2c9e0199aa06d3014798d86001c324-80000000"


def commands() -> list[list[Event]]:
    """One session, command by command. Positions count all events, from 1."""
    load = Cell(id="c1", source="%%step Load --keep df,same\ndf = same = load()")
    fit = Cell(id="c2", source="%%step Fit\nmodel = fit(df)")
    shared = Kept(
        values=(
            KeptValue(name="df", type="pandas.DataFrame", says="3 rows", size=80_000_812, group=0),
            KeptValue(
                name="same", type="pandas.DataFrame", says="3 rows", size=80_000_812, group=0
            ),
        ),
        groups=(KeptGroup(blobs=(FRAME, BUFFER), signature="b7b7c270b6c9904950b86d531a457578"),),
        environment={"python": "3.11.7", "pandas": "3.1.1"},
        asked=("df", "same"),
        there=("load", "df", "same"),
    )
    model = Kept(
        values=(
            KeptValue(name="model", type="notebook.Model", group=0, needs=("größe",)),
            KeptValue(name="log", type="io.TextIOWrapper", why_not="it is an open file"),
        ),
        groups=(KeptGroup(blobs=(FRAME,), signature="abef08af"),),
        asked=("m*", "log"),
    )
    return [
        [SessionStarted(name="prices", cell=Cell(id="c0", source="%wfnb start prices"))],
        [_step("main", 1, "Load", load, keep=("df", "same"))],
        [
            StepFinished(attempt=2, outcome=Outcome(duration=0.5)),
            ValuesKept(step=2, attempt=2, kept=shared),
        ],
        [KeepingChosen(keep=("m*", "log"), secrets=("*pin*",), budget=5_000_000_000)],
        [_step("main", 2, "Fit", fit, keep=("m*", "log"))],
        [
            StepFinished(attempt=6, outcome=Outcome(duration=1.5)),
            ValuesKept(step=6, attempt=6, kept=model),
        ],
        [StepRepeated(branch="main", number=1, cell=load, process=PROCESS, keep=("df", "same"))],
        [StepFinished(attempt=9, outcome=Outcome(status="failed", error="OSError: no file"))],
        [
            BranchOpened(branch="alt", parent="main", leaves=1),
            StepAdded(
                branch="alt",
                number=2,
                total=2,
                description="By a program",
                next_step_needed=True,
                outcome=Outcome(),
                keep=("df",),
            ),
        ],
        [ValuesKept(step=12, attempt=12, kept=shared)],
        [ValuesKept(step=12, kept=model)],
        [Undone(to=13)],
        [Redone()],
        [
            StepChanged(
                branch="main",
                number=2,
                total=2,
                description="Fit all",
                next_step_needed=True,
                cell=Cell(id="c2", source="%%step Fit all\nmodel = fit(df, all=True)"),
                outcome=Outcome(status="interrupted", error="KeyboardInterrupt"),
                keep=("m*", "log"),
            )
        ],
        [KeepingChosen()],
        [Undone(to=10)],
    ]


def _step(branch: str, number: int, says: str, cell: Cell, keep: tuple[str, ...]) -> StepAdded:
    return StepAdded(
        branch=branch,
        number=number,
        total=2,
        description=says,
        next_step_needed=True,
        cell=cell,
        process=PROCESS,
        keep=keep,
    )


if __name__ == "__main__":
    record(FOLDER / "values1.db", "prices", commands())
