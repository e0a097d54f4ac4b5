"""Parallel runs are killed: no call is made twice, and none is lost. Those that are asked about are
answered as it was."""

import random
import re
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from tests.ahead import Forked
from tests.cli.command import PATIENCE, Desk
from wfnb.workflows.tools.process_table import all_processes

KILLS, SHARES = 100, 4
STEPS = [f"s{number}" for number in range(24)]


def work(chances: random.Random) -> dict[str, Any]:
    """Steps side by side, some of them after others."""

    def step(number: int) -> dict[str, Any]:
        before, after = chances.uniform(0, 0.3), chances.uniform(0, 0.2)
        command = f"sleep {before:.3f}; echo {STEPS[number]} >> made; sleep {after:.3f}"
        needs = [each for each in STEPS[:number] if chances.random() < 0.05]
        return {"id": STEPS[number], "tool": "shell", "args": {"command": command}, "needs": needs}

    steps = [step(number) for number in range(len(STEPS))]
    return {"name": "work", "mode": "parallel", "max_parallel": 8, "steps": steps}


def made(desk: Desk) -> list[str]:
    with suppress(FileNotFoundError):
        return (desk.folder / "made").read_text().split()
    return []


def lived(desk: Desk, words: list[str], reached: int, late: float) -> tuple[int, str]:
    """Its exit code and what it said on stderr. It is killed when so many calls were made, and so
    many seconds later. All that it had started is gone by then."""
    with TemporaryFile("w+") as said:
        where = {"cwd": desk.folder, "env": desk.environment, "stderr": said.fileno()}
        process = Forked("wfnb", words, **where)
        while process.poll() is None and len(made(desk)) < reached:
            time.sleep(0.002)
        with suppress(subprocess.TimeoutExpired):
            process.wait(late)
        process.kill()
        code = process.wait(PATIENCE)
        while any(f":{process.pid}:" in mark for each in all_processes() for mark in each.marks):
            time.sleep(0.01)
        said.seek(0)
        return code, said.read()


def answers(desk: Desk, question: str) -> list[str]:
    """What is so of each call that is asked about."""
    calls = {*re.findall(r"(s\d+) \(shell\)", question)}
    assert calls, question
    done = calls & {*made(desk)}
    said = {"--again": calls - done, "--done": done}
    return [word for flag, names in said.items() if names for word in (flag, ",".join(names))]


def status(desk: Desk) -> str | None:
    runs = desk.wfnb("runs", "--json").data["runs"]
    return runs[0]["status"] if runs else None


@pytest.mark.parametrize("share", range(SHARES))
def test_no_call_of_a_killed_run_is_made_twice_or_lost(
    tmp_path: Path, share: int, chances: random.Random
):
    kills, wrong = 0, []
    while kills < KILLS // SHARES:
        desk = Desk(tmp_path / str(kills))
        desk.folder.mkdir()
        begin = words = ["run", str(desk.write(work(chances)))]
        while (now := status(desk)) != "success":
            reached = len(made(desk)) + chances.randrange(12)
            late = chances.uniform(0, 0.1) if reached < len(STEPS) else PATIENCE
            code, said = lived(desk, words if now else begin, min(reached, len(STEPS)), late)
            assert code in (0, 2, -signal.SIGKILL), said
            kills += code == -signal.SIGKILL
            words = ["resume", "last", *(answers(desk, said) if code == 2 else ())]
        if Counter(made(desk)) != Counter(STEPS):
            wrong.append((kills, made(desk)))

    assert wrong == []
