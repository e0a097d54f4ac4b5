"""a step that is to be recorded -> its fields, with what is counted on disk for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wfnb.core.commands import AddStep
from wfnb.core.investigation import Investigation
from wfnb.core.questions import next_number
from wfnb.core.session import Session, Step
from wfnb.workspace import Workspace

from . import consensus, looks

CACHE = "cache"
"""The folder in the home where counts may be kept."""


def fields(
    workspace: Workspace, known: Step | None, command: AddStep, home: Path | None
) -> dict[str, Any]:
    """`known` is the step that is said again, None for a new one: what was counted for a step is
    not counted again. `home` has the cache. RepositoryNone, FileMissing."""
    session = workspace.session
    now = session.investigation
    if now is None:
        return dict(command.fields)
    counted = now.kind.total.rule == "files"
    return looks.fill(
        now.kind,
        command.fields if known is None else _with_counts(now, known, command),
        workspace.folder,
        first=known is None and counted and consensus.first(session) is None,
        ending=known is None and counted and _ends(session, command),
        known=now.fields,
        cache=None if home is None else home / CACHE,
    )


def again(known: Step, command: AddStep) -> bool:
    """A cell that runs again as it is."""
    now = known.now.cell
    return command.cell is not None and now is not None and command.cell.source == now.source


def _with_counts(now: Investigation, known: Step, command: AddStep) -> dict[str, Any]:
    """The fields that a step says again, with the counts that were made for it then."""
    if command.cell is None and not command.fields:
        return {}
    rule = now.kind.total
    counted = (rule.count, rule.done) if rule.rule == "files" else ()
    kept = {name: value for name, value in known.now.fields.items() if name in counted}
    return {**kept, **command.fields}


def _ends(session: Session, command: AddStep) -> bool:
    """Whether it may be the last step."""
    line = session.lines.get(command.branch or command.line)
    number = command.number or (1 if line is None else next_number(line))
    total = command.total or session.total
    last = total is not None and number >= total
    return last if command.next_step_needed is None else not command.next_step_needed
