"""A kernel is interrupted while steps and runs begin, are recorded, and end: none stays running."""

import random
import time
from contextlib import closing, suppress
from pathlib import Path
from queue import Empty

import pytest

from tests.jupyter.kernel import Kernel, running
from wfnb.home_folder import Home
from wfnb.journal import SqliteJournal

HITS, SHARES = 300, 3
TRIALS = 3000
"""Of a share, at most: most interrupts come once the cell has ended, the more the faster it is."""
LONGEST = 0.02
"""Seconds that such a cell takes."""
SILENCE = 3
"""Seconds after which a cell that says nothing has ended."""
RUN = '%%run_workflow\n{"steps": [{"id": "a", "tool": TOOL}]}'
CELLS = [
    "%%step S{n}\nx = {n}",
    "%%step S{n} --keep x\nx = list(range(1000))",
    "%step S{n}",
    "%step A{n}\nx = {n}\n%step B{n}\nx = {n}",
    "%%step S{n}\nraise ValueError",
    "%%branch b{n} --from 1\nx = {n}",
    RUN.replace("TOOL", '"sleep", "args": {"seconds": 0}'),
    RUN.replace("TOOL", '"shell", "args": {"command": "true"}'),
    "%wfnb call shell command=true",
]


def left_running(kernel: Kernel) -> list[str]:
    """As another process sees it."""
    with closing(SqliteJournal(kernel.home / "journal.db")) as journal:
        home = Home(kernel.home, journal)
        steps = [step for each in journal.sessions() for step in home.look(each).running]
        runs = [run.name for run in journal.runs() if run.status == "running"]
    return [*(f"attempt {step}" for step in steps), *runs]


def heard(kernel: Kernel, request: str, until: str) -> str:
    """What the cell shows until the kernel says that. An interrupt may tear what ipykernel is just
    sending, and what says that the cell has ended."""
    found = ""
    with suppress(Empty):
        while True:
            with suppress(ValueError):
                message = kernel.client.get_iopub_msg(timeout=SILENCE)
                found += str(message["content"])
                said = message["content"].get("execution_state") == until
                if said and message["parent_header"].get("msg_id") == request:
                    break
    return found


@pytest.mark.parametrize("share", range(SHARES))
def test_nothing_stays_running(tmp_path: Path, share: int, chances: random.Random):
    hits = 0
    with running(tmp_path) as kernel:
        kernel.ok("%wfnb start demo")
        kernel.ok("%step First")
        for _ in range(TRIALS):
            code = chances.choice(CELLS).replace("{n}", str(chances.random())[2:])
            # an interrupt while ipykernel 7.4 puts off the cells after a failed one would have it
            # put off every cell for ever
            request = kernel.send(code, stop_on_error=False)
            heard(kernel, request, "busy")
            time.sleep(chances.uniform(0, LONGEST))
            kernel.interrupt()
            said = heard(kernel, request, "idle")
            hits += "KeyboardInterrupt" in said
            assert left_running(kernel) == [], (code, said)
            if hits == HITS // SHARES:
                return
    pytest.fail(f"only {hits} of {TRIALS} interrupts met a cell that ran")
