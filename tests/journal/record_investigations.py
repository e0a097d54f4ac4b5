"""An investigation in every kind of event → `investigations1.db` and its twins, which have to read
for ever (`recording.py`)."""

from pathlib import Path

from wfnb.core.events import Cell, Event, Outcome, Redone, SessionStarted, StepChanged, Undone
from wfnb.core.findings import Findings, Issue, Look
from wfnb.investigations.core.events import (
    Advice,
    AdviceTaken,
    Backtracked,
    CarriedFindings,
    KindChosen,
    LookedAt,
    TotalExtended,
)

from .recording import FOLDER, record, step

FILE = FOLDER / "investigations1.db"
KIND = {
    "name": "debug",
    "title": "Debug",
    "description": "From a symptom to its cause.",
    "pauses": [{"status": "pause_for_investigation"}],
    "complete": [{"status": "certain", "when": {"confidence": ["certain"]}}, {"status": "done"}],
    "completion": "complete_investigation",
    "actions": [
        {"when": {"steps": [1, 1]}, "do": [{"do": "Find the code.", "by": ["file", "code"]}]},
        {"do": [{"do": "Run what fails."}]},
    ],
    "total": {"usual": 4, "least": 3, "when": {"fields": {"review": "external"}}},
    "reviewer": {"skip": [{"confidence": ["certain"]}]},
    "fields": {"review": {"says": "who reviews", "choices": ["external", "internal"]}},
    "looks": ["calls"],
}


LOW = Findings(confidence="low", files=("parse.py",))
LOOP = Findings(
    findings=("it never ends",),
    hypothesis="the loop",
    confidence="medium",
    relevant=("parse.py",),
    context=("parse",),
    issues=(Issue(severity="high", text="no check"),),
)
BEFORE = CarriedFindings(
    session="before",
    kind="analyze",
    found=Findings(findings=("it has two parsers",), relevant=("parse.py",)),
    fields={"review": "internal"},
)
ADVICE = (
    Advice(adviser="alice", role="reviewer", verdict="against", text="no"),
    Advice(adviser="bob", role="model", stance="for", error="no answer"),
)
NOT_ENDED = "not ended: medium at step 2 of 4 is not enough to end early"
GIVEN = {"total_given": True, "outcome": Outcome()}

COMMANDS: list[list[Event]] = [
    [SessionStarted(name="crash", cell=Cell(id="c0", source="%wfnb start crash"))],
    [KindChosen(kind=KIND, reviewer="alice", carried=BEFORE)],
    [step(1, "Empty input crashes", 4, findings=LOW, **GIVEN)],
    [LookedAt(looks=(Look(kind="cell", what="parse('')"),))],
    [LookedAt(looks=(Look(kind="file", what="parse.py", files=("parse.py",)),))],
    [step(2, "It is the loop", 4, findings=LOOP, end=NOT_ENDED, **GIVEN)],
    [Undone(to=5)],
    [LookedAt(looks=(Look(kind="cell", what="parse('x')"),))],
    [Redone()],
    [TotalExtended(step_number=2, old_total=4, new_total=6, reason="two parsers")],
    [AdviceTaken(advice=ADVICE, step=6)],
    [
        Backtracked(branch="main", number=2, reason="it was the cache"),
        step(3, "It is the cache", 4, findings=Findings(confidence="high"), **GIVEN),
    ],
    [step(2, "It is the loop, after all", 6, StepChanged, findings=LOW, outcome=Outcome())],
    [KindChosen(kind={**KIND, "name": "mine"}, pause=False, planner="bob")],
    [KindChosen(kind=None)],
]


def write(path: Path) -> None:
    record(path, "crash", COMMANDS)


if __name__ == "__main__":
    write(FILE)
