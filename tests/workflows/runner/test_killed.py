"""A run whose process is killed at any moment goes on: nothing recorded is lost, at most the calls
in flight are made again, and what must not be done twice is not, unless somebody said so."""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import pytest

from tests.amount import times
from wfnb.errors import CallUncertain
from wfnb.journal import SqliteJournal
from wfnb.workflows.core.run import Run
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.views.action_rows import rows

from .mortal import ForkServer, Moment, effects, fork_server, register
from .place import gone_on, runner_in
from .scenarios import SCENARIOS, is_side_by_side

WORKERS = 2
KILLS = times(8, 50)
APART = ("elapsed_time", "taken_as_done", "final_state")
AGAIN = {"parallel": 3, "groups": 2}
"""Calls in flight at the same time."""


@pytest.fixture(scope="module")
def servers() -> Iterator[list[ForkServer]]:
    with ExitStack() as opened:
        yield [opened.enter_context(fork_server()) for _ in range(WORKERS)]


def ended(folder: Path) -> list[dict[str, Any]]:
    """All that is to be the same, whatever happened on the way: of each run, in order."""
    journal = SqliteJournal(folder / "home" / "journal.db")
    try:
        return [_told(RunLog(journal, info).run) for info in journal.runs()]
    finally:
        journal.close()


def _told(run: Run) -> dict[str, Any]:
    ended = (call for call in run.calls.values() if call.status not in ("unknown", "running"))
    known = [call for call in ended if call.items is None]  # a list is begun anew with what is left
    return {
        "status": run.status,
        "error": run.error,
        "final state": run.final_state,
        "settled": dict(run.settled),
        "calls": [
            (
                call.action,
                call.undoes is not None,
                call.attempt,
                call.status,
                _timeless(call.result),
            )
            for call in known
        ],
        "variables": _timeless(run.variables),
        "report": [(row.action, row.state, row.undo) for row in rows(run)],
    }


def _timeless(value: Any) -> Any:
    """Without times, what tells that a call was taken as done, and what depends on an order."""
    if isinstance(value, dict):
        told = {name: _timeless(item) for name, item in sorted(value.items())}
        return {name: item for name, item in told.items() if not name.endswith(APART)}
    return [*map(_timeless, value)] if isinstance(value, list) else value


def unordered(scenario: str, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Where actions run side by side, their order is nobody's."""
    if is_side_by_side(SCENARIOS[scenario]):
        for run in told:
            run["calls"] = sorted(map(str, run["calls"]))
            run["report"] = sorted(run["report"])
            run["final state"] = None
    return told


def paid(done: list[Any]) -> Counter[str]:
    words = ("bill", "back for", "inside")
    return Counter(str(what) for _, what, _ in done if str(what).startswith(words))


def survived(
    here: ForkServer, folder: Path, scenario: str, ends: list[Moment], whole: list[Any]
) -> int:
    """Live and be killed until the run has ended; how often nobody knew whether it was done."""
    folder.mkdir(parents=True)
    doubts = 0
    lost = "ask"
    for end in [*ends, *[None] * 5]:
        before = effects(folder), _size(folder)
        said = here.live(folder, scenario, end, lost)
        lost = "ask"
        if said is None:
            assert end is not None
        elif "uncertain" in said:
            doubts += 1
            assert (effects(folder), _size(folder)) == before, "it was to ask first"
            pays = f"pay{', undoing' * scenario.startswith(('rollback', 'tree'))})"
            assert [call.partition("(")[2] for call in said["uncertain"]] == [pays]
            action = said["uncertain"][0].partition(" ")[0].rpartition("/")[2]
            since = before[0][-1] if before[0] else [None]
            lost = "done" if since[0] == action else "again"
        else:
            return doubts
    raise AssertionError("it did not come to its end")


def _size(folder: Path) -> int:
    return sum(len(run["calls"]) for run in ended(folder)) if (folder / "home").exists() else 0


@pytest.mark.parametrize(
    "scenario",
    [
        *("forward", "rollback", "parallel", "despite", "last", "nested", "loop", "again"),
        *("groups", "each", "each undone"),
    ],
)
def test_a_run_killed_before_or_after_any_of_its_writes_ends_as_if_it_had_not_been(
    servers: list[ForkServer], tmp_path: Path, scenario: str
):
    whole = tmp_path / "whole"
    whole.mkdir()
    said = servers[0].live(whole, scenario)
    assert said is not None
    wanted, done = unordered(scenario, ended(whole)), effects(whole)
    moments = [(when, n) for n in range(1, said["writes"] + 1) for when in ("before", "after")]
    if scenario.startswith("each"):  # long, and much alike
        moments = random.Random(30).sample(moments, times(10, len(moments)))
    else:
        moments = moments[:: times(3, 1)]

    def killed(place: int, share: list[Moment]) -> list[int]:
        return [
            check(servers[place], tmp_path / f"{when}-{n}", scenario, [(when, n)], wanted, done)
            for when, n in share
        ]

    doubts = shared(killed, moments)

    asked, pays = sum(doubts) > 0, len(paid(done)) > 0
    assert pays or not asked
    assert asked or not pays or times(1, 0)  # some moments may miss that of the payment


@pytest.mark.parametrize("scenario", ["rollback", "nested"])
def test_a_run_that_is_killed_again_when_it_goes_on_ends_as_if_it_had_not_been(
    servers: list[ForkServer], tmp_path: Path, scenario: str
):
    whole = tmp_path / "whole"
    whole.mkdir()
    said = servers[0].live(whole, scenario)
    assert said is not None
    wanted, done = ended(whole), effects(whole)
    moments: list[list[Moment]] = [
        [(("before", "after")[n % 2], n), (("after", "before")[m % 2], m), ("before", 2)]
        for n in range(1, said["writes"] + 1)
        for m in (1, 2)
    ]
    moments = moments[:: times(5, 1)]

    def killed(place: int, share: list[list[Moment]]) -> list[int]:
        folder = partial("{}-{}".format, place)
        return [
            check(servers[place], tmp_path / folder(n), scenario, ends, wanted, done)
            for n, ends in enumerate(share)
        ]

    shared(killed, moments)


def shared(work: Any, items: list[Any]) -> list[int]:
    """The work of all items, done by all servers at once."""
    with ThreadPool(WORKERS) as pool:
        shares = [items[place::WORKERS] for place in range(WORKERS)]
        return [one for found in pool.starmap(work, enumerate(shares)) for one in found]


def check(
    here: ForkServer,
    folder: Path,
    scenario: str,
    ends: list[Moment],
    wanted: list[dict[str, Any]],
    done: list[Any],
) -> int:
    doubts = survived(here, folder, scenario, ends, done)
    made = effects(folder)
    again = Counter(map(str, made)) - Counter(map(str, done))
    assert unordered(scenario, ended(folder)) == wanted, (scenario, ends)
    assert Counter(map(str, done)) - Counter(map(str, made)) == Counter(), (scenario, ends)
    assert again.total() <= AGAIN.get(scenario, 1) * len(ends), (scenario, ends)
    assert paid(made) == paid(done), (scenario, ends)
    if scenario not in AGAIN:  # what was made again was made again at once, in its place
        assert [one for n, one in enumerate(made) if made[n - 1 : n] != [one]] == done
    return doubts


@pytest.mark.parametrize(("lost", "times"), [("again", 2), ("done", 1)])
def test_a_killed_run_asks_before_it_pays_again_after_it_was_cancelled_too(
    servers: list[ForkServer], tmp_path: Path, lost: Any, times: int
):
    assert servers[0].live(tmp_path, "forward", ("before", 6)) is None
    assert paid(effects(tmp_path)) == {"bill 4": 1}
    register()
    runner = runner_in(tmp_path / "home")
    (run,) = runner.runs()
    assert runner.cancel(run.name).run.status == "cancelled"

    with pytest.raises(CallUncertain, match=r"s4 \(pay\)"):
        runner.resume(run.name)
    running = runner.resume(run.name, lost=lost, save=False)
    running.wait()

    assert running.run.status == "success"
    assert paid(effects(tmp_path)) == {"bill 4": times, "bill 13": 1}


@pytest.mark.parametrize("scenario", ["last", "despite", "nested"])
def test_a_killed_run_that_is_cancelled_ends_with_all_that_it_called_and_does_what_is_always_done(
    servers: list[ForkServer], tmp_path: Path, scenario: str
):
    whole = servers[0].live(tmp_path / "whole", scenario)
    assert whole is not None
    moments = [("before", number) for number in range(2, whole["writes"])]
    moments += [("after", number) for number in range(1, whole["writes"])]
    for moment in moments[:: times(5, 1)]:
        folder = tmp_path / " ".join(map(str, moment))
        assert servers[0].live(folder, scenario, moment) is None
        register()
        runner = runner_in(folder / "home")
        (run,) = runner.runs()

        with suppress(CallUncertain):  # a compensation was being called
            assert runner.cancel(run.name, True).run.status != "running", moment
            assert {told["status"] for told in ended(folder)}.isdisjoint({"running"}), moment
        done = {str(what) for _, what, _ in effects(folder)}
        assert scenario != "last" or any(what.startswith(("close", "x")) for what in done), moment


@pytest.mark.parametrize("rollback", [True, False, None])
@pytest.mark.parametrize("scenario", ["rollback", "tree 17"])
def test_a_cancel_that_is_refused_after_a_kill_in_the_rollback_counts_for_nothing(
    servers: list[ForkServer], tmp_path: Path, scenario: str, rollback: bool | None
):
    register()
    whole, refusals = servers[0].live(tmp_path / "whole", scenario), list[str]()
    assert whole is not None
    every = times(7, 1) if scenario == "tree 17" else 1
    for number in range(every, whole["writes"], every):
        folder = tmp_path / str(number)
        assert servers[0].live(folder, scenario, ("after", number)) is None
        runner = runner_in(folder / "home")
        before = recorded(runner)
        (run,) = runner.runs()
        try:
            runner.cancel(run.name, rollback)
            continue
        except CallUncertain as refusal:
            refusals.append(str(refusal))
        assert recorded(runner) == before
        assert gone_on(runner, run.name, lost="again").status == whole["status"]

    assert refusals
    assert all(", undoing)" in said for said in refusals)


def recorded(runner: Runner) -> list[Any]:
    """All events of all runs of its session."""
    journal = runner.session_log.journal
    return [journal.read_run(info.id) for info in journal.runs(runner.session_log.id)]


@pytest.mark.parametrize("number", range(6))
def test_of_two_processes_that_take_a_run_over_one_gets_it(
    servers: list[ForkServer], tmp_path: Path, number: int
):
    assert servers[0].live(tmp_path, "long", ("after", 20 + number)) is None

    with ThreadPool(WORKERS) as pool:
        said = pool.map(lambda here: here.live(tmp_path, "long"), servers)

    assert sorted("taken" in (one or {}) for one in said) == [False, True]
    made = [what for _, what, _ in effects(tmp_path)]
    assert list(dict.fromkeys(made)) == list(range(200))
    assert len(made) <= 201


def test_random_kills_of_two_hundred_steps_lose_no_step(servers: list[ForkServer], tmp_path: Path):
    chance = random.Random(50)
    kills = again = 0

    for number in range(KILLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        said = None
        recorded: list[Any] = []
        while said is None:
            reached = len(effects(folder)) + chance.randint(0, 40)
            said = servers[0].live(
                folder,
                "long",
                reached=reached if kills < KILLS else None,
                late=chance.uniform(0, 0.003),
            )
            kills += said is None
            runs = ended(folder) if (folder / "home" / "journal.db").exists() else []
            now = runs[0]["calls"] if runs else []  # it may be killed before the run is recorded
            assert now[: len(recorded)] == recorded
            recorded = now
        made = [what for _, what, _ in effects(folder)]
        assert list(dict.fromkeys(made)) == list(range(200))
        assert made == sorted(made)
        again += len(made) - 200
        assert [call[:4] for call in recorded] == [(f"s{n}", False, 1, "ok") for n in range(200)]
        if kills >= KILLS:
            break

    assert kills == KILLS
    assert again <= kills
