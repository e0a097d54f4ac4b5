"""Prompts for a server of terminals work unchanged, and what is typed is in the history."""

import sys
from pathlib import Path
from typing import Any

import pytest

import wfnb
from tests.mcp.agent import answers, at, refusal, results, talk
from tests.mcp.test_mcp_stdio import talk as over_stdio
from wfnb.mcp.connection import Connection

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="terminals are of POSIX")
SIX = [
    *("open_terminal", "send_input", "await_output", "get_screen_content"),
    *("list_terminal_sessions", "exit_terminal"),
]
BRANCHING = {
    "name": "test_with_branching",
    "initial_state": "start_session",
    "states": {
        "start_session": {
            "action": {"tool": "open_terminal", "params": {"shell": "bash"}},
            "transitions": [{"condition": {"success": True}, "next_state": "run_tests"}],
        },
        "run_tests": {
            "action": {
                "tool": "send_input",
                "params": {"session_id": "{session_id}", "input_text": "echo 3 {word}\n"},
            },
            "transitions": [{"condition": {"success": True}, "next_state": "wait_for_results"}],
        },
        "wait_for_results": {
            "action": {
                "tool": "await_output",
                "params": {"session_id": "{session_id}", "pattern": r"\d+ (passing|failing)"},
            },
            "transitions": [
                {"condition": {"pattern_match": "passing"}, "next_state": "cleanup"},
                {"condition": {"pattern_match": "failing"}, "next_state": "tests_failed"},
            ],
        },
        "tests_failed": {
            "action": {"tool": "get_screen_content", "params": {"session_id": "{session_id}"}},
            "transitions": [{"condition": {"success": True}, "next_state": "cleanup"}],
        },
        "cleanup": {"action": {"tool": "exit_terminal", "params": {"session_id": "{session_id}"}}},
    },
}


def typing(folder: Path) -> Connection:
    return at(folder / ".wfnb", sets=("terminal",))


def runs_of(folder: Path) -> list[str]:
    return [info.name for info in wfnb.open("agent", home_folder=folder / ".wfnb").runs.runs()]


def test_the_tools_are_there_where_a_person_asked_for_them(tmp_path: Path):
    listed = talk(typing(tmp_path), lambda client: client.list_tools()).tools
    plain = talk(at(tmp_path), lambda client: client.list_tools()).tools

    names = [each.name for each in plain]
    assert [each.name for each in listed] == [*names, *SIX]
    by_name = {each.name: each for each in listed}
    assert set(by_name["run_workflow"].input_schema["properties"]) == {
        *("workflow_definition", "workflow_name", "initial_variables", "max_states"),
        *("execution_timeout", "save_on_success"),
    }
    assert by_name["send_input"].input_schema["required"] == ["session_id", "input_text"]
    changing = {each.name for each in listed if each.annotations.destructive_hint}
    assert changing == {"open_terminal", "send_input", "exit_terminal", "run_workflow"}
    assert "No tool is called" in refusal(at(tmp_path), "open_terminal", shell="bash")


@pytest.mark.parametrize("within", [False, True], ids=["plain", "as a request"])
def test_a_scripted_conversation_is_answered_as_by_that_server_and_kept(
    tmp_path: Path, within: bool
):
    async def scenario(client: Any) -> list[Any]:
        async def call(name: str, **given: Any) -> Any:
            found = await client.call_tool(name, {"request": given} if within else given)
            assert not found.is_error, found.content
            return found.structured_content

        opened = await call("open_terminal", shell="bash", working_directory=None)
        at = {"session_id": opened["session_id"]}
        sent = await call("send_input", **at, input_text="pwd; echo six''teen\n")
        seen = await call("await_output", **at, pattern="sixteen", timeout=10.0)
        screen = await call("get_screen_content", **at, content_mode="since_input", line_count=None)
        missed = await call("await_output", **at, pattern="never", timeout=0.1)
        listed = await call("list_terminal_sessions")
        ended = await call("exit_terminal", **at)
        gone = await call("send_input", **at, input_text="x")
        return [opened, sent, seen, screen, missed, listed, ended, gone]

    opened, sent, seen, screen, missed, listed, ended, gone = talk(typing(tmp_path), scenario)

    assert (opened["success"], opened["shell"], opened["web_url"]) == (True, "bash", None)
    assert sent["success"]
    assert (seen["match_text"], seen["timeout_occurred"]) == ("sixteen", False)
    assert screen["screen_content"].splitlines()[0] == str(tmp_path)
    assert (missed["success"], missed["match_text"], missed["timeout_occurred"]) == (
        False,
        None,
        True,
    )
    assert listed["total_sessions"] >= 1
    assert ended["process_running"] is False
    assert not gone["success"]
    assert gone["error"] == f"Session not found: no terminal '{opened['session_id']}' is open"
    assert len(runs_of(tmp_path)) == 8
    log = wfnb.open("agent", home_folder=tmp_path / ".wfnb").runs.log("call-2")
    (call,) = log.run.calls.values()
    assert (call.tool, call.params["input_text"]) == ("send_input", "pwd; echo six''teen\n")
    assert log.entries()[0].event.by.name == "helper"


@pytest.mark.parametrize(("word", "executed"), [("passing", 4), ("failing", 5)])
def test_a_workflow_is_run_to_its_end_and_saved(tmp_path: Path, word: str, executed: int):
    first, named = answers(
        typing(tmp_path),
        ("run_workflow", {"workflow_definition": BRANCHING, "initial_variables": {"word": word}}),
        (
            "run_workflow",
            {
                "workflow_name": "test_with_branching",
                "initial_variables": {"word": word},
                "max_states": 10,
                "execution_timeout": 60.0,
                "save_on_success": False,
            },
        ),
    )

    for found in (first, named):
        assert (found["success"], found["error"]) == (True, None)
        assert (found["final_state"], found["states_executed"]) == ("cleanup", executed)
        assert [each["state"] for each in found["execution_log"]][-1] == "cleanup"
        assert found["final_variables"]["session_id"].startswith("session_")
        assert found["available_workflows"] == ["test_with_branching"]
        assert found["recursion_depth"] == 0
    assert (first["workflow_saved"], first["saved_workflow_name"]) == (True, "test_with_branching")
    assert not named["workflow_saved"]
    assert runs_of(tmp_path) == ["test_with_branching-1", "test_with_branching-2"]


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("open_terminal", {"shel": "bash"}, "shell"),
        ("send_input", {"session_id": "session_00000000"}, "'input_text' is needed"),
        ("await_output", {"session_id": "s", "pattern": "("}, "pattern"),
        ("run_workflow", {}, "exactly one"),
        ("run_workflow", {"workflow_name": "nope"}, "nope"),
        ("run_workflow", {"workflow_definition": {"name": "a"}}, "states"),
        ("run_workflow", {"workflow_definition": BRANCHING, "max_states": 0}, "max_states"),
    ],
    ids=str,
)
def test_a_mistake_is_refused_and_nothing_is_recorded(
    tmp_path: Path, name: str, given: dict[str, Any], says: str
):
    assert says in refusal(typing(tmp_path), name, **given)

    assert runs_of(tmp_path) == []


def test_a_client_that_leaves_while_it_waits_ends_the_terminal(tmp_path: Path):
    async def scenario(client: Any) -> Any:
        opened = await client.call_tool("open_terminal", {})
        at = opened.structured_content["session_id"]
        await client.call_tool("send_input", {"session_id": at, "input_text": "sleep 600\n"})
        waits = {"session_id": at, "pattern": "never", "timeout": 600}
        with pytest.raises(Exception, match=r"(?i)timed out"):
            await client.call_tool("await_output", waits, read_timeout_seconds=1)

    over_stdio(tmp_path, scenario, "--terminal", "--session", "agent")

    runs = wfnb.open("agent", home_folder=tmp_path / ".wfnb").runs
    assert [runs.result(name).status for name in runs_of(tmp_path)] == [
        *("success", "success", "cancelled"),
    ]


def test_paths_of_what_runs_begin_at_the_folder_of_the_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    where = {"name": "where", "steps": [{"id": "pwd", "tool": "shell", "args": {"command": "pwd"}}]}

    (found,) = results(
        at(tmp_path / "work" / ".wfnb", sets=("terminal",)),
        ("run_workflow", {"workflow_definition": where}),
    )

    (made,) = found.structured_content["execution_log"]
    assert made["result"]["stdout"].strip() == str(tmp_path / "work")
