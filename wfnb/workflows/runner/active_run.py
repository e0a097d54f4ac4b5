"""a run that is being performed in this process -> what others in it may see and ask of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from signal import SIGINT, Signals
from threading import Event, Lock
from typing import Any

from wfnb.errors import AnswerElsewhere, ClusterLost, JournalError, QuestionGone, QuestionNone
from wfnb.redaction import HIDDEN
from wfnb.workflows.core.commands import AnswerQuestion, StopRun
from wfnb.workflows.core.events import CallFinished, QuestionAnswered, QuestionAsked, RunRecorded
from wfnb.workflows.core.resume_queries import begun_at
from wfnb.workflows.core.run import Run
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.tools.wait import seconds_left

from .interrupts import Interrupts
from .redacted_fields import redact_result
from .run_loop import RunLoop

TAIL = 200
"""Lines of output that are kept to be shown."""
MAX_LINE_LENGTH = 4_000
"""Characters that are kept of a line whose end has not come: the last ones."""
HEARD = 0.2
"""Seconds after which an interrupt is heard at the latest: one that comes right before a wait, or
to another thread, does not end it."""


class ActiveRun:
    """A run on the engine. Every method may be called from any thread."""

    def __init__(self, run_loop: RunLoop) -> None:
        self.run_loop = run_loop
        self.asks_here = run_loop.park is None
        """Whether what it asks is for who attends it: one that is to be parked waits for nobody."""
        self.log = run_loop.log
        self.future: Future[Any] = Future()
        self.changed = Event()
        self.interrupts = Interrupts()
        self.warnings: tuple[str, ...] = ()
        self._lines: deque[tuple[str, str]] = deque(maxlen=TAIL)
        self._begun: dict[str, str] = {}
        self._heard = 0
        self._hearing = Lock()
        self.log.watchers.append(self._on_recorded)

    def __repr__(self) -> str:
        return f"<wfnb run {self.name!r}: {self.run.status}>"

    @property
    def name(self) -> str:
        return self.log.name

    @property
    def run(self) -> Run:
        return self.log.run

    @property
    def is_done(self) -> bool:
        """Whether nothing of it happens any more."""
        return self.future.done()

    def wait(self, timeout: float | None = None) -> bool:
        """Until it is done, or for `timeout` seconds. Whether it is. Raises what kept it from
        going on (JournalError, ClusterLost, with the run as `left`), never how it ended."""
        if timeout is None:
            while not self.wait(HEARD):
                pass
            return True
        try:
            self.future.result(timeout)
        except TimeoutError:
            if not self.future.done():
                return False
            self.future.result()  # what it was kept by may be a TimeoutError too
        except (ClusterLost, JournalError) as error:
            error.left = self.name
            raise
        return True

    def attend(
        self,
        show: Callable[[ActiveRun], None] | None = None,
        every: float = 0.1,
        interrupts: Interrupts | None = None,
    ) -> None:
        """Wait, and show what changes, at most once in `every` seconds. The first interrupt stops
        the run (and rolls back, where its workflow says so), the second stops it at once."""
        self.interrupts = interrupts or Interrupts(SIGINT)
        with self.interrupts.telling(lambda count: self.interrupt(at_once=count > 1)):
            while not self.is_done:
                try:
                    self.changed.wait(every)
                    if show is not None and self.changed.is_set():
                        # Cleared before it is shown: what changes while it is drawn is drawn the
                        # next time.
                        self.changed.clear()
                        show(self)
                    if not self.is_done:
                        self.wait(every)
                except KeyboardInterrupt:  # at a prompt
                    self.interrupts.count_signal(SIGINT)
            self.wait()

    def interrupt(self, at_once: bool = False) -> None:
        """Stop it from here, as an interrupt does."""
        run_loop = self.run_loop
        by = self.interrupts.first
        reason = "it was interrupted" if by in (None, SIGINT) else f"{Signals(by).name} came"
        stop = StopRun(why="cancelled", reason=reason)
        # From a signal's handler, maybe within a lock of the loop: nothing is done here but to
        # queue it.
        run_loop.loop.call_soon_threadsafe(
            run_loop.stop_now if at_once else lambda: run_loop.stop(stop)
        )

    def stop(self, rollback: bool | None = None, reason: str | None = None) -> None:
        """Stop it: nothing more is started and what runs is ended. `rollback` None: as its
        workflow says. Refused where it has ended."""
        self.log.do(StopRun(why="cancelled", reason=reason, rollback=rollback))

    def answer(self, answer: Any, to: str | None = None) -> str:
        """Answer its question: the open one, or that of the action `to`. Returns the answer as it
        counts. Refused where no question is open, or it has other choices."""
        return answer_question(self.log, answer, to, self.run_loop)

    @property
    def tail(self) -> tuple[tuple[str, str], ...]:
        """The last lines of output, each with who wrote it; then those that have only begun."""
        with self._hearing:
            return (*self._lines, *self._begun.items())

    def lines(self, after: int = 0) -> tuple[int, tuple[tuple[str, str], ...]]:
        """How many whole lines of output there were, and those beyond the first `after` that are
        kept, each with who wrote it."""
        with self._hearing:
            new = max(self._heard - after, 0)
            return self._heard, tuple(self._lines)[max(len(self._lines) - new, 0) :]

    def add_output(self, run: str, action: str, text: str) -> None:
        """Output of a call, from any thread: in pieces that know nothing of lines."""
        # A nested run's actions may have the names of the outer one's.
        who = action if run == self.name else f"{run}/{action}"
        with self._hearing:
            *lines, begun = (self._begun.pop(who, "") + text).split("\n")
            self._lines.extend((who, line) for line in lines)
            self._heard += len(lines)
            if begun:
                # A progress bar without line ends would grow without end.
                self._begun[who] = begun[-MAX_LINE_LENGTH:]
        self.changed.set()

    def _on_recorded(self, entries: list[RunRecorded]) -> None:
        """Something was recorded. What a call had begun to write ends with it: the next attempt
        begins a line."""
        ended = [e.event.call for e in entries if isinstance(e.event, CallFinished)]
        with self._hearing:
            for who in (self.run.calls[call].action for call in ended):
                if begun := self._begun.pop(who, ""):
                    self._lines.append((who, begun))
                    self._heard += 1
        # `set` takes a lock and wakes waiters: a run with thousands of calls would pay for each.
        if not self.changed.is_set():
            self.changed.set()


def answer_question(log: RunLog, answer: Any, to: str | None, run_loop: RunLoop | None) -> str:
    """Answer a question of a run: the open one, or that of the action `to`. Returns the answer as
    it counts."""
    questions = dict(log.run.questions)
    asked = {id: each for id, each in questions.items() if to in (None, log.run.calls[id].action)}
    if to is not None and not asked:
        raise QuestionNone
    return _give_answer(log, answer, asked, next(iter(asked)) if to is not None else None, run_loop)


def answered_call(log: RunLog, answer: Any, call: int, run_loop: RunLoop | None) -> str:
    """Answer what this call asks, and nothing that is asked since. QuestionGone."""
    asked = log.run.questions.get(call)
    try:
        if asked is None:
            raise QuestionNone
        return _give_answer(log, answer, {call: asked}, call, run_loop)
    except QuestionNone:
        raise QuestionGone(log.name) from None


def _is_late(run: Run, call: int) -> bool:
    """Whether the time for the answer is over, in a run that is parked: who goes on with it takes
    the default, or the failure. Where a process has the run, that sees it."""
    asked, begun = run.questions.get(call), begun_at(run, call)
    limits = [] if asked is None else [asked.timeout, run.calls[call].work.timeout]
    known = [limit for limit in limits if limit is not None]
    return run.parked and begun is not None and bool(known) and seconds_left(begun, min(known)) < 0


def _give_answer(
    log: RunLog,
    answer: Any,
    asked: Mapping[int, QuestionAsked],
    call: int | None,
    run_loop: RunLoop | None,
) -> str:
    """The answer to one of what is `asked`: that of the `call`, where one is named. A secret one
    goes nowhere but to the run_loop."""
    first = next(iter(asked), None)
    secret = first is not None and len(asked) == 1 and asked[first].secret
    if first is not None and secret and run_loop is None:
        raise AnswerElsewhere(log.run.calls[first].action, log.name)
    if run_loop is not None and not secret and not any(each.choices for each in asked.values()):
        hides = run_loop.around.hides()  # one may be typed where none was asked for
        answer = redact_result({"answer": answer}, hides, ["answer"])["answer"]
    answered = call if call is not None or len(asked) > 1 else first
    if answered is not None and _is_late(log.run, answered):
        raise QuestionGone(log.name)
    event = log.do(AnswerQuestion(answer=answer, call=call))[0].event
    assert isinstance(event, QuestionAnswered)
    if secret and run_loop is not None:
        # A secret answer is not in the event. Recorded first: two who answer at once get one
        # answer.
        run_loop.loop.call_soon_threadsafe(run_loop.questions.answer, event.call, answer)
    return HIDDEN if secret else str(event.answer)
