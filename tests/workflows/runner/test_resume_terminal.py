"""A run goes on whose terminal has ended: refused before anything is done, with what opens it."""

import pytest

from wfnb.errors import TerminalGone
from wfnb.workflows.runner.runner import Runner

from .mended import OK, resumed, shell
from .place import state, states, step, steps

SESSION = {"session_id": "{open.session_id}"}
GONE = (
    "The terminal that 'open' opened has ended: terminals last no longer than the process, or "
    "the attempt, that opened them. `--from open` opens it again."
)


def test_a_run_whose_terminal_has_ended_is_refused_before_anything_is_done(runner: Runner):
    wanted = steps(
        step("open", "open_terminal", args={"shell": "sh"}),
        shell("b", "echo b >> done; test -e there"),
        step("type", "send_input", args={**SESSION, "input_text": "true\n"}),
    )
    name = runner.run(wanted, save=False).run
    (runner.folder / "there").touch()
    recorded = runner.log(name).entries()

    with pytest.raises(TerminalGone) as refusal:
        runner.resume(name)

    assert str(refusal.value) == GONE
    assert runner.log(name).entries() == recorded
    assert runner.log(name).run.status == "failed"
    assert (runner.folder / "done").read_text() == "b\n"
    again = resumed(runner, name, start="open")
    assert (again.status, again.warnings) == ("success", [])


def test_a_run_that_no_more_needs_its_terminal_goes_on(runner: Runner):
    wanted = steps(
        step("open", "open_terminal", args={"shell": "sh"}),
        step("type", "send_input", args={**SESSION, "input_text": "true\n"}),
        shell("b", "test -e there"),
    )
    name = runner.run(wanted, save=False).run
    (runner.folder / "there").touch()

    assert resumed(runner, name).status == "success"


def test_several_terminals_are_named_together(runner: Runner):
    wanted = steps(
        step("open", "open_terminal", args={"shell": "sh"}),
        step("other", "open_terminal", args={"shell": "sh"}),
        shell("b", "test -e there"),
        step("type", "send_input", args={**SESSION, "input_text": "true\n"}),
        step("end", "exit_terminal", args={"session_id": "{other.session_id}"}),
    )
    name = runner.run(wanted, save=False).run

    with pytest.raises(TerminalGone, match=r"'open', 'other' opened .*--from open` opens"):
        runner.resume(name)


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
    with pytest.raises(TerminalGone, match="--from open"):
        runner.resume(name, start="type")


def test_a_run_that_fails_for_want_of_its_terminal_names_the_way_on_at_once(runner: Runner):
    session = {"session_id": "{open.session_id}"}
    wanted = steps(
        step("open", "open_terminal", args={"shell": "sh"}),
        step("end", "exit_terminal", args=session),
        step("type", "send_input", args={**session, "input_text": "true\n"}),
    )

    result = runner.run(wanted, save=False)

    assert result.error.startswith("type: Session not found: no terminal 'session_")
    (warning,) = result.warnings
    assert warning.endswith("`--from open` opens it again.")


def test_a_session_that_there_never_was_is_not_that_of_the_run(runner: Runner):
    result = runner.run(steps(step("a", "exit_terminal", args={"session_id": "nonexistent"})))

    assert (result.success, result.session_id) == (False, None)


TYPED = steps(
    step("type", "send_input", args={"session_id": "{sid}", "input_text": "true\n"}),
    variables={"sid": None},
)


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(
            step(
                "in",
                "run_workflow",
                args={"workflow_definition": TYPED, "initial_variables": {"sid": "{sid}"}},
            ),
            id="a run within",
        ),
        pytest.param(
            step(
                "in",
                "run_workflow",
                args={
                    "workflow_definition": steps(
                        step(
                            "inmost",
                            "run_workflow",
                            args={
                                "workflow_definition": TYPED,
                                "initial_variables": {"sid": "{given.0}"},
                            },
                        ),
                        variables={"given": []},
                    ),
                    "initial_variables": {"given": ["{sid}"]},
                },
            ),
            id="a run within a run within",
        ),
        pytest.param(
            step(
                "type",
                "send_input",
                for_each="[sid]",
                args={"session_id": "{item}", "input_text": "true\n"},
            ),
            id="an item",
        ),
    ],
)
def test_a_terminal_that_a_variable_names_is_missed_before_anything_is_done(
    runner: Runner, use: dict
):
    opened = runner.call("open_terminal", shell="sh")
    sid = opened["session_id"]
    wanted = steps(shell("b", "echo b >> done; test -e there"), use, variables={"sid": sid})
    name = runner.run(wanted, save=False).run
    runner.call("exit_terminal", session_id=sid)
    (runner.folder / "there").touch()

    with pytest.raises(TerminalGone, match=sid):
        runner.resume(name)

    assert (runner.folder / "done").read_text() == "b\n"
