"""Tools that may travel are called on a cluster, with what they need; what they give comes back."""

from __future__ import annotations

import asyncio
import os
import threading
from typing import Any

import pytest

from wfnb.workflows.runner import dask_worker
from wfnb.workflows.runner.dask_cluster import Cluster
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .clusters import ends, travelling, visit
from .meeting import Meeting
from .place import SOON, step, steps

pytest.importorskip("distributed")

# where calls are made


def test_a_tool_that_travels_is_called_in_a_child_of_a_worker(
    runner: Runner, machines: Any, address: str, meeting: Meeting
):
    travelling()

    running = runner.start(steps(visit(meeting)), on=address)
    guest = meeting.next()
    guest.tell("go")
    running.wait(SOON)

    [entry] = runner.result(running).execution_log
    assert entry["result"] == {
        "success": True,
        "pid": guest.pid,
        "worker": guest.worker,
        "word": "go",
    }
    workers = {nanny.process.pid for nanny in machines.workers.values()}
    assert guest.worker in workers
    assert guest.pid not in {os.getpid(), *workers}


def test_a_tool_that_does_not_travel_is_called_here(runner: Runner, address: str):
    @tool
    def stay() -> int:
        return os.getpid()

    result = runner.run(
        steps(
            step("own", "stay"),
            step("built_in", "python", args={"code": "__import__('os').getpid()"}),
        ),
        on=address,
    )

    here = os.getpid()
    assert [entry["result"]["result"] for entry in result.execution_log] == [here, here]


def test_what_calls_side_by_side_give_is_what_the_next_is_called_with(runner: Runner, address: str):
    factor = 3

    @tool(travels=True)
    def times(number: int) -> dict[str, int]:
        return {"product": number * factor, "pid": os.getpid()}

    @tool(travels=True)
    async def add(a: int, b: int) -> int:
        await asyncio.sleep(0)
        return a + b

    many = [step(f"x{n}", "times", args={"number": n}) for n in range(20)]
    given = {"a": "{x3.product}", "b": "{x19.product}"}
    total = step("total", "add", "x3", "x19", args=given)

    result = runner.run(steps(*many, total, mode="parallel", max_parallel=20), on=address)

    assert (result.status, result.final_variables["total_result"]) == ("success", 9 + 57)
    pids = {entry["result"].get("pid") for entry in result.execution_log}
    assert os.getpid() not in pids


def test_a_function_of_a_notebook_travels_with_the_names_it_uses(runner: Runner, cluster: Cluster):
    cells = {"__name__": "__main__"}
    exec("import math\nclass Half:\n    of = staticmethod(lambda n: n / 2)", cells)
    exec(
        "def area(r: float) -> dict:\n    return {'half': Half.of(math.floor(math.pi * r))}", cells
    )
    tool(travels=True)(cells["area"])

    result = runner.run(steps(step("a", "area", args={"r": 2.0})), on=cluster._client)

    assert result.execution_log[0]["result"] == {"success": True, "half": 3.0}


def test_a_child_is_kept_for_the_next_call_and_ends_when_none_comes(
    runner: Runner, cluster: Cluster
):
    @tool(travels=True)
    def who() -> dict[str, int]:
        return {"pid": os.getpid()}

    def pids() -> set[int]:
        chain = [step(f"x{n}", "who") for n in range(6)]
        result = runner.run(steps(*chain), on=cluster._client)
        return {entry["result"]["pid"] for entry in result.execution_log}

    def idle(seconds: float) -> None:
        dask_worker.IDLE = seconds

    before = pids()
    assert len(before) <= 2

    cluster._client.run(idle, 0.0)
    after = pids()
    cluster._client.run(idle, 30.0)

    assert after & before
    for pid in after:
        ends(pid)


# what comes back


def test_what_json_cannot_hold_comes_back_as_it_shows_itself(runner: Runner, address: str):
    @tool(travels=True)
    def odd() -> dict[str, Any]:
        return {"lock": threading.Lock(), "set": {2, 1}}

    result = runner.run(steps(step("a", "odd")), on=address).execution_log[0]["result"]

    assert result["lock"].startswith("<unlocked _thread.lock object")
    assert result["set"] == [1, 2]


def test_what_a_call_raises_there_is_its_failure(runner: Runner, address: str):
    @tool(travels=True)
    def fails() -> None:
        raise KeyError("no such thing")

    result = runner.run(steps(step("a", "fails")), on=address)

    fields = {"success": False, "error": "KeyError: 'no such thing'", "error_type": "KeyError"}
    assert result.execution_log[0]["result"] == fields


def test_a_function_that_cannot_travel_is_a_failure_that_says_so(runner: Runner, address: str):
    lock = threading.Lock()

    @tool(travels=True)
    def holds() -> None:
        lock.acquire()

    result = runner.run(steps(step("a", "holds")), on=address)

    error = "it cannot be taken to another machine (cannot pickle '_thread.lock' object)"
    assert result.execution_log[0]["result"] == {"success": False, "error": error}


def test_a_call_whose_process_dies_is_a_failure_and_the_worker_lives_on(
    runner: Runner, address: str, meeting: Meeting
):
    travelling()

    running = runner.start(steps(visit(meeting), visit(meeting, "b")), on=address)
    meeting.next().tell("die")
    running.wait(SOON)

    result = runner.result(running)
    error = "its process ended without a result (exit code 3)"
    fields = {"success": False, "error": error, "outcome_unknown": True}
    assert result.execution_log[0]["result"] == fields


def test_what_a_call_starts_there_inherits_no_secret_of_the_run_and_the_next_one_what_is_there(
    runner: Runner, address: str
):
    """The workers have the environment of whoever started them: here that of this process."""
    name = next(name for name in ("HOME", "PATH") if len(os.environ.get(name, "")) > 4)

    @tool(travels=True)
    def inherited(name: str) -> list[str]:
        import subprocess  # noqa: PLC0415

        lines = subprocess.run(["env"], capture_output=True, text=True).stdout.splitlines()
        return [line.partition("=")[0] for line in lines if line.startswith(f"{name}=")]

    asked = steps(step("a", "inherited", args={"name": name}))
    secrets = {"token": os.environ[name]}

    found = [
        runner.run(asked, on=address, **given).execution_log[0]["result"]
        for given in ({"secrets": secrets}, {})
    ]

    assert [each["result"] for each in found] == [[], [name]]
