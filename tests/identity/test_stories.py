"""500 random stories of notebooks (made, run, renamed, moved, swapped, copied, deleted), on real
files and journals, beside a model that knows what each notebook's history has to be."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.amount import times
from wfnb.core.commands import AddStep
from wfnb.core.events import Cell, Outcome
from wfnb.home_folder import Home, home
from wfnb.home_path import FOLDER
from wfnb.identity.session_resolver import Resolver, locate, notebook_file
from wfnb.workspace import Workspace

STORIES, PARTS, EVENTS = times(60, 500), 10, 40


@dataclass(eq=False)
class History:
    """What a session has to have, and which it is: its folder and its number there."""

    steps: list[str]
    session: tuple[Path, int] | None = None
    uid: str | None = None


@dataclass(eq=False)
class Notebook:
    """A file. `path` is None once it is deleted, `cells` are id and code. While it is `open` a
    kernel has it, whose `start` is the path that it was started with, and which ran the cells
    `seen`. `front_end`: it was opened in JupyterLab. `uid` is what that has in the metadata,
    `history` what the model says; `copied`: it is a copy that did not run yet, of so many steps.
    All copies of a notebook, and theirs, have its `family`. `known` is the path at which its
    session knows it to be; `is_lost`: it was moved since then, while nobody saw it."""

    path: Path | None
    cells: dict[str, str]
    family: int
    uid: str | None = None
    history: History | None = None
    copied: int | None = None
    open: bool = False
    front_end: bool = False
    start: Path | None = None
    known: Path | None = None
    is_lost: bool = False
    workspace: Workspace | None = None
    far: Home | None = None
    seen: set[str] = field(default_factory=set)


class World:
    """Two projects with a folder in each. With `front_end` the notebooks are used in JupyterLab
    with the extension: it writes the metadata, which come to disk when the file is saved, and says
    where the notebook is. Without, only the name at the kernel's start is known. In a `mixed` world
    a notebook is opened now so and now so."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.mixed = seed % 4 == 1
        self.front_end = seed % 4 > 1
        projects = [folder / "one", folder / "two"]
        self.folders = [*projects, *(project / "deep" for project in projects)]
        if not self.front_end:  # a moved one is found by its cells only below the same `.wfnb`
            projects = projects[:1]
            self.folders = self.folders[::2]
        for each in self.folders:
            each.mkdir(parents=True)
        self.homes = [project / FOLDER for project in projects]
        for each in self.homes:
            each.mkdir()
        self.notebooks: list[Notebook] = []
        self.histories: list[History] = []
        self.made = 0
        self.used: set[Path] = set()
        self.deleted: set[int] = set()

    # what a person does

    def new(self) -> None:
        self.made += 1
        path = self._free("Untitled")
        notebook = Notebook(path, {f"cell-{self.made}": ""}, self.made)
        self.notebooks.append(notebook)
        self._save(notebook, cells={})  # as JupyterLab makes it

    def record(self) -> None:
        notebook = self._any()
        if notebook is None:
            return
        self._use(notebook)
        if notebook.uid is None and notebook.known not in (None, notebook.path):
            notebook.seen.add(next(iter(notebook.cells)))
            self._open(notebook)  # it runs as it was before it is edited
        self.made += 1
        if self.random.random() < 0.5:
            notebook.cells[f"cell-{self.made}"] = ""
        cell = self.random.choice([*notebook.cells])
        says = f"step {self.made}"
        if self.random.random() < 0.5:
            self._save(notebook)
        notebook.cells[cell] = says
        if self.random.random() < 0.5:
            self._save(notebook)
        notebook.seen |= {cell, next(iter(notebook.cells))}
        workspace = self._open(notebook)
        number = len(workspace.session.steps) + 1
        ran = Cell(id=cell, source=says)
        workspace.log.do(AddStep(description=says, number=number, cell=ran, outcome=Outcome()))
        notebook.history.steps.append(says)
        self._check(notebook)

    def save(self) -> None:
        notebook = self._any()
        if notebook is not None:
            self._save(notebook)

    def rename(self) -> None:
        notebook = self._any()
        if notebook is not None:
            self._move(notebook, self._free(self.random.choice("abc"), notebook.path.parent))

    def move(self) -> None:
        notebook = self._any()
        if notebook is not None:
            self._move(notebook, self._free(notebook.path.stem))

    def swap(self) -> None:
        """Two notebooks change their names: a → tmp, b → a, tmp → b."""
        one, other = self._two()
        if one is None or other is None or self._are_doubtful(one, other):
            return
        self._save_both(one, other)
        here, there = one.path, other.path
        self._rename(one, self._free("tmp", here.parent))
        self._rename(other, here)
        self._rename(one, there)

    def take_name(self) -> None:
        """One takes the name of another, which is renamed."""
        one, other = self._two()
        if one is None or other is None or self._are_doubtful(one, other):
            return
        self._save_both(one, other)
        here = one.path
        self._rename(one, self._free("old", here.parent))
        self._rename(other, here)

    def duplicate(self) -> None:
        notebook = self._any()
        if notebook is None or self._is_unsure(notebook):
            return
        self._save(notebook)  # JupyterLab copies what is on disk
        path = self._free(f"{notebook.path.stem}-Copy", notebook.path.parent)
        if not self.front_end and any(each.known == path for each in self._family(notebook)):
            return  # another copy was there, and nobody saw that it was renamed
        path.write_text(notebook.path.read_text())
        copy = Notebook(path, {**notebook.cells}, notebook.family, notebook.uid, notebook.history)
        copy.copied = len(copy.history.steps) if copy.history else None
        if notebook.copied is not None:
            copy.copied = notebook.copied
        self.notebooks.append(copy)

    def restart(self) -> None:
        notebook = self._any()
        if notebook is not None:
            if not notebook.front_end:
                self._save(notebook)
                start = notebook.start
                taken = start != notebook.path and start is not None and start.exists()
                if taken or (start != notebook.path and len(self._family(notebook)) > 1):
                    self._close(notebook)  # the name at the start may be that of another by now
            notebook.workspace, notebook.seen = None, set()

    def close(self) -> None:
        notebook = self._any()
        if notebook is not None:
            self._close(notebook)

    def delete(self) -> None:
        notebook = self._any()
        if notebook is not None and not self._is_unknowable(notebook):
            self.deleted.add(notebook.family)
            notebook.path.unlink()
            self.notebooks.remove(notebook)
            notebook.path = None

    # the model

    def _expect(self, notebook: Notebook, steps: list[str], session: tuple[Path, int]) -> None:
        """Which history the next step joins. A copy has at least what the original had when it was
        copied, and at most what it has now; nothing where no metadata tell that it is one. It goes
        on with the original's session only where the original is gone."""
        history = notebook.history
        is_same = history is not None and session == history.session
        if not is_same:
            assert session not in [each.session for each in self.histories]
        if history is None:
            notebook.history = History([])
        elif notebook.copied is not None and is_same:
            assert not any(
                each.history is history and each.copied is None for each in self.notebooks
            )
        elif notebook.copied is not None:
            assert steps == history.steps[: len(steps)]
            assert len(steps) >= notebook.copied or (notebook.uid is None and not steps)
            notebook.history = History([*steps])
        elif not is_same:  # a copy that did not run has its id, too: each has a copy now
            assert any(
                each.history is history and each.copied is not None for each in self.notebooks
            )
            notebook.history = History([*history.steps])
        notebook.copied, notebook.history.session = None, session
        if notebook.history not in self.histories:
            self.histories.append(notebook.history)
        assert steps == notebook.history.steps

    # what is there

    def _use(self, notebook: Notebook) -> None:
        if not notebook.open:
            notebook.open, notebook.start = True, notebook.path
            written = notebook.uid is not None or not notebook.is_lost
            notebook.front_end = self.front_end or (
                self.mixed and written and self.random.random() < 0.5
            )

    def _open(self, notebook: Notebook) -> Workspace:
        if notebook.workspace is None:
            found = self._resolver(notebook)
            resolution = found[0].open(found[1], found[1].path.stem)
            notebook.workspace, notebook.far = resolution.workspace, resolution.home
            log = resolution.workspace.log
            self._expect(notebook, descriptions(notebook.workspace), (resolution.home.path, log.id))
            notebook.known, notebook.is_lost = found[1].path, False
            notebook.history.uid = log.journal.info(log.id).uid
            if notebook.front_end:
                notebook.uid = notebook.history.uid
        return notebook.workspace

    def _resolver(self, notebook: Notebook):
        path = notebook.path
        if not notebook.front_end:
            start = notebook.start or path
            path = locate(start, frozenset(notebook.seen), home(start=start.parent))
        main = home(start=path.parent)
        known = notebook_file(path, notebook.seen, notebook.uid, notebook.front_end)
        return Resolver(main, lambda: self.homes), known

    def _move(self, notebook: Notebook, path: Path) -> None:
        if not self._is_doubtful(notebook, path) and not self._is_unknowable(notebook):
            self._rename(notebook, path)

    def _rename(self, notebook: Notebook, path: Path) -> None:
        self.used |= {notebook.path, path}
        before, notebook.path = notebook.path, path
        before.rename(path)
        if notebook.open and notebook.front_end and notebook.workspace is not None:
            resolver = Resolver(notebook.far, lambda: self.homes)
            resolver.record_move(notebook.workspace.log.id, before, path)
        elif notebook.open and notebook.front_end and notebook.uid is not None:
            self._resolver(notebook)[0].follow_move(notebook.uid, before, path)
        if notebook.open and notebook.front_end:
            notebook.known = path
        notebook.is_lost = notebook.path != notebook.known
        if not notebook.open:
            notebook.start = None

    def _save_both(self, one: Notebook, other: Notebook) -> None:
        """Without metadata only what is saved can tell them, and no kernel is told the name."""
        for each in (one, other) if not self.front_end else ():
            self._save(each)
            if not each.front_end and each.workspace is None:
                self._close(each)

    def _family(self, notebook: Notebook) -> list[Notebook]:
        return [each for each in self.notebooks if each.family == notebook.family]

    def _are_doubtful(self, one: Notebook, other: Notebook) -> bool:
        """Whether nobody could know afterwards which of both is which."""
        both = {*self._family(one), *self._family(other)}
        return any(
            each.copied is not None or each.history is None or self._is_unsure(each)
            for each in both
        )

    def _is_unsure(self, notebook: Notebook) -> bool:
        """Whether no metadata tell where it was moved to, or what it is a copy of, or that another
        of its family is gone."""
        moved = notebook.path != notebook.known
        uid = None if notebook.history is None else notebook.history.uid
        is_other = notebook.uid not in (None, uid)
        return not self.front_end and (moved or is_other or notebook.family in self.deleted)

    def _is_unknowable(self, notebook: Notebook) -> bool:
        """Whether there are no metadata, nor cells that tell a copy from its original."""
        alone = len(self._family(notebook)) == 1 and notebook.family not in self.deleted
        family = self._family(notebook)
        doubts = any(self._are_doubtful(notebook, each) for each in family if each is not notebook)
        return not self.front_end and not alone and (doubts or len(family) == 1)

    def _is_doubtful(self, notebook: Notebook, path: Path) -> bool:
        """Whether nobody could know afterwards which of both is the copy: one that never ran, and
        the original without a kernel, are moved apart, or the copy takes an original's old
        path."""
        never_ran = notebook.copied is not None or notebook.history is None
        if never_ran and len(self._family(notebook)) > 1 and path in self.used:
            return True
        both = [
            each for each in self.notebooks if each.history and each.history is notebook.history
        ]
        copies = [each for each in both if each.copied is not None]
        closed = [each for each in both if each.copied is None and not each.open]
        return bool(copies and closed) and any(each.path.parent != path.parent for each in both)

    def _save(self, notebook: Notebook, cells: dict[str, str] | None = None) -> None:
        metadata = {"wfnb": {"session": notebook.uid}} if notebook.uid else {}
        cells = notebook.cells if cells is None else cells
        kept = [{"cell_type": "code", "id": id, "source": code} for id, code in cells.items()]
        notebook.path.write_text(json.dumps({"metadata": metadata, "cells": kept}))

    def _close(self, notebook: Notebook) -> None:
        self._save(notebook)  # it is asked for where the notebook has changed
        notebook.open, notebook.workspace, notebook.seen = False, None, set()

    def _check(self, notebook: Notebook) -> None:
        steps = descriptions(notebook.workspace)
        assert steps == notebook.history.steps

    def check_all(self) -> None:
        """Each notebook goes on with its own history, and none is lost."""
        for notebook in self.notebooks:
            history = notebook.history
            if history is None or notebook.copied is not None:
                continue
            notebook.workspace, notebook.seen = None, {*notebook.cells}
            notebook.open = notebook.open and notebook.path == notebook.start
            if not notebook.open:
                notebook.start = notebook.path
            self._open(notebook)
            self._check(notebook)
        kept = [
            [step.current.description for step in place.look(info).steps.values()]
            for place in map(home, self.homes)
            for info in place.sessions()
        ]
        for history in self.histories:
            count = len(history.steps)
            assert history.steps in [steps[:count] for steps in kept]

    def _any(self) -> Notebook | None:
        return self.random.choice(self.notebooks) if self.notebooks else None

    def _two(self) -> tuple[Notebook | None, Notebook | None]:
        """Two notebooks, if there are: more often a notebook and its copy than any."""
        one = self._any()
        if one is None:
            return None, None
        others = [each for each in self.notebooks if each is not one]
        copies = [each for each in others if each.family == one.family]
        among = copies if copies and self.random.random() < 0.8 else others
        return one, self.random.choice(among) if among else None

    def _free(self, name: str, folder: Path | None = None) -> Path:
        folder = folder or self.random.choice(self.folders)
        paths = (folder / f"{name}{n or ''}.ipynb" for n in range(100))
        return next(path for path in paths if not path.exists())


def _differ(one: Notebook, other: Notebook) -> bool:
    """Whether each of both shows by its cells which it is."""
    if any(code and id not in other.cells for id, code in one.cells.items()):
        return True
    if any(code and id not in one.cells for id, code in other.cells.items()):
        return True
    both = one.cells.keys() & other.cells.keys()
    return any(
        one.cells[id] != other.cells[id] and one.cells[id] and other.cells[id] for id in both
    )


def descriptions(workspace: Workspace) -> list[str]:
    return [step.current.description for step in workspace.session.steps.values()]


DEEDS = {
    World.new: 3,
    World.record: 10,
    World.save: 2,
    World.rename: 3,
    World.move: 2,
    World.swap: 3,
    World.take_name: 2,
    World.duplicate: 3,
    World.restart: 4,
    World.close: 2,
    World.delete: 2,
}


@pytest.mark.parametrize("part", range(PARTS))
def test_no_history_is_lost_mixed_or_inherited(part: int, tmp_path: Path):
    for seed in range(part, STORIES, PARTS):
        world = World(tmp_path / str(seed), seed)
        world.new()
        told = []
        for deed in world.random.choices([*DEEDS], [*DEEDS.values()], k=EVENTS):
            told.append(deed.__name__)
            try:
                deed(world)
            except AssertionError as wrong:
                wrong.add_note(f"story {seed}: {' '.join(told)}")
                raise
        world.check_all()


def write(path: Path, **cells: str) -> None:
    kept = [{"cell_type": "code", "id": id, "source": code} for id, code in cells.items()]
    path.write_text(json.dumps({"metadata": {}, "cells": kept}))


def run(path: Path, id: str, code: str) -> list[str]:
    """A cell of a notebook without a front end runs as a step."""
    (path.parent / FOLDER).mkdir(exist_ok=True)
    place = home(path.parent / FOLDER)
    known = notebook_file(path, [id])
    workspace = Resolver(place, lambda: [place.path]).open(known, path.stem).workspace
    number = len(workspace.session.steps) + 1
    ran = Cell(id=id, source=code)
    workspace.log.do(AddStep(description=code, number=number, cell=ran, outcome=Outcome()))
    return descriptions(workspace)


def test_a_copy_of_a_copy_does_not_go_on_with_the_history_of_the_first_that_was_renamed(
    tmp_path: Path,
):
    first, copy, other, renamed = (tmp_path / f"{name}.ipynb" for name in "abcd")
    write(first, one="1")
    run(first, "one", "1")
    write(copy, one="1", two="2")
    run(copy, "two", "2")
    first.rename(renamed)
    write(other, one="1", two="2")

    assert run(other, "two", "3") == ["3"]
    assert run(copy, "two", "4") == ["2", "4"]
    assert run(renamed, "one", "5") == ["1", "5"]


def test_a_cell_that_only_a_copy_ran_makes_the_renamed_original_no_copy(tmp_path: Path):
    first, copy, renamed = (tmp_path / f"{name}.ipynb" for name in "abc")
    write(first, one="1", two="")
    run(first, "one", "1")
    write(copy, one="1", two="2")
    run(copy, "two", "2")
    first.rename(renamed)

    assert run(renamed, "one", "3") == ["1", "3"]
