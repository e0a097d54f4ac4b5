"""a workflow -> every name that something in it looks up, with its place: placeholders and names
of expressions; which of them it lacks, and which values given to it none of them is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from wfnb.errors import nearest
from wfnb.frozen_record import record

from .absent_fields import ANY_RESULT
from .action_parts import Call, Compensation, Fallback
from .condition import Condition, expressions, fields_of
from .expression import expression_names
from .impossible_conditions import of_call, of_end, of_fallbacks, of_retry
from .models import Work
from .problem import Problem, place_text
from .reader import Definition
from .regex_search import group_names
from .scope import END, NamesInScope
from .template import names


@record
class UsedName:
    """A name, the `text` in which it stands at a `place` of an action, or of the END. `ended`: it
    is looked up when the action, or a call of it, has ended; `whole`: of all items of the action,
    and not of one."""

    name: str
    text: str
    action: str
    place: str
    ended: bool = False
    whole: bool = False

    @property
    def first(self) -> str:
        return self.name.partition(".")[0]


def used_names(
    workflow: Definition, verbatim: Mapping[str, Collection[str]] = {}
) -> Iterator[UsedName]:
    """`verbatim`: for each tool its parameters that are programs. Not what an expression asks of
    any result, as `success`."""
    for action, work in workflow.actions.items():
        yield from _calls(action, work, verbatim)
        yield from _expressions(action, work)
    for output, spec in workflow.outputs.items():
        for name in expression_names(spec.value):
            place = place_text(("outputs", output))
            yield UsedName(name=name, text=name, action=END, place=place)


def undeclared_names(
    workflow: Definition,
    results: Mapping[str, tuple[str, ...] | None],
    given: Collection[str],
    verbatim: Mapping[str, Collection[str]] = {},
) -> Iterator[Problem]:
    """What the workflow lacks to run by itself, as only a run could know which had begun otherwise:
    with the `given` values, or with states or steps that are no more. `results`: for each tool the
    fields of its result; None, or no tool: not known."""
    lacking = {name for name in given if name not in workflow.variables}
    known = NamesInScope(workflow, results, {})
    for used in used_names(workflow, verbatim):
        unknown = known.unknown(used.name, used.action, used.ended, used.whole)
        own = used.first in lacking
        if unknown is not None and (own or unknown.surely):
            of = f" of {place_text((used.action,))!r}" if used.action else ""
            where = f"{used.text} in {used.place}{of}"
            way = "is declared nowhere; add it to `variables`"
            yield Problem(
                place_text((used.action, used.place)),
                "names",
                f"{where} {way if own else unknown.message}",
            )


def unused_value_warnings(
    workflow: Definition, given: Iterable[str], verbatim: Mapping[str, Collection[str]] = {}
) -> Iterator[Problem]:
    """Warnings. What the workflow declares is used, and what it hands on to a run of its own.
    `verbatim`: for each tool the parameters that are programs."""
    given = [name for name in given if name not in workflow.variables]
    if not given:
        return
    used = {each.first for each in used_names(workflow, verbatim)}
    used.update(chain.from_iterable(map(_fields_asked, workflow.actions.values())))
    for name in given:
        if name not in used:
            near = nearest(name, tuple(workflow.variables)) if len(name) <= 40 else ""
            message = f"No placeholder or condition uses '{name}'. {near}".strip(". ")
            yield Problem(place_text(("variables", name)), "variables", message)


def _fields_asked(work: Work) -> Iterator[str]:
    """What conditions and patterns of an action ask of its result, by the first part of the
    name."""
    for condition, _ in (*of_call(work, ()), *of_fallbacks(work, ()), *of_end(work, ())):
        yield from (name.partition(".")[0] for name in fields_of(condition))
    for pattern in work.capture:
        yield from group_names(pattern)


def _calls(action: str, work: Work, verbatim: Mapping[str, Collection[str]]) -> Iterator[UsedName]:
    # A compensation and a fallback come after the call, so they may name what it gave.
    calls: list[Work | Call | Fallback] = [work, *_compensations(work), *work.on_error]
    for call in calls:
        for place, name in names(call.params, verbatim.get(call.tool or "", ())):
            yield _placeholder(name, action, place, ended=call is not work)
    for fallback in work.on_error:
        for place, name in names(fallback.result or {}):
            yield _placeholder(name, action, place, ended=True)
    if work.for_each is not None and not isinstance(work.for_each.items, str):
        for name in work.for_each.names():
            yield _placeholder(name, action, "for_each", ended=False)


def _placeholder(name: str, action: str, place: str, ended: bool) -> UsedName:
    return UsedName(name=name, text=f"{{{name}}}", action=action, place=place, ended=ended)


def _compensations(work: Work) -> list[Compensation]:
    undo = (work.compensation, *(each.compensation for each in work.on_error))
    return [each for each in undo if each is not None]


def _expressions(action: str, work: Work) -> Iterator[UsedName]:
    before: list[tuple[str, str]] = [] if work.when is None else [("when", work.when)]
    if work.for_each is not None and isinstance(work.for_each.items, str):
        before.append(("for_each", work.for_each.items))
    for place, text in before:
        for name in expression_names(text):
            yield UsedName(name=name, text=name, action=action, place=place)
    asked: list[tuple[Iterable[tuple[Condition, tuple[Any, ...]]], bool]] = [
        (of_call(work, ()), False),
        (of_fallbacks(work, ()), False),
        *((of_retry(undo.retry, ("compensation",)), False) for undo in _compensations(work)),
        (of_end(work, ()), True),
    ]
    for conditions, whole in asked:
        for condition, path in conditions:
            for name in (
                name for text in expressions(condition) for name in expression_names(text)
            ):
                if name.partition(".")[0] not in (*ANY_RESULT, "attempt"):
                    place = place_text(path)
                    yield UsedName(
                        name=name, text=name, action=action, place=place, ended=True, whole=whole
                    )
