"""Two kernels write into one session at once, and one is killed: all that they said was recorded is
there, once, and both see the same."""

import random
import sqlite3
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.jupyter.kernel import running
from wfnb.home_folder import Home

ROUNDS, CELLS = 8, 40
CODES = [
    "%step TITLE",
    "%%step TITLE\nx = 1",
    "%%step TITLE --keep x\nx = [1, 2]",
    "%step TITLE a\n%step TITLE b",
    "%%branch b-TITLE --from 1 TITLE\nx = 1",
    '%%run_workflow\n{"steps": [{"id": "a", "tool": "sleep", "args": {"seconds": 0}}]}',
]


@pytest.mark.parametrize("trial", range(ROUNDS))
def test_all_that_was_said_to_be_recorded_is(tmp_path: Path, trial: int, chances: random.Random):
    home, steps, runs = tmp_path / "home", list[str](), 0
    with running(tmp_path / "one", home) as one, running(tmp_path / "two", home) as two:
        one.ok("%wfnb start demo")
        one.ok("%step First")
        two.ok("%wfnb resume demo")
        for number in range(CELLS):
            asked = []
            for name, kernel in (("one", one), ("two", two)):
                code, title = chances.choice(CODES), f"{name}-{number}"
                asked.append((kernel, kernel.send(code.replace("TITLE", title), title)))
                titles = [f"{title} a", f"{title} b"] if " a\n" in code else [title]
                steps += titles if "TITLE" in code else []
                runs += "run_workflow" in code
            assert [kernel.reply(request)["status"] for kernel, request in asked] == ["ok", "ok"]
        two.send("%%step Killed\nimport time; time.sleep(60)")
        time.sleep(chances.uniform(0, 0.1))
        two.kill()
        one.ok("%step Last")
        seen = [(step["branch"], step["description"]) for step in one.history()["steps"]]
    with closing(sqlite3.connect(home / "journal.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    there = Home(home)
    found = [
        (step["branch"], step["description"]) for step in there.resume("demo").status()["steps"]
    ]
    ended = [run.status for run in there.journal.runs()]

    times = Counter(title for _, title in found)
    assert found == seen
    assert {title: times[title] for title in steps} == dict.fromkeys(steps, 1)
    assert ended == ["success"] * runs
