"""Who watches a session is told what was recorded in it, and sees it still."""

import os
import threading

import pytest

import wfnb
from wfnb.core.events import Recorded
from wfnb.core.validation import MAIN
from wfnb.errors import BranchUnknown
from wfnb.workspace import Workspace


@pytest.fixture
def ws() -> Workspace:
    return wfnb.open("drift", scratch=True)


def watched(ws: Workspace) -> list[tuple[int, list[str]]]:
    """What watchers are told: how many steps the session had then, and the kinds of events."""
    told: list[tuple[int, list[str]]] = []

    def watch(entries: list[Recorded]) -> None:
        told.append((len(ws.session.steps), [type(each.event).__name__ for each in entries]))

    ws.log.watchers.append(watch)
    return told


def test_a_watcher_is_told_once_the_session_has_it(ws):
    told = watched(ws)

    ws.step("a")
    ws.step("b", branch="alt")

    assert told == [(1, ["StepAdded"]), (2, ["BranchOpened", "StepAdded"])]


def test_what_is_undone_is_told_too(ws):
    ws.step("a")
    told = watched(ws)

    ws.undo()
    ws.redo()

    assert told == [(0, ["Undone"]), (1, ["Redone"])]


def test_another_line_is_told_without_entries(ws):
    ws.step("a")
    ws.step("b", branch="alt")
    told = watched(ws)

    ws.switch("alt")

    assert told == [(2, [])]
    assert ws.log.line == "alt"


def test_a_refusal_and_a_look_tell_nothing(ws):
    ws.step("a")
    told = watched(ws)

    with pytest.raises(BranchUnknown):
        ws.switch("nowhere")
    ws.log.refresh()
    ws.status()

    assert told == []


def test_what_another_workspace_recorded_is_told_as_it_is_learned(tmp_path):
    ws = wfnb.open("drift", home_folder=tmp_path)
    other = wfnb.open("drift", home_folder=tmp_path)
    told = watched(ws)

    other.step("from elsewhere")
    before = list(told)
    ws.log.refresh()

    assert before == []
    assert told == [(1, ["StepAdded"])]


def test_a_line_that_an_undo_takes_away_is_no_longer_chosen(ws):
    ws.step("a")
    ws.step("b", branch="alt")
    ws.switch("alt")
    told = watched(ws)

    ws.undo()

    assert ws.log.line == MAIN
    assert told == [(1, ["Undone"])]


def test_a_session_that_is_held_still_does_not_change(ws):
    ws.step("a")
    thread = threading.Thread(target=ws.step, args=("b",))

    with ws.log.locked_session() as session:
        thread.start()
        thread.join(0.05)
        during = len(session.steps), thread.is_alive()
    thread.join()

    assert during == (1, True)
    assert len(ws.session.steps) == 2


def test_a_session_that_an_interrupt_tore_is_whole_where_it_is_looked_at(ws, monkeypatch):
    def interrupted(session, entry):
        session.position = entry.position
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("wfnb.session_log.advance", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ws.step("a")

    with ws.log.locked_session() as session:
        assert [step.current.description for step in session.steps.values()] == ["a"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_nobody_watches_in_a_forked_child(ws):
    told = watched(ws)

    child = os.fork()
    if not child:
        os._exit(len(ws.log.watchers))
    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0
    ws.step("a")
    assert len(told) == 1
