"""An investigation in every kind of event → `investigations1.db` and its twins, which have to read
for ever, as those of `record_fixture.py` do."""

from wfnb.core.events import (
    AdviceTaken,
    Backtracked,
    Cell,
    Event,
    KindChosen,
    LookedAt,
    Outcome,
    Redone,
    SessionStarted,
    StepAdded,
    StepChanged,
    TotalExtended,
    Undone,
)
from wfnb.core.findings import Advice, Carried, Findings, Issue, Look

from .record_fixture import FOLDER, record

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


def commands() -> list[list[Event]]:
    """One session, command by command. Positions count all events, from 1."""
    low = Findings(confidence="low", files=("parse.py",))
    return [
        [SessionStarted(name="crash", cell=Cell(id="c0", source="%wfnb start crash"))],
        [
            KindChosen(
                kind=KIND,
                reviewer="alice",
                carried=Carried(
                    session="before",
                    kind="analyze",
                    found=Findings(findings=("it has two parsers",), relevant=("parse.py",)),
                    fields={"review": "internal"},
                ),
            )
        ],
        [_step(1, "Empty input crashes", low)],
        [LookedAt(looks=(Look(kind="cell", what="parse('')"),))],
        [LookedAt(looks=(Look(kind="file", what="parse.py", files=("parse.py",)),))],
        [
            _step(
                2,
                "It is the loop",
                Findings(
                    findings=("it never ends",),
                    hypothesis="the loop",
                    confidence="medium",
                    relevant=("parse.py",),
                    context=("parse",),
                    issues=(Issue(severity="high", text="no check"),),
                ),
                end="not ended: medium at step 2 of 4 is not enough to end early",
            )
        ],
        [Undone(to=5)],
        [LookedAt(looks=(Look(kind="cell", what="parse('x')"),))],
        [Redone()],
        [TotalExtended(step_number=2, old_total=4, new_total=6, reason="two parsers")],
        [
            AdviceTaken(
                advice=(
                    Advice(adviser="alice", role="reviewer", verdict="against", text="no"),
                    Advice(adviser="bob", role="model", stance="for", error="no answer"),
                ),
                step=6,
            )
        ],
        [
            Backtracked(branch="main", number=2, reason="it was the cache"),
            _step(3, "It is the cache", Findings(confidence="high")),
        ],
        [
            StepChanged(
                branch="main",
                number=2,
                total=6,
                description="It is the loop, after all",
                next_step_needed=True,
                findings=low,
                outcome=Outcome(),
            )
        ],
        [KindChosen(kind={**KIND, "name": "mine"}, pause=False, planner="bob")],
        [KindChosen(kind=None)],
    ]


def _step(number: int, says: str, found: Findings, end: str | None = None) -> StepAdded:
    return StepAdded(
        branch="main",
        number=number,
        total=4,
        description=says,
        next_step_needed=True,
        total_given=True,
        outcome=Outcome(),
        findings=found,
        end=end,
    )


if __name__ == "__main__":
    record(FOLDER / "investigations1.db", "crash", commands())
