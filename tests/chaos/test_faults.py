"""The disk fails at the n-th write, sync or read: one sentence says so, and nothing is lost."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT

C = Path(__file__).with_name("faulty.c")
WRITES, SYNCS, READS = 1, 2, 4
NTH = {WRITES: range(1, 31), SYNCS: range(1, 6), READS: range(1, 16)}
ERRORS = {
    WRITES: {errno.EIO: {"JournalFaulty"}, errno.ENOSPC: {"JournalFull", "JournalFaulty"}},
    SYNCS: {errno.EIO: {"JournalFaulty"}},
    READS: {errno.EIO: {"JournalFaulty"}},
}
"""What is said of each. A full disk is told by what is free, where SQLite does not say; here it is
not full."""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("kind", ERRORS, ids=["writes", "syncs", "reads"])
def test_a_disk_that_fails_is_told_and_loses_nothing(tmp_path: Path, kind: int):
    library = tmp_path / "faulty.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, C, "-ldl"], check=True)
    faults = [
        (kind, nth, error, stays) for error in ERRORS[kind] for nth in NTH[kind] for stays in (0, 1)
    ]

    done = subprocess.run(
        [sys.executable, "-m", "tests.chaos.faulty", tmp_path, json.dumps(faults)],
        env={**os.environ, "LD_PRELOAD": str(library)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    wrong = []
    for fault, line in zip(faults, done.stdout.splitlines(), strict=True):
        found = json.loads(line)
        said = {name for name, _ in found["said"]} - ERRORS[kind][fault[2]]
        several = [text for _, text in found["said"] if "\n" in text]
        lost = ({"a", "b", "c", "other"} & {*found["done"]} | {"before"}) - {*found["steps"]}
        not_run = "run" in found["done"] and found["runs"] != ["success"]
        unsaid = found["saved"] != found["runs"].count("success")
        if said or several or lost or not_run or unsaid or found["whole"] != "ok":
            wrong.append((fault, found))
    assert wrong == []
