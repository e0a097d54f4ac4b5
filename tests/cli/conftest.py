"""A folder in which commands are typed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .command import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """What still waits at a gate in the end, because its command was killed, goes on."""
    yield Desk(tmp_path)
    for gate in filter(Path.is_fifo, tmp_path.iterdir()):
        os.close(os.open(gate, os.O_RDWR | os.O_NONBLOCK))
