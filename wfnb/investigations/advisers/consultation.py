"""names, requests -> what each adviser replied, asked side by side; or why there is no reply.

Whatever an adviser does, it is recorded as an Advice: nothing of it is raised here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar, copy_context
from dataclasses import replace
from functools import partial
from inspect import isawaitable, iscoroutinefunction
from threading import Lock, Thread
from time import monotonic
from typing import Any

from wfnb.core.validation import MAX_TEXT
from wfnb.errors import Refused
from wfnb.investigations.core.events import Advice
from wfnb.stoppable_calls.tasks import in_task
from wfnb.stoppable_calls.threads import StillRunning, Stopped, in_thread

from .adviser import Adviser, Reply, Request, hide_key, secret
from .chat import NoReply
from .prompts import verdict

AT_ONCE = 32
"""So many are asked at a time, the others after them."""
HEARD = 0.2
"""Seconds after which an interrupt is heard at the latest: one that comes right before the wait, or
to another thread of the process, does not end it."""
MAX_ERROR, MAX_VERDICT = 1_000, 80
ASKING: ContextVar[bool] = ContextVar("wfnb_consulting", default=False)
"""True in what an adviser does: a step that it records asks nobody."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def ask(asked: Sequence[tuple[str, Request]], find: Callable[[str], Adviser]) -> list[Advice]:
    """Advice in the order in which it was asked for, not of the replies. `find` gives the adviser
    of a name, or refuses. An interrupt ends the waiting: what came until then is kept."""
    if not asked:
        return []
    work = _Consultation(asked, find)
    context = copy_context()
    while True:
        try:
            if not work.begun.locked():  # an interrupt may come while the thread is started
                run = partial(context.copy().run, work.run)
                Thread(target=run, name="wfnb-advisers", daemon=True).start()
            with suppress(TimeoutError):
                work.done.exception(HEARD)
            if work.done.done():
                return work.done.result()
        except KeyboardInterrupt:
            work.interrupt()


class _Consultation:
    """The questions on a loop of their own, in a thread: a notebook has a loop already."""

    def __init__(
        self, asked: Sequence[tuple[str, Request]], find: Callable[[str], Adviser]
    ) -> None:
        self.begun = Lock()
        self.done: Future[list[Advice]] = Future()
        self._asked, self._find = asked, find
        self._keys: set[str | None] = set()
        self._interrupted = False
        self._tasks: list[asyncio.Task[Advice]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        """What does not heed its end may take longer than the replies do: nobody waits for it."""
        if not self.begun.acquire(blocking=False):
            return
        try:
            asyncio.run(self._all())
        except BaseException as error:  # never but for a fault of ours: then it is told
            if not self.done.done():
                self.done.set_exception(error)

    async def _all(self) -> None:
        ASKING.set(True)
        self._loop = asyncio.get_running_loop()
        turns = asyncio.Semaphore(AT_ONCE)
        self._tasks = [
            asyncio.create_task(self._one(name, request, turns)) for name, request in self._asked
        ]
        # The interrupt may have come before there was a loop to be told.
        if self._interrupted:
            self._cancel()
        came = await asyncio.gather(*self._tasks, return_exceptions=True)
        self.done.set_result(
            [
                self._interrupted_advice(asked, each) if isinstance(each, BaseException) else each
                for asked, each in zip(self._asked, came, strict=True)
            ]
        )

    def interrupt(self) -> None:
        self._interrupted = True
        if self._loop is not None and not self.done.done():
            self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _one(self, name: str, request: Request, turns: asyncio.Semaphore) -> Advice:
        told = Advice(adviser=name, role=request.role, stance=request.stance)
        try:
            adviser = self._find(name)
            # All keys are hidden in all replies: an adviser may call another one with another key.
            self._keys.add(secret(adviser))
        except Refused as error:
            return replace(told, error=str(error))
        limit, began = asyncio.timeout(adviser.timeout), monotonic()
        reply, why = None, ""
        try:
            # The time counts from its turn: whoever waits for one is not to be blamed for the
            # others.
            async with turns:
                began = monotonic()
                async with limit:
                    reply = _reply(await _call_adviser(adviser, request))
        except BaseException as error:  # an adviser may be anything that can be called
            why = self._failure_reason(error, adviser.timeout if limit.expired() else None)
        told = replace(told, seconds=round(monotonic() - began, 3))
        if reply is None:
            return replace(told, error=_cut(_line(self._hide_keys(why)), MAX_ERROR))
        text = _cut(self._hide_keys(reply.text), MAX_TEXT)
        word = _line(self._hide_keys(reply.verdict or ""))[:MAX_VERDICT]
        # `FOR` beside the text is the word that it is within it.
        known = verdict(f"Verdict: {word}" if word else text)
        return replace(told, text=text, verdict=known or word or None)

    def _interrupted_advice(self, asked: tuple[str, Request], error: BaseException) -> Advice:
        """Of a task that was interrupted before its first line, or of a fault of ours."""
        if not isinstance(error, asyncio.CancelledError):
            raise error
        name, request = asked
        why = self._failure_reason(error, None)
        return Advice(adviser=name, role=request.role, stance=request.stance, error=why)

    def _failure_reason(self, error: BaseException, late: float | None) -> str:
        if isinstance(error, TimeoutError | asyncio.CancelledError | Stopped | StillRunning):
            on = ", and it has not stopped" if isinstance(error, StillRunning) else ""
            if late is not None:
                return f"no reply in {late:g} s{on}"
            if self._interrupted:
                return f"it was interrupted before it replied{on}"
        if isinstance(error, NoReply):
            return str(error)
        return f"{type(error).__name__}: {_ADDRESS.sub('', str(error))}".removesuffix(": ")

    def _hide_keys(self, text: str) -> str:
        for key in self._keys:
            text = hide_key(text, key)
        return text


async def _call_adviser(adviser: Adviser, request: Request) -> Any:
    """What it returned. A coroutine function is asked here, a function in a thread."""
    if iscoroutinefunction(adviser.ask):
        value, error = await in_task(adviser.ask(request))
    else:
        value, error = await in_thread(partial(adviser.ask, request))
        if error is None and isawaitable(value):
            value, error = await in_task(value)
    if error is not None:
        raise error
    return value


def _reply(value: Any) -> Reply:
    if isinstance(value, Mapping):
        value = Reply(text=value.get("text"), verdict=value.get("verdict"))  # type: ignore[arg-type]
    elif isinstance(value, str):
        value = Reply(text=value)
    if not isinstance(value, Reply) or not isinstance(value.text, str):
        raise NoReply(f"it returned {type(value).__name__}, and no text")
    if not isinstance(value.verdict, str | None):
        raise NoReply(f"its verdict is {type(value.verdict).__name__}, and no word")
    text = _storable_text(value.text).strip()
    if not text:
        raise NoReply("its reply is empty")
    if not any(map(str.isalnum, text)):
        raise NoReply("its reply has no words")
    return Reply(text=text, verdict=value.verdict)


def _storable_text(text: str) -> str:
    """As a journal keeps it: Unicode, line breaks and tabs, no other control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("\ufffd", text).encode("utf-8", "replace").decode()


def _line(text: str) -> str:
    return " ".join(_storable_text(text).split())


def _cut(text: str, most: int) -> str:
    """What is left out is said; nothing is cut before the keys are hidden in it."""
    if len(text) <= most:
        return text
    note = f" … cut: {len(text):,} characters in all"
    return text[: most - len(note)] + note
