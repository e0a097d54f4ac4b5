"""The seven tools: what they take, and what comes back."""

import asyncio
import re

import pytest

from tests.workflows.tools.terminal.typist import TOOLS, context_of
from wfnb.workflows.tools.result_fields import ToolFailed, outcome
from wfnb.workflows.tools.terminal.terminals import Terminals

STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00")


def test_the_seven_tools_are_known_by_name_and_may_be_repeated_where_they_only_look():
    assert {name: tool.idempotent for name, tool in TOOLS.items()} == {
        "open_terminal": False,
        "send_input": False,
        "await_output": True,
        "get_screen_content": True,
        "resize_terminal": True,
        "list_terminal_sessions": True,
        "exit_terminal": False,
    }


@pytest.mark.parametrize("params", [{}, {"timeout": 60}, {"timeout": "60"}, {"timeout": "{t}"}])
def test_a_wait_may_take_a_second_more_than_it_waits(params):
    expected = {None: 11.0, 60: 61.0, "60": 61.0, "{t}": 11.0}[params.get("timeout")]

    assert TOOLS["await_output"].seconds(params) == expected


async def test_a_terminal_is_opened_used_and_closed(typist):
    opened = await typist.open()
    sent = await typist.types("echo hi\n")
    awaited = await typist.awaits("h(?P<vowel>.)")
    looked = await typist.call("get_screen_content", session_id=typist.session)
    listed = await typist.call("list_terminal_sessions")
    closed = await typist.call("exit_terminal", session_id=typist.session)

    assert re.fullmatch("session_[0-9a-f]{8}", opened["session_id"])
    seen = {"session_id": typist.session, "process_running": True}
    for each in (opened, sent, awaited, closed):
        assert STAMP.fullmatch(each.pop("timestamp"))
    assert isinstance(opened.pop("screen_content"), str)
    assert opened == {
        **seen,
        "shell": "bash",
        "web_url": None,
        "message": "Terminal opened: bash",
    }
    assert isinstance(sent.pop("screen_content"), str)
    assert sent == {**seen, "message": "8 characters sent"}
    assert 0 <= awaited.pop("elapsed_time") < 20
    assert awaited.pop("screen_content").startswith("$ echo hi\nhi")
    assert awaited == {
        **seen,
        "success": True,
        "match_text": "hi",
        "captures": {"vowel": "i"},
        "missed": None,
        "timeout_occurred": False,
    }
    assert STAMP.fullmatch(looked.pop("timestamp"))
    assert looked.pop("screen_content").startswith("$ echo hi\nhi")
    assert looked == {"process_running": True, "session_id": typist.session}
    assert STAMP.fullmatch(listed["sessions"][0].pop("created_at"))
    assert listed == {
        "total_sessions": 1,
        "sessions": [
            {
                "session_id": typist.session,
                "shell": "bash",
                "working_directory": str(typist.context.folder),
                "rows": 30,
                "columns": 120,
                "process_running": True,
                "exit_code": None,
            }
        ],
    }
    assert re.fullmatch(r"Terminal closed; [1-9]\d* process(es)? ended", closed["message"])
    assert (await typist.call("list_terminal_sessions"))["total_sessions"] == 0


async def test_results_have_the_fields_that_were_declared(typist):
    results = {"open_terminal": await typist.open()}
    at = {"session_id": typist.session}
    results["send_input"] = await typist.types("\n")
    results["await_output"] = await typist.awaits("")
    results["get_screen_content"] = await typist.call("get_screen_content", **at)
    results["resize_terminal"] = await typist.call("resize_terminal", **at)
    results["list_terminal_sessions"] = await typist.call("list_terminal_sessions")
    results["exit_terminal"] = await typist.call("exit_terminal", **at)

    for name, result in results.items():
        assert {*outcome(result), "error", "error_type"} == {*TOOLS[name].results}


async def test_what_was_found_is_found_again_until_the_next_input(typist):
    await typist.open()
    await typist.types("echo hi\n")
    await typist.sees("hi")

    again = await typist.sees("hi")
    await typist.types("echo ho\n")
    await typist.sees("ho")

    assert again == "hi"
    assert await typist.misses("hi")


async def test_a_wait_that_is_over_is_a_success_without_a_match(typist):
    await typist.open()

    awaited = await typist.awaits("never said", timeout=0.05)

    assert awaited.pop("elapsed_time") >= 0.05
    assert STAMP.fullmatch(awaited.pop("timestamp"))
    assert awaited == {
        "success": False,
        "match_text": None,
        "captures": {},
        "missed": "waited for 'never said'; the screen ended with '$'",
        "session_id": typist.session,
        "screen_content": "$ ",
        "timeout_occurred": True,
        "process_running": True,
    }


async def test_what_was_seen_instead_is_told_in_a_few_short_lines_that_can_be_printed(typist):
    await typist.open()
    await typist.types(r"clear; printf 'one\n\ntwo\n%0100d\nx\n' 0; sleep 1001" + "\n")
    await typist.sees("x$")

    awaited = await typist.awaits("p" * 100, timeout=0)

    assert awaited["missed"] == (
        f"waited for '{'p' * 80}…'; the screen ended with 'two' | '{'0' * 80}…' | 'x'"
    )


async def test_the_pattern_that_was_waited_for_is_told_as_it_was_written(typist):
    await typist.open()

    awaited = await typist.awaits(r"^\(Pdb\) $", timeout=0.05)

    assert awaited["missed"] == r"waited for '^\(Pdb\) $'; the screen ended with '$'"


async def test_a_program_that_ends_before_it_says_that_leaves_its_last_words(typist):
    await typist.open("sh -c 'echo no license; exit 3'")

    awaited = await typist.awaits("ready")

    assert (awaited["success"], awaited["error"]) == (
        False,
        "the program ended before it said that",
    )
    assert awaited["missed"] == "waited for 'ready'; the screen ended with 'no license'"


async def test_where_the_time_of_the_action_is_over_first_it_says_so_too(typist):
    await typist.open()
    waiting = asyncio.create_task(typist.awaits("never said", timeout=60))
    await asyncio.sleep(0)

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    so_far = typist.context.so_far()
    assert so_far["missed"] == "waited for 'never said'; the screen ended with '$'"
    assert (so_far["session_id"], so_far["screen_content"]) == (typist.session, "$ ")


async def test_fifty_terminals_may_be_open(typist):
    for _ in range(50):
        await typist.open()

    with pytest.raises(ToolFailed, match=r"^Maximum sessions \(50\) reached$"):
        await typist.open()
    await typist.call("exit_terminal", session_id=typist.session)

    assert (await typist.open())["session_id"]


async def test_a_program_is_started_in_its_folder_with_its_environment(typist):
    (typist.context.folder / "sub").mkdir()
    await typist.open(working_directory="sub", environment={"GREETING": "good day"})

    await typist.types("pwd; echo $GREETING\n")

    assert await typist.sees("(?s)\\A.*day") == f"{typist.context.folder}/sub\ngood day"


async def test_a_shell_reads_no_start_up_files_unless_it_is_told_to(typist):
    home = typist.context.folder
    (home / ".bashrc").write_text("PS1='from the file> '\n")

    await typist.open("bash", environment={"HOME": str(home)})
    plain = await typist.looks()
    await typist.open("bash --noprofile", environment={"HOME": str(home)})
    await typist.sees("from the file> $")

    assert plain == "$ "


async def test_a_run_closes_its_own_terminals(typist, tmp_path):
    await typist.open()
    terminals: Terminals = typist.context.terminals
    other = await terminals.open(folder=tmp_path, root="other")

    await terminals.close("run")

    assert terminals.list() == (other,)
    await terminals.close("other")
    assert terminals.list() == ()
    assert context_of(terminals, tmp_path, "other").root == "other"


@pytest.mark.parametrize(
    ("printed", "pattern"),
    [
        (r"status: wait\rstatus: done", "(?m)^status: done$"),
        (r"Working /\b\b done", "Working done"),
        (r"N\bNA\bAM\bME\bE", "NAME"),
    ],
)
async def test_a_pattern_is_looked_for_in_what_is_seen(typist, printed, pattern):
    await typist.open(f"sh -c \"printf '{printed}\\nend\\n'; sleep 60\"")

    assert await typist.sees("end") == "end"
    assert await typist.sees(pattern)
