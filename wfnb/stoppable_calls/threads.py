"""a call -> a thread that makes it, and a way to stop it there.

A thread cannot be killed. It can be told to raise an exception, which it does before its next
bytecode: a loop ends at once, a call into C when it returns. What does not end in time is reported,
never forgotten.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any

GRACE = 0.2
"""Seconds that a call may take to stop."""
IDLE = 8
"""Threads that are kept for the next call."""
_raise_in_thread = ctypes.pythonapi.PyThreadState_SetAsyncExc


class Stopped(BaseException):
    """Raised inside a call that is to end."""


class StillRunning(Exception):
    """A call that was cancelled and has not ended. `future` is done when it has."""

    def __init__(self, future: Future[Any] | asyncio.Future[Any] | None = None) -> None:
        super().__init__("it was told to stop and is still running")
        self.future = future


class Threads(Executor):
    """As many threads as there are calls at a time. They are daemons: one that hangs does not keep
    the process from ending."""

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Any]] = []
        self._closed = False

    def submit(self, function: Callable[..., Any], /, *args: Any, **names: Any) -> Future[Any]:
        if self._closed:
            raise RuntimeError("these threads are shut down")
        future: Future[Any] = Future()
        try:
            calls = self._idle.pop()
        except IndexError:
            calls = SimpleQueue()
            name = f"wfnb-tool-{id(calls):x}"
            threading.Thread(target=self._work, args=(calls,), name=name, daemon=True).start()
        calls.put((future, partial(function, *args, **names)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """No more calls. What runs is not waited for."""
        self._closed = True
        while self._idle:
            self._idle.pop().put(None)

    def _work(self, calls: SimpleQueue[Any]) -> None:
        while (call := calls.get()) is not None:
            future, function = call
            if future.set_running_or_notify_cancel():
                try:
                    result = function()
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)
            # A thread that waits for the next call must not keep the result of the last alive.
            del call, future, function
            if self._closed or len(self._idle) >= IDLE:
                return
            self._idle.append(calls)


THREADS = Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=THREADS._idle.clear)  # a fork has none of the threads


class Stoppable:
    """A call that another thread can stop. Calling it gives what came of it, and never raises."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call
        self._thread: int | None = None
        self._stopped = self._stopping = self._ended = False

    def __call__(self) -> tuple[Any, BaseException | None]:
        try:
            self._thread = threading.get_ident()
            try:
                if self._stopped:
                    return None, Stopped()
                return self._call(), None
            finally:
                self._finish_stopping()
        except BaseException as error:
            return None, error

    def stop(self) -> None:
        """Raise Stopped in the call, if it has begun and not ended; else it will not begin."""
        self._stopping = True
        try:
            self._stopped = True
            if self._thread is not None and not self._ended:
                _raise_in_thread(ctypes.c_ulong(self._thread), ctypes.py_object(Stopped))
        finally:
            self._stopping = False

    def _finish_stopping(self) -> None:
        """Nothing raised after this reaches what the thread does next."""
        while True:
            try:
                self._ended = True
                while self._stopping:
                    time.sleep(0)
                if self._stopped:
                    settle()
                return
            except Stopped:
                continue


def settle() -> None:
    """Take what was raised in this thread and did not arrive yet. While something is on its way, to
    whichever thread, CPython 3.11 begins no function that is traced: a profiler or a debugger would
    stand still. An exception that does arrive ends that. One for a thread that is in C stays: it
    is told again when that thread returns from there."""
    try:
        _raise_in_thread(ctypes.c_ulong(threading.get_ident()), ctypes.py_object(Stopped))
        while True:  # it arrives before the next turn
            pass
    except Stopped:
        pass


async def in_thread(
    call: Callable[[], Any], executor: Executor | None = None
) -> tuple[Any, BaseException | None]:
    """What the call returned and what it raised, made in a thread with the context variables of
    here. (It is not raised here, since a coroutine cannot raise everything.)

    When this is cancelled the call is stopped; raises StillRunning if it has not ended after 0.2 s.
    """
    job = Stoppable(partial(copy_context().run, call))
    future = (executor or THREADS).submit(job)
    value, error = await _stopped_with(future, job.stop)
    return value, error


async def _stopped_with(future: Future[Any], stop: Callable[[], None], grace: float = GRACE) -> Any:
    waiting = asyncio.wrap_future(future)
    try:
        return await asyncio.shield(waiting)
    except asyncio.CancelledError:
        if future.done() and not future.cancelled():
            return future.result()  # it was quicker
        if future.cancel():
            raise
        stop()
        with suppress(asyncio.CancelledError):  # told a second time: no more patience
            await asyncio.wait([waiting], timeout=grace)
        if not future.done():
            settle()
            waiting.cancel()
            raise StillRunning(future) from None
        if waiting.done() and not waiting.cancelled():
            waiting.exception()  # seen: it was stopped, whatever came of it
        raise


async def in_executor(executor: Executor, function: Callable[..., Any], *args: Any) -> Any:
    """What an executor that is not made of threads here returns or raises.

    When this is cancelled the call is told not to begin. One that has begun is stopped if its
    future can `stop` it, and may take the future's `grace` seconds for that; else, and after that,
    this raises StillRunning."""
    future = executor.submit(function, *args)
    stop = getattr(future, "stop", _nothing)
    return await _stopped_with(future, stop, getattr(future, "grace", GRACE))


def _nothing() -> None:
    pass
