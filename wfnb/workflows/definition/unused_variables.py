"""a workflow, names of values given to it -> a warning for each that nothing in it uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain

from wfnb.errors import nearest

from .condition import fields_of
from .impossible_conditions import of_call, of_end, of_fallbacks
from .models import Work
from .problem import Problem, place_text
from .reader import Definition
from .regex_search import group_names
from .used_names import used_names


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
