"""Whatever is given to a runner: a sentence that refuses it, and nothing called or recorded."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import WfnbError
from wfnb.workflows.definition.models import StatesWorkflow, StepsWorkflow, Workflow
from wfnb.workflows.library.definition_file import read_definition
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import steps

MEGABYTE = 1_000_000


@pytest.fixture
def called() -> list[int]:
    """How often the tool `count` was called."""
    times: list[int] = []

    @tool
    def count(text: str = "") -> None:
        times.append(1)

    return times


def nested_lists(depth: int) -> Any:
    data: Any = []
    for _ in range(depth):
        data = [data]
    return data


def itself() -> dict[str, Any]:
    data: dict[str, Any] = {"name": "x", "steps": [{"tool": "count"}]}
    data["steps"][0]["args"] = data
    return data


class Liar(dict[str, Any]):
    """A mapping that cannot be looked at."""

    def items(self) -> Any:
        raise RuntimeError("not today")


ONE = {"tool": "count"}
DEFINITIONS: dict[str, Callable[[], Any]] = {
    "nothing": lambda: None,
    "bytes": lambda: b"\x00\xff",
    "a number": lambda: math.nan,
    "a list": list,
    "an object": object,
    "no name": str,
    "a name with NUL": lambda: "a\0b",
    "a name that goes up": lambda: "../../etc/passwd",
    "a name that is a path": lambda: "/etc/passwd",
    "a name that is half a character": lambda: "\ud800",
    "a long name": lambda: "x" * MEGABYTE,
    "an empty mapping": dict,
    "both forms": lambda: {"steps": [ONE], "states": {}},
    "a path for a name": lambda: {"name": "../x", "steps": [ONE]},
    "a device for a name": lambda: {"name": "..", "steps": [ONE]},
    "a name with a line break": lambda: {"name": "x\n", "steps": [ONE]},
    "keys that are no text": lambda: {1: 2, "steps": [ONE]},
    "deep": lambda: {"steps": [{**ONE, "args": {"text": nested_lists(1000)}}]},
    "very deep": lambda: {"steps": [{**ONE, "args": {"text": nested_lists(100_000)}}]},
    "itself within itself": itself,
    "ten megabytes": lambda: {"steps": [{**ONE, "args": {"text": "x" * 10 * MEGABYTE}}]},
    "a million steps": lambda: {"steps": [ONE] * MEGABYTE},
    "half a character": lambda: {"steps": [{**ONE, "args": {"text": "\ud800"}}]},
    "no number": lambda: {"steps": [{**ONE, "timeout": math.nan}]},
    "an endless number": lambda: {"steps": [ONE], "timeout": math.inf},
    "a large number": lambda: {"steps": [ONE], "max_states": 10**400},
    "a set": lambda: {"steps": [{**ONE, "args": {"text": {1, 2}}}]},
    "a function": lambda: {"steps": [{**ONE, "args": {"text": print}}]},
    "a bad expression": lambda: {"steps": [{**ONE, "capture": "(?P<a>["}]},
    "an expression without end": lambda: {"steps": [{**ONE, "capture": "(?P<a>(x{9999}){9999})"}]},
    "an expression that calls itself": lambda: {"steps": [{**ONE, "capture": "(?P<a>(?R))"}]},
    "a needs circle": lambda: {"steps": [{**ONE, "id": "a", "needs": ["a"]}]},
    "a tool of the system": lambda: {"steps": [{"tool": "os.system", "args": {"text": "x"}}]},
    "a parameter that is not there": lambda: {"steps": [{**ONE, "args": {"__class__": "x"}}]},
    "a placeholder that goes deep": lambda: {
        "steps": [{**ONE, "args": {"text": "{a.__class__.__init__.__globals__}"}}]
    },
    "a workflow of neither form": lambda: Workflow(name="x"),
    "steps that nothing checked": lambda: StepsWorkflow.model_construct(name="x", steps=()),
    "states that nothing checked": lambda: StatesWorkflow.model_construct(
        name="x", initial_state="zz", states={}
    ),
}


@pytest.mark.parametrize("what", DEFINITIONS)
def test_no_definition_does_harm(runner: Runner, home: Path, called: list[int], what: str):
    with pytest.raises(WfnbError) as refused:
        runner.start(DEFINITIONS[what]())

    assert str(refused.value)
    assert len(str(refused.value)) < 20_000
    assert (called, runner.runs(), runner.running()) == ([], [], None)
    assert not list(home.parent.glob("*.json"))


OPTIONS: dict[str, dict[str, Any]] = {
    "variables that are none": {"variables": [1]},
    "a variable that is no name": {"variables": {"a b": 1}},
    "a variable that is a number": {"variables": {1: 1}},
    "a variable that is no JSON": {"variables": {"a": object()}},
    "a variable of bytes": {"variables": {"a": b"x"}},
    "a variable that is no number": {"variables": {"a": math.nan}},
    "a variable with NUL": {"variables": {"a": "\0"}},
    "a deep variable": {"variables": {"a": nested_lists(5000)}},
    "half a character": {"variables": {"a": "\ud800"}},
    "a secret that is no name": {"secrets": {"": "x"}},
    "a secret that is no text": {"secrets": {"a": 5}},
    "an empty secret": {"secrets": {"a": ""}},
    "no time": {"timeout": 0},
    "time that is none": {"timeout": math.nan},
    "too much time": {"timeout": 7201},
    "text for time": {"timeout": "soon"},
    "half a state": {"max_states": 2.5},
    "no states": {"max_states": 0},
    "truth for states": {"max_states": True},
}


@pytest.mark.parametrize("what", OPTIONS)
def test_no_option_does_harm(runner: Runner, called: list[int], what: str):
    with pytest.raises(WfnbError):
        runner.start(steps(ONE), **OPTIONS[what])

    assert (called, runner.runs()) == ([], [])


def test_an_alias_bomb_is_refused(runner: Runner, called: list[int]):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    text = "\n".join([*lines, "steps:", "- tool: count", "  args: {text: *a11}"])

    with pytest.raises(WfnbError):
        runner.start(read_definition(text))

    assert (called, runner.runs()) == ([], [])


@settings(max_examples=times(25, 150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.binary(max_size=200) | st.text(max_size=200))
def test_random_text_is_refused_or_runs(runner: Runner, called: list[int], text: str | bytes):
    with pytest.raises(WfnbError):
        runner.start(text)
    with pytest.raises(WfnbError):
        runner.start(read_definition(text) if isinstance(text, str) else text)

    assert called == []
