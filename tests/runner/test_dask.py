"""Tools that may travel are called on a cluster: once, with what they need, and not for ever."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from time import monotonic
from typing import Any

import pytest

from wfnb.errors import (
    BadValue,
    CallUncertain,
    ClusterDiffers,
    ClusterLost,
    ClusterUnreachable,
    DaskMissing,
    RunNotResumable,
    WorkflowInvalid,
)
from wfnb.runner import there
from wfnb.runner.dask import Cluster, on_dask
from wfnb.runner.runner import Runner
from wfnb.tools.registry import tool

from .meeting import Meeting, attend
from .place import LONG, SOON, calls, gone, step, steps

psutil = pytest.importorskip("psutil")
distributed = pytest.importorskip("distributed")
HERE = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
LOST = "the worker that made the call is gone; how far it came is not known"


@pytest.fixture(scope="module")
def machines() -> Iterator[Any]:
    """A cluster of two processes, with one thread each."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **HERE) as cluster:
        yield cluster


def at(machines: Any) -> str:
    return str(machines.scheduler_address).replace("tcp://", "dask://")


@pytest.fixture
def address(machines: Any) -> str:
    return at(machines)


@pytest.fixture(params=[0, 3])
def mortal(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a cluster of the test's own, whose workers may be killed. It makes a call
    again of its own accord never, or three times, as it comes."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **HERE) as cluster:
        cluster.scheduler.allowed_failures = request.param
        yield at(cluster)


@pytest.fixture
def cluster(address: str) -> Iterator[Cluster]:
    cluster = on_dask(address)
    yield cluster
    cluster.close()


@pytest.fixture
def meeting() -> Iterator[Meeting]:
    with Meeting() as meeting:
        yield meeting


def travelling(**says: Any) -> None:
    tool(name="attend", travels=True, **says)(attend)


def visit(meeting: Meeting, name: str = "a", **more: Any) -> dict[str, Any]:
    return step(name, "attend", args={"port": meeting.port, "name": name}, **more)


def ends(pid: int) -> None:
    """Wait for the end of the process."""
    until = monotonic() + SOON
    while not gone(pid):
        assert monotonic() < until, pid


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
        there.IDLE = seconds

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
    assert result.execution_log[0]["result"] == {"success": False, "error": error}


# a worker that dies


def test_a_call_whose_worker_dies_has_failed_and_is_not_made_again(
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
    assert result.execution_log[0]["result"] == fields
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

    running = runner.start(steps(visit(meeting, timeout=1.0)), on=address)
    guest = meeting.next()
    running.wait(SOON)

    [call] = running.run.calls.values()
    assert (call.status, call.result["error"]) == ("timed_out", "State 'a' timed out after 1s")
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


DIES = """
import sys
from tests.runner.meeting import attend
from wfnb.runner.dask import on_dask
on_dask(sys.argv[1])("k").submit(attend, int(sys.argv[2])).result()
"""


def test_a_call_that_nobody_waits_for_any_more_is_ended(address: str, meeting: Meeting):
    waits = subprocess.Popen([sys.executable, "-c", DIES, address, str(meeting.port)])
    guest = meeting.next()

    waits.kill()
    waits.wait()

    ends(guest.pid)
    assert not gone(guest.worker)


# the cluster


WRONG = ["", "dask://", "dask://nohost", "tcp://127.0.0.1:1", "dask://h:1/x", "dask://a b:1", 3]


@pytest.mark.parametrize("on", WRONG)
def test_what_is_no_address_and_no_client_is_refused(on: Any):
    with pytest.raises(BadValue, match=r"It needs dask://HOST:PORT, a dask.distributed.Client or"):
        on_dask(on)


def test_an_address_where_nothing_answers_is_refused(runner: Runner):
    with pytest.raises(ClusterUnreachable) as refused:
        runner.run(steps(step("a", "sleep", args={"seconds": 0})), on="dask://127.0.0.1:1")

    said = str(refused.value)
    assert said.startswith("No Dask cluster answers at tcp://127.0.0.1:1 (")
    assert said.endswith("). Give the address of its scheduler, or run without --on.")
    assert said.isprintable()
    assert runner.runs() == []


def test_a_cluster_with_another_version_is_refused(address: str, monkeypatch: pytest.MonkeyPatch):
    ours = distributed.versions.get_versions

    def newer(packages: Any = None) -> Any:
        found = ours(packages)
        return found | {"packages": found["packages"] | {"wfnb": "99"}}

    monkeypatch.setattr(distributed.versions, "get_versions", newer)

    with pytest.raises(
        ClusterDiffers, match=r"differs: worker tcp://\S+ has wfnb .*, here it is 99\."
    ):
        on_dask(address)


def test_without_dask_the_way_to_get_it_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(DaskMissing) as refused:
        on_dask("dask://127.0.0.1:8786")

    assert str(refused.value) == (
        '--on dask://127.0.0.1:8786 needs Dask, which is not installed: `pip install "wfnb[dask]"`.'
    )


def test_a_client_that_is_passed_stays_open_and_is_of_no_use_once_closed(
    runner: Runner, address: str
):
    @tool(travels=True)
    def who() -> int:
        return os.getppid()

    with distributed.Client(address.replace("dask", "tcp"), set_as_default=False) as client:
        result = runner.run(steps(step("a", "who")), on=client)

        assert result.execution_log[0]["result"]["result"] != os.getpid()
        assert client.submit(os.getpid, pure=False).result() != os.getpid()

    with pytest.raises(ClusterUnreachable, match="the client is closed"):
        on_dask(client)


def test_a_cluster_of_threads_makes_calls_in_children_too(meeting: Meeting):
    here = {"n_workers": 1, "processes": False, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**here) as inside:
        client = distributed.Client(inside, set_as_default=False)
        cluster = on_dask(client)

        sent = cluster("k").submit(attend, meeting.port)
        guest = meeting.next()
        guest.tell("go")

        assert sent.result(SOON) == {"pid": guest.pid, "worker": os.getpid(), "word": "go"}
        cluster.close()
        client.close()
    assert guest.pid != os.getpid()


def test_a_cluster_that_is_closed_leaves_no_thread_and_no_socket(address: str):
    def held() -> tuple[set[Any], set[Any]]:
        sockets = psutil.Process().net_connections()
        port = int(address.rpartition(":")[2])
        return set(threading.enumerate()), {s.laddr for s in sockets if port in s.raddr[1:]}

    threads, sockets = held()
    cluster = on_dask(address)
    cluster("k").submit(dict).result(SOON)
    more_threads, more_sockets = held()
    cluster.close()
    left_threads, left_sockets = held()

    assert more_threads - threads
    assert more_sockets - sockets
    assert not {thread for thread in left_threads - threads if thread.is_alive()}
    assert not left_sockets - sockets


def test_the_client_of_a_run_is_closed_at_its_end_or_when_it_is_refused(
    runner: Runner, machines: Any, address: str
):
    @tool(travels=True)
    def who() -> int:
        return os.getppid()

    def clients() -> set[str]:
        on_dask(address).close()  # what was closed before it is known to be
        return {name for name in machines.scheduler.clients if name.startswith("Client-wfnb")}

    before = clients()
    running = runner.start(steps(step("a", "who")), on=address)
    running.wait(SOON)
    with pytest.raises(WorkflowInvalid):
        runner.start(steps(step("a", "no_such_tool")), on=address)
    with pytest.raises(RunNotResumable):
        runner.resume(running.name, on=address)

    assert running.run.status == "success"
    assert not clients() - before


def test_a_cluster_keeps_only_the_names_of_calls_that_nobody_saw_ending(meeting: Meeting):
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **HERE) as machines:
        locks = machines.scheduler.extensions["multi_locks"]
        cluster = on_dask(at(machines))
        cluster("done").submit(dict).result(SOON)
        stopped = cluster("stopped").submit(attend, meeting.port)
        meeting.next()
        stopped.stop()
        assert stopped.exception(SOON)
        lost = cluster("lost").submit(attend, meeting.port)
        os.kill(meeting.next().worker, signal.SIGKILL)
        assert lost.exception(SOON)
        before = {name.split("/")[1] for name in locks.locks}

        cluster.close()

        assert before == {"done", "stopped", "lost"}
        assert {name.split("/")[1] for name in locks.locks} == {"lost"}


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
    with pytest.raises(ClusterLost, match=r"is gone, and how its calls ended is not known\."):
        running.wait(SOON)

    assert (running.run.status, calls(running.run)) == ("running", ["a running"])
    ends(guest.pid)
    with pytest.raises(CallUncertain, match=r"Whether a \(attend\) was done is not known"):
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
