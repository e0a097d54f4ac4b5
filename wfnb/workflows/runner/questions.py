"""a call's question -> recorded, and the answer handed to the call that waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from wfnb.redaction import HIDDEN, MIN_LENGTH, redaction
from wfnb.workflows.core.commands import AskQuestion, FinishCall
from wfnb.workflows.core.events import QuestionAnswered, QuestionAsked
from wfnb.workflows.core.run import Run
from wfnb.workflows.run_log import RunLog
from wfnb.workflows.tools.call_context import Question
from wfnb.workflows.tools.result_fields import ToolFailed

from .call_arguments import RepeatedQuestion, UnknownSecret
from .redacted_fields import redact_result

ASK = "ask"
"""The tool that gives back what was answered."""


class Questions:
    """Those of one run. `hidden` takes the answers that are not to be kept: the calls that come
    after have them (`secret`), the journal does not. What is `hidden` is not asked either."""

    def __init__(self, log: RunLog, hidden: set[str]) -> None:
        self.log = log
        self.hidden = hidden
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._secret: set[int] = set()
        self._known: dict[str, Any] = {}
        self._answered: dict[int, Any] = {}
        asking = (
            (name, work) for name, work in log.run.workflow.actions.items() if work.tool == ASK
        )
        self.asking = [name for name, work in asking if "secret" in work.params]

    async def ask(self, call: int, question: Question) -> Any:
        """The answer, once it is there."""
        asked = _recorded_question(call, question, self.hidden)
        action = question.action if isinstance(question, RepeatedQuestion) else None
        before = answered_before(self.log.run, call) if action is None else None
        if before is not None:
            return _resolve_answer(before, question, asked.choices)
        waiting: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._answers[call] = waiting
        if question.secret:
            self._secret.add(call)
        try:
            # The wait is registered before the question is recorded: an answer may come at once.
            if call not in self.log.run.questions:  # else it was, in another process
                self.log.do(AskQuestion(event=asked))
            answer = _resolve_answer(await waiting, question, asked.choices)
        finally:
            self._answers.pop(call, None)
            self._secret.discard(call)
        if question.secret:
            self.hidden |= hideable([answer])
            self._known[action or self.log.run.calls[call].action] = answer
            self._answered[call] = answer
        return answer

    def hide_answer(self, ended: FinishCall) -> FinishCall:
        """The end of a call without the secret answer that it was given: one that is too short to
        be hidden wherever it stands, too."""
        answer = self._answered.pop(ended.call, None)
        if answer is None or answer not in ended.result.values():
            return ended
        result = {
            name: HIDDEN if isinstance(value, str) and value == answer else value
            for name, value in ended.result.items()
        }
        return replace(ended, result=result)

    def with_recorded_answer(self, ended: FinishCall) -> FinishCall:
        """The end of a question whose time was over before this process heard of the answer that
        was recorded: who gave it was told that it counts. A secret one is recorded nowhere."""
        run = self.log.run
        call, answer = run.calls[ended.call], run.answers.get(ended.call)
        heard = ended.stopped or ended.result.get("answered_by") == "person"
        if call.tool != ASK or answer is None or heard or HIDDEN in str(answer):
            return ended
        choices = list(call.params.get("choices") or ())
        choice = choices.index(answer) if answer in choices else None
        told = {"answer": answer, "choice": choice, "answered_by": "person"}
        return replace(ended, result={"success": True, **told})

    def answer(self, call: int, answer: Any) -> None:
        """Hand an answer on to the call that waits for it; on the loop."""
        waiting = self._answers.pop(call, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def refuse(self, call: int, why: str) -> None:
        """Nobody can answer: the call fails at once; on the loop."""
        waiting = self._answers.pop(call, None)
        if waiting is not None and not waiting.done():
            waiting.set_exception(ToolFailed(why, error_type="NobodyToAnswer"))

    def answer_recorded(self, event: QuestionAnswered) -> None:
        """An answer was recorded, here or elsewhere. A secret one does not come this way."""
        if event.call not in self._secret:
            self.answer(event.call, event.answer)

    def secret(self) -> dict[str, Any]:
        """The secret answers, under the names by which placeholders find them; UnknownSecret for
        those that were given to another process."""
        run = self.log.run
        found: dict[str, Any] = {}
        for action in dict.fromkeys((*self.asking, *self._known)):
            result = run.results.get(action, {})
            if result.get("answer") == HIDDEN:
                answer = self._known.get(action)
                if action not in self._known:
                    answer = _unknown(run, action)
                found |= {action: {**result, "answer": answer}, f"{action}_answer": answer}
        if not found:
            return {}
        if run.standard.get("answer") == HIDDEN and (last := _last_answered(run)) in found:
            found["answer"] = found[f"{last}_answer"]
        return found | {"steps": {**run.results, **found}}


def _recorded_question(call: int, question: Question, secrets: Iterable[str]) -> QuestionAsked:
    """A question as it is recorded: no secrets in it, and no two choices alike."""
    hide = redaction(secrets)
    choices: list[str] = []
    for choice in question.choices:
        said = hide(choice)
        choices.append(f"{said} ({len(choices) + 1})" if said in choices else said)
    default = question.default
    if default in question.choices:
        default = choices[question.choices.index(default)]
    return QuestionAsked(
        call=call,
        question=hide(question.text),
        choices=tuple(choices),
        default=redact_result({"default": default}, secrets, ["default"])["default"],
        secret=question.secret,
        timeout=question.timeout,
    )


def _resolve_answer(answer: Any, question: Question, shown: tuple[str, ...]) -> Any:
    """What an answer stands for: a choice as it was shown, or by its place."""
    # By text before by place: a choice may itself be a number, as in "which port?".
    if answer in shown:
        return question.choices[shown.index(answer)]
    if shown and str(answer).isdecimal() and 1 <= int(str(answer)) <= len(shown):
        return question.choices[int(str(answer)) - 1]
    return answer


def _unknown(run: Run, action: str) -> UnknownSecret:
    """What was asked before, to be asked again."""
    # From the last call, not from the definition: placeholders are filled in there.
    calls = (call for call in reversed(run.calls.values()) if call.action == action)
    params = next(call.params for call in calls if call.undoes is None)
    text, choices = params.get("question"), params.get("choices") or ()
    again = RepeatedQuestion(
        text=f"{text}", choices=tuple(map(str, choices)), secret=True, action=action
    )
    return UnknownSecret(name=f"{action}.answer", question=again)


def _last_answered(run: Run) -> str | None:
    """Whose answer is `answer`."""
    for call in reversed(run.calls.values()):
        if "answer" in call.overlaid:
            return call.action
    return None


def answered_before(run: Run, call: int) -> Any:
    """The answer that came to this question before the process ended, if one did."""
    if not run.resumed:
        return None
    if call in run.answers:
        return run.answers[call]
    # By what it is of, not by its action: items of a list may stand in other places after a
    # resume.
    this, time = run.identity(run.calls[call]), run.calls[call].time
    for before in reversed(run.calls.values()):
        if before.undoes is not None or before.id >= call or run.identity(before) != this:
            continue
        if before.status != "unknown" or before.time != time:
            return None
        if before.id in run.answers:
            return run.answers[before.id]
    return None


def hideable(secrets: Iterable[Any]) -> set[str]:
    """The secrets that can be hidden wherever they stand. A shorter one stands there by chance."""
    return {text for secret in secrets if len(text := str(secret)) >= MIN_LENGTH}


def hides(values: Mapping[str, Any], hidden: set[str]) -> dict[str, Any]:
    """Those of the values that hold something hidden, at any depth."""
    return {name: value for name, value in values.items() if _holds(value, hidden)}


def _holds(value: Any, hidden: set[str]) -> bool:
    match value:
        case str():
            return any(text in value for text in hidden if text)
        case Mapping():
            return any(_holds(item, hidden) for item in (*value, *value.values()))
        case list() | tuple():
            return any(_holds(item, hidden) for item in value)
        case _:
            return not isinstance(value, bool) and str(value) in hidden
