"""Reading runs code: only what this user kept is read, and what he says that he believes."""

from __future__ import annotations

import os
import shutil
import stat
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from wfnb.core.kept_values import JOIN, KeptGroup, KeptValues
from wfnb.errors import StoreForeign, StoreUnusable
from wfnb.trust import Trust, data_folder, setting
from wfnb.values import Keeper
from wfnb.values.store import Store, name_of

from . import child


class Bomb:
    """Writes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


def pickled_by(user: Path, home: Path, **values: object) -> KeptValues:
    return Keeper(home, user).keep(values)


def test_what_another_user_kept_is_refused_and_runs_nothing(tmp_path: Path):
    kept = pickled_by(tmp_path / "hers", tmp_path, bomb=Bomb(tmp_path / "boom"), harmless=[1])
    keeper = Keeper(tmp_path, tmp_path / "his")

    with pytest.raises(StoreForeign, match=r"bomb, harmless in .*: saved by another user"):
        keeper.restore(kept)
    keeper.plan(kept, namespace={"bomb": 1, "harmless": [1]}, exact=True)

    assert not (tmp_path / "boom").exists()


def test_a_journal_that_names_one_piece_a_hundred_times_takes_the_room_of_one(tmp_path: Path):
    content = bytes(1 << 22)
    store, piece = Store(tmp_path / "values"), name_of([content])
    kept = pickled_by(tmp_path / "hers", tmp_path, x=1)
    store.put(piece, [content])
    group = KeptGroup(blobs=(JOIN.join([piece] * 100),), signature=kept.groups[0].signature)
    hers, his = replace(kept, groups=(group,)), Keeper(tmp_path, tmp_path / "his")

    tracemalloc.start()
    try:
        with pytest.raises(StoreForeign):
            his.restore(hers)
        assert his.trust([hers], dry=True) == 1
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert taken < 10 * len(content)


def test_the_bomb_is_one(tmp_path: Path):
    kept = pickled_by(tmp_path / "hers", tmp_path, bomb=Bomb(tmp_path / "boom"))

    Keeper(tmp_path, tmp_path / "hers").restore(kept)

    assert (tmp_path / "boom").exists()


def test_a_name_of_another_user_among_ones_own_unpickles_nothing(tmp_path: Path):
    hers = pickled_by(tmp_path / "hers", tmp_path, bomb=Bomb(tmp_path / "boom"))
    keeper = Keeper(tmp_path, tmp_path / "his")
    his = keeper.keep({"first": Bomb(tmp_path / "first"), "mine": [1]})
    both = replace(
        his,
        values=(*his.values, replace(hers.values[0], group=len(his.groups))),
        groups=his.groups + hers.groups,
    )

    with pytest.raises(StoreForeign, match=r"^bomb in "):
        keeper.restore(both)

    assert not (tmp_path / "first").exists()
    assert not (tmp_path / "boom").exists()
    assert keeper.restore(both, ["mine"]).values == {"mine": [1]}


def test_trusting_believes_what_is_there_now_and_not_what_comes_later(tmp_path: Path):
    first = pickled_by(tmp_path / "hers", tmp_path, a=[1], b={"k": np.arange(50_000)})
    keeper = Keeper(tmp_path, tmp_path / "his")

    assert keeper.trust([first]) == 2
    assert keeper.trust([first]) == 0
    later = pickled_by(tmp_path / "hers", tmp_path, bomb=Bomb(tmp_path / "boom"))

    assert keeper.restore(first, ["a"]).values == {"a": [1]}
    assert Keeper(tmp_path, tmp_path / "his").restore(first).missing == ()
    with pytest.raises(StoreForeign):
        keeper.restore(later)
    assert not (tmp_path / "boom").exists()


def test_trusted_are_values_and_not_the_files_that_they_share(tmp_path: Path):
    shared = [1]
    kept = pickled_by(tmp_path / "hers", tmp_path, a=shared, b={"k": shared})

    assert len(kept.groups) == 1
    assert Keeper(tmp_path, tmp_path / "his").trust([kept]) == 2


def test_ones_own_values_are_not_counted_as_newly_trusted(tmp_path: Path):
    keeper = Keeper(tmp_path, tmp_path / "own")
    kept = keeper.keep({"a": [1]})

    assert keeper.trust([kept]) == 0


def test_a_signature_copied_beside_another_pickle_is_none(tmp_path: Path):
    keeper = Keeper(tmp_path, tmp_path / "his")
    his = keeper.keep({"a": [1]})
    bomb = pickled_by(tmp_path / "hers", tmp_path, bomb=Bomb(tmp_path / "boom"))
    forged = replace(
        bomb,
        groups=(KeptGroup(blobs=bomb.groups[0].blobs, signature=his.groups[0].signature),),
    )

    with pytest.raises(StoreForeign):
        keeper.restore(forged)
    assert not (tmp_path / "boom").exists()


def test_a_pickle_put_in_the_place_of_ones_own_is_not_read(tmp_path: Path):
    keeper = Keeper(tmp_path, tmp_path / "his")
    kept = keeper.keep({"a": [1]})
    bomb = pickled_by(tmp_path / "hers", tmp_path, bomb=Bomb(tmp_path / "boom"))
    path = tmp_path / "values"
    shutil.copy(path / bomb.groups[0].blobs[0], path / kept.groups[0].blobs[0])

    restored = keeper.restore(kept)

    assert restored.values == {}
    assert not (tmp_path / "boom").exists()


def test_even_bytes_of_the_same_hash_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Anybody can make bytes that have a given xxh3: here the hash is not looked at at all."""
    keeper = Keeper(tmp_path, tmp_path / "his")
    kept = keeper.keep({"a": [1]})
    bomb = pickled_by(tmp_path / "hers", tmp_path, bomb=Bomb(tmp_path / "boom"))
    forged = Store(tmp_path / "values").read(bomb.groups[0].blobs[0])
    monkeypatch.setattr(Store, "read", lambda store, blob: forged)

    with pytest.raises(StoreForeign):
        keeper.restore(kept)
    assert not (tmp_path / "boom").exists()


def test_the_key_is_the_users_alone_and_made_once(tmp_path: Path):
    first = Trust(tmp_path / "own").signature([b"x"])
    key = tmp_path / "own" / "key"

    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert Trust(tmp_path / "own").signature([b"x"]) == first
    assert Trust(tmp_path / "other").signature([b"x"]) != first
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["key"]


def test_a_key_that_was_cut_short_is_made_anew(tmp_path: Path):
    key = tmp_path / "own" / "key"
    key.parent.mkdir()
    key.write_bytes(b"")

    Trust(tmp_path / "own").signature([b"x"])

    assert len(key.read_bytes()) == 32


def test_without_a_place_for_a_key_it_lives_as_long_as_the_process(tmp_path: Path):
    (tmp_path / "file").touch()
    keeper = Keeper(tmp_path, tmp_path / "file" / "own")
    kept = keeper.keep({"a": [1]})

    assert keeper.restore(kept).values == {"a": [1]}
    with pytest.raises(StoreForeign):
        Keeper(tmp_path, tmp_path / "file" / "own").restore(kept)
    with pytest.raises(StoreUnusable, match=f"Set {setting()} to a folder that can be"):
        Keeper(tmp_path, tmp_path / "file" / "own").trust([kept])


def test_without_a_place_for_a_key_the_first_that_keeps_says_so(tmp_path: Path):
    (tmp_path / "file").touch()
    keeper = Keeper(tmp_path, tmp_path / "file" / "own")

    told = [keeper.keep({"a": [1]}).notes for _ in range(2)]

    assert told == [
        (
            "what is kept now can be read by this process alone: "
            f"{tmp_path / 'file' / 'own'} cannot be written (Not a directory). "
            f"Set {setting()} to a folder that can be",
        ),
        (),
    ]


def test_two_processes_that_begin_at_once_have_one_key(tmp_path: Path):
    code = """
        import json, sys
        from pathlib import Path
        from wfnb.trust import Trust

        print("ready", flush=True)
        sys.stdin.readline()
        print(json.dumps(Trust(Path(sys.argv[1])).signature([b"x"])))
        """
    processes = [child.started(code, tmp_path / "own") for _ in range(4)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()

    assert len({child.answer(process) for process in processes}) == 1


def test_the_folder_of_the_key_is_where_the_users_programs_keep_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    assert data_folder() == tmp_path / "wfnb"


def test_a_name_says_nothing_about_who_wrote_it(tmp_path: Path):
    content = b"anything"

    assert not Trust(tmp_path).holds(bytearray(content), name_of([content]))
    assert not Trust(tmp_path).holds(bytearray(content), "é")
