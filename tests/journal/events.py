"""Events of sessions: one of every kind, and as a journal records them."""

from wfnb.core.data_flow import DERIVED, PLAIN, Flow
from wfnb.core.events import (
    Author,
    BranchAbandoned,
    BranchMerged,
    BranchOpened,
    BranchReopened,
    BranchScored,
    BranchSelected,
    Cell,
    Event,
    KeepingChosen,
    Outcome,
    PlainNamesChanged,
    Recorded,
    RecordingChosen,
    Redone,
    SessionCleared,
    SessionRenamed,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepDescribed,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StepsHidden,
    StepsShown,
    StepTagged,
    StrategyChosen,
    TakenBack,
    Undone,
    ValuesKept,
)
from wfnb.core.findings import Findings, Issue, Look
from wfnb.core.kept_values import KeptGroup, KeptValue, KeptValues
from wfnb.core.shown_figures import Figure
from wfnb.investigations.core.events import (
    Advice,
    AdviceTaken,
    Backtracked,
    CarriedFindings,
    HypothesisJudged,
    KindChosen,
    LookedAt,
    TotalExtended,
)

EVERY_KIND: list[Event] = [
    SessionStarted(name="churn", cell=Cell(id="a1", source="%wfnb start churn", part=1)),
    StrategyChosen(strategy={"name": "react", "stages": {"think": ["act"], "act": []}}),
    StepAdded(
        branch="main",
        number=1,
        total=3,
        description="Load the data\n\nfrom “там” — 数据 \U0001f600 \x00 \\ \" '",
        next_step_needed=True,
        total_given=True,
        needs_more_steps=False,
        revises=1,
        stage="think",
        fields={"goal": "less churn", "n": 3, "deep": [{"none": None, "real": 0.1, "yes": True}]},
        cell=Cell(id="b2", source="df = load()\n"),
        warnings=("a gap", "another"),
        process="host 17 abc",
        outcome=Outcome(
            status="failed", duration=0.25, result="", error="ValueError: x", values={"rmse": 0.5}
        ),
    ),
    StepChanged(
        branch="main", number=1, total=3, description="Load", next_step_needed=False, reworded=True
    ),
    StepRepeated(branch="main", number=1, cell=Cell(), process="host 18 abc", outcome=Outcome()),
    StepFinished(attempt=3, outcome=Outcome(status="interrupted")),
    BranchOpened(branch="alt", parent="main", leaves=1),
    BranchScored(branch="alt", score=-0.5, reason="slower"),
    BranchSelected(branch="alt"),
    BranchMerged(branch="alt", into="main", after=1, reason="it holds"),
    BranchAbandoned(branch="alt"),
    BranchReopened(branch="alt"),
    StepsConfirmed(branch="main", numbers=(1, 2)),
    SessionRenamed(name="churn-3"),
    SessionCleared(),
    Undone(to=3),
    Redone(),
    TakenBack(positions=(5, 7), by=Author(host="mcp", name="helper", version="2.1")),
    StrategyChosen(strategy=None),
    KindChosen(
        kind={"name": "debug", "actions": [{"do": []}]},
        pause=False,
        reviewer="alice",
        planner="bob",
        carried=CarriedFindings(
            session="before", kind="analyze", found=Findings(files=("a.py",)), fields={"n": 1}
        ),
        cell=Cell(id="c1", source="%wfnb kind debug"),
    ),
    StepAdded(
        branch="main",
        number=1,
        total=3,
        description="Empty input crashes",
        next_step_needed=True,
        findings=Findings(
            findings=("it never ends", "it was so before"),
            hypothesis="the loop",
            confidence="low",
            files=("a.py", "b.py"),
            relevant=("a.py",),
            context=("parse",),
            issues=(Issue(severity="high", text="no check"),),
        ),
        end="not ended: not before step 2",
    ),
    LookedAt(
        looks=(Look(kind="cell", what="parse('')"), Look(kind="file", what="a", files=("a",)))
    ),
    Backtracked(branch="main", number=1, reason="it was the cache"),
    TotalExtended(step_number=1, old_total=3, new_total=5, reason="two parsers"),
    AdviceTaken(
        advice=(
            Advice(adviser="alice", role="model", stance="for", verdict="for", text="yes"),
            Advice(adviser="bob", role="reviewer", error="no answer", seconds=1.5),
        ),
        step=20,
    ),
    KindChosen(kind=None),
    KeepingChosen(keep=("df", "model*"), secrets=("*pin*",), budget=500_000_000),
    RecordingChosen(on=True, quiet=True),
    StepRepeated(branch="main", number=1, keep=("df",)),
    ValuesKept(
        step=20,
        attempt=27,
        kept=KeptValues(
            values=(
                KeptValue(name="df", type="pandas.DataFrame", says="2 rows", size=9, group=0),
                KeptValue(name="f", type="file", why_not="it is open", needs=("g",)),
            ),
            groups=(KeptGroup(blobs=("99aa06d3014798d86001c324468d497f-9",), signature="5f"),),
            environment={"python": "3.11.7"},
            asked=("df", "f"),
            there=("df", "f", "größe"),
        ),
    ),
    StepFinished(
        attempt=3,
        outcome=Outcome(
            figures=(Figure(form="image/png", blob="99aa06d3014798d86001c324468d497f-9"),),
            figures_left=2,
        ),
        flow=Flow(
            code="0f1e2d3c4b5a",
            reads={"größe": ("#5", PLAIN), "df": ("8a9b", 3), "n": ("!7", DERIVED)},
            absent=("fit",),
            writes={"model": "77c0", "log": ""},
            possible=("df",),
            unsure={"best": "77c0"},
            unseen=("exec",),
        ),
    ),
    PlainNamesChanged(versions={"größe": "#6", "tmp": ""}),
    HypothesisJudged(hypothesis="the loop", verdict="refuted", reason="it ends"),
    StepsHidden(branch="main", numbers=(1, 2)),
    StepsShown(branch="alt", numbers=(3,)),
    StepDescribed(branch="main", number=1, description="Load “both”\n\nwhy"),
    StepTagged(branch="main", number=1, tags=("data", "langsam-größe")),
    StepAdded(
        branch="main",
        number=2,
        total=3,
        description="tagged",
        next_step_needed=True,
        cell=Cell(id="d1", source="%%step tagged --tag a", notebook="größe.ipynb"),
        tags=("a",),
    ),
]


def step(number: int) -> StepAdded:
    return StepAdded(
        branch="main", number=number, total=9, description=f"step {number}", next_step_needed=True
    )


def recorded(*events: Event, first: int = 1, at: float = 0.0) -> list[Recorded]:
    """The events of one command, as they are recorded."""
    return [
        Recorded(position=position, first=first, event=event, at=at)
        for position, event in enumerate(events, first)
    ]
