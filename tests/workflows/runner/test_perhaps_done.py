"""Random runs within runs, with calls that are stopped, out of time or killed: what is said to be
left is what the log of effects has; and none of it is done again unasked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from tests.amount import times
from wfnb.errors import CallStands, CallUncertain, RunEndedAlready
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool
from wfnb.workflows.tools.result_fields import ToolFailed
from wfnb.workflows.views.run_result import next_move

from .place import LONG, gone_on, runner_in, step, steps

CALM, LOG = "calm", "log"
"""A file that has everything succeed, and the log of what was done and undone."""
ENDS = {
    "late": {"tool": "be_late"},
    "killed": {"tool": "shell"},
    "refuses": {"tool": "refuse"},
    "hangs": {"tool": "hang"},
}
UNCERTAIN = ("late", "killed", "hangs")


@dataclass
class Drawn:
    """A workflow, and what a run of it does: told by the pages, not by the code."""

    random: Random
    hangs: bool
    names: Iterator[int] = field(default_factory=lambda: iter(range(1000)))
    done: list[str] = field(default_factory=list)
    perhaps: list[str] = field(default_factory=list)

    def workflow(self, depth: int, goes_on: bool = True) -> tuple[dict[str, Any], bool]:
        """A workflow, and whether a run of it comes to its end; `goes_on`: it is come to."""
        written = []
        for _ in range(self.random.randint(1, 3)):
            name = f"s{next(self.names)}"
            if depth < 3 and self.random.random() < 0.5:
                inner, well = self.workflow(depth + 1, goes_on)
                args = {"workflow_definition": inner, "save_on_success": False}
                written.append(step(name, "run_workflow", args=args))
                goes_on = goes_on and well
                continue
            end = self.random.choice(["note", "note", *ENDS]) if depth else "note"
            if end == "hangs" and not self.hangs:
                end = "late"
            continues = end in ("late", "killed") and self.random.random() < 0.3
            written.append(self._leaf(name, end, continues))
            if goes_on:
                self.done += [name] * (end == "note")
                self.perhaps += [name] * (end in UNCERTAIN)
                goes_on = continues or end == "note"
        return {"name": f"w{next(self.names)}", "steps": written}, goes_on

    def _leaf(self, name: str, end: str, continues: bool) -> Mapping[str, Any]:
        args: dict[str, Any] = {"name": name}
        if end == "killed":
            args = {"command": f"echo {name} >> {LOG}; test -e {CALM} || kill -9 $$"}
        more = {"tool": "note", **ENDS.get(end, {})}
        undo = {"tool": "note", "args": {"name": f"-{name}"}}
        late = {"on_failure": "continue"} if continues else {}
        return step(name, more.pop("tool"), args=args, compensation=undo, **more, **late)


@pytest.mark.parametrize("seed", range(times(16, 400)))
def test_what_is_said_to_be_left_is_what_may_be_there(home: Path, tmp_path: Path, seed: int):
    came = Event()
    _tools(tmp_path, came)
    drawn = Drawn(Random(seed), hangs=seed % 2 == 1)
    inner, _ = drawn.workflow(1)
    nested = step("inner", "run_workflow", args={"workflow_definition": inner})
    undo = {"tool": "note", "args": {"name": "-first"}}
    first = step("first", "note", args={"name": "first"}, compensation=undo)
    last = step("last", "refuse", args={"name": "last"})
    runner = runner_in(home)

    ended = _ended(runner, steps(first, nested, last), came)

    left = {name for name, count in _net(tmp_path).items() if count}
    assert left == {*drawn.perhaps}
    assert ended.status == ("partly_rolled_back" if left else "rolled_back")
    named = {name for name in left if f"{name} (unknown whether it was done)" in ended.error}
    assert named == left
    _goes_on(runner, ended.run, tmp_path, drawn.perhaps)


def _goes_on(runner: Runner, name: str, folder: Path, perhaps: list[str]) -> None:
    """What may have been done is done again only if a person says so."""
    before = _done(folder)
    (folder / CALM).touch()
    try:
        run = gone_on(runner, name)
    except (CallStands, CallUncertain):
        run = gone_on(runner, name, lost="done")
    again = _done(folder)
    assert [name for name in perhaps if again[name] != before[name]] == []
    assert run.status in ("success", "partial_success")


def _ended(runner: Runner, workflow: Mapping[str, Any], came: Event) -> Any:
    running = runner.start(workflow, save=False)
    while not running.is_done and not came.wait(0.01):
        pass
    if came.is_set():
        runner.cancel(running.name, rollback=True)
    running.wait()
    return runner.result(running)


def _tools(folder: Path, came: Event) -> None:
    def noted(name: str) -> None:
        with (folder / LOG).open("a") as log:
            log.write(f"{name}\n")

    @tool
    def note(name: str) -> None:
        noted(name)

    @tool
    def refuse(name: str) -> None:
        if not (folder / CALM).exists():
            raise ValueError(name)

    @tool
    def be_late(name: str) -> None:
        noted(name)
        if not (folder / CALM).exists():
            raise ToolFailed("it ran out of time", timeout_occurred=True)

    @tool
    async def hang(name: str) -> None:
        noted(name)
        if not (folder / CALM).exists():
            came.set()
            await asyncio.Event().wait()


def _done(folder: Path) -> Counter[str]:
    log = (folder / LOG).read_text().split()
    return Counter(name for name in log if not name.startswith("-"))


def _net(folder: Path) -> Counter[str]:
    log = (folder / LOG).read_text().split()
    undone = Counter(name.removeprefix("-") for name in log if name.startswith("-"))
    return Counter({name: n - undone[name] for name, n in _done(folder).items()})


@pytest.mark.parametrize("undo", ["exit 3", "true"])
def test_to_undo_what_is_left_is_suggested_where_it_can_be_tried(tmp_path: Path, undo: str):
    runner = runner_in(tmp_path / "home")
    undoes = {"compensation": {"tool": "shell", "args": {"command": undo}}}
    name = runner.run(
        steps(
            step("a", "shell", args={"command": "true"}, **undoes),
            step("b", "shell", args={"command": f"sleep {LONG}"}, timeout=0.2, **undoes),
        )
    ).run
    result = runner.result(name)

    assert result.status == "partly_rolled_back"
    assert ("--rollback" in next_move(result)) is (undo != "true")
    if undo == "true":  # nothing is left but what was perhaps done
        with pytest.raises(RunEndedAlready):
            runner.cancel(name, rollback=True)
