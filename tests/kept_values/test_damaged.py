"""What would happen is said as it will, also where a file of the store is damaged."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wfnb.values import Keeper, readable_pickles

AGAIN = "Run the step again to have it back."


def removed(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 5)


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-20] ^= 1
    path.write_bytes(content)


def made_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "is missing": (removed, "is missing"),
    "is shorter": (cut, "bytes"),
    "has other content": (flipped, "its hash differs"),
    "is a folder": (made_a_folder, "cannot be read (not a file)"),
}


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_value_whose_file_is_damaged_would_not_come_back(tmp_path: Path, damage: str, which: int):
    keeper = Keeper(tmp_path, tmp_path / "own")
    space: dict[str, Any] = {"array": np.arange(40_000.0), "n": [1]}
    kept = keeper.keep(space)
    space["array"][0] = 7
    change, says = DAMAGE[damage]
    change(tmp_path / "values" / kept.groups[0].blobs[which])

    planned = keeper.plan(kept, namespace=space)
    _, back = keeper.go_back(kept, namespace=space)

    assert [(one.name, one.way) for one in planned.names] == [("array", "cannot"), ("n", "same")]
    assert back.missing[0].why == planned.names[0].why
    assert says in back.missing[0].why
    assert back.missing[0].why.endswith(AGAIN)


def test_a_file_that_is_large_is_not_read_to_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    keeper = Keeper(tmp_path, tmp_path / "own")
    space: dict[str, Any] = {"array": np.arange(40_000.0)}
    kept = keeper.keep(space)
    space["array"][0] = 7
    flipped(tmp_path / "values" / kept.groups[0].blobs[1])
    monkeypatch.setattr(readable_pickles, "LOOKED", 100_000)

    planned = keeper.plan(kept, namespace=space)

    assert [one.way for one in planned.names] == ["replaces"]
