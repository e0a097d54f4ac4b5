"""A runner in a folder of its own, and tools that are forgotten after the test."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from wfnb.process_identity import process
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import REGISTRY, tool

from .clusters import address, cluster, machines, meeting, mortal  # noqa: F401  (fixtures)
from .place import runner_in
from .secret import passed  # noqa: F401  (a fixture)


@pytest.fixture(autouse=True)
def _own_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(REGISTRY, "_registered", dict(REGISTRY._registered))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def runner(home: Path) -> Iterator[Runner]:
    runner = runner_in(home)
    yield runner
    left = runner.running()
    assert left is None, left


@pytest.fixture
def gone() -> str:
    """A process of this machine that has ended."""
    child = subprocess.Popen(["true"])
    child.wait()
    return f"{process().partition(' ')[0]} {child.pid} 0123abcd"


@pytest.fixture
def noted() -> list[Any]:
    """What the tool `note` was called with; it fails for "bad"."""
    given: list[Any] = []

    @tool
    def note(what: Any) -> Any:
        given.append(what)
        if what == "bad":
            raise ValueError("bad")
        return what

    return given
