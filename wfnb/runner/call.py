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
    """A call of a tool, in the `task` that awaits its end. `timeout` and `idle` are in seconds,
    None: no limit. `gone` is told where that end is not waited for any more: it is `left`."""

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
        gone: Callable[[Attempt, FinishCall], None],
    ) -> None:
        self.around, self.run, self.id = around, run, id
        self.action, self.attempt, self.tool, self.params = action, attempt, tool, params
        self.timeout, self.idle, self.cached = timeout, idle, cached
        self.ask, self.nested, self.gone = ask, nested, gone
        self.stopped = self.left = False
        self._now = self._late = self._silent = False
        self._since = self._alive = 0.0
        self._spoken: Spoken | None = None
        self._grace: float | None = None
        self._patience: asyncio.TimerHandle | None = None
        self.task: asyncio.Task[None] | None = None

    def stop(self, now: bool = False) -> None:
        """End it from here. What it does to end is left alone, unless it is to end `now`."""
        told = self.stopped and (self._now or not now)
        self.stopped, self._now = True, self._now or now
        if not told:
            self._cancel()

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
        self._since = loop.time()
        finish = self._finish(await self._result(loop))
        if key and not self.stopped and not self.left and finish.result.get("success"):
            self.around.cache.put(key, shortened(finish.result, self.action))
        return finish

    def _finish(self, found: dict[str, Any]) -> FinishCall:
        whole = kept(found, self.around.hides(), self.tool.results or ())
        result = shortened(whole, self.action, longest=LOOKED)
        seconds = round(asyncio.get_running_loop().time() - self._since, 6)
        return FinishCall(call=self.id, result=result, duration=seconds, stopped=self.stopped)

    async def _result(self, loop: asyncio.AbstractEventLoop) -> dict[str, Any]:
        watch = limit = None
        try:
            if isinstance(self.params, Unasked):
                self.params = await self._asked(self.params)
            self._alive = loop.time()
            watch = self._watch(loop) if self.idle is not None else None
            if self.timeout is not None:
                limit = loop.call_later(self.timeout, self._out_of_time)
            tool = self.tool
            elsewhere = self._executor() if tool.travels else None
            context = self._context() if tool.told else None
            here = tool.coroutine and elsewhere is None
            self._grace = tool.grace if here else None
            return await perform(tool, self.params, context, elsewhere, own_task=not here)
        except StillRunning as still:
            return self._lasting(still)
        except asyncio.CancelledError as cancelled:
            return self._cancelled(cancelled)
        except Refused as refusal:
            return {"success": False, "error": str(refusal)}
        except GeneratorExit as end:  # raised by a tool, or the loop is closed: then nobody hears
            return outcome_of(end)
        finally:
            for timer in (watch, limit, self._patience):
                if timer is not None:
                    timer.cancel()
            if self._spoken is not None and (rest := self._spoken.end()):
                self.around.output(self.run, self.action, rest)

    # its end from outside

    def _cancel(self) -> None:
        """Cancel it. A coroutine that goes on all the same is left when its grace is over, or when
        it is told a second time."""
        if self.task is None:
            return
        if self._patience is not None:
            self._leave()
            return
        self.task.cancel()
        if self._grace is not None:
            self._patience = self.task.get_loop().call_later(self._grace, self._leave)

    def _leave(self) -> None:
        if not self.left:
            self.left = True
            self.gone(self, self._finish(self._lasting(StillRunning())))

    def _out_of_time(self) -> None:
        self._late = True
        self._cancel()

    def _cancelled(self, cancelled: asyncio.CancelledError) -> dict[str, Any]:
        """What a call gave that was cancelled from here, or by itself."""
        if self.stopped:
            return dict(_STOPPED)
        if self._late:
            said = getattr(cancelled, "__notes__", ())  # what the tool waited for
            told = isinstance(said, list) and bool(said)  # of somebody's exception, as they like
            missed = {"missed": plain("; ".join(map(str, said)))} if told else {}
            return missed | _late(f"State '{self.action}' timed out after {self.timeout:g}s")
        if self._silent:
            return _late(f"State '{self.action}' gave no sign of life for {self.idle:g}s")
        return outcome_of(cancelled)

    def _lasting(self, still: StillRunning) -> dict[str, Any]:
        limit = self.idle if self._silent else self.timeout
        what = "stopped" if self.stopped or limit is None else f"timed out after {limit:g}s"
        late = {} if self.stopped else {"timeout_occurred": True}
        return {"success": False, "error": f"{what}; {still}", "still_running": True, **late}

    async def _asked(self, params: Unasked) -> Mapping[str, Any]:
        """Secret answers that are not known any more are asked for again; that takes its time."""
        return params.filled({again.action: await self.ask(again) for again in params.questions})

    def _executor(self) -> Executor | None:
        executor = self.around.executor
        key = f"{self.around.root}/{self.run}/{self.action}/{self.id}"
        return None if executor is None else executor(key)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> asyncio.Task[None]:
        """Cancels the call once nothing was heard of it for the idle time."""
        idle = self.idle or 0.0

        async def watching() -> None:
            while (rest := self._alive + idle - loop.time()) > 0:
                await asyncio.sleep(rest)
            self._silent = True
            self._cancel()

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
