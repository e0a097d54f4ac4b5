"""workflow, variables -> what a run of it would do, action by action, with nothing done."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from wfnb.frozen_record import record
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import SPACED
from wfnb.render.text.tables import html_table
from wfnb.views.graphs import drawn_html
from wfnb.views.step_words import cut
from wfnb.workflows.definition.for_each import OWN
from wfnb.workflows.definition.models import (
    ForEach,
    Retry,
    State,
    StatesWorkflow,
    Step,
    StepOrder,
    StepsWorkflow,
    Waiting,
    Work,
)
from wfnb.workflows.definition.template import HIDDEN, UnfilledValue, fill, list_place, names
from wfnb.workflows.definition.variable_values import defaults

from .graph import definition_picture
from .run_words import condition, need_words, seconds, tool_words

_MAX_PARAMETER_LENGTH = 200  # characters of one parameter


@record
class PlannedAction:
    """One action. `params` have the values that are known before the run; other placeholders are
    left as they are. `after` are sentences: what comes next, or what it waits for; `rules` how it
    is tried, limited and undone."""

    action: str
    tool: str
    params: Mapping[str, Any]
    after: tuple[str, ...]
    rules: tuple[str, ...]


class Plan:
    """Shown as text and HTML; `problems` are what keeps it from running."""

    def __init__(
        self,
        workflow: StatesWorkflow | StepsWorkflow,
        actions: Iterable[PlannedAction],
        problems: Iterable[object],
        warnings: Iterable[object],
    ) -> None:
        self.workflow = workflow
        self.actions = tuple(actions)
        self.problems = tuple(map(str, problems))
        self.warnings = tuple(map(str, warnings))

    @property
    def sentence(self) -> str:
        return " · ".join(_sentence(self))

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON data."""
        return {
            "workflow": self.workflow.name,
            "form": self.workflow.form,
            "problems": list(self.problems),
            "warnings": list(self.warnings),
            "actions": [
                {
                    "action": each.action,
                    "tool": each.tool,
                    "params": dict(each.params),
                    "after": list(each.after),
                    "rules": list(each.rules),
                }
                for each in self.actions
            ],
        }

    @property
    def text(self) -> str:
        return "\n".join(_text(self))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: self.to_dict(), "text/plain": self.text, "text/html": "".join(_html(self))}


def plan(
    workflow: StatesWorkflow | StepsWorkflow,
    variables: Mapping[str, Any],
    warnings: Iterable[object] = (),
    problems: Iterable[object] = (),
    verbatim: Mapping[str, Collection[str]] = {},
) -> Plan:
    """What would be called with what. `variables` are those that were given; defaults are added,
    and secrets are not shown. `verbatim`: for each tool the parameters that are programs."""
    secret = frozenset(name for name, spec in workflow.variables.items() if spec.secret)
    # Secrets last, so that no given value of one is shown.
    values = {**defaults(workflow.variables), **variables, **dict.fromkeys(secret, HIDDEN)}
    actions = [
        _plan_action(workflow, id, work, values, verbatim) for id, work in workflow.actions.items()
    ]
    return Plan(workflow, actions, problems, warnings)


class _OpenScope(dict[str, Any]):
    """Names that are not known stand for themselves."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> str:
        return UnfilledValue(f"{{{name}}}")


def _plan_action(
    workflow: StatesWorkflow | StepsWorkflow,
    id: str,
    work: Work,
    values: Mapping[str, Any],
    verbatim: Mapping[str, Collection[str]],
) -> PlannedAction:
    if work.for_each is not None:  # what is called so is each item's
        values = {name: value for name, value in values.items() if name not in OWN}
    return PlannedAction(
        action=id,
        tool=work.tool,
        params=fill_known(work.params, values, verbatim.get(work.tool, ())),
        after=tuple(_next_sentences(workflow, work)),
        rules=tuple(_rules(work, values, verbatim)),
    )


def fill_known(
    params: Mapping[str, Any], values: Mapping[str, Any], verbatim: Collection[str] = ()
) -> dict[str, Any]:
    """The parameters with the names that are known filled in.

    >>> fill_known({"text": "{who!q} of {steps.a.out!q}"}, {"who": "one"})
    {'text': 'one of {steps.a.out!q}'}
    """
    scope = _OpenScope(values)
    for _, name in names(params, verbatim):
        first, _, rest = name.partition(".")
        if rest and first in values:
            # A placeholder's path is looked up whole: the scope has no entry for `a.b` else.
            scope[name] = _value_at(values[first], rest, name)
    return fill(params, scope, verbatim=verbatim)


def _value_at(value: Any, rest: str, name: str) -> Any:
    for part in rest.split("."):
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list) and (place := list_place(part, value)) is not None:
            value = value[place]
        else:
            return UnfilledValue(f"{{{name}}}")
    return value


def _next_sentences(workflow: StatesWorkflow | StepsWorkflow, work: Work) -> Iterator[str]:
    if work.always:
        yield "always done last"
    elif isinstance(work, State):
        for transition in work.transitions:
            yield f"{condition(transition.condition)} → {transition.next_state}"
        if work.on_timeout is not None:
            yield f"timeout → {work.on_timeout}"
        if not work.transitions:
            yield "ends here"
    elif isinstance(work, Step) and (order := workflow.order_of(work.id)) is not None:
        if isinstance(workflow, StatesWorkflow):
            yield f"a step of {workflow.state_of(work.id)}"
        words = {need.id: f" ({need_words(need)})" for need in work.needs if need.may_fail}
        needs = [f"{id}{words.get(id, '')}" for id in order.needs[work.id]]
        if needs:
            yield f"after {', '.join(needs)}"
        if work.on_failure == "continue":
            yield "a failure stops nothing else"


def _order_text(order: StepOrder) -> str:
    return "in sequence" if order.in_sequence else f"{order.max_parallel} side by side"


def _rules(
    work: Work, values: Mapping[str, Any], verbatim: Mapping[str, Collection[str]]
) -> Iterator[str]:
    if isinstance(work, State) and work.is_group:
        yield f"{len(work.steps)} steps, {_order_text(work)}"
    if work.for_each is not None:
        yield _each_text(work.for_each)
    if work.when is not None:
        yield f"only when {work.when}"
    if work.retry.attempts:
        yield _retry_text(work.retry)
    for fallback in work.on_error:
        when = "" if fallback.when is None else f" when {condition(fallback.when)}"
        params = fill_known(fallback.params, values, verbatim.get(fallback.tool or "", ()))
        what = tool_words(fallback.tool, params) if fallback.tool else "the result is given"
        yield f"on an error{when}: {what}"
    if work.repeat is not None:
        parts = [f"until {condition(work.repeat.until)}", f"at most {work.repeat.at_most}×"]
        yield ", ".join([*parts, *_wait_text(work.repeat)])
    if work.timeout is not None:
        yield f"at most {seconds(work.timeout)}"
    if work.idle_timeout is not None:
        yield f"at most {seconds(work.idle_timeout)} without a sign of life"
    if work.cache:
        yield "a known result is used again"
    undo = work.compensation
    if undo is not None:
        params = fill_known(undo.params, values, verbatim.get(undo.tool, ()))
        yield f"undone by {tool_words(undo.tool, params)}"
        if undo.retry.attempts:
            yield f"undoing: {_retry_text(undo.retry)}"
        if work.compensate_on_failure:
            yield "undone also when it failed itself"


def _each_text(each: ForEach) -> str:
    items = each.items if isinstance(each.items, str) else f"{len(each.items)} items"
    parts = [f"for each of {items}"]
    parts += [f"{each.max_parallel} at a time"] if each.max_parallel > 1 else []
    parts += [f"{each.tolerate} may fail"] if each.tolerate else []
    return ", ".join(parts)


def _retry_text(retry: Retry) -> str:
    parts = [f"tried again {retry.attempts}×", *_wait_text(retry)]
    if retry.when is not None:
        parts.append(f"when {condition(retry.when)}")
    if retry.unless is not None:
        parts.append(f"unless {condition(retry.unless)}")
    return ", ".join(parts)


def _wait_text(rule: Waiting) -> Iterator[str]:
    low, high = rule.bounds(1)
    if high:
        span = seconds(low) if low == high else f"{seconds(low)} to {seconds(high)}"
        yield f"after {span}"
    if rule.backoff != "constant" and high:
        yield f"growing ({rule.backoff})"


def _sentence(plan: Plan) -> Iterator[str]:
    workflow, count = plan.workflow, len(plan.actions)
    if isinstance(workflow, StatesWorkflow):
        count = len(workflow.states)
    yield workflow.name or "workflow"
    yield "dry run"
    if isinstance(workflow, StatesWorkflow):
        yield f"{count} state{'s' * (count != 1)}, begins with {workflow.initial_state}"
        yield f"at most {workflow.max_states} performed"
    else:
        yield f"{count} step{'s' * (count != 1)} {_order_text(workflow)}"
    yield f"at most {seconds(workflow.timeout)}"
    problems = len(plan.problems)
    yield f"✕ {problems} problem{'s' * (problems != 1)}" if problems else "✓ can run"


def _params(params: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in params.items():
        yield name, cut(str(value), _MAX_PARAMETER_LENGTH)


def _text(plan: Plan) -> Iterator[str]:
    yield escape.line(plan.sentence)
    yield from (f"✕ {escape.line(line)}" for line in plan.problems)
    yield from (f"! {escape.line(line)}" for line in plan.warnings)
    for place, each in enumerate(plan.actions, start=1):
        yield f"{place}. {escape.line(each.action)}  {escape.line(each.tool)}"
        for name, value in _params(each.params):
            yield f"     {escape.line(f'{name}: {value}')}"
        for line in (*each.after, *each.rules):
            yield f"   · {escape.line(line)}"


def _html(plan: Plan) -> Iterator[str]:
    yield f'<div class="wfnb-plan" style="{SPACED}"><b>{escape.html(plan.sentence)}</b>'
    yield from (f"<div>✕ {escape.html(line)}</div>" for line in plan.problems)
    yield from (f"<div>! {escape.html(line)}</div>" for line in plan.warnings)
    rows = [
        (
            f"{place}. {each.action}",
            each.tool,
            " · ".join(f"{name}: {value}" for name, value in _params(each.params)),
            " · ".join(each.after),
            " · ".join(each.rules),
        )
        for place, each in enumerate(plan.actions, start=1)
    ]
    yield html_table(("action", "tool", "with", "then", "rules"), rows)
    picture = definition_picture(plan.workflow)
    yield drawn_html(picture.svg, picture.text, "")
    yield "</div>"
