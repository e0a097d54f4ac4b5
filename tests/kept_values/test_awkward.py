"""Awkward values of many libraries: each is kept in one process and restored in another, and gives
there what it gave, or is said not to be kept, before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from . import child
from .awkward import table

KEEP = """
    import json, sys
    from tests.kept_values.awkward import kept

    print(json.dumps(kept(sys.argv[1])))
    """
RESTORE = """
    import json, sys
    from tests.kept_values.awkward import restored

    print(json.dumps(restored(sys.argv[1], json.load(open(sys.argv[2])))))
    """


LOADS = 280  # seconds to load some fifty libraries, on a machine that has other work


@pytest.mark.timeout(600)
def test_they_come_back_as_they_were_or_are_said_not_to_be_kept(tmp_path: Path):
    here = child.answer(child.started(KEEP, tmp_path), LOADS)
    (tmp_path / "kept.json").write_text(json.dumps(here))
    there = child.answer(child.started(RESTORE, tmp_path, tmp_path / "kept.json"), LOADS)

    wrong = {}
    for line, said, now in zip(table(), here, there, strict=True):
        kept, after, before = said or ({}, "", "")  # a library of it is not installed
        why = kept and kept["values"][0]["why_not"]
        if said and bool(why) is line.is_kept:
            wrong[line.code] = why or "it is kept"
        elif said and line.is_kept and not after == before == now:
            wrong[line.code] = f"{before} → {after} → {now}"

    assert wrong == {}
    assert sum(map(bool, here)) >= 279
