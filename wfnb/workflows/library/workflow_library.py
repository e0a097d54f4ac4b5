"""a name ⇄ a saved workflow: the folder of people's own, and behind it the examples of wfnb.

One file per workflow, with what is known of its runs. What is saved was run, or imported.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from wfnb.errors import NotTrusted, WorkflowBroken, WorkflowExists, WorkflowShipped, WorkflowUnknown
from wfnb.frozen_record import record
from wfnb.home_path import refuse_link
from wfnb.trust import WORKFLOW, Trust, own_trust

from . import versions
from .definition_folder import LOCK_TIMEOUT, Folder, unusable
from .import_export import give_out, taken_in
from .index import FolderContents, IndexEntry, verify_entry
from .saved_workflow import SUFFIX, SavedWorkflow, check_workflow_name, read
from .versions import AT

EXAMPLES = Path(__file__).with_name("examples")
PLACE = "it takes the place of an example of wfnb"


def current_timestamp() -> str:
    return datetime.now(UTC).isoformat()


@record
class Listing:
    """The workflows in order of creation, the examples after them, and what is wrong with files
    that could not be read: a line each."""

    workflows: tuple[SavedWorkflow, ...]
    warnings: tuple[str, ...]


class WorkflowLibrary:
    """The workflows of a folder, made when first written.

    `busy` is how long to wait for other processes, in seconds; `clock` tells the time of writing.
    Every call may raise BadValue for a name that cannot be one, LibraryUnusable where the disk
    says no; one that writes LibraryLocked.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        examples: Path = EXAMPLES,
        busy: float = LOCK_TIMEOUT,
        clock: Callable[[], str] = current_timestamp,
        trust: Trust | None = None,
    ) -> None:
        self.folder = Path(folder)
        self._folder = Folder(self.folder, busy, clock)
        self._examples = examples
        self._clock = clock
        self._trust = trust or own_trust()

    def __repr__(self) -> str:
        return f"<wfnb workflows in {self.folder}>"

    def names(self, examples: bool = False) -> tuple[str, ...]:
        """The saved workflows in order of creation; then, if wanted, the other `examples`."""
        own = tuple(saved.name for saved in self._folder.contents().in_order())
        shipped = self._example_files() if examples else ()
        return (*own, *(name for name in shipped if name not in own))

    def list(self) -> Listing:
        """All that can be loaded, and what cannot."""
        seen = self._folder.contents()
        own = seen.in_order()
        shipped = [
            read(path)[1]
            for name, path in self._example_files().items()
            if name not in seen.entries
        ]
        return Listing(
            workflows=(*own, *(replace(saved, example=True) for saved in shipped)),
            warnings=(*seen.odd.values(), *self._folder.set_aside()),
        )

    def versions(self, name: str) -> tuple[SavedWorkflow, ...]:
        """What other content had that name before, in the order in which it was written. Each can
        be loaded, as NAME@HASH."""
        self._folder.path(name)
        return tuple(versions.read_versions(self.folder, name))

    def load(self, name: str) -> dict[str, Any]:
        """The definition of that name: the folder's own, else the example; of `NAME@HASH`, a
        version of it (the first digits will do). Counts nothing. Raises WorkflowUnknown,
        WorkflowBroken for a file that does not read, NotTrusted for one that takes the place of an
        example and was not saved by this user."""
        if isinstance(name, str) and AT in name:
            return self._version(name)
        own = self._folder.path(name)
        try:
            # a disk may find Deploy.json for deploy.json
            if own.name in os.listdir(refuse_link(self.folder)):
                definition = read(refuse_link(own))[0]
                if name in self._example_files() and not self._is_trusted(definition):
                    raise NotTrusted(
                        f"Workflow {name!r}", f"{self.folder.name}/{own.name}", PLACE, ""
                    )
                return definition
        except FileNotFoundError:
            pass
        except OSError as error:
            raise unusable(own, error) from error
        if name in self._example_files():
            return read(self._example_files()[name])[0]
        if reason := next(self._folder.set_aside(name), None):
            raise WorkflowBroken(own.name, reason.rstrip("."))
        raise WorkflowUnknown(name, self.names(examples=True))

    def save(
        self,
        definition: Mapping[str, Any],
        name: str,
        hash: str,
        states: int,
        overwrite: bool = False,
        origin: tuple[str, ...] = (),
        successes: int = 1,
    ) -> str | None:
        """Save a workflow that succeeded with `states` actions, or has so many; `hash` is of its
        content, `origin` where it was written, `successes` what is counted of it. The name, or
        None where the same content is saved already, under any name. Raises WorkflowExists where
        other content has the name, unless it was written in the same place, or told to `overwrite`:
        what is replaced is kept in `versions`. Raises BadText for what JSON cannot hold, and for
        too much."""
        at = self._clock()
        saved = SavedWorkflow(
            name=name,
            hash=hash,
            created=at,
            changed=at,
            success_count=successes,
            last_execution=at if successes else None,
            total_states=states,
            origin=origin,
        )
        return self._put(definition, saved, overwrite)

    def text(self, name: str) -> str | None:
        """The file of the folder's own workflow of that name, as it is; None: there is none that
        reads as text."""
        return self._folder.text(name)

    def put_back(self, name: str, before: str | None, after: str | None) -> None:
        """Undo what was written: the file has the text `before` again (None: it is gone), unless
        it is no longer as it was `after` that."""
        self._folder.put_back(name, before, after)

    def import_file(
        self,
        path: str | os.PathLike[str],
        name: str | None = None,
        overwrite: bool = False,
        where: str | None = None,
    ) -> str | None:
        """Save the workflow of a YAML or JSON file, as `save` does, without a success. Its name is
        `name`, else its own, else the file's. Raises WorkflowBroken, WorkflowEmpty (`where` the
        file is, as somebody wrote that), WorkflowInvalid."""
        definition, saved = taken_in(Path(path), name, self._clock(), where)
        return self._put(definition, saved, overwrite)

    def export(self, name: str, path: str | os.PathLike[str]) -> Path:
        """Write a definition to a file: YAML where it ends in .yaml or .yml, JSON in .json."""
        return give_out(self.load(name), Path(path))

    def name_for_hash(self, hash: str) -> str | None:
        """The saved workflow, the oldest if there are several, that has this content."""
        return next(iter(self.all_named(hash)), None)

    def all_named(self, hash: str) -> tuple[str, ...]:
        """The saved workflows that have this content, the oldest first."""
        seen = self._folder.contents()
        return tuple(
            saved.name
            for saved in seen.in_order()
            if verify_entry(saved.name, seen.entries[saved.name], self.folder).saved.hash == hash
        )

    def same_as(self, path: str | os.PathLike[str]) -> str | None:
        """The saved workflow that has the content of a file. Raises as `import_file`."""
        return self.name_for_hash(taken_in(Path(path), None, "")[1].hash)

    def count_success(self, name: str) -> None:
        """Count a successful run. An example, a link to a file elsewhere, and a workflow that was
        deleted meanwhile have no count."""
        path = self._folder.path(name)
        # To write would put a file in the place of the link.
        if path.is_symlink() or not path.exists():
            return
        with self._folder.change() as seen:
            if name in seen.entries:
                definition, _ = read(path)
                saved = verify_entry(name, seen.entries[name], self.folder).saved
                count = saved.success_count + 1
                counted = replace(saved, success_count=count, last_execution=self._clock())
                self._folder.put(definition, counted, seen)

    def delete(self, name: str) -> None:
        """With its versions. Raises WorkflowUnknown, WorkflowShipped."""
        # Asked before the lock, which makes the folder, and again within it: it may have changed.
        self._own(name, self._folder.contents(), "deleted")
        with self._folder.change() as seen:
            self._own(name, seen, "deleted")
            self._folder.path(name).unlink()
            versions.forget(self.folder, name)
            del seen.entries[name]

    def rename(self, name: str, new: str) -> None:
        """Raises WorkflowUnknown, WorkflowShipped, WorkflowExists: nothing is overwritten."""
        path, target = self._folder.path(name), self._folder.path(new)
        self._own(name, self._folder.contents(), "renamed")
        with self._folder.change() as seen:
            saved = verify_entry(name, self._own(name, seen, "renamed"), self.folder).saved
            there = seen.same_file_name(new)
            if there and (there != name or new == name):
                raise WorkflowExists(new, there)
            definition, _ = read(path)
            if there:  # only capitals change: the disk may know both as one file
                path.rename(target)
            self._folder.put(definition, replace(saved, name=new), seen)
            if not there:
                path.unlink()
            versions.rename(self.folder, name, new)
            del seen.entries[name]
        self._sign(new)

    def foreign(self) -> dict[str, bytes]:
        """Workflows that take the place of an example and that this user did not save: by name what
        trusting one believes."""
        found: dict[str, bytes] = {}
        for name in sorted({*self._folder.contents().entries} & {*self._example_files()}):
            with suppress(WorkflowBroken, OSError):  # changed meanwhile
                definition, _ = read(self._folder.path(name))
                if not self._is_trusted(definition):
                    found[name] = _content(definition)
        return found

    def _put(
        self, definition: Mapping[str, Any], saved: SavedWorkflow, overwrite: bool
    ) -> str | None:
        name = self._folder.save(definition, saved, overwrite)
        if name is not None:
            self._sign(name)
        return name

    def _sign(self, name: str) -> None:
        """What was saved here in place of an example is this user's."""
        if name in self._example_files():
            with suppress(WorkflowBroken, OSError):  # then it has to be trusted
                definition, _ = read(self._folder.path(name))
                self._trust.believe([_content(definition)], WORKFLOW)

    def _is_trusted(self, definition: Mapping[str, Any]) -> bool:
        return self._trust.holds(_content(definition), purpose=WORKFLOW)

    def _version(self, called: str) -> dict[str, Any]:
        name, _, hash = called.partition(AT)
        found = versions.load(self.folder, check_workflow_name(name), hash)
        if found is None:
            known = tuple(f"{name}{AT}{saved.hash}" for saved in self.versions(name))
            raise WorkflowUnknown(called, known or self.names(examples=True))
        return found

    def _own(self, name: str, seen: FolderContents, asked: str) -> IndexEntry:
        if name in seen.entries:
            return seen.entries[check_workflow_name(name)]
        if check_workflow_name(name) in self._example_files():
            raise WorkflowShipped(name, asked)
        raise WorkflowUnknown(name, tuple(saved.name for saved in seen.in_order()))

    def _example_files(self) -> dict[str, Path]:
        return {path.stem: path for path in sorted(self._examples.glob(f"*{SUFFIX}"))}


def _content(definition: Mapping[str, Any]) -> bytes:
    """A definition, name included, as it is believed: not how often it was run."""
    return json.dumps(definition, sort_keys=True).encode()
