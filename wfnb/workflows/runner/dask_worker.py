"""a packed call, on a worker of a cluster -> its fields, from a child process that can be killed.

A worker cannot stop what it runs: a thread cannot be killed, and a worker that is killed takes
other people's work with it. So a call is made in a child of the worker, an interpreter of its own.
It is kept for the next call, as threads are; one that is idle for 30 s ends. A child whose worker
is gone ends itself and all that it has started.

A call is made once. Whatever the cluster's own rules are (three tries, as they come), the worker
first takes a lock of the call's name at the scheduler, which is not given back.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from asyncio import AbstractEventLoop, IncompleteReadError, StreamReader, StreamWriter, TimerHandle
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary

from wfnb.workflows.tools import process_cleanup
from wfnb.workflows.tools.result_fields import outcome_of

MERCY = 0.12
"""Seconds that a call has for ending by itself, once it was asked to."""
IDLE = 30.0
"""Seconds for which a child waits for its next call."""
WANTED = 0.5
"""Seconds between two looks at whether anybody still waits for a call. The one who does says so
when it stops waiting; but it may be gone."""
_SIZE = 8
_BEGIN = (
    "import sys; sys.path[:] = sys.argv[2:]; "
    "from wfnb.workflows.runner.dask_worker import serve; serve(int(sys.argv[1]))"
)
_counted = count(1)


class Child:
    """An interpreter that makes one call after the other."""

    def __init__(self) -> None:
        self.mark = process_cleanup.mark(f"call-{next(_counted)}")
        ours, its = socket.socketpair()
        with its:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _BEGIN, str(its.fileno()), *sys.path],
                env=process_cleanup.environment(self.mark),
                stdin=subprocess.DEVNULL,
                # A group of its own, so that `_listen` can kill it with all that it started.
                start_new_session=True,
                pass_fds=[its.fileno()],
            )
        self._link = ours
        self._streams: tuple[StreamReader, StreamWriter] | None = None
        self.expiry: TimerHandle | None = None

    async def fields(self, task: bytes) -> bytes:
        """What the call gives, as JSON. Raises EOFError where the child ends instead."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(sock=self._link)
        reader, writer = self._streams
        try:
            writer.write(_frame_bytes(pickle.dumps((sys.path, task))))
            await writer.drain()
            size = int.from_bytes(await reader.readexactly(_SIZE), "big")
            return await reader.readexactly(size)
        except (IncompleteReadError, ConnectionError):
            raise EOFError from None

    async def end(self) -> int:
        """End it, with all that it has started; its exit code (128 and the signal's number)."""
        code = await asyncio.to_thread(self._end)
        if self._streams is not None:
            self._streams[1].close()
        else:
            self._link.close()
        return code

    def _end(self) -> int:
        process_cleanup.end_marked(self.mark, MERCY)
        self.process.kill()
        code = self.process.wait()
        return code if code >= 0 else 128 - code


class WorkerCall:
    """A call that this worker makes."""

    def __init__(self) -> None:
        self.stopped = asyncio.Event()
        self.ended = asyncio.Event()


_CALLS: dict[str, list[WorkerCall]] = {}
"""By their keys: Dask may make a task of a call again on the worker that still makes it."""
_IDLE: WeakKeyDictionary[AbstractEventLoop, list[Child]] = WeakKeyDictionary()
_ENDING: set[asyncio.Task[int]] = set()


async def make_call(key: str, name: str, task: bytes) -> bytes | int | None:
    """Make the call, as the cluster's task of that name. Gives its fields as JSON, or the exit code
    of a child that ended without any, or None: it was begun before."""
    from distributed import get_worker  # noqa: PLC0415  heavy: only on a worker

    worker = get_worker()
    at = worker.contact_address or worker.address
    call = WorkerCall()
    _CALLS.setdefault(key, []).append(call)
    try:
        names, id = [key, f"{key}@{at}"], uuid4().hex
        # Two names: the call's tells whether any worker began it, the one with the address
        # whether this worker did, which is asked when it is gone.
        free = await worker.scheduler.multi_lock_acquire(
            locks=names, id=id, timeout=0, num_locks=len(names)
        )
        return await _call_in_child(call, worker, name, task) if free else None
    finally:
        _CALLS[key].remove(call)
        if not _CALLS[key]:
            del _CALLS[key]
        call.ended.set()


async def stop(key: str) -> bool:
    """End the call, if it is made here. True once nothing of it is left."""
    calls = [*_CALLS.get(key, ())]
    for call in calls:
        call.stopped.set()
    for call in calls:
        await call.ended.wait()
    return bool(calls)


async def _call_in_child(call: WorkerCall, worker: Any, name: str, task: bytes) -> bytes | int:
    loop = asyncio.get_running_loop()
    idle = _IDLE.setdefault(loop, [])
    child = _awake(idle) or Child()
    told = [
        loop.create_task(call.stopped.wait()),
        loop.create_task(_wait_until_unwanted(worker, name)),
    ]
    # Over on any of three: the result, a stop, or nobody who waits any more.
    answer = loop.create_task(child.fields(task))
    try:
        await asyncio.wait([answer, *told], return_when=asyncio.FIRST_COMPLETED)
        fields = answer.result() if answer.done() and not call.stopped.is_set() else None
    except EOFError:
        fields = None
    # The task was cancelled by Dask. The child goes as well: it is in the middle of the call.
    except BaseException:
        await asyncio.shield(child.end())
        raise
    finally:
        for waiting in (answer, *told):
            waiting.cancel()
    if fields is None:
        return await child.end()
    child.expiry = loop.call_later(IDLE, _expire_child, loop, child)
    idle.append(child)
    return fields


def _awake(idle: list[Child]) -> Child | None:
    """A child that waits, if one does and has not died of itself meanwhile."""
    while idle:
        child = idle.pop()
        if child.expiry is not None:
            child.expiry.cancel()
        if child.process.poll() is None:
            return child
        _let_go(child)
    return None


def _expire_child(loop: AbstractEventLoop, child: Child) -> None:
    idle = _IDLE.get(loop, [])
    if child in idle:
        idle.remove(child)
        _let_go(child)


def _let_go(child: Child) -> None:
    ending = asyncio.get_running_loop().create_task(child.end())
    _ENDING.add(ending)
    ending.add_done_callback(_ENDING.discard)


async def _wait_until_unwanted(worker: Any, name: str) -> None:
    """Until nobody waits for the task any more."""
    while True:
        await asyncio.sleep(WANTED)
        task = worker.state.tasks.get(name)
        if task is None or task.state == "cancelled":
            return


# in the child


def serve(number: int) -> None:
    """Make the calls that come over the socket of this number, until its other end is closed."""
    # Else every program that a tool starts would hold the socket, and its end would never be
    # seen.
    os.set_inheritable(number, False)
    sys.argv[1:] = []
    link = socket.socket(fileno=number)
    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(link, tasks), daemon=True).start()
    while True:
        sys.path[:], task = pickle.loads(tasks.get())
        answer = json.dumps(_answer(task)).encode()
        # This process may be killed while it waits for its next call, with what is in the
        # buffers.
        sys.stdout.flush()
        sys.stderr.flush()
        with suppress(OSError):  # the worker is gone, and so are we soon
            link.sendall(_frame_bytes(answer))


def _answer(task: bytes) -> dict[str, Any]:
    try:
        function, *args = pickle.loads(task)
        return dict(function(*args))
    except BaseException as error:  # it could not be read here
        return {"fields": outcome_of(error)}


def _listen(link: socket.socket, tasks: SimpleQueue[bytes]) -> None:
    with link.makefile("rb") as stream:
        # Ends when the worker is gone, by whatever cause: then this process must not go on alone.
        while size := stream.read(_SIZE):
            tasks.put(stream.read(int.from_bytes(size, "big")))
    process_cleanup.end_marked(os.environ[process_cleanup.VARIABLE].split()[-1], grace=0)
    os.killpg(0, signal.SIGKILL)


def _frame_bytes(data: bytes) -> bytes:
    return len(data).to_bytes(_SIZE, "big") + data
