"""A run that only waits is left, and goes on with its waits wherever somebody takes it up: as if it
had been performed all the time."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.amount import times
from wfnb.errors import NotebookNeeded, QuestionGone, RunAlive, SecretMissing
from wfnb.parked_run_owner import parked_until
from wfnb.process_identity import shown_status
from wfnb.workflows.runner import run_loop
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.parked_runs import due_runs, go_on
from wfnb.workflows.runner.runner import Runner

from .mortal import ForkServer, Moment, effects, fork_server
from .place import LONG, SOON, calls, runner_in, state, states, step, steps
from .test_killed import ended, paid, unordered

DAY = 86_400


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with fork_server() as server:
        yield server


def sleeps(seconds: float, **more: Any) -> dict[str, Any]:
    return step("wait", "sleep", args={"seconds": seconds}, **more)


def performed(running: ActiveRun) -> ActiveRun:
    running.wait()
    return running


def until_over(here: ForkServer, folder: Path, scenario: str, ends: list[Moment | None]) -> int:
    """Live, parking, be killed and live again until the run has ended; how many lives it took."""
    lost = "ask"
    for number in range(400):
        said = here.live(folder, scenario, ends.pop(0) if ends else None, lost, parks=True)
        lost = "ask"
        if said is not None and "uncertain" in said:
            action = said["uncertain"][0].partition(" ")[0].rpartition("/")[2]
            last = (effects(folder) or [[None]])[-1][0]
            lost = "done" if last == action else "again"
        elif said is not None and said["status"] != "running":
            return number + 1
    raise AssertionError("it did not come to its end")


@pytest.mark.parametrize("scenario", ["waits", *(f"mixed {seed}" for seed in range(times(3, 200)))])
def test_a_run_that_is_parked_whenever_it_waits_ends_as_one_that_is_not(
    server: ForkServer, tmp_path: Path, scenario: str
):
    whole, parked = tmp_path / "whole", tmp_path / "parked"
    whole.mkdir()
    server.live(whole, scenario)

    lives = until_over(server, parked, scenario, [])

    assert unordered(scenario, ended(parked)) == unordered(scenario, ended(whole))
    assert Counter(map(str, effects(parked))) == Counter(map(str, effects(whole)))
    assert scenario != "waits" or lives > 8


def test_a_run_that_parks_and_is_killed_at_any_write_ends_as_one_that_was_not(
    server: ForkServer, tmp_path: Path
):
    whole = tmp_path / "whole"
    whole.mkdir()
    said = server.live(whole, "waits")
    assert said is not None
    wanted, done = ended(whole), effects(whole)
    moments = [(when, n) for n in range(1, 9) for when in ("before", "after")]

    for place, moment in enumerate(moments[:: times(5, 1)]):
        folder = tmp_path / str(place)
        until_over(server, folder, "waits", [moment] * 6)
        assert ended(folder) == wanted, moment
        assert paid(effects(folder)) == paid(done), moment


def test_a_wait_beyond_the_time_that_a_run_has_parks_it(runner: Runner):
    running = performed(runner.start(steps(sleeps(DAY))))

    (info,) = runner.runs()
    until = parked_until(info.process)
    assert (shown_status(info.status, info.process), calls(running.run)) == (
        "parked",
        ["wait running"],
    )
    assert until is not None
    assert abs(until - time.time() - DAY) < SOON
    assert runner.result(info.name).status == "parked"
    assert due_runs(runner.session_log.journal) == []


@pytest.fixture(autouse=True)
def _note(noted: list[Any]) -> None:
    """The tool `note`."""


def test_it_goes_on_where_it_waited_and_calls_nothing_twice(runner: Runner, noted: list[Any]):
    def note(id: str) -> dict[str, Any]:
        return step(id, "note", args={"what": id})

    made = runner.start(steps(note("a"), sleeps(0.3), note("b")), park=0.0)
    performed(made)
    early = performed(go_on(runner, made.name, {}, park=0.0))
    assert (early.run.parked, noted) == (True, ["a"])
    assert due_runs(runner.session_log.journal) == []
    time.sleep(0.3)

    assert [info.name for info in due_runs(runner.session_log.journal)] == [made.name]
    late = performed(go_on(runner, made.name, {}, park=0.0))

    assert calls(late.run) == ["a ok", "wait ok", "b ok"]
    assert (late.run.status, noted) == ("success", ["a", "b"])
    assert late.run.calls[4].duration is not None
    assert late.run.calls[4].duration >= 0.3
    with pytest.raises(RunAlive):
        go_on(runner, made.name, {}, park=0.0)


def test_an_answer_makes_it_due(runner: Runner, home: Path):
    asks = step("ask", "ask", args={"question": "Go?", "choices": ["yes", "no"], "timeout": DAY})
    made = performed(runner.start(steps(asks), park=0.0))
    assert due_runs(runner.session_log.journal) == []

    runner.answer("no", name=made.name)

    other = runner_in(home)
    (info,) = due_runs(other.session_log.journal)
    run = performed(go_on(other, info.name, {}, park=0.0)).run
    assert (run.status, run.results["ask"]["answer"]) == ("success", "no")
    assert calls(run) == ["ask ok"]


def test_a_question_whose_time_is_over_while_nobody_has_the_run_takes_its_default(runner: Runner):
    asks = step("ask", "ask", args={"question": "Go?", "default": "no", "timeout": 0.2})
    made = performed(runner.start(steps(asks), park=0.0))
    time.sleep(0.2)

    run = performed(go_on(runner, made.name, {}, park=0.0)).run

    assert (run.status, run.results["ask"]["answered_by"]) == ("success", "default")


@pytest.mark.parametrize("limit", ["of the question", "of the action"])
@pytest.mark.parametrize("to", [None, "ask"])
def test_an_answer_comes_too_late_also_where_nobody_has_the_run(
    runner: Runner, limit: str, to: str | None
):
    own, around = ({"timeout": 0.2}, {}) if limit == "of the question" else ({}, {"timeout": 0.2})
    asks = step("ask", "ask", args={"question": "Go?", **own}, **around)
    made = performed(runner.start(steps(asks, sleeps(0)), park=0.0))
    time.sleep(0.3)

    with pytest.raises(QuestionGone):
        runner.answer("yes", to, made.name)

    run = performed(go_on(runner, made.name, {}, park=0.0)).run
    assert (run.status, calls(run)) == ("failed", ["ask timed_out"])


def test_the_limit_of_an_action_counts_while_it_is_parked(runner: Runner):
    made = performed(runner.start(steps(sleeps(DAY, timeout=0.2)), park=0.0))
    time.sleep(0.2)

    run = performed(go_on(runner, made.name, {}, park=0.0)).run

    assert calls(run) == ["wait timed_out"]


def test_a_question_is_held_for_the_time_that_a_run_has_and_then_parked(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(run_loop, "RUN_TIMEOUT", 1)
    asks = step("ask", "ask", args={"question": "Go?", "timeout": DAY})
    since = time.monotonic()

    run = performed(runner.start(steps(asks), timeout=1)).run

    assert run.parked
    assert time.monotonic() - since >= 1


def test_a_wait_without_an_end_of_its_own_fails_when_the_time_of_the_run_is_over(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(run_loop, "RUN_TIMEOUT", 1)

    run = performed(runner.start(steps(step("ask", "ask", args={"question": "?"})), timeout=1)).run

    assert (run.status, run.parked) == ("failed", False)
    assert "timeout (1s) exceeded" in (run.error or "")


@pytest.mark.parametrize("park", [None, 0.0])
def test_a_limit_that_somebody_set_counts_while_it_is_parked_too(
    runner: Runner, noted: list[Any], park: float | None
):
    undo = {"tool": "note", "args": {"what": "back"}}
    pays = step("a", "note", args={"what": "a"}, compensation=undo)
    made = performed(runner.start(steps(pays, sleeps(DAY)), timeout=1, park=park))
    if park is not None:
        until = parked_until(runner.runs()[0].process)
        assert until is not None
        assert until < time.time() + 1
        time.sleep(1)
        made = performed(go_on(runner, made.name, {}, park=0.0))

    assert (made.run.status, noted) == ("rolled_back", ["a", "back"])


@pytest.mark.parametrize(
    "lives",
    [
        step("t", "open_terminal"),
        step("t", "shell", args={"command": "sleep 60 &"}),
        step("t", "shell", args={"command": "setsid sleep 60 >/dev/null 2>&1 &"}),
    ],
)
def test_a_run_that_has_something_alive_in_this_process_is_not_parked(
    runner: Runner, lives: dict[str, Any]
):
    running = runner.start(steps(lives, sleeps(DAY)))
    while not any(call.tool == "sleep" for call in [*running.run.calls.values()]):
        assert not running.is_done, running.run.error
        running.changed.wait(1)
        running.changed.clear()
    running.run_loop.loop.call_soon_threadsafe(running.run_loop.park_now)
    is_over = running.wait(1)
    running.stop()
    running.wait()

    assert (is_over, running.run.status, running.run.parked) == (False, "cancelled", False)


def test_a_run_on_a_cluster_is_not_parked_as_who_goes_on_does_not_know_of_it(runner: Runner):
    with ThreadPoolExecutor() as cluster:
        made = runner.start(steps(sleeps(DAY)), timeout=1, park=0.0, on=cluster)
        run = performed(made).run

    assert (run.status, run.parked) == ("failed", False)


def test_a_parked_run_is_cancelled_and_rolled_back_like_one_that_is_lost(
    runner: Runner, noted: list[Any]
):
    undo = {"tool": "note", "args": {"what": "back"}}
    pays = step("a", "note", args={"what": "a"}, compensation=undo)
    made = performed(runner.start(steps(pays, sleeps(DAY)), park=0.0))

    log = runner.cancel(made.name, rollback=True)

    assert (log.run.status, noted) == ("cancelled", ["a", "back"])
    assert due_runs(runner.session_log.journal) == []


def test_a_parked_run_goes_on_from_elsewhere_or_as_its_mended_definition_says(
    runner: Runner, noted: list[Any]
):
    def last(what: str) -> dict[str, Any]:
        return step("b", "note", args={"what": what})

    made = performed(runner.start(steps(sleeps(DAY), last("old")), park=0.0))
    mended = performed(runner.resume(made.name, workflow=steps(sleeps(0), last("new"))))
    assert (mended.run.status, noted) == ("success", ["new"])

    first = state("sleep", ({"success": True}, "b"), params={"seconds": DAY})
    told = states("a", a=first, b=state("note", params={"what": "b"}))
    made = performed(runner.start(told, park=0.0))
    run = performed(runner.resume(made.name, start="b")).run
    assert (run.status, noted) == ("success", ["new", "b"])


def test_secrets_are_asked_of_who_goes_on(runner: Runner):
    made = performed(runner.start(steps(sleeps(1)), secrets={"token": "a-long-word"}, park=0.0))

    with pytest.raises(SecretMissing):
        go_on(runner, made.name, {}, park=0.0)
    run = performed(
        go_on(runner, made.name, {"token": "a-long-word", "other": "a-longer-word"}, LONG)
    ).run

    assert run.status == "success"


def test_what_may_need_the_names_of_a_notebook_goes_on_there(runner: Runner, home: Path):
    runner.namespace = {"n": 20}
    code = step("b", "python", args={"code": "n + 1"})
    made = performed(runner.start(steps(sleeps(1), code), park=0.0))
    other = runner_in(home)
    assert other.namespace is None

    with pytest.raises(NotebookNeeded):
        go_on(other, made.name, {}, park=0.0)
    run = performed(go_on(runner, made.name, {}, LONG)).run

    assert run.results["b"]["result"] == 21


CODE = {"tool": "python", "args": {"code": "n + 1"}}


@pytest.mark.parametrize(
    "rest",
    [
        [step("b", "run_workflow", args={"workflow_definition": steps({"id": "c", **CODE})})],
        [step("b", "shell", args={"command": "exit 1"}, on_error=[CODE])],
        [
            step("b", "shell", args={"command": "true"}, compensation=CODE),
            step("c", "shell", args={"command": "exit 1"}),
        ],
        [step("b", "run_workflow", args={"workflow_name": "{made}"})],
    ],
    ids=["a run within", "a fallback", "a compensation", "a run that is not known yet"],
)
def test_so_does_what_may_need_them_anywhere_in_it(
    runner: Runner, home: Path, rest: list[dict[str, Any]]
):
    runner.namespace = {"n": 20}
    made = performed(runner.start(steps(sleeps(60), *rest, variables={"made": ""}), park=0.0))

    with pytest.raises(NotebookNeeded):
        go_on(runner_in(home), made.name, {}, park=0.0)


def test_so_does_a_state_that_comes_round_again(runner: Runner, home: Path):
    runner.namespace = {"n": 20}
    looks = state("python", ({"success": True}, "waits"), params=CODE["args"])
    waits = state("sleep", ({"success": True}, "looks"), params={"seconds": 0.1})
    made = performed(runner.start(states("looks", looks=looks, waits=waits), park=0.0))

    with pytest.raises(NotebookNeeded):
        go_on(runner_in(home), made.name, {}, park=0.0)


def test_it_is_saved_as_it_was_said_when_it_began(runner: Runner):
    for save in (False, True):
        made = performed(runner.start(steps(sleeps(1)), save=save, park=0.0))
        performed(go_on(runner, made.name, {}, LONG))
        assert ("told" in runner.library.names()) is save


def test_nothing_of_a_parked_run_is_left_in_the_process(runner: Runner):
    performed(runner.start(steps(sleeps(0)), save=False))
    before = {thread.ident for thread in threading.enumerate()}
    running = performed(runner.start(steps(sleeps(DAY)), park=0.0))

    assert {thread.ident for thread in threading.enumerate()} <= before
    assert runner.running() is None
    assert running.run_loop._tasks == set()
