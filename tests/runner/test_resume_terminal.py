"""A run goes on whose terminal has ended: what opens it again is told."""

from wfnb.runner.runner import Runner

from .mended import OK, resumed, shell
from .place import state, states, step, steps


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
