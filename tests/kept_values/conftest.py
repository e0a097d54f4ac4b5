"""A keeper for a test: its store is in a folder of its own, and all that is in it is trusted."""

from pathlib import Path

import pytest

from wfnb.values import Keeper


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path, tmp_path / "own")
