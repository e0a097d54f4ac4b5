"""A session that keeps values, of a user who has a key of his own."""

from pathlib import Path

import pytest

import wfnb
from wfnb.workspace import Workspace


@pytest.fixture(autouse=True)
def _his_own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return wfnb.home(tmp_path / "home").open("demo")
