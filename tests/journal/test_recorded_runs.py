"""Runs recorded by earlier versions read, and are, as they always were."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from wfnb.journal import Codec, SqliteJournal
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.events import RUN_KINDS, RunRecorded

from .recording import run_as_told

RECORDED = sorted(Path(__file__).parent.glob("runs*.db"))


def lines(file: Path, ending: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.with_suffix(ending).read_text("utf-8").splitlines()]


def as_line(entry: RunRecorded) -> dict[str, object]:
    ((_, _, name, version, body, at),), _ = Codec().write_run([entry.event], 0, entry.at or 0.0)
    return {
        "position": entry.position,
        "first": entry.first,
        "type": name,
        "version": version,
        "body": json.loads(body),
        "at": at,
    }


def read(file: Path, folder: Path) -> list[RunRecorded]:
    copy = Path(shutil.copy(file, folder))
    with closing(SqliteJournal(copy)) as journal:
        (info,) = journal.runs()
        found = journal.read_run(info.id)
    assert copy.read_bytes() == file.read_bytes()
    return found


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.name)
def test_a_recorded_run_reads_as_it_always_did(file: Path, tmp_path: Path):
    assert [as_line(entry) for entry in read(file, tmp_path)] == lines(file, ".jsonl")


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.name)
def test_every_part_of_a_recorded_run_replays_to_what_it_always_was(file: Path, tmp_path: Path):
    entries = read(file, tmp_path)

    told = [run_as_told(replay(entries[: index + 1])) for index in range(len(entries))]

    assert told == lines(file, ".told.jsonl")


def test_every_kind_of_a_runs_events_was_recorded():
    types = {line["type"] for file in RECORDED for line in lines(file, ".jsonl")}

    assert types == set(RUN_KINDS)
