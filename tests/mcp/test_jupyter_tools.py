"""Jupyter's own MCP server finds the tools as functions, and makes tools of them."""

import asyncio
import inspect
import tomllib
from collections.abc import Iterator
from functools import wraps
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.server import MCPServer

import wfnb
from tests.cli.command import ROOT
from tests.mcp.test_mcp_tools import NAMES
from wfnb.core.events import Author
from wfnb.hints import spelling, use_spelling
from wfnb.mcp import jupyter_tools

GROUP = "jupyter_server_mcp.tools"


@pytest.fixture
def beside_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The process of a Jupyter server, which spells hints in its own way."""
    monkeypatch.setenv("WFNB_HOME", str(tmp_path))
    use_spelling()
    jupyter_tools._around.cache_clear()
    yield tmp_path
    jupyter_tools._around.cache_clear()


def functions() -> dict[str, Any]:
    """As that server finds them: by the group of entry points, and `module:function`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    ((name, value),) = project["entry-points"][GROUP].items()
    specs = EntryPoint(name=name, value=value, group=GROUP).load()()
    assert isinstance(specs, list)
    pairs = [each.rsplit(":", 1) for each in specs]
    return {name: getattr(import_module(module), name) for module, name in pairs}


def converted(function: Any) -> Any:
    """As that server wraps each: annotations on a wrapper."""

    @wraps(function)
    def wrapper(*given: Any, **words: Any) -> Any:
        return function(*given, **words)

    wrapper.__annotations__ = dict(function.__annotations__)
    return wrapper


def served() -> MCPServer:
    server = MCPServer("jupyter")
    for each in functions().values():
        server.add_tool(converted(each))
    return server


def test_each_is_a_function_with_a_docstring_and_a_type_for_all_it_takes():
    found = functions()

    assert list(found) == [name for name in NAMES if name != "run_workflow"]
    for name, each in found.items():
        taken = inspect.signature(each).parameters.values()
        assert each.__name__ == name
        assert each.__doc__
        assert all(one.kind is one.KEYWORD_ONLY for one in taken)
        assert all(not isinstance(one.annotation, str) for one in taken)
        assert set(each.__annotations__) == {*(one.name for one in taken), "return"}


def test_a_server_makes_tools_of_them_and_what_they_record_is_kept(beside_a_notebook: Path):
    async def scenario() -> Any:
        async with Client(served()) as client:
            listed = await client.list_tools()
            done = await client.call_tool("record_step", {"title": "Load", "values": {"n": 3}})
            wrong = await client.call_tool("read_step", {"step": 9})
            return listed.tools, done, wrong

    listed, done, wrong = asyncio.run(scenario())

    (record,) = [each for each in listed if each.name == "record_step"]
    assert record.input_schema["required"] == ["title"]
    assert (done.is_error, done.structured_content["step_number"]) == (False, 1)
    assert done.structured_content["next"] == ["`record_step()` records the next step"]
    assert wrong.is_error
    ws = wfnb.open("agent", home_folder=beside_a_notebook)
    assert {each.event.by for each in ws.log.entries()} == {
        Author(host="mcp", name="jupyter", may=())
    }


def test_what_is_refused_is_raised_in_the_words_of_the_tools(beside_a_notebook: Path):
    found = functions()
    found["record_step"](title="Load")

    with pytest.raises(RuntimeError, match="There is no step 9 on 'main'"):
        found["read_step"](step=9)
    with pytest.raises(RuntimeError, match="No session is called 'tides'"):
        found["read_step"](step=1, session="tides")


def test_the_host_beside_them_spells_as_before(beside_a_notebook: Path):
    before = spelling()

    functions()["record_step"](title="Load")

    assert spelling() is before
