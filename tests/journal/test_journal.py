"""What every journal promises about events, in memory and on disk."""

import threading

import pytest

from wfnb.core.events import (
    BranchScored,
    Event,
    Outcome,
    SessionStarted,
    StepFinished,
    StrategyChosen,
)
from wfnb.core.extension import event_kinds
from wfnb.errors import BadText, JournalConflict, JournalCorrupt
from wfnb.journal import Journal

from .events import EVERY_KIND, recorded, step


def test_a_session_begins_with_its_events(journal: Journal):
    session, written = journal.create("churn", [SessionStarted(name="churn"), step(1)])

    assert written == recorded(SessionStarted(name="churn"), step(1))
    assert journal.read(session) == written
    assert journal.find("churn") == session


def test_an_event_says_when_it_was_recorded(journal: Journal):
    session, written = journal.create("churn", [SessionStarted(name="churn"), step(1)])

    assert journal.time(session, 2) == written[1].at
    assert journal.time(session, 2) is not None
    assert journal.time(session, 3) is journal.time(session + 1, 1) is None


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

    assert {type(event) for event in EVERY_KIND} == set(event_kinds().values())
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
