"""Several processes and one library: nothing is lost, and nothing is half there."""

import json
import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from wfnb.errors import LibraryLocked, WorkflowExists
from wfnb.file_lock import lock_file
from wfnb.workflows.definition.reader import content_hash, parse
from wfnb.workflows.library.workflow_library import WorkflowLibrary

spawn = multiprocessing.get_context("spawn")


@contextmanager
def other_process(work, *args: object) -> Iterator[Connection]:
    here, there = spawn.Pipe()
    process = spawn.Process(target=work, args=(there, *args))
    process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.join(timeout=10)
        process.kill()
        process.join()
        process.close()


def workflow(says: str):
    return {"steps": [{"tool": "shell", "args": {"command": f"echo {says}"}}]}


def save(library: WorkflowLibrary, name: str, says: str) -> str | None:
    definition = workflow(says)
    return library.save(definition, name, content_hash(parse(definition)), 1)


def consistent(folder: Path) -> dict[str, str]:
    """What each workflow says, after a look at everything: each file reads, the index has them all
    and as they are, and nothing else is left."""
    index = json.loads((folder / "index.json").read_text("utf-8"))["workflows"]
    files = {file.stem: json.loads(file.read_text("utf-8")) for file in folder.glob("[!.]*.json")}
    del files["index"]
    assert set(index) == set(files)
    for name, data in files.items():
        assert data["definition"]["name"] == name
        assert data["metadata"]["hash"] == index[name]["hash"]
        assert data["metadata"]["success_count"] == index[name]["success_count"]
        info = (folder / f"{name}.json").stat()
        assert index[name]["stamp"] == [info.st_mtime_ns, info.st_size, info.st_ino]
    assert WorkflowLibrary(folder).list().warnings == ()
    return {name: data["definition"]["steps"][0]["args"]["command"] for name, data in files.items()}


def work(line: Connection, folder: Path, me: str) -> None:
    """25 saves; every third is deleted, every other third renamed. All want two names alike."""
    library = WorkflowLibrary(folder, busy=120)
    line.send("ready")
    line.recv()
    won = []
    for number in range(25):
        name = f"{me}_{number}"
        assert save(library, name, name) == name
        if save(library, f"shared_{number}", "shared") is not None:
            won.append(f"shared_{number}")
        try:
            if save(library, "wanted", f"wanted by {me}"):
                won.append("wanted")
        except WorkflowExists:
            pass
        library.count_success("wanted")
        if number % 3 == 1:
            library.delete(name)
        if number % 3 == 2:
            library.rename(name, f"{name}_renamed")
        assert library.load("wanted")["name"] == "wanted"
    line.send(won)


def test_four_processes_save_delete_and_rename_at_once(tmp_path: Path):
    folder = tmp_path / ".wfnb" / "workflows"

    with (
        other_process(work, folder, "a") as a,
        other_process(work, folder, "b") as b,
        other_process(work, folder, "c") as c,
        other_process(work, folder, "d") as d,
    ):
        lines = (a, b, c, d)
        assert [line.recv() for line in lines] == ["ready"] * 4
        for line in lines:
            line.send("go")
        won = [name for line in lines for name in line.recv()]

    says = consistent(folder)
    assert won.count("wanted") == 1
    (shared,) = (name for name in won if name.startswith("shared"))
    own = {
        f"{me}_{number}" + "_renamed" * (number % 3 == 2): f"echo {me}_{number}"
        for me in "abcd"
        for number in range(25)
        if number % 3 != 1
    }
    assert says == {**own, shared: "echo shared", "wanted": says["wanted"]}
    counts = {saved.name: saved.success_count for saved in WorkflowLibrary(folder).list().workflows}
    assert counts["wanted"] == 1 + 4 * 25
    assert sorted(os.listdir(folder)) == sorted(
        [".gitignore", ".lock", "index.json", *(f"{name}.json" for name in says)]
    )


def edit(line: Connection, folder: Path, me: str) -> None:
    """15 versions of one workflow, written in a place that others write in, too."""
    library = WorkflowLibrary(folder, busy=120)
    line.send("ready")
    line.recv()
    for number in range(15):
        definition = workflow(f"{me}{number}")
        hash = content_hash(parse(definition))
        assert library.save(definition, "deploy", hash, 1, origin=("drift",)) == "deploy"
    line.send("done")


def test_what_two_processes_edit_at_once_is_all_there_as_it_was(tmp_path: Path):
    with other_process(edit, tmp_path, "a") as a, other_process(edit, tmp_path, "b") as b:
        assert [line.recv() for line in (a, b)] == ["ready"] * 2
        for line in (a, b):
            line.send("go")
        assert [line.recv() for line in (a, b)] == ["done"] * 2

    library = WorkflowLibrary(tmp_path)
    kept = [f"deploy@{saved.hash}" for saved in library.versions("deploy")]
    said = [library.load(name)["steps"][0]["args"]["command"] for name in (*kept, "deploy")]
    assert sorted(said) == sorted(f"echo {me}{number}" for me in "ab" for number in range(15))


def save_for_ever(line: Connection, folder: Path) -> None:
    library = WorkflowLibrary(folder)
    line.send(os.getpid())
    number = 0
    while True:
        save(library, f"w{number}", f"w{number}")
        library.count_success(f"w{number}")
        line.send(number)
        number += 1


def test_a_killed_process_loses_nothing_that_was_saved_and_locks_nobody_out(tmp_path: Path):
    folder = tmp_path / "workflows"

    with other_process(save_for_ever, folder) as line:
        process = line.recv()
        saved = [line.recv() for _ in range(30)]
        os.kill(process, signal.SIGKILL)

    library = WorkflowLibrary(folder)
    assert set(library.names()) >= {f"w{number}" for number in saved}
    save(library, "after", "after")
    assert consistent(folder)["after"] == "echo after"


def hold(line: Connection, lock: Path) -> None:
    with lock_file(lock, 1):
        line.send("held")
        line.recv()
    line.send("free")


def test_a_library_can_be_read_while_another_process_writes_and_is_written_after(tmp_path: Path):
    library = WorkflowLibrary(tmp_path, busy=0.05)
    save(library, "deploy", "1")

    with other_process(hold, tmp_path / ".lock") as line:
        line.recv()
        assert library.names() == ("deploy",)
        assert library.load("deploy")["steps"] == workflow("1")["steps"]
        with pytest.raises(LibraryLocked, match="is locked by another process"):
            save(library, "test", "2")
        line.send("let go")
        line.recv()

    assert save(library, "test", "2") == "test"


def test_a_broken_file_stays_where_it_is_while_another_process_writes(tmp_path: Path):
    library = WorkflowLibrary(tmp_path, busy=0.05)
    save(library, "deploy", "1")
    (tmp_path / "test.json").write_text("{")

    with other_process(hold, tmp_path / ".lock") as line:
        line.recv()
        (warning,) = library.list().warnings
        assert warning.startswith("test.json cannot be read as a workflow: line 1, column 2")
        line.send("let go")
        line.recv()

    assert (tmp_path / "test.json").read_text() == "{"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_that_was_forked_while_the_lock_was_held_does_not_keep_it(tmp_path: Path):
    read, write = os.pipe()
    with lock_file(tmp_path / ".lock", 1):
        child = os.fork()
        if not child:
            os.close(write)
            os.read(read, 1)
            os._exit(0)
    try:
        with lock_file(tmp_path / ".lock", 0):
            pass
    finally:
        os.close(write)
        os.close(read)
        assert os.waitpid(child, 0)[1] == 0
