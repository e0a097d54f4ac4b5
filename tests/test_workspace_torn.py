"""A workspace stays true to its journal: interrupts, threads, forks, attempts that come back."""

import os
import threading

import pytest

import wfnb
from wfnb.core.events import Outcome
from wfnb.core.replay import replay
from wfnb.errors import JournalReadOnly, StepNotRunning
from wfnb.journal import MemoryJournal
from wfnb.process_identity import has_ended
from wfnb.session_log import SessionLog
from wfnb.workspace import Workspace


@pytest.fixture
def ws():
    return wfnb.open("drift", scratch=True)


def test_an_interrupt_while_events_are_applied_is_made_good_before_the_next_command(
    ws, monkeypatch
):
    ws.step("a")

    def interrupted(session, entry):
        session.position = entry.position
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("wfnb.session_log.advance", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ws.step("b")

    assert ws.status()["step_history_length"] == 2
    assert ws.step("c").step_number == 3
    assert ws.session == replay(ws.log.entries())


def test_a_session_can_be_looked_at_while_another_thread_writes(ws):
    wrong = []

    def look():
        try:
            for _ in range(60):
                ws.status()
                ws.compare()
        except RuntimeError as error:
            wrong.append(error)

    looking = threading.Thread(target=look)
    looking.start()
    for number in range(200):
        ws.step(f"step {number}", branch=f"b{number}" if number % 9 == 8 else None)
    looking.join()

    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_child_process_can_write_though_a_thread_held_the_lock_when_it_was_forked(tmp_path):
    ws = wfnb.open("drift", home_folder=tmp_path)
    held, free = threading.Event(), threading.Event()

    def hold():
        with ws.log.lock:
            held.set()
            free.wait()

    holding = threading.Thread(target=hold)
    holding.start()
    held.wait()
    child = os.fork()
    if child == 0:
        ws.step("from the child")
        os._exit(0)
    free.set()
    holding.join()

    assert os.waitpid(child, 0)[1] == 0
    assert ws.status()["step_history_length"] == 1


def test_an_attempt_that_was_undone_and_redone_can_still_end(ws):
    other = Workspace(SessionLog(ws.log.journal, ws.log.id))
    step = ws.steps.begin(ws.steps.command_for("long"))
    other.undo()
    ws.log.refresh()
    other.redo()

    ended = ws.steps.finish(step.running, Outcome())

    assert ended.outcome == Outcome()


def test_an_attempt_that_is_gone_is_refused_and_not_an_error_of_ours(ws):
    step = ws.steps.begin(ws.steps.command_for("long"))
    ws.undo()

    with pytest.raises(StepNotRunning):
        ws.steps.finish(step.running, Outcome())


def test_a_session_with_a_lost_attempt_opens_where_nothing_can_be_written(monkeypatch):
    journal = MemoryJournal()
    monkeypatch.setattr(
        "wfnb.workspace.step_recorder.process", lambda: f"{os.uname().nodename} 999999999 gone"
    )
    first = wfnb.open("drift", scratch=True)
    lost = first.steps.begin(first.steps.command_for("long"))
    journal = first.log.journal

    def refuse(*_):
        raise JournalReadOnly("journal.db")

    monkeypatch.setattr(journal, "append", refuse)

    assert Workspace(SessionLog(journal, first.log.id)).log.find(1).running == lost.running


@pytest.mark.parametrize("name", ["host", "host ² x", f"{os.uname().nodename} {'9' * 20} x", ""])
def test_a_process_of_an_odd_name_is_not_known_to_be_gone(name):
    assert not has_ended(name)


def test_what_is_told_again_keeps_what_is_not_said_again(ws):
    ws.step("a", next_step_needed=False, needs_more_steps=False)

    answer = ws.step("a, better worded", number=1)

    assert (answer.next_step_needed, answer.solved) == (False, True)


def test_a_branch_that_was_not_selected_does_not_keep_the_whole_open(ws):
    ws.step("a")
    ws.step("good", branch="alt", next_step_needed=False)
    ws.step("bad", branch="beta", branch_from=1)
    ws.select("alt")

    assert ws.status()["solved"] is True


def test_the_last_stage_of_a_strategy_ends_the_line(ws):
    ws.strategy("chain_of_thought")
    answers = [ws.step(f"step {number}") for number in range(6)]

    assert [answer.solved for answer in answers] == [False] * 5 + [True]


def test_a_score_for_an_unknown_approach_is_pointed_out(ws):
    ws.strategy("tree_of_thoughts")
    ws.step("problem")
    ws.step("ways", fields={"approaches": ["quick", "slow"]})
    ws.step("alternatives")
    ws.step("try it", branch="quick", fields={"approach_id": "quick"})

    answer = ws.step(
        "judge", branch="quick", fields={"approach_id": "quikc", "evaluation_score": 1}
    )

    assert answer.warnings == ["no branch is called 'quikc': the score is that of 'quick'"]


def test_a_fresh_session_takes_the_name_in_one_transaction(tmp_path):
    place = wfnb.home(tmp_path)
    place.start("drift").step("old")

    place.start("drift", fresh=True).step("new")

    assert [info.name for info in place.sessions()] == ["drift~1", "drift"]
