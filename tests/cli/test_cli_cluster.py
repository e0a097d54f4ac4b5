"""A run on a cluster that dies: one line says so, and the run can be resumed."""

import os
import subprocess
import sys
import time

from tests.workflows.runner.test_dask_ends import ALONE

from .command import Desk

TOOLS = """
import time
import wfnb

@wfnb.tool(travels=True)
def visit(file: str, seconds: float) -> None:
    open(file, "w").close()
    time.sleep(seconds)
"""


def test_a_cluster_that_dies_is_one_line_and_the_run_can_be_resumed(desk: Desk):
    (desk.folder / "cluster.py").write_text(ALONE)
    (desk.folder / "visits.py").write_text(TOOLS)
    up = desk.folder / "up"
    seconds = {"name": "far", "variables": {"seconds": 60}}
    args = {"file": str(up), "seconds": "{seconds}"}
    file = desk.write({**seconds, "steps": [{"id": "a", "tool": "visit", "args": args}]})
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    paths = {"PYTHONPATH": os.pathsep.join([str(desk.folder), *sys.path])}

    with subprocess.Popen(
        [sys.executable, desk.folder / "cluster.py"], env=os.environ | paths, **pipes
    ) as alone:
        address = alone.stdout.readline().strip()
        with desk.begun("run", file, "--tools", "visits.py", "--on", address) as running:
            while not up.exists():
                assert running.poll() is None, running.communicate()
                time.sleep(0.01)
            alone.kill()
            _, err = running.communicate()
    asked = desk.wfnb("resume", "last", "--tools", "visits.py")
    again = desk.wfnb("resume", "last", "--again", "--tools", "visits.py", "--var", "seconds=0")

    assert running.returncode == 1
    assert err == (
        f"wfnb: The Dask cluster at {address} is gone, and how its calls "
        "ended is unknown. `wfnb resume far-1` goes on from there.\n"
    )
    assert asked.err.startswith("wfnb: Whether a (visit) was done is unknown: nobody saw its end. ")
    assert again.code == 0
