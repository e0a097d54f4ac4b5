"""What a journal refuses of a run, in memory and on disk: bad text, conflicts, another file."""

import pytest

from wfnb.errors import BadText, JournalConflict, JournalCorrupt
from wfnb.journal import Journal
from wfnb.workflows.core.events import CallFinished, CallStarted, RunEnded, RunEvent, StopAsked

from .runs import STARTED, call


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (CallFinished(call=1, status="ok", result={"x": object()}), "unknown type: <class 'obj"),
        (StopAsked(reason="lone \ud800"), "surrogates not allowed"),
        (CallStarted(action="a", tool="b", waited=float("nan")), "waited: Input should be a valid"),
        (RunEnded(status="fine"), "status: Input should be 'success'"),
    ],
)
def test_an_event_of_a_run_that_json_cannot_hold_is_refused_with_its_whole_command(
    journal: Journal, session: int, event: RunEvent, why: str
):
    run, written = journal.begin_run(session, "deploy", [STARTED])

    with pytest.raises(BadText) as refused:
        journal.append_run(run.id, [call(1), event], after=1, status="broken")
    with pytest.raises(BadText):
        journal.begin_run(session, "deploy", [STARTED, event])

    assert why in str(refused.value)
    assert journal.read_run(run.id) == written
    assert journal.runs() == [run]


def test_words_about_a_run_that_cannot_be_kept_are_refused(journal: Journal, session: int):
    run, _ = journal.begin_run(session, "deploy", [])

    for ask in (
        lambda: journal.begin_run(session, "lone \ud800", []),
        lambda: journal.begin_run(session, "deploy", [], process="lone \ud800"),
        lambda: journal.append_run(run.id, [], after=0, status="lone \ud800"),
        lambda: journal.append_run(run.id, [], after=0, process="lone \ud800"),
    ):
        with pytest.raises(BadText, match=r"cannot be kept as UTF-8 \(surrogates not allowed\)"):
            ask()

    assert journal.runs() == [run]


def test_an_append_behind_the_newest_event_of_a_run_is_a_conflict(journal: Journal, session: int):
    run, _ = journal.begin_run(session, "deploy", [STARTED, call(1)])
    written = journal.read_run(run.id)

    with pytest.raises(JournalConflict) as conflict:
        journal.append_run(run.id, [call(2)], after=1, status="broken", process="host 1 a")

    assert (conflict.value.session, conflict.value.position) == ("deploy-1", 1)
    assert journal.read_run(run.id) == written
    assert journal.runs() == [run]


def test_an_append_after_more_than_a_run_has_means_another_file(journal: Journal, session: int):
    run, written = journal.begin_run(session, "deploy", [STARTED])

    with pytest.raises(JournalCorrupt, match="run 'deploy-1' ends at event 1, not 2"):
        journal.append_run(run.id, [call(1)], after=2)

    assert journal.read_run(run.id) == written


def test_a_run_that_is_not_there_means_another_file(journal: Journal, session: int):
    other, _ = journal.create("other", [])
    run, _ = journal.begin_run(session, "deploy", [])

    for ask, what in (
        (lambda: journal.read_run(2), "run 2 is not in it"),
        (lambda: journal.run_changed(2), "run 2 is not in it"),
        (lambda: journal.append_run(2, [call(1)], after=0), "run 2 is not in it"),
        (lambda: journal.begin_run(session, "x", [], parent=2), "run 2 is not in it"),
        (lambda: journal.begin_run(other, "x", [], parent=run.id), f"run {run.id} is not in it"),
        (lambda: journal.begin_run(99, "x", []), "session 99 is not in it"),
    ):
        with pytest.raises(JournalCorrupt, match=what):
            ask()
    assert journal.runs() == [run]
