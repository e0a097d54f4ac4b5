"""a test -> the cluster it needs, of real processes; who it meets there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any
from unittest.mock import patch

import pytest

from tests.amount import times
from wfnb.workflows.runner.dask_cluster import Cluster, on_dask
from wfnb.workflows.tools.registry import tool

from .meeting import Meeting, attend
from .place import SOON, gone, step

HERE = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}


@contextmanager
def local_cluster() -> Iterator[Any]:
    """A cluster of two processes, with one thread each. What it sets in this process's environment
    for them (`PYTHONHASHSEED`, …) is not left there."""
    distributed = pytest.importorskip("distributed")
    with (
        patch.dict(os.environ),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **HERE) as cluster,
    ):
        yield cluster


@pytest.fixture(scope="module")
def machines() -> Iterator[Any]:
    with local_cluster() as cluster:
        yield cluster


def at(machines: Any) -> str:
    return str(machines.scheduler_address).replace("tcp://", "dask://")


@pytest.fixture
def address(machines: Any) -> str:
    return at(machines)


@pytest.fixture(params=[0, 3][times(1, 0) :])
def mortal(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a cluster of the test's own, whose workers may be killed. It makes a call
    again of its own accord never, or three times, as it comes."""
    with local_cluster() as cluster:
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
