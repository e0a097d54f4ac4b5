"""What an opened run writes reaches a front end once, however an answer and what is told overtake
each other; and what its runs ask is known wherever they run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from tests.workflows.runner.place import LONG, SOON, runner_in, step, steps
from wfnb.jupyter.panel.followed_runs import KnownRuns
from wfnb.jupyter.panel.followed_session import FollowedSession
from wfnb.jupyter.panel.publisher import Publisher
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.editor_answers import ran_definition
from wfnb.workflows.runner.runner import Runner
from wfnb.workspace import Workspace


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return runner_in(tmp_path / "home")


@pytest.fixture
def running(runner: Runner) -> Iterator[ActiveRun]:
    """A run that waits for the end of the test."""
    running = runner.start(steps(step("a", "sleep", args={"seconds": LONG})), save=False)
    yield running
    running.interrupt(at_once=True)
    assert running.wait(SOON)


def followed(runner: Runner) -> FollowedSession:
    log = runner.session_log
    return FollowedSession(log.journal, log.id, Workspace(log))


def texts(lines: Any) -> list[str]:
    return [each["text"] if isinstance(each, dict) else each[1] for each in lines]


def test_a_line_that_is_on_its_way_as_a_run_is_opened_is_known_by_its_number(
    runner: Runner, running: ActiveRun
):
    runs, place = KnownRuns(), followed(runner)
    runs.open_run(place, running.name, "one")
    running.add_output(running.name, "a", "first\n")

    on_its_way = runs.new_output()[running.name]
    opened = runs.open_run(place, running.name, "another")

    assert (texts(on_its_way.pieces), texts(opened["tail"])) == (["first"], ["first"])
    assert opened["upto"] == on_its_way.upto == 1


@dataclass
class Place:
    """Where the notebook is: at one session, and no other is there."""

    at: FollowedSession

    def current(self) -> FollowedSession:
        return self.at

    def others(self) -> list[str]:
        return []


def test_who_asks_for_a_snapshot_sees_a_run_that_began_after_the_last_look(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("wfnb.jupyter.panel.publisher.FOLLOW", LONG)
    told: Queue[dict[str, Any]] = Queue()
    publisher = Publisher(Place(followed(runner)), lambda: None)  # type: ignore[arg-type]
    publisher.join("one", told.put)
    assert told.get(timeout=SOON)["runs"] == []
    running = runner.start(steps(step("a", "sleep", args={"seconds": LONG})), save=False)

    snapshot = publisher.snapshot()

    publisher.leave("one")
    running.interrupt(at_once=True)
    assert running.wait(SOON)
    assert [(run["name"], run["here"]) for run in snapshot["runs"]] == [(running.name, True)]


def test_a_line_that_is_told_later_is_not_in_the_answer_and_has_a_later_number(
    runner: Runner, running: ActiveRun
):
    runs, place = KnownRuns(), followed(runner)
    runs.open_run(place, running.name, "one")
    running.add_output(running.name, "a", "first\n")
    runs.new_output()
    running.add_output(running.name, "a", "second\nthird\n")

    opened = runs.open_run(place, running.name, "another")
    later = runs.new_output()[running.name]

    assert (texts(opened["tail"]), opened["upto"]) == (["first"], 1)
    assert (texts(later.pieces), later.upto) == (["second", "third"], 3)


def test_what_a_called_run_asks_is_asked_by_the_run_that_was_begun(runner: Runner):
    inner = {"name": "inner", **steps(step("sure", "ask", args={"question": "Go on?"}))}
    args = {"workflow_definition": inner, "save_on_success": False}
    running = runner.start(steps(step("down", "run_workflow", args=args)), save=False)
    runs, place = KnownRuns(), followed(runner)

    asks: list[dict[str, Any]] = []
    while not asks:
        assert not running.is_done
        running.changed.wait(0.05)
        asks = runs.head(place, running.name)["asks"]
    opened = runs.open_run(place, running.name, "one", [["down"], ["up"], ["down", "sure"]])
    runner.answer("yes", "sure", asks[0]["run"])

    (nested,) = opened["nested"]
    assert (nested["path"], nested["run"]) == (["down"], asks[0]["run"])
    assert [(each["action"], each["state"]) for each in nested["actions"]] == [("sure", "running")]
    assert [(each["action"], each["question"]) for each in asks] == [("sure", "Go on?")]
    assert asks[0]["run"] != running.name
    assert running.wait(SOON)
    assert runs.head(place, running.name)["asks"] == []
    assert running.run.status == "success"
    (ended,) = runs.open_run(place, running.name, "one", [["down"]])["nested"]
    assert [each["state"] for each in ended["actions"]] == ["ok"]


def test_what_called_runs_performed_is_known_as_it_was_then(runner: Runner, tmp_path: Path):
    file, library = tmp_path / "inner.yaml", WorkflowLibrary(tmp_path / "home" / "workflows")
    file.write_text("name: inner\nsteps:\n- {id: look, tool: sleep, args: {seconds: 0}}\n")
    library.import_file(file)
    outer = steps(
        step("down", "run_workflow", args={"workflow_name": "inner"}),
        step("never", "run_workflow", args={"workflow_name": "inner"}, when="false"),
    )
    running = runner.start(outer, save=False)
    assert running.wait(SOON)
    file.write_text("name: inner\nsteps:\n- {id: other, tool: sleep, args: {seconds: 0}}\n")
    library.import_file(file, overwrite=True)
    paths = {("down",), ("never",)}

    definitions = KnownRuns().definitions(followed(runner), running.name, paths)
    ran = ran_definition("steps: [", "told.yaml", definitions, paths)

    assert [step["id"] for step in ran["definition"]["steps"]] == ["down", "never"]
    assert [(each["path"], each.get("says")) for each in ran["nested"]] == [
        (["down"], None),
        (["never"], "It did not run."),
    ]
    assert ran["nested"][0]["definition"]["steps"][0]["id"] == "look"


@pytest.mark.parametrize(
    ("undo", "says"),
    [
        ("true", "undone"),
        ("test {item!q} = a", "not undone: 1 of 2 items"),
        ("exit 4", "not undone: exit code 4"),
    ],
)
def test_a_loop_says_what_became_of_its_items(runner: Runner, undo: str, says: str):
    compensation = {"tool": "shell", "args": {"command": undo}}
    make = step("make", "shell", args={"command": "true"}, compensation=compensation)
    running = runner.start(
        steps(make | {"for_each": ["a", "b"]}, step("bad", "shell", args={"command": "exit 3"})),
        save=False,
    )
    assert running.wait(SOON)

    opened = KnownRuns().open_run(followed(runner), running.name, "one")

    undone = {each["action"]: each["undo"] for each in opened["actions"]}
    assert (undone["make"], undone["bad"]) == (says, "")
