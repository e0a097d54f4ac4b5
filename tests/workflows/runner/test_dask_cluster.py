"""What `--on` may name, and what is left of a cluster that was used."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

import pytest

from wfnb.errors import (
    BadValue,
    ClusterDiffers,
    ClusterUnreachable,
    DaskMissing,
    RunNotResumable,
    WorkflowInvalid,
)
from wfnb.workflows.runner.dask_cluster import on_dask
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .clusters import at, local_cluster
from .meeting import Meeting, attend
from .place import SOON, step, steps

psutil = pytest.importorskip("psutil")
distributed = pytest.importorskip("distributed")

WRONG = ["", "dask://", "dask://nohost", "tcp://127.0.0.1:1", "dask://h:1/x", "dask://a b:1", 3]


@pytest.mark.parametrize("on", WRONG)
def test_what_is_no_address_and_no_client_is_refused(on: Any):
    with pytest.raises(BadValue, match=r"It needs dask://HOST:PORT, a dask.distributed.Client or"):
        on_dask(on)


def test_an_address_where_nothing_answers_is_refused(runner: Runner):
    with pytest.raises(ClusterUnreachable) as refused:
        runner.run(steps(step("a", "sleep", args={"seconds": 0})), on="dask://127.0.0.1:1")

    said = str(refused.value)
    assert said.startswith("No Dask cluster answers at dask://127.0.0.1:1 (")
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
    with local_cluster() as machines:
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
