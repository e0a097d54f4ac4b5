"""What can be looked at from a session, and what it counts as."""

from pathlib import Path
from typing import Any

import pytest

from tests.looking.repositories import git, repository, written
from wfnb.core.findings import Look
from wfnb.core.kind import OFFERED, builtin, kind_from, to_data
from wfnb.errors import (
    BadValue,
    FileMissing,
    KindBroken,
    LookUnknown,
    NameNowhere,
    Refused,
    RepositoryNone,
)
from wfnb.folder import Home
from wfnb.inquiry.looks import LOOKS, fill, look
from wfnb.looking.places import told_from
from wfnb.workspace import Workspace

A = '"""Words."""\n\ndef main():\n    read()\n\ndef read(): ...\n'


@pytest.fixture
def here(tmp_path: Path) -> Workspace:
    workspace = Home(tmp_path / ".wfnb").start("s")
    workspace.folder = tmp_path / "project"
    written(repository(workspace.folder, a=A, pkg__b="x = 1\n"), new="")
    return workspace


def test_changes_are_four_looks_at_the_repository(here: Workspace):
    git(written(here.folder, a="x = 1\n"), "add", "a.py")

    shown, looks = look(here, "changes")

    assert "+x = 1" in shown.text
    assert looks == (
        Look(kind="git", what="status"),
        Look(kind="git", what="staged: 1 file", files=("a.py",)),
        Look(kind="git", what="unstaged: nothing"),
        Look(kind="git", what="untracked: 1 file"),
    )


def test_files_of_a_look_are_told_from_the_notebooks_folder(here: Workspace):
    written(here.folder, a="x = 1\n")
    here.folder = here.folder / "pkg"

    shown, looks = look(here, "changes")

    assert shown.text.startswith("repository .. · branch main")
    assert looks[2].files == ("../a.py",)


def test_repositories_below_and_beside_are_not_looked_at(here: Workspace):
    for folder in (here.folder / "inner", here.folder.parent / "beside"):
        repository(folder, c="")
        written(folder, c="1")

    shown, looks = look(here, "changes")

    assert "c.py" not in shown.text
    assert [each.what for each in looks[1:]] == [
        "staged: nothing",
        "unstaged: nothing",
        "untracked: 2 files",
    ]


def test_a_folder_with_repositories_is_none(here: Workspace, tmp_path: Path):
    repository(tmp_path / "all" / "one", c="")
    here.folder = tmp_path / "all"

    with pytest.raises(RepositoryNone):
        look(here, "changes")
    assert look(here, "changes", ["one"])[0].text.startswith("repository one · branch main")


def test_what_a_kind_offers_is_what_can_be_looked_at():
    assert tuple(LOOKS) == OFFERED
    assert builtin()["codereview"].looks[:2] == ("changes", "last")


def test_a_kind_may_offer_all_that_can_be_looked_at():
    data = to_data(builtin()["debug"])

    assert kind_from({**data, "looks": list(OFFERED)}, "here").looks == OFFERED
    with pytest.raises(KindBroken, match="there are changes, last, outline, calls, undocumented"):
        kind_from({**data, "looks": ["first"]}, "here")


def test_before_a_commit_what_is_about_to_be_committed_is_looked_at(here: Workspace):
    ready = Home(here.folder / ".wfnb").start("r", kind="precommit")
    ready.folder = here.folder
    ready.step("Ready?", fields={"path": "."})

    assert [each.what.partition(":")[0] for each in look(ready)[1]] == [
        "status",
        "staged",
        "unstaged",
        "untracked",
    ]


def test_the_last_commit_is_one_look(here: Workspace):
    _, (seen,) = look(here, "last")

    assert (seen.kind, seen.files) == ("git", ("a.py", "pkg/b.py"))
    assert seen.what.endswith(": All of it")


def test_an_outline_is_of_files_or_of_a_folder(here: Workspace):
    _, one = look(here, "outline", ["a.py"])
    _, all_of_them = look(here, "outline", ["."])

    assert one == (Look(kind="code", what="outline a.py", files=("a.py",)),)
    assert [each.files[0] for each in all_of_them] == ["a.py", "new.py", "pkg/b.py"]


def test_calls_and_what_is_undocumented_are_looks_at_code(here: Workspace):
    shown, calls = look(here, "calls", ["main"])
    table, count = look(here, "undocumented")

    assert "→ read" in shown.text
    assert calls == (Look(kind="code", what="calls main", files=("a.py",)),)
    assert table.text.startswith("2 files of 3 in this folder")
    assert count == (Look(kind="code", what="undocumented ."),)


def test_a_file_is_read_with_the_numbers_of_its_lines(here: Workspace):
    whole, looks = look(here, "a.py")
    part, _ = look(here, "a.py", ["3-4"])
    rest, _ = look(here, "a.py", ["6-"])
    line, _ = look(here, "a.py", ["3"])

    assert looks == (Look(kind="file", what="a.py", files=("a.py",)),)
    assert whole.text.startswith("a.py · 6 lines\n1  ")
    assert part.text == "a.py · lines 3–4 of 6\n3  def main():\n4      read()"
    assert rest.text == "a.py · lines 6–6 of 6\n6  def read(): ..."
    assert line.text == "a.py · lines 3–3 of 6\n3  def main():"


def test_nothing_is_recorded_by_looking(here: Workspace):
    before = here.refresh().position

    look(here, "changes")

    assert here.refresh().position == before


def test_without_a_word_it_is_what_the_kind_offers_and_can_be_shown(tmp_path: Path):
    home = Home(tmp_path / ".wfnb")
    folder = repository(tmp_path / "project", a=A)
    plain, debug, trace = (
        home.start("p"),
        home.start("d", kind="debug"),
        home.start("t", kind="tracer"),
    )
    for each in (plain, debug, trace):
        each.folder = folder
    trace.step("Trace it", fields={"mode": "precision", "target": "main"})
    offered = [look(each)[1][0].what for each in (plain, debug, trace)]
    debug.step("It fails", relevant="a.py")

    assert offered == ["status", "status", "calls main"]
    assert look(debug)[1] == (Look(kind="code", what="outline a.py", files=("a.py",)),)


def test_the_repository_of_the_investigation_is_the_one(tmp_path: Path):
    workspace = Home(tmp_path / ".wfnb").start("s", kind="precommit")
    workspace.folder = tmp_path
    repository(tmp_path / "far", a=A)
    workspace.step("Ready?", fields={"path": "far"})

    assert look(workspace)[0].text.startswith("repository far · branch main")


MISTAKES: list[tuple[list[str], type[Refused], str]] = [
    (["diff"], LookUnknown, "Looks: changes, last, outline, calls, undocumented, or a file."),
    (["chnages"], LookUnknown, "Did you mean 'changes'?"),
    (["b.py"], FileMissing, "Did you mean 'a.py'?"),
    (["outline", "gone.py"], FileMissing, "no file 'gone.py'"),
    (["outline"], BadValue, "the name of a file"),
    (["calls"], BadValue, "the name of a function"),
    (["calls", "mian"], NameNowhere, "Did you mean 'main'?"),
    (["changes", "gone"], FileMissing, "no file 'gone'"),
    (["changes", "a.py"], BadValue, "a folder, not a file"),
    (["changes", "pkg", "pkg"], BadValue, "one folder"),
    (["pkg"], BadValue, "a file, not a folder"),
    (["a.py", "9"], BadValue, "a line up to 6"),
    (["a.py", "4-2"], BadValue, "two numbers, as 10-40"),
    (["a.py", "0"], BadValue, "two numbers, as 10-40"),
    (["a.py", "x"], BadValue, "two numbers, as 10-40"),
    (["a\0b"], LookUnknown, "nothing to look at"),
]


@pytest.mark.parametrize(("words", "error", "says"), MISTAKES)
def test_a_mistake_is_a_line(here: Workspace, words: list[str], error: type[Refused], says: str):
    with pytest.raises(error) as refused:
        look(here, words[0], words[1:])

    assert says in str(refused.value)


def test_no_repository_is_refused_in_gits_words(here: Workspace, tmp_path: Path):
    here.folder = tmp_path / "none"
    here.folder.mkdir()

    with pytest.raises(RepositoryNone, match="not a git repository"):
        look(here, "changes")
    with pytest.raises(RepositoryNone, match="not a git repository"):
        look(here, "last")


@pytest.mark.parametrize("words", [["changes"], ["last"], ["changes", "deep/down"]])
def test_a_folder_without_a_repository_is_told_from_the_notebook(
    here: Workspace, tmp_path: Path, words: list[str]
):
    here.folder = tmp_path / "none"
    (here.folder / "deep" / "down").mkdir(parents=True)

    with pytest.raises(RepositoryNone) as refused:
        look(here, words[0], words[1:])

    assert refused.value.path == (*words, ".")[1]
    assert str(tmp_path) not in str(refused.value)


def test_a_path_that_git_names_is_told_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "books").mkdir()

    with pytest.raises(RepositoryNone) as refused, told_from(tmp_path / "notes"):
        raise RepositoryNone(f"{tmp_path}/books", f"dubious ownership in '{tmp_path}/books'")

    assert (refused.value.path, refused.value.why) == (
        "~/books",
        "dubious ownership in '~/books'",
    )


def filled(folder: Path, kind: str = "docgen", **says: Any) -> dict[str, Any]:
    says = {"fields": {}, "first": False, "ending": False} | says
    return fill(builtin()[kind], says.pop("fields"), folder, **says)


def test_docgen_counts_what_is_not_said(here: Workspace):
    folder = here.folder
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


def test_docgen_counts_in_the_folder_that_was_named(here: Workspace):
    written(here.folder, pkg__c="x = 1", pkg__d="x = 1")

    path = {"path": "pkg"}

    assert filled(here.folder, first=True, fields={"path": "./pkg"}) == path | {
        "total_files_to_document": 3
    }
    assert filled(here.folder, ending=True, known=path | {"total_files_to_document": 3}) == {
        "num_files_documented": 0
    }


def test_places_are_checked(here: Workspace, tmp_path: Path):
    with pytest.raises(FileMissing):
        filled(here.folder, first=True, fields={"path": "gone"})
    with pytest.raises(BadValue, match="a folder, not a file"):
        filled(here.folder, first=True, fields={"path": "a.py"})
    with pytest.raises(BadValue, match="the path of a folder"):
        filled(here.folder, first=True, fields={"path": 3})
    (tmp_path / "none").mkdir()
    with pytest.raises(RepositoryNone):
        filled(tmp_path / "none", "precommit", fields={"path": "."})
    assert filled(here.folder, "precommit", fields={"path": "pkg/"}) == {"path": "pkg"}
