"""Which session a kernel's notebook uses, where only its file and its cells can tell."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import wfnb
from tests.jupyter.kernel import Kernel, running

LOAD, TOTAL = "%%step Load\nx = [1, 2]", "%%step Sum\nsum([1, 2])"


@contextmanager
def kernel_of(notebook: Path, started_as: Path | None = None) -> Iterator[Kernel]:
    """The kernel of a notebook; its server said another path, where that was renamed since."""
    folder = notebook.parent / "kernel"
    folder.mkdir(exist_ok=True)
    state = {"XDG_STATE_HOME": str(notebook.parent / "state")}
    with running(folder, JPY_SESSION_NAME=str(started_as or notebook), **state) as kernel:
        kernel.ok("import os; del os.environ['WFNB_HOME']")
        yield kernel


def write(notebook: Path, *cells: str, uid: str | None = None) -> None:
    """A notebook's file, with cells of these ids."""
    metadata = {} if uid is None else {"wfnb": {"session": uid}}
    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("1", id=cell) for cell in cells], metadata=metadata
    )
    notebook.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(made, notebook)


def sessions(folder: Path) -> dict[str, tuple[str | None, int]]:
    """The notebook of each session, and its number of steps."""
    home = wfnb.home(folder / ".wfnb")
    return {info.name: (info.notebook, len(home.look(info).steps)) for info in home.sessions()}


def uid_of(folder: Path, name: str) -> str:
    home = wfnb.home(folder / ".wfnb")
    found = home.journal.info(home.find(name)).uid
    assert found is not None
    return found


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A notebook with a session of two steps, whose metadata were not written."""
    notebook = tmp_path / "Untitled.ipynb"
    write(notebook, "a", "b")
    with kernel_of(notebook) as kernel:
        kernel.ok(LOAD, "a")
        kernel.ok(TOTAL, "b")
    return notebook


def test_a_notebook_goes_on_with_its_session_in_every_kernel(study: Path):
    before = study.read_bytes()

    with kernel_of(study) as kernel:
        kernel.ok(LOAD, "a")
        assert kernel.status()["steps"][0]["attempts"] == 2

    assert sessions(study.parent) == {"Untitled": ("Untitled.ipynb", 2)}
    assert study.read_bytes() == before


def test_a_cell_that_is_not_saved_yet_is_not_said_to_be_gone(study: Path):
    with kernel_of(study) as kernel:
        kernel.ok(LOAD, "a")
        kernel.ok("%%step Mean\nsum([1, 2]) / 2", "new")

        steps = kernel.status()["steps"]

    assert [step.get("cell") for step in steps] == [None] * 3


def test_a_renamed_notebook_without_metadata_is_known_by_its_cells(study: Path):
    renamed = study.rename(study.with_name("penguins.ipynb"))

    with kernel_of(renamed) as kernel:
        kernel.ok(LOAD, "a")

    assert sessions(study.parent) == {"Untitled": ("penguins.ipynb", 2)}


@pytest.mark.parametrize("inherits", ["another notebook", "nothing"])
def test_a_restarted_kernel_that_knows_only_the_old_path_goes_on(study: Path, inherits: str):
    renamed = study.rename(study.with_name("penguins.ipynb"))
    if inherits == "another notebook":
        write(study, "z")

    with kernel_of(renamed, started_as=study) as kernel:
        kernel.ok(LOAD, "a")
        kernel.ok("%%step More\n3", "new")
        kernel.restart()
        kernel.ok("import os; os.environ.pop('WFNB_HOME')")
        kernel.ok(TOTAL, "b")

    assert sessions(study.parent) == {"Untitled": ("penguins.ipynb", 3)}


def test_a_new_notebook_of_an_old_name_inherits_nothing_and_says_so(study: Path):
    study.rename(study.with_name("penguins.ipynb"))
    write(study)

    with kernel_of(study) as kernel:
        said = kernel.ok("%%step Other\n1", "z").stdout
        assert kernel.status()["session"] == "Untitled-2"

    assert (
        said
        == (
            "wfnb: session 'Untitled-2' begins: 'Untitled' belongs to Untitled.ipynb. "
            "`%wfnb open Untitled` goes on with that one.\n"
        )
        or "belongs to" in said
    )
    assert sessions(study.parent)["Untitled"][1] == 2


def test_a_moved_notebook_finds_its_session_in_the_folder_above(study: Path):
    uid = uid_of(study.parent, "Untitled")
    moved = study.parent / "deep" / "er" / "study.ipynb"
    write(moved, "a", "b", uid=uid)
    study.unlink()

    with kernel_of(moved) as kernel:
        kernel.ok(TOTAL, "b")

    assert sessions(study.parent) == {"Untitled": ("deep/er/study.ipynb", 2)}
    assert not (moved.parent / ".wfnb").exists()


def test_a_notebook_that_was_moved_far_away_finds_its_session_in_a_known_folder(
    study: Path, tmp_path_factory: pytest.TempPathFactory
):
    uid = uid_of(study.parent, "Untitled")
    moved = tmp_path_factory.mktemp("far") / "study.ipynb"
    write(moved, "a", "b", uid=uid)
    study.unlink()
    shutil.copytree(study.parent / "state", moved.parent / "state")

    with kernel_of(moved) as kernel:
        kernel.ok(TOTAL, "b")

    assert sessions(study.parent) == {"Untitled": (moved.as_posix(), 2)}
    assert not (moved.parent / ".wfnb").exists()
    assert (study.parent / "state/wfnb/homes").stat().st_mode & 0o077 == 0


def test_a_session_that_is_not_found_is_said_once_with_those_that_have_the_cells(study: Path):
    write(study, "a", "b", uid="0123456789abcdef")
    (study.parent / "other.ipynb").write_bytes(study.read_bytes())

    with kernel_of(study.with_name("other.ipynb")) as kernel:
        said = kernel.ok(LOAD, "a").stdout

    assert said == (
        "wfnb: the session that this notebook had was not found beside it, above it or in another "
        "known folder; it goes on with 'other'. Sessions with these cells: Untitled. WFNB_HOME "
        "names another folder.\n"
    )


def test_a_copy_gets_a_copy_of_the_session_where_nobody_can_be_asked(study: Path):
    write(study, "a", "b", uid=uid_of(study.parent, "Untitled"))
    copy = Path(shutil.copy(study, study.with_name("Untitled-Copy1.ipynb")))

    with kernel_of(copy) as kernel:
        said = kernel.ok("%%step Load\nx = [1, 2, 3]", "a").stdout
        kernel.ok("%%step More\n3", "c")
        kernel.restart()
        kernel.ok("import os; os.environ.pop('WFNB_HOME')")
        again = kernel.ok(TOTAL, "b").stdout

    assert said == (
        "wfnb: session 'Untitled-Copy1' is a copy of 'Untitled', because this notebook is a copy "
        "of Untitled.ipynb. 'Untitled' is unchanged.\n"
    )
    assert again == ""
    assert sessions(study.parent) == {
        "Untitled": ("Untitled.ipynb", 2),
        "Untitled-Copy1": ("Untitled-Copy1.ipynb", 3),
    }


@pytest.mark.parametrize("verb", ["start", "open", "resume"])
def test_a_copy_whose_first_cell_names_the_session_gets_a_copy_all_the_same(
    tmp_path: Path, verb: str
):
    notebook = tmp_path / "edits.ipynb"
    write(notebook, "s", "a", "b")
    with kernel_of(notebook) as kernel:
        kernel.ok("%wfnb start edits", "s")
        kernel.ok(LOAD, "a")
    write(notebook, "s", "a", "b", uid=uid_of(tmp_path, "edits"))
    copy = Path(shutil.copy(notebook, tmp_path / "edits-Copy1.ipynb"))

    with kernel_of(copy) as kernel:
        for _ in range(3):
            kernel.ok(f"%wfnb {verb} edits", "s")
            kernel.ok("%%step Load\nx = [1, 2, 3]", "a")
            kernel.restart()
            kernel.ok("import os; os.environ.pop('WFNB_HOME')")

    assert sessions(tmp_path) == {
        "edits": ("edits.ipynb", 1),
        "edits-Copy1": ("edits-Copy1.ipynb", 1),
    }


def test_open_is_the_same_however_often_a_program_runs_it(tmp_path: Path):
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(text)
            for text in ("%load_ext wfnb", "%wfnb open cars-mpg", LOAD, TOTAL)
        ]
    )

    for _ in range(3):
        client = NotebookClient(
            notebook, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
        )
        client.execute(env=_environment(tmp_path))

    assert sessions(tmp_path) == {"cars-mpg": (None, 2)}
    assert (
        wfnb.open("cars-mpg", home_folder=tmp_path / ".wfnb").status()["steps"][0]["attempts"] == 3
    )


def _environment(folder: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "JPY_SESSION_NAME"}
    return {**kept, "WFNB_HOME": str(folder / ".wfnb"), "IPYTHONDIR": str(folder / "ipython")}


def test_a_session_is_renamed_copied_and_forgotten(study: Path):
    with kernel_of(study) as kernel:
        kernel.ok(LOAD, "a")
        renamed = kernel.ok("%wfnb rename penguins").text
        again = kernel.ok("%wfnb rename penguins").text
        copied = kernel.ok("%wfnb copy").text
        kernel.ok("%%step More\n3", "c")
        refused = kernel.run("%wfnb forget penguins").refusal
        forgotten = kernel.ok("%wfnb forget penguins --yes").text
        listed = kernel.ok("%wfnb sessions").text
        kernel.ok("%wfnb resume penguins~1")
        kernel.ok("%wfnb rename penguins")
        back = kernel.ok("%wfnb sessions").text

    assert renamed == "session 'Untitled' is now called 'penguins'"
    assert again == "session 'penguins' is now called 'penguins'"
    assert copied == (
        "session 'penguins-2' resumed · a copy of 'penguins', which stays as it is · 2 steps"
    )
    assert "nobody can be asked whether it is meant" in refused
    assert forgotten == (
        "session 'penguins' forgotten · `%wfnb resume penguins~1` goes on with it · "
        "`%wfnb rename penguins` then brings it back into the lists"
    )
    assert [line.split()[0] for line in listed.splitlines()[1:]] == ["penguins-2"]
    assert [line.split()[:2] for line in back.splitlines()[1:]] == [
        ["penguins", "Untitled.ipynb"],
        ["penguins-2", "Untitled.ipynb"],
    ]


def test_a_notebook_whose_session_was_forgotten_begins_another(study: Path):
    write(study, "a", "b", uid=uid_of(study.parent, "Untitled"))

    with kernel_of(study) as kernel:
        kernel.ok(LOAD, "a")
        kernel.ok("%wfnb forget Untitled --yes")
        kernel.ok(LOAD, "a")
        assert kernel.status()["step_history_length"] == 1

    assert sessions(study.parent) == {"Untitled~1": (None, 2), "Untitled": ("Untitled.ipynb", 1)}


def test_what_a_notebook_stores_does_not_have_the_permanent_id(study: Path):
    uid = uid_of(study.parent, "Untitled")
    with kernel_of(study) as kernel:
        verbs = ("status", "sessions", "status --json", "sessions --json", "open Untitled")
        ran = [kernel.ok(LOAD, "a"), *(kernel.ok(f"%wfnb {verb}") for verb in verbs)]

    assert uid not in str([each.published for each in ran])


@pytest.fixture
def pair(study: Path) -> tuple[Path, Path]:
    """A notebook and its copy, which got a copy of the history and went on; each names its own."""
    write(study, "a", "b", uid=uid_of(study.parent, "Untitled"))
    copy = Path(shutil.copy(study, study.with_name("copy.ipynb")))
    with kernel_of(copy) as kernel:
        kernel.ok("%%step More\n3", "b")
    write(copy, "a", "b", uid=uid_of(study.parent, "copy"))
    return study, copy


def swap(one: Path, other: Path) -> None:
    spare = one.rename(one.with_name("tmp.ipynb"))
    other.rename(one)
    spare.rename(other)


def go_on(notebook: Path, what: str, cell: str = "b") -> str:
    """Record a step in a new kernel of the notebook. What is said of its session."""
    with kernel_of(notebook) as kernel:
        return kernel.ok(f"%%step {what}\n4", cell).stdout


def steps_of(folder: Path, name: str) -> list[str]:
    home = wfnb.home(folder / ".wfnb")
    steps = home.look(home.journal.info(home.find(name))).steps.values()
    return [step.current.description for step in steps]


def test_a_notebook_and_its_copy_that_change_names_keep_their_histories(pair: tuple[Path, Path]):
    study, copy = pair
    swap(study, copy)

    said = [go_on(study, "Of the copy"), go_on(copy, "Of the study")]

    assert said == ["", ""]
    assert steps_of(study.parent, "Untitled")[-1] == "Of the study"
    assert steps_of(study.parent, "copy")[-1] == "Of the copy"
    places = {name: place for name, (place, _) in sessions(study.parent).items()}
    assert places == {"Untitled": "copy.ipynb", "copy": "Untitled.ipynb"}


@pytest.mark.parametrize("first", ["the original", "the copy"])
def test_a_copy_that_takes_the_name_of_the_original_leaves_it_its_history(
    pair: tuple[Path, Path], first: str
):
    study, copy = pair
    original = study.rename(study.with_name("old.ipynb"))
    copy.rename(study)

    runs = [(original, "Of the original"), (study, "Of the copy")]
    said = [go_on(*run) for run in (runs if first == "the original" else reversed(runs))]

    assert said == ["", ""]
    assert steps_of(study.parent, "Untitled")[-1] == "Of the original"
    assert steps_of(study.parent, "copy")[-1] == "Of the copy"


def test_what_a_first_cell_names_is_of_the_notebook_and_not_of_its_place(tmp_path: Path):
    notebook = tmp_path / "edits.ipynb"
    write(notebook, "s", "a")
    with kernel_of(notebook) as kernel:
        kernel.ok("%wfnb start edits", "s")
        kernel.ok(LOAD, "a")
    write(notebook, "s", "a", uid=uid_of(tmp_path, "edits"))
    copy = Path(shutil.copy(notebook, tmp_path / "copy.ipynb"))
    with kernel_of(copy) as kernel:
        kernel.ok("%wfnb start edits", "s")
        kernel.ok("%%step More\n3", "b")
    write(copy, "s", "a", "b", uid=uid_of(tmp_path, "copy"))
    swap(notebook, copy)

    with kernel_of(notebook) as kernel:
        kernel.ok("%wfnb start edits", "s")
        assert kernel.status()["session"] == "copy"


def test_without_metadata_the_cells_tell_notebooks_that_changed_names(tmp_path: Path):
    one, other = tmp_path / "one.ipynb", tmp_path / "other.ipynb"
    write(one, "a", "b")
    write(other, "a", "b", "c")
    go_on(one, "Of one", "a")
    go_on(other, "Of other", "c")
    swap(one, other)

    said = [go_on(one, "More of other", "c"), go_on(other, "More of one", "b")]

    assert said == ["", ""]
    assert {name: place for name, (place, _) in sessions(tmp_path).items()} == {
        "one": "other.ipynb",
        "other": "one.ipynb",
    }
