"""A runner in a folder of its own, and tools that are forgotten after the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wfnb.runner.runner import Runner
from wfnb.tools.registry import REGISTRY

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
