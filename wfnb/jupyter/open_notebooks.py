"""what front ends say of their notebooks -> where each is, and which cells it has.

One kernel may have several front ends, and these several notebooks. A front end has a name here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from wfnb.core.commands import NotebookCells

from .running_cell import Running

NOT_CONNECTED = ""
"""The name of a front end that says its cells before it is connected."""


class OpenNotebooks:
    """Those of one kernel."""

    def __init__(self) -> None:
        self._cells: dict[str, NotebookCells] = {}
        """The cells that each front end said last, the latest said last."""
        self._places: dict[str, Path] = {}
        """Where the notebook of each is."""
        self._absent: set[str] = set()
        """Those whose page is loaded again, or whose machine sleeps."""

    @property
    def are_several(self) -> bool:
        """Whether several notebooks have this kernel."""
        return len({*self._places.values()}) > 1

    def says_cells(self) -> bool:
        """Whether any front end says which cells there are."""
        return bool(self._cells)

    def cell_ids(self) -> set[str] | None:
        """The ids of the cells of all, None where no front end says it."""
        return {id for cells in self._cells.values() for id in cells.steps} or None

    def cells_around(self, running: Running | None) -> NotebookCells | None:
        """The cells that there are, as a front end said last, before others one that has the cell
        which runs; None where none says it."""
        names = self._names_with(running) or [*self._cells]
        return self._cells.get(names[-1]) if names else None

    def place_of(self, name: str) -> Path | None:
        """The notebook of a front end."""
        return self._places.get(name)

    def place_of_cell(self, running: Running | None) -> Path | None:
        """The notebook of the cell that runs, where one of several front ends alone has it."""
        names = self._names_with(running)
        places = {self._places[name] for name in names if name in self._places}
        return places.pop() if len(places) == 1 and self.are_several else None

    def has(self, file: Path) -> bool:
        """Whether it is one of them."""
        return any(is_same_file(file, place) for place in self._places.values())

    def set_cells(self, name: str, cells: NotebookCells) -> None:
        """What a front end says of them. What one said before it was connected holds no longer."""
        for each in (name, NOT_CONNECTED):
            self._cells.pop(each, None)
        self._cells[name] = cells

    def set_place(self, name: str, file: Path) -> None:
        """Where a front end says that its notebook is. Absent ones that had the same, or one that
        is gone, do not come back."""
        self._places.pop(name, None)
        away = [(each, self._places[each]) for each in self._absent]
        self._forget([each for each, at in away if at == file or not at.is_file()])
        self._places[name] = file

    def remove(self, name: str, leaves: bool) -> None:
        """A front end is gone. Unless it `leaves` the kernel for good, its notebook is one of this
        kernel still: its page is loaded again, or its machine sleeps."""
        self._absent.add(name)
        if leaves or name not in self._places:
            self._forget([name])

    def _forget(self, names: Sequence[str]) -> None:
        for name in names:
            self._cells.pop(name, None)
            self._places.pop(name, None)
            self._absent.discard(name)

    def _names_with(self, running: Running | None) -> list[str]:
        """The front ends that have this cell."""
        cells = tuple(self._cells.items())
        return [name for name, each in cells if running is not None and running.id in each.steps]


def is_same_file(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.samefile(other)
    return False


def notebook_cells(
    cells: Iterable[tuple[str, int]],
    path: Path | None,
    folder: Path,
    headings: Mapping[str, str] | None = None,
) -> NotebookCells:
    """The code cells of the notebook at `path` in `folder`: by id how many steps each opens."""
    cells = tuple(cells)
    counts = Counter(id for id, _ in cells)
    return NotebookCells(
        steps=dict(cells),
        twice=frozenset(id for id, count in counts.items() if count > 1),
        others=frozenset(each.name for each in folder.glob("*.ipynb"))
        - {path.name if path else ""},
        headings=headings or {},
    )
