"""the address or a client of a Dask cluster -> for each call an executor, which makes it there.

What a call needs of a cluster, and a cluster does not give by itself:

* It is made once. Dask would make a call again whose worker dies; here its death is the attempt's
  failure (`error_type` WorkerLost), and the workflow's own rules decide what follows.
* It can be stopped. It runs in a child of the worker (`dask_worker.py`), which is killed, with all
  that it has started, when the call is cancelled, when its time is over, and when we are gone
  ourselves. What a tool may not expect there is Dask: no `get_worker`, no data that the worker
  holds.
* When the scheduler goes, how its calls ended is unknown: ClusterLost, which is no result. The
  run stays as it is, and resuming it asks about them as after a crash.

A call costs 11 ms here where one follows the other (Dask gathers messages for 10 ms), 3 ms where
many are made at once, and 50 ms more for the first of each thread of a worker. Its time counts from
when it is sent: waiting for a worker is part of it.
"""

from __future__ import annotations

import asyncio
import json
import re
from asyncio import AbstractEventLoop
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Executor
from contextlib import suppress
from itertools import count
from typing import Any
from uuid import uuid4

from wfnb.errors import BadValue, ClusterLost, ClusterUnreachable, DaskMissing
from wfnb.hints import Option
from wfnb.workflows.tools.result_fields import ToolFailed

from . import dask_worker
from .dask_client import DASK, close, connect_client
from .remote_call import Sending, SentCall

_ADDRESS = re.compile(r"dask://(?P<place>(\[[0-9a-fA-F:.]+\]|[^\s:/\[\]]+):[0-9]{1,5})/?")
_NEEDS = "dask://HOST:PORT, a dask.distributed.Client or a concurrent.futures.Executor"


def on_dask(on: Any) -> Cluster:
    """The cluster whose scheduler is at `dask://HOST:PORT`, or which a Client is connected to.

    Raises DaskMissing, BadValue for what is neither, ClusterUnreachable where nothing answers
    within 5 s, ClusterDiffers where its versions of Python, distributed or wfnb are not ours."""
    address = _ADDRESS.fullmatch(on) if isinstance(on, str) else None
    if isinstance(on, str) and address is None:
        raise BadValue(str(Option("on")), on[:80], _NEEDS)
    try:
        import distributed  # noqa: PLC0415  heavy: half a second
    except ImportError:
        if address is None:
            raise BadValue(str(Option("on")), repr(on)[:80], _NEEDS) from None
        raise DaskMissing(str(Option("on", on))) from None
    if address is not None:
        where = f"{DASK}{address['place']}"
        return Cluster(where, connect_client(where))
    if not isinstance(on, distributed.Client):
        raise BadValue(str(Option("on")), repr(on)[:80], _NEEDS)
    scheduler: Any = on.scheduler
    if on.status != "running" or scheduler is None:
        raise ClusterUnreachable("the client's address", f"the client is {on.status}")
    return Cluster(scheduler.address, connect_client(scheduler.address, on.security))


class Cluster:
    """A cluster, through a client of ours: one that the user has may serve another loop, and may be
    closed while we need it. Called with a key that no other call has, it gives an executor for that
    call. `close` it when no more calls are made."""

    def __init__(self, address: str, client: Any) -> None:
        self.address = address
        self._client = client
        self._loop: AbstractEventLoop = client.loop.asyncio_loop
        self._once = uuid4().hex[:8]
        self._sent: dict[str, SentCall] = {}
        self._over: dict[str, str] = {}  # the calls that have ended, and their tasks
        self._tasks: set[asyncio.Task[None]] = set()
        client.subscribe_topic("all", self._on_event)

    def __call__(self, key: str) -> Executor:
        return Sending(self._send, f"wfnb/{key}/{self._once}")

    def __repr__(self) -> str:
        return f"<wfnb cluster at {self.address}>"

    def close(self) -> None:
        """Close our client: its thread and sockets are gone after that. The cluster lives on, and
        keeps nothing of ours but the names of calls that nobody saw ending."""
        if self._client.status == "running":
            with suppress(Exception):  # a scheduler may refuse to run what it is sent
                self._client.unsubscribe_topic("all")
                self._client.run_on_scheduler(_lock_sweeper(self._over, self._client.id))
        close(self._client)

    def _send(self, key: str, work: bytes) -> SentCall:
        """Begin a call; from any thread. Raises ClusterLost."""
        if self._client.status != "running":
            raise ClusterLost(self.address)
        sent = SentCall(key, work, self._stop)
        self._loop.call_soon_threadsafe(self._begin, sent)
        return sent

    def _stop(self, sent: SentCall) -> None:
        self._loop.call_soon_threadsafe(lambda: self._spawn(self._stop_call(sent)))

    # on the client's loop

    def _begin(self, sent: SentCall) -> None:
        self._sent[sent.key] = sent
        self._spawn(self._make_call(sent))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _make_call(self, sent: SentCall) -> None:
        try:
            sent.settle(await self._fields(sent))
        except BaseException as error:
            sent.settle(error)
        finally:
            self._sent.pop(sent.key, None)

    async def _fields(self, sent: SentCall) -> dict[str, Any]:
        from distributed import KilledWorker  # noqa: PLC0415  heavy

        for again in count():
            name = f"{sent.key}/{again}"
            sent.task = self._client.submit(
                # `pure=False`: equal calls are two calls. `retries=0`: the workflow's rules try
                # again, not Dask's.
                dask_worker.make_call,
                sent.key,
                name,
                sent.work,
                key=name,
                pure=False,
                retries=0,
            )
            try:
                answer = await sent.task
            except KilledWorker:  # perhaps before the call was begun: then it is sent again
                if await self._is_begun(sent.key):
                    raise _worker_lost_error() from None
                continue
            except (CancelledError, asyncio.CancelledError) as error:
                raise await self._dropped_call_error(sent, error) from None
            finally:
                sent.task.release()
            # Someone holds the lock, and it is not this task: a worker that is gone had begun the
            # call.
            if answer is None:
                raise _worker_lost_error()
            self._over[sent.key] = name
            if isinstance(answer, int):
                text = f"its process ended without a result (exit code {answer})"
                raise ToolFailed(text, outcome_unknown=True)
            return dict(json.loads(answer))
        raise AssertionError

    async def _stop_call(self, sent: SentCall) -> None:
        with suppress(OSError):  # the cluster is gone, which `_make_call` hears as well
            # Taking the lock is what makes "not begun" stay true: a worker that asks later finds
            # it taken.
            if await self._is_begun(sent.key, keep=True):
                await self._end_call(sent.key)
                sent.settle(CancelledError())
            else:
                sent.settle(CancelledError())
                await self._forget(sent)

    async def _forget(self, sent: SentCall) -> None:
        """Dask need not make it any more."""
        if sent.task is not None and not sent.task.done():
            await sent.task.cancel()

    async def _dropped_call_error(self, sent: SentCall, error: BaseException) -> BaseException:
        """Why a call was cancelled that we did not cancel. What runs of it is ended."""
        if self._client.status != "running":
            return ClusterLost(self.address)
        if not sent.done():
            with suppress(OSError):
                await self._end_call(sent.key)
        why = getattr(error, "reason", "cancelled")
        text = f"the cluster dropped the call ({why})"
        return ToolFailed(text, error_type="WorkerLost", outcome_unknown=True)

    def _on_event(self, event: tuple[float, Any]) -> None:
        """Something happened on the cluster; a worker may be gone."""
        _, what = event
        if not isinstance(what, dict) or what.get("action") != "remove-worker":
            return
        names = {*what.get("processing-tasks", ()), *what.get("lost-computed-tasks", ())}
        for sent in [*self._sent.values()]:
            if sent.task is not None and sent.task.key in names:
                self._spawn(self._on_worker_left(sent, what["worker"]))

    async def _on_worker_left(self, sent: SentCall, worker: str) -> None:
        """A worker is gone that had the call. If it had begun it, the call has failed; if not,
        another one will."""
        with suppress(OSError):
            if await self._is_begun(f"{sent.key}@{worker}"):
                sent.settle(_worker_lost_error())
                await self._forget(sent)

    async def _is_begun(self, lock: str, keep: bool = False) -> bool:
        """Whether a worker has the lock of a call; if none has, and it is to be kept, none will."""
        id = uuid4().hex
        free = await self._client.scheduler.multi_lock_acquire(
            locks=[lock], id=id, timeout=0, num_locks=1
        )
        if free and not keep:
            await self._client.scheduler.multi_lock_release(id=id)
        return not free

    async def _end_call(self, key: str) -> None:
        """End the call wherever it is made."""
        await self._client.run(dask_worker.stop, key, on_error="ignore")


def _lock_sweeper(calls: Mapping[str, str], client: str) -> Callable[[Any], None]:
    """What forgets the locks of calls that have ended, and their tasks, at the scheduler, which
    would keep the names for ever. It goes there whole: wfnb may not be installed there.

    A lock of a call whose end was not seen stays: the cluster may be about to make it again."""

    def sweep(dask_scheduler: Any) -> None:
        dask_scheduler.client_releases_keys(keys=[*calls.values()], client=client)
        known = dask_scheduler.extensions["multi_locks"]
        for id in [id for id, locks in known.requests.items() if not locks.isdisjoint(calls)]:
            known.release(id)
        for lock in [*known.locks]:
            if lock in calls or lock.rpartition("@")[0] in calls:
                del known.locks[lock]

    return sweep


def _worker_lost_error() -> ToolFailed:
    text = "the worker that made the call is gone; how far it came is unknown"
    return ToolFailed(text, error_type="WorkerLost", outcome_unknown=True)
