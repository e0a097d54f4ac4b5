"""A file is read into memory of large pages, or of small ones where those are slow to get."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wfnb.keep import room
from wfnb.keep.room import LARGE, content


@pytest.mark.parametrize("patience", [60.0, -60.0])
@pytest.mark.parametrize("more", [0, 10, LARGE])
def test_what_is_read_is_what_the_file_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patience: float, more: int
):
    path = tmp_path / "file"
    path.write_bytes(os.urandom(LARGE + more))
    monkeypatch.setattr(room, "_PATIENCE", patience)

    with path.open("rb") as file:
        found, size = content(file.fileno(), LARGE + more)

    assert size == LARGE + more
    assert bytes(found) == path.read_bytes()


def test_a_file_that_is_shorter_is_read_as_far_as_it_goes(tmp_path: Path):
    path = tmp_path / "file"
    path.write_bytes(b"x" * (LARGE + 10))

    with path.open("rb") as file:
        found, size = content(file.fileno(), 2 * LARGE)

    assert (len(found), size) == (2 * LARGE, LARGE + 10)
