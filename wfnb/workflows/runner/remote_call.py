"""a call, packed -> the executor that sends it, and the future of what is made elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from concurrent.futures import Executor, Future
from hashlib import sha256
from typing import Any, TypeVar
from uuid import uuid4

from wfnb.workflows.tools.result_fields import ToolFailed

T = TypeVar("T")
GRACE = 2.0
"""Seconds that a call may take to be stopped there."""


class SentCall(Future[dict[str, Any]]):
    """A call that is made elsewhere. It has begun, as far as anybody here knows: it cannot be
    cancelled, but be told to `stop`."""

    grace = GRACE

    def __init__(self, key: str, work: bytes, stop: Callable[[SentCall], None]) -> None:
        super().__init__()
        self.key, self.work, self._stop = key, work, stop
        self.task: Any = None
        """What the cluster knows it as."""
        # So that `cancel()` of the future says no: only `stop` knows how to end it there.
        self.set_running_or_notify_cancel()

    def stop(self) -> None:
        """End it; from any thread. It is done when nothing of it is left."""
        self._stop(self)

    def settle(self, end: dict[str, Any] | BaseException) -> None:
        """It has ended, unless it had already. Always from the same thread."""
        if self.done():
            return
        if isinstance(end, BaseException):
            self.set_exception(end)
        else:
            self.set_result(end)


class Sending(Executor):
    """Sends one call."""

    hides: Collection[str] = ()
    """Texts that no program which the call starts there is to inherit in its environment."""

    def __init__(self, send: Callable[[str, bytes], SentCall], key: str) -> None:
        self._send, self._key = send, key

    def submit(self, function: Callable[..., Any], /, *args: Any, **names: Any) -> Future[Any]:
        """Raises ToolFailed for what cannot travel."""
        assert not names, "a call has its arguments by position"
        salt = uuid4().hex  # they are not sent, but what tells them
        held = frozenset(hash_text(salt, text) for text in self.hides)
        return self._send(self._key, _pickle_task(withholding, salt, held, function, *args))


def hash_text(salt: str, text: str) -> str:
    return sha256(f"{salt}{text}".encode("utf-8", "surrogateescape")).hexdigest()


def withholding(salt: str, held: Collection[str], function: Callable[..., T], *args: Any) -> T:
    """What the function gives, called without the variables that hold such a text. A process that
    makes one call after the other has them again after it."""
    values = [*os.environ.items()] if held else []
    kept = {name: value for name, value in values if hash_text(salt, value) in held}
    for name in kept:
        del os.environ[name]
    try:
        return function(*args)
    finally:
        os.environ.update(kept)


def _pickle_task(*task: Any) -> bytes:
    import cloudpickle  # type: ignore[import-untyped]  # noqa: PLC0415  comes with distributed

    try:
        return bytes(cloudpickle.dumps(task))
    except Exception as error:
        raise ToolFailed(f"it cannot be taken to another machine ({error})") from None
