"""A disk changes what was written: the same is read, or it is said what is wrong."""

import os
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from wfnb.errors import JournalError
from wfnb.home_folder import Home
from wfnb.journal import SqliteJournal

PAGE = 4096
TRIALS = 300
FLOW = {"steps": [{"id": "a", "tool": "sleep", "args": {"seconds": 0}}]}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Of some pages: two sessions with steps, branches and runs."""
    home = Home(tmp_path / "whole")
    for name in ("churn", "drift"):
        ws = home.start(name)
        for number in range(40):
            ws.step(f"{name} {number} " + "words of it " * 5)
        ws.runs.run(FLOW)
    home.journal.close()
    return tmp_path / "whole" / "journal.db"


def told(path: Path) -> object:
    """All that can be read of it, by way of the sessions too."""
    with closing(SqliteJournal(path)) as journal:
        sessions = journal.sessions()
        runs = [(run, journal.read_run(run.id)) for run in journal.runs()]
        found = [(journal.find(each.name), journal.find_uid(each.uid or "")) for each in sessions]
        home = Home(path.parent, journal)
        status = [home.resume(each.name).status() for each in sessions]
        return sessions, [journal.read(each.id) for each in sessions], runs, found, status


def bits(many: int) -> Callable[[bytearray, random.Random], None]:
    def damage(content: bytearray, chances: random.Random) -> None:
        for _ in range(many):
            content[chances.randrange(len(content))] ^= 1 << chances.randrange(8)

    return damage


def no_page(content: bytearray, chances: random.Random) -> None:
    at = chances.randrange(len(content) // PAGE) * PAGE
    content[at : at + PAGE] = bytes(PAGE)


def other_order(content: bytearray, chances: random.Random) -> None:
    one, two = (at * PAGE for at in chances.sample(range(len(content) // PAGE), 2))
    first, second = content[one : one + PAGE], content[two : two + PAGE]
    content[one : one + PAGE], content[two : two + PAGE] = second, first


def no_end(content: bytearray, chances: random.Random) -> None:
    del content[chances.randrange(len(content)) :]


DAMAGE = {
    "a bit": bits(1),
    "16 bits": bits(16),
    "a page of zeros": no_page,
    "two pages in each other's place": other_order,
    "a lost end": no_end,
}


@pytest.mark.parametrize("what", DAMAGE)
def test_what_a_disk_changed_is_not_followed(journal: Path, what: str, chances: random.Random):
    whole, whole_told = journal.read_bytes(), told(journal)
    silent = []
    for trial in range(TRIALS if what == "a bit" else TRIALS // 5):
        content = bytearray(whole)
        DAMAGE[what](content, chances)
        other = journal.with_name(f"{trial}.db")
        other.write_bytes(content)
        try:
            if told(other) != whole_told:
                changed = [
                    at for at, was in enumerate(whole) if content[at : at + 1] != bytes([was])
                ]
                silent.append((trial, len(whole), changed[:16]))
        except JournalError as error:
            said = str(error)
            if "\n" in said:
                silent.append((trial, said))
        for end in ("", "-wal", "-shm", "-journal"):
            if os.path.exists(f"{other}{end}"):
                os.unlink(f"{other}{end}")

    assert silent == []
