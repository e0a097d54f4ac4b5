"""What is in a journal's way while a run goes on: another process, no room, no permission."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.workflows.runner.place import SOON, Drawn, step, steps
from wfnb.errors import JournalError, JournalFull, JournalLocked, JournalReadOnly
from wfnb.journal import SqliteJournal
from wfnb.workflows.tools.registry import tool


@contextmanager
def locked(home: Path) -> Iterator[None]:
    with closing(sqlite3.connect(home / "journal.db", isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield
        db.execute("ROLLBACK")


@contextmanager
def full(home: Path) -> Iterator[None]:
    """No room: a limit of SQLite's own, on each connection of the journal."""
    connect = sqlite3.connect

    def limited(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        db = connect(*args, **kwargs)
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
        return db

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", limited)
        yield


@contextmanager
def read_only(home: Path) -> Iterator[None]:
    class Refusing(SqliteJournal):
        """Root may write to any file: SQLite's answer, where the system gives none."""

        def append_run(self, *args: Any, **kwargs: Any) -> Any:
            raise JournalReadOnly(self.place)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteJournal, "append_run", Refusing.append_run)
        yield


OBSTACLES = {JournalLocked: locked, JournalFull: full, JournalReadOnly: read_only}


def obstructed(
    runner: Drawn, home: Path, obstacle: type[JournalError], wanted: Any, **options: Any
) -> Any:
    """Start it, and put the obstacle in its way while its tool `holds` is called."""
    held, goes_on = Event(), Event()
    called: list[str] = []

    @tool(idempotent=True)
    def note(what: str) -> str:
        called.append(what)
        return what

    @tool(idempotent=True)
    def holds() -> str:
        called.append("holds")
        held.set()
        goes_on.wait(SOON)
        return "more than has room on the page" * 1000

    running = runner.start(wanted, **options)
    assert held.wait(SOON)
    runner.session_log.journal.close()
    with OBSTACLES[obstacle](home):
        goes_on.set()
        with pytest.raises(obstacle):
            running.wait()
    runner.session_log.journal.close()  # the limit is the connection's
    return running, called


PLAIN = steps(
    step("a", "note", args={"what": "a"}),
    step("b", "holds"),
    step("c", "note", args={"what": "c"}),
)
