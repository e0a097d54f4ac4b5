"""A file is read into memory of large pages, or of small ones where those are slow to get."""

from __future__ import annotations

import os
from pathlib import Path
from threading import current_thread
from time import sleep

import pytest

from wfnb.values import fast_read
from wfnb.values.fast_read import LARGE, content


@pytest.mark.parametrize("slow", [60.0, -60.0])
@pytest.mark.parametrize("more", [0, 10, LARGE])
def test_what_is_read_is_what_the_file_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: float, more: int
):
    path = tmp_path / "file"
    path.write_bytes(os.urandom(LARGE + more))
    monkeypatch.setattr(fast_read, "_SLOW", slow)

    with path.open("rb") as file:
        found, size = content(file.fileno(), LARGE + more)

    assert size == LARGE + more
    assert bytes(found) == path.read_bytes()


@pytest.mark.parametrize("there", [0, 10, LARGE, LARGE + 10])
def test_a_file_that_is_shorter_is_read_as_far_as_it_goes(tmp_path: Path, there: int):
    path = tmp_path / "file"
    path.write_bytes(b"x" * there)

    with path.open("rb") as file:
        found, size = content(file.fileno(), 2 * LARGE)

    assert (len(found), size) == (2 * LARGE, there)
    assert bytes(found[:there]) == b"x" * there


def test_where_one_half_cannot_be_read_the_other_is_not_waited_for_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """An interrupt comes to the thread that asked."""
    path = tmp_path / "file"
    path.write_bytes(b"x" * 64 * LARGE)
    asked, read = current_thread(), os.preadv
    of_the_other: list[int] = []

    def interrupted(file: int, views: list[memoryview], at: int) -> int:
        if current_thread() is asked:
            raise KeyboardInterrupt
        of_the_other.append(at)
        sleep(0.01)
        return read(file, views, at)

    monkeypatch.setattr(os, "preadv", interrupted)

    with path.open("rb") as file, pytest.raises(KeyboardInterrupt):
        content(file.fileno(), 64 * LARGE)

    assert len(of_the_other) < 32 * LARGE / (1 << 20)
