"""The server only reads: not a byte is another afterwards, whatever state the journal is in."""

import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.server.conftest import Server, session
from wfnb.journal import SqliteJournal

ASKED = {
    "snapshot": {},
    "rows": {"first": 0, "count": 9},
    "card": {"key": 2},
    "source": {"key": 2},
    "figure": {"key": 2, "name": "0"},
    "compare": {},
    "compare_code": {"lines": ["main", "main"]},
    "report": {"form": "html"},
    "search": {"text": "load", "first": 0},
}


def bytes_and_times(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder, its time, what is in it."""
    return {
        str(path.relative_to(folder)): (
            path.stat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in [folder, *sorted(folder.rglob("*"))]
    }


def written_by(process_ends: str, folder: Path) -> None:
    """A session of two steps, by a process that ends so."""
    code = (
        "import os, wfnb\n"
        f"ws = wfnb.open('drift', home_folder={str(folder / '.wfnb')!r})\n"
        "ws.step('Load'); ws.step('Fit')\n"
        f"{process_ends}"
    )
    subprocess.run([sys.executable, "-c", code], check=False)


def all_asked(server: Server, folder: Path) -> list[int]:
    path = f"{folder.name}/drift.ipynb"
    return [server.ask(word, path, **given)[0] for word, given in ASKED.items()]


@pytest.mark.parametrize(
    ("ends", "files"),
    [("pass", {"journal.db"}), ("os._exit(9)", {"journal.db", "journal.db-wal", "journal.db-shm"})],
)
def test_a_journal_that_nobody_writes_is_as_it_was(
    server: Server, folder: Path, ends: str, files: set[str]
):
    written_by(ends, folder)
    assert {each.name for each in (folder / ".wfnb").glob("journal*")} == files
    before = bytes_and_times(folder)

    statuses = all_asked(server, folder)

    assert statuses == [200] * len(ASKED)
    assert bytes_and_times(folder) == before


def test_a_journal_that_is_written_meanwhile_is_as_its_writer_left_it(server: Server, folder: Path):
    workspace = session(folder, "drift", "Load", "Fit")
    before = bytes_and_times(folder)

    statuses = all_asked(server, folder)

    assert statuses == [200] * len(ASKED)
    assert bytes_and_times(folder) == before
    workspace.step("And on")
    assert server.snapshot(f"{folder.name}/drift.ipynb")["count"] == 3


def test_a_journal_that_was_copied_with_its_log_alone_is_read_whole(server: Server, folder: Path):
    written_by("os._exit(9)", folder)
    (folder / ".wfnb" / "journal.db-shm").unlink()
    before = bytes_and_times(folder)

    told = server.snapshot(f"{folder.name}/drift.ipynb")

    assert [row["title"] for row in told["rows"]] == ["Load", "Fit"]
    assert bytes_and_times(folder) == before


def test_a_journal_in_a_folder_that_cannot_be_written_is_read(server: Server, folder: Path):
    written_by("pass", folder)
    (folder / ".wfnb" / "journal.db").chmod(0o444)
    (folder / ".wfnb").chmod(0o555)

    told = server.snapshot(f"{folder.name}/drift.ipynb")

    assert told["count"] == 2


def damaged(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[3000:] = b"\xff" * (len(data) - 3000)
    path.write_bytes(data)


def newer(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
    db.close()


def anothers(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE diary (text)")
    db.close()


def gap(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM event WHERE position = 2")
    db.close()


def garbled(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE event SET body = '{' WHERE position = 2")
    db.close()


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (lambda path: path.write_bytes(b"no database " * 400), "not a database"),
        (damaged, "cannot be read as a journal"),
        (anothers, "another program's database"),
        (newer, "newer wfnb"),
        (gap, "are missing"),
        (garbled, "cannot be read as a journal"),
    ],
)
def test_a_broken_journal_is_said_to_be_broken(
    server: Server, folder: Path, broken: "object", says: str
):
    written_by("pass", folder)
    broken(folder / ".wfnb" / "journal.db")  # type: ignore[operator]
    before = bytes_and_times(folder)

    told = server.snapshot(f"{folder.name}/drift.ipynb")
    status, card = server.ask("card", f"{folder.name}/drift.ipynb", key=2)

    assert told["kind"] == "gone"
    assert says in told["says"]
    assert (status, says in card["message"]) == (409, True)
    assert bytes_and_times(folder) == before


def test_an_empty_file_is_no_history_yet(server: Server, folder: Path):
    (folder / ".wfnb").mkdir()
    (folder / ".wfnb" / "journal.db").touch()

    assert server.snapshot(f"{folder.name}/drift.ipynb")["empty"] is True


def test_a_journal_that_was_replaced_is_read_anew(server: Server, folder: Path, tmp_path: Path):
    session(folder, "drift", "Load", "Fit", "Tune").log.journal.close()
    first = server.snapshot(f"{folder.name}/drift.ipynb")
    session(tmp_path, "drift", "Another").log.journal.close()

    shutil.rmtree(folder / ".wfnb")
    shutil.copytree(tmp_path / ".wfnb", folder / ".wfnb")
    second = server.snapshot(f"{folder.name}/drift.ipynb", version=first["version"])

    assert [row["title"] for row in second["rows"]] == ["Another"]


def test_a_server_that_waits_for_a_locked_journal_answers_others_meanwhile(
    server: Server, folder: Path
):
    written_by("pass", folder)
    path = folder / ".wfnb" / "journal.db"
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("PRAGMA journal_mode=DELETE")
    holder.execute("BEGIN EXCLUSIVE")

    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(server.snapshot, f"{folder.name}/drift.ipynb")
        others = [server.get("api/status")[0] for _ in range(3)]
        was_first = not waiting.done()
    holder.execute("ROLLBACK")
    holder.close()

    assert (others, was_first) == ([200] * 3, True)
    assert "is locked by another process" in waiting.result()["says"]
    assert server.snapshot(f"{folder.name}/drift.ipynb")["count"] == 2


def test_a_journal_that_is_only_read_records_nothing(tmp_path: Path):
    written_by("pass", tmp_path)
    journal = SqliteJournal(tmp_path / ".wfnb" / "journal.db", read_only=True)

    with pytest.raises(Exception, match="cannot be written"):
        journal.archive(1)
    assert [info.name for info in journal.sessions()] == ["drift"]
