"""A runner whose journal waits for nobody, and which has little patience itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflows.runner.place import Drawn, runner_on
from wfnb.journal import SqliteJournal
from wfnb.workflows.runner import run_loop

BUSY = 0.05

"""Seconds that this journal waits for other processes."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_loop, "RETRY_DELAYS", (0.01, 0.01))


@pytest.fixture
def runner(home: Path) -> Iterator[Drawn]:
    journal = SqliteJournal(home / "journal.db", busy=BUSY)
    yield runner_on(journal, home)
    journal.close()
