"""Whose history a kernel writes that is not told of its notebook: a program or console runs it."""

import os
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import wfnb
from tests.jupyter.kernel import Kernel, running
from wfnb.identity.notebook_file_search import find_notebook_files
from wfnb.identity.session_resolver import Resolver, notebook_file

EXTENSION = "%load_ext wfnb"
ONE, TWO = "%%step 1 Load\nx = [1, 2]", "%%step 1 Load\nx = [10, 20]"
NOTEBOOKS = {  # b begins as a does, and c is a but for the code of a step
    "a": (EXTENSION, "%wfnb status", ONE, "%%step 2 Sum\ns = sum(x)\ns"),
    "b": (EXTENSION, "%wfnb status", ONE, "%%step 2 Total\nt = sum(x)"),
    "c": (EXTENSION, "%wfnb status", TWO, "%%step 2 Sum\ns = sum(x)\ns"),
    "d": (EXTENSION, "%%step Load\nx = [3]", "%%step Sum\nsum(x)"),
    "e": (EXTENSION, "%%step Read\nx = [4]", "%%step Sum\nsum(x)"),
}


def notebook(*cells: str, **metadata: object) -> nbformat.NotebookNode:
    made = [nbformat.v4.new_code_cell(cell) for cell in cells]
    return nbformat.v4.new_notebook(cells=made, metadata=metadata)


def environment(folder: Path) -> dict[str, str]:
    mine = {"WFNB_HOME": str(folder / ".wfnb"), "IPYTHONDIR": str(folder / "ipython")}
    return {**{k: v for k, v in os.environ.items() if k != "JPY_SESSION_NAME"}, **mine}


def execute(file: Path) -> None:
    """As `jupyter execute --inplace FILE` does it."""
    code = "import sys; from nbclient.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "--inplace", "--kernel_name=python3", file.name]
    subprocess.run(command, cwd=file.parent, env=environment(file.parent), check=True)


def run(notebook: nbformat.NotebookNode, folder: Path) -> str:
    """As a program runs cells that it has in memory. What they printed."""
    where = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, kernel_name="python3", resources=where).execute(
        env=environment(folder)
    )
    outputs = (output for cell in notebook.cells for output in cell.outputs)
    return "".join(output.text for output in outputs if output.output_type == "stream")


def histories(folder: Path) -> dict[str, list[tuple[str, int, int]]]:
    """Of each session the titles of its steps, their versions and their attempts."""
    home = wfnb.home(folder / ".wfnb")
    return {
        info.name: [
            (step.current.description.splitlines()[0], len(step.versions), step.attempts)
            for step in home.look(info).steps.values()
        ]
        for info in home.sessions()
    }


def of_notebook(name: str, runs: int) -> list[tuple[str, int, int]]:
    steps = [cell for cell in NOTEBOOKS[name] if cell.startswith("%%step")]
    titles = (step.splitlines()[0].removeprefix("%%step").strip(" 12") for step in steps)
    return [(title, 1, runs) for title in titles]


def test_each_notebook_of_a_folder_that_a_program_runs_has_its_own_history(tmp_path: Path):
    for name, cells in NOTEBOOKS.items():
        nbformat.write(notebook(*cells), tmp_path / f"{name}.ipynb")

    for name in "abcdabe":
        execute(tmp_path / f"{name}.ipynb")

    runs = {name: "abcdabe".count(name) for name in "abcde"}
    assert histories(tmp_path) == {name: of_notebook(name, runs[name]) for name in runs}
    places = {info.name: info.notebook for info in wfnb.home(tmp_path / ".wfnb").sessions()}
    assert places == {name: f"{name}.ipynb" for name in NOTEBOOKS}


def test_a_front_end_goes_on_with_what_a_program_ran_and_saved(tmp_path: Path):
    file = tmp_path / "a.ipynb"
    nbformat.write(notebook(*NOTEBOOKS["a"]), file)
    execute(file)
    home = wfnb.home(tmp_path / ".wfnb")

    of_lab = Resolver(home).look(notebook_file(file, uid_is_known=True), "a")
    file.write_text(nbformat.writes(notebook(EXTENSION, "%%step Other\n1")))
    of_another = Resolver(home).look(notebook_file(file, uid_is_known=True), "a")

    assert of_lab is not None
    assert of_lab.info.name == "a"
    assert of_another is None


def test_cells_that_are_no_file_go_on_with_what_recorded_them(tmp_path: Path):
    said = [run(notebook(*NOTEBOOKS[name]), tmp_path) for name in "acaca"]

    assert histories(tmp_path) == {
        "notebook": of_notebook("a", 3),
        "notebook-2": of_notebook("c", 2),
    }
    begins = (
        "wfnb: session 'notebook-2' begins: 'notebook' may be another notebook's. "
        "`%wfnb open notebook` goes on with that one.\n"
    )
    assert said == ["", begins, "", "", ""]


def test_of_files_that_begin_alike_none_gets_the_history_of_another(tmp_path: Path):
    for name in "ab":
        nbformat.write(notebook(*NOTEBOOKS[name]), tmp_path / f"{name}.ipynb")

    for name in "abab":
        run(notebook(*NOTEBOOKS[name]), tmp_path)

    found = histories(tmp_path)
    assert sorted(found) == ["notebook", "notebook-2", "notebook-3", "notebook-4"]
    assert list(found.values()) == [of_notebook(name, 1) for name in "abab"]


@pytest.fixture
def kernel(tmp_path: Path):
    with running(tmp_path) as kernel:
        yield kernel


def test_cell_ids_tell_a_notebook_from_another_that_has_its_steps(kernel: Kernel, tmp_path: Path):
    for own in ("a", "b", "a"):
        kernel.restart()
        kernel.ok(ONE, f"{own}1")
        kernel.ok("%%step 2 Sum\nsum(x)", f"{own}2")

    sums = {name: [attempts for *_, attempts in steps] for name, steps in histories_of(kernel)}
    assert sums == {"notebook": [2, 2], "notebook-2": [1, 1]}


def test_a_console_looks_at_the_last_history_and_records_into_its_own(kernel: Kernel):
    kernel.ok(ONE)
    kernel.restart()
    looked = kernel.ok("%wfnb status").text
    recorded = kernel.ok("%%step 1 Read\ny = 3")
    kernel.restart()
    kernel.ok("%wfnb open notebook")
    kernel.ok("%%step 2 More\nz = 3")
    kernel.restart()
    kernel.ok("%%step 2 More\nz = 3")

    assert looked.startswith("notebook · 1 step")
    assert "session 'notebook-2' begins: 'notebook' may be another notebook's" in recorded.stdout
    found = {name: [title for title, *_ in steps] for name, steps in histories_of(kernel)}
    assert found == {"notebook": ["Load", "More"], "notebook-2": ["Read"]}


def histories_of(kernel: Kernel):
    home = wfnb.home(kernel.home)
    for info in home.sessions():
        steps = home.look(info).steps.values()
        yield info.name, [(step.current.description, step.attempts) for step in steps]


@pytest.mark.parametrize("leaves_out", [(), (0,), (1,)])
def test_a_file_is_recognised_by_its_code_in_its_order(tmp_path: Path, leaves_out):
    cells = ("x = 1", "x = 2\n", "y = x")
    for order in permutations(cells):
        nbformat.write(notebook(*order), tmp_path / f"{cells.index(order[0])}{len(order[1])}.ipynb")
    ran = [cell for at, cell in enumerate(cells) if at not in leaves_out]

    found = find_notebook_files(ran, tmp_path)

    assert tmp_path.resolve() / "06.ipynb" in found
    assert (len(found) == 1) == (leaves_out == ())


def test_what_papermill_makes_of_a_notebook_is_not_that_notebook(tmp_path: Path):
    source, output = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    nbformat.write(notebook("x = 1", "y = 2"), source)
    made = notebook("x = 1", "# Parameters\nx = 3", "y = 2", papermill={"input_path": str(source)})
    nbformat.write(made, output)

    assert find_notebook_files(["x = 1", "# Parameters\nx = 3", "y = 2"], tmp_path) == [
        source.resolve()
    ]
    assert find_notebook_files([], tmp_path) == []
