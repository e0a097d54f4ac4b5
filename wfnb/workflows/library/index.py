"""a folder of saved workflows -> what is in it: from its index where that knows the file as it is.

The files are the truth. `index.json` only spares reading those that are as they were when it was
written (`stamp`: time of change, size and file number); lost or broken, it is made again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wfnb.errors import Refused, WorkflowBroken
from wfnb.files import write
from wfnb.frozen_record import record
from wfnb.home_path import refuse_link
from wfnb.workflows.definition.name_rules import WORKFLOW, fold

from .definition_file import load_json
from .saved_workflow import INDEX, SUFFIX, SavedWorkflow, name_from_file, read, saved_from

FILE = INDEX + SUFFIX
VERSION = "1.0"

Stamp = tuple[int, int, int]


@record
class IndexEntry:
    """A workflow whose file reads. `sure`: the hash is of what the file says now, and not of what
    it said before somebody changed it by hand."""

    saved: SavedWorkflow
    stamp: Stamp
    sure: bool


@dataclass
class FolderContents:
    """What is in a folder: workflows by name, files that do not read, what to tell
    about other files, by their names."""

    entries: dict[str, IndexEntry] = field(default_factory=dict)
    broken: dict[str, WorkflowBroken] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)
    created: str = ""

    def same_file_name(self, name: str) -> str | None:
        """The name that is there and would be the same file, on a disk that does not tell capitals
        apart, or accents from letters with accents; one that is exactly the same, if there is one.
        """
        names = [*self.entries, *(file.removesuffix(SUFFIX) for file in self.odd)]
        same = (there for there in sorted(names) if fold(there) == fold(name))
        return name if name in names else next(same, None)

    def in_order(self) -> list[SavedWorkflow]:
        """In order of creation."""
        return sorted(
            (found.saved for found in self.entries.values()),
            key=lambda saved: (saved.created, saved.name),
        )


def read_folder(folder: Path) -> FolderContents:
    """Raises OSError for a folder that cannot be read; one that is not there is empty."""
    index = _index(folder)
    seen = FolderContents(created=str(index.get("created", "")))
    known = index.get("workflows")
    try:
        files = sorted(os.listdir(refuse_link(folder)))
    except FileNotFoundError:
        return seen
    for file in files:
        name = name_from_file(file)
        if name is None:
            if file.endswith(SUFFIX) and not file.startswith(".") and fold(file) != FILE:
                lacks = WORKFLOW.lacks(file.removesuffix(SUFFIX))
                what = "its name cannot be a workflow's, which needs"
                seen.odd[file] = f"{file} is passed over: {what} {lacks}."
            continue
        try:
            refuse_link(folder / file)
            entry = known.get(name) if isinstance(known, dict) else None
            seen.entries[name] = _indexed_entry(name, folder, entry) or from_file(name, folder)
        except WorkflowBroken as broken:
            seen.broken[name] = broken
        except FileNotFoundError:
            pass  # taken away meanwhile
        except OSError as error:
            seen.odd[file] = f"{file} is passed over: {error.strerror or error}."
    return seen


def from_file(name: str, folder: Path) -> IndexEntry:
    """A workflow as its file says."""
    path = folder / f"{name}{SUFFIX}"
    # Before the text is read: if it is changed in between, the next look reads it again.
    stamp = stamp_of(path)
    _, saved = read(path)
    if not saved.created:
        there = datetime.fromtimestamp(stamp[0] // 10**9, UTC).isoformat()
        saved = replace(saved, created=there, changed=there)
    return IndexEntry(saved=saved, stamp=stamp, sure=False)


def stamp_of(path: Path) -> Stamp:
    info = path.stat()
    # The file number too: a file that is put in the place of another may have its time and size.
    return info.st_mtime_ns, info.st_size, info.st_ino


def verify_entry(name: str, found: IndexEntry, folder: Path) -> IndexEntry:
    """The same with the hash of what the file says; without one where that is no workflow. What
    was changed by hand is of nowhere."""
    if found.sure:
        return found
    from wfnb.workflows.definition.reader import content_hash, parse  # noqa: PLC0415  heavy: only after a change

    definition, _ = read(folder / f"{name}{SUFFIX}")
    saved = found.saved
    try:
        hash = content_hash(parse(definition))
    except Refused:
        hash = ""
    origin = saved.origin if hash == saved.hash else ()
    return replace(found, saved=replace(saved, hash=hash, origin=origin), sure=True)


def write_index(folder: Path, seen: FolderContents, now: str) -> None:
    """What the folder has, as the next look finds it without reading each file."""
    workflows = {name: _entry(seen.entries[name]) for name in sorted(seen.entries)}
    data = {"workflows": workflows, "created": seen.created or now, "version": VERSION}
    write(folder / FILE, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def _entry(found: IndexEntry) -> dict[str, Any]:
    saved = found.saved
    return {
        "file": f"{saved.name}{SUFFIX}",
        "description": saved.description,
        **saved.metadata(),
        # None is the stamp of no file: it is read again until its hash was worked out.
        "stamp": list(found.stamp) if found.sure else None,
    }


def _indexed_entry(name: str, folder: Path, entry: Any) -> IndexEntry | None:
    """The workflow as the index has it, if its file is still that."""
    if not isinstance(entry, dict):
        return None
    stamp = stamp_of(folder / f"{name}{SUFFIX}")
    if entry.get("stamp") != list(stamp):
        return None
    return IndexEntry(saved=saved_from(name, entry), stamp=stamp, sure=True)


def _index(folder: Path) -> Mapping[str, Any]:
    try:
        index = load_json((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return index if isinstance(index, dict) else {}
