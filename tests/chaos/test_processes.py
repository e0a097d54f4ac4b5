"""wfnb is killed: a second later nothing is there of what it had started, in whatever way."""

import os
import random
import signal
import subprocess
from contextlib import suppress
from glob import glob
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import nbformat
import pytest

from tests.ahead import Forked
from tests.cli.command import PATIENCE, Desk

TRIALS, SHARES = 100, 4
SOON = 1.0
BREEDS = "while :; do sleep 0.01; done"
COMMANDS = [
    "sleep 600",
    "sleep 600 & wait",
    "sleep 600 > /dev/null 2>&1 &",
    f"(trap '' TERM HUP INT; {BREEDS}) & wait",
    "nohup setsid sleep 600 > /dev/null 2>&1 & sleep 600",
    "setsid sh -c 'setsid sleep 600 & sleep 600' & sleep 600",
    "sleep 600 & kill -STOP $!; wait",
    BREEDS,
]
CODE = [
    "import subprocess; subprocess.run(['sleep', '600'])",
    "import os; os.system('setsid sleep 600 & sleep 600')",
    "import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)",
]
CALLS: list[tuple[str, dict[str, Any]]] = [
    *(("shell", {"command": each}) for each in COMMANDS),
    *(("python", {"code": each}) for each in CODE),
    *(("python", {"code": each, "process": True}) for each in CODE),
    ("notebook", {"path": "long.ipynb"}),
    ("open_terminal", {"shell": "bash -c 'setsid sleep 600 & sleep 600'"}),
    ("open_terminal", {}),
]


def alive(name: str) -> dict[int, str]:
    """The command lines of the processes that inherited the name, by their number."""
    found = {}
    for place in map(Path, glob("/proc/[0-9]*")):
        with suppress(OSError):
            if f"CHAOS={name}".encode() in (place / "environ").read_bytes().split(b"\0"):
                line = (place / "cmdline").read_bytes().replace(b"\0", b" ")
                found[int(place.name)] = line.decode()[:80]
    return found


def work(chances: random.Random) -> dict[str, Any]:
    made = chances.choices(CALLS, k=chances.randrange(1, 7))
    steps = [{"id": f"s{n}", "tool": tool, "args": args} for n, (tool, args) in enumerate(made)]
    last = {"id": "last", "tool": "sleep", "args": {"seconds": 600}}
    return {"name": "work", "mode": "parallel", "max_parallel": 8, "steps": [*steps, last]}


@pytest.mark.parametrize("share", range(SHARES))
def test_nothing_outlives_a_killed_command(tmp_path: Path, share: int, chances: random.Random):
    cell = nbformat.v4.new_code_cell("import subprocess; subprocess.run(['sleep', '600'])")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "long.ipynb")
    left = []
    for trial in range(TRIALS // SHARES):
        desk = Desk(tmp_path, {"CHAOS": f"{share}.{trial}.{chances.random()}"})
        definition = work(chances)
        words = ["run", str(desk.write(definition)), "--no-save"]
        process = Forked("wfnb", words, cwd=desk.folder, env=desk.environment)
        with suppress(subprocess.TimeoutExpired):
            process.wait(chances.uniform(0, 2))
        process.kill()
        assert process.wait(PATIENCE) == -signal.SIGKILL
        since = monotonic()
        while alive(desk.env["CHAOS"]) and monotonic() - since < SOON:
            sleep(0.02)
        if living := alive(desk.env["CHAOS"]):
            left.append((definition["steps"], living))
            for number in living:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)

    assert left == []
