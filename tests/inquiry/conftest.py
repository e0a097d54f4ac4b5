"""A server for a test, its key in the environment, and nobody registered who was not before."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import wfnb
from tests.inquiry.server import KEY, Server, serving
from wfnb.inquiry.advisers import ADVISERS
from wfnb.workspace import Workspace


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("TEST_KEY", KEY)
    with serving() as server:
        yield server


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ADVISERS, "_registered", {})
    monkeypatch.setattr(ADVISERS, "_installed", {})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / ".wfnb"


@pytest.fixture
def ws(home: Path) -> Workspace:
    """A session that investigates nothing yet."""
    return wfnb.open("tides", home_folder=home)
