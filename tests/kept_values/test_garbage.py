"""Collecting garbage never takes what a step refers to, whoever keeps meanwhile."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from wfnb.core.kept_values import KeptValues
from wfnb.errors import StoreBusy
from wfnb.values import Keeper, Usage, keeper

from . import child


def test_what_no_step_refers_to_goes_and_the_rest_stays(tmp_path: Path):
    keep = Keeper(tmp_path, tmp_path / "own")
    live = keep.keep({"a": np.arange(50_000), "b": "shared"})
    dead = keep.keep({"a": np.arange(60_000), "b": "shared"})
    gone = set(dead.pieces()) - set(live.pieces())
    (tmp_path / "values" / ".part-7-killed").write_bytes(b"half")
    (tmp_path / "values" / f"{'0' * 32}-4.corrupt").write_bytes(b"hurt")
    (tmp_path / "values" / "notes.txt").write_text("not of the store")

    freed = keep.gc(live.pieces)

    assert freed == Usage(blobs=2, size=sum(int(blob.split("-")[1]) for blob in gone))
    assert keep.usage() == Usage(blobs=len(set(live.pieces())), size=live.size)
    assert {path.name for path in (tmp_path / "values").iterdir()} == {
        *live.pieces(),
        ".gitignore",
        ".lock",
        "notes.txt",
    }
    assert keep.restore(live).missing == ()


def test_where_the_journal_cannot_be_read_nothing_goes(tmp_path: Path):
    keep = Keeper(tmp_path, tmp_path / "own")
    keep.keep({"a": [1]})

    def unreadable() -> list[str]:
        raise RuntimeError("no journal")

    with pytest.raises(RuntimeError, match="no journal"):
        keep.gc(unreadable)
    assert keep.usage().blobs == 1


def test_nobody_collects_between_keeping_and_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(keeper, "LOCK_TIMEOUT", 0.0)
    keep = Keeper(tmp_path, tmp_path / "own")
    recorded: list[KeptValues] = []

    with keep.hold_store():
        kept = keep.keep({"a": [1]})
        with pytest.raises(StoreBusy):
            Keeper(tmp_path, tmp_path / "own").gc(tuple)
        recorded.append(kept)

    keep.gc(lambda: [blob for one in recorded for blob in one.pieces()])
    assert keep.restore(kept).values == {"a": [1]}


def test_who_keeps_waits_for_who_collects(tmp_path: Path):
    keep = Keeper(tmp_path, tmp_path / "own")
    old = keep.keep({"a": [1]})
    asked, go_on = Event(), Event()

    def live() -> list[str]:
        asked.set()
        assert go_on.wait(child.PATIENCE)
        return []

    collecting = Thread(target=keep.gc, args=[live])
    collecting.start()
    assert asked.wait(child.PATIENCE)
    kept: list[KeptValues] = []
    again = Thread(target=lambda: kept.append(Keeper(tmp_path, tmp_path / "own").keep({"a": [1]})))
    again.start()
    go_on.set()
    collecting.join(child.PATIENCE)
    again.join(child.PATIENCE)

    assert kept == [old]
    assert keep.restore(kept[0]).values == {"a": [1]}


def test_one_that_waits_too_long_keeps_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(keeper, "LOCK_TIMEOUT", 0.0)
    keep = Keeper(tmp_path, tmp_path / "own")
    keep.keep({"a": [1]})
    said: list[KeptValues] = []

    keep.gc(lambda: said.append(Keeper(tmp_path, tmp_path / "own").keep({"b": 2})) or ())  # type: ignore[func-returns-value]

    assert [value.why_not for value in said[0].values] == [
        "another process has been removing values from the store all the time"
    ]


def test_two_processes_keep_and_collect_at_once_and_nothing_live_is_lost(tmp_path: Path):
    """Each writes down what it kept before it lets go of the store, as a journal would be; now and
    then it forgets some and collects what nobody's list has."""
    code = """
        import json, random, sys
        from pathlib import Path
        import numpy as np
        from wfnb.values import Keeper

        home, me, chance = Path(sys.argv[1]), sys.argv[2], random.Random(sys.argv[2])
        keeper, mine = Keeper(home, home / "own"), []
        lists = home / "lists"

        def record():
            part = lists / f".{me}"
            part.write_text(json.dumps([list(kept.pieces()) for _, kept in mine]))
            part.replace(lists / me)

        def live():
            found = [json.loads(path.read_text()) for path in lists.glob("p*")]
            return [blob for kept in found for blobs in kept for blob in blobs]

        wrong = 0
        for turn in range(120):
            number = chance.randrange(12)  # the same few values in both: they share blobs
            with keeper.hold_store():
                value = {"n": number, "array": np.full(40_000, number)}
                mine.append((number, keeper.keep({"value": value})))
                record()
            if turn % 5 == 0:
                mine = mine[-3:]
                record()
                keeper.gc(live)
            for number, kept in mine:
                back = keeper.restore(kept)
                wrong += bool(back.missing) or not (back.values["value"]["array"] == number).all()
        print(json.dumps(wrong))
        """
    (tmp_path / "lists").mkdir()

    processes = [child.started(code, tmp_path, f"p{number}") for number in range(2)]

    assert [child.answer(process) for process in processes] == [0, 0]
    lists = [json.loads(path.read_text()) for path in (tmp_path / "lists").glob("p*")]
    live = {blob for kept in lists for blobs in kept for blob in blobs}
    assert live <= {path.name for path in (tmp_path / "values").iterdir()}
