"""a folder of saved workflows -> a look at it, or a change that nobody else interrupts.

Files are replaced as a whole under a lock that all processes share. Reading takes no lock and
changes nothing. A file that does not read is named, and set aside where its name is written: it may
be written by hand just now, or belong to another program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from wfnb.errors import LibraryLocked, LibraryUnusable
from wfnb.files import make_private, refuse_link, write
from wfnb.lock import LockTimeout, lock_file

from . import quarantine
from .index import FILE, IndexEntry, Look, look, stamp_of, write_index
from .saved import SUFFIX, SavedWorkflow, check_workflow_name, definition_description, text_of

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

    def look(self) -> Look:
        """What is there. Raises LibraryUnusable."""
        try:
            seen = look(self.place)
        except OSError as error:
            raise unusable(self.place, error) from error
        for name, broken in seen.broken.items():
            seen.odd[f"{name}{SUFFIX}"] = str(broken)
        return seen

    @contextmanager
    def change(self) -> Iterator[Look]:
        """What is there, which nobody else changes meanwhile; the index follows. Raises
        LibraryLocked, LibraryUnusable."""
        try:
            self._make()
            with lock_file(self.place / LOCK, self._busy):
                seen = look(self.place)
                yield seen
                write_index(self.place, seen, self._clock())
        except LockTimeout:
            raise LibraryLocked(str(self.place / LOCK)) from None
        except OSError as error:
            raise unusable(self.place, error) from error

    def put(self, definition: Mapping[str, Any], saved: SavedWorkflow, seen: Look) -> None:
        """Write a workflow's file, within a change."""
        path = self.path(saved.name)
        if saved.name in seen.broken:
            quarantine.move(path)
            del seen.broken[saved.name]
        saved = replace(saved, description=definition_description(definition))
        write(path, text_of(definition, saved))
        seen.found[saved.name] = IndexEntry(saved=saved, stamp=stamp_of(path), sure=True)

    def _make(self) -> None:
        if make_private(self.place):
            write(self.place / ".gitignore", IGNORED)


def unusable(path: Path, error: OSError | ValueError) -> LibraryUnusable:
    """The refusal that says what the disk said."""
    why = error.strerror if isinstance(error, OSError) else None
    return LibraryUnusable(str(path), why or str(error))
