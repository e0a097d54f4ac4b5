"""one call that was recorded as started -> the tool, called within its limits -> how it ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor
from hashlib import sha256
from typing import Any

from wfnb.core.runs.commands import FinishCall
from wfnb.errors import Refused
from wfnb.tools.context import Context, Question
from wfnb.tools.outcome import outcome_of, plain
from wfnb.tools.perform import StillRunning, perform
from wfnb.tools.tool import Tool
from wfnb.workflow.cut import LOOKED, shortened

from .called import Unasked
from .kept import Spoken, kept, spellings, without
from .questions import hides
from .surroundings import Surroundings

Ask = Callable[[Question], Awaitable[Any]]
Nested = Callable[..., Awaitable[Mapping[str, Any]]]
_STOPPED = {"success": False, "error": "it was stopped"}


class Attempt:
    """A call of a tool. `timeout` and `idle` are in seconds, None: no limit."""

    def __init__(
        self,
        around: Surroundings,
        run: str,
        id: int,
        action: str,
        attempt: int,
        tool: Tool,
        params: Mapping[str, Any],
        *,
        timeout: float | None,
        idle: float | None,
        cached: bool,
        ask: Ask,
        nested: Nested,
    ) -> None:
        self.around, self.run, self.id = around, run, id
        self.action, self.attempt, self.tool, self.params = action, attempt, tool, params
        self.timeout, self.idle, self.cached = timeout, idle, cached
        self.ask, self.nested = ask, nested
        self.stopped = False
        self._now = False
        self._silent = False
        self._alive = 0.0
        self._spoken: Spoken | None = None
        self.task: asyncio.Task[FinishCall] | None = None

    def stop(self, now: bool = False) -> None:
        """End it from here. What it does to end is left alone, unless it is to end `now`."""
        told = self.stopped and (self._now or not now)
        self.stopped, self._now = True, self._now or now
        if self.task is not None and not told:
            self.task.cancel()

    async def ended(self) -> FinishCall:
        """Call the tool, and say how it ended; it never raises but for a fault of ours."""
        if self.stopped:
            return FinishCall(call=self.id, result=dict(_STOPPED), stopped=True)
        loop = asyncio.get_running_loop()
        key = self._cache_key() if self.cached else ""
        if key and self.around.reuse:
            found = self.around.cache.get(key)
            if found is not None:
                return FinishCall(call=self.id, result=dict(found), duration=0.0, cached=True)
        since = loop.time()
        found = await self._result(loop)
        whole = kept(found, self.around.hides(), self.tool.results or ())
        result = shortened(whole, self.action, longest=LOOKED)
        seconds = round(loop.time() - since, 6)
        if key and not self.stopped and result.get("success"):
            self.around.cache.put(key, shortened(result, self.action))
        return FinishCall(call=self.id, result=result, duration=seconds, stopped=self.stopped)

    async def _result(self, loop: asyncio.AbstractEventLoop) -> dict[str, Any]:
        watch = None
        try:
            if isinstance(self.params, Unasked):
                self.params = await self._asked(self.params)
            self._alive = loop.time()
            watch = self._watch(loop) if self.idle is not None else None
            async with asyncio.timeout(self.timeout):
                elsewhere = self._executor() if self.tool.travels else None
                context = self._context() if self.tool.told else None
                return await perform(self.tool, self.params, context, elsewhere)
        except TimeoutError as over:
            said = getattr(over.__cause__, "__notes__", ())  # what the tool waited for
            told = isinstance(said, list) and bool(said)  # of somebody's exception, as they like
            missed = {"missed": plain("; ".join(map(str, said)))} if told else {}
            return missed | _late(f"State '{self.action}' timed out after {self.timeout:g}s")
        except StillRunning as still:
            limit = self.idle if self._silent else self.timeout
            what = "stopped" if self.stopped or limit is None else f"timed out after {limit:g}s"
            late = {} if self.stopped else {"timeout_occurred": True}
            return {"success": False, "error": f"{what}; {still}", "still_running": True, **late}
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None:
                task.uncancel()
            if self._silent and not self.stopped:
                return _late(f"State '{self.action}' gave no sign of life for {self.idle:g}s")
            self.stopped = True
            return dict(_STOPPED)
        except Refused as refusal:
            return {"success": False, "error": str(refusal)}
        except GeneratorExit as end:  # raised by a tool, or the loop is closed: then nobody hears
            return outcome_of(end)
        finally:
            if watch is not None:
                watch.cancel()
            if self._spoken is not None and (rest := self._spoken.end()):
                self.around.output(self.run, self.action, rest)

    async def _asked(self, params: Unasked) -> Mapping[str, Any]:
        """Secret answers that are not known any more are asked for again; that takes its time."""
        return params.filled({again.action: await self.ask(again) for again in params.questions})

    def _executor(self) -> Executor | None:
        executor = self.around.executor
        key = f"{self.around.root}/{self.run}/{self.action}/{self.id}"
        return None if executor is None else executor(key)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> asyncio.Task[None]:
        """Cancels the call once nothing was heard of it for the idle time."""
        called = asyncio.current_task()
        idle = self.idle or 0.0

        async def watching() -> None:
            while (rest := self._alive + idle - loop.time()) > 0:
                await asyncio.sleep(rest)
            self._silent = True
            if called is not None:
                called.cancel()

        return loop.create_task(watching())

    def _context(self) -> Context:
        around = self.around
        around.marked = True
        loop = asyncio.get_running_loop()
        self._spoken = spoken = Spoken(around.hides())

        def say(text: str) -> None:
            self._alive = loop.time()
            if said := spoken(text):
                around.output(self.run, self.action, said)

        return Context(
            run=self.run,
            action=self.action,
            attempt=self.attempt,
            folder=around.folder,
            say=say,
            ask=self.ask,
            nested=self.nested,
            namespace=around.namespace,
            terminals=around.terminals,
            root=around.root,
            mark=around.mark,
            code_of=around.code_of,
            hide=lambda text: without(text, spellings(around.hides())),
        )

    def _cache_key(self) -> str:
        """Nothing where a secret is passed: a key of it would tell it to who can guess."""
        hidden = set(spellings(self.around.hides()))
        if isinstance(self.params, Unasked) or hides(self.params, hidden):
            return ""
        said = json.dumps([self.tool.name, self.params], sort_keys=True, default=repr)
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _late(error: str) -> dict[str, Any]:
    return {"success": False, "timeout_occurred": True, "error": error}
