"""A command runs, and is heard."""

import asyncio
import os
import signal
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.workflows.tools.shell import SHELL
from wfnb.workflows.tools.tool_execution import perform
from wfnb.workflows.tools.truncated_output import MARGIN, TruncatedOutput

from .calls import OK, Cue, context_of, done, fields

RUNS = [
    ({"command": "true"}, OK),
    ({"command": ["true"]}, OK),
    ({"command": "echo a; echo b >&2"}, {**OK, "stdout": "a\n", "stderr": "b\n"}),
    ({"command": ["printf", "%s", "$HOME *"]}, {**OK, "stdout": "$HOME *"}),
    ({"command": "cat", "input": "grün\n"}, {**OK, "stdout": "grün\n"}),
    ({"command": "cat"}, OK),
    ({"command": "echo $A$B", "env": {"A": 1, "B": "2"}}, {**OK, "stdout": "12\n"}),
    ({"command": "printf '\\377\\303\\274'"}, {**OK, "stdout": "\ufffdü", "stdout_invalid": 1}),
    ({"command": "exit 3", "check": False}, {**OK, "exit_code": 3}),
    (
        {"command": "echo oh; echo first >&2; echo 'no way' >&2; exit 3"},
        {
            "success": False,
            "exit_code": 3,
            "stdout": "oh\n",
            "stderr": "first\nno way\n",
            "left_running": False,
            "error": "exit code 3: no way",
        },
    ),
    (
        {"command": "kill -9 $$"},
        {
            **OK,
            "success": False,
            "exit_code": 137,
            "error": "exit code 137 (SIGKILL)",
            "outcome_unknown": True,
        },
    ),
]


@pytest.mark.parametrize(("params", "result"), RUNS)
def test_a_command_gives_its_exit_code_and_output(params, result):
    assert fields(SHELL, **params) == result


def test_a_command_has_no_terminal_and_a_session_of_its_own():
    code = "import os; print(os.getsid(0), flush=True); open('/dev/tty')"

    result = fields(SHELL, command=[sys.executable, "-c", code])

    assert result["exit_code"] == 1
    assert int(result["stdout"]) != os.getsid(0)


def test_a_command_runs_in_the_folder_of_the_notebook_or_from_there_on(tmp_path):
    (tmp_path / "in").mkdir()
    context = context_of(tmp_path)

    assert fields(SHELL, context, command="pwd")["stdout"] == f"{tmp_path.resolve()}\n"
    assert fields(SHELL, context, command="pwd", cwd="in")["stdout"].endswith("/in\n")
    assert fields(SHELL, context, command="pwd", cwd="/")["stdout"] == "/\n"


def test_the_environment_is_added_to_and_taken_from(monkeypatch):
    monkeypatch.setenv("GIVEN", "yes")

    assert fields(SHELL, command="echo $GIVEN")["stdout"] == "yes\n"
    assert fields(SHELL, command="echo $GIVEN", env={"GIVEN": None})["stdout"] == "\n"


NOT_RUN = [
    ({"command": ["no-such-program-here"]}, "'no-such-program-here' cannot be run: No such file"),
    ({"command": ["/"]}, "'/' cannot be run: Permission denied"),
    ({"command": []}, "The command is empty."),
    ({"command": "true", "cwd": "no/where"}, "The folder 'no/where' cannot be used: No such file"),
    ({"command": "a\0b"}, "ValueError: embedded null byte"),
    ({"command": ["true", "x" * 3_000_000]}, "'true' cannot be run: Argument list too long"),
    ({"command": "true", "timeout": 0}, "shell: timeout should be greater than 0"),
    ({"comand": "true"}, "shell: command is missing; comand is no parameter (nearest: command)."),
]


@pytest.mark.parametrize(("params", "said"), NOT_RUN, ids=range(len(NOT_RUN)))
def test_what_cannot_be_run_is_a_failure_that_says_why(params, said):
    result = fields(SHELL, **params)

    assert not result["success"]
    assert result["error"].startswith(said)


def test_output_is_said_as_it_comes(tmp_path):
    async def called():
        cue = Cue("first")
        command = "echo first; while [ ! -e go ]; do sleep 0.01; done; echo second"
        work = perform(SHELL, {"command": command}, context_of(tmp_path, say=cue.say))
        task = asyncio.create_task(work)
        await cue.came.wait()
        before = cue.text
        (tmp_path / "go").touch()
        return before, (await task)["stdout"]

    assert done(called()) == ("first\n", "first\nsecond\n")


def test_a_long_output_is_kept_at_both_ends_with_its_size():
    code = "import sys; sys.stdout.write('a' * 500_000 + 'z'); sys.stderr.write('b' * 200_000)"

    result = fields(SHELL, command=[sys.executable, "-c", code])

    middle = "\n… cut: 500,001 characters in all …\n"
    assert result["stdout"] == "a" * 100_000 + middle + "a" * 99_999 + "z"
    assert result["stdout_size"] == 500_001
    assert result["stderr"] == "b" * 200_000
    assert "stderr_size" not in result


def test_much_goes_in_and_comes_out_at_the_same_time():
    text = "0123456789\n" * 15_000

    assert fields(SHELL, command="cat", input=text)["stdout"] == text


def test_input_that_nobody_reads_is_no_trouble():
    assert fields(SHELL, command="exec 0<&-; true", input="x" * 1_000_000)["success"]


def test_output_that_comes_after_the_end_is_still_heard():
    command = "(sleep 0.02; echo late) & echo soon"

    assert fields(SHELL, command=command) == {**OK, "stdout": "soon\nlate\n"}


def test_no_descriptor_stays_open():
    async def called():
        before = None
        for _ in range(3):
            await perform(SHELL, {"command": "cat; echo b >&2", "input": "a"}, context_of())
            await perform(SHELL, {"command": ["no-such-program-here"], "input": "a"}, context_of())
            now = len(os.listdir("/dev/fd"))
            assert before in (None, now)
            before = now

    done(called())


@pytest.mark.parametrize("more", [0, MARGIN])
@given(
    st.lists(st.text("aé漢🎉\n", max_size=30), max_size=8),
    st.integers(1, 9),
    st.sampled_from((2, 10, 40)),
)
def test_what_is_kept_does_not_depend_on_how_it_came(more, texts, size, longest):
    texts = [*texts, *["x" * more, "y" * more] * (len(texts) > 1), *texts]
    whole = "".join(texts)
    data = whole.encode()
    kept = TruncatedOutput(longest)

    size = size if not more else more + size
    for place in range(0, len(data), size):
        kept.feed(data[place : place + size])
    kept.feed(b"", final=True)

    half = longest // 2
    middle = f"\n… cut: {len(whole):,} characters in all …\n"
    assert kept.size == len(whole)
    assert kept.fields("text", str)["text"] == (
        whole if len(whole) <= longest else f"{whole[:half]}{middle}{whole[-half:]}"
    )


def test_the_exit_code_of_a_signal_has_its_name():
    result = fields(SHELL, command=f"kill -{signal.SIGTERM} $$; sleep 600")

    assert (result["exit_code"], result["error"]) == (143, "exit code 143 (SIGTERM)")
