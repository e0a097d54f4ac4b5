"""An investigation whose hypotheses a person judges → `judged1.db` and its twins, which have to
read for ever (`recording.py`)."""

from pathlib import Path

from wfnb.core.events import Event, Outcome, SessionStarted, Undone
from wfnb.core.findings import Findings
from wfnb.investigations.core.events import HypothesisJudged, KindChosen

from .record_investigations import KIND
from .recording import FOLDER, record, step

FILE = FOLDER / "judged1.db"
LOOP = Findings(hypothesis="the loop", confidence="low")
CACHE = Findings(hypothesis="der Cache – “alt”", confidence="high")

COMMANDS: list[list[Event]] = [
    [SessionStarted(name="crash")],
    [KindChosen(kind=KIND)],
    [step(1, "It never ends", 4, outcome=Outcome(), findings=LOOP)],
    [HypothesisJudged(hypothesis="the loop", verdict="refuted", reason="it ends")],
    [step(2, "It was so before", 4, outcome=Outcome(), findings=CACHE)],
    [HypothesisJudged(hypothesis="der Cache – “alt”", verdict="confirmed")],
    [Undone(to=5)],
]


def write(path: Path) -> None:
    record(path, "crash", COMMANDS)


if __name__ == "__main__":
    write(FILE)
