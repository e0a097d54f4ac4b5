"""What every journal promises about events, in memory and on disk."""

import threading

import pytest

from wfnb.core.events import (
    KINDS,
    AdviceTaken,
    Backtracked,
    BranchAbandoned,
    BranchMerged,
    BranchOpened,
    BranchReopened,
    BranchScored,
    BranchSelected,
    Cell,
    Event,
    KindChosen,
    LookedAt,
    Outcome,
    Recorded,
    Redone,
    SessionCleared,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StrategyChosen,
    TotalExtended,
    Undone,
)
from wfnb.core.findings import Advice, Carried, Findings, Issue, Look
from wfnb.errors import BadText, JournalConflict, JournalCorrupt
from wfnb.journal import Journal

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
    SessionCleared(),
    Undone(to=3),
    Redone(),
    StrategyChosen(strategy=None),
    KindChosen(
        kind={"name": "debug", "actions": [{"do": []}]},
        pause=False,
        reviewer="alice",
        planner="bob",
        carried=Carried(
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


def test_a_session_begins_with_its_events(journal: Journal):
    session, written = journal.create("churn", [SessionStarted(name="churn"), step(1)])

    assert written == recorded(SessionStarted(name="churn"), step(1))
    assert journal.read(session) == written
    assert journal.find("churn") == session


def test_a_session_may_begin_without_events(journal: Journal):
    session, written = journal.create("churn", [])

    assert written == journal.read(session) == []


def test_the_events_of_one_command_share_their_first_and_their_time(journal: Journal):
    session, _ = journal.create("churn", [SessionStarted(name="churn")])

    written = journal.append(session, [step(1), step(2)], after=1)
    journal.append(session, [step(3)], after=3)

    assert written == recorded(step(1), step(2), first=2, at=1.0)
    assert journal.read(session) == [
        *recorded(SessionStarted(name="churn")),
        *recorded(step(1), step(2), first=2, at=1.0),
        *recorded(step(3), first=4, at=2.0),
    ]


@pytest.mark.parametrize(("after", "positions"), [(-1, [1, 2, 3]), (1, [2, 3]), (3, []), (9, [])])
def test_reading_goes_on_after_a_position(journal: Journal, after: int, positions: list[int]):
    session, _ = journal.create("churn", [step(1), step(2), step(3)])

    assert [entry.position for entry in journal.read(session, after)] == positions


def test_every_kind_of_event_comes_back_as_it_was(journal: Journal):
    session, written = journal.create("churn", EVERY_KIND)

    assert {type(event) for event in EVERY_KIND} == set(KINDS.values())
    assert written == journal.read(session) == recorded(*EVERY_KIND)


def test_what_is_returned_is_what_json_keeps(journal: Journal):
    lax = StrategyChosen(strategy={"pair": (1, 2), "nan": float("nan"), 3: {"x": 10**30}})

    session, written = journal.create("churn", [lax])

    kept = StrategyChosen(strategy={"pair": [1, 2], "nan": None, "3": {"x": 10**30}})
    assert written == journal.read(session) == recorded(kept)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (StrategyChosen(strategy={"x": object()}), "unknown type: <class 'object'>"),
        (SessionStarted(name="lone \ud800"), "surrogates not allowed"),
        (BranchScored(branch="alt", score=float("nan")), "score: Input should be a valid number"),
        (StepFinished(attempt="one", outcome=Outcome()), "attempt: Input should be a valid int"),
    ],
)
def test_an_event_that_json_cannot_hold_is_refused_with_its_whole_command(
    journal: Journal, event: Event, why: str
):
    session, written = journal.create("churn", [step(1)])

    with pytest.raises(BadText) as refused:
        journal.append(session, [step(2), event], after=1)

    assert why in str(refused.value)
    assert journal.read(session) == written


def test_an_append_behind_the_newest_event_is_a_conflict(journal: Journal):
    session, written = journal.create("churn", [step(1), step(2)])

    with pytest.raises(JournalConflict) as conflict:
        journal.append(session, [step(3)], after=1)

    assert (conflict.value.session, conflict.value.position) == ("churn", 1)
    assert journal.read(session) == written


def test_an_append_after_more_than_there_is_means_another_file(journal: Journal):
    session, written = journal.create("churn", [step(1)])

    with pytest.raises(JournalCorrupt, match="'churn' ends at event 1, not 2"):
        journal.append(session, [step(3)], after=2)

    assert journal.read(session) == written


def test_a_closed_journal_opens_again(journal: Journal):
    session, _ = journal.create("churn", [step(1)])

    journal.close()
    journal.append(session, [step(2)], after=1)
    journal.close()

    assert [entry.event for entry in journal.read(session)] == [step(1), step(2)]


def test_threads_may_share_a_journal(journal: Journal):
    session, _ = journal.create("churn", [])

    def write(branch: str) -> None:
        written = after = 0
        while written < 20:
            event = BranchScored(branch=branch, score=written)
            try:
                after = journal.append(session, [event], after)[-1].position
                written += 1
            except JournalConflict:
                after += len(journal.read(session, after))

    threads = [threading.Thread(target=write, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    events = [entry.event for entry in journal.read(session)]
    for name in ("a", "b", "c"):
        scores = [event.score for event in events if event.branch == name]
        assert scores == list(range(20))
