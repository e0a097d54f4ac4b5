"""A question waits for its answer, whoever gives it, and whatever else is recorded meanwhile."""

from pathlib import Path
from typing import Any

import pytest

from wfnb.errors import QuestionNone, RunAmbiguous
from wfnb.journal import SqliteJournal
from wfnb.workflows.core.commands import AnswerQuestion
from wfnb.workflows.core.events import QuestionAnswered
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.runner import run_loop
from wfnb.workflows.runner.runner import Runner

from .place import SOON, asking, disk, step, steps


def test_an_answer_that_comes_while_something_else_is_recorded_is_not_lost(
    runner: Runner, home: Path
):
    """The answer is written by somebody else right before this process writes: it meets a
    conflict, reads on, and has to hand that answer on all the same."""
    ask = {"tool": "ask", "args": {"question": "Go on?"}}
    running = runner.start(steps({"id": "a", **ask}, {"id": "b", **ask}, mode="parallel"))
    while len(running.run.questions) < 2:
        running.changed.wait(0.1)
    first = next(call for call in running.run.questions if running.run.calls[call].action == "a")

    with running.log.lock:  # nobody here reads on meanwhile
        answered = QuestionAnswered(call=first, answer="yes")
        elsewhere = SqliteJournal(home / "journal.db")
        elsewhere.append_run(running.log.info.id, [answered], running.run.position)
        elsewhere.close()
        running.answer("no", to="b")

    assert running.wait(SOON)
    assert [running.run.results[name]["answer"] for name in "ab"] == ["yes", "no"]


@pytest.mark.parametrize(
    ("args", "limit", "answer", "choice"),
    [
        ({"choices": ["yes", "no"], "default": "no", "timeout": 1}, {}, "yes", 0),
        ({"default": "no", "timeout": 1}, {}, "yes", None),
        ({"timeout": 1}, {}, "yes", None),
        ({}, {"timeout": 1}, "yes", None),
    ],
)
def test_an_answer_that_was_recorded_in_time_counts_though_nobody_here_heard_of_it(
    runner: Runner,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: dict[str, Any],
    limit: dict[str, Any],
    answer: str,
    choice: int | None,
):
    monkeypatch.setattr(run_loop, "FOLLOW", 3600.0)
    running = asking(
        runner.start(steps(step("a", "ask", args={"question": "Go?", **args}, **limit)))
    )
    (call,) = running.run.questions

    elsewhere = SqliteJournal(home / "journal.db")
    RunLog(elsewhere, running.log.info).do(AnswerQuestion(answer="yes", call=call))
    elsewhere.close()

    assert running.wait(SOON)
    assert running.run.status == "success"
    given = {"answer": answer, "choice": choice, "answered_by": "person"}
    assert running.run.results["a"] == {"success": True, **given}


def test_a_question_is_answered_by_its_action_only(runner: Runner):
    running = asking(
        runner.start(steps(step("a", "ask", args={"question": "Go on?"}), rollback=False))
    )

    with pytest.raises(QuestionNone):
        runner.answer("yes", to="b")
    assert runner.answer("yes", to="a") == "yes"
    running.wait()
    with pytest.raises(QuestionNone):
        runner.answer("yes")


def test_null_is_an_answer_too(runner: Runner):
    running = asking(runner.start(steps(step("a", "ask", args={"question": "Go on?"}))))

    running.answer(None)

    assert running.wait(SOON)
    assert running.run.results["a"]["answer"] is None


def test_a_secret_answer_that_is_short_is_not_recorded_and_hides_nothing_else(
    runner: Runner, home: Path
):
    inner = steps(step("x", "shell", args={"command": "test {pin} = 7q"}), variables={"pin": "0"})
    running = asking(
        runner.start(
            steps(
                step("pin", "ask", args={"question": "PIN?", "secret": True}, cache=True),
                step("use", "shell", args={"command": "test {pin.answer} = 7q && echo all 7qs"}),
                step(
                    "down",
                    "run_workflow",
                    args={
                        "workflow_definition": inner,
                        "initial_variables": {"pin": "{pin.answer}"},
                        "save_on_success": False,
                    },
                ),
            ),
            save=False,
        )
    )

    running.answer("7q")

    assert running.wait(SOON)
    assert (running.run.status, running.run.error) == ("success", None)
    assert running.run.results["pin"]["answer"] == "•••"
    assert running.run.results["use"]["stdout"] == "all 7qs\n"
    assert b'"7q"' not in disk(home)


def test_where_several_runs_ask_or_go_on_none_is_chosen_silently(runner: Runner):
    wanted = steps(step("a", "ask", args={"question": "Go on?"}))
    first, second = (asking(runner.start(wanted)) for _ in range(2))

    for choose in (lambda: runner.answer("yes"), runner.cancel):
        with pytest.raises(RunAmbiguous, match=r"told-1, told-2. Say which: told-2\."):
            choose()

    assert runner.answer("yes", name="told-1") == "yes"
    assert first.wait(SOON)
    assert runner.cancel().name == "told-2"
    assert second.wait(SOON)
