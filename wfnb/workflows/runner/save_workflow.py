"""a workflow that succeeds, or is only defined -> in the library, by its name or its content's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from wfnb.errors import Refused, WorkflowInvalid
from wfnb.frozen_record import record
from wfnb.workflows.core.run import Run
from wfnb.workflows.definition.problem import Problem
from wfnb.workflows.definition.reader import Definition, content_hash
from wfnb.workflows.definition.used_names import undeclared_names
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workflows.tools.registry import Registry

from .run_start import CheckedWorkflow, facts, programs, tools_of


@record
class SaveResult:
    """What saving did: the text of the file of that name, `before` (None: there was none) and
    `after`. `saved` is None where the same content was there already."""

    name: str
    saved: str | None
    before: str | None
    after: str | None


def save(library: WorkflowLibrary, run: Run, overwrite: bool, tools: Registry) -> SaveResult:
    """Save it under its name, where its content is not saved already; `count` counts it. Raises
    WorkflowExists where other content, written elsewhere, has the name; WorkflowInvalid for a
    definition that was mended on the way and needs values that only this run had."""
    if run.mended:
        results = {
            name: fact.results for name, fact in facts(tools, tools_of(run.workflow)).items()
        }
        given = {*run.initial, *run.secrets}
        lacking = tuple(
            undeclared_names(run.workflow, results, given, programs(tools, run.workflow))
        )
        if lacking:
            raise WorkflowInvalid(lacking)
    key = content_hash(run.workflow)
    name = run.workflow.name or f"workflow_{key}"
    before = library.text(name)
    saved = library.save(
        run.workflow.data,
        name=name,
        hash=key,
        states=run.entered,
        overwrite=overwrite,
        origin=run.origin,
        successes=0,
    )
    return SaveResult(name=name, saved=saved, before=before, after=library.text(name))


@record
class DefinedWorkflow:
    """A workflow that was checked, and is in the library under `name`. `saved`: it was written
    now; else the same content was there already."""

    workflow: Definition
    name: str
    saved: bool
    warnings: tuple[Problem, ...]


def define(
    library: WorkflowLibrary, what: CheckedWorkflow, overwrite: bool, origin: tuple[str, ...]
) -> DefinedWorkflow:
    """Save it without a run. Raises WorkflowExists as `save`."""
    key = content_hash(what.workflow)
    name = what.workflow.name or f"workflow_{key}"
    saved = library.save(
        what.workflow.data,
        name=name,
        hash=key,
        states=len(what.workflow.actions),
        overwrite=overwrite,
        origin=origin,
        successes=0,
    )
    there = library.all_named(key)
    known_as = name if name in there or not there else there[0]
    return DefinedWorkflow(
        workflow=what.workflow,
        name=known_as,
        saved=saved is not None,
        warnings=what.warnings,
    )


def unsaved_notes(library: WorkflowLibrary, run: Run) -> Iterator[str]:
    """What is said of a run whose workflow is not there, or not under its name: it succeeded in
    part, or its content was saved before."""
    name, in_part = run.workflow.name, run.status == "partial_success"
    if in_part or (run.status == "success" and run.saved is None and name is not None):
        with suppress(Refused, OSError):  # then it is not known
            names = library.all_named(content_hash(run.workflow))
            if in_part and not names:
                yield "not saved: a run that succeeds in part does not save its workflow"
            if not in_part and names and name not in names:
                yield f"not saved as '{name}': the same is saved already as '{names[0]}'"


def take_back(library: WorkflowLibrary, kept: SaveResult) -> None:
    """The run did not succeed after all: the file is as it was, if nobody changed it since."""
    if kept.saved is not None:
        library.put_back(kept.name, kept.before, kept.after)


def count(library: WorkflowLibrary, run: Run, kept: SaveResult) -> None:
    """Count the success of a run, once its end is recorded. Before, a run that was killed and ends
    once more would be counted twice. One that is killed right after its end is not counted."""
    saved = kept.saved or library.name_for_hash(content_hash(run.workflow))
    library.count_success(saved or kept.name)
