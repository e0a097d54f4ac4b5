"""one call that was recorded as started -> the tool, called within its limits -> how it ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from functools import partial
from hashlib import sha256
from math import inf
from time import time
from typing import Any, Literal, TypeVar

from wfnb.errors import Refused
from wfnb.frozen_record import record
from wfnb.redaction import StreamRedaction, redaction
from wfnb.stoppable_calls.threads import THREADS, in_thread
from wfnb.workflows.core.commands import FinishCall
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.scope import NESTED, TERMINALS
from wfnb.workflows.definition.template import HIDDEN, holds_text
from wfnb.workflows.definition.truncation import (
    LOOKED,
    Cut,
    is_passing,
    marks_of,
    parts_in,
    pickles_of,
    shorten_value,
    with_whole_texts,
)
from wfnb.workflows.tools import watchdog_process
from wfnb.workflows.tools.call_context import Context, Question
from wfnb.workflows.tools.result_fields import ToolFailed, outcome_of
from wfnb.workflows.tools.tool import Tool
from wfnb.workflows.tools.tool_execution import StillRunning, perform
from wfnb.workflows.tools.value_passing import Keep, forget, with_handles
from wfnb.workflows.tools.wait import Wait, seconds_left

from .cache_key import NotReadable, stands_on
from .call_arguments import IncompleteParams
from .questions import hides
from .redacted_fields import redact_result
from .remote_call import Sending
from .run_context import RunContext

T = TypeVar("T")
Ask = Callable[[Question], Awaitable[Any]]
Nested = Callable[..., Awaitable[Mapping[str, Any]]]
Waiting = Callable[[Wait], AbstractContextManager[None]]
_STOPPED = {"success": False, "error": "it was stopped"}


@record
class ToolCall:
    """What is called, and within which limits."""

    run: str
    id: int
    action: str
    attempt: int
    tool: Tool
    params: Mapping[str, Any]
    timeout: float | None = None
    """In seconds; None: none."""
    idle: float | None = None
    """In seconds; None: none."""
    cached: bool = False
    """Whether its result may be one that was kept, and is kept."""
    undoing: bool = False
    """Whether it is a compensation."""
    since: float | None = None
    """When it was begun, in seconds since 1970, where that may have been in a process that is
    gone."""
    read: Callable[[], frozenset[str] | None] = lambda: None
    """Gives the names that something may read of its result; None: any."""
    outputs: Collection[str] = ()
    """The files that other calls of the run gave."""
    kind: Literal["state", "step"] = "state"


class Attempt:
    """A call of a tool, in the `task` that awaits its end. `ask` and `nested` are what the tool may
    want of the run: an answer, a run inside of the call. `undoable` says whether that has done
    something that can be undone."""

    def __init__(
        self,
        around: RunContext,
        call: ToolCall,
        ask: Ask,
        nested: Nested,
        waiting: Waiting = lambda wait: nullcontext(),
        undoable: Callable[[], bool] = lambda: False,
    ) -> None:
        self.around, self.call, self.ask, self.nested = around, call, ask, nested
        self.waiting, self.undoable = waiting, undoable
        self.id = call.id
        self._named = f"{call.kind.title()} '{call.action}'"
        self.stopped = False
        self._now = False
        self._limit: Literal["", "time", "silence"] = ""
        self._alive = 0.0
        self._others = 0
        self._goes_on = False
        self._spoken: StreamRedaction | None = None
        self._made: Context | None = None
        self.task: asyncio.Task[None] | None = None
        self.holding = ExitStack()
        """To be closed once its end is recorded: until then nobody removes what it kept."""

    def stop(self, now: bool = False) -> None:
        """End it from here. What it does to end is left alone, unless it is to end `now`."""
        told = self._now or (not now and (self.stopped or bool(self._limit)))
        self.stopped, self._now = True, self._now or now
        if self.task is not None and not told:
            self.task.cancel()

    async def call_tool(self) -> FinishCall:
        """Call the tool, and say how it ended; it never raises but for a fault of ours."""
        if self.stopped:
            return FinishCall(call=self.id, result=dict(_STOPPED), stopped=True)
        loop = asyncio.get_running_loop()
        key = self._cache_key() if self.call.cached else ""
        # Without `reuse` it still writes below: the next run has the new result, not the one
        # before.
        if key and self.around.reuse:
            found = self.around.cache.get(key)
            if found is not None and self._is_there(found) and self._has_no_secret(found):
                return FinishCall(call=self.id, result=dict(found), duration=0.0, cached=True)
        since = loop.time()
        # The wall clock, which somebody may set, for what went by in another process alone: its
        # monotonic clock means nothing here.
        earlier = max(time() - self.call.since, 0.0) if self.call.since else 0.0
        found = await self._result(loop)
        # First secrets, then keeping, then shortening: a secret that is cut in two would not be
        # found.
        whole = redact_result(found, self.around.hides(), self.call.tool.results or ())
        if is_passing(whole):
            whole = await self._keep_values(with_whole_texts(whole))
        result = shorten_value(whole, self.call.action, longest=LOOKED)
        seconds = round(earlier + loop.time() - since, 6)
        if key and self._may_stand(result):
            self.around.cache.put(key, result)
        return FinishCall(
            call=self.id,
            result=result,
            duration=seconds,
            stopped=self.stopped,
            goes_on=self._goes_on,
        )

    def _may_stand(self, result: Mapping[str, Any]) -> bool:
        """Whether the result may stand for a later call: not where something that the call did may
        be undone by then, or has ended with its run."""
        ends = bool(result.get("left_running")) or self.call.tool.name in TERMINALS
        if not result.get("success") or self.stopped or ends or self.undoable():
            return False
        return self._has_no_secret(result)

    def _has_no_secret(self, result: Mapping[str, Any]) -> bool:
        """Whether no secret of this run is in it, nor stood in it: another run has others, and
        would take what stands for one of ours for the text. Nobody sees what a cut text lacks."""
        hidden = self.around.hides()
        if not hidden:
            return True
        cut = any(isinstance(part, Cut) for _, part in parts_in(result))
        if cut or holds_text(result, HIDDEN):
            return False
        return redact_result(result, hidden, self.call.tool.results or ()) == result

    async def _result(self, loop: asyncio.AbstractEventLoop) -> dict[str, Any]:
        watch = limit = None
        try:
            params = self.call.params
            if isinstance(params, IncompleteParams):
                params = await self._with_secret_answers(params)
            self._alive = loop.time()
            # Begun after the questions: the time a person takes for them is neither silence nor
            # the call's.
            watch = self._watch(loop) if self.call.idle is not None else None
            if self.call.timeout is not None:
                since, left = self.call.since, self.call.timeout
                left = left if since is None else seconds_left(since, left)
                limit = loop.call_later(max(left, 0), self._on_limit, "time")
            # Tools that use the notebook, terminals or other runs need this process.
            elsewhere = self._executor() if self.call.tool.travels else None
            context = self._made = self._context() if self.call.tool.takes_context else None
            # A nested run hands marks on as they are: its own calls open the values that they
            # use.
            if self.call.tool.name != NESTED and marks_of(params=dict(params)):
                params = await self._with_handles(params)
            return await perform(
                self.call.tool,
                params,
                context,
                elsewhere,
                lambda: self._keep(elsewhere is not None),
            )
        except StillRunning as still:
            self._goes_on = True
            return self._still_running_fields(still)
        except asyncio.CancelledError:
            return self._cancelled_fields()
        except Refused as refusal:
            return {"success": False, "error": str(refusal)}
        except GeneratorExit as end:  # raised by a tool, or the loop is closed: then nobody hears
            return outcome_of(end)
        finally:
            for timer in (watch, limit):
                if timer is not None:
                    timer.cancel()
            # The redaction holds back the end of the text while that may be the beginning of a
            # secret.
            if self._spoken is not None and (rest := self._spoken.end()):
                self.around.output(self.call.run, self.call.action, rest)

    async def _keep_values(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields, with what JSON cannot hold kept beside them."""
        keep = self._keep()
        if not keep.wants(fields):
            return dict(forget(fields))

        def work() -> dict[str, Any]:
            # In the thread, as the lock may have to wait for another process.
            self.holding.enter_context(self.around.store.hold_store())
            return keep(fields)

        # Pickling may take seconds: in a thread, so that other calls of the run go on.
        kept = asyncio.wrap_future(THREADS.submit(work))
        while not kept.done():  # the tool has done its work: that it is stopped is too late
            with suppress(asyncio.CancelledError):
                await asyncio.shield(kept)
        return dict(kept.result())

    def _keep(self, elsewhere: bool = False) -> Keep:
        """How it is kept. Secrets are not sent elsewhere: nothing is kept there where there are
        some."""
        call, around = self.call, self.around
        return Keep(
            store=None if elsewhere and around.hides() else around.store,
            action=base_action(call.action),
            # Another run that is given it may read others.
            names=None if call.cached else call.read(),
            hidden=tuple(redaction(around.hides()).spellings),
            namespace=around.namespace,
        )

    async def _with_handles(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """The parameters with a way to each value that their marks stand for."""
        around, tool = self.around, self.call.tool
        away = tool.travels or tool.away(params)
        work = partial(with_handles, params, around.store, around.namespace, tool.takes, away)
        found, error = await in_thread(work)
        if error is not None:
            raise error
        return found  # type: ignore[no-any-return]

    def _is_there(self, result: Mapping[str, Any]) -> bool:
        """Whether all is there that a result of the cache refers to."""
        return all(map(self.around.store.has, pickles_of(marks_of(result=dict(result)))))

    def _on_limit(self, limit: Literal["time", "silence"]) -> None:
        """A limit is reached; one that ends already has its time for that."""
        # The first reason counts: a stop during the grace after a timeout would change the
        # outcome.
        if self.task is not None and not self.stopped and not self._limit:
            self._limit = limit
            self.task.cancel()

    def _cancelled_fields(self) -> dict[str, Any]:
        """What a call gave that was cancelled from here."""
        if self.stopped or not self._limit:
            self.stopped = True
            return dict(_STOPPED)
        if self._limit == "silence":
            return self._late(f"{self._named} gave no sign of life for {self.call.idle:g}s")
        return self._late(f"{self._named} timed out after {self.call.timeout:g}s")

    def _still_running_fields(self, still: StillRunning) -> dict[str, Any]:
        if self.stopped or not self._limit:
            return {"success": False, "error": f"stopped; {still}", "still_running": True}
        seconds = self.call.idle if self._limit == "silence" else self.call.timeout
        return self._late(f"timed out after {seconds:g}s; {still}") | {"still_running": True}

    def _late(self, error: str) -> dict[str, Any]:
        """The fields of a call whose time ran out: with those that it had until then."""
        late = {"success": False, "timeout_occurred": True, "error": error}
        return late if self._made is None else {**self._made.so_far(), **late}

    async def _with_secret_answers(self, params: IncompleteParams) -> Mapping[str, Any]:
        """Secret answers that are not known any more are asked for again; that takes its time."""
        return params.fill_in({again.action: await self.ask(again) for again in params.questions})

    def _executor(self) -> Executor | None:
        executor = self.around.executor
        key = f"{self.around.root}/{self.call.run}/{self.call.action}/{self.id}"
        found = None if executor is None else executor(key)
        if isinstance(found, Sending):
            found.hides = self.around.hides()
        return found

    def _watch(self, loop: asyncio.AbstractEventLoop) -> asyncio.Task[None]:
        """Cancels the call once nothing was heard of it for the idle time."""
        idle = self.call.idle or 0.0

        async def watching() -> None:
            # One timer that looks again, rather than a new timer with every line of output.
            while (rest := self._alive + idle - loop.time()) > 0 or self._others:
                await asyncio.sleep(rest if rest > 0 else idle)
            self._on_limit("silence")

        return loop.create_task(watching())

    def _context(self) -> Context:
        around = self.around
        loop = asyncio.get_running_loop()
        self._spoken = spoken = StreamRedaction(around.hides())

        def say(text: str) -> None:
            self._alive = loop.time()
            if said := spoken(text):
                around.output(self.call.run, self.call.action, said)

        return Context(
            run=self.call.run,
            action=self.call.action,
            attempt=self.call.attempt,
            folder=around.folder,
            say=say,
            ask=lambda question: self._waits(self.ask(question)),
            nested=lambda **asked: self._waits(self.nested(**asked)),
            namespace=around.namespace,
            terminals=around.terminals,
            root=around.root,
            since=self.call.since or time(),
            waiting=lambda wait: self.waiting(wait.within(self._limit_at())),
            marking=self._mark,
            lasting=around.lasting,
            undoing=self.call.undoing,
            outputs=self.call.outputs,
            code_of=around.code_of,
            # Asked again each time: an answer that comes during the call may be a secret.
            is_secret=lambda text: text in around.hides(),
            hide=lambda text: redaction(around.hides())(text),
            keep=self._keep,
        )

    def _limit_at(self) -> float:
        """When its time is over, in seconds since 1970."""
        since = self.call.since or time()
        return since + (inf if self.call.timeout is None else self.call.timeout)

    def _mark(self) -> str:
        """The tool starts a process: it is guarded, and looked for when the run ends."""
        self.around.marked = True
        watchdog_process.begin()
        return self.around.mark

    async def _waits(self, other: Awaitable[T]) -> T:
        """Somebody else takes their time, or another run, which has limits of its own: that is no
        silence of this call."""
        self._others += 1
        try:
            return await other
        finally:
            self._others -= 1
            self._alive = asyncio.get_running_loop().time()

    def _cache_key(self) -> str:
        """Nothing where a secret is passed: a key of it would tell it to who can guess."""
        hidden = set(redaction(self.around.hides()).spellings)
        if isinstance(self.call.params, IncompleteParams) or hides(self.call.params, hidden):
            return ""
        try:
            more = stands_on(self.around, self.call.tool, self.call.params)
        except (Refused, ToolFailed, NotReadable):  # the call will say so, or do it
            return ""
        # Added only if there are any: the keys of results that were kept before there were marks
        # stay.
        marks = marks_of(params=dict(self.call.params))
        # Keys in their order: code may go by it, and by that of `env` and of names for a function.
        said = json.dumps(
            [self.call.tool.name, self.call.params, more, *([marks] if marks else [])],
            default=repr,
        )
        return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
