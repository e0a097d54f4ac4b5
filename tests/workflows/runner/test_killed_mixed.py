"""Whatever a small run does, killed at any of its events and gone on with, it ends as if it had not
been: with the same calls, values and report, nothing paid twice."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.amount import times
from wfnb.journal import SqliteJournal
from wfnb.workflows.core.commands import Verdict
from wfnb.workflows.run_log import RunLog

from .mortal import ForkServer, Moment, effects, fork_server
from .test_killed import WORKERS, ended, paid, shared, unordered

MIXED = [f"mixed {seed}" for seed in range(times(2, 120))]
MOMENTS, KILLS = 6, 2
"""Kills of a run that is killed once, and how often one is killed that is killed several times."""


@pytest.fixture(scope="module")
def servers() -> Iterator[list[ForkServer]]:
    with ExitStack() as opened:
        yield [opened.enter_context(fork_server()) for _ in range(WORKERS)]


def answers(folder: Path, asked: Iterable[str]) -> dict[str, Verdict]:
    """For each call that is asked about whether it was done, as the effects say."""
    journal = SqliteJournal(folder / "home" / "journal.db")
    try:
        runs = [RunLog(journal, info).run for info in journal.runs()]
    finally:
        journal.close()
    found: dict[str, Verdict] = {}
    for call in asked:
        name, _, kind = call.partition(" ")
        action, undoing = name.rpartition("/")[2], "undoing" in kind
        known = [
            each
            for run in runs
            for each in run.calls.values()
            if (each.action, each.undoes is not None, each.status) == (action, undoing, "ok")
        ]
        what = "back for" if undoing else "bill"
        paid = (by for by, said, _ in effects(folder) if str(said).startswith(what))
        done = sum(by == action for by in paid)
        found[name] = "done" if done > len(known) else "again"
    return found


def survived(here: ForkServer, folder: Path, scenario: str, ends: list[Moment]) -> None:
    lost: Any = "ask"
    for end in [*ends, *[None] * 4]:
        said, lost = here.live(folder, scenario, end, lost), "ask"
        if said is not None and "uncertain" not in said:
            return
        lost = answers(folder, said["uncertain"]) if said is not None else "ask"
    raise AssertionError("it did not come to its end")


def test_a_run_of_anything_that_is_killed_at_any_event_ends_as_if_it_had_not_been(
    servers: list[ForkServer], tmp_path: Path
):
    def killed(place: int, share: list[str]) -> list[int]:
        here, count = servers[place], 0
        for scenario in share:
            whole, chance = tmp_path / scenario, Random(scenario)
            said = here.live(whole, scenario)
            assert said is not None
            wanted, done = unordered(scenario, ended(whole)), effects(whole)
            every = [
                (when, n) for n in range(1, said["writes"] + 1) for when in ("before", "after")
            ]
            once = [[moment] for moment in chance.sample(every, min(MOMENTS, len(every)))]
            then = [("before", chance.randint(1, 4)), ("after", chance.randint(1, 3))]
            for number, ends in enumerate([*once, [chance.choice(every), *then[:KILLS]]]):
                folder = tmp_path / f"{scenario} {number}"
                survived(here, folder, scenario, ends)
                assert unordered(scenario, ended(folder)) == wanted, (scenario, ends)
                assert paid(effects(folder)) == paid(done), (scenario, ends)
                count += 1
        return [count]

    assert sum(shared(killed, MIXED)) > len(MIXED)
