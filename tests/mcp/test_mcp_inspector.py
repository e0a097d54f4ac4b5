"""The Inspector's command line starts `wfnb mcp` by the configuration that the page for agents
shows, and speaks both eras of the protocol with it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import wfnb
from tests.cli.command import ROOT
from tests.mcp.clients import run
from wfnb.mcp.tools import SETS

REFUSED = 5
"""Its exit code where a tool refused."""
ERAS = {"legacy": "2025-11-25", "modern": "2026-07-28"}


class Inspector:
    def __init__(self, folder: Path, era: str, *options: str) -> None:
        page = (ROOT / "docs" / "agents.md").read_text("utf-8")
        (shown,) = re.findall(r"```json\n(.*mcpServers.*)\n```", page)
        config = json.loads(shown.replace("/home/me/project", str(folder)))
        config["mcpServers"]["wfnb"]["args"] += options
        config["mcpServers"]["wfnb"]["env"] = {"PYTHONPATH": str(ROOT)}
        (folder / "mcp.json").write_text(json.dumps(config))
        self._folder, self._era = folder, era

    def ask(self, method: str, *words: str, code: int = 0) -> Any:
        """What the server answered. It ends with that exit code."""
        done = run(
            self._folder,
            "inspector",
            *("--cli", "--config", "mcp.json", "--server", "wfnb", "--format", "json"),
            *("--protocol-era", self._era, "--method", method, *words),
            MCP_INSPECTOR_SECRET_STORE="memory",
        )
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout)["result"]

    def call(self, tool: str, code: int = 0, **given: Any) -> Any:
        words = ("--tool-name", tool, "--tool-args-json", json.dumps(given))
        return self.ask("tools/call", *words, code=code)


@pytest.mark.parametrize("era", ERAS)
def test_it_speaks_with_the_server_that_a_client_starts(tmp_path: Path, era: str):
    inspector = Inspector(tmp_path, era)

    greeting = inspector.ask("initialize")
    step = inspector.call("record_step", title="Load")
    refused = inspector.call("read_step", code=REFUSED, step=9)
    status = inspector.ask("resources/read", "--uri", "wfnb://session/agent/steps")
    words = ("--prompt-name", "investigate", "--prompt-args", "kind=debug", "problem=The tide")
    prompt = inspector.ask("prompts/get", *words)

    assert greeting["protocolVersion"] == ERAS[era]
    assert repr(tmp_path.name) in greeting["instructions"]
    assert (step["structuredContent"]["step_number"], step["isError"]) == (1, False)
    said = "There is no step 9 on 'main'. Steps there: 1."
    assert refused["content"] == [{"type": "text", "text": said}]
    assert [each["number"] for each in json.loads(status["contents"][0]["text"])] == [1]
    assert "The tide" in prompt["messages"][0]["content"]["text"]
    (entry,) = wfnb.open("agent", home_folder=tmp_path / ".wfnb").log.entries()[1:]
    assert entry.event.by.host == "mcp"
    assert "inspector" in entry.event.by.name


def test_no_schema_of_a_tool_is_an_error_to_it(tmp_path: Path):
    inspector = Inspector(tmp_path, "auto", *(f"--{each}" for each in SETS))

    listed = inspector.ask("tools/list", "--strict")["tools"]

    assert {"record_step", "sequentialthinking", "open_terminal", "debug"} <= {
        each["name"] for each in listed
    }
