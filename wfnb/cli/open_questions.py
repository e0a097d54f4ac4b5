"""a run that is attended -> the open questions, its own and those of the runs it called."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from wfnb.frozen_record import record
from wfnb.workflows.core.events import QuestionAsked
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.runner.active_run import ActiveRun, answer_question
from wfnb.workflows.runner.local_runs import local_loop
from wfnb.workflows.tools.nested_workflow import RUN_WORKFLOW
from wfnb.workflows.views.run_words import no_answer_note


@record
class Asking:
    """An open question: of this run, of its call at this position. `nested`: the run was called by
    the one that is attended."""

    run: str
    call: int
    action: str
    question: QuestionAsked
    nested: bool = False

    @property
    def key(self) -> tuple[str, int]:
        return self.run, self.call

    @property
    def words(self) -> str:
        """The question, its choices, and what comes of it where nobody answers."""
        choices = " · ".join(
            f"{place} {choice}" for place, choice in enumerate(self.question.choices, start=1)
        )
        otherwise = no_answer_note(self.question)
        said = [f"{self.action} asks: {self.question.question}", choices]
        said.append(f"({otherwise})" if otherwise else "")
        return " ".join(filter(None, said))

    @property
    def way(self) -> str:
        return way(self.run, self.action, self.question)


def way(run: str, action: str, question: QuestionAsked) -> str:
    """How a question is answered from elsewhere."""
    if question.secret:
        return "only at the terminal where it was started, since it is for a secret"
    return shlex.join(["wfnb", "answer", "TEXT", "--run", run, "--to", action])


_NOBODY = "a secret is only asked for at a terminal, and there is none"


class Family:
    """A run that this process performs, and those that it called."""

    def __init__(self, running: ActiveRun) -> None:
        self._running = running
        self._nested: dict[int, RunLog] = {}

    def asks(self) -> list[Asking]:
        """The open questions, those of the run itself first."""
        with self._running.log.lock:
            # The journal is asked for called runs only where one is open: this is done at each
            # tick.
            calls = any(call.tool == RUN_WORKFLOW.name for call in self._running.run.open.values())
            own = list(open_questions(self._running.log))
        return (
            own + [each for log in self._called_runs() for each in open_questions(log, True)]
            if calls
            else own
        )

    def answer(self, asked: Asking, answer: Any) -> None:
        """Refused where it is none of the choices, or the question is no longer open."""
        logs = (self._running.log, *self._nested.values())
        log = next(log for log in logs if log.name == asked.run)
        answer_question(log, answer, asked.action, local_loop(log.journal, log.info))

    def refuse(self, asked: Asking) -> None:
        """End a question that nobody can answer."""
        logs = (self._running.log, *self._nested.values())
        log = next(log for log in logs if log.name == asked.run)
        run_loop = local_loop(log.journal, log.info)
        if run_loop is not None:
            # The questions belong to the thread of the loop; this is the thread of the terminal.
            run_loop.loop.call_soon_threadsafe(run_loop.questions.refuse, asked.call, _NOBODY)

    def _called_runs(self) -> Iterator[RunLog]:
        journal, above = self._running.log.journal, [self._running.log.info]
        while above:
            info = above.pop()
            for below in journal.runs(info.session, info.id):
                if below.status == "running":
                    # Kept: a log that is made anew would read all events of the run at each tick.
                    log = self._nested.get(below.id) or RunLog(journal, below)
                    self._nested[below.id] = log
                    log.refresh()
                    above.append(below)
                    yield log


def open_questions(log: RunLog, nested: bool = False) -> Iterator[Asking]:
    """The open questions of a run."""
    for call, question in log.run.questions.items():
        action = log.run.calls[call].action
        yield Asking(run=log.name, call=call, action=action, question=question, nested=nested)
