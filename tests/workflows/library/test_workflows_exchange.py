"""Workflows in and out of a library, as YAML and JSON."""

import json
import re

import pytest

from wfnb.errors import (
    BadValue,
    WorkflowBroken,
    WorkflowEmpty,
    WorkflowExists,
    WorkflowInvalid,
)
from wfnb.workflows.definition.reader import content_hash, parse
from wfnb.workflows.library.workflow_library import WorkflowLibrary

from .shelves import save, workflow


@pytest.mark.parametrize("suffix", ["json", "yaml", "yml"])
def test_what_is_exported_is_imported_as_it_was(library, tmp_path, suffix):
    save(library, "deploy", "1", description="no: “x”\nand more", variables={"zip": "010"})
    before = library.load("deploy")

    file = library.export("deploy", tmp_path / "out" / f"deploy.{suffix}")
    library.delete("deploy")

    assert library.import_file(file) == "deploy"
    assert library.load("deploy") == before
    (saved,) = library.list().workflows
    assert (saved.success_count, saved.last_execution, saved.total_states) == (0, None, 1)
    assert saved.hash == content_hash(parse(before))


def test_a_file_of_a_library_is_imported_into_another(library, folder, tmp_path):
    save(library, "deploy", "1")
    other = WorkflowLibrary(tmp_path / "other")

    assert other.import_file(folder / "deploy.json") == "deploy"
    assert other.load("deploy") == library.load("deploy")


def test_an_imported_workflow_is_called_as_asked_else_by_itself_else_by_its_file(library, tmp_path):
    file = tmp_path / "nightly.workflow.json"
    for number, more in enumerate([{}, {"name": "own"}]):
        file.write_text(json.dumps(workflow(f"{number}", **more)))
        assert library.import_file(file) == ("own" if more else "nightly")
    file.write_text(json.dumps(workflow("3", name="own")))

    assert library.import_file(file, name="asked") == "asked"
    assert library.names() == ("nightly", "own", "asked")


@pytest.mark.parametrize(
    ("name", "content", "error", "what"),
    [
        ("x.yaml", "steps: [", WorkflowBroken, "x.yaml cannot be read as a workflow: line 1, col"),
        ("x.json", '{"steps": []}', WorkflowInvalid, "steps"),
        ("x.json", "{}", WorkflowInvalid, "neither `states` nor `steps`"),
        ("x.json", "", WorkflowEmpty, "x.json says nothing. It needs `steps` or `states`"),
        ("x.yaml", "# steps:\n", WorkflowEmpty, "x.yaml says nothing."),
        ("x.yaml", "3", WorkflowInvalid, "A workflow is a mapping"),
        ("my x.json", json.dumps(workflow("1")), WorkflowInvalid, "my x"),
        ("none.json", None, WorkflowBroken, "none.json cannot be read as a workflow: No such file"),
    ],
)
def test_what_is_no_workflow_is_not_imported(library, folder, tmp_path, name, content, error, what):
    if content is not None:
        (tmp_path / name).write_text(content)

    with pytest.raises(error, match=re.escape(what)):
        library.import_file(tmp_path / name)

    assert not folder.exists()


def test_an_import_is_refused_where_a_saved_workflow_would_be(library, tmp_path):
    save(library, "deploy", "1")
    file = tmp_path / "deploy.json"
    file.write_text(json.dumps(workflow("2")))

    with pytest.raises(WorkflowExists):
        library.import_file(file)
    assert library.import_file(file, overwrite=True) == "deploy"
    assert library.import_file(file, name="again") is None


@pytest.mark.parametrize("name", ["deploy", "deploy.txt", "deploy.json.bak"])
def test_an_export_says_by_its_name_what_it_is(library, tmp_path, name):
    save(library, "deploy", "1")

    with pytest.raises(BadValue, match=r"a name that ends in \.json, \.yaml or \.yml"):
        library.export("deploy", tmp_path / name)


def test_an_export_that_cannot_be_written_is_refused(library, tmp_path):
    save(library, "deploy", "1")
    (tmp_path / "file").touch()

    with pytest.raises(BadValue, match=r"needs a place that can be written \(.+\)\.$"):
        library.export("deploy", tmp_path / "file" / "x.json")
