"""A disk that says no: one clear line, other cells go on, and what was recorded stays."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = [pytest.mark.kernel, pytest.mark.usefixtures("hasty")]

WAYS = "go on in memory with `%wfnb start NAME --scratch`."
LOCK = """\
%%step Lock it on the way
import os, sqlite3
db = sqlite3.connect(os.environ["WFNB_HOME"] + "/journal.db", isolation_level=None)
_ = db.execute("BEGIN EXCLUSIVE")
5
"""


@pytest.fixture
def bare(shared: Kernel, tmp_path: Path) -> Kernel:
    """The shared kernel over a home that does not exist yet, with a session elsewhere."""
    shared.ok("%wfnb start memory --scratch")
    shared.home = tmp_path / "home"
    shared.ok(f"import os; os.environ['WFNB_HOME'] = {str(shared.home)!r}")
    return shared


def a_file_instead_of_the_folder(home: Path) -> None:
    home.touch()


def a_folder_instead_of_the_file(home: Path) -> None:
    (home / "journal.db").mkdir(parents=True)


def garbage(home: Path) -> None:
    home.mkdir()
    (home / "journal.db").write_bytes(b"garbage" * 1000)


def another_database(home: Path) -> None:
    home.mkdir()
    with closing(sqlite3.connect(home / "journal.db")) as db:
        db.execute("CREATE TABLE event (id)")
        db.commit()


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (a_file_instead_of_the_folder, "cannot be written"),
        (a_folder_instead_of_the_file, "cannot be written"),
        (garbage, "cannot be read as a journal (file is not a database)"),
        (another_database, "cannot be read as a journal ("),
    ],
)
def test_no_journal_can_be_kept_there(bare: Kernel, prepare: Callable[[Path], None], says: str):
    prepare(bare.home)

    refused = bare.run("%wfnb start demo").refusal

    assert refused.startswith(f"{bare.home / 'journal.db'} {says}")
    assert refused.endswith(WAYS)
    assert bare.ok("2 + 2").value == "4"


@pytest.mark.parametrize("prepare", [a_file_instead_of_the_folder, garbage])
def test_without_a_journal_a_step_does_not_run_but_in_memory(
    shared: Kernel, tmp_path: Path, prepare: Callable[[Path], None]
):
    shared.home = tmp_path / "home"
    prepare(shared.home)
    shared.restart()

    assert shared.run("%%step One\nreached = 1").refusal.endswith(WAYS)
    assert shared.run("%wfnb status").refusal.endswith(WAYS)
    assert shared.ok("'reached' in dir()").value == "False"

    shared.ok("%wfnb start demo --scratch")
    ran = shared.ok("%%step One\nreached = 1\nreached")
    assert (ran.value, ran.answer["session"]) == ("1", "demo")
    assert shared.steps("description") == ["One"]


def test_a_file_that_is_no_journal_is_left_as_it_is(bare: Kernel):
    garbage(bare.home)

    bare.run("%wfnb start demo")

    assert (bare.home / "journal.db").read_bytes() == b"garbage" * 1000


@contextmanager
def locked(home: Path) -> Iterator[None]:
    with closing(sqlite3.connect(home / "journal.db", isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield


def test_while_another_process_holds_the_journal_a_step_waits_and_gives_up(kernel: Kernel):
    kernel.ok("%%step One\nx = 1", "a")

    with locked(kernel.home):
        refused = kernel.run("%%step Two\nx = 2", "b").refusal
        others = kernel.ok("x").value
        seen = kernel.steps("description")

    assert refused == (
        f"{kernel.home / 'journal.db'} is locked by another process. Nothing was lost: "
        f"run the cell again, or {WAYS}"
    )
    assert (others, seen) == ("1", ["One"])
    kernel.ok("%%step Two\nx = 2", "b")
    assert kernel.steps("number", "description", "attempts") == [(1, "One", 1), (2, "Two", 1)]


def test_a_step_whose_end_cannot_be_written_says_so_and_can_be_run_again(kernel: Kernel):
    ran = kernel.run(LOCK, "a")
    held = kernel.steps("outcome")
    kernel.ok("db.close()")

    assert (ran.status, ran.value) == ("ok", "5")
    assert ran.stderr.startswith(
        f"wfnb: {kernel.home / 'journal.db'} is locked by another process."
    )
    assert ran.stderr.endswith("is kept, and written with the next step or verb.\n")
    assert len(ran.stderr.splitlines()) == 1
    assert held == ["running"]
    kernel.ok("%%step Lock it on the way\n5", "a")
    assert kernel.steps("outcome", "attempts") == [("ok", 2)]


@pytest.mark.parametrize("command", ["%wfnb status", "%%step Next\n1"])
def test_a_step_whose_end_could_not_be_written_ends_when_it_can(kernel: Kernel, command: str):
    kernel.run(f"{LOCK}1/0", "a")
    kernel.ok("db.close()")

    kernel.ok(command, "b")

    ended, *_ = kernel.steps("outcome", "error", "attempts")
    assert ended == ("failed", "ZeroDivisionError: division by zero", 1)


def test_a_folder_that_vanished_is_told_and_a_new_session_starts(kernel: Kernel):
    kernel.ok("%step One")
    shutil.rmtree(kernel.home)

    told = kernel.run("%step Two").refusal
    kernel.ok("%wfnb start anew")
    kernel.ok("%step One again")

    assert "is not there any more" in told
    assert kernel.steps("description") == ["One again"]


def test_an_event_that_cannot_be_read_is_named_and_other_sessions_open(kernel: Kernel):
    kernel.ok("%step One")
    kernel.ok("%wfnb start other")
    kernel.ok("%step Here")
    with closing(sqlite3.connect(kernel.home / "journal.db")) as db:
        db.execute("UPDATE event SET body = '{' WHERE session = 1 AND position = 2")
        db.commit()

    refused = kernel.run("%wfnb resume demo").refusal
    listed = kernel.run("%wfnb list")

    assert "cannot be read as a journal (event 2 of session 'demo' is not as" in refused
    assert "Traceback" not in listed.stderr + listed.traceback
    assert kernel.steps("description") == ["Here"]
    kernel.ok("%step There")
    assert kernel.steps("description") == ["Here", "There"]


def test_a_session_in_memory_leaves_nothing_behind(bare: Kernel):
    bare.ok("%wfnb start demo --scratch")
    bare.ok("%step One")

    assert bare.steps("description") == ["One"]
    assert not bare.home.exists()
