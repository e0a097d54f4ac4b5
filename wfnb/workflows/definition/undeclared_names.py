"""a workflow, names of values that only one run of it had -> what it lacks to run by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from .problem import Problem, place_text
from .reader import Definition
from .scope import NamesInScope
from .used_names import used_names


def undeclared_names(
    workflow: Definition,
    results: Mapping[str, tuple[str, ...] | None],
    given: Collection[str],
    verbatim: Mapping[str, Collection[str]] = {},
) -> Iterator[Problem]:
    """What only a run could know which had begun otherwise: with the `given` values, or with states
    or steps that are no more. `results`: for each tool the fields of its result; None, or no tool:
    not known. `verbatim`: its parameters that are programs."""
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
