"""a folder of saved workflows -> what is in it, or a change that nobody else interrupts.

Files are replaced as a whole under a lock that all processes share. Reading takes no lock and
changes nothing. A file that does not read is named, and set aside where its name is written (as
NAME.json.broken): it may be written by hand just now, or belong to another program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from wfnb.errors import LibraryLocked, LibraryUnusable, WorkflowBroken, WorkflowExists
from wfnb.file_lock import LockTimeout, lock_file
from wfnb.files import write
from wfnb.home_path import make_private, refuse_link

from . import versions
from .index import (
    FILE,
    FolderContents,
    IndexEntry,
    read_folder,
    stamp_of,
    verify_entry,
    write_index,
)
from .saved_workflow import (
    SUFFIX,
    SavedWorkflow,
    check_workflow_name,
    definition_description,
    read,
    text_of,
)

BROKEN_SUFFIX = f"{SUFFIX}.broken"
LOCK_TIMEOUT = 10.0
"""Seconds that one waits for another process that writes in the folder."""
LOCK = ".lock"
IGNORED = f"{LOCK}\n{FILE}\n"
"""What git is told to pass over: of use in this copy of the folder only."""


class Folder:
    """A folder of saved workflows. `busy` is how long to wait for other processes, in seconds."""

    def __init__(self, place: Path, busy: float, clock: Callable[[], str]) -> None:
        self.place = place
        self._busy = busy
        self._clock = clock

    def path(self, name: str) -> Path:
        """The file of a workflow. Raises BadValue for what cannot be its name."""
        return self.place / f"{check_workflow_name(name)}{SUFFIX}"

    def text(self, name: str) -> str | None:
        """The file of a workflow as it is; None: there is none that reads as text. Raises BadValue,
        LibraryUnusable."""
        path = self.path(name)
        try:
            return refuse_link(path).read_bytes().decode()
        except (FileNotFoundError, UnicodeDecodeError):
            return None
        except OSError as error:
            raise unusable(path, error) from error

    def contents(self) -> FolderContents:
        """What is there. Raises LibraryUnusable."""
        try:
            seen = read_folder(self.place)
        except OSError as error:
            raise unusable(self.place, error) from error
        for name, broken in seen.broken.items():
            seen.odd[f"{name}{SUFFIX}"] = str(broken)
        return seen

    @contextmanager
    def change(self) -> Iterator[FolderContents]:
        """What is there, which nobody else changes meanwhile; the index follows. Raises
        LibraryLocked, LibraryUnusable."""
        try:
            self._make()
            with lock_file(self.place / LOCK, self._busy):
                seen = read_folder(self.place)
                yield seen
                with suppress(OSError):  # what was changed is so: the next change writes it again
                    write_index(self.place, seen, self._clock())
        except LockTimeout:
            raise LibraryLocked(str(self.place / LOCK)) from None
        except OSError as error:
            raise unusable(self.place, error) from error

    def save(
        self, definition: Mapping[str, Any], saved: SavedWorkflow, overwrite: bool
    ) -> str | None:
        """The name it is saved under; None where the same content is saved already. Raises
        WorkflowExists where the name is another's, BadText."""
        name = check_workflow_name(saved.name)
        saved = replace(saved, description=definition_description(definition))
        # Only to be refused before the lock is taken and a version was kept.
        text_of(definition, saved)
        with self.change() as seen:
            for other in seen.entries:
                seen.entries[other] = verify_entry(other, seen.entries[other], self.place)
            there = seen.same_file_name(name)
            old = seen.entries[name].saved if name in seen.entries else None
            replaces = there == name and (overwrite or (old is not None and saved.is_edit_of(old)))
            # Under any name: one content is one workflow, and the count of its successes is one.
            same = any(found.saved.hash == saved.hash for found in seen.entries.values())
            if same and not replaces:
                return None
            if there and not replaces:
                raise WorkflowExists(name, there)
            if old is not None:
                # Other words alone are no version: what it does is the same.
                if old.hash != saved.hash:
                    versions.keep(self.place, old)
                runs = saved.success_count + old.success_count * (old.hash == saved.hash)
                saved = replace(saved, created=old.created or saved.created, success_count=runs)
            self.put(definition, saved, seen)
        return name

    def put(
        self, definition: Mapping[str, Any], saved: SavedWorkflow, seen: FolderContents
    ) -> None:
        """Write a workflow's file, within a change. One that does not read is set aside, as the
        first of NAME.json.broken, NAME.json.broken-2, … that is free."""
        path = self.path(saved.name)
        if seen.broken.pop(saved.name, None):
            ends = chain([""], (f"-{number}" for number in count(2)))
            places = (path.with_name(f"{saved.name}{BROKEN_SUFFIX}{end}") for end in ends)
            path.rename(next(each for each in places if not each.exists()))
        write(path, text_of(definition, saved))
        seen.entries[saved.name] = IndexEntry(saved=saved, stamp=stamp_of(path), sure=True)

    def put_back(self, name: str, before: str | None, after: str | None) -> None:
        """The file has the text `before` again (None: it is gone), unless it is no longer as it was
        `after` that."""
        path = self.path(name)
        with self.change() as seen:
            if self.text(name) != after:
                return
            if before is None:
                path.unlink(missing_ok=True)
            elif not versions.put_back(self.place, name, before):
                write(path, before)
            seen.entries.pop(name, None)

    def set_aside(self, name: str = "*") -> Iterator[str]:
        """What is wrong with each file that was set aside, in a line."""
        for path in sorted(self.place.glob(f"{name}{BROKEN_SUFFIX}*")):
            original = path.name[: path.name.index(BROKEN_SUFFIX)] + SUFFIX
            try:
                read(path)
                what = "it reads now"
            except WorkflowBroken as broken:
                what = broken.what
            except OSError as error:
                what = error.strerror or str(error)
            yield f"{path.name} was set aside: {what}. Mended, it is to be called {original} again."

    def _make(self) -> None:
        if make_private(self.place):
            write(self.place / ".gitignore", IGNORED)


def unusable(path: Path, error: OSError | ValueError) -> LibraryUnusable:
    """The refusal that says what the disk said."""
    why = error.strerror if isinstance(error, OSError) else None
    return LibraryUnusable(str(path), why or str(error))
