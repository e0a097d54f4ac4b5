"""a run that succeeded -> its workflow in the library, by its name or one made of its content."""

from __future__ import annotations

from wfnb.core.runs.run import Run
from wfnb.library.workflows import WorkflowLibrary
from wfnb.workflow.read import content_hash, to_data


def save(library: WorkflowLibrary, run: Run, overwrite: bool) -> str | None:
    """The name it was saved under; None where its content is saved already. Its successes are
    counted either way. Raises WorkflowExists where other content has the name."""
    key = content_hash(run.workflow)
    name = run.workflow.name or f"workflow_{key}"
    saved = library.save(
        to_data(run.workflow), name=name, hash=key, states=run.entered, overwrite=overwrite
    )
    if saved is None:
        library.succeeded(library.named(key) or name)
    return saved
