"""A call on a cluster ends once, with all that it started: stopped, late, or its worker gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from wfnb.errors import (
    CallUncertain,
    ClusterLost,
)
from wfnb.workflows.runner import dask_worker
from wfnb.workflows.runner.remote_call import _pickle_task, withholding
from wfnb.workflows.runner.runner import Runner

from .clusters import ends, travelling, visit
from .meeting import Meeting, attend
from .place import LONG, SOON, calls, gone, step, steps

distributed: Any = pytest.importorskip("distributed")
LOST = "the worker that made the call is gone; how far it came is unknown"

# a worker that dies


def test_a_call_whose_worker_dies_has_failed_and_is_not_made_again_unasked(
    runner: Runner, mortal: str, meeting: Meeting
):
    travelling()

    running = runner.start(steps(visit(meeting)), on=mortal)
    guest = meeting.next()
    os.kill(guest.worker, signal.SIGKILL)
    running.wait(SOON)

    result = runner.result(running)
    assert (result.status, calls(running.run)) == ("failed", ["a failed"])
    fields = {"success": False, "error": LOST, "error_type": "WorkerLost"}
    assert result.execution_log[0]["result"] == {**fields, "outcome_unknown": True}
    with pytest.raises(CallUncertain, match=r"Whether a \(attend\) was done is unknown"):
        runner.resume(running.name)
    ends(guest.pid)
    assert meeting.is_over()


def test_a_call_whose_worker_dies_is_tried_again_by_the_workflows_rules(
    runner: Runner, mortal: str, meeting: Meeting
):
    travelling()

    running = runner.start(steps(visit(meeting, retry=2)), on=mortal)
    guest = meeting.next()
    os.kill(guest.worker, signal.SIGKILL)
    again = meeting.next()
    again.tell("go")
    running.wait(SOON)

    result = runner.result(running)
    assert (result.status, calls(running.run)) == ("success", ["a failed", "a ok"])
    assert result.execution_log[0]["attempts"] == 2
    assert guest.worker != again.worker


def test_calls_that_a_dead_worker_had_not_begun_are_made_elsewhere(
    runner: Runner, mortal: str, meeting: Meeting
):
    travelling()
    names = [f"x{n}" for n in range(6)]
    workflow = steps(
        *(visit(meeting, name, on_failure="continue") for name in names),
        mode="parallel",
        max_parallel=6,
    )

    running = runner.start(workflow, on=mortal)
    first = meeting.next()
    os.kill(first.worker, signal.SIGKILL)
    others = []
    for _ in names[1:]:
        others.append(meeting.next())
        others[-1].tell("go")
    running.wait(SOON)

    assert sorted(guest.name for guest in [first, *others]) == names
    statuses = {call.action: call.status for call in running.run.calls.values()}
    assert statuses == {name: "failed" if name == first.name else "ok" for name in names}


# the end of a call that is still running


def test_a_call_that_is_cancelled_ends_with_all_that_it_started(
    runner: Runner, address: str, meeting: Meeting, tmp_path: Any
):
    travelling()
    left = f"setsid sh -c 'echo $$ > {tmp_path}/pid; exec sleep {LONG}' &"
    visiting = step("a", "attend", args={"port": meeting.port, "before": left})

    running = runner.start(steps(visiting), on=address)
    guest = meeting.next()
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().endswith("\n"):
        pass
    running.stop()
    running.wait(SOON)

    assert (running.run.status, calls(running.run)) == ("cancelled", ["a cancelled"])
    assert running.run.calls[next(iter(running.run.calls))].result == {
        "success": False,
        "error": "it was stopped",
    }
    assert gone(guest.pid)
    assert gone(int((tmp_path / "pid").read_text()))
    assert not gone(guest.worker)


def test_a_call_whose_time_is_over_is_ended(runner: Runner, address: str, meeting: Meeting):
    travelling()

    running = runner.start(steps(visit(meeting, timeout=5)), on=address)
    guest = meeting.next()
    running.wait(SOON)

    [call] = running.run.calls.values()
    assert (call.status, call.result["error"]) == ("timed_out", "Step 'a' timed out after 5s")
    assert gone(guest.pid)


def test_a_call_that_waits_for_a_worker_is_never_made_once_it_is_cancelled(
    runner: Runner, address: str, meeting: Meeting
):
    travelling()
    names = [f"x{n}" for n in range(9)]
    many = [visit(meeting, name) for name in names]

    running = runner.start(steps(*many, mode="parallel", max_parallel=9), on=address)
    begun = [meeting.next(), meeting.next()]
    running.stop()
    running.wait(SOON)

    assert calls(running.run) == [f"{name} cancelled" for name in names]
    assert all(gone(guest.pid) for guest in begun)
    assert meeting.is_over()


def test_a_call_can_be_stopped_though_the_cluster_asked_for_it_again(meeting: Meeting):
    here = {"processes": False, "dashboard_address": "127.0.0.1:0", "threads_per_worker": 2}
    with (
        distributed.LocalCluster(n_workers=1, **here) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        work = _pickle_task(withholding, "", frozenset(), attend, meeting.port)

        first = client.submit(dask_worker.make_call, "k", "k/0", work, key="k/0")
        guest = meeting.next()
        again = client.submit(dask_worker.make_call, "k", "k/1", work, key="k/1").result(SOON)
        stopped = client.run(dask_worker.stop, "k")

        assert (again, [*stopped.values()]) == (None, [True])
        assert isinstance(first.result(SOON), int)
        assert gone(guest.pid)


DIES = """
import sys
from tests.workflows.runner.meeting import attend
from wfnb.workflows.runner.dask_cluster import on_dask
on_dask(sys.argv[1])("k").submit(attend, int(sys.argv[2])).result()
"""


def test_a_call_that_nobody_waits_for_any_more_is_ended(address: str, meeting: Meeting):
    waits = subprocess.Popen([sys.executable, "-c", DIES, address, str(meeting.port)])
    guest = meeting.next()

    waits.kill()
    waits.wait()

    ends(guest.pid)
    assert not gone(guest.worker)


# a cluster that dies


ALONE = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, host="127.0.0.1", dashboard_address="127.0.0.1:0")
    print(cluster.scheduler_address.replace("tcp", "dask"), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def doomed(tmp_path: Any) -> Iterator[Any]:
    """A cluster whose scheduler can be killed: the process of that, which says its address."""
    script = tmp_path / "cluster.py"
    script.write_text(ALONE)
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, script], env=os.environ | paths, **pipes) as alone:
        yield alone
        alone.kill()


def test_a_run_whose_cluster_dies_is_stopped_and_can_be_resumed(
    runner: Runner, doomed: Any, meeting: Meeting
):
    travelling()

    running = runner.start(steps(visit(meeting)), on=doomed.stdout.readline().strip())
    guest = meeting.next()
    doomed.kill()
    with pytest.raises(ClusterLost, match=r"is gone, and how its calls ended is unknown\."):
        running.wait(SOON)

    assert (running.run.status, calls(running.run)) == ("running", ["a running"])
    ends(guest.pid)
    with pytest.raises(CallUncertain, match=r"Whether a \(attend\) was done is unknown"):
        runner.resume()
    again = runner.resume(lost="again")
    meeting.next().tell("go")
    again.wait(SOON)
    assert (again.run.status, calls(again.run)) == ("success", ["a unknown", "a ok"])


def test_calls_that_may_be_made_twice_are_made_again_without_asking(
    runner: Runner, doomed: Any, meeting: Meeting
):
    travelling(idempotent=True)

    running = runner.start(steps(visit(meeting)), on=doomed.stdout.readline().strip())
    guest = meeting.next()
    doomed.kill()
    with pytest.raises(ClusterLost):
        running.wait(SOON)
    again = runner.resume()
    meeting.next().tell("go")
    again.wait(SOON)

    assert calls(again.run) == ["a unknown", "a ok"]
    ends(guest.pid)
