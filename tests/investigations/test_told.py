"""What the folder tells is filled in where a step does not say it; what it says is checked."""

from pathlib import Path
from typing import Any

import pytest

from tests.inspection.repositories import written
from wfnb.errors import (
    BadValue,
    FolderMissing,
    RepositoryNone,
)
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.looks.file_counts import StepClaim, checked_fields
from wfnb.investigations.looks.look_commands import look
from wfnb.workspace import Workspace


def test_a_folder_without_a_repository_is_named_as_it_was_typed(here: Workspace, tmp_path: Path):
    outside = tmp_path / "none"
    outside.mkdir()

    with pytest.raises(RepositoryNone) as looked:
        look(here.log, "changes", [str(outside)])
    with pytest.raises(RepositoryNone) as said:
        filled(here.log.folder, "precommit", fields={"path": str(outside)})

    assert (looked.value.path, said.value.path) == (str(outside), str(outside))


def filled(folder: Path, kind: str = "docgen", **says: Any) -> dict[str, Any]:
    says = {"fields": {}, "first": False, "ending": False} | says
    fields = says.pop("fields")
    return checked_fields(builtin_kinds()[kind], fields, folder, StepClaim(**says))


def test_docgen_counts_what_is_not_said(here: Workspace):
    folder = here.log.folder
    known = {"total_files_to_document": 3}

    assert filled(folder, first=True) == {"total_files_to_document": 2}
    assert filled(folder, first=True, fields={"total_files_to_document": 7}) == {
        "total_files_to_document": 7
    }
    assert filled(folder, ending=True, known=known) == {"num_files_documented": 1}
    assert filled(folder, ending=True, known=known, fields={"num_files_documented": 0}) == {
        "num_files_documented": 0
    }
    assert filled(folder, known=known) == {}


@pytest.mark.parametrize(
    ("fields", "needs"),
    [
        ({"total_files_to_document": 0}, "2 or more: 2 have something undocumented now"),
        ({"total_files_to_document": "1"}, "2 or more"),
        ({"num_files_documented": 99}, "1 at most: of 3 files, 2 have something undocumented now"),
        ({"num_files_documented": 3}, "1 at most"),
        ({"total_files_to_document": 9, "num_files_documented": 9}, "7 at most"),
    ],
)
def test_docgen_refuses_a_count_that_the_disk_does_not_have(
    here: Workspace, fields: dict[str, Any], needs: str
):
    known = {"total_files_to_document": 3}

    with pytest.raises(BadValue) as refused:
        filled(here.log.folder, known=known, fields=fields)

    assert needs in str(refused.value)


def test_docgen_ends_where_there_is_nothing_to_document(tmp_path: Path):
    folder = written(tmp_path, good='"""Said."""\n')

    assert filled(folder, first=True, ending=True) == {
        "total_files_to_document": 0,
        "num_files_documented": 0,
    }


def test_docgen_counts_in_the_folder_that_was_named(here: Workspace):
    written(here.log.folder, pkg__c="x = 1", pkg__d="x = 1")

    path = {"path": "pkg"}

    assert filled(here.log.folder, first=True, fields={"path": "./pkg"}) == path | {
        "total_files_to_document": 3
    }
    assert filled(here.log.folder, ending=True, known=path | {"total_files_to_document": 3}) == {
        "num_files_documented": 0
    }


def test_places_are_checked(here: Workspace, tmp_path: Path):
    with pytest.raises(FolderMissing):
        filled(here.log.folder, first=True, fields={"path": "gone"})
    with pytest.raises(BadValue, match="a folder, not a file"):
        filled(here.log.folder, first=True, fields={"path": "a.py"})
    with pytest.raises(BadValue, match="the path of a folder"):
        filled(here.log.folder, first=True, fields={"path": 3})
    (tmp_path / "none").mkdir()
    with pytest.raises(RepositoryNone):
        filled(tmp_path / "none", "precommit", fields={"path": "."})
    assert filled(here.log.folder, "precommit", fields={"path": "pkg/"}) == {"path": "pkg"}
