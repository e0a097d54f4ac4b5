"""A run that somebody else has changed is not one's own, however well its sums fit."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from wfnb.core.events import SessionStarted
from wfnb.journal import Row, SqliteJournal
from wfnb.journal.checksums import pack_row, plain_sum, rows_with_sums, sum_of, unpack_row
from wfnb.workflows.core.events import RunEnded, RunStarted

STARTED = SessionStarted(name="churn")


def command(written: str) -> RunStarted:
    step = {"tool": "shell", "args": {"command": written}}
    return RunStarted(workflow={"name": "deploy", "steps": [step]})


def same_sum(row: Row, body: Callable[[str], str], before: int) -> str:
    """The body of a command that has the sum of this row, by its note: a CRC is linear."""
    position, first, kind, version, _, at = row
    count = 64

    def sum_with(*bits: int) -> int:
        note = "".join("01"[place in bits] for place in range(count))
        return sum_of(position, first, kind, version, body(note), at, before=before)

    left, chosen = sum_with() ^ sum_of(*row, before=before), 0
    basis: dict[int, tuple[int, int]] = {}
    for bit in range(count):
        change, of = sum_with(bit) ^ sum_with(), 1 << bit
        while change and change.bit_length() in basis:
            other, more = basis[change.bit_length()]
            change, of = change ^ other, of ^ more
        basis[change.bit_length()] = change, of
    while left:
        change, of = basis[left.bit_length()]
        left, chosen = left ^ change, chosen ^ of
    return body("".join("01"[chosen >> place & 1] for place in range(count)))


def other_command(kept: list[tuple[Row, int]], _: object) -> list[tuple[Row, int]]:
    """Another first event, and the sums of all made anew."""
    rows = [row for row, _ in kept]
    rows[0] = (*rows[0][:4], rows[0][4].replace("make", "rm x"), rows[0][5])
    tags = [sum - plain_sum(sum) for _, sum in kept]
    made = rows_with_sums(rows, sum_of(1))
    return [(row, sum | tag) for (row, sum), tag in zip(made, tags, strict=True)]


def same_sum_command(kept: list[tuple[Row, int]], _: object) -> list[tuple[Row, int]]:
    """Another first event whose sum is that of the old one."""
    (row, sum), *rest = kept
    body = same_sum(row, lambda note: row[4].replace('"make"', f'"rm x # {note}"'), sum_of(1))
    return [((*row[:4], body, row[5]), sum), *rest]


def one_more(kept: list[tuple[Row, int]], _: object) -> list[tuple[Row, int]]:
    """An event more, with the tag of another."""
    (*_, (last, sum)) = kept
    row = (last[0] + 1, last[0] + 1, *last[2:])
    return [*kept, (row, sum_of(*row, before=sum) | sum - plain_sum(sum))]


def from_another_run(
    kept: list[tuple[Row, int]], other: list[tuple[Row, int]]
) -> list[tuple[Row, int]]:
    """The history of another run of the same user."""
    made = rows_with_sums([row for row, _ in other], sum_of(1))
    tags = [sum - plain_sum(sum) for _, sum in other]
    return [(row, sum | tag) for (row, sum), tag in zip(made, tags, strict=True)]


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("forge", [other_command, same_sum_command, one_more, from_another_run])
def test_a_run_that_somebody_else_has_changed_is_not_ones_own(
    path: Path, forge: Callable[..., list[tuple[Row, int]]], trusted: bool
) -> None:
    with closing(SqliteJournal(path)) as journal:
        session, _ = journal.create("churn", [STARTED])
        run, _ = journal.begin_run(session, "deploy", [command("make")], process="host 1 2")
        other, _ = journal.begin_run(session, "deploy", [command("make test")])
        for each in (run.id, other.id):
            journal.append_run(each, [RunEnded(status="failed")], 1, status="failed")
        if trusted:
            journal.seal(run.id)
        assert journal.is_own(run.id)
    with closing(sqlite3.connect(path)) as db, db:
        rows = "SELECT position, first, type, version, body, at FROM run_event WHERE run = ?"
        kept = [
            [unpack_row(row) for row in db.execute(f"{rows} ORDER BY position", (each,))]
            for each in (run.id, other.id)
        ]
        forged = forge(*kept)
        assert forged != kept[0]
        db.execute("DELETE FROM run_event WHERE run = ?", (run.id,))
        new = [(run.id, *pack_row(row, sum)) for row, sum in forged]
        db.executemany("INSERT INTO run_event VALUES (?, ?, ?, ?, ?, ?, ?)", new)

    with closing(SqliteJournal(path)) as journal:
        assert len(journal.read_run(run.id)) == len(forged)
        assert not journal.is_own(run.id)
        journal.seal(run.id)
        assert journal.is_own(run.id)


SEALS = {
    "taken away": lambda seal, other: None,
    "of another run": lambda seal, other: other,
    "of fewer events": lambda seal, other: f"1 {seal.partition(' ')[2]}",
    "of none": lambda seal, other: f"0 {seal.partition(' ')[2]}",
    "with another letter": lambda seal, other: f"{seal[:-1]}{'ab'[seal[-1] == 'a']}",
    "with no signature": lambda seal, other: "2",
    "of no count": lambda seal, other: f"x{seal}",
}


@pytest.mark.parametrize("change", SEALS.values(), ids=SEALS)
def test_a_seal_that_was_changed_makes_no_run_ones_own(
    path: Path, change: Callable[[str, str], str | None]
) -> None:
    """It is a signature itself, of all that it stands for: so it needs no sum."""
    with closing(SqliteJournal(path)) as journal:
        session, _ = journal.create("churn", [STARTED])
        runs = [journal.begin_run(session, "deploy", [command("make")])[0].id for _ in range(2)]
        for run in runs:
            journal.append_run(run, [RunEnded(status="failed")], 1, status="failed")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE run_event SET version = version & 255")  # as somebody without a key
        db.execute("UPDATE run SET sum = -1")
    with closing(SqliteJournal(path)) as journal:
        assert [journal.is_own(run) for run in runs] == [False, False]
        for run in runs:
            journal.seal(run)
        assert [journal.is_own(run) for run in runs] == [True, True]
    with closing(sqlite3.connect(path)) as db, db:
        seals = [db.execute("SELECT seal FROM run WHERE id = ?", (run,)).fetchone() for run in runs]
        db.execute(
            "UPDATE run SET seal = ? WHERE id = ?", (change(*(s for (s,) in seals)), runs[0])
        )

    with closing(SqliteJournal(path)) as journal:
        assert [journal.is_own(run) for run in runs] == [False, True]
