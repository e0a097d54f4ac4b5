"""What looks after the processes of one that is killed: there where there are any, and no longer
than it is needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.workflows.runner.place import runner_in
from wfnb.errors import WfnbError

RUNS = """
import json, sys
from pathlib import Path
import psutil
from tests.workflows.runner.place import runner_in, step, steps
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.registry import tool

@tool
def plain(context: Context) -> int:
    return 1

called = {"plain": step("a", "plain"), "shell": step("a", "shell", args={"command": "true"})}
result = runner_in(Path(sys.argv[1])).run(steps(called[sys.argv[2]]), save=False)
assert result.status == "success", result.error
print(json.dumps([child.pid for child in psutil.Process().children()]), flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(("called", "guards"), [("plain", 0), ("shell", 1)])
def test_a_guard_is_there_for_a_process_that_has_started_one_and_ends_with_it(
    called: str, guards: int, tmp_path: Path
):
    with subprocess.Popen(
        [sys.executable, "-c", RUNS, str(tmp_path), called],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        beside = [psutil.Process(number) for number in json.loads(process.stdout.readline())]
        process.stdin.close()

    assert process.returncode == 0
    assert len(beside) == guards
    assert not any(guard.is_running() for guard in beside)


ENDS = """
import sys, time
from pathlib import Path
from tests.workflows.runner.place import runner_in, step, steps

place = Path(sys.argv[1])
args = {"command": f"touch {place}/begun; sleep 600"}
runner_in(place).start(steps(step("a", "shell", args=args)), save=False)
while not (place / "begun").exists():
    time.sleep(0.01)
"""


def test_a_process_that_ends_in_its_own_way_takes_no_call_for_failed(tmp_path: Path):
    """The engine stops before what it has started is ended."""
    subprocess.run([sys.executable, "-c", ENDS, str(tmp_path)], check=True)

    runner = runner_in(tmp_path)

    (run,) = runner.runs()
    assert run.status == "running"  # nobody saw its end
    with pytest.raises(WfnbError, match="is unknown: nobody saw its end"):
        runner.resume(run.name)
