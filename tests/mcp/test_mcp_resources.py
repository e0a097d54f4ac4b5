"""What an agent reads by its address, and what a person may choose to say."""

import json
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

import wfnb
from tests.mcp.agent import at, talk
from wfnb.mcp.prompts import PROMPTS


def history(folder: Path) -> Path:
    ws = wfnb.open("low & high tides", home_folder=folder)
    ws.step("Load")
    ws.step("Ridge", branch="ridge", branch_from=1)
    return folder


async def all_of(client: Client) -> dict[str, tuple[str, str]]:
    listed = (await client.list_resources()).resources
    read = [(await client.read_resource(each.uri)).contents[0] for each in listed]
    return {str(each.uri): (each.text, each.mime_type) for each in read}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_session_in_use_can_be_read_part_by_part(tmp_path: Path, mode: str):
    found = talk(at(history(tmp_path)), all_of, mode)

    begin = "wfnb://session/low%20%26%20high%20tides"
    assert list(found) == [
        "wfnb://sessions",
        "wfnb://schema/workflow",
        *(f"{begin}/{part}" for part in ("status", "steps", "graph", "report", "runs")),
    ]
    status, steps, graph, report, runs = (
        found[f"{begin}/{part}"] for part in (*("status", "steps", "graph", "report", "runs"),)
    )
    assert json.loads(status[0])["step_history_length"] == 2
    assert [each["description"] for each in json.loads(steps[0])] == ["Load", "Ridge"]
    assert graph[1] == "text/vnd.mermaid"
    assert "Ridge" in graph[0]
    assert "Load" in report[0]
    assert json.loads(runs[0]) == []
    assert json.loads(found["wfnb://schema/workflow"][0])["$schema"]


def test_a_run_is_read_by_its_name(tmp_path: Path):
    ws = wfnb.open("tides", home_folder=tmp_path)
    ws.run({"name": "greet", "steps": [{"id": "a", "tool": "sleep", "args": {"seconds": 0}}]})

    read = talk(at(tmp_path), lambda client: client.read_resource("wfnb://run/greet-1"))

    assert "greet-1" in read.contents[0].text


def test_an_address_that_is_none_names_those_there_are(tmp_path: Path):
    with pytest.raises(BaseExceptionGroup) as refused:
        talk(at(history(tmp_path)), lambda client: client.read_resource("wfnb://step/3"))

    (said,) = leaves(refused.value)
    assert "wfnb://session/{name}/graph" in str(said)


def test_prompts_have_the_words_of_the_person(tmp_path: Path):
    async def scenario(client: Client):
        names = [each.name for each in (await client.list_prompts()).prompts]
        filled = await client.get_prompt("investigate", {"kind": "debug", "problem": "{it} fails"})
        return names, filled.messages[0].content.text

    names, words = talk(at(tmp_path), scenario)

    assert names == [each.name for each in PROMPTS]
    assert "(kind: debug)" in words
    assert "{it} fails" in words


def test_a_prompt_without_its_words_is_refused(tmp_path: Path):
    with pytest.raises(BaseExceptionGroup) as refused:
        talk(at(tmp_path), lambda client: client.get_prompt("compare", {}))

    (said,) = leaves(refused.value)
    assert "problem" in str(said)


def leaves(group: BaseExceptionGroup) -> list[BaseException]:
    found: list[BaseException] = []
    for each in group.exceptions:
        found += leaves(each) if isinstance(each, BaseExceptionGroup) else [each]
    assert all(isinstance(each, MCPError) for each in found)
    return found
