"""A server that is killed at any moment: what it had answered is in the history, once; and what is
asked for again by the same key is begun once."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import wfnb
from tests.amount import times
from tests.mcp.agent import answers, at, refusal
from tests.mcp.server_process import ServerProcess
from wfnb.workflows.runner.runner import Runner

KILLS = times(3, 5)
WORK = {"name": "work", "steps": [{"id": "a", "tool": "shell", "args": {"command": "echo hi"}}]}
ALLOWED = ("--session", "tides", "--allow-run", "work")


def home(folder: Path) -> Path:
    wfnb.open("tides", home_folder=folder / ".wfnb").runs.define(WORK)
    return folder / ".wfnb"


def keys(runs: Runner) -> dict[str, str]:
    """The runs by the keys that began them: none has that of another."""
    journal = runs.session_log.journal
    begun = [(journal.read_run(info.id)[0].event.key, info.name) for info in runs.runs()]
    assert [key for key, count in Counter(key for key, _ in begun).items() if count > 1] == []
    return dict(begun)


@pytest.mark.parametrize("seed", range(times(1, 20)))
def test_nothing_answered_is_lost_and_nothing_is_begun_twice(tmp_path: Path, seed: int):
    chance = random.Random(seed)
    folder = home(tmp_path)
    titles: list[str] = []
    runs: dict[str, str] = {}
    asked: list[str] = []

    for kill in range(KILLS):
        server = ServerProcess(tmp_path, *ALLOWED)
        # what the killed one was asked for is asked again
        for key in asked:
            again = server.answer("run_workflow", workflow="work", key=key)["run"]
            assert runs.setdefault(key, again) == again
        before, calls, asked = len(server.answered), {}, []
        for number in range(8):
            name = f"{kill}-{number}"
            if chance.random() < 0.5:
                calls[server.call("record_step", title=name)] = name
            else:
                asked.append(name)
                for _ in range(chance.choice((1, 2))):
                    calls[server.call("run_workflow", workflow="work", key=name)] = name
        server.read(before + chance.randrange(len(calls)))
        server.kill()
        for number, name in calls.items():
            said = server.answered.get(number)
            if said is not None:
                note(said, name, titles, runs)

    ws = wfnb.open("tides", home_folder=folder)
    there = Counter(step.current.description for step in ws.session.steps.values())
    begun = keys(ws.runs)
    assert set(titles) <= set(there)
    assert set(there.values()) <= {1}
    assert runs.items() <= begun.items()


def note(said: dict[str, Any], name: str, titles: list[str], runs: dict[str, str]) -> None:
    assert not said.get("isError"), said
    data = said["structuredContent"]
    if "run" in data:
        assert runs.setdefault(name, data["run"]) == data["run"]
    else:
        titles.append(name)


def test_a_key_is_of_one_run(tmp_path: Path):
    around = at(home(tmp_path), runs=("*",), inline=True)
    first = ("run_workflow", {"workflow": "work", "key": "k1"})

    one, again, other, ended = answers(
        around,
        first,
        first,
        ("run_workflow", {"workflow": "work", "key": "k2"}),
        ("run_status", {"run": "work-1", "wait": 25}),
    )
    (later,) = answers(at(home(tmp_path), runs=("*",)), first)
    said = refusal(around, "run_workflow", definition={"steps": WORK["steps"]}, key="k1")
    alike = {**WORK, "name": "work", "description": "another"}

    for asked in ({"definition": alike}, {"workflow": "work", "variables": {"n": 2}}):
        assert refusal(around, "run_workflow", key="k1", **asked) == said
    assert [each["run"] for each in (one, again, other, later)] == [
        *("work-1", "work-1", "work-2", "work-1"),
    ]
    assert (later["status"], ended["status"]) == ("success", "success")
    assert said == "key is 'k1'. It needs another one: run work-1 was begun by it, and it differs."
