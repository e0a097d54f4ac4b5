"""What may be wrong with the files of a library: lost, broken, changed by hand, links."""

import json
import os
import re

import pytest

from wfnb.errors import (
    LibraryUnusable,
    WorkflowBroken,
    WorkflowExists,
    WorkflowUnknown,
)
from wfnb.workflows.definition.reader import content_hash, parse
from wfnb.workflows.library.definition_file import MAX_BYTES
from wfnb.workflows.library.workflow_library import WorkflowLibrary

from .shelves import contents, index, no_room, save, workflow

LOST = [
    None,
    b"",
    b"{",
    b"[]",
    b'{"workflows": 3}',
    b'{"workflows": {"deploy": 3, "x": {}}}',
    b"\xff",
]


@pytest.mark.parametrize("content", LOST)
def test_an_index_that_is_lost_or_broken_is_made_again_from_the_files(library, folder, content):
    save(library, "deploy", "1")
    save(library, "test", "2")
    before = library.list()
    made = index(folder)
    if content is None:
        (folder / "index.json").unlink()
    else:
        (folder / "index.json").write_bytes(content)

    assert library.list() == before
    assert save(library, "other", "1") is None
    assert index(folder)["workflows"] == made["workflows"]


def test_what_was_written_is_there_where_the_index_cannot_be(library, folder):
    (folder / "index.json").mkdir(parents=True)

    assert save(library, "deploy", "1") == "deploy"
    library.rename("deploy", "ship")

    assert library.names() == ("ship",)
    library.delete("ship")
    assert library.names() == ()


def test_a_rename_for_which_there_is_no_room_changes_nothing(library, folder):
    save(library, "deploy", "1")
    before = contents(folder)

    with no_room(), pytest.raises(LibraryUnusable):
        library.rename("deploy", "ship")

    assert contents(folder) == before


def test_a_rename_sets_a_broken_file_of_that_name_aside(library, folder):
    save(library, "deploy", "1")
    (folder / "ship.json").write_text("{")

    library.rename("deploy", "ship")

    assert library.names() == ("ship",)
    assert (folder / "ship.json.broken").read_text() == "{"


def test_a_file_that_came_by_hand_is_a_workflow_like_any_other(library, folder):
    save(library, "deploy", "1")
    (folder / "mine.json").write_text(json.dumps(workflow("2", name="elsewhere", description="By")))

    assert library.load("mine") == {**workflow("2", description="By"), "name": "mine"}
    mine = next(saved for saved in library.list().workflows if saved.name == "mine")
    assert (mine.description, mine.success_count, mine.last_execution) == ("By", 0, None)
    assert save(library, "another", "2") is None
    library.count_success("mine")
    assert json.loads((folder / "mine.json").read_text())["metadata"]["success_count"] == 1


def test_a_file_that_was_changed_by_hand_has_the_content_it_has_now(library, folder):
    save(library, "deploy", "1")
    file = folder / "deploy.json"
    file.write_text(file.read_text().replace("echo 1", "echo changed"))

    assert save(library, "again", "1") == "again"
    assert save(library, "more", "changed") is None
    assert library.name_for_hash(content_hash(parse(workflow("changed")))) == "deploy"


def test_metadata_that_makes_no_sense_is_passed_over(library, folder):
    save(library, "deploy", "1")
    metadata = {"success_count": "many", "created": 5, "hash": None, "total_states": 4}
    (folder / "test.json").write_text(
        json.dumps({"definition": workflow("2", description=7), "metadata": metadata})
    )

    test = next(saved for saved in library.list().workflows if saved.name == "test")

    assert (test.success_count, test.total_states, test.description) == (0, 4, "")


BROKEN = [
    (b"", "line 1, column 1: expecting value"),
    (b'{"definition": {', "line 1, column 17: expecting property name"),
    (b"[]", "it holds no definition with `states` or `steps`"),
    (b"{}", "it holds no definition"),
    (b'{"definition": 3, "metadata": {}}', "it holds no definition"),
    (b'{"steps": [], "steps": []}', "the key 'steps' is there twice"),
    (b'{"steps": NaN}', "NaN is no JSON"),
    (b"[" * 100_000, "it is nested too deep"),
    (b'{"steps": "\xff"}', "no UTF-8 text at byte 11"),
    (b" " * (MAX_BYTES + 1), "it is too large (10,000,001 bytes; 10,000,000 are read at most)"),
]


@pytest.mark.parametrize(("content", "what"), BROKEN, ids=[what[:20] for _, what in BROKEN])
def test_a_broken_file_is_named_and_left_and_all_else_goes_on(library, folder, content, what):
    save(library, "deploy", "1")
    (folder / "test.json").write_bytes(content)

    listing = library.list()

    assert [saved.name for saved in listing.workflows] == ["deploy"]
    (warning,) = listing.warnings
    assert warning.startswith(f"test.json cannot be read as a workflow: {what}")
    assert warning.isprintable()
    assert (folder / "test.json").read_bytes() == content
    with pytest.raises(WorkflowBroken, match=re.escape(what)):
        library.load("test")
    library.count_success("deploy")
    assert (folder / "test.json").read_bytes() == content


def test_a_broken_file_is_set_aside_where_its_name_is_written(library, folder):
    (folder).mkdir(parents=True)
    (folder / "test.json").write_text("{")

    assert save(library, "test", "2") == "test"

    assert library.load("test")["steps"] == workflow("2")["steps"]
    assert (folder / "test.json.broken").read_text() == "{"
    (warning,) = library.list().warnings
    assert warning.startswith("test.json.broken was set aside: line 1, column 2")
    assert warning.endswith("Mended, it is to be called test.json again.")


def test_loading_a_broken_file_says_why(library, folder):
    save(library, "deploy", "1")
    (folder / "deploy.json").write_text("{")

    with pytest.raises(WorkflowBroken) as refused:
        library.load("deploy")

    assert str(refused.value).startswith("deploy.json cannot be read as a workflow: line 1, column")


def test_what_was_set_aside_before_is_not_overwritten(library, folder):
    save(library, "deploy", "1")
    for content in ("{1", "{2", "{3"):
        (folder / "test.json").write_text(content)
        save(library, "test", content)

    aside = {file.name: file.read_text() for file in folder.glob("test.json*")}
    del aside["test.json"]
    assert aside == {
        "test.json.broken": "{1",
        "test.json.broken-2": "{2",
        "test.json.broken-3": "{3",
    }
    assert len(library.list().warnings) == 3


def test_files_and_folders_that_are_no_workflows_are_named_and_left(library, folder):
    save(library, "deploy", "1")
    (folder / "my deploy.json").write_text("{}")
    (folder / "notes.txt").write_text("hello")
    (folder / "test.json").mkdir()

    listing = library.list()

    assert [saved.name for saved in listing.workflows] == ["deploy"]
    assert listing.warnings == (
        "my deploy.json is passed over: its name cannot be a workflow's, which needs up to 64 "
        "letters, digits, _ and -, beginning with a letter (' ' cannot be in it).",
        "test.json is passed over: Is a directory.",
    )
    with pytest.raises(WorkflowExists):
        save(library, "test", "2")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_a_file_elsewhere_is_neither_read_nor_written_through(library, folder, tmp_path):
    save(library, "deploy", "1")
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text(json.dumps(workflow("2")))
    before = elsewhere.read_bytes()
    for name in ("a", "b", "test"):
        (folder / f"{name}.json").symlink_to(elsewhere)

    with pytest.raises(LibraryUnusable, match="it is a link"):
        library.load("a")
    library.count_success("a")
    with pytest.raises(WorkflowUnknown):
        library.delete("a")
    with pytest.raises(WorkflowUnknown):
        library.rename("b", "d")
    with pytest.raises(WorkflowExists):
        save(library, "test", "3")

    assert elsewhere.read_bytes() == before
    assert library.names() == ("deploy",)
    assert "a.json is passed over: it is a link" in library.list().warnings[0]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("ask", ["names", "list", "load", "save", "delete", "succeeded", "import"])
def test_a_folder_that_is_a_link_is_left_as_it_is(library, folder, tmp_path, ask):
    """Otherwise `package.json` and `settings.json` of a project would be wfnb's."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "package.json").write_text("{}")
    (project / "test.json").write_text(json.dumps(workflow("2")))
    folder.parent.mkdir(exist_ok=True)
    folder.symlink_to(project)
    before = {path.name: path.read_bytes() for path in project.iterdir()}
    asked = {
        "names": library.names,
        "list": library.list,
        "load": lambda: library.load("test"),
        "save": lambda: save(library, "deploy", "1"),
        "delete": lambda: library.delete("test"),
        "succeeded": lambda: library.count_success("test"),
        "import": lambda: library.import_file(project / "test.json", "other"),
    }

    with pytest.raises(LibraryUnusable, match="it is a link"):
        asked[ask]()

    assert {path.name: path.read_bytes() for path in project.iterdir()} == before


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("link", [".lock", "index.json"])
def test_links_in_place_of_its_own_files_lead_nowhere(library, folder, tmp_path, link):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine")
    folder.mkdir(parents=True)
    (folder / link).symlink_to(elsewhere)

    try:
        save(library, "deploy", "1")
    except LibraryUnusable:
        assert link == ".lock"

    assert elsewhere.read_text() == "mine"


def test_a_folder_that_cannot_be_is_said_so(tmp_path):
    (tmp_path / "file").touch()
    library = WorkflowLibrary(tmp_path / "file" / "workflows")

    with pytest.raises(LibraryUnusable, match="cannot be used"):
        save(library, "deploy", "1")
    with pytest.raises(LibraryUnusable, match=r"cannot be used \(Not a directory\)"):
        library.names()
