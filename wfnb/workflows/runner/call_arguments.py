"""a run, a call of it -> what is called, whether that may be done twice, and what it is passed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.errors import NameUnknown, ToolUnknown
from wfnb.frozen_record import record
from wfnb.workflows.core.events import CallStarted
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.models import Compensation, Work
from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.definition.template import fill, names
from wfnb.workflows.definition.used_fields import leaves
from wfnb.workflows.tools.call_context import Question
from wfnb.workflows.tools.registry import Registry
from wfnb.workflows.tools.result_fields import ToolFailed
from wfnb.workflows.tools.tool import Tool


@record
class RepeatedQuestion(Question):
    """A question of that action, answered in secret by somebody whom another process heard."""

    action: str


@record
class UnknownSecret:
    """Stands for a secret that is not known here. `question` is how to know it, if there is a
    way."""

    name: str
    question: RepeatedQuestion | None = None


class IncompleteParams(dict[str, Any]):
    """Parameters as they were recorded, which need answers that are not known here: these
    `questions` are to be asked again."""

    def __init__(
        self,
        recorded: Mapping[str, Any],
        params: Mapping[str, Any],
        scope: Mapping[str, Any],
        questions: tuple[RepeatedQuestion, ...],
        tool: Tool,
    ) -> None:
        super().__init__(recorded)
        self.questions = questions
        self._params, self._scope, self._tool = params, scope, tool

    def fill_in(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters, with the answers by action."""
        return _filled(self._params, _fill_answers(self._scope, answers), self._tool)


def called_by(run: Run, event: CallStarted) -> Work | Compensation:
    """The action, what is done instead of it, or its compensation."""
    return run.next_work(event.action) if event.undoes is None else _undoing(run, event.undoes)


def _undoing(run: Run, call: int) -> Compensation:
    """What undoes a call, as it was defined when that was made."""
    compensation = run.calls[call].work.compensation
    assert compensation is not None
    return compensation


def idempotent(run: Run, tools: Registry, action: str, undoes: bool) -> bool:
    """Whether it may be called again when nobody knows whether it was done."""
    if _undoes_nested(run, undoes):
        return True
    meant = _called_work(run, action, undoes)
    if meant.idempotent is not None:
        return meant.idempotent
    if meant.tool == NESTED:
        return True  # all it did is recorded: it is not begun again, it goes on
    try:
        return tools.get(meant.tool).idempotent
    except ToolUnknown:
        return True  # it will not be called


def called_tool(run: Run, tools: Registry, action: str, undoes: bool) -> Tool | None:
    """Its tool; None: it has none, or that is not there."""
    if _undoes_nested(run, undoes):
        return None
    try:
        return tools.get(_called_work(run, action, undoes).tool)
    except ToolUnknown:
        return None  # it will not be called


def _undoes_nested(run: Run, undoes: bool) -> bool:
    """Whether what is undone next is a nested run: it has no call of its own for that."""
    return undoes and run.calls[next(reversed(run.armed))].nested is not None


def _called_work(run: Run, action: str, undoes: bool) -> Work | Compensation:
    return _undoing(run, next(reversed(run.armed))) if undoes else run.next_work(action)


def call_params(
    run: Run,
    event: CallStarted,
    secret: Mapping[str, Any],
    tool: Tool,
) -> Mapping[str, Any]:
    """The parameters as the tool gets them: what was recorded, with what is recorded nowhere, and
    with the marks of what only stands for a value; IncompleteParams where answers are missing.
    Raises ToolFailed where a secret is missing: `•••` is no value; nor is anybody asked for what a
    compensation needs, which may run with nobody there."""
    if not secret and not run.secrets and not event.cut:
        return event.params
    undoes = event.undoes
    # A compensation sees the values of when its action succeeded, not those of now.
    known = run.scope_of(event.action, event.within) if undoes is None else run.armed[undoes]
    unknown = {name: UnknownSecret(name=name) for name in run.secrets if name not in secret}
    scope = {**known, **unknown, **secret}
    params = dict(called_by(run, event).params)
    missing = dict.fromkeys(_missing(params, scope, tool))
    for one in missing:
        if one.question is None or event.undoes is not None:
            raise ToolFailed(f"secret {one.name} is not known here: secrets are never kept")
    questions = tuple(one.question for one in missing if one.question is not None)
    if questions:
        return IncompleteParams(event.params, params, scope, questions, tool)
    return _filled(params, scope, tool)


def _filled(params: Mapping[str, Any], scope: Mapping[str, Any], tool: Tool) -> dict[str, Any]:
    return fill(params, scope, verbatim=tool.verbatim, objects=tool.objects)


def _missing(
    params: Mapping[str, Any], scope: Mapping[str, Any], tool: Tool
) -> Iterator[UnknownSecret]:
    """The secrets that the parameters use, and that are not known."""
    for _, name in names(params, tool.verbatim):
        try:
            value = fill({name: f"{{{name}}}"}, scope, objects=None)[name]
        except NameUnknown:  # said when they are filled
            continue
        yield from (leaf for leaf in leaves(value) if isinstance(leaf, UnknownSecret))


def _fill_answers(value: Any, answers: Mapping[str, Any]) -> Any:
    match value:
        case UnknownSecret(question=RepeatedQuestion(action=action)):
            return answers[action]
        case Mapping():
            return {key: _fill_answers(item, answers) for key, item in value.items()}
        case list() | tuple():
            return [_fill_answers(item, answers) for item in value]
        case _:
            return value
