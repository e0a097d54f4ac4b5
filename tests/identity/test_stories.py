"""500 random stories of notebooks (made, run, renamed, moved, copied, restarted, deleted), on real
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
from wfnb.home_folder import FOLDER, Home, home, nearest
from wfnb.identity.resolver import Resolver, locate, notebook_file, record_move
from wfnb.workspace import Workspace

STORIES, PARTS, EVENTS = times(250, 500), 10, 40


@dataclass(eq=False)
class History:
    """What a session has to have."""

    steps: list[str]


@dataclass(eq=False)
class Notebook:
    """A file. `path` is None once it is deleted. While it is `open` a kernel has it, whose `start`
    is the path that it was started with, and which ran the cells `seen`. `uid` is what the front
    end has in the metadata, `history` what the model says; `copied`: it is a copy that did not run
    yet, of so many steps."""

    path: Path | None
    cells: list[str]
    uid: str | None = None
    history: History | None = None
    copied: int | None = None
    open: bool = False
    start: Path | None = None
    workspace: Workspace | None = None
    far: Home | None = None
    seen: set[str] = field(default_factory=set)


class World:
    """Two projects with a folder in each. With `front_end` the notebooks are used in JupyterLab
    with the extension: it writes the metadata, which come to disk when the file is saved, and says
    where the notebook is. Without, only the name at the kernel's start is known."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.front_end = seed % 3 != 0
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

    # what a person does

    def new(self) -> None:
        self.made += 1
        path = self._free("Untitled")
        notebook = Notebook(path, [f"cell-{self.made}-0"])
        self.notebooks.append(notebook)
        self._save(notebook, cells=[])  # as JupyterLab makes it

    def record(self) -> None:
        notebook = self._any()
        if notebook is None:
            return
        if not notebook.open:
            notebook.open, notebook.start = True, notebook.path
        if self.random.random() < 0.5:
            notebook.cells.append(f"{notebook.cells[0]}-{self.made}-{len(notebook.cells)}")
        cell = self.random.choice(notebook.cells)
        if self.random.random() < 0.5:
            self._save(notebook)
        notebook.seen |= {cell, notebook.cells[0]}
        self.made += 1
        says = f"step {self.made}"
        before, resolved = notebook.uid, notebook.workspace is None
        workspace = self._open(notebook)
        if resolved:
            same = not self.front_end or before == notebook.uid
            self._expect(notebook, descriptions(workspace), same)
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

    def duplicate(self) -> None:
        notebook = self._any()
        if notebook is None or not self.front_end:
            return
        self._save(notebook)  # JupyterLab copies what is on disk
        path = self._free(f"{notebook.path.stem}-Copy", notebook.path.parent)
        path.write_text(notebook.path.read_text())
        copy = Notebook(path, [*notebook.cells], notebook.uid, notebook.history)
        copy.copied = len(copy.history.steps) if copy.history else None
        if notebook.copied is not None:
            copy.copied = notebook.copied
        self.notebooks.append(copy)

    def restart(self) -> None:
        notebook = self._any()
        if notebook is not None:
            if not self.front_end:
                self._save(notebook)
            notebook.workspace, notebook.seen = None, set()

    def close(self) -> None:
        notebook = self._any()
        if notebook is not None:
            self._save(notebook)  # it is asked for where the notebook has changed
            notebook.open, notebook.workspace, notebook.seen = False, None, set()

    def delete(self) -> None:
        notebook = self._any()
        if notebook is not None:
            notebook.path.unlink()
            self.notebooks.remove(notebook)
            notebook.path = None

    # the model

    def _expect(self, notebook: Notebook, steps: list[str], same: bool) -> None:
        """Which history the next step joins. `same`: the session is that of the metadata. A copy
        has at least what the original had when it was copied, and at most what it has now. It goes
        on with the original's session only where the original is gone."""
        history = notebook.history
        if history is None:
            notebook.history = History([])
        elif notebook.copied is not None:
            assert steps == history.steps[: len(steps)]
            assert len(steps) >= notebook.copied
            if same:
                assert not any(
                    each.history is history and each.copied is None for each in self.notebooks
                )
                assert steps == history.steps
            else:
                notebook.history = History([*steps])
        elif not same:  # another file had its id, too: each has a copy now
            notebook.history = History([*history.steps])
        notebook.copied = None
        if notebook.history not in self.histories:
            self.histories.append(notebook.history)

    # what is there

    def _open(self, notebook: Notebook) -> Workspace:
        if notebook.workspace is None:
            found = self._resolver(notebook)
            resolution = found[0].open(found[1], found[1].path.stem)
            notebook.workspace, notebook.far = resolution.workspace, resolution.home
            if self.front_end:
                info = resolution.workspace.log.journal.info(resolution.workspace.log.id)
                notebook.uid = info.uid
        return notebook.workspace

    def _resolver(self, notebook: Notebook):
        path = notebook.path
        if not self.front_end:
            start = notebook.start or path
            path = locate(start, frozenset(notebook.seen), home(nearest(start.parent)))
        main = home(nearest(path.parent))
        known = notebook_file(path, notebook.seen, notebook.uid, self.front_end)
        return Resolver(main, lambda: self.homes), known

    def _move(self, notebook: Notebook, path: Path) -> None:
        if self._is_doubtful(notebook, path):
            return
        self.used |= {notebook.path, path}
        before, notebook.path = notebook.path, path
        before.rename(path)
        if notebook.open and self.front_end and notebook.workspace is not None:
            record_move(notebook.far, notebook.workspace.log.id, before, path)
        elif notebook.open and self.front_end and notebook.uid is not None:
            self._resolver(notebook)[0].follow_move(notebook.uid, before, path)
        if not notebook.open:
            notebook.start = None

    def _is_doubtful(self, notebook: Notebook, path: Path) -> bool:
        """Whether nobody could know afterwards which of both is the copy: one that never ran, and
        the original without a kernel, are moved apart, or the copy takes an original's old
        path."""
        if notebook.copied is not None and path in self.used:
            return True
        both = [
            each for each in self.notebooks if each.history and each.history is notebook.history
        ]
        copies = [each for each in both if each.copied is not None]
        closed = [each for each in both if each.copied is None and not each.open]
        return bool(copies and closed) and any(each.path.parent != path.parent for each in both)

    def _save(self, notebook: Notebook, cells: list[str] | None = None) -> None:
        metadata = {"wfnb": {"session": notebook.uid}} if notebook.uid else {}
        cells = notebook.cells if cells is None else cells
        text = {"metadata": metadata, "cells": [{"id": cell} for cell in cells]}
        notebook.path.write_text(json.dumps(text))

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

    def _free(self, name: str, folder: Path | None = None) -> Path:
        folder = folder or self.random.choice(self.folders)
        paths = (folder / f"{name}{n or ''}.ipynb" for n in range(100))
        return next(path for path in paths if not path.exists())


def descriptions(workspace: Workspace) -> list[str]:
    return [step.current.description for step in workspace.session.steps.values()]


DEEDS = {
    World.new: 3,
    World.record: 10,
    World.save: 2,
    World.rename: 3,
    World.move: 2,
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
