"""a call's question -> recorded, and the answer handed to the call that waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from wfnb.core.runs.commands import AskQuestion
from wfnb.core.runs.events import QuestionAnswered
from wfnb.core.runs.run import Run
from wfnb.runs import RunLog
from wfnb.tools.context import Question

from .kept import HIDDEN


class Questions:
    """Those of one run. `hidden` takes the answers that are not to be kept: the calls that come
    after have them (`secret`), the journal does not."""

    def __init__(self, log: RunLog, hidden: set[str]) -> None:
        self.log = log
        self.hidden = hidden
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._secret: set[int] = set()
        self._known: dict[str, Any] = {}

    async def ask(self, call: int, question: Question) -> Any:
        """The answer, once it is there."""
        before = answered_before(self.log.run, call)
        if before is not None:
            return before
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[call] = waiting
        if question.secret:
            self._secret.add(call)
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

    def answer(self, call: int, answer: Any) -> None:
        """Hand an answer on to the call that waits for it; on the loop."""
        if call in self._secret:
            self.hidden.add(str(answer))
            self._known[self.log.run.calls[call].action] = answer
        waiting = self._answers.pop(call, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def heard(self, event: QuestionAnswered) -> None:
        """An answer was recorded, here or elsewhere. A secret one does not come this way."""
        if event.call not in self._secret:
            self.answer(event.call, event.answer)

    def secret(self) -> dict[str, Any]:
        """The secret answers, under the names by which placeholders find them."""
        run = self.log.run
        found: dict[str, Any] = {}
        for action, answer in self._known.items():
            result = {**run.results.get(action, {}), "answer": answer}
            found |= {action: result, f"{action}_answer": answer}
            if run.standard.get("answer") == HIDDEN:
                found["answer"] = answer
        return found | ({"steps": {**run.results, **found}} if found else {})


def answered_before(run: Run, call: int) -> Any:
    """The answer that came to this question before the process ended, if one did."""
    action = run.calls[call].action
    for before in reversed(run.calls.values()):
        if before.action != action or before.undoes is not None or before.id >= call:
            continue
        if before.status != "unknown":
            return None
        if before.id in run.answers:
            return run.answers[before.id]
    return None


def hides(values: Mapping[str, Any], hidden: set[str]) -> dict[str, Any]:
    """Those of the values that hold something hidden, at any depth."""
    return {name: value for name, value in values.items() if _holds(value, hidden)}


def _holds(value: Any, hidden: set[str]) -> bool:
    match value:
        case str():
            return any(text in value for text in hidden)
        case Mapping():
            return any(_holds(item, hidden) for item in (*value, *value.values()))
        case list() | tuple():
            return any(_holds(item, hidden) for item in value)
        case _:
            return str(value) in hidden
