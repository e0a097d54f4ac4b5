"""A rollback goes into the runs that were called: whatever their shape, and whenever one dies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.amount import times
from wfnb.errors import RunEndedAlready
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .mortal import ForkServer, Moment, effects, fork_server, register
from .place import LONG, gone_on, runner_in, step, steps
from .scenarios import SCENARIOS
from .test_at_once import outcome
from .test_killed import WORKERS, check, ended, shared

TREES = [f"tree {seed}" for seed in range(times(12, 200))]


@dataclass
class Model:
    """What a run of a definition does, and what is left of it: told by the pages, not by the code.
    `stack` has what a rollback undoes, last first: an action and its compensation, or a run."""

    definition: Mapping[str, Any]
    done: list[str]
    stack: list[tuple[str, Any]] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    undone: bool = False
    status: str = ""

    def perform(self) -> bool:
        """Whether all that had to succeed did."""
        for each in self.definition["steps"]:
            id, undo = each["id"], each.get("compensation")
            if each["tool"] == "fail":
                self.done.append(f"{id} fail")
                if self.definition["rollback"]:
                    self.roll_back()
                else:
                    self.status = "failed"
                return False
            if each["tool"] == "note":
                self.done.append(f"{id} make {id}")
                self.stack += [(id, undo)] if undo else []
                continue
            inner = Model(each["args"]["workflow_definition"], self.done)
            if inner.perform() and undo:
                self.stack.append((id, undo))
            elif inner.stack or inner.stuck:
                self.stack.append((id, inner))
        self.status = "success"
        return True

    def roll_back(self) -> None:
        while self.stack:
            id, undo = self.stack.pop()
            if isinstance(undo, Model):
                if undo.stack:
                    undo.roll_back()
                well, self.undone = not undo.stuck, self.undone or (undo.undone and not undo.stuck)
            elif undo["tool"] == "fail":
                self.done.append(f"{id} fail")
                well = False
            else:
                self.done += [f"{id} {undo['args']['what']}"] * (1 + undo.get("retry", 0))
                well = self.undone = True
            self.stuck += [] if well else [id]
        self.status = (
            "partly_rolled_back" if self.stuck else "rolled_back" if self.undone else "failed"
        )


@pytest.fixture(scope="module")
def servers() -> Iterator[list[ForkServer]]:
    with ExitStack() as opened:
        yield [opened.enter_context(fork_server()) for _ in range(WORKERS)]


def said(folder: Path) -> list[str]:
    return [f"{action} {what}" for action, what, _ in effects(folder)]


def test_runs_within_runs_are_undone_where_they_stand_and_nothing_else(
    servers: list[ForkServer], tmp_path: Path
):
    def like_the_model(place: int, share: list[str]) -> list[int]:
        for scenario in share:
            folder = tmp_path / scenario
            folder.mkdir()
            model = Model(SCENARIOS[scenario], [])
            model.perform()
            ends = servers[place].live(folder, scenario)
            assert ends is not None
            assert (said(folder), ends["status"]) == (model.done, model.status), scenario
        return [1] * len(share)

    assert len(shared(like_the_model, TREES)) == len(TREES)


@pytest.mark.parametrize("scenario", ["tree 17"])
def test_a_nested_rollback_killed_at_any_of_its_writes_ends_as_if_it_had_not_been(
    servers: list[ForkServer], tmp_path: Path, scenario: str
):
    whole = tmp_path / "whole"
    whole.mkdir()
    told = servers[0].live(whole, scenario)
    assert told is not None
    wanted, done = ended(whole), effects(whole)
    writes = range(1, told["writes"] + 1)
    moments: list[Moment] = [(when, n) for n in writes for when in ("before", "after")][
        :: times(9, 1)
    ]

    def killed(place: int, share: list[Moment]) -> list[int]:
        return [
            check(servers[place], tmp_path / f"{when}-{n}", scenario, [(when, n)], wanted, done)
            for when, n in share
        ]

    shared(killed, moments)


@pytest.mark.parametrize("scenario", ["tree 17", "tree 40", "tree 61"])
def test_a_cancel_that_is_killed_in_its_rollback_ends_as_if_it_had_not_been(
    servers: list[ForkServer], tmp_path: Path, scenario: str
):
    whole = servers[0].live(tmp_path / "whole", scenario)
    assert whole is not None
    moments = [(n, 4 + n % 4) for n in range(1, whole["writes"], times(14, 1))]

    def killed(place: int, share: list[tuple[int, int]]) -> list[int]:
        here = servers[place]
        for begun, undoing in share:
            one, two = (tmp_path / f"{begun}-{undoing}-{name}" for name in ("whole", "killed"))
            for folder in (one, two):
                assert here.live(folder, scenario, ("after", begun)) is None
            if "status" not in cancelled(here, one, scenario):
                continue
            end = (("before", "after")[begun % 2], undoing)
            here.live(two, scenario, end, cancels=True)
            for _ in range(3):
                said = cancelled(here, two, scenario)
                if "uncertain" not in said:
                    break
                asked = said["uncertain"][0].partition(" ")[0].rpartition("/")[2]
                back = effects(two)[-1][1] == f"back for {asked}"
                here.live(two, scenario, lost="done" if back else "again")
            (ends, undone), (other_ends, other_undone) = outcome(one), outcome(two)
            assert other_ends[0] == ends[0], (begun, end, said)
            assert (other_undone - undone).total() <= 1, (begun, end, said)  # what was in flight
            assert undone - other_undone == {}, (begun, end, said)
            assert (
                max((n for what, n in other_undone.items() if "back for" in what), default=1) == 1
            )
        return [1] * len(share)

    shared(killed, moments)


def cancelled(here: ForkServer, folder: Path, scenario: str) -> dict[str, Any]:
    said = here.live(folder, scenario, cancels=True)
    assert said is not None
    return said


def within(id: str, definition: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    args = {"workflow_definition": definition, "save_on_success": False}
    return step(id, "run_workflow", args=args, **more)


def makes(id: str, command: str = "true", **more: Any) -> dict[str, Any]:
    """A step that is undone by a line in `undone`, if that command succeeds."""
    undo = {"tool": "shell", "args": {"command": f"{command} && echo {id} >> undone"}}
    return step(id, "shell", args={"command": "true"}, compensation=undo, **more)


FAILS = step("bad", "shell", args={"command": "exit 3"})


def undone(folder: Path) -> list[str]:
    file = folder / "undone"
    return file.read_text().split() if file.exists() else []


def test_what_cannot_be_undone_is_named_and_can_be_undone_later(runner: Runner, tmp_path: Path):
    inner = steps(makes("a"), makes("b", "test -e key"), makes("c"))
    result = runner.run(steps(makes("first"), within("down", within_again(inner)), FAILS))
    stages = [(result.status, undone(tmp_path))]

    for key in (False, True):
        if key:
            (tmp_path / "key").touch()
        log = runner.cancel(result.run, rollback=True)
        stages.append((log.run.status, undone(tmp_path)))

    assert stages == [
        ("partly_rolled_back", ["c", "a", "first"]),
        ("partly_rolled_back", ["c", "a", "first"]),
        ("rolled_back", ["c", "a", "first", "b"]),
    ]
    assert result.error == (
        "bad: exit code 3 · not undone: down (of told-2: again (of told-3: b (exit code 1)))"
    )
    assert runner.log(result.run).run.error == "bad: exit code 3"
    assert [runner.log(f"told-{n}").run.status for n in (2, 3)] == ["rolled_back"] * 2
    with pytest.raises(RunEndedAlready):
        runner.cancel(result.run, rollback=True)


@pytest.mark.parametrize("undoes", [True, False])
@pytest.mark.parametrize("attempts", [1, 2])
def test_what_an_attempt_left_is_a_warning_of_the_run_that_succeeds(
    runner: Runner, undoes: bool, attempts: int
):
    """Whatever came of the next attempt: nobody undoes it any more."""
    enough = f"echo x >> tries; test $(wc -l < tries) -gt {attempts}"
    tried = step("b", "shell", args={"command": enough})
    inner = steps(makes("a", "true" if undoes else "false"), tried)

    result = runner.run(steps(within("down", inner, retry=attempts)))

    left = [
        f"down: told-{n} was rolled back only in part, and what it left stays: b: exit code 1 · "
        "not undone: a (exit code 1)"
        for n in range(2, 2 + attempts)
    ]
    assert (result.status, result.warnings) == ("success", [] if undoes else left)


def test_what_is_undone_later_is_no_warning(runner: Runner):
    inner = steps(makes("a", "false"), FAILS)

    result = runner.run(steps(makes("first"), within("down", inner)))

    assert (result.status, result.warnings) == ("partly_rolled_back", [])


def within_again(definition: Mapping[str, Any]) -> dict[str, Any]:
    return steps(within("again", definition))


def test_its_own_compensation_undoes_all_of_a_nested_run(runner: Runner, tmp_path: Path):
    own = {"tool": "shell", "args": {"command": "echo own >> undone"}}

    result = runner.run(steps(within("down", steps(makes("a")), compensation=own), FAILS))

    assert (result.status, undone(tmp_path)) == ("rolled_back", ["own"])


def test_of_runs_side_by_side_each_is_undone_as_a_whole(runner: Runner, tmp_path: Path):
    one, other = (steps(makes(f"a{n}"), makes(f"b{n}")) for n in (1, 2))
    bad = {**FAILS, "needs": ["one", "other"]}

    result = runner.run(steps(within("one", one), within("other", other), bad, mode="parallel"))

    order = undone(tmp_path)
    assert result.status == "rolled_back"
    assert order in (["b1", "a1", "b2", "a2"], ["b2", "a2", "b1", "a1"])


def test_a_run_that_was_undone_with_its_parent_is_done_anew_with_it(runner: Runner, tmp_path: Path):
    test = step("bad", "shell", args={"command": "test -e key"})
    name = runner.run(steps(within("down", steps(makes("a"))), test)).run
    (tmp_path / "key").touch()

    assert gone_on(runner, name).status == "success"
    assert [info.status for info in runner.session_log.journal.runs(runner.session_log.id)] == [
        "success",
        "rolled_back",
        "success",
    ]


@pytest.mark.parametrize("rollback", [True, False])
def test_what_a_run_did_that_had_ended_is_undone_when_its_parent_is_cancelled(
    runner: Runner, tmp_path: Path, rollback: bool
):
    inner = within("down", steps(makes("a")))
    running = runner.start(
        steps(makes("first"), inner, step("waits", "sleep", args={"seconds": LONG}))
    )
    while "down" not in running.run.results:
        running.changed.wait(0.1)
        running.changed.clear()

    running.stop(rollback=rollback)
    running.wait()

    assert running.run.status == "cancelled"
    assert undone(tmp_path) == (["a", "first"] if rollback else [])
    if not rollback:  # a person may think better of it
        assert runner.cancel(running.name, rollback=True).run.status == "rolled_back"
        assert undone(tmp_path) == ["a", "first"]


def test_secrets_that_a_nested_run_was_given_undo_it_and_are_nowhere_written(
    runner: Runner, home: Path, tmp_path: Path
):
    used: list[str] = []

    @tool
    def give_back(word: str) -> None:
        used.append(word)

    inner = steps(
        step(
            "a",
            "shell",
            args={"command": "true"},
            compensation={"tool": "give_back", "args": {"word": "{token}"}},
        ),
        variables={"token": {"secret": True}},
    )
    down = within("down", inner)
    down["args"]["initial_variables"] = {"token": "{token}"}
    wanted = steps(down, FAILS, variables={"token": {"secret": True}})

    result = runner.run(wanted, secrets={"token": "a long word"})

    assert (result.status, used) == ("rolled_back", ["a long word"])
    assert b"a long word" not in b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file())


@pytest.mark.parametrize("number", range(2, 18))
def test_a_killed_run_that_is_cancelled_undoes_what_the_runs_within_it_did(
    servers: list[ForkServer], tmp_path: Path, number: int
):
    assert servers[0].live(tmp_path, "saga", ("after", number)) is None
    register()
    runner = runner_in(tmp_path / "home")
    (run,) = runner.runs()

    runner.cancel(run.name, rollback=True)

    told = [str(what).partition(" ")[::2] for _, what, _ in effects(tmp_path)]
    made, back = ([id for what, id in told if what == word] for word in ("make", "undo"))
    order = list(dict.fromkeys(back))
    assert order == sorted(order, reverse=True)
    assert set(made) <= set(back)
    assert len(order) - len(set(made)) <= 1  # one may have been begun and not done
