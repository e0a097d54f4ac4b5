"""However a run failed, was rolled back and went on: a success has done all that it says."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.amount import times
from wfnb.errors import CallStands, CallUncertain, RunEndedAlready
from wfnb.workflows.core.run import Run
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import REGISTRY, tool
from wfnb.workflows.tools.result_fields import ToolFailed

from .place import SOON, gone_on, runner_in, steps

DONE: Counter[str] = Counter()
"""How often each was done, less how often it was undone."""
FAILURES: dict[str, int] = {}
"""How often each call will fail yet."""
STOPS: list[Callable[[], None]] = []
"""What the call after so many others does, the last first: it stops the run."""


@pytest.fixture(scope="module", autouse=True)
def _tools() -> Iterator[None]:
    before = dict(REGISTRY._registered)

    def fails(what: str) -> None:
        if FAILURES.get(what):
            FAILURES[what] -= 1
            raise ToolFailed(f"{what} broke")

    @tool
    def make(name: str) -> None:
        if STOPS:
            STOPS.pop()()
        fails(name)
        DONE[name] += 1

    @tool
    def unmake(name: str) -> None:
        fails(f"un{name}")
        DONE[name] -= 1

    yield
    REGISTRY._registered.clear()
    REGISTRY._registered.update(before)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    DONE.clear()
    FAILURES.clear()
    STOPS.clear()
    return runner_in(tmp_path / "home")


def called(name: str, placeholder: str = "", unmade: bool = True) -> dict[str, Any]:
    """An action that makes something, and what unmakes it; of an item its `placeholder`."""
    params = {"name": placeholder or name}
    undo = {"tool": "unmake", "params": params}
    return {"tool": "make", "params": params, **({"compensation": undo} if unmade else {})}


class Draw:
    """Draws definitions, and what fails how often. `unmade`: how much of what is made can be
    unmade, 1 for all of it."""

    def __init__(self, seed: int, unmade: float = 1) -> None:
        self.random = random.Random(seed)
        self.unmade = unmade
        self.names: list[str] = []

    def name(self) -> str:
        name = f"n{len(self.names)}"
        self.names.append(name)
        if self.random.random() < 0.2:
            FAILURES[name] = self.random.randint(1, 2)
        if self.random.random() < 0.15:
            FAILURES[f"un{name}"] = self.random.randint(1, 2)
        return name

    def action(self, depth: int) -> dict[str, Any]:
        kind = self.random.choice(["one", "one", "items", "nested"])
        if kind == "nested" and depth < 2:
            inner = {"workflow_definition": self.definition(depth + 1), "save_on_success": False}
            return {"tool": "run_workflow", "params": inner}
        if kind == "items":
            items = [self.name() for _ in range(self.random.randint(1, 3))]
            each = {"items": items, "max_parallel": self.random.choice([1, 2])}
            return {**called("", "{item}", self.is_unmade()), "for_each": each}
        return called(self.name(), unmade=self.is_unmade())

    def is_unmade(self) -> bool:
        return self.unmade == 1 or self.random.random() < self.unmade

    def steps(self, depth: int, number: int, prefix: str) -> dict[str, Any]:
        made: list[dict[str, Any]] = []
        parallel = self.random.random() < 0.5
        for index in range(number):
            needs = [f"{prefix}{self.random.randrange(index)}"] if index and parallel else []
            more = {"needs": needs} if needs and self.random.random() < 0.5 else {}
            made.append({"id": f"{prefix}{index}", **self.action(depth), **more})
        return {"steps": made, "mode": "parallel" if parallel else "sequence"}

    def definition(self, depth: int = 0) -> dict[str, Any]:
        name = f"w{self.random.randrange(10**6)}"
        if self.random.random() < 0.4:
            return {"name": name, **self.steps(depth, self.random.randint(2, 4), "a")}
        number = self.random.randint(2, 4)
        states: dict[str, Any] = {}
        for index in range(number):
            if self.random.random() < 0.4:
                state = self.steps(depth, self.random.randint(1, 3), f"g{index}_")
            else:
                state = self.action(depth)
                state["action"] = {"tool": state.pop("tool"), "params": state.pop("params")}
            way = {"condition": {"success": True}, "next_state": f"s{index + 1}"}
            states[f"s{index}"] = state | ({"transitions": [way]} if index + 1 < number else {})
        return {"name": name, "initial_state": "s0", "states": states}


def performed(runner: Runner, definition: Mapping[str, Any]) -> tuple[Run, str]:
    running = runner.start(definition, save=False)
    running.wait()
    return running.run, running.name


def resumed(runner: Runner, name: str) -> tuple[Run, bool]:
    """The run gone on with, and whether it was asked, or said, that something is done again."""
    before = DONE.copy()
    try:
        running, asked = runner.resume(name, save=False), False
    except CallStands:
        running, asked = runner.resume(name, lost="again", save=False), True
    running.wait()
    said = asked or any("begins anew" in warning for warning in running.warnings)
    # Whatever else a resume does: nothing that is there is done once more without a word.
    assert said or {made: n for made, n in DONE.items() if n > max(before[made], 1)} == {}
    return running.run, asked


@pytest.mark.parametrize("unmade", [1, 0.6])
@pytest.mark.parametrize("seed", range(times(40, 1500)))
def test_a_success_has_done_each_action_at_least_once_more_than_undone(
    runner: Runner, seed: int, unmade: float
) -> None:
    draw = Draw(seed, unmade)
    run, name = performed(runner, draw.definition())

    for _ in range(25):
        if run.status == "success":
            break
        run, _ = resumed(runner, name)

    assert run.status == "success"
    assert {made: DONE[made] for made in draw.names if DONE[made] < 1} == {}


@pytest.mark.parametrize("seed", range(times(40, 1500)))
def test_a_run_that_was_cancelled_goes_on_and_is_undone_as_a_whole(
    runner: Runner, seed: int
) -> None:
    draw = Draw(seed)
    definition, chance = draw.definition(), random.Random(seed)
    begun = Event()
    said = False

    def stop() -> None:
        assert begun.wait(SOON)
        with suppress(RunEndedAlready):
            running.stop(rollback=chance.choice([None, True, False]))

    STOPS[:] = [stop, *[lambda: None] * chance.randrange(8)]
    running = runner.start(definition, save=False)
    begun.set()
    for _ in range(25):
        running.wait()
        run = running.run
        said |= any("begins anew" in warning for warning in running.warnings)
        assert said or {made: n for made, n in DONE.items() if n > 1} == {}
        assert said or run.status != "rolled_back" or not any(DONE.values())
        if run.status == "success":
            break
        try:
            running = runner.resume(running.name, save=False)
        except (CallStands, CallUncertain) as asked:
            # Of a call that was stopped nothing was done; of a nested run some of it may have been.
            said |= isinstance(asked, CallStands) or "run_workflow" in str(asked)
            running = runner.resume(running.name, lost="again", save=False)

    assert run.status == "success"
    assert {made: DONE[made] for made in draw.names if DONE[made] < 1} == {}


def test_what_a_nested_run_did_before_it_was_stopped_is_undone_with_what_it_did_since(
    runner: Runner,
) -> None:
    FAILURES.update(c=2)
    inner = steps(*({"id": name, **called(name)} for name in ("a", "b"))) | {"name": "inner"}
    nested = {"workflow_definition": inner, "save_on_success": False}
    last = {"id": "c", **called("c")}
    begun = Event()

    def stop() -> None:
        assert begun.wait(SOON)
        running.stop(rollback=False)

    STOPS[:] = [stop, lambda: None]
    running = runner.start(steps({"id": "n", "tool": "run_workflow", "params": nested}, last))
    begun.set()
    running.wait()
    assert (running.run.status, DONE["a"]) == ("cancelled", 1)

    # Where the stop came before the end of `b` was seen, that is asked about.
    run = gone_on(runner, running.name, lost="done" if DONE["b"] else "again", save=False)

    assert (run.status, DONE) == ("rolled_back", {"a": 0, "b": 0})
    infos = runner.session_log.journal.runs(runner.session_log.id)
    assert [info.name for info in infos] == ["told-1", "inner-1"]


def test_what_a_nested_run_did_and_cannot_undo_is_done_again_only_where_somebody_says_so(
    runner: Runner,
) -> None:
    FAILURES.update(c=2)
    parts = steps({"id": "a", **called("a")}, {"id": "b", **called("b", unmade=False)})
    nested = {"workflow_definition": parts | {"name": "inner"}, "save_on_success": False}
    middle = steps({"id": "m", "tool": "run_workflow", "params": nested}) | {"name": "middle"}
    outer = {"workflow_definition": middle, "save_on_success": False}
    last = {"id": "c", **called("c")}
    run, _ = performed(runner, steps({"id": "n", "tool": "run_workflow", "params": outer}, last))
    assert (run.status, DONE["a"], DONE["b"]) == ("rolled_back", 0, 1)

    with pytest.raises(CallStands, match=r"^n \(run_workflow, undone in part: m stands\) succ"):
        runner.resume("told-1", save=False)
    run = gone_on(runner, "told-1", lost="done", save=False)
    assert (run.status, DONE["a"], DONE["b"]) == ("failed", 0, 1)
    run = gone_on(runner, "told-1", save=False)

    assert (run.status, DONE["a"], DONE["b"], DONE["c"]) == ("success", 0, 1, 1)


def test_a_nested_run_that_failed_goes_on_with_what_failed(runner: Runner) -> None:
    FAILURES.update(b=3)
    parts = steps({"id": "a", **called("a", unmade=False)}, {"id": "b", **called("b")})
    nested = {"workflow_definition": parts | {"name": "inner"}, "save_on_success": False}
    _, name = performed(runner, steps({"id": "n", "tool": "run_workflow", "params": nested}))

    for _ in range(3):
        running = runner.resume(name, save=False)
        running.wait()

    assert (running.run.status, DONE) == ("success", {"a": 1, "b": 1})
    assert running.warnings == ()
    infos = runner.session_log.journal.runs(runner.session_log.id)
    assert [info.name for info in infos] == ["told-1", "inner-1"]


def test_a_nested_run_that_is_tried_again_begins_anew(runner: Runner) -> None:
    """As its definition says, which goes before what a resume does."""
    FAILURES.update(b=3)
    parts = steps({"id": "a", **called("a")}, {"id": "b", **called("b")})
    nested = {"workflow_definition": parts | {"name": "inner"}, "save_on_success": False}
    work = {"tool": "run_workflow", "params": nested, "retry": {"attempts": 2}}
    _, name = performed(runner, steps({"id": "n", **work}))

    run = gone_on(runner, name, save=False)

    assert (run.status, DONE) == ("success", {"a": 1, "b": 1})
    infos = runner.session_log.journal.runs(runner.session_log.id)
    assert [info.name for info in infos] == ["told-1", "inner-1", "inner-2", "inner-3"]


def test_a_nested_run_of_which_a_part_was_undone_is_asked_about(runner: Runner) -> None:
    FAILURES.update(una=1, c=1)
    inner = steps({"id": "a", **called("a")}, {"id": "b", **called("b")})
    nested = {"workflow_definition": inner | {"name": "inner"}, "save_on_success": False}
    outer = steps({"id": "n", "tool": "run_workflow", "params": nested}, {"id": "c", **called("c")})
    run, _ = performed(runner, outer)
    assert (run.status, DONE["a"], DONE["b"]) == ("partly_rolled_back", 1, 0)

    with pytest.raises(
        CallStands, match=r"^n \(run_workflow, undone in part\) .* not wholly rolled back"
    ):
        runner.resume("told-1", save=False)
    run = gone_on(runner, "told-1", lost="again", save=False)

    assert (run.status, DONE["a"], DONE["b"], DONE["c"]) == ("success", 2, 1, 1)
