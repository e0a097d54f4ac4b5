"""Every journal there is; one on disk; and a network for it."""

from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from wfnb.core.events import SessionStarted
from wfnb.journal import Journal, MemoryJournal, SqliteJournal, network_mounts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".wfnb" / "journal.db"


@pytest.fixture(params=["memory", "sqlite", "sqlite without shared memory"])
def journal(request: pytest.FixtureRequest, path: Path) -> Iterator[Journal]:
    """An empty journal whose clock tells 0, 1, 2, … at each writing."""
    clock = count().__next__
    match request.param:
        case "memory":
            journal: Journal = MemoryJournal(clock=clock)
        case "sqlite":
            journal = SqliteJournal(path, clock=clock)
        case _:
            journal = SqliteJournal(path, clock=clock, vfs="unix-dotfile")
    yield journal
    journal.close()


@pytest.fixture
def disk_journal(path: Path) -> Iterator[SqliteJournal]:
    """A journal at `path` that does not wait long for others."""
    with closing(SqliteJournal(path, busy=0.1)) as journal:
        yield journal


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of mounts in which everything is on a network file system."""
    table = tmp_path / "mountinfo"
    table.write_text("22 1 0:20 / / rw,relatime - nfs4 server:/ rw\n")
    monkeypatch.setattr(network_mounts, "MOUNTS", str(table))
    return table


@pytest.fixture
def session(journal: Journal) -> int:
    """A session made at second 0."""
    return journal.create("churn", [SessionStarted(name="churn")])[0]
