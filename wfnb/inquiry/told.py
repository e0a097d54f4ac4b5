"""a step that is to be recorded -> its fields, with what is counted on disk for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wfnb.core.commands import AddStep
from wfnb.core.investigation import Investigation
from wfnb.core.kind import Kind
from wfnb.core.questions import next_number
from wfnb.core.session import Session, Step
from wfnb.core.values import whole
from wfnb.errors import BadValue
from wfnb.looking import git
from wfnb.looking.places import told_from
from wfnb.looking.undocumented import undocumented
from wfnb.workspace import Workspace

from . import consensus, where

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
    return fill(
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


def fill(
    kind: Kind,
    fields: Mapping[str, Any],
    folder: Path,
    first: bool,
    ending: bool,
    known: Mapping[str, Any] = MappingProxyType({}),
    cache: Path | None = None,
) -> dict[str, Any]:
    """The fields that a step says, checked against what is on disk, with those that can be counted
    there: at the first step how many files have something undocumented, at one that would end how
    many of these have no longer. `known` are the fields that earlier steps said. Raises
    FolderMissing for a folder and RepositoryNone for a repository that is none."""
    filled = dict(fields)
    for name, field in kind.fields.items():
        if field.holds in ("folder", "repository") and name in filled:
            path = filled[name]
            if not isinstance(path, str):
                raise BadValue(name, repr(path)[:80], "the path of a folder")
            filled[name] = where.folder(path, folder)
            if field.holds == "repository":
                with told_from(folder):
                    git.top(folder / filled[name])
    total, done = kind.total.count, kind.total.done
    if kind.total.rule != "files" or total is None or done is None:
        return filled
    if (first and total not in filled) or (ending and done not in filled):
        beside = folder / str(where.said(kind, "folder", {**known, **filled}) or ".")
        left = len(undocumented(beside, cache).files)
        if first and total not in filled:
            filled[total] = left
        if ending and done not in filled:
            before = filled.get(total, known.get(total, left))
            filled[done] = max(0, whole(total, before) - left)
    return filled


def left(workspace: Workspace, command: AddStep, home: Path | None) -> tuple[str, ...]:
    """The files that are not documented yet, where a kind counts them and some are left."""
    now = workspace.session.investigation
    if now is None or now.kind.total.rule != "files":
        return ()
    folder = where.said(now.kind, "folder", {**now.fields, **command.fields}) or "."
    cache = None if home is None else home / CACHE
    found = undocumented(workspace.folder / str(folder), cache)
    return tuple(path for path, _ in found.files)
