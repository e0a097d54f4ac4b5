"""a workflow, names of values that only one run of it had -> what it lacks to run by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from .problem import Problem, place_text
from .reader import Definition
from .scope import NamesInScope
from .template import names


def undeclared_placeholders(
    workflow: Definition,
    results: Mapping[str, tuple[str, ...] | None],
    given: Collection[str],
    verbatim: Mapping[str, Collection[str]] = {},
) -> Iterator[Problem]:
    """The placeholders that only a run could fill which had begun otherwise: with the `given`
    values, or with states or steps that are no more. `results`: for each tool the fields of its
    result; None, or no tool: not known. `verbatim`: its parameters that are programs."""
    lacking = {name for name in given if name not in workflow.variables}
    known = NamesInScope(workflow, results, {})
    for action, work in workflow.actions.items():
        undo = work.compensation
        calls = (work, *((undo,) if undo else ()), *(each for each in work.on_error if each.tool))
        for call in calls:
            undoing = call is not work
            for place, name in names(call.params, verbatim.get(call.tool or "", ())):
                unknown = known.unknown(name, action, undoing)
                own = name.partition(".")[0] in lacking
                if unknown is not None and (own or unknown.surely):
                    where = f"{{{name}}} in {place} of {place_text((action,))!r}"
                    way = "is declared nowhere; add it to `variables`"
                    yield Problem(
                        place_text((action, place)),
                        "names",
                        f"{where} {way if own else unknown.message}",
                    )
