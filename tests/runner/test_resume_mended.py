"""A run goes on with a mended definition: real tools, a real journal."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from wfnb.core.runs.apply import replay
from wfnb.core.runs.events import CallFinished, CallStarted, RunResumed, RunStarted
from wfnb.errors import (
    BadValue,
    JournalLocked,
    SecretMissing,
    StateGone,
    WorkflowInvalid,
)
from wfnb.journal import SqliteJournal
from wfnb.process import process
from wfnb.runner.runner import Runner
from wfnb.tools.registry import tool

from .place import calls, runner_in, runner_on, state, states, step, steps

OK = {"success": True}


def shell(id: str, command: str, **more: Any) -> dict[str, Any]:
    return step(id, "shell", args={"command": command}, **more)


def resumed(runner: Runner, *args: Any, **kwargs: Any) -> Any:
    running = runner.resume(*args, **kwargs)
    running.wait()
    return runner.result(running)


def done(home: Path) -> list[str]:
    return (home.parent / "done").read_text().split()


def test_a_run_goes_on_from_the_failed_step_as_it_is_defined_now(runner: Runner, home: Path):
    broken = steps(shell("a", "echo a >> done"), shell("b", "exit 3"), shell("c", "echo c >> done"))
    mended = steps(shell("a", "echo a >> done"), shell("b", "echo b >> done"), broken["steps"][2])
    name = runner.run(broken).run

    result = resumed(runner, name, workflow=mended)

    assert (result.run, result.status, result.warnings) == (name, "success", [])
    assert done(home) == ["a", "b", "c"]
    assert calls(runner.log(name).run) == ["a ok", "b failed", "b ok", "c ok"]
    assert result.saved_workflow_name == "told"
    assert runner.library.load("told")["steps"][1]["args"] == {"command": "echo b >> done"}


def test_the_journal_has_the_definition_of_either_time(runner: Runner):
    name = runner.run(steps(shell("a", "exit 3"))).run
    resumed(runner, name, workflow=steps(shell("a", "true"), shell("b", "true")), save=False)

    entries = runner.log(name).entries()
    (place,) = [n for n, each in enumerate(entries) if isinstance(each.event, RunResumed)]
    report = runner.result(name).report

    assert list(replay(entries[:place]).workflow.actions) == ["a"]
    assert list(replay(entries).workflow.actions) == ["a", "b"]
    assert "b" in runner.result(name).report.markdown.partition("## Graph")[2]
    assert [row.action for row in report.rows] == ["a", "a", "b"]


def test_the_same_definition_is_not_recorded_again(runner: Runner):
    broken = steps(shell("a", "exit 3"))
    name = runner.run(broken).run

    resumed(runner, name, workflow=broken)

    (event,) = [e.event for e in runner.log(name).entries() if isinstance(e.event, RunResumed)]
    assert event.workflow is None


def test_what_succeeded_and_is_defined_otherwise_now_is_told_and_not_called_again(
    runner: Runner, home: Path
):
    name = runner.run(steps(shell("a", "echo a >> done"), shell("b", "exit 3"))).run
    mended = steps(shell("a", "echo again >> done"), shell("b", "echo b >> done"))

    result = resumed(runner, name, workflow=mended)

    assert result.warnings == [
        "a has another definition now and had succeeded: it is not called again. "
        "`--from a` calls it again"
    ]
    assert done(home) == ["a", "b"]
    assert resumed(runner, name, workflow=mended, start="a").warnings == []
    assert done(home) == ["a", "b", "again", "b"]


def test_a_default_that_was_mended_counts_and_a_value_that_was_given_stays(
    runner: Runner, home: Path
):
    written = {"mine": "1", "given": "1", "kept": "1"}
    command = "echo {mine} {given} {kept} {new} >> done; test {mine} = 2"
    broken = steps(shell("a", command), variables={**written, "new": "0"})
    name = runner.run(broken, variables={"given": "7"}).run
    mended = {**written, "mine": "2", "given": "2", "new": {"default": "3"}}

    result = resumed(runner, name, workflow=broken | {"variables": mended})

    assert (result.status, done(home)[4:]) == ("success", ["2", "7", "1", "3"])


@pytest.mark.parametrize(
    ("mended", "asked", "refusal", "says"),
    [
        (steps(shell("a", "true")), {}, BadValue, "is .one of steps.. It needs states"),
        (states("x", x=state("shell", params={"command": "true"})), {}, StateGone, "'a'"),
        (states("a", a=state("shel", params={"command": "true"})), {}, WorkflowInvalid, "'shell'"),
        (states("a", a=state("shell", params={})), {}, WorkflowInvalid, "command"),
        (
            states("a", a=state("shell", params={"command": "{nothing}"})),
            {},
            WorkflowInvalid,
            "nothing",
        ),
        (
            states("a", a=state("shell", params={"command": "true"}))
            | {"variables": {"t": {"type": "integer"}}},
            {},
            WorkflowInvalid,
            "'t' has to be given",
        ),
        ("nope", {}, Exception, "'nope' not found"),
    ],
)
def test_a_definition_that_cannot_be_is_refused_and_nothing_is_recorded(
    runner: Runner, mended: Any, asked: dict[str, Any], refusal: type[Exception], says: str
):
    name = runner.run(states("a", a=state("shell", params={"command": "exit 3"}))).run
    before = runner.log(name).entries()

    with pytest.raises(refusal, match=says):
        runner.resume(name, workflow=mended, **asked)

    assert runner.log(name).entries() == before


def test_a_definition_of_states_needs_no_name_and_a_saved_one_is_called_by_its_name(runner: Runner):
    good = states("a", a=state("shell", params={"command": "true"}))
    name = runner.run(states("a", a=state("shell", params={"command": "exit 3"}))).run
    other = runner.run(states("a", a=state("shell", params={"command": "exit 4"}))).run
    nameless = {key: value for key, value in good.items() if key != "name"}

    first = resumed(runner, name, workflow=nameless)
    second = resumed(runner, other, workflow="told")

    assert (first.status, first.saved_workflow_name) == ("success", "told")
    assert (second.status, second.workflow_saved) == ("success", False)
    assert runner.library.list().workflows[0].success_count == 2


def test_other_content_of_a_name_that_is_taken_is_saved_only_over_it_where_that_is_said(
    runner: Runner,
):
    runner.run(steps(shell("a", "true")))
    names = [runner.run(steps(shell("a", "exit 3"))).run for _ in range(2)]
    mended = steps(shell("a", "true; true"))

    kept = resumed(runner, names[0], workflow=mended)
    replaced = resumed(runner, names[1], workflow=mended, overwrite=True)

    assert "not saved" in kept.warnings[-1]
    assert (replaced.warnings, replaced.saved_workflow_name) == ([], "told")


def test_a_mended_definition_that_cannot_run_by_itself_is_not_saved(runner: Runner):
    broken = steps(shell("a", "test {lim} = 4"), variables={"lim": "3"})
    names = [runner.run(broken).run for _ in range(3)]
    alone = steps(shell("a", "test {lim} = 3"))
    declared = alone | {"variables": {"lim": "3"}}

    left_out = resumed(runner, names[0], workflow=alone)
    given = resumed(runner, names[1], workflow=alone, variables={"lim": "3"})
    whole = resumed(runner, names[2], workflow=declared)

    said = "not saved: {lim} in command of 'a' is declared nowhere; add it to `variables`."
    for result in (left_out, given):
        assert (result.status, result.saved_workflow_name) == ("success", None)
        assert result.warnings[-1] == said
    assert (whole.warnings, whole.saved_workflow_name) == ([], "told")


def test_what_was_done_is_undone_as_it_was_defined_then(runner: Runner, home: Path):
    undo = {"tool": "shell", "args": {"command": "echo undo {a.stdout} >> done"}}
    broken = steps(shell("a", "echo one", compensation=undo), shell("b", "exit 3"), rollback=False)
    name = runner.run(broken).run

    result = resumed(runner, name, workflow=steps(shell("b", "exit 4"), rollback=True))

    assert result.status == "rolled_back"
    assert done(home) == ["undo", "one"]
    assert result.report.rows[0].undo == "undone"


def test_a_value_that_nothing_uses_is_told_when_a_run_goes_on_too(runner: Runner):
    name = runner.run(steps(shell("a", "test {customer} = me"), variables={"customer": "x"})).run

    result = resumed(runner, name, variables={"custmer": "you", "customer": "me"})

    assert result.warnings == [
        "No placeholder or condition uses 'custmer'. Did you mean 'customer'?"
    ]


def test_a_terminal_that_has_ended_is_told_with_the_way_to_open_it_again(runner: Runner):
    session = {"session_id": "{open.session_id}"}
    wanted = steps(
        step("open", "open_terminal", args={"shell": "sh"}),
        shell("b", "test -e there"),
        step("type", "send_input", args={**session, "input_text": "true\n"}),
    )
    name = runner.run(wanted, save=False).run
    (runner.folder / "there").touch()

    lost = resumed(runner, name)
    again = resumed(runner, name, start="open")

    assert lost.status == "failed"
    assert lost.warnings == [
        "The terminal that 'open' opened has ended: terminals last no longer than the process, or "
        "the attempt, that opened them. `--from open` opens it again"
    ]
    assert (again.status, again.warnings) == ("success", [])


def test_a_state_that_opens_its_terminal_again_is_told_nothing(runner: Runner):
    session = {"session_id": "{session_id}"}
    wanted = states(
        "check",
        check=state("shell", (OK, "open"), params={"command": "test -e there"}),
        open=state("open_terminal", (OK, "type"), params={"shell": "sh"}),
        type=state("send_input", (OK, "last"), params={**session, "input_text": "true\n"}),
        last=state("shell", params={"command": "test -e last"}),
    )
    (runner.folder / "there").touch()
    name = runner.run(wanted, save=False).run
    (runner.folder / "last").touch()

    assert resumed(runner, name).warnings == []
    assert "--from open" in resumed(runner, name, start="type").warnings[0]


def test_a_run_that_fails_for_want_of_its_terminal_names_the_way_on_at_once(runner: Runner):
    session = {"session_id": "{open.session_id}"}
    wanted = steps(
        step("open", "open_terminal", args={"shell": "sh"}),
        step("end", "exit_terminal", args=session),
        step("type", "send_input", args={**session, "input_text": "true\n"}),
    )

    result = runner.run(wanted, save=False)

    assert result.error == "type: Session not found"
    (warning,) = result.warnings
    assert warning.endswith("`--from open` opens it again")


@pytest.fixture
def gone() -> str:
    """A process of this machine that has ended."""
    child = subprocess.Popen(["true"])
    child.wait()
    return f"{process().partition(' ')[0]} {child.pid} 0123abcd"


def left(runner: Runner, gone: str, secret: str = "token") -> str:
    """A run whose process is gone, in the middle of its second step; undoing its first needs a
    secret."""
    undo = {"tool": "use", "args": {"secret": f"{{{secret}}}"}}
    wanted = steps(
        step("a", "use", args={"secret": "x"}, compensation=undo),
        step("b", "sleep", args={"seconds": 0}),
    )
    events = [
        RunStarted(workflow=wanted, process=gone, secrets=(secret,)),
        CallStarted(action="a", tool="use", params={"secret": "x"}),
        CallFinished(call=2, status="ok", result={"success": True}, armed={}),
        CallStarted(action="b", tool="sleep", params={"seconds": 0}, idempotent=True),
    ]
    journal = runner.workspace.journal
    info, _ = journal.begin_run(runner.workspace.id, "told", events, process=gone)
    return info.name


@pytest.fixture
def used() -> list[str]:
    given: list[str] = []

    @tool
    def use(secret: str) -> None:
        given.append(secret)

    return given


def test_a_run_whose_process_is_gone_is_undone_with_the_secrets_that_are_given(
    runner: Runner, gone: str, used: list[str]
):
    log = runner.cancel(left(runner, gone), rollback=True, secrets={"token": "s3cret"})

    assert (log.run.status, used) == ("cancelled", ["s3cret"])
    assert calls(log.run) == ["a ok", "b unknown", "undo a ok"]
    assert "s3cret" not in str(log.entries())


def test_without_them_it_says_what_was_not_undone_and_why(
    runner: Runner, gone: str, used: list[str]
):
    log = runner.cancel(left(runner, gone), rollback=True)

    assert (log.run.status, used) == ("cancelled", [])
    (row, *_) = runner.result(log).report.rows
    assert row.undo == "not undone: secret token is not known here: secrets are never kept"


def test_a_mended_run_is_given_its_secrets_again(runner: Runner, gone: str, used: list[str]):
    name = left(runner, gone)
    mended = steps(step("b", "use", args={"secret": "{token}"}))

    with pytest.raises(SecretMissing):
        runner.resume(name, workflow=mended)
    result = resumed(runner, name, workflow=mended, secrets={"token": "s3cret"})

    assert (result.status, used) == ("success", ["s3cret"])


class Locked(SqliteJournal):
    """A journal that another process holds for a moment, each time a nested run begins."""

    times = 0

    def begin_run(self, *args: Any, **more: Any) -> Any:
        if more.get("parent") is not None and self.times < 2:
            self.times += 1
            raise JournalLocked(self.place)
        return super().begin_run(*args, **more)


def test_a_nested_run_begins_although_the_journal_is_locked_for_a_moment(home: Path):
    journal = Locked(home / "journal.db")
    inner = steps(shell("a", "true"))
    args = {"workflow_definition": inner, "save_on_success": False}

    result = runner_on(journal, home).run(steps(step("down", "run_workflow", args=args)))

    assert (result.status, journal.times) == ("success", 2)
    assert [info.name for info in runner_in(home).workspace.journal.runs()] == ["told-1", "told-2"]


def test_a_nested_run_that_was_cut_off_goes_on_as_it_is_written_now_although_the_journal_is_locked(
    home: Path, gone: str
):
    class Held(SqliteJournal):
        times = 0

        def append_run(self, run: int, *args: Any, **more: Any) -> Any:
            if run == inner_run.id and self.times < 1:
                self.times += 1
                raise JournalLocked(self.place)
            return super().append_run(run, *args, **more)

    def outer(*written: Any) -> dict[str, Any]:
        args = {"workflow_definition": steps(*written), "save_on_success": False}
        return steps(step("down", "run_workflow", args=args))

    journal = Held(home / "journal.db")
    runner = runner_on(journal, home)
    first = shell("a", "echo a >> done")
    broken = outer(first, shell("b", "echo wrong >> done"))
    events = [
        RunStarted(workflow=broken, process=gone),
        CallStarted(action="down", tool="run_workflow", idempotent=True),
    ]
    run, _ = journal.begin_run(1, "told", events, process=gone)
    inside = [
        RunStarted(
            workflow=steps(first, shell("b", "echo wrong >> done")),
            process=gone,
            depth=1,
            caller=2,
        ),
        CallStarted(action="a", tool="shell", params=first["args"]),
        CallFinished(call=2, status="ok", result={"success": True}),
    ]
    inner_run, _ = journal.begin_run(1, "told", inside, parent=run.id, process=gone)

    result = resumed(runner, run.name, workflow=outer(first, shell("b", "echo right >> done")))

    assert (result.status, journal.times) == ("success", 1)
    assert calls(runner.log(inner_run.name).run) == ["a ok", "b ok"]
    assert done(home) == ["right"]
