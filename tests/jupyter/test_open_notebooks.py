"""What front ends say of their notebooks, without a kernel."""

from pathlib import Path

import pytest

from wfnb.core.commands import NotebookCells
from wfnb.jupyter.open_notebooks import OpenNotebooks
from wfnb.jupyter.running_cell import Running


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    found = tmp_path / "one.ipynb", tmp_path / "two.ipynb"
    for file in found:
        file.write_text("{}")
    return found


def cells(*ids: str) -> NotebookCells:
    return NotebookCells(steps=dict.fromkeys(ids, 1))


def test_a_cell_has_the_place_and_the_cells_of_the_notebook_that_alone_has_it(
    files: tuple[Path, Path],
):
    notebooks = OpenNotebooks()
    for name, file, its_cells in zip(
        "ab", files, (cells("x", "of both"), cells("of both")), strict=True
    ):
        notebooks.set_place(name, file)
        notebooks.set_cells(name, its_cells)

    assert notebooks.place_of_cell(Running("x", "")) == files[0]
    assert notebooks.place_of_cell(Running("of both", "")) is None
    assert notebooks.cells_around(Running("x", "")) == cells("x", "of both")
    assert notebooks.cells_around(None) == cells("of both")
    assert notebooks.cell_ids() == {"x", "of both"}


def test_where_there_is_one_notebook_its_cells_have_no_place_of_their_own(
    files: tuple[Path, Path],
):
    notebooks = OpenNotebooks()
    for name in "ab":
        notebooks.set_place(name, files[0])
        notebooks.set_cells(name, cells(name))

    assert not notebooks.are_several
    assert notebooks.place_of_cell(Running("a", "")) is None


def test_a_page_that_is_loaded_again_is_one_still_until_its_notebook_is_open_or_gone(
    files: tuple[Path, Path],
):
    notebooks = OpenNotebooks()
    for name, file in zip("ab", files, strict=True):
        notebooks.set_place(name, file)

    notebooks.remove("a", leaves=False)
    notebooks.remove("b", leaves=False)
    assert [*map(notebooks.has, files)] == [True, True]
    files[1].unlink()
    notebooks.set_place("c", files[0])

    assert [*map(notebooks.place_of, "abc")] == [None, None, files[0]]


def test_a_page_that_leaves_takes_its_notebook_with_it(files: tuple[Path, Path]):
    notebooks = OpenNotebooks()
    notebooks.set_place("a", files[0])

    notebooks.remove("a", leaves=True)

    assert not notebooks.has(files[0])
    assert notebooks.cell_ids() is None
