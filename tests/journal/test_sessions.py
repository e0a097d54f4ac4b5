"""What every journal promises about its sessions, in memory and on disk."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from wfnb.core.events import Cell, SessionRenamed, SessionStarted, StepAdded
from wfnb.errors import BadText, JournalCorrupt, SessionExists
from wfnb.journal import Journal, SessionInfo
from wfnb.workflows.core.events import RunStarted


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

    listed = [replace(info, uid=None) for info in journal.sessions()]

    assert listed == [
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
        lambda: journal.info(2),
        lambda: journal.set_notebook(2, "a.ipynb"),
    ):
        with pytest.raises(JournalCorrupt, match="session 2 is not in it"):
            ask()


def test_a_session_has_a_permanent_id_by_which_it_is_found(journal: Journal):
    churn, _ = journal.create("churn", [])
    journal.create("ant", [], notebook="deep/ant.ipynb")
    journal.archive(churn)

    first, second = journal.sessions()

    for info in (first, second):
        assert info.uid is not None
        assert re.fullmatch("[0-9a-f]{16}", info.uid)
        assert journal.find_uid(info.uid) == info.id
        assert journal.info(info.id) == info
    assert first.uid != second.uid
    assert (first.notebook, second.notebook) == (None, "deep/ant.ipynb")
    assert journal.find_uid("0" * 16) is None


def test_the_place_of_a_notebook_changes_and_nothing_else(journal: Journal):
    session, written = journal.create("churn", [step(1)], notebook="Untitled.ipynb")
    before = journal.info(session)

    journal.set_notebook(session, "penguins.ipynb")

    assert journal.info(session) == replace(before, notebook="penguins.ipynb")
    assert journal.read(session) == written


def test_several_notebooks_may_go_on_with_one_session(journal: Journal):
    session, _ = journal.create("churn", [], notebook="a.ipynb")

    journal.set_notebook(session, "a.ipynb", ("deep/b.ipynb", "c.ipynb"))

    info = journal.info(session)
    assert (info.notebook, info.shared) == ("a.ipynb", ("deep/b.ipynb", "c.ipynb"))
    journal.set_notebook(session, None)
    assert (journal.info(session).notebook, journal.info(session).shared) == (None, ())


def test_the_cells_of_a_session_are_those_that_its_events_name(journal: Journal):
    started = SessionStarted(name="churn", cell=Cell(id="c0", source='{"cell":{"id":"no"}}'))
    session, _ = journal.create("churn", [started])
    journal.append(session, [replace(step(1), cell=Cell(id="c1", source="1"))], after=1)
    journal.append(session, [replace(step(2), cell=Cell(id=None, source="2")), step(3)], after=2)
    other, _ = journal.create("other", [step(1)])

    assert journal.cells(session) == {"c0", "c1"}
    assert journal.cells(other) == frozenset()


def test_a_path_that_cannot_be_kept_is_refused(journal: Journal):
    session, _ = journal.create("churn", [])

    for ask in (
        lambda: journal.create("ant", [], notebook="\udcff.ipynb"),
        lambda: journal.set_notebook(session, "\udcff.ipynb"),
        lambda: journal.copy("ant", [], notebook="\udcff.ipynb"),
        lambda: journal.set_notebook(session, "a.ipynb", ["two\nlines.ipynb"]),
    ):
        with pytest.raises(BadText, match="A notebook's path"):
            ask()
    assert [info.name for info in journal.sessions()] == ["churn"]


def test_a_renamed_session_is_found_by_its_new_name(journal: Journal):
    session, _ = journal.create("Untitled", [SessionStarted(name="Untitled")])
    uid = journal.info(session).uid

    journal.append(session, [SessionRenamed(name="penguins")], after=1)

    assert (journal.find("Untitled"), journal.find("penguins")) == (None, session)
    assert journal.info(session).uid == uid


def test_a_name_of_another_session_is_refused_and_nothing_is_written(journal: Journal):
    churn, written = journal.create("churn", [SessionStarted(name="churn")])
    journal.create("ant", [SessionStarted(name="ant"), step(1)])

    with pytest.raises(SessionExists) as refused:
        journal.append(churn, [SessionRenamed(name="ant")], after=1)

    assert (refused.value.name, refused.value.steps) == ("ant", 1)
    assert journal.read(churn) == written
    assert journal.find("churn") == churn


def test_a_session_may_be_renamed_to_what_it_is_called(journal: Journal):
    churn, _ = journal.create("churn", [])

    journal.append(churn, [SessionRenamed(name="churn")], after=0)

    assert journal.find("churn") == churn


def test_an_archived_session_that_is_renamed_is_archived_no_more(journal: Journal):
    session, _ = journal.create("churn", [])
    journal.archive(session)

    journal.append(session, [SessionRenamed(name="churn")], after=0)

    assert (journal.info(session).name, journal.info(session).archived) == ("churn", False)


def test_a_copy_has_all_events_in_their_places_and_an_id_of_its_own(journal: Journal):
    original, _ = journal.create("churn", [SessionStarted(name="churn"), step(1)])
    journal.append(original, [step(2)], after=2)
    before = (journal.read(original), journal.info(original))

    copy = journal.copy("churn-2", before[0], notebook="copy.ipynb")
    journal.append(copy, [step(3)], after=4)

    *copied, named, _ = journal.read(copy)
    assert copied == before[0]
    assert named.event == SessionRenamed(name="churn-2")
    assert (journal.info(copy).name, journal.info(copy).notebook) == ("churn-2", "copy.ipynb")
    assert journal.info(copy).uid != before[1].uid
    assert (journal.read(original), journal.info(original)) == before


def test_a_copy_has_the_runs_with_those_that_they_called(journal: Journal):
    original, _ = journal.create("churn", [SessionStarted(name="churn")])
    outer, _ = journal.begin_run(original, "deploy", [RunStarted(workflow={"name": "deploy"})])
    inner, events = journal.begin_run(
        original, "test", [RunStarted(workflow={"name": "test"})], parent=outer.id
    )
    runs = [(run, journal.read_run(run.id)) for run in (outer, inner)]

    copy = journal.copy("churn-2", journal.read(original), runs)

    first, second = journal.runs(copy)
    assert (first.name, first.parent) == ("deploy-1", None)
    assert (second.name, second.parent) == ("test-1", first.id)
    assert journal.read_run(second.id) == events
    assert journal.runs(original) == [outer, inner]
    again, _ = journal.begin_run(copy, "deploy", [RunStarted(workflow={"name": "deploy"})])
    assert again.name == "deploy-2"


def test_a_copy_of_some_runs_gives_no_run_the_name_of_another(journal: Journal):
    original, _ = journal.create("churn", [SessionStarted(name="churn")])
    started = [RunStarted(workflow={"name": "deploy"})]
    goes_on, _ = journal.begin_run(original, "deploy", started)
    journal.begin_run(original, "test", started, parent=goes_on.id)
    ended, _ = journal.begin_run(original, "deploy", started)
    runs = [(run, journal.read_run(run.id)) for run in journal.runs(original) if run != goes_on]

    copy = journal.copy("churn-2", journal.read(original), runs)
    journal.begin_run(copy, "deploy", started)

    assert ended.name == "deploy-2"
    assert [run.name for run in journal.runs(copy)] == ["deploy-2", "deploy-3"]


def test_a_copy_under_a_name_that_is_taken_is_refused(journal: Journal):
    original, written = journal.create("churn", [SessionStarted(name="churn")])

    with pytest.raises(SessionExists):
        journal.copy("churn", written)

    assert [info.id for info in journal.sessions()] == [original]
