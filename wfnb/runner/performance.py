"""a run that was started or resumed -> its end: what is next is done, and what came back recorded.

One turn of the loop is one write: the calls that have ended, and those that begin because of it.
A call is recorded as started before its tool is called.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from wfnb.core.runs.commands import AskQuestion, EndRun, FinishCall, StartCall, StopRun
from wfnb.core.runs.events import CallStarted, QuestionAnswered, RunEvent, RunRecorded
from wfnb.core.runs.next import Do, End, Start, Stop, Undo, next_action
from wfnb.core.runs.run import Run
from wfnb.errors import JournalConflict, JournalError, Refused, ToolUnknown
from wfnb.runs import Batch, RunLog
from wfnb.tools.context import Question
from wfnb.workflow.template import fill

from .call import Attempt
from .save import save
from .surroundings import Surroundings

FOLLOW = 0.2
"""Seconds between two looks at what other processes recorded."""
DEEPEST = 5
"""How many workflows deep a workflow may call others."""

Key = str | int
"""An action that is called, or the call that a compensation undoes."""


class Performance:
    """One run on the engine's loop. `perform` ends when the run has ended."""

    def __init__(self, log: RunLog, around: Surroundings, save: bool, overwrite: bool = False):
        self.log = log
        self.around = around
        self.save = save
        self.overwrite = overwrite
        self.warnings: list[str] = []
        self._wake = asyncio.Event()
        self.loop = asyncio.get_running_loop()
        self._attempts: dict[int, Attempt] = {}
        self._begun: dict[Key, int | None] = {}  # None: waits before it is called
        self._waited: dict[Key, float] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: list[FinishCall] = []
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._now = False
        self._fault: BaseException | None = None

    @property
    def run(self) -> Run:
        return self.log.run

    async def perform(self) -> None:
        """Until the run has ended. JournalError where it cannot be recorded: it can be resumed."""
        self.log.watchers.append(self._recorded)
        timer = self.loop.call_later(self.run.timeout, self._out_of_time)
        follower = self.loop.create_task(self._follow())
        try:
            while self.run.status == "running":
                self._turn()
                if self.run.status == "running":
                    await self._wake.wait()
                    self._wake.clear()
                    if self._fault is not None:
                        raise self._fault
        except BaseException:
            await self._abandon()
            raise
        finally:
            timer.cancel()
            follower.cancel()
            self.log.watchers.remove(self._recorded)

    def stop(self, command: StopRun) -> None:
        """Ask the run to stop; on the loop."""
        with suppress(Refused):  # it has ended meanwhile
            self.log.do(command)

    def stop_now(self) -> None:
        """End what runs, compensations too, and undo no more."""
        self._now = True
        self.stop(StopRun(why="cancelled", reason="interrupted twice", rollback=False))
        self._wake.set()

    def answer(self, call: int, answer: Any) -> None:
        """Hand an answer on to the call that waits for it; on the loop."""
        waiting = self._answers.pop(call, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    # turns

    def _turn(self) -> None:
        while True:
            ended, self._ended = self._ended, []
            try:
                with self.log.together() as batch:
                    for finish in ended:
                        batch.do(finish)
                    begun, waits, stops = self._next(batch)
            except JournalConflict:
                self._ended = ended + self._ended
                self._begun = {key: id for key, id in self._begun.items() if id in self._attempts}
                continue
            break
        for id in stops:
            if id in self._attempts:
                self._attempts[id].stop()
        for event, id in begun:
            self._call(event, id)
        for do in waits:
            self._later(do)

    def _next(self, batch: Batch) -> tuple[list[tuple[CallStarted, int]], list[Do], list[int]]:
        """Everything that is to be done now; what can be recorded of it is in the batch."""
        begun: list[tuple[CallStarted, int]] = []
        waits: list[Do] = []
        again = True
        stops: list[int] = []
        while again:
            again = False
            if self._now:
                stops = [id for id in self.run.open if id in self._attempts]
            for do in next_action(self.run):
                match do:
                    case End():
                        self._end(batch, do)
                    case Stop(call=id):
                        stops.append(id)
                    case Start() | Undo():
                        key = key_of(do)
                        if self._begun.get(key, 0) != 0:
                            continue
                        if do.wait[1] > 0 and key not in self._waited:
                            self._begun[key] = None
                            waits.append(do)
                            continue
                        found = self._start(batch, do, self._waited.pop(key, 0.0))
                        begun += found
                        again = again or not found
        return begun, waits, stops

    def _start(
        self, batch: Batch, do: Start | Undo, waited: float
    ) -> list[tuple[CallStarted, int]]:
        """Nothing, where the call failed before it was made or is not wanted any more."""
        action = do.action if isinstance(do, Start) else self.run.calls[do.call].action
        command = StartCall(
            action=action,
            undoes=do.call if isinstance(do, Undo) else None,
            waited=round(waited, 6),
            idempotent=self._idempotent(action, isinstance(do, Undo)),
        )
        events = batch.do(command)
        if len(events) == 1 and isinstance(events[0], CallStarted):
            id = self.run.position
            self._begun[key_of(do)] = id
            return [(events[0], id)]
        return []

    def _idempotent(self, action: str, undoes: bool) -> bool:
        work = self.run.work(action)
        called = work.compensation if undoes else work
        if called is None:
            return False
        if called.idempotent is not None:
            return called.idempotent
        try:
            return self.around.tools.get(called.tool).idempotent
        except ToolUnknown:
            return True  # it will not be called

    def _end(self, batch: Batch, end: End) -> None:
        saved = None
        if end.status == "success" and self.save:
            try:
                saved = save(self.around.library, self.run, self.overwrite)
            except (Refused, OSError) as error:  # it has succeeded all the same
                self.warnings.append(f"not saved: {error}")
        batch.do(EndRun(status=end.status, error=end.error, saved=saved))

    # calls

    def _call(self, event: CallStarted, id: int) -> None:
        work = self.run.work(event.action)
        undoing = event.undoes is not None
        called = work.compensation if undoing else work
        assert called is not None
        tool = self.around.tools.get(event.tool)
        params: Mapping[str, Any] = event.params
        if self.run.secrets:
            known = self.run.armed[event.undoes] if event.undoes is not None else self.run.scope
            params = fill(dict(called.params), {**known, **self.around.secrets})
        limit = called.timeout if called.timeout is not None else tool.seconds(params)
        attempt = Attempt(
            self.around,
            self.log.name,
            id,
            event.action,
            event.attempt,
            tool,
            params,
            timeout=limit,
            idle=None if undoing else work.idle_timeout,
            cached=work.cache and not undoing,
            ask=lambda question: self._ask(id, question),
            nested=lambda **asked: self.around.nested(self, id, event.action, asked),
        )
        self._attempts[id] = attempt
        self._spawn(self._await(attempt, key_of(event)))

    async def _await(self, attempt: Attempt, key: Key) -> None:
        attempt.task = asyncio.current_task()
        try:
            finish = await attempt.ended()
            self._ended.append(finish)  # the list of now, not that of before
        finally:
            self._attempts.pop(attempt.id, None)
            self._begun.pop(key, None)
            self._wake.set()

    def _later(self, do: Do) -> None:
        assert isinstance(do, Start | Undo)
        key, seconds = key_of(do), self.around.draw(*do.wait)

        async def waiting() -> None:
            await asyncio.sleep(seconds)
            self._waited[key] = seconds
            self._begun.pop(key, None)
            self._wake.set()

        self._spawn(waiting())

    def _spawn(self, work: Any) -> None:
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._settled)

    def _settled(self, task: asyncio.Task[None]) -> None:
        """A task has ended; what it raised is a fault of ours, and not to be lost."""
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._fault = fault
            self._wake.set()

    async def _abandon(self) -> None:
        """End what runs and record nothing: the run goes on when it is resumed."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # others

    def _recorded(self, entries: list[RunRecorded]) -> None:
        """Something was recorded, here or elsewhere; from any thread."""
        self.loop.call_soon_threadsafe(self._heard, [entry.event for entry in entries])

    def _heard(self, events: list[RunEvent]) -> None:
        for event in events:
            if isinstance(event, QuestionAnswered) and event.answer is not None:
                self.answer(event.call, event.answer)
        self._wake.set()

    async def _follow(self) -> None:
        """What other processes record (a stop, an answer) is seen soon."""
        while True:
            await asyncio.sleep(FOLLOW)
            with suppress(JournalError):
                if self.log.journal.run_changed(self.log.info.id) > self.run.position:
                    self.log.refresh()

    def _out_of_time(self) -> None:
        reason = f"Workflow execution timeout ({self.run.timeout:g}s) exceeded"
        undo = self.run.workflow.rollback
        self.stop(StopRun(why="failed", reason=reason, rollback=undo))

    async def _ask(self, call: int, question: Question) -> Any:
        before = self._answered_before(call)
        if before is not None:
            return before
        waiting: asyncio.Future[Any] = self.loop.create_future()
        self._answers[call] = waiting
        try:
            self.log.do(
                AskQuestion(
                    call=call,
                    question=question.text,
                    choices=question.choices,
                    default=question.default,
                    secret=question.secret,
                    timeout=question.timeout,
                )
            )
            return await waiting
        finally:
            self._answers.pop(call, None)

    def _answered_before(self, call: int) -> Any:
        """The answer that came to this question before the process ended, if one did."""
        action = self.run.calls[call].action
        for id, answer in reversed(self.run.answers.items()):
            asked = self.run.calls[id]
            if asked.action == action and asked.status == "unknown" and id > self.run.resumed - 2:
                return answer
        return None


def key_of(do: Start | Undo | CallStarted) -> Key:
    if isinstance(do, CallStarted):
        return do.action if do.undoes is None else do.undoes
    return do.action if isinstance(do, Start) else do.call
