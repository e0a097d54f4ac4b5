"""a connection to a SQLite file → the tables of a journal in it, recognised or made."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Literal, TypeVar

from wfnb.errors import JournalCorrupt, JournalLocked, JournalNewer

from .faults import journal_error
from .mounts import on_network

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

APPLICATION = int.from_bytes(b"wfnb", "big")
VERSION = 1

TABLES = (
    """
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        archived INTEGER NOT NULL DEFAULT 0,
        started REAL NOT NULL
    )
    """,
    """
    CREATE TABLE event (
        session INTEGER NOT NULL REFERENCES session (id),
        position INTEGER NOT NULL,
        first INTEGER NOT NULL,
        type TEXT NOT NULL,
        version INTEGER NOT NULL,
        body TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (session, position)
    ) WITHOUT ROWID
    """,
    f"PRAGMA application_id={APPLICATION}",
    f"PRAGMA user_version={VERSION}",
)


def recognised(db: sqlite3.Connection, path: str) -> bool:
    """Whether this is a journal; False: it is empty. Raises `JournalCorrupt`, `JournalNewer`."""
    return transaction(db, "DEFERRED", lambda db: has_tables(db, path))


def prepare(db: sqlite3.Connection, path: str) -> None:
    """Make an empty file a journal, and choose how this connection writes it."""
    recognised(db, path)  # another program's database keeps its journal mode
    durable = "NORMAL" if journal_mode(db, path) == "wal" else "FULL"
    db.execute(f"PRAGMA synchronous={durable}")
    transaction(db, "IMMEDIATE", lambda db: make_tables(db, path))


def make_tables(db: sqlite3.Connection, path: str) -> None:
    if not has_tables(db, path):
        for statement in TABLES:
            db.execute(statement)


def has_tables(db: sqlite3.Connection, path: str) -> bool:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == version == tables == 0:
        return False
    if application != APPLICATION:
        raise JournalCorrupt(path, "it is another program's database")
    if version > VERSION:
        raise JournalNewer(path, f"its tables are version {version}, known is {VERSION}")
    return True


def journal_mode(db: sqlite3.Connection, path: str) -> str:
    """WAL: one process writes while others read. It needs memory they share, so a rollback
    journal where other machines may write too, and where SQLite cannot have that memory."""
    if not on_network(path):
        try:
            (mode,) = db.execute("PRAGMA journal_mode=WAL").fetchone()
            if mode == "wal":
                return "wal"
        except sqlite3.OperationalError as error:
            if isinstance(journal_error(path, error), JournalLocked):
                raise
    (mode,) = db.execute("PRAGMA journal_mode=TRUNCATE").fetchone()
    return str(mode)


def transaction(db: sqlite3.Connection, kind: Literal["DEFERRED", "IMMEDIATE"], work: Work[T]) -> T:
    """The answer of work done as a whole. After an error the connection is to be closed, which
    takes back what was done."""
    db.execute(f"BEGIN {kind}")
    answer = work(db)
    db.execute("COMMIT")
    return answer
