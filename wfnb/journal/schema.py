"""a connection to a SQLite file → the tables of a journal in it, recognised or made."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import chain
from typing import Literal, TypeVar

from wfnb.errors import JournalCorrupt, JournalFaulty, JournalLocked, JournalNewer, JournalTorn

from .disk_errors import journal_error
from .network_mounts import on_network

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

APPLICATION = int.from_bytes(b"wfnb", "big")

SESSIONS = (
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
)

RUNS = (
    """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        session INTEGER NOT NULL REFERENCES session (id),
        workflow TEXT NOT NULL,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        step INTEGER,
        parent INTEGER REFERENCES run (id),
        status TEXT NOT NULL,
        process TEXT,
        events INTEGER NOT NULL,
        started REAL NOT NULL,
        changed REAL NOT NULL,
        UNIQUE (session, workflow, number)
    )
    """,
    "CREATE INDEX run_name ON run (name, session)",
    "CREATE INDEX run_parent ON run (parent, session)",
    """
    CREATE TABLE run_event (
        run INTEGER NOT NULL REFERENCES run (id),
        position INTEGER NOT NULL,
        first INTEGER NOT NULL,
        type TEXT NOT NULL,
        version INTEGER NOT NULL,
        body TEXT NOT NULL,
        at REAL NOT NULL,
        PRIMARY KEY (run, position)
    ) WITHOUT ROWID
    """,
)

NEW_UID = "lower(hex(randomblob(8)))"

IDENTITY = (
    "ALTER TABLE session ADD COLUMN uid TEXT",
    "ALTER TABLE session ADD COLUMN notebook TEXT",
    f"UPDATE session SET uid = {NEW_UID}",
    "CREATE UNIQUE INDEX session_uid ON session (uid)",
    # a trigger: an older wfnb that has the file open goes on to make sessions, and knows no uid
    f"""
    CREATE TRIGGER new_session_uid AFTER INSERT ON session WHEN new.uid IS NULL
    BEGIN UPDATE session SET uid = {NEW_UID} WHERE id = new.id; END
    """,
)

LOOKED_THROUGH = 500
"""Pages of a file: 2 MB, or 10,000 steps."""
_UNREAD = "unable to get the page"
"""What SQLite says of a page that the disk does not give."""
NO_SUM = -1
"""In place of the sum of a row that an older wfnb wrote: NULL is what a disk made of one."""

_SUMMED = {
    "session": "id, name, archived, started, uid, notebook",
    "run": "session, workflow, number, name, step, parent, status, process, events, started, "
    "changed",
}

SUMS = (
    "ALTER TABLE session ADD COLUMN sum INTEGER",
    "ALTER TABLE run ADD COLUMN sum INTEGER",
    "ALTER TABLE run ADD COLUMN seal TEXT",
    *(f"UPDATE {table} SET sum = {NO_SUM}" for table in _SUMMED),
    # an older wfnb that has the file open writes rows, and knows no sums
    *(
        f"""
        CREATE TRIGGER {table}_{word}_without_sum AFTER {when} ON {table}
        BEGIN UPDATE {table} SET sum = {NO_SUM} WHERE id = new.id; END
        """
        for table, columns in _SUMMED.items()
        for word, when in (("new", "INSERT"), ("changed", f"UPDATE OF {columns}"))
    ),
)

VERSIONS = (SESSIONS, RUNS, IDENTITY, SUMS)
"""What makes the tables of each version, from 1, from those of the one before."""

VERSION = len(VERSIONS)
WITH_RUNS = 2
WITH_IDENTITY = 3
WITH_SUMS = 4


def recognise_journal(db: sqlite3.Connection, path: str) -> bool:
    """Whether this is a journal; False: it is empty. Raises `JournalCorrupt`, `JournalNewer`."""
    return transaction(db, "DEFERRED", lambda db: has_tables(db, path))


def is_whole(db: sqlite3.Connection, path: str) -> bool:
    """Whether the pages of the file are in order, and its indexes: what a sum of a row cannot tell,
    that rows at the end are gone. Takes as long as reading the file once; a large one is not looked
    through."""
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    # A session of years may have hundreds of megabytes: opening it must not read them.
    if pages <= LOOKED_THROUGH:
        (answer,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if _UNREAD in answer:
            raise JournalFaulty(path, "it cannot be read")
        if answer != "ok":
            raise JournalCorrupt(path, answer.splitlines()[-1][:200])
    return True


def prepare(db: sqlite3.Connection, path: str) -> None:
    """Make an empty file or an older journal one of today, and choose how it is written. A new one
    has its tables before it has a log: one without tables lost its log."""
    if not recognise_journal(db, path):  # another program's database keeps its journal mode
        transaction(db, "IMMEDIATE", lambda db: make_tables(db, path))
    # A log is whole after a power cut with NORMAL, at most some last events are missing; a rollback
    # journal may be torn without FULL.
    durable = "NORMAL" if journal_mode(db, path) == "wal" else "FULL"
    db.execute(f"PRAGMA synchronous={durable}")
    transaction(db, "IMMEDIATE", lambda db: make_tables(db, path))


def make_tables(db: sqlite3.Connection, path: str) -> None:
    tables_version = version(db) if has_tables(db, path) else 0
    if tables_version < VERSION:
        for statement in chain(*VERSIONS[tables_version:], [f"PRAGMA user_version={VERSION}"]):
            db.execute(statement)


def has_tables(db: sqlite3.Connection, path: str) -> bool:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    tables_version = version(db)
    if application == tables_version == tables == 0:
        # `prepare` makes the tables before the log: an empty file in WAL mode had a log that is
        # gone.
        if db.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
            raise JournalTorn(path)
        return False
    if application != APPLICATION:
        raise JournalCorrupt(path, "it is another program's database")
    if not tables_version:
        raise JournalCorrupt(path, "its tables have no version")
    if tables_version > VERSION:
        raise JournalNewer(path, f"its tables are version {tables_version}, known is {VERSION}")
    return True


def version(db: sqlite3.Connection) -> int:
    """The version of the tables. Reading gets along with an older one, and does not change it."""
    (number,) = db.execute("PRAGMA user_version").fetchone()
    return int(number)


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
