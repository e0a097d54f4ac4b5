"""a step that is to be recorded -> its fields, with what is counted on disk for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from wfnb.core.commands import AddStep
from wfnb.core.queries import next_number
from wfnb.core.session import Session, Step
from wfnb.errors import BadValue
from wfnb.frozen_record import record
from wfnb.inspection import git
from wfnb.inspection.path_display import told_from
from wfnb.inspection.result_types import UndocumentedFiles
from wfnb.inspection.undocumented import find_undocumented
from wfnb.investigations.advisers import consensus
from wfnb.investigations.core.investigation import Investigation, investigation_of
from wfnb.investigations.core.kind import Kind
from wfnb.investigations.core.planned_step_count import parse_count
from wfnb.session_log import SessionLog

from . import named_paths

CACHE = "cache"
"""The folder in the home where counts may be kept."""
Count = Callable[[Path], UndocumentedFiles]
_COUNTED: WeakKeyDictionary[SessionLog, tuple[Path, UndocumentedFiles]] = WeakKeyDictionary()
"""What was counted for the step that is about to be recorded: once."""


@record
class StepClaim:
    """What a step has to say of how many files there are, and what of that it says."""

    first: bool
    """It is the first counted step: how many files have something undocumented is counted for
    it."""
    ending: bool
    """It may be the last: how many of these have no longer is counted for it."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """What earlier steps said."""
    claims: bool = True
    """A count that it says is compared with the disk."""
    settled: bool = True
    """Its code has run; else what is done is counted when it has."""


def step_fields(
    log: SessionLog, existing: Step | None, command: AddStep, home: Path | None
) -> dict[str, Any]:
    """`existing` is the step that is said again, None for a new one: what was counted for a step is
    not counted again. `home` has the cache. RepositoryNone, FolderMissing, BadValue."""
    # Of a step that was refused: the disk may have changed since.
    _COUNTED.pop(log, None)
    session = log.session
    now = investigation_of(session)
    if now is None:
        return dict(command.fields)
    counted = now.kind.total.rule == "files"
    now_done = command.outcome is not None  # else it is counted when its code has ended
    given = command.fields if existing is None else _with_earlier_counts(now, existing, command)

    def count(folder: Path) -> UndocumentedFiles:
        undocumented = find_undocumented(folder, None if home is None else home / CACHE)
        _COUNTED[log] = (folder, undocumented)
        return undocumented

    claim = StepClaim(
        first=existing is None and counted and consensus.first_counted_step(session) is None,
        ending=existing is None and counted and now_done and _ends(session, command),
        known=now.fields,
        claims=existing is None
        or any(existing.current.fields.get(n) != given.get(n) for n in _counts(now)),
        settled=now_done,
    )
    return checked_fields(now.kind, given, log.folder, claim, count)


def file_count_fields(log: SessionLog, step: Step, home: Path | None) -> dict[str, Any]:
    """How many files are done when the code of a step has ended that says so or would be the last:
    so many as are documented then, whatever it said."""
    session, now = log.session, investigation_of(log.session)
    if now is None or now.kind.total.rule != "files":
        return {}
    total, done = now.kind.total.count, now.kind.total.done
    assert total is not None
    assert done is not None
    kind_fields = {**now.fields, **step.current.fields}
    last = session.total is not None and step.number >= session.total
    if total not in kind_fields or not (step.current.asked or last or done in step.current.fields):
        return {}
    place = log.folder / str(named_paths.path_field(now.kind, "folder", kind_fields) or ".")
    left = len(find_undocumented(place, None if home is None else home / CACHE).files)
    return {done: max(0, parse_count(total, kind_fields[total]) - left)}


def is_rerun(existing: Step, command: AddStep) -> bool:
    """A cell that runs again as it is."""
    now = existing.current.cell
    return command.cell is not None and now is not None and command.cell.source == now.source


def _with_earlier_counts(now: Investigation, existing: Step, command: AddStep) -> dict[str, Any]:
    """The fields that a step says again, with the counts that were made for it then."""
    if command.cell is None and not command.fields:
        return {}
    counts = {
        name: value for name, value in existing.current.fields.items() if name in _counts(now)
    }
    return {**counts, **command.fields}


def _counts(now: Investigation) -> tuple[str, ...]:
    """The fields that are counted on disk."""
    rule = now.kind.total
    return tuple(filter(None, (rule.count, rule.done))) if rule.rule == "files" else ()


def _ends(session: Session, command: AddStep) -> bool:
    """Whether it may be the last step."""
    line = session.lines.get(command.branch or command.line)
    number = command.number or (1 if line is None else next_number(line))
    total = command.total or session.total
    last = total is not None and number >= total
    return last if command.next_step_needed is None else not command.next_step_needed


def checked_fields(
    kind: Kind,
    fields: Mapping[str, Any],
    folder: Path,
    step: StepClaim,
    count: Count = find_undocumented,
) -> dict[str, Any]:
    """The fields that a step says, checked against what is on disk, with those that can be counted
    there. Raises FolderMissing for a folder, RepositoryNone for a repository that is none, and
    BadValue for a count that is not so."""
    filled = _with_folder_paths(kind, fields, folder)
    total, done = kind.total.count, kind.total.done
    if kind.total.rule != "files" or total is None or done is None:
        return filled
    to_check = (total, done) if step.settled else (total,)
    claim = {name: filled[name] for name in to_check if name in filled} if step.claims else {}
    needs_total = step.first and total not in filled
    needs_done = step.ending and done not in filled
    if not (claim or needs_total or needs_done):
        return filled  # to read all files takes seconds
    place = folder / str(named_paths.path_field(kind, "folder", {**step.known, **filled}) or ".")
    left = len(count(place).files)
    if needs_total:
        filled[total] = left
    if claim:
        _agree(total, done, {**step.known, **filled}, left, claim)
    if needs_done:
        before = filled.get(total, step.known.get(total, left))
        filled[done] = max(0, parse_count(total, before) - left)
    return filled


def _with_folder_paths(kind: Kind, fields: Mapping[str, Any], start: Path) -> dict[str, Any]:
    """The fields; those that hold a folder or a repository as these are kept."""
    filled = dict(fields)
    for name, of_kind in kind.fields.items():
        if of_kind.holds in ("folder", "repository") and name in filled:
            path = filled[name]
            if not isinstance(path, str):
                raise BadValue(name, repr(path)[:80], "the path of a folder")
            filled[name] = named_paths.folder_path(path, start)
            if of_kind.holds == "repository":
                # What git says names whole paths of this machine, which a notebook should not
                # store.
                with told_from(start, (path,)):
                    git.top(start / filled[name])
    return filled


def _agree(
    total: str, done: str, fields: Mapping[str, Any], left: int, claim: Mapping[str, Any]
) -> None:
    """Raise BadValue for a total that is less than what is left, or for more that is done than can
    be where so much is left."""
    seen = f"{left:,} {'has' if left == 1 else 'have'} something undocumented"
    whole = parse_count(total, fields.get(total, left))
    if total in claim and whole < left:
        needs = f"{left:,} or more: {seen} now. To do fewer, name a smaller folder"
        raise BadValue(f"field {total!r}", str(whole), needs)
    most = max(0, whole - left)
    if done in claim and parse_count(done, claim[done]) > most:
        needs = f"{most:,} at most: of {whole:,} files, {seen} now"
        raise BadValue(f"field {done!r}", str(claim[done]), needs)


def undocumented_files(log: SessionLog, command: AddStep, home: Path | None) -> tuple[str, ...]:
    """The files that are not documented yet, where a kind counts them and some are left."""
    now = investigation_of(log.session)
    if now is None or now.kind.total.rule != "files":
        return ()
    name = named_paths.path_field(now.kind, "folder", {**now.fields, **command.fields}) or "."
    folder = log.folder / name
    # What was counted a moment ago for the same folder: to read all files twice takes seconds.
    before, undocumented = _COUNTED.pop(log, (None, None))
    if undocumented is None or before != folder:
        undocumented = find_undocumented(folder, None if home is None else home / CACHE)
    return tuple(path for path, _ in undocumented.files)
