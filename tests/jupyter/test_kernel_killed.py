"""A kernel killed at any moment loses nothing that was answered, and breaks nothing."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.amount import times
from tests.jupyter.kernel import MIME, Kernel, running
from wfnb.core.events import BranchOpened, Recorded, StepAdded
from wfnb.core.replay import replay
from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.home_folder import Home
from wfnb.journal import SqliteJournal
from wfnb.views.step_words import outcome_of

pytestmark = pytest.mark.kernel

KERNELS = times(5, 50)
Answered = tuple[str, int]


def cell(life: int, number: int) -> str:
    """Steps on `main`, and branches, whose two events have to come together."""
    opens = f"%%branch life-{life}-{number} --from 1" if number % 3 == 2 else "%%step"
    return f"{opens} Work {number} of life {life} --value x\nx = {number}\nx"


def at(answer: dict[str, Any]) -> Answered:
    return answer["current_branch"] or MAIN, answer["step_number"]


def killed_kernel(home: Path, life: int, chance: random.Random) -> list[Answered]:
    """The answers of a kernel that was killed at a random moment, with more cells to run."""
    wanted = chance.randint(1, 12)
    answered: list[Answered] = []
    with running(home / f"kernel-{life}", home) as kernel:
        kernel.ok("%wfnb open notebook")
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


def test_kernels_killed_at_random_moments_lose_nothing_that_was_answered(tmp_path: Path):
    chance = random.Random(50)
    answered: list[Answered] = []
    history: list[Recorded] = []

    for life in range(KERNELS):
        answered += killed_kernel(tmp_path, life, chance)
        entries = journal_of(tmp_path)
        session = check(entries, answered)
        assert entries[: len(history)] == history
        assert len(session.running) <= 1
        history = entries

    with running(tmp_path / "after", tmp_path) as kernel:
        goes_on(kernel, session)


def goes_on(kernel: Kernel, before: Session) -> None:
    """A session that was killed is resumed: what ran then is interrupted, the next step is new."""
    kernel.ok("%wfnb open notebook")
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


def test_a_step_whose_kernel_was_killed_does_not_run_to_whoever_only_looks(tmp_path: Path):
    with running(tmp_path / "kernel", tmp_path) as kernel:
        kernel.ok("%wfnb open notebook")
        kernel.send("%%step Wait\nimport time\nprint('waits', flush=True)\ntime.sleep(600)")
        home = Home(tmp_path)
        while not any(step for step in looked(home)):
            Event().wait(0.05)
        before = looked(home)
        kernel.kill()
        kernel.manager.provisioner.process.wait()

        assert (before, looked(home)) == (["running"], ["interrupted"])


def looked(home: Home) -> list[str]:
    """How the steps are of the session that is kept there, which nobody opens."""
    return [outcome_of(step) for info in home.sessions() for step in home.look(info).steps.values()]
