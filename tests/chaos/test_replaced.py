"""A journal is replaced by another while a session is open: nothing is mixed."""

import random
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from wfnb.core.events import Recorded
from wfnb.errors import JournalError
from wfnb.home_folder import Home
from wfnb.journal import SqliteJournal
from wfnb.workspace import Workspace


def session(folder: Path, name: str, steps: int) -> Workspace:
    ws = Home(folder).start(name)
    for number in range(steps):
        ws.step(f"{folder.name} {number}")
    return ws


def recorded(folder: Path) -> list[Recorded]:
    with closing(SqliteJournal(folder / "journal.db")) as journal:
        return journal.read(1)


@pytest.mark.parametrize("trial", range(40))
def test_nothing_is_mixed(tmp_path: Path, trial: int, chances: random.Random):
    """Others: of another name or of the same, shorter or longer, a copy of it that went on."""
    mine = session(tmp_path / "mine", "mine", chances.randrange(1, 12))
    other = tmp_path / "other"
    if chances.random() < 0.4:
        mine.log.journal.close()
        shutil.copytree(tmp_path / "mine", other)
        ws = Home(other).resume("mine")
        mine.step("mine alone")
        for number in range(chances.randrange(1, 12)):
            ws.step(f"other {number}")
    else:
        ws = session(other, chances.choice(["mine", "other"]), chances.randrange(1, 24))
    ws.log.journal.close()
    if chances.random() < 0.5:
        mine.log.journal.close()
    shutil.rmtree(tmp_path / "mine")
    shutil.copytree(other, tmp_path / "mine")
    before = [*mine.session.steps]

    for ask in chances.sample(
        [lambda: mine.step("more"), mine.undo, mine.status, mine.log.refresh], 3
    ):
        with pytest.raises(JournalError):
            ask()

    assert [*mine.session.steps] == before
    assert recorded(tmp_path / "mine") == recorded(other)
