"""A disk that is full, or says no: one clear line for what it keeps out, and the rest is kept."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wfnb.core.kept_values import KeptValues
from wfnb.values import Keeper

from . import child


def reasons(kept: KeptValues) -> dict[str, str | None]:
    return {value.name: value.why_not for value in kept.not_kept}


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes, where one may be mounted."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except OSError:
        pytest.skip("there is no mount")
    if done.returncode:
        pytest.skip("nothing can be mounted")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_keeps_out_what_does_not_fit_and_says_so(small: Path, tmp_path: Path):
    keeper = Keeper(small, tmp_path / "own")

    kept = keeper.keep({"large": np.arange(1_000_000), "little": [1, 2, 3]})

    assert reasons(kept) == {"large": "there is no room on the disk for its 8 MB"}
    assert keeper.restore(kept).values == {"little": [1, 2, 3]}
    assert keeper.usage().blobs == 1
    assert keeper.restore(kept).missing[0].why == "there is no room on the disk for its 8 MB"


def test_a_disk_that_is_full_when_half_is_written_leaves_nothing_half(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    keeper = Keeper(small, tmp_path / "own")
    monkeypatch.setattr("wfnb.values.value_writing.Keeping._check_room", lambda keeping, new: None)

    kept = keeper.keep({"large": np.arange(1_000_000), "little": [1, 2, 3]})

    assert list(reasons(kept)) == ["large"]
    assert list((small / "values").glob(".part-*")) == []
    assert keeper.restore(kept, ["little"]).values == {"little": [1, 2, 3]}
    assert keeper.gc(kept.pieces).size < 1_000  # the pickle beside which the array was to be


def test_a_limit_for_files_is_a_full_disk(tmp_path: Path):
    found = child.asked(
        """
        import json, resource, sys
        from pathlib import Path
        from wfnb.values import Keeper

        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        keeper = Keeper(Path(sys.argv[1]), Path(sys.argv[1]) / "own")
        kept = keeper.keep({"large": bytearray(1_000_000), "little": 3})
        left = [path.name for path in (Path(sys.argv[1]) / "values").glob(".part-*")]
        print(json.dumps([kept.not_kept[0].why_not, keeper.restore(kept).values, left]))
        """,
        tmp_path,
    )

    assert found == ["there is no room on the disk for its 1 MB", {"little": 3}, []]


def test_a_folder_that_cannot_be_made_keeps_nothing_and_says_so(tmp_path: Path):
    (tmp_path / "home").write_text("a file where a folder should be")
    keeper = Keeper(tmp_path / "home", tmp_path / "own")

    kept = keeper.keep({"a": 1, "b": [2]})

    assert kept.names == ()
    assert reasons(kept)["a"] == f"{tmp_path}/home/values cannot be written (Not a directory)"
    assert [value.why_not for value in kept.values] == [reasons(kept)["a"]] * 2


def test_nothing_is_written_where_nothing_is_kept(tmp_path: Path):
    keeper = Keeper(tmp_path / "home", tmp_path / "own")

    keeper.usage()
    keeper.gc(tuple)
    keeper.plan(KeptValues(), namespace={})
    keeper.restore(KeptValues())

    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("how", ["missing", "truncated", "corrupt"])
def test_of_a_damaged_store_the_other_values_come_back(tmp_path: Path, how: str):
    keeper = Keeper(tmp_path, tmp_path / "own")
    kept = keeper.keep({"whole": [1], "hurt": np.arange(100_000), "other": {"k": 2}})
    group = kept.get("hurt")
    assert group is not None
    assert group.group is not None
    path = tmp_path / "values" / kept.groups[group.group].blobs[1]
    if how == "missing":
        path.unlink()
    else:
        content = path.read_bytes()
        path.write_bytes(content[:-1] if how == "truncated" else b"\1" + content[1:])

    there = {"whole": [1], "hurt": np.arange(100_000)}
    planned = [keeper.plan(kept, namespace=space).names for space in ({}, {"hurt": 0}, there)]
    restored = keeper.restore(kept)

    for plan in planned if how != "corrupt" else ():  # a look reads no large buffer
        assert [one.why for one in plan if one.way == "cannot"] == [restored.missing[0].why]
    assert restored.values == {"whole": [1], "other": {"k": 2}}
    (hurt,) = restored.missing
    said = {"missing": "is missing", "truncated": "799,999 of its 800,000", "corrupt": "its hash"}
    assert hurt.name == "hurt"
    assert said[how] in hurt.why


@pytest.mark.parametrize("which", [0, 1])
def test_a_folder_in_the_place_of_a_blob_is_named_and_the_others_come_back(
    tmp_path: Path, which: int
):
    keeper = Keeper(tmp_path, tmp_path / "own")
    space = {"hurt": np.arange(100_000), "whole": [1]}
    kept = keeper.keep(space, namespace=space)
    path = tmp_path / "values" / kept.groups[0].blobs[which]
    path.unlink()
    path.mkdir()
    (path / "note").write_text("of a person")
    why = f"{path} cannot be read (not a file). Run the step again to have it back."

    for there in ({}, space):
        plan, back = keeper.go_back(kept, namespace=dict(there))

        assert {one.name: one.why for one in plan.names} == {"hurt": why, "whole": None}
        assert {*back.values, *back.left} == {"whole"}
        assert [(one.name, one.why) for one in back.missing] == [("hurt", why)]

    assert keeper.usage().blobs == 2
    assert keeper.gc(kept.pieces).blobs == 0
    assert keeper.keep(space, namespace=space) == kept
    assert list(keeper.restore(kept).values) == ["hurt", "whole"]
    assert keeper.gc(tuple).blobs == 3
    assert [note.read_text() for note in path.parent.glob("*/note")] == ["of a person"]


def test_a_damaged_pickle_is_told_as_such_and_a_look_at_it_leaves_it_there(tmp_path: Path):
    keeper = Keeper(tmp_path, tmp_path / "own")
    space = {"hurt": [1, 2]}
    kept = keeper.keep(space)
    path = tmp_path / "values" / kept.groups[0].blobs[0]
    content = path.read_bytes()
    path.write_bytes(b"\1" + content[1:])
    space["hurt"] = [3]
    before = sorted(os.listdir(path.parent))

    (planned,) = keeper.plan(kept, namespace=space).names

    assert planned.way == "cannot"
    assert "its hash differs" in str(planned.why)
    assert sorted(os.listdir(path.parent)) == before
    for _ in range(2):
        _, back = keeper.go_back(kept, namespace=space)
        assert [one.why for one in back.missing] == [planned.why]
    assert keeper.plan(kept, namespace=space).names == (planned,)
    assert keeper.restore(keeper.keep({"hurt": [1, 2]})).values == {"hurt": [1, 2]}


def test_a_pickle_that_is_none_is_named(tmp_path: Path):
    keeper = Keeper(tmp_path, tmp_path / "own")
    kept = keeper.keep({"a": [1], "b": [2]})
    path = tmp_path / "values" / kept.groups[0].blobs[0]
    path.write_bytes(path.read_bytes()[:-1] + b"\0")

    assert keeper.restore(kept).values == {"b": [2]}


@pytest.mark.parametrize(
    "kept",
    [
        '{"groups": [{"blobs": [], "signature": ""}],'
        ' "values": [{"name": "a", "type": "", "group": 0}]}',
        '{"values": [{"name": "a", "type": "", "group": 7}]}',
        '{"values": [{"name": "a", "type": "", "group": -1}]}',
        '{"groups": [{"blobs": ["../../x-3"], "signature": "é"}],'
        ' "values": [{"name": "a", "type": "", "group": 0}]}',
    ],
)
def test_a_record_from_elsewhere_that_fits_nothing_is_named(tmp_path: Path, kept: str):
    from pydantic import TypeAdapter  # noqa: PLC0415  (as the journal reads it)

    keeper = Keeper(tmp_path, tmp_path / "own")
    read = TypeAdapter(KeptValues).validate_json(kept)

    restored = keeper.restore(read)
    planned = keeper.plan(read, namespace={"a": 1})

    assert restored.values == {}
    assert [missing.name for missing in restored.missing] == ["a"]
    assert [(one.name, one.way) for one in planned.names] == [("a", "cannot")]
    assert read.size == 0 or read.size == 3
