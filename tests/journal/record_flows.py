"""Steps of which it is known what they read and wrote, out of order and over plain cells →
`flows1.db` and its twins, which have to read for ever (`recording.py`)."""

from pathlib import Path

from wfnb.core.data_flow import DERIVED, LEFT, PLAIN, UNSEEN, Flow
from wfnb.core.events import (
    BranchOpened,
    Cell,
    Event,
    Outcome,
    PlainNamesChanged,
    Redone,
    SessionStarted,
    StepChanged,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    Undone,
)

from .recording import FOLDER, PROCESS, record, step

FILE = FOLDER / "flows1.db"
LOAD = Cell(id="c1", source="%%step Load\nx = load(k)")
MEAN = Cell(id="c2", source="%%step Mean\nm = mean(x)")
MEDIAN = Cell(id="c2", source="%%step Mean\nm = median(x)")
CLEAN = Cell(id="c3", source="%%step --revises 1 Clean\nx = clean(x)")
DRAW = Cell(id="c4", source="%%step Draw --reads style\nplot(m)")
OTHER = Cell(id="c5", source="%%branch other --from 1\nn = mean(x)")


def ran(cell: Cell) -> dict[str, object]:
    return {"cell": cell, "process": PROCESS}


def ended(attempt: int, status: str = "ok", **flow: object) -> StepFinished:
    return StepFinished(
        attempt=attempt, outcome=Outcome(status=status, duration=0.5), flow=Flow(**flow)
    )


def load(attempt: int, k: str, x: str) -> StepFinished:
    return ended(attempt, code="a1", reads={"k": (k, PLAIN), "load": ("=io.load", PLAIN)},
                 absent=("größe",), writes={"x": x})  # fmt: skip


COMMANDS: list[list[Event]] = [
    [SessionStarted(name="flows", cell=Cell(id="c0", source="%wfnb start flows"))],
    [step(1, "Load", 4, **ran(LOAD))],
    [load(2, "#5", "x1")],
    [step(2, "Mean", 4, **ran(MEAN))],
    [ended(4, code="b1", reads={"x": ("x1", 2)}, writes={"m": "m1"}, possible=("x",))],
    [step(3, "Clean", 4, revises=1, **ran(CLEAN))],
    [ended(6, code="c1", reads={"x": ("x1", 2)}, writes={"x": "x2"})],
    [StepRepeated(branch="main", number=2, **ran(MEAN))],
    [ended(8, code="b1", reads={"x": ("x2", 6)}, writes={"m": "m2"}, possible=("x",))],
    [step(4, "Draw", 4, **ran(DRAW))],
    [ended(10, code="d1", reads={"m": ("m2", 4), "style": ("!9", DERIVED)}, unseen=("exec",))],
    [StepsConfirmed(branch="main", numbers=(4,))],
    [PlainNamesChanged(versions={"k": "#6", "tmp": ""})],
    [StepRepeated(branch="main", number=1, **ran(LOAD))],
    [load(14, "#6", "x3")],
    [Undone(to=12)],
    [Redone()],
    [PlainNamesChanged(versions={"k": "#5"})],
    [step(2, "Median", 4, StepChanged, **ran(MEDIAN))],
    [ended(19, "interrupted", code="b2", reads={"x": ("x3", 2)}, writes={"m": "m3"})],
    [
        BranchOpened(branch="other", parent="main", leaves=1),
        step(2, "Of a branch", 4, branch="other", **ran(OTHER)),
    ],
    [ended(22, "failed", code="e1", reads={"x": ("!7", UNSEEN)}, writes={"n": "n1"})],
    [StepRepeated(branch="other", number=2, outcome=Outcome(), flow=Flow(reads={"x": ("x2", 6)}))],
    [StepRepeated(branch="main", number=4, **ran(DRAW))],
    [ended(25, code="d1", reads={"m": ("m3", 4), "style": ("!9", LEFT)})],
    [StepRepeated(branch="main", number=1, **ran(LOAD))],
    [StepFinished(attempt=27, outcome=Outcome())],
    [step(5, "In words", 5, outcome=Outcome(), flow=Flow(reads={"m": ("m3", 4)}))],
]


def write(path: Path) -> None:
    record(path, "flows", COMMANDS)


if __name__ == "__main__":
    write(FILE)
