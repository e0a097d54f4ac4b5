"""A kernel killed at any moment loses nothing that was answered, and breaks nothing."""

import multiprocessing
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from tests.jupyter.kernel import MIME, Kernel, running
from wfnb.core.events import BranchOpened, Recorded, StepAdded
from wfnb.core.replay import replay
from wfnb.core.session import Session
from wfnb.core.values import MAIN
from wfnb.journal import SqliteJournal

pytestmark = pytest.mark.kernel

SHELLS, KERNELS = 45, 5
Answered = tuple[str, int]

processes = multiprocessing.get_context("forkserver")
PRELOADED = ["jupyter_client", "pydantic.type_adapter", "pytest", "wfnb.jupyter.extension"]
processes.set_forkserver_preload(PRELOADED)  # so that each shell begins at once


def cell(life: int, number: int) -> str:
    """Steps on `main`, and branches, whose two events have to come together."""
    opens = f"%%branch life-{life}-{number} --from 1" if number % 3 == 2 else "%%step"
    return f"{opens} Work {number} of life {life} --value x\nx = {number}\nx"


def at(answer: dict[str, Any]) -> Answered:
    return answer["current_branch"] or MAIN, answer["step_number"]


class Teller(DisplayPublisher):
    """Tells of each answer at the moment it is published."""

    line: Connection

    def publish(self, data: dict[str, Any], *rest: object, **options: object) -> None:
        if "step_number" in data.get(MIME, {}):
            self.line.send(at(data[MIME]))


def live(line: Connection, home: Path, life: int) -> None:
    """A life as a shell: run step cells until killed."""
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell(config=config, ipython_dir=str(home / "ipython"))
    shell.display_pub = Teller(parent=shell)
    shell.display_pub.line = line
    shell.run_cell(f"import os; os.environ['WFNB_HOME'] = {str(home)!r}", silent=True)
    shell.run_line_magic("load_ext", "wfnb")
    for number in count(1):
        shell.run_cell(cell(life, number)).raise_error()


def told(line: Connection) -> Iterator[Answered]:
    """All that a process tells, to its end."""
    while True:
        try:
            yield line.recv()
        except (EOFError, OSError):
            return


def killed_shell(home: Path, life: int, chance: random.Random) -> list[Answered]:
    """The answers of a shell that was killed at a random moment."""
    here, there = processes.Pipe()
    shell = processes.Process(target=live, args=(there, home, life))
    shell.start()
    there.close()
    answered = [here.recv() for _ in range(chance.randint(1, 12))]
    Event().wait(chance.uniform(0, 0.005))
    shell.kill()
    answered += told(here)
    shell.join()
    shell.close()
    return answered


def killed_kernel(home: Path, life: int, chance: random.Random) -> list[Answered]:
    """The same of a kernel that has more cells to run."""
    wanted = chance.randint(1, 12)
    answered: list[Answered] = []
    with running(home / f"kernel-{life}", home) as kernel:
        requests = [kernel.send(cell(life, number)) for number in range(1, 30)]
        for request in requests[:wanted]:
            answers = (found["content"].get("data", {}) for found in kernel.published(request))
            answered += [at(data[MIME]) for data in answers if MIME in data]
        Event().wait(chance.uniform(0, 0.005))
        kernel.kill()
    return answered


def journal_of(home: Path) -> list[Recorded]:
    """The events of the session, after the file itself was checked."""
    path = home / "journal.db"
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(SqliteJournal(path)) as journal:
        (info,) = journal.sessions()
        return journal.read(info.id)


def check(entries: list[Recorded], answered: list[Answered]) -> Session:
    """Contiguous, whole, decodable, and nothing missing that was answered."""
    assert [entry.position for entry in entries] == list(range(1, len(entries) + 1))
    for entry, after in zip(entries, entries[1:] + entries[:1], strict=True):
        if isinstance(entry.event, BranchOpened):
            assert isinstance(after.event, StepAdded)
            assert after.first == entry.first
    session = replay(entries)
    steps = {(step.branch, step.number): step for step in session.steps.values()}
    lost = [place for place in answered if place not in steps]
    unfinished = [place for place in answered if steps[place].outcome is None]
    assert (lost, unfinished) == ([], [])
    assert len(set(answered)) == len(answered)
    return session


def test_fifty_kernels_killed_at_random_moments_lose_nothing_that_was_answered(tmp_path: Path):
    chance = random.Random(50)
    answered: list[Answered] = []
    history: list[Recorded] = []

    for life in range(SHELLS + KERNELS):
        end = killed_shell if life < SHELLS else killed_kernel
        answered += end(tmp_path, life, chance)
        entries = journal_of(tmp_path)
        session = check(entries, answered)
        assert entries[: len(history)] == history
        assert len(session.running) <= 1
        history = entries

    with running(tmp_path / "after", tmp_path) as kernel:
        goes_on(kernel, session)


def goes_on(kernel: Kernel, before: Session) -> None:
    """A session that was killed is resumed: what ran then is interrupted, the next step is new."""
    ran = kernel.ok("%%step Go on\n1")

    main = before.lines[MAIN]
    assert ran.answer["step_number"] == main.numbers[-1] + 1
    assert ran.answer["step_history_length"] == len(before.steps) + 1
    assert set(kernel.steps("outcome")) <= {"ok", "interrupted"}
    lost = [step.key for step in before.steps.values() if step.running is not None]
    assert len(lost) <= kernel.steps("outcome").count("interrupted")


def test_a_step_that_was_killed_is_interrupted_and_can_be_run_again(tmp_path: Path):
    code = "%%step Wait\nimport threading\nprint('waiting', flush=True)\nthreading.Event().wait(60)"
    with running(tmp_path / "killed", tmp_path) as kernel:
        next(kernel.published(kernel.send(code, "a")))
        kernel.kill()

    with running(tmp_path / "next", tmp_path) as kernel:
        assert kernel.steps("number", "outcome", "error") == [
            (1, "interrupted", "the kernel ended while it ran")
        ]
        kernel.ok("%%step Wait\n1", "a")
        assert kernel.steps("number", "outcome", "attempts") == [(1, "ok", 2)]
