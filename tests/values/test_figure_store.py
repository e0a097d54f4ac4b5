"""Figures on disk: once each, for their owner, and the oldest make room."""

import os
from pathlib import Path

from wfnb.values.figure_store import FigureStore


def test_a_figure_is_kept_once_and_read_as_it_was(tmp_path: Path):
    store = FigureStore(tmp_path / "figures")

    name = store.put(b"picture")

    assert name is not None
    assert store.put(b"picture") == name
    assert store.read(name) == b"picture"
    assert (tmp_path / "figures").stat().st_mode & 0o077 == 0
    assert (tmp_path / "figures" / ".gitignore").read_text() == "*\n"


def test_one_that_is_not_there_or_was_changed_is_not_read(tmp_path: Path):
    store = FigureStore(tmp_path / "figures")
    name = store.put(b"picture")
    assert name is not None

    (tmp_path / "figures" / name).write_bytes(b"another")

    assert FigureStore(tmp_path / "figures").read(name) is None
    assert store.read("../figures") is None


def test_the_oldest_make_room(tmp_path: Path):
    store = FigureStore(tmp_path / "figures", room=1_000)
    names = [store.put(bytes([n]) * 200) for n in range(5)]
    for age, name in enumerate(names):
        os.utime(tmp_path / "figures" / str(name), (age, age))

    last = store.put(b"new" * 100)

    there = [name for name in (*names, last) if store.read(str(name)) is not None]
    assert there == [*names[3:], last]


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path):
    (tmp_path / "figures").write_text("a file")

    assert FigureStore(tmp_path / "figures").put(b"picture") is None
