"""`%wfnb start NAME --kind K`: between two steps something has to be looked at."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

HELD = "Nothing new was looked at since step 1. Run a cell that reads, runs or shows something,"


@pytest.fixture
def debugging(kernel: Kernel) -> Kernel:
    """A kernel in an investigation whose first step is done."""
    kernel.ok("%wfnb start crash --kind debug")
    kernel.ok("%step Empty input crashes the parser")
    return kernel


def test_a_step_is_answered_with_what_to_look_at(kernel: Kernel):
    started = kernel.ok("%wfnb start crash --kind debug")
    answer = kernel.ok("%%step Empty input crashes\n1 + 1").answer

    assert started.text == "session 'crash' started · investigation debug"
    assert (answer["status"], answer["next_step_number"]) == ("pause_for_investigation", 2)
    assert (len(answer["required_actions"]), answer["total_steps"]) == (4, 4)


def test_the_next_step_is_refused_in_one_line(debugging: Kernel):
    ran = debugging.run("%%step It is the loop\nundefined")

    assert ran.status == "error"
    assert ran.traceback.startswith(HELD)
    assert len(ran.traceback.splitlines()) == 1


def test_a_plain_cell_lets_the_next_step_through(debugging: Kernel):
    debugging.ok("import os")
    debugging.ok("# what happens\nos.environ.get('a very long string with a secret')")
    answer = debugging.ok("%%step It is the loop\n1").answer

    assert answer["evidence"] == ["cell: os.environ.get('…')"]
    assert answer["step_number"] == 2


@pytest.mark.parametrize(
    "cell",
    [
        "# nothing but words",
        "%wfnb status",
        "%load_ext wfnb\n%wfnb log",
        "x = ",
        "%step It is the loop\nx = 1",
        "import wfnb; wfnb.open('crash').step('It is the loop')",
        "raise KeyboardInterrupt",
    ],
)
def test_nothing_was_looked_at_by(debugging: Kernel, cell: str):
    debugging.run(cell)
    ran = debugging.run("%step It is the loop")

    assert ran.traceback.startswith(HELD)


def test_the_front_ends_own_code_is_nothing_that_was_looked_at(debugging: Kernel):
    debugging.run("sorted(globals())", store_history=False)
    ran = debugging.run("%step It is the loop")

    assert ran.traceback.startswith(HELD)


def test_a_cell_without_history_of_one_who_lets_nobody_be_asked_was_looked_at(debugging: Kernel):
    content = {"code": "os.getcwd()", "silent": False, "store_history": False, "allow_stdin": False}
    request = debugging.client.session.msg("execute_request", content)
    debugging.client.shell_channel.send(request)
    debugging.reply(str(request["header"]["msg_id"]))

    assert debugging.ok("%step It is the loop").answer["evidence"] == ["cell: os.getcwd()"]


def test_a_cell_that_fails_was_looked_at(debugging: Kernel):
    debugging.run("os.stat('nowhere')")

    evidence = debugging.ok("%step It is the loop").answer["evidence"]
    assert evidence == ["cell: os.stat('nowhere')"]


def test_a_cell_counts_for_a_step_that_a_program_added(kernel: Kernel):
    kernel.ok("%wfnb start crash --kind debug\nimport wfnb\nws = wfnb.open('crash')")
    kernel.ok("_ = ws.step('Empty input crashes')")
    kernel.ok("os.getcwd()")

    assert kernel.ok("%step It is the loop").answer["evidence"] == ["cell: os.getcwd()"]


def test_a_session_can_do_without_pauses(kernel: Kernel):
    kernel.ok("%wfnb start crash --kind debug --no-pause")
    kernel.ok("%step Empty input crashes")

    assert kernel.ok("%step It is the loop").answer["step_number"] == 2


def test_what_a_step_found_is_in_its_answer(debugging: Kernel, tmp_path):
    debugging.ok("import pathlib; pathlib.Path('parse.py').touch()")
    debugging.ok("_ = pathlib.Path('parse.py').read_text()")
    answer = debugging.ok(
        '%%step It is the loop --finding "it never ends" --file parse.py --relevant parse.py '
        '--context parse --issue "high: no check" --hypothesis loop --confidence medium'
    ).answer

    assert answer["debug_status"] == {
        "files_checked": 1,
        "relevant_files": 1,
        "relevant_context": 1,
        "issues_found": 1,
        "current_confidence": "medium",
    }
    assert answer["evidence"][-2:] == ["new finding", "new issue"]


LINES = {
    "%step b --file pars.py": "There is no file 'pars.py' here. Did you mean 'parse.py'? "
    "Paths start beside the notebook.",
    "%step b --issue huge:x": "issue severity is 'huge'. It needs one of critical, high, medium,",
    "%step b --confidence sure": "confidence is 'sure'. It needs one of exploring, low, medium,",
    "%step b --backtrack 9": "There is no step 9 on 'main'. Steps there: 1.",
    "%wfnb start x --kind debgu": "There is no kind of investigation 'debgu'. Did you mean 'debug'",
}


@pytest.mark.parametrize(("line", "says"), LINES.items(), ids=LINES)
def test_a_mistake_is_told_in_one_line(debugging: Kernel, line: str, says: str):
    debugging.ok("import pathlib; pathlib.Path('parse.py').touch()")
    ran = debugging.run(line)

    assert ran.traceback.startswith(says)
    assert len(ran.traceback.splitlines()) == 1


def test_a_repository_that_is_none_is_refused(kernel: Kernel, tmp_path: Path):
    kernel.ok("%wfnb start ready --kind precommit")
    ran = kernel.run(f"%step What is to be committed --set path={tmp_path}")

    assert "is in no git repository (not a git repository" in ran.refusal


def test_another_kernel_asks_for_the_same(debugging: Kernel):
    asked = "import wfnb\nws = wfnb.open('crash')\nprint(ws.views.answer(ws.log.find(1)))"
    before = debugging.ok(asked)
    debugging.restart()
    debugging.ok(f"import os; os.environ['WFNB_HOME'] = {str(debugging.home)!r}")
    debugging.ok("%wfnb resume crash")
    after = debugging.ok(asked)

    assert "required_actions" in after.stdout
    assert after.stdout == before.stdout
