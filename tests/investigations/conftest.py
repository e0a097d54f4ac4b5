"""A server for a test, its key in the environment, a session beside a project to look at, and
nobody registered who was not before."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import wfnb
from tests.inspection.repositories import repository, written
from tests.investigations.server import KEY, Server, serving
from wfnb.home_folder import Home
from wfnb.investigations.advisers.adviser import ADVISERS
from wfnb.workspace import Workspace

A = '"""Words."""\n\ndef main():\n    read()\n\ndef read(): ...\n'
"""A Python file of six lines."""


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


@pytest.fixture
def here(tmp_path: Path) -> Workspace:
    """A session whose folder is a repository with two files, and a third that is new."""
    workspace = Home(tmp_path / ".wfnb").start("s")
    workspace.log.folder = tmp_path / "project"
    written(repository(workspace.log.folder, a=A, pkg__b="x = 1\n"), new="")
    return workspace
