"""What every journal promises about its runs, in memory and on disk."""

import threading

import pytest

from wfnb.core.events import SessionStarted
from wfnb.journal import Journal, RunInfo
from wfnb.workflows.core.events import RUN_KINDS, CallFinished, RunEnded

from .runs import EVERY_KIND, STARTED, call, names, recorded


def test_a_journal_without_a_run_has_none(journal: Journal):
    assert journal.runs() == journal.find_run("deploy-1") == []

    session, _ = journal.create("churn", [])

    assert journal.runs(session) == journal.runs(parent=None) == []


def test_a_run_begins_with_its_events(journal: Journal, session: int):
    run, written = journal.begin_run(
        session, "deploy", [STARTED, call(1)], step=5, process="host 17 abc"
    )

    assert run == RunInfo(
        id=run.id,
        session=session,
        name="deploy-1",
        workflow="deploy",
        step=5,
        parent=None,
        status="running",
        process="host 17 abc",
        events=2,
        started=1.0,
        changed=1.0,
    )
    assert written == journal.read_run(run.id) == recorded(STARTED, call(1))
    assert journal.runs() == journal.find_run("deploy-1") == [run]


def test_a_run_may_begin_without_events(journal: Journal, session: int):
    run, written = journal.begin_run(session, "deploy", [])

    assert written == journal.read_run(run.id) == []
    assert run.events == journal.run_changed(run.id) == 0


def test_the_runs_of_a_workflow_are_counted_in_each_session(journal: Journal, session: int):
    other, _ = journal.create("other", [])
    begun = [
        journal.begin_run(at, workflow, [])[0].name
        for at, workflow in [
            (session, "deploy"),
            (session, "test"),
            (session, "deploy"),
            (other, "deploy"),
            (session, "deploy-1"),
            (session, "Deploy"),
        ]
    ]

    assert begun == ["deploy-1", "test-1", "deploy-2", "deploy-1", "deploy-1-1", "Deploy-1"]
    assert [(run.name, run.session) for run in journal.find_run("deploy-1")] == [
        ("deploy-1", session),
        ("deploy-1", other),
    ]
    assert [run.session for run in journal.find_run("deploy-1", other)] == [other]
    assert journal.find_run("deploy-2", other) == journal.find_run("deploy-3") == []


def test_runs_are_listed_in_order_of_creation_by_session_and_by_caller(
    journal: Journal, session: int
):
    other, _ = journal.create("other", [])
    outer, _ = journal.begin_run(session, "outer", [])
    inner, _ = journal.begin_run(session, "inner", [], parent=outer.id)
    journal.begin_run(other, "apart", [])
    journal.begin_run(session, "inner", [], parent=inner.id)
    journal.begin_run(session, "inner", [], parent=outer.id)
    journal.begin_run(session, "again", [])

    everything = ["outer-1", "inner-1", "apart-1", "inner-2", "inner-3", "again-1"]
    assert names(journal.runs()) == everything
    assert names(journal.runs(session)) == ["outer-1", "inner-1", "inner-2", "inner-3", "again-1"]
    assert names(journal.runs(session, parent=None)) == ["outer-1", "again-1"]
    assert names(journal.runs(parent=None)) == ["outer-1", "apart-1", "again-1"]
    assert names(journal.runs(parent=outer.id)) == ["inner-1", "inner-3"]
    assert names(journal.runs(session, parent=outer.id)) == ["inner-1", "inner-3"]
    assert journal.runs(other, parent=outer.id) == journal.runs(99) == journal.runs(parent=99) == []


def test_a_session_does_not_grow_with_its_runs(journal: Journal, session: int):
    (before,) = journal.sessions()
    run, _ = journal.begin_run(session, "deploy", [STARTED])
    journal.append_run(run.id, [call(1)], after=1)

    assert journal.sessions() == [before]
    assert len(journal.read(session)) == 1
    assert journal.append(session, [SessionStarted(name="x")], after=1)[0].position == 2


def test_each_run_counts_its_own_positions(journal: Journal, session: int):
    first, _ = journal.begin_run(session, "deploy", [STARTED])
    second, _ = journal.begin_run(session, "deploy", [STARTED])

    journal.append_run(second.id, [call(1), call(2)], after=1)
    journal.append_run(first.id, [call(3)], after=1)

    assert journal.read_run(first.id) == [
        *recorded(STARTED),
        *recorded(call(3), first=2, at=4.0),
    ]
    assert journal.read_run(second.id) == [
        *recorded(STARTED, at=2.0),
        *recorded(call(1), call(2), first=2, at=3.0),
    ]
    assert [journal.run_changed(run.id) for run in (first, second)] == [2, 3]


@pytest.mark.parametrize(("after", "positions"), [(-1, [1, 2, 3]), (1, [2, 3]), (3, []), (9, [])])
def test_reading_a_run_goes_on_after_a_position(
    journal: Journal, session: int, after: int, positions: list[int]
):
    run, _ = journal.begin_run(session, "deploy", [STARTED, call(1), call(2)])

    assert [entry.position for entry in journal.read_run(run.id, after)] == positions


def test_status_and_process_change_with_the_events_and_only_where_given(
    journal: Journal, session: int
):
    run, _ = journal.begin_run(session, "deploy", [STARTED], process="host 1 a")

    journal.append_run(run.id, [call(1)], after=1)
    (running,) = journal.runs()
    journal.append_run(run.id, [], after=2, process="host 2 b")
    (moved,) = journal.runs()
    journal.append_run(run.id, [RunEnded(status="success")], after=2, status="success")
    (ended,) = journal.runs()

    said = [(run.status, run.process, run.events, run.changed) for run in (running, moved, ended)]
    assert said == [
        ("running", "host 1 a", 2, 2.0),
        ("running", "host 2 b", 2, 3.0),
        ("success", "host 2 b", 3, 4.0),
    ]
    assert {run.started for run in (running, moved, ended)} == {1.0}


def test_every_kind_of_event_of_a_run_comes_back_as_it_was(journal: Journal, session: int):
    run, written = journal.begin_run(session, "deploy", EVERY_KIND)

    assert {type(event) for event in EVERY_KIND} == set(RUN_KINDS.values())
    assert written == journal.read_run(run.id) == recorded(*EVERY_KIND)


def test_what_is_returned_of_a_run_is_what_json_keeps(journal: Journal, session: int):
    lax = CallFinished(call=1, status="ok", result={"pair": (1, 2), "nan": float("nan"), 3: "x"})

    run, written = journal.begin_run(session, "deploy", [lax])

    kept = CallFinished(call=1, status="ok", result={"pair": [1, 2], "nan": None, "3": "x"})
    assert written == journal.read_run(run.id) == recorded(kept)


def test_an_archived_session_keeps_its_runs(journal: Journal, session: int):
    run, written = journal.begin_run(session, "deploy", [STARTED])

    journal.archive(session)
    new, _ = journal.create("churn", [])
    again, _ = journal.begin_run(new, "deploy", [])
    more, _ = journal.begin_run(session, "deploy", [], parent=run.id)

    assert journal.read_run(run.id) == written
    assert names(journal.runs(session)) == ["deploy-1", "deploy-2"]
    assert journal.runs(new) == [again]
    assert journal.find_run("deploy-1") == [run, again]
    assert more.parent == run.id


def test_a_closed_journal_goes_on_with_its_runs(journal: Journal, session: int):
    run, _ = journal.begin_run(session, "deploy", [STARTED])

    journal.close()
    journal.append_run(run.id, [call(1)], after=1)
    journal.close()

    assert [entry.event for entry in journal.read_run(run.id)] == [STARTED, call(1)]


def test_threads_may_begin_and_follow_runs_at_once(journal: Journal, session: int):
    begun: dict[str, list[str]] = {"a": [], "b": [], "c": []}

    def work(me: str) -> None:
        for _ in range(10):
            run, _ = journal.begin_run(session, "deploy", [STARTED], process=me)
            journal.append_run(run.id, [call(1)], after=1)
            begun[me].append(run.name)

    threads = [threading.Thread(target=work, args=(name,)) for name in begun]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    runs = journal.runs(session)
    assert names(runs) == [f"deploy-{number}" for number in range(1, 31)]
    for me, mine in begun.items():
        assert [run.name for run in runs if run.process == me] == mine
    assert {run.events for run in runs} == {2}
