"""What every journal promises about its sessions, in memory and on disk."""

import os
from pathlib import Path

import pytest

from wfnb.core.events import SessionStarted, StepAdded
from wfnb.errors import JournalCorrupt, SessionExists
from wfnb.journal import Journal, SessionInfo


def step(number: int) -> StepAdded:
    return StepAdded(
        branch="main", number=number, total=9, description=f"step {number}", next_step_needed=True
    )


def test_a_journal_without_a_session_answers_and_makes_no_files(journal: Journal, tmp_path: Path):
    assert journal.sessions() == []
    assert journal.find("churn") is None
    assert os.listdir(tmp_path) == []


def test_a_name_that_is_taken_is_refused_with_its_number_of_steps(journal: Journal):
    session, _ = journal.create("churn", [SessionStarted(name="churn"), step(1), step(2)])

    with pytest.raises(SessionExists) as refused:
        journal.create("churn", [SessionStarted(name="churn")])

    assert (refused.value.name, refused.value.steps) == ("churn", 2)
    assert [info.id for info in journal.sessions()] == [session]


def test_sessions_are_listed_in_order_of_creation(journal: Journal):
    zebra, _ = journal.create("zebra", [SessionStarted(name="zebra")])
    ant, _ = journal.create("ant", [])
    journal.append(zebra, [step(1), step(2)], after=1)

    assert journal.sessions() == [
        SessionInfo(id=zebra, name="zebra", archived=False, events=3, started=0.0, changed=2.0),
        SessionInfo(id=ant, name="ant", archived=False, events=0, started=1.0, changed=1.0),
    ]


def test_each_session_counts_its_own_positions(journal: Journal):
    first, _ = journal.create("first", [step(1)])
    second, _ = journal.create("second", [step(1)])

    journal.append(second, [step(2)], after=1)
    journal.append(first, [step(3)], after=1)

    assert [entry.event for entry in journal.read(first)] == [step(1), step(3)]
    assert [entry.event for entry in journal.read(second)] == [step(1), step(2)]


def test_an_archived_session_frees_its_name(journal: Journal):
    old, written = journal.create("churn", [step(1)])

    name = journal.archive(old)
    new, _ = journal.create("churn", [])

    assert name == "churn~1"
    assert (journal.find("churn~1"), journal.find("churn")) == (old, new)
    assert [(info.name, info.archived) for info in journal.sessions()] == [
        ("churn~1", True),
        ("churn", False),
    ]
    assert journal.read(old) == written


def test_an_archived_session_goes_on_under_its_id(journal: Journal):
    session, _ = journal.create("churn", [step(1)])
    journal.archive(session)

    journal.append(session, [step(2)], after=1)

    assert [entry.event for entry in journal.read(session)] == [step(1), step(2)]


def test_an_archive_takes_the_next_free_number(journal: Journal):
    journal.create("churn~2", [])
    sessions = []
    for _ in range(3):
        session, _ = journal.create("churn", [])
        sessions.append(session)
        journal.archive(session)

    names = {info.id: info.name for info in journal.sessions()}
    assert [names[session] for session in sessions] == ["churn~1", "churn~3", "churn~4"]


def test_an_archived_session_keeps_its_name(journal: Journal):
    session, _ = journal.create("churn", [])

    assert journal.archive(session) == journal.archive(session) == "churn~1"


def test_a_session_that_is_not_there_means_another_file(journal: Journal):
    journal.create("churn", [])

    for ask in (
        lambda: journal.read(2),
        lambda: journal.append(2, [step(1)], after=0),
        lambda: journal.archive(2),
    ):
        with pytest.raises(JournalCorrupt, match="session 2 is not in it"):
            ask()
