"""`wfnb mcp` as a client starts it: a process that is spoken to on stdin and stdout."""

import ast
import asyncio
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

import wfnb
from tests.cli.command import ROOT, WFNB
from tests.mcp.agent import NAME

T = TypeVar("T")
CONFIGURATIONS = {"json": (json.loads, "servers"), "toml": (tomllib.loads, "mcp_servers")}
SHELL = {
    "name": "slow",
    "steps": [{"id": "wait", "tool": "shell", "args": {"command": "echo begun; sleep 60"}}],
}
WITHOUT_SDK = """
import sys
sys.modules["mcp"] = None
from wfnb.cli import main
main(["mcp"])
"""


def talk(folder: Path, scenario: Callable[[Client], Awaitable[T]], *words: str) -> T:
    command, *before = WFNB
    started = StdioServerParameters(
        command=command,
        args=[*before, "mcp", "--home", str(folder / ".wfnb"), *words],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT)},
    )

    async def connected() -> T:
        async with Client(stdio_client(started), client_info=NAME, mode="legacy") as client:
            return await scenario(client)

    return asyncio.run(connected())


def python(code: str) -> subprocess.CompletedProcess[str]:
    """What a Python of its own made of the code."""
    command = [sys.executable, "-c", code]
    env = {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_client_starts_it_records_and_reads(tmp_path: Path):
    async def scenario(client: Client) -> Any:
        await client.call_tool("record_step", {"title": "Load"})
        return await client.call_tool("session_status", {}), client.session.instructions

    status, instructions = talk(tmp_path, scenario, "--session", "tides")

    (entry, step) = wfnb.open("tides", home_folder=tmp_path / ".wfnb").log.entries()
    assert status.structured_content["session"] == "tides"
    assert (entry.event.by.name, step.event.by.version) == ("helper", "2.1")
    assert tmp_path.name in instructions


@pytest.mark.parametrize("language", CONFIGURATIONS)
def test_the_configuration_of_a_client_in_the_page_starts_it(tmp_path: Path, language: str):
    read, start = CONFIGURATIONS[language]
    page = (ROOT / "docs" / "agents.md").read_text("utf-8")
    (shown,) = re.findall(rf"```{language}\n([^`]*{start}[^`]*)```", page)
    for name in ("/home/me/project", "${workspaceFolder}"):
        shown = shown.replace(name, str(tmp_path))
    (given,) = read(shown)[start].values()

    async def scenario(client: Client) -> Any:
        return await client.call_tool("record_step", {"title": "Load"})

    assert given["command"] == "wfnb"
    assert given["args"][0] == "mcp"
    assert given["args"][1:3] == ["--home", str(tmp_path / ".wfnb")]
    talk(tmp_path, scenario, *given["args"][1:])
    assert wfnb.open("agent", home_folder=tmp_path / ".wfnb").session.steps


def test_a_client_that_leaves_stops_what_it_began(tmp_path: Path):
    wfnb.open("tides", home_folder=tmp_path / ".wfnb").runs.define(SHELL)

    async def scenario(client: Client) -> Any:
        return await client.call_tool("run_workflow", {"workflow": "slow"})

    begun = talk(tmp_path, scenario, "--allow-run", "slow")

    assert begun.structured_content["status"] == "running"
    runs = wfnb.open("tides", home_folder=tmp_path / ".wfnb").runs
    assert runs.result("slow-1").status == "cancelled"


def test_what_a_tool_prints_is_no_message(tmp_path: Path):
    prints = {
        "name": "prints",
        "steps": [{"id": "p", "tool": "python", "args": {"code": "print(1)"}}],
    }
    wfnb.open("tides", home_folder=tmp_path / ".wfnb").runs.define(prints)

    async def scenario(client: Client) -> Any:
        await client.call_tool("run_workflow", {"workflow": "prints"})
        return await client.call_tool("run_status", {"wait": 25})

    ended = talk(tmp_path, scenario, "--allow-run", "prints")

    assert ended.structured_content["status"] == "success"


def test_what_greets_a_client_loads_nothing_of_a_history():
    code = "import sys, wfnb.cli.mcp_command; from wfnb.mcp.stdio_server import make_server\n"
    code += "make_server('work', None); print([name for name in sys.modules if 'wfnb' in name])"
    done = python(code)

    loaded = set(ast.literal_eval(done.stdout))
    heavy = {"wfnb.core.events", "wfnb.home_folder", "wfnb.mcp.protocol_answers", "wfnb.mcp.tools"}
    assert loaded & heavy == set()


def test_without_the_sdk_one_line_says_what_to_install():
    done = python(WITHOUT_SDK)

    assert done.returncode == 2
    assert done.stderr.strip() == (
        'wfnb: Agents are served by the MCP SDK, which is not installed: `pip install "wfnb[mcp]"`.'
    )


def test_the_sdk_is_loaded_by_no_other_command():
    listed = "import sys; from wfnb.cli import main\ntry: main(['sessions', '--help'])\n"
    listed += "except SystemExit: print([name for name in sys.modules if name.startswith('mcp')])"
    done = python(listed)

    assert done.stdout.splitlines()[-1] == "[]"
