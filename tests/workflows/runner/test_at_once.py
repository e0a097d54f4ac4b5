"""Two processes do something to one run at once: one of them does it, and nothing is done twice."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import pytest

from tests.amount import times
from wfnb.journal import SqliteJournal
from wfnb.workflows.run_log import RunLog

from .mortal import ForkServer, effects, fork_server

TWO = 2


@pytest.fixture(scope="module")
def servers() -> Iterator[list[ForkServer]]:
    with ExitStack() as opened:
        yield [opened.enter_context(fork_server()) for _ in range(TWO)]


def at_once(servers: list[ForkServer], folder: Path, scenario: str, *cancels: bool) -> list[Any]:
    """What each process says that goes on with the run, or cancels it."""
    with ThreadPool(TWO) as pool:
        pairs = zip(servers, cancels, strict=True)
        live = [(here, folder, scenario, None, "again", what) for here, what in pairs]
        return pool.starmap(ForkServer.live, live)


def outcome(folder: Path) -> tuple[list[str], Counter[str]]:
    """How each run ended, and what was undone, and how often."""
    journal = SqliteJournal(folder / "home" / "journal.db")
    try:
        statuses = [RunLog(journal, info).run.status for info in journal.runs()]
    finally:
        journal.close()
    done = [str(what) for _, what, _ in effects(folder)]
    return statuses, Counter(what for what in done if what.startswith(("undo", "back for")))


@pytest.mark.parametrize("scenario", ["rollback", "saga", "tree 17"])
def test_of_two_that_cancel_a_killed_run_one_rolls_it_back(
    servers: list[ForkServer], tmp_path: Path, scenario: str
):
    whole = servers[0].live(tmp_path / "whole", scenario)
    assert whole is not None
    for number in range(2, whole["writes"], times(11, 1)):
        one, two = tmp_path / f"{number} by one", tmp_path / f"{number} by two"
        for folder in (one, two):
            assert servers[0].live(folder, scenario, ("after", number)) is None
        assert servers[0].live(one, scenario, cancels=True) is not None
        said = at_once(servers, two, scenario, True, True)

        assert outcome(two) == outcome(one), (number, said)
        status = outcome(two)[0][0]
        assert {each.get("status") for each in said} <= {status, "running", None}, (number, said)


@pytest.mark.parametrize("scenario", ["saga", "nested"])
def test_of_one_that_cancels_a_killed_run_and_one_that_goes_on_neither_leaves_it_running(
    servers: list[ForkServer], tmp_path: Path, scenario: str
):
    whole = servers[0].live(tmp_path / "whole", scenario)
    assert whole is not None
    for number in range(2, whole["writes"], times(11, 1)):
        folder = tmp_path / str(number)
        assert servers[0].live(folder, scenario, ("after", number)) is None
        said = at_once(servers, folder, scenario, True, False)

        statuses, undone = outcome(folder)
        assert "running" not in statuses, (number, said)
        made = Counter(str(what).partition(" ")[2] for _, what, _ in effects(folder))
        assert all(n <= made[what.partition(" ")[2]] for what, n in undone.items()), (number, said)


@pytest.mark.parametrize("reached", [180, *range(196, 201)])
def test_a_run_that_is_cancelled_while_it_ends_is_what_both_say(
    servers: list[ForkServer], tmp_path: Path, reached: int
):
    def cancels() -> dict[str, Any] | None:
        while len(effects(tmp_path)) < reached:
            pass
        return servers[1].live(tmp_path, "long", cancels=True)

    with ThreadPool(TWO) as pool:
        performs = pool.apply_async(servers[0].live, (tmp_path, "long"))
        said, performed = pool.apply(cancels), performs.get()

    ((status,), _) = outcome(tmp_path)
    assert said is not None
    assert performed is not None
    assert performed["status"] == status == ("success" if "taken" in said else "cancelled")
    assert said.get("status") in (None, "running", "cancelled")
