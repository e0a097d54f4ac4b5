"""a run that was started or resumed -> its end: what is next is done, and what came back recorded.

Theory of operation
-------------------

The loop decides nothing. `next_action` reads the run, which is a function of its events, and says
what is to be done: start a call, undo one, stop one, or end the run. The loop does that, records
what came of it, and asks again. So a run that was killed at any place goes on from its events.

One turn of the loop is one write to the journal:

    1. the calls that have ended since the last turn   -> CallFinished
    2. what `next_action` then wants                   -> CallStarted, RunEnded
    3. after the write: the tools of the calls that began are called

The order within 3 is the promise of the whole module: *a call is recorded before its tool is
called*. If the process dies in between, the call is in the journal without an end, and the resume
asks about it. The other order would call a tool twice without a word.

`_begun` holds what was decided and is not over: an action's name, or the id of the call that is
being undone. It keeps a turn from starting the same call twice. The value `_PENDING` says that the
call waits for its retry: for as long as that is wanted (`_end_pauses`). If the write is refused,
`_begun` and `_waited_seconds` are set back to what they were before the turn, and the ended calls
are kept for the next try:

    JournalConflict   another process recorded something meanwhile: read it, and decide anew
    JournalLocked     try again with growing waits (`retry_while_locked`), then leave the run
    JournalError      the disk does not take it: the run is left, and can be resumed

Several tasks carry calls at the same time, but all run on one loop, so that a turn is never
interrupted. A chain of calls, one after the other, stays in one task, which saves turns of the
event loop. Every 10 ms such a chain lets other tasks have a turn.

Others may act on the run while it goes on: a person stops it or answers a question in another
process, or resumes it because this one seemed dead. `_follow` asks the journal regularly;
`_recorded` hears what this process records. A run that another process resumed is not ours any
more: it is left at once, without a further event.

When the loop is left for any reason but the end of the run, tools are cancelled and nothing is
recorded (`_abandon`). A half-truth about a call is worse than an open call, about which is asked.
A run that only waits may be left in the same way, for others to go on with: `parking.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cached_property, partial
from inspect import isawaitable
from math import inf
from time import time
from typing import Any, Protocol, TypeVar

from wfnb.errors import JournalConflict, JournalError, JournalLocked, Refused, RunAlive
from wfnb.journal import FOLLOW
from wfnb.process_identity import process
from wfnb.workflows.core.call_end import is_asked_of
from wfnb.workflows.core.commands import (
    EndRun,
    FinishCall,
    Lost,
    StartCall,
    StopRun,
)
from wfnb.workflows.core.events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    RunEnded,
    RunEvent,
    RunRecorded,
    RunResumed,
)
from wfnb.workflows.core.next_action import (
    End,
    Gather,
    Start,
    Stop,
    Undo,
    any_forward,
    next_action,
)
from wfnb.workflows.core.resume_queries import begun_at, outputs_beside, unseen_calls
from wfnb.workflows.core.rollback_state import is_unsure
from wfnb.workflows.core.run import Call, Run, tries_of
from wfnb.workflows.definition.expression import expression_names
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.models import RUN_TIMEOUT
from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.definition.template import HIDDEN, holds_text, used_scope
from wfnb.workflows.definition.used_fields import fields_read, strings
from wfnb.workflows.run_log import Batch, RunLog
from wfnb.workflows.tools.nested_workflow import ROLL_BACK
from wfnb.workflows.tools.result_fields import outcome_of
from wfnb.workflows.tools.wait import Wait, pause_for, seconds_left

from .attempt import Attempt, ToolCall
from .call_arguments import call_params, called_by, called_tool, idempotent
from .parking import park
from .questions import Questions
from .redacted_fields import redact_result
from .resume_warnings import captured_before, done_before, failed_without_terminal, left_as_it_was
from .run_context import RunContext
from .save_workflow import SaveResult, count, save, take_back

NOTEBOOK = "notebook"
"""The tool that writes a file of its own for each call."""
RETRY_DELAYS = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds between the times that a locked journal is tried again before a run is left."""
BREATH = 0.01
"""Seconds after which a chain of calls that never wait lets others have a turn."""
T = TypeVar("T")
_OWN = (CallStarted, CallFinished, RunEnded)
"""What a performance records itself, and need not be told."""

_PENDING = None
"""Instead of the id of a call: it is decided, and waits before it is called."""

Key = str | int
"""An action that is called, or the call that a compensation undoes."""


class Nesting(Protocol):
    """What performs a run inside of a call, and rolls one back. `nested_run.py` does: it needs the
    loop, so that the loop cannot import it."""

    async def perform(
        self, parent: RunLoop, call: int, action: str, options: Mapping[str, Any]
    ) -> Mapping[str, Any]: ...

    async def undo(self, parent: RunLoop, call: int, name: str) -> Mapping[str, Any]: ...


class RunLoop:
    """One run on the engine's loop. `perform` ends when the run has ended. `secrets` are those of
    this run, by name; `lost` is what to do about calls of nested runs whose end nobody saw. `park`
    is for how many seconds it may wait before it is left (None: for as long as it may take).

    A run and the runs within it share three things: `nesting`, which performs and undoes a run
    inside of a call; `loops`, those that go on, by the id of their run; `passed`, the secrets that
    nested runs were given, by the id of their run. `nested_runs` has the runs within this one, by
    the call that performs them. `open_waits` is what calls wait for, by the call, and what the
    attempts wait for that are still to be made. `limit` is when its time is over, in seconds since
    1970; `is_limited`: somebody said how long it may take, and then that counts while it is parked,
    too."""

    def __init__(
        self,
        log: RunLog,
        around: RunContext,
        loop: asyncio.AbstractEventLoop,
        *,
        nesting: Nesting,
        save: bool,
        overwrite: bool = False,
        secrets: Mapping[str, Any] | None = None,
        lost: Lost = "again",
        park: float | None = None,
    ) -> None:
        self.log = log
        self.around = around
        self.save = save
        self.overwrite = overwrite
        self.loop = loop
        self.lost = lost
        self.park = park
        self.nesting = nesting
        self.loops: dict[int, RunLoop] = {}
        self.passed: dict[int, Mapping[str, Any]] = {}
        self.secrets = around.secrets if secrets is None else secrets
        self.questions = Questions(log, around.hidden)
        self.nested_runs: dict[int, RunLog] = {}
        self.warnings: list[str] = []
        self.abandoned = False
        self.at_once = False
        self.is_limited = self.run.timeout != RUN_TIMEOUT
        self.limit = inf
        self.open_waits: dict[int | tuple[str, Key], Wait] = {}
        self._parking_is_due = False
        self._out_of_time: RunLoop | None = None
        self._wake = asyncio.Event()
        self._attempts: dict[int, Attempt] = {}
        self._begun: dict[Key, int | None] = {}
        self._waited_seconds: dict[Key, float] = {}
        self._pauses: dict[Key, tuple[Start | Undo, asyncio.Task[None]]] = {}
        self._lists: dict[int, float] = {}  # when what is done for each item, or a group, began
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: list[FinishCall] = []
        self._saved: SaveResult | None = None
        self._ended_well = False
        self._fault: BaseException | None = None
        self._holding: dict[int, ExitStack] = {}

    @property
    def run(self) -> Run:
        return self.log.run

    def nested_loop(self, log: RunLog, secrets: Mapping[str, Any], save: bool) -> RunLoop:
        """The loop of a run within this one."""
        nested = RunLoop(
            log,
            self.around,
            self.loop,
            nesting=self.nesting,
            save=save,
            secrets=secrets,
            lost=self.lost,
        )
        nested.loops, nested.passed = self.loops, self.passed
        return nested

    async def perform(self) -> None:
        """Until the run has ended. JournalError where it cannot be recorded: it can be resumed."""
        self.log.watchers.append(self._on_recorded)
        self.loops[self.log.info.id] = self
        # A limit that somebody set counts while the run is parked, too; the default one begins
        # anew.
        begun = self.run.begun if self.is_limited else None
        left = self.run.timeout if begun is None else max(seconds_left(begun, self.run.timeout), 0)
        self.limit = time() + left
        timer = self.loop.call_later(left, self._on_out_of_time)
        follower = self.loop.create_task(self._follow())
        follower.add_done_callback(self._on_task_done)
        try:
            for call in self.run.open.values():  # the waits with which it was parked
                if call.gathers:
                    self._lists[call.id] = self.loop.time()
                else:
                    self._continue_wait(call)
            while self.run.status == "running":
                await retry_while_locked(self._turn_all)
                if self.run.status == "running":
                    if self._parking_is_due and await retry_while_locked(self._park_if_due):
                        await self._abandon()
                        return
                    await self._wake.wait()
                    # Cleared before the turn, not after it: what is set during a turn makes
                    # another one.
                    self._wake.clear()
                    if self._fault is not None:
                        raise self._fault
            # The end is in memory only, as its write failed. To return would report an end that
            # the journal, and so a resume, knows nothing of.
            if self._fault is not None and self.log.ahead:  # its end was not recorded
                raise self._fault
            if self._saved is not None and self.run.status == "success":
                with suppress(Refused, OSError):  # it has succeeded all the same
                    count(self.around.library, self.run, self._saved)
        except BaseException:
            await self._abandon()
            # `_end` saves the workflow before the write, so that the event can name what was
            # saved.
            if self.log.ahead or self.run.status != "success":  # its success was not recorded
                self._unsave()
            raise
        finally:
            for task in self._tasks:  # waits for attempts that nobody wants any more
                task.cancel()
            # What is left here counts as going on: `only_waits` and `park` go by it.
            self.loops.pop(self.log.info.id, None)
            timer.cancel()
            follower.cancel()
            self.log.watchers.remove(self._on_recorded)

    def _continue_wait(self, call: Call) -> None:
        """A wait goes on that was begun before the run was parked."""
        event = CallStarted(
            action=call.action,
            tool=call.tool,
            params=call.params,
            attempt=call.attempt,
            undoes=call.undoes,
            within=call.within,
            fallback=call.fallback,
        )
        self._begun[key_of(event)] = call.id
        if made := self._make_attempt(event, call.id):
            self._spawn(self._carry(*made))

    def stop(self, command: StopRun) -> None:
        """Ask the run to stop; on the loop."""
        try:
            self.log.do(command)
        except Refused:  # it has ended meanwhile
            pass
        except JournalLocked:
            self._spawn(self._stop_later(command))
        except JournalError as error:
            self._fail(error)

    async def _stop_later(self, command: StopRun) -> None:
        with suppress(Refused):
            await retry_while_locked(lambda: self.log.do(command))

    def stop_now(self) -> None:
        """End what runs, compensations too, and undo no more."""
        self.at_once = True
        self.stop(
            StopRun(why="cancelled", reason="interrupted twice", rollback=False, skip_always=True)
        )
        self._wake.set()

    # turns

    def _turn(self) -> list[tuple[Attempt, Key]]:
        """One write: the calls that have ended, and those that begin because of it, which are to
        be carried."""
        while True:
            ended, self._ended = self._ended, []
            before, waited = dict(self._begun), dict(self._waited_seconds)
            try:
                with self.log.batch_commands() as batch:
                    # Another process resumed the run, and this one heard nothing of it (it slept,
                    # the disk was away). Both would call the same tools, so the first to notice
                    # leaves.
                    if self.run.status == "running" and self.run.process != process():
                        raise RunAlive(self.run.process or "another process")
                    for finish in ended:
                        finish = self.questions.with_recorded_answer(finish)
                        batch.do(self._with_nested(finish))
                    begun, delayed, stops = self._next(batch)
            except (JournalConflict, JournalLocked) as error:
                self._ended = ended + self._ended
                self._begun, self._waited_seconds = before, waited
                if isinstance(error, JournalLocked):
                    raise
                continue
            break
        for finish in ended:
            # Only now does the journal name the files that the call kept. Let go before the
            # write, the garbage collection of another process could have removed them.
            if (held := self._holding.pop(finish.call, None)) is not None:
                held.close()
        # After the write, too: a call that is stopped ends at once, and its end needs this
        # turn's.
        for id in stops:
            if id in self._attempts:
                self._attempts[id].stop(self.at_once)
        if self._pauses:
            self._end_pauses({key_of(over) for over in (*(event for event, _ in begun), *delayed)})
        for do in delayed:
            self._do_after_wait(do)
        return [made for event, id in begun if (made := self._make_attempt(event, id))]

    def _turn_all(self) -> None:
        for made in self._turn():
            self._spawn(self._carry(*made))

    def _next(
        self, batch: Batch
    ) -> tuple[list[tuple[CallStarted, int]], list[Start | Undo], list[int]]:
        """Everything that is to be done now: the calls that begin, what is called after a wait, and
        the calls to stop. What can be recorded of it is in the batch."""
        begun: list[tuple[CallStarted, int]] = []
        delayed: list[Start | Undo] = []
        again = True
        stops: list[int] = []
        while again:
            again = False
            if self.at_once:
                # `next_action` would let compensations end by themselves; the second interrupt
                # does not.
                stops = [id for id in self.run.open if id in self._attempts]
            for do in next_action(self.run):
                match do:
                    case End():
                        self._end(batch, do)
                    case Stop(call=id):
                        stops.append(id)
                    case Gather(call=id):
                        since = self._lists.pop(id, self.loop.time())
                        seconds = round(self.loop.time() - since, 6)
                        batch.do(FinishCall(call=id, duration=seconds))
                        again = True
                    case Start() | Undo():
                        key = key_of(do)
                        # `next_action` wants a retry until it was started, so a wait that goes on
                        # is wanted each turn.
                        if key in self._begun:
                            continue
                        if do.wait[1] > 0 and key not in self._waited_seconds:
                            self._begun[key] = _PENDING
                            delayed.append(do)
                            continue
                        waited = self._waited_seconds.pop(key, 0.0) if do.wait[1] > 0 else 0.0
                        started = self._start(batch, do, waited)
                        begun += started
                        # The call ended as it began (skipped, a parameter that could not be
                        # filled): what follows from that belongs to the same write.
                        again = again or not started
        return begun, delayed, stops

    def _start(
        self, batch: Batch, do: Start | Undo, waited: float
    ) -> list[tuple[CallStarted, int]]:
        """Nothing, where the call failed before it was made or is not wanted any more."""
        action = do.action if isinstance(do, Start) else self.run.calls[do.call].action
        undoing, tools = isinstance(do, Undo), self.around.tools
        tool = called_tool(self.run, tools, action, undoing)
        when = None if undoing else self.run.work(action).when
        # The journal has ••• for the secret, so the condition may go another way than the author
        # meant. Better to say so than to decide silently.
        if when is not None and self.around.hides():
            condition = {"when": [f"{{{name}}}" for name in expression_names(when)]}
            if holds_text(used_scope(condition, self.run.scope), HIDDEN):
                self._warn_of_hidden(action, "goes by")
        command = StartCall(
            action=action,
            undoes=do.call if isinstance(do, Undo) else None,
            waited=round(waited, 6),
            idempotent=idempotent(self.run, tools, action, undoing),
            verbatim=tool.verbatim if tool else frozenset(),
            objects=tool.objects if tool else frozenset(),
        )
        events = batch.do(command)
        if len(events) == 1 and isinstance(events[0], CallStarted):
            id = self.run.position
            if self.run.calls[id].gathers:  # nothing is called for all: its parts are
                self._lists[id] = self.loop.time()
                return []
            self._begun[key_of(do)] = id
            return [(events[0], id)]
        return []

    def _end(self, batch: Batch, end: End) -> None:
        terminals = {each.session_id for each in self.around.terminals.list()}
        self.warnings += (*failed_without_terminal(self.run, terminals), *captured_before(self.run))
        # Only a resume can leave one behind: it may take another way than to the call that began
        # it.
        if self.run.resumed:
            journal, info = self.around.journal, self.log.info
            nested = journal.runs(info.session, info.id)
            self.warnings += left_as_it_was(r.name for r in nested if r.status == "running")
            self.warnings += done_before(self.run)
        # Once only: the turn is made again after a conflict, and would take the file that it
        # wrote itself for one that was there before.
        if end.status == "success" and self.save and not self._ended_well:
            self._ended_well = True
            try:
                self._saved = save(self.around.library, self.run, self.overwrite, self.around.tools)
            except (Refused, OSError) as error:  # it has succeeded all the same
                self.warnings.append(f"not saved: {error}")
        elif end.status != "success":  # stopped before it was recorded
            self._unsave()
        saved = None if self._saved is None else self._saved.saved
        batch.do(EndRun(status=end.status, error=end.error, saved=saved))

    def _unsave(self) -> None:
        """The run did not succeed after all: the library has again what it had before."""
        saved, self._saved = self._saved, None
        if saved is not None:
            with suppress(Refused, OSError):
                take_back(self.around.library, saved)

    # calls

    def _make_attempt(self, event: CallStarted, id: int) -> tuple[Attempt, Key] | None:
        try:
            attempt = self._attempt(event, id)
        except Exception as fault:  # a tool that is not there, or says nonsense of its patience
            self._begun.pop(key_of(event), None)
            hidden = redact_result(outcome_of(fault), self.around.hides())
            self._ended.append(FinishCall(call=id, result=hidden))
            self._wake.set()
            return None
        self._attempts[id] = attempt
        return attempt, key_of(event)

    def _attempt(self, event: CallStarted, id: int) -> Attempt:
        """The call as it is to be made: its tool, the parameters with secrets and placeholders
        filled in, its time (of the work, else of the tool; of what is done last or undoes, else of
        the run), and what the tool may ask of the run while it is called."""
        if event.undoes is not None and self.run.calls[event.undoes].nested is not None:
            return self._rollback_attempt(event, id)
        work, tool_use = self.run.calls[id].work, called_by(self.run, event)
        tool = self.around.tools.get(event.tool)
        secret = {name: self.secrets[name] for name in self.run.secrets if name in self.secrets}
        params = call_params(self.run, event, secret | self.questions.secret(), tool)
        if self.around.hides() and holds_text(params, HIDDEN):
            self._warn_of_hidden(event.action, "was called with")
        undoing = event.undoes is not None
        timeout = tool_use.timeout if tool_use.timeout is not None else tool.seconds(params)
        if timeout is None and (undoing or work.always):  # that of the run may be over
            timeout = self.run.timeout
        call = ToolCall(
            run=self.log.name,
            id=id,
            action=event.action,
            attempt=event.attempt,
            tool=tool,
            params=params,
            timeout=timeout,
            idle=None if undoing else work.idle_timeout,
            undoing=undoing,
            # Only waits and nested runs go on after a restart; other tools begin again, and so
            # does their time.
            since=begun_at(self.run, id) if tool.waits or tool.name == NESTED else None,
            read=partial(self._names_read, event.action),
            # Not for a round (the next would be the same for ever), not for what can be undone
            # (what another run did would be undone), nor where a secret answer would stand in a
            # file.
            cached=work.cache
            and work.repeat is None
            and work.compensation is None
            and not undoing
            and event.action not in self.questions.asking,
            outputs=tuple(outputs_beside(self.run, id)) if tool.name == NOTEBOOK else (),
            kind="step" if self.run.workflow.form == "steps" else "state",
        )
        return Attempt(
            self.around,
            call,
            ask=lambda question: self._or_fault(
                retry_while_locked(lambda: self.questions.ask(id, question))
            ),
            nested=lambda **options: self._or_fault(
                self.nesting.perform(self, id, event.action, options)
            ),
            waiting=lambda wait: self.waiting(id, wait) if tool.waits else nullcontext(),
            undoable=lambda: id in self.nested_runs and self.nested_runs[id].run.has_effects,
        )

    def _names_read(self, action: str) -> frozenset[str] | None:
        """The names of fields that the workflow may read of what an action gives. Of a nested run
        the one that called it may read any."""
        if self.run.depth:
            return None
        return fields_read(self._strings, base_action(action))

    @cached_property
    def _strings(self) -> tuple[str, ...]:
        return tuple(strings(self.run.workflow.data))

    def _warn_of_hidden(self, action: str, what: str) -> None:
        warning = (
            f"{base_action(action)} {what} {HIDDEN} in place of a secret: what a call gives is "
            "passed on without the secrets in it"
        )
        if warning not in self.warnings:
            self.warnings.append(warning)

    def _rollback_attempt(self, event: CallStarted, id: int) -> Attempt:
        """Undo a nested run: each of its compensations has limits of its own."""
        undone = event.undoes
        assert undone is not None
        call = ToolCall(
            run=self.log.name,
            id=id,
            action=event.action,
            attempt=event.attempt,
            tool=ROLL_BACK,
            params=event.params,
        )
        return Attempt(
            self.around,
            call,
            ask=lambda question: self._or_fault(self.questions.ask(id, question)),
            nested=lambda undo: self._or_fault(self.nesting.undo(self, undone, undo)),
        )

    def _with_nested(self, finish: FinishCall) -> FinishCall:
        """Where it called a run that can be undone, that is said of the call."""
        call = self.run.calls[finish.call]
        forward = call.undoes is None and self.around.hides()
        if forward and is_asked_of(self.run, call, finish.result, HIDDEN):
            self._warn_of_hidden(call.action, "goes by")
        child = self.nested_runs.get(finish.call)
        if child is None:
            return finish
        unsure = is_unsure(child.run) or bool(unseen_calls(child.run))
        nested = child.name if child.run.has_effects or unsure else None
        return replace(finish, nested=nested, unsure=unsure)

    async def _carry(self, attempt: Attempt, key: Key) -> None:
        """A call to its end. Where nothing runs beside it, what begins because of it is carried on
        from here: a chain of calls is one task, with few turns of the loop."""
        task = asyncio.current_task()
        assert task is not None
        breath = self.loop.time()
        try:
            while True:
                attempt.task = task
                try:
                    # From before the call, as it keeps values while it goes on; `_turn` lets go
                    # of them.
                    self._holding[attempt.id] = attempt.holding
                    finish = await attempt.call_tool()
                    # after the await: a turn may have put another list there
                    self._ended.append(self.questions.hide_answer(finish))
                finally:
                    self._attempts.pop(attempt.id, None)
                    self._begun.pop(key, None)
                # The task outlives the call. A cancel that came too late for this one would hit
                # the next.
                while task.cancelling():  # that was meant for the call that has ended
                    task.uncancel()
                if self.loop.time() - breath > BREATH:
                    await asyncio.sleep(0)
                    breath = self.loop.time()
                # Others are being called: the main loop makes one turn for all that end together,
                # not one each.
                if self._attempts or self._is_over():
                    return
                made = self._turn()
                if not made:
                    return
                (attempt, key), *others = made
                for other in others:
                    self._spawn(self._carry(*other))
        except JournalLocked:
            pass  # the turn is tried again with patience
        except JournalError as error:
            self._fail(error)
        finally:
            self._wake.set()

    def _is_over(self) -> bool:
        """Whether nothing more is to be recorded from here."""
        return self.abandoned or self._fault is not None or self.run.status != "running"

    def _end_pauses(self, over: Collection[Key]) -> None:
        """No wait goes on for an attempt that is no more: its group or list has ended, and what is
        called the same the next time is another. Those of the keys `over` have come to their end.
        """
        for key in over:
            self._pauses.pop(key, None)
        for key, (do, task) in [*self._pauses.items()]:
            action = self.run.calls[do.call].action if isinstance(do, Undo) else do.action
            tries = self.run.tries.get(tries_of(action, do.call if isinstance(do, Undo) else None))
            if tries is None or tries.attempt != do.attempt:
                task.cancel()
                del self._pauses[key]
                self._waited_seconds.pop(key, None)
                if self._begun.get(key, 0) is _PENDING:
                    del self._begun[key]
                    self._wake.set()

    def _do_after_wait(self, do: Start | Undo) -> None:
        key, seconds = key_of(do), self.around.draw(*do.wait)
        # From the journal's time, not from now: a run that is resumed after an hour need not wait
        # again.
        left = seconds_left(self._last_ended(do) or time(), seconds)
        until = time() + left

        async def waiting() -> None:
            with self.waiting(("again", key), Wait(until=until, ends=until)):
                await pause_for(left)
            self._waited_seconds[key] = seconds
            self._begun.pop(key, None)
            self._wake.set()

        self._pauses[key] = do, self._spawn(waiting())

    def _last_ended(self, do: Start | Undo) -> float | None:
        """When the attempt before ended: a wait goes on that was begun in another process."""
        undoes = do.call if isinstance(do, Undo) else None
        action = self.run.calls[do.call].action if isinstance(do, Undo) else do.action
        for call in reversed(self.run.calls.values()):
            if call.undoes == undoes and call.action == action and call.ended is not None:
                return call.ended
        return None

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        return task

    def _on_task_done(self, task: asyncio.Task[None]) -> None:
        """A task has ended; what it raised is a fault of ours, and not to be lost."""
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._fail(fault)

    async def _abandon(self) -> None:
        """End what runs and record nothing: the run goes on when it is resumed."""
        self.abandoned = True
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # The ends were not recorded, so nothing refers to what these calls kept.
        while self._holding:
            self._holding.popitem()[1].close()

    # others

    def _on_recorded(self, entries: list[RunRecorded]) -> None:
        """Something was recorded, here or elsewhere; from any thread."""
        events = [entry.event for entry in entries]
        # Waking the loop for each of its own writes would cost a turn per call.
        if not all(isinstance(event, _OWN) for event in events):
            self.loop.call_soon_threadsafe(self._on_events, events)

    def _on_events(self, events: list[RunEvent]) -> None:
        for event in events:
            if isinstance(event, QuestionAnswered):
                self.questions.answer_recorded(event)
            elif isinstance(event, RunResumed) and event.process != process():
                self._fail(RunAlive(event.process or "another process"))
        self._wake.set()

    async def _follow(self) -> None:
        """What other processes record (a stop, an answer) is seen soon."""
        while True:
            await asyncio.sleep(FOLLOW)
            with suppress(JournalError):
                # One number is read, not the events: nearly always nothing is new.
                if self.log.journal.run_changed(self.log.info.id) > self.run.position:
                    self.log.refresh()

    # waits

    @property
    def outermost(self) -> RunLoop:
        return next(iter(self.loops.values()))

    def park_now(self) -> None:
        """Leave it as soon as all it does is wait; on the loop."""
        self.park = 0.0
        self._ask_to_park()

    @contextmanager
    def waiting(self, key: int | tuple[str, Key], wait: Wait) -> Iterator[None]:
        """Around a wait of a call, or for another attempt."""
        self.open_waits[key] = wait
        self.outermost._ask_to_park()
        try:
            yield
        finally:
            self.open_waits.pop(key, None)

    def _ask_to_park(self) -> None:
        self._parking_is_due = True
        self._wake.set()

    def _park_if_due(self) -> bool:
        """Whether the run is left, because of how long it would wait."""
        over, self._out_of_time = self._out_of_time, None
        family = [*self.loops.values()]
        if park(family, over):
            return True
        self._parking_is_due = any(each.open_waits for each in family)
        if over is not None:
            over._fail_out_of_time()
        return False

    def only_waits(self) -> bool:
        """Whether nothing of this run is done but to wait."""
        # The call of a nested run is no wait itself: its own loop is asked, too.
        nested = {id for id, log in self.nested_runs.items() if log.info.id in self.loops}
        doing = {id for id, call in self.run.open.items() if not call.gathers} - nested
        again = {("again", key) for key, id in self._begun.items() if id is _PENDING}
        # `_ended` not empty: a call has ended whose end is not written yet, so there is a turn to
        # make.
        busy = self._is_over() or self._ended
        return not busy and {*doing, *again} <= self.open_waits.keys()

    def _on_out_of_time(self) -> None:
        """Its time is over: it fails, unless all of it waits for what may take longer."""
        self.outermost._out_of_time = self
        self.outermost._ask_to_park()

    def _fail_out_of_time(self) -> None:
        begins = any(
            isinstance(do, Start) and not self.run.work(do.action).always
            for do in next_action(self.run)
        )
        if not (begins or any_forward(self.run)):
            return  # what it does now is undo, or always done last
        reason = f"Workflow execution timeout ({self.run.timeout:g}s) exceeded"
        undo = self.run.workflow.rollback
        self.stop(StopRun(why="failed", reason=reason, rollback=undo))

    async def _or_fault(self, work: Awaitable[T]) -> T:
        """What a call asks of the journal: where that says no, the run stops, not only the call."""
        try:
            return await work
        except JournalError as error:
            self._fail(error)
            raise

    def _fail(self, fault: BaseException) -> None:
        self._fault = self._fault or fault  # the first is the cause of those that follow
        self._wake.set()


async def retry_while_locked(work: Callable[[], Any]) -> Any:
    """What the work gives, tried again while another process holds the journal."""
    for seconds in RETRY_DELAYS:
        try:
            return await result if isawaitable(result := work()) else result
        except JournalLocked:
            await asyncio.sleep(seconds)
    # The last try: its JournalLocked goes to who asked.
    return await result if isawaitable(result := work()) else result


def key_of(do: Start | Undo | CallStarted) -> Key:
    if isinstance(do, CallStarted):
        return do.action if do.undoes is None else do.undoes
    return do.action if isinstance(do, Start) else do.call
