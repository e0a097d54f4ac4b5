"""An investigation in a script: the same session, the same rules."""

from pathlib import Path
from typing import Any

import pytest

import wfnb
from wfnb.core.commands import AddStep
from wfnb.core.events import Outcome
from wfnb.core.findings import Findings, Issue, Look
from wfnb.errors import (
    AdviserUnknown,
    BadValue,
    FileMissing,
    KindUnknown,
    NoInvestigation,
    NothingCarried,
    PauseHolds,
)
from wfnb.home_folder import Home
from wfnb.investigations.core.investigation import investigation_of
from wfnb.session_log import Host, SessionLog, hosts
from wfnb.workspace import Workspace


@pytest.fixture
def debugging(tmp_path: Path) -> Workspace:
    workspace = Home(tmp_path / ".wfnb").start("crash", kind="debug")
    workspace.log.folder = tmp_path
    (tmp_path / "parse.py").touch()
    return workspace


def test_files_are_kept_relative_to_where_paths_start(debugging: Workspace, tmp_path: Path):
    debugging.step("a", files="./parse.py", relevant=[str(tmp_path / "parse.py"), ".."])

    says = debugging.log.find(1).current.findings
    assert says is not None
    assert (says.files, says.relevant) == (("parse.py",), ("parse.py", ".."))


def test_a_file_that_is_not_there_is_refused_and_nothing_is_recorded(debugging: Workspace):
    before = debugging.session.position

    with pytest.raises(FileMissing) as refused:
        debugging.step("a", files="pars.py")

    assert str(refused.value) == (
        "There is no file 'pars.py' here. Did you mean 'parse.py'? Paths start beside the notebook."
    )
    assert debugging.log.refresh().position == before


def test_what_was_looked_at_lets_the_next_step_through(debugging: Workspace):
    debugging.step("a")
    with pytest.raises(PauseHolds):
        debugging.step("b")

    debugging.log.record_looks(Look(kind="file", what="parse.py", files=("parse.py",)))
    answer = debugging.step("b").to_dict()

    assert answer["evidence"] == ["file: parse.py"]
    assert answer["debug_status"]["files_checked"] == 1


def test_a_session_that_is_opened_again_is_as_it_was(debugging: Workspace, tmp_path: Path):
    debugging.step("a", finding="it never ends", issues={"severity": "high", "text": "no check"})
    debugging.log.record_looks(Look(kind="file", what="parse.py"))
    debugging.step("b", backtrack=1)
    debugging.investigation.extend(2, "two parsers")

    assert Home(tmp_path / ".wfnb").resume("crash").session == debugging.session


def test_steps_are_withdrawn_and_more_are_asked_for(debugging: Workspace):
    debugging.step("a")
    debugging.step("b", pause=False)

    assert debugging.investigation.backtrack(2) == [2]
    assert debugging.investigation.backtrack(2) == []
    assert debugging.investigation.extend("2", "two parsers") == 7  # one of four uses up none


def test_a_session_becomes_an_investigation_and_stops_being_one(tmp_path: Path):
    workspace = Home(tmp_path / ".wfnb").start("plain")
    with pytest.raises(NoInvestigation):
        workspace.step("a", finding="x")

    workspace.investigation.choose("debug")
    workspace.step("a", finding="x")
    workspace.investigation.choose(None)

    assert "status" not in workspace.step("b").to_dict()


def place(tmp_path: Path) -> Home:
    return Home(tmp_path / ".wfnb")


def test_a_session_is_opened_as_an_investigation(tmp_path: Path):
    home = tmp_path / ".wfnb"
    new = wfnb.open("crash", home_folder=home, kind="debug")
    again = wfnb.open("crash", home_folder=home, kind="debug")

    assert new.step("a").to_dict()["status"] == "pause_for_investigation"
    assert investigation_of(again.log.refresh()) == investigation_of(new.session)


def test_a_session_that_is_something_else_is_not_opened_as_one(tmp_path: Path):
    place(tmp_path).start("plain")
    place(tmp_path).start("crash", kind="debug")

    with pytest.raises(BadValue, match=r"session 'plain' is no investigation \(`ws\.investigation"):
        place(tmp_path).open("plain", kind="debug")
    with pytest.raises(BadValue, match="session 'crash' is of kind 'debug'"):
        place(tmp_path).open("crash", kind="refactor")
    with pytest.raises(KindUnknown):
        place(tmp_path).open("new", kind="debgu")
    assert [info.name for info in place(tmp_path).sessions()] == ["plain", "crash"]


def test_an_investigation_takes_along_what_another_session_found(debugging: Workspace, tmp_path):
    debugging.step(
        "a", finding=["It Never ends", "withdrawn"], relevant="parse.py", issues="high: no check"
    )
    debugging.step("b", finding="withdrawn", hypothesis="the disk", pause=False)
    debugging.log.record_looks(Look(kind="file", what="log", files=("log.txt",)))
    debugging.step("c", finding="the end is not seen", hypothesis="the loop", confidence="high")
    debugging.step("d", finding="never mind", backtrack=None, pause=False)
    debugging.investigation.backtrack(4)

    mending = place(tmp_path).start("mend", kind="refactor", continues="crash")
    carried = investigation_of(mending.session).carried
    answer = mending.step("take it out").to_dict()

    assert (carried.session, carried.kind) == ("crash", "debug")
    assert carried.found == Findings(
        findings=("It Never ends", "withdrawn", "the end is not seen"),
        hypothesis="the loop",
        confidence="high",
        files=("log.txt",),
        relevant=("parse.py",),
        issues=(Issue(severity="high", text="no check"),),
    )
    assert answer["refactor_status"]["relevant_files"] == 1
    assert answer["refactor_status"]["issues_found"] == 1
    assert place(tmp_path).resume("mend").session == mending.session


def test_what_was_taken_along_is_taken_along_again(debugging: Workspace, tmp_path: Path):
    debugging.step("a", finding="it never ends", relevant="parse.py")
    place(tmp_path).start("mend", kind="refactor", continues="crash")
    third = investigation_of(place(tmp_path).start("third", continues="mend").session)

    assert third.kind.name == "refactor"
    assert third.carried.found.findings == ("it never ends",)


def test_a_session_without_an_investigation_has_nothing_to_take_along(tmp_path: Path):
    place(tmp_path).start("plain")

    with pytest.raises(NothingCarried) as refused:
        place(tmp_path).start("mend", kind="refactor", continues="plain")
    assert str(refused.value) == (
        "Session 'plain' is no investigation: it has nothing to go on with. "
        "Name one that is, or start without it."
    )
    assert len(place(tmp_path).sessions()) == 1


def test_a_reviewer_who_is_nobody_is_refused_before_anything_starts(tmp_path: Path):
    with pytest.raises(AdviserUnknown):
        place(tmp_path).start("crash", kind="debug", reviewer="nobody")
    with pytest.raises(NoInvestigation):
        place(tmp_path).start("crash", planner="somebody")

    assert place(tmp_path).sessions() == []


def test_steps_are_told_of_before_they_are_recorded(debugging: Workspace):
    told: list[tuple[str, str] | str] = []

    class Program(Host):
        def on_step_tried(self) -> None:
            told.append("tried")

        def on_step(self, log: SessionLog, command: AddStep) -> None:
            told.append((log.session.name, command.description))

    hosts.append(program := Program())
    try:
        debugging.step("a")
        with pytest.raises(PauseHolds):
            debugging.step("b")
        with pytest.raises(FileMissing):
            debugging.step("c", files="nowhere")
    finally:
        hosts.remove(program)

    assert told == ["tried", ("crash", "a"), "tried", ("crash", "b"), "tried"]


def test_a_tool_that_reads_a_file_is_a_look(debugging: Workspace, tmp_path: Path):
    (tmp_path / "parse.py").write_text("one\ntwo\nthree\n")
    debugging.step("a")
    runner = place(tmp_path).runner(debugging.log, tmp_path)

    whole = runner.call("read", path="parse.py")
    part = runner.call("read", path="parse.py", first=2, last=2)
    gone = runner.call("read", path="gone.py")

    assert (whole["text"], part["text"]) == ("one\ntwo\nthree\n", "two\n")
    assert gone["error"] == "gone.py cannot be read: No such file or directory."
    assert debugging.step("b").to_dict()["evidence"] == ["file: parse.py", "tool: read · failed"]


def test_a_step_runs_again_though_a_file_that_it_named_is_gone(
    debugging: Workspace, tmp_path: Path
):
    debugging.step("a", number=1, files="./parse.py", relevant="parse.py")
    (tmp_path / "parse.py").unlink()

    debugging.step("a", number=1, files="./parse.py", relevant="parse.py")

    step = debugging.log.find(1)
    assert step.current.findings is not None
    assert (step.attempts, step.current.findings.files) == (2, ("parse.py",))
    with pytest.raises(FileMissing):
        debugging.step("a", number=1, files=["parse.py", "other.py"])
    with pytest.raises(FileMissing):
        debugging.step("b", files="parse.py")


def test_what_a_step_looks_at_while_it_runs_is_no_look_after_it(debugging: Workspace):
    step = debugging.steps.begin(debugging.steps.command_for("a"))
    debugging.log.record_looks(Look(kind="file", what="parse.py", files=("parse.py",)))
    assert step.running is not None
    debugging.steps.finish(step.running, Outcome())

    with pytest.raises(PauseHolds):
        debugging.step("b")


READ = {"id": "a", "tool": "read", "args": {"path": "parse.py"}}
ONE = {"id": "one", "tool": "python", "args": {"code": "1"}}
TEST = {"id": "b", "tool": "shell", "args": {"command": "pytest --version"}}


def nested(*written: dict[str, Any]) -> dict[str, Any]:
    args = {"workflow_definition": {"steps": [*written]}, "save_on_success": False}
    return {"id": "n", "tool": "run_workflow", "args": args}


@pytest.mark.parametrize(
    ("written", "evidence"),
    [
        ([READ, TEST], ["file: parse.py", "tool: shell · ok"]),
        ([nested(READ, TEST)], ["file: parse.py", "tool: shell · ok"]),
        ([nested(nested(TEST))], ["tool: shell · ok"]),
        ([READ | {"when": "false"}, TEST | {"when": "false"}], []),
        ([ONE, READ | {"args": {"path": "{one.result.path}"}}], []),
        ([nested(READ | {"when": "false"}, {"tool": "sleep", "args": {"seconds": 0}})], []),
        ([{"tool": "shell", "for_each": [1, 2], "args": {"command": "echo {item}"}}], []),
    ],
)
def test_only_calls_that_were_made_are_looks(
    debugging: Workspace, tmp_path: Path, written: list[dict[str, Any]], evidence: list[str]
):
    debugging.step("a")

    place(tmp_path).runner(debugging.log, tmp_path).run({"steps": written}, save=False)

    if evidence:
        assert debugging.step("b").to_dict()["evidence"] == evidence
    else:
        with pytest.raises(PauseHolds):
            debugging.step("b")


def test_a_kept_result_is_no_look_and_a_resumed_run_looked_at_what_it_called_since(
    debugging: Workspace, tmp_path: Path
):
    debugging.investigation.choose(None)
    runner = place(tmp_path).runner(debugging.log, tmp_path)
    fails = {"id": "c", "tool": "shell", "args": {"command": "cat gone"}}
    began = runner.run({"steps": [READ | {"cache": True}, fails]}, save=False)
    debugging.investigation.choose("debug")
    debugging.step("a")

    runner.run({"steps": [READ | {"cache": True}]}, save=False)
    (tmp_path / "gone").touch()
    runner.resume(began.run, save=False).wait()

    assert debugging.step("b").to_dict()["evidence"] == ["tool: shell · ok"]
