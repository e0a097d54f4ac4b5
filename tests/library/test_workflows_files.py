"""What may be wrong with the files of a library: lost, broken, changed by hand, links."""

import json
import os
import re

import pytest

from wfnb.errors import (
    LibraryUnusable,
    WorkflowBroken,
    WorkflowExists,
)
from wfnb.library.definition import LARGEST
from wfnb.library.workflows import WorkflowLibrary
from wfnb.workflow.read import content_hash, parse

from .shelves import index, save, workflow

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


def test_a_file_that_came_by_hand_is_a_workflow_like_any_other(library, folder):
    save(library, "deploy", "1")
    (folder / "mine.json").write_text(json.dumps(workflow("2", name="elsewhere", description="By")))

    assert library.load("mine") == {**workflow("2", description="By"), "name": "mine"}
    mine = next(saved for saved in library.list().workflows if saved.name == "mine")
    assert (mine.description, mine.success_count, mine.last_execution) == ("By", 0, None)
    assert save(library, "another", "2") is None
    library.succeeded("mine")
    assert json.loads((folder / "mine.json").read_text())["metadata"]["success_count"] == 1


def test_a_file_that_was_changed_by_hand_has_the_content_it_has_now(library, folder):
    save(library, "deploy", "1")
    file = folder / "deploy.json"
    file.write_text(file.read_text().replace("echo 1", "echo changed"))

    assert save(library, "again", "1") == "again"
    assert save(library, "more", "changed") is None
    assert library.named(content_hash(parse(workflow("changed")))) == "deploy"


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
    (b" " * (LARGEST + 1), "it is too large (10,000,001 bytes; 10,000,000 are read at most)"),
]


@pytest.mark.parametrize(("content", "what"), BROKEN, ids=[what[:20] for _, what in BROKEN])
def test_a_broken_file_is_set_aside_and_named_and_all_else_goes_on(library, folder, content, what):
    save(library, "deploy", "1")
    (folder / "test.json").write_bytes(content)

    listing = library.list()

    assert [saved.name for saved in listing.workflows] == ["deploy"]
    (warning,) = listing.warnings
    assert warning.startswith(f"test.json.broken was set aside: {what}")
    assert warning.endswith("Mended, it is to be called test.json again.")
    assert warning.isprintable()
    assert (folder / "test.json.broken").read_bytes() == content
    with pytest.raises(WorkflowBroken, match=re.escape(f"test.json.broken was set aside: {what}")):
        library.load("test")
    assert save(library, "test", "2") == "test"
    assert library.load("test")["steps"] == workflow("2")["steps"]


def test_loading_a_broken_file_says_why_and_where_it_is_now(library, folder):
    save(library, "deploy", "1")
    (folder / "deploy.json").write_text("{")

    with pytest.raises(WorkflowBroken) as refused:
        library.load("deploy")

    assert str(refused.value).startswith("deploy.json cannot be read as a workflow: line 1, column")
    assert str(refused.value).endswith("It is set aside as deploy.json.broken.")


def test_what_was_set_aside_before_is_not_overwritten(library, folder):
    save(library, "deploy", "1")
    for content in ("{1", "{2", "{3"):
        (folder / "test.json").write_text(content)
        library.names()

    aside = {file.name: file.read_text() for file in folder.glob("test.json*")}
    assert aside == {
        "test.json.broken": "{1",
        "test.json.broken-2": "{2",
        "test.json.broken-3": "{3",
    }
    assert len(library.list().warnings) == 3


def test_a_change_sets_broken_files_aside_too(library, folder):
    save(library, "deploy", "1")
    (folder / "test.json").write_text("{")

    library.succeeded("deploy")

    assert (folder / "test.json.broken").read_text() == "{"


def test_files_and_folders_that_are_no_workflows_are_named_and_left(library, folder):
    save(library, "deploy", "1")
    (folder / "my deploy.json").write_text("{}")
    (folder / "notes.txt").write_text("hello")
    (folder / "test.json").mkdir()

    listing = library.list()

    assert [saved.name for saved in listing.workflows] == ["deploy"]
    assert listing.warnings == (
        "my deploy.json is passed over: its name cannot be a workflow's.",
        "test.json is passed over: Is a directory.",
    )
    with pytest.raises(WorkflowExists):
        save(library, "test", "2")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_a_file_elsewhere_is_read_and_never_written_through(library, folder, tmp_path):
    save(library, "deploy", "1")
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text(json.dumps(workflow("2")))
    before = elsewhere.read_bytes()
    for name in ("a", "b", "c"):
        (folder / f"{name}.json").symlink_to(elsewhere)

    assert library.load("a")["steps"] == workflow("2")["steps"]
    library.succeeded("a")
    assert (folder / "a.json").is_symlink()
    library.delete("a")
    library.rename("b", "d")
    save(library, "c", "3", overwrite=True)

    assert elsewhere.read_bytes() == before
    assert set(library.names()) == {"deploy", "c", "d"}
    assert library.load("c")["steps"] == workflow("3")["steps"]


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
