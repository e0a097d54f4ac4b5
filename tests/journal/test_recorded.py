"""Journals recorded by earlier versions read as they always did."""

import json
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from wfnb.core.events import Recorded
from wfnb.core.extension import event_kinds
from wfnb.core.replay import replay
from wfnb.journal import Codec, SessionInfo, SqliteJournal
from wfnb.views.staleness import reason

from .recording import as_told

FOLDER = Path(__file__).parent
RECORDED = sorted({*FOLDER.glob("*.db")} - {*FOLDER.glob("runs*.db")})


def expected(file: Path) -> list[dict[str, object]]:
    lines = file.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def as_line(entry: Recorded) -> dict[str, object]:
    """An event as this version would write it, beside its place and time."""
    ((_, _, name, version, body, at),), _ = Codec().write([entry.event], 0, entry.at or 0.0)
    return {
        "position": entry.position,
        "first": entry.first,
        "type": name,
        "version": version,
        "body": json.loads(body),
        "at": at,
    }


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.name)
def test_a_recorded_journal_reads_as_it_always_did(file: Path, tmp_path: Path):
    copy = Path(shutil.copy(file, tmp_path))
    with closing(SqliteJournal(copy)) as journal:
        read = journal.read(1)

    assert [as_line(entry) for entry in read] == expected(file)
    assert copy.read_bytes() == file.read_bytes()


def test_a_recorded_journal_can_be_continued(tmp_path: Path):
    copy = shutil.copy(FOLDER / "v1.db", tmp_path)
    with closing(SqliteJournal(copy, clock=lambda: 1_800_000_000.0)) as journal:
        (before,) = journal.sessions()
        journal.append(before.id, [], after=before.events)
        archived = journal.archive(before.id)

        assert archived == "churn~1"
        assert [replace(info, uid=None) for info in journal.sessions()] == [
            SessionInfo(
                id=1,
                name="churn~1",
                archived=True,
                events=before.events,
                started=1_700_000_000.0,
                changed=before.changed,
            )
        ]


def test_every_kind_of_event_was_recorded():
    types = {line["type"] for file in RECORDED for line in expected(file)}

    assert types == set(event_kinds())


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.name)
def test_every_part_of_a_recorded_journal_replays_to_what_it_always_was(file: Path, tmp_path: Path):
    copy = Path(shutil.copy(file, tmp_path))
    with closing(SqliteJournal(copy)) as journal:
        read = journal.read(1)

    told = [as_told(replay(read[: index + 1])) for index in range(len(read))]

    was = file.with_suffix(".sessions.jsonl").read_text("utf-8").splitlines()
    assert told == [json.loads(line) for line in was]


def test_steps_of_a_time_when_nobody_observed_code_say_so(tmp_path: Path):
    copy = Path(shutil.copy(FOLDER / "values1.db", tmp_path))
    with closing(SqliteJournal(copy)) as journal:
        session = replay(journal.read(1)[:8])

    assert [(step.number, reason(session, step)) for step in session.steps.values()] == [
        (1, "what it read is not known"),
        (2, "what it read is not known"),
    ]


def test_what_steps_kept_replays_to_what_it_always_was(tmp_path: Path):
    copy = Path(shutil.copy(FOLDER / "values1.db", tmp_path))
    with closing(SqliteJournal(copy)) as journal:
        read = journal.read(1)

    told = [
        {key: (step.kept.names, step.kept_in) for key, step in session.steps.items() if step.kept}
        for session in (replay(read[:end]) for end in (4, 8, 13, 14, 15, 16, 17, 19))
    ]

    shared, model = (("df", "same"), 1), (("model",), 1)
    assert told == [
        {2: shared},
        {2: shared, 6: model},
        {2: shared, 6: model, 12: shared},
        {2: shared, 6: model, 12: model},
        {2: shared, 6: model, 12: shared},
        {2: shared, 6: model, 12: model},
        {2: shared, 6: model, 12: model},
        {2: shared, 6: model},
    ]


def test_what_was_hidden_described_and_tagged_replays_to_what_it_always_was(tmp_path: Path):
    copy = Path(shutil.copy(FOLDER / "cells1.db", tmp_path))
    with closing(SqliteJournal(copy)) as journal:
        read = journal.read(1)

    told = []
    for end in (5, 6, 7, 9, 10, 11, 12, 13):
        session = replay(read[:end])
        step = session.steps[2]
        told.append((step.current.description, step.tags, step.cell_id, sorted(session.hidden)))

    first, both = "Load both years\n\nOne was missing.", ("data", "größe")
    assert told == [
        ("Load", ("data",), "c1", []),
        (first, ("data",), "c1", []),
        (first, both, "c1", []),
        (first, both, "c1", [3, 5]),
        (first, both, "c9", [3, 5]),
        (first, both, "c9", [3]),
        ("Load both years", ("größe", "slow"), "c9", [3]),
        (first, both, "c1", [3, 5]),
    ]
