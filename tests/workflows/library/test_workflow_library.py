"""The library of workflows: what is saved is there, and nothing else is touched."""

import json
import os
import sys

import pytest

from wfnb.errors import BadText, WorkflowUnknown
from wfnb.workflows.definition.reader import content_hash, parse
from wfnb.workflows.library.definition_file import MAX_BYTES
from wfnb.workflows.library.saved_workflow import SavedWorkflow

from .shelves import contents, index, save, workflow


def test_a_workflow_is_saved_with_what_is_known_of_it(library, folder):
    definition = workflow("1", description="Say one", version="2")

    name = library.save(definition, "deploy", "0123456789abcdef", states=7)

    assert name == "deploy"
    assert json.loads((folder / "deploy.json").read_text("utf-8")) == {
        "definition": {"name": "deploy", **definition},
        "metadata": {
            "hash": "0123456789abcdef",
            "created": "t00",
            "changed": "t00",
            "success_count": 1,
            "last_execution": "t00",
            "total_states": 7,
        },
    }
    assert library.load("deploy") == {"name": "deploy", **definition}
    assert library.list().workflows == (
        SavedWorkflow(
            name="deploy",
            description="Say one",
            hash="0123456789abcdef",
            created="t00",
            changed="t00",
            success_count=1,
            last_execution="t00",
            total_states=7,
        ),
    )


def test_the_index_has_a_line_for_each_workflow(library, folder):
    save(library, "deploy", "1", description="Say one")
    save(library, "test", "2")

    made = index(folder)

    assert (made["version"], made["created"]) == ("1.0", "t01")
    entry = {key: made["workflows"]["deploy"][key] for key in ("file", "description", "created")}
    assert entry == {"file": "deploy.json", "description": "Say one", "created": "t00"}
    assert list(made["workflows"]) == ["deploy", "test"]
    assert made["workflows"]["test"]["success_count"] == 1


def test_before_anything_is_saved_there_is_nothing_and_no_folder_is_made(library, folder):
    assert library.names() == library.list().workflows == library.list().warnings == ()
    library.count_success("deploy")
    for ask in (library.load, library.delete, lambda name: library.rename(name, "x")):
        with pytest.raises(WorkflowUnknown):
            ask("deploy")

    assert not folder.parent.exists()


def test_the_folder_keeps_out_of_git_what_is_of_use_in_one_copy_only(library, folder):
    save(library, "deploy", "1")

    assert (folder / ".gitignore").read_text() == ".lock\nindex.json\n"


def test_a_file_without_metadata_keeps_its_place_in_the_order(library, folder):
    save(library, "first", "1")
    (folder / "by_hand.json").write_text(json.dumps(workflow("2")))
    before = [saved.created for saved in library.list().workflows]

    save(library, "last", "3")

    assert [saved.created for saved in library.list().workflows][:2] == before
    assert all(before)


def test_names_come_in_order_of_creation(library):
    for number, name in enumerate(["zebra", "ant", "Bee"]):
        save(library, name, str(number))
    save(library, "zebra", "new", overwrite=True)

    assert library.names() == ("zebra", "ant", "Bee")


def test_the_same_content_is_saved_once_whatever_its_name(library, folder):
    save(library, "deploy", "1")
    before = contents(folder)

    assert save(library, "deploy", "1") is None
    assert save(library, "another", "1") is None
    assert save(library, "another", "1", description="of other words") is None
    assert {**contents(folder), "index.json": b""} == {**before, "index.json": b""}


def test_to_overwrite_with_the_same_content_is_to_change_its_words(library):
    save(library, "deploy", "1")

    assert save(library, "deploy", "1", overwrite=True, description="Say it") == "deploy"

    (saved,) = library.list().workflows
    assert (saved.description, saved.success_count) == ("Say it", 2)


def test_loading_counts_nothing_and_success_does(library, folder):
    save(library, "deploy", "1")
    library.load("deploy")

    library.count_success("deploy")
    library.count_success("deploy")

    (saved,) = library.list().workflows
    assert (saved.success_count, saved.created, saved.changed) == (3, "t00", "t00")
    assert saved.last_execution == "t04"
    assert index(folder)["workflows"]["deploy"]["success_count"] == 3


def test_a_success_of_what_is_not_there_is_counted_nowhere(library):
    save(library, "deploy", "1")
    before = library.list()

    library.count_success("gone")

    assert library.list() == before


def test_a_workflow_is_found_by_its_content(library):
    save(library, "deploy", "1")
    save(library, "test", "2")

    assert library.name_for_hash(content_hash(parse(workflow("2", name="x")))) == "test"
    assert library.name_for_hash("0" * 16) is None


def test_a_deleted_workflow_is_gone_and_its_name_free(library, folder):
    save(library, "deploy", "1")
    save(library, "test", "2")

    library.delete("deploy")

    assert library.names() == ("test",)
    assert list(index(folder)["workflows"]) == ["test"]
    with pytest.raises(WorkflowUnknown):
        library.delete("deploy")
    assert save(library, "deploy", "3") == "deploy"


@pytest.mark.parametrize(
    "definition",
    [
        workflow("x" * MAX_BYTES),
        workflow("é" * (MAX_BYTES // 2)),
        workflow("\ud800"),
        workflow("1", variables={"x": float("nan")}),
        workflow("1", variables={"x": object()}),
        workflow("1", variables={1: "a", "1": "b"}),
        workflow("1", variables={"x": eval("[" * 150 + "]" * 150)}),
    ],
    ids=["long", "long as bytes", "lone", "nan", "object", "twice", "deep"],
)
def test_what_json_cannot_hold_is_refused_and_so_is_too_much(library, folder, definition):
    with pytest.raises(BadText, match=r"^The workflow (cannot be kept as JSON|is too large) \("):
        library.save(definition, "deploy", "0" * 16, 1)

    assert not folder.exists()


def test_a_library_costs_no_pydantic_until_something_is_imported():
    code = (
        "import sys, wfnb.workflows.library.workflow_library, wfnb.workflows.library.result_cache; "
        "print('pydantic' in sys.modules)"
    )
    with os.popen(f'"{sys.executable}" -c "{code}"') as said:
        assert said.read() == "False\n"
