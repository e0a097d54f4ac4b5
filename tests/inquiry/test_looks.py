"""What can be looked at from a session, and what it counts as."""

from pathlib import Path
from typing import Any

import pytest

from tests.looking.repositories import git, repository, written
from wfnb.core.findings import Look
from wfnb.core.kind import OFFERED, builtin, kind_from, to_data
from wfnb.core.seen import Call, CallPath
from wfnb.errors import (
    BadValue,
    FileMissing,
    FolderMissing,
    KindBroken,
    LookUnknown,
    NameNowhere,
    Refused,
    RepositoryNone,
)
from wfnb.folder import Home
from wfnb.inquiry.looks import LOOKS, look
from wfnb.inquiry.told import fill
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
        Look(kind="git", what="status", conflict=False),
        Look(kind="git", what="staged: 1 file", files=("a.py",)),
        Look(kind="git", what="unstaged: nothing"),
        Look(kind="git", what="untracked: 1 file"),
    )


def torn(folder: Path) -> None:
    """A merge that stopped: `a.py` is in conflict."""
    git(folder, "checkout", "-q", "-b", "other")
    git(written(folder, a="x = 2\n"), "commit", "-qam", "Two")
    git(folder, "checkout", "-q", "main")
    git(written(folder, a="x = 3\n"), "commit", "-qam", "Three")
    git(folder, "merge", "other", check=False)


def test_what_is_in_conflict_is_a_look_of_its_own(here: Workspace):
    torn(here.folder)
    written(here.folder, pkg__b="x = 4\n")

    shown, looks = look(here, "changes")

    assert "++<<<<<<< HEAD" in shown.text
    assert looks[:4] == (
        Look(kind="git", what="status", conflict=True),
        Look(kind="git", what="conflict: 1 file", files=("a.py",)),
        Look(kind="git", what="staged: nothing"),
        Look(kind="git", what="unstaged: 1 file", files=("pkg/b.py",)),
    )


def test_where_nothing_differs_the_last_commit_is_offered(tmp_path: Path):
    workspace = Home(tmp_path / ".wfnb").start("s", kind="codereview")
    workspace.folder = repository(tmp_path / "project", a=A)
    (clean,) = look(workspace)[1]
    written(workspace.folder, a="x = 1\n")

    assert clean.what.startswith("commit ")
    assert look(workspace)[1][0].what == "status"


def test_what_may_hold_secrets_does_not_count_as_read(here: Workspace):
    (here.folder / "credentials.json").write_text("hunter2")

    shown, (*_, new) = look(here, "changes")

    assert "credentials.json" in shown.text
    assert "hunter2" not in shown.text
    assert (new.what, new.files) == ("untracked: 2 files", ())


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
    assert all_of_them == (
        Look(kind="code", what="outline .: 3 of 3 files", files=("a.py", "new.py", "pkg/b.py")),
    )


def test_calls_and_what_is_undocumented_are_looks_at_code(here: Workspace):
    shown, calls = look(here, "calls", ["main"])
    table, count = look(here, "undocumented")

    assert "→ read" in shown.text
    call = Call(caller="main", callee="read", path="a.py", line=4)
    drawn = (CallPath(target="main", path="a.py", line=3, calls=(call,)),)
    assert calls == (Look(kind="code", what="calls main", files=("a.py",), drawn=drawn),)
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


def test_names_are_searched_for_in_the_whole_repository(here: Workspace):
    written(here.folder, lib__deep="def far():\n    read()\n")
    here.folder = here.folder / "pkg"

    shown, (seen,) = look(here, "calls", ["far"])

    assert shown.text.startswith("far · ../lib/deep.py:1\n")
    assert seen.files == ("../lib/deep.py",)
    with pytest.raises(NameNowhere) as refused:
        look(here, "calls", ["mian"])
    assert "in the Python files of '..'. Did you mean 'main'?" in str(refused.value)


def test_names_are_searched_for_in_the_folder_that_the_kind_is_about(tmp_path: Path):
    workspace = Home(tmp_path / ".wfnb").start("s", kind="precommit")
    workspace.folder = repository(tmp_path / "here", a="def near(): ...\n")
    repository(tmp_path / "far", b="def away(): ...\n")
    workspace.step("Ready?", fields={"path": "../far"})

    assert look(workspace, "calls", ["away"])[0].text.startswith("away · ../far/b.py:1\n")
    with pytest.raises(NameNowhere, match=r"in the Python files of '\.\./far'"):
        look(workspace, "calls", ["near"])


def test_a_commit_and_the_commits_of_a_range_can_be_looked_at(here: Workspace):
    git(here.folder, "add", ".")
    git(here.folder, "commit", "-qm", "New")
    for text in ("y = 1\n", "y = 2\n"):
        git(written(here.folder, a=text, pkg__b=text), "commit", "-qam", text.strip())

    one, (commit,) = look(here, "commit", ["HEAD~2"])
    several, (commits,) = look(here, "changes", ["HEAD~2.."])
    narrow, (part,) = look(here, "changes", ["HEAD~2..HEAD", "pkg/b.py"])

    assert "new.py  committed  added" in one.text
    assert commit.what.endswith(": New")
    assert "2 commits of HEAD~2.. · 2 committed" in several.text
    assert [note.split("  ")[1] for note in several.notes] == ["y = 2", "y = 1"]
    assert (commits.what, commits.files) == ("commits HEAD~2..: 2", ("a.py", "pkg/b.py"))
    assert (part.what, part.files) == ("commits HEAD~2..HEAD in pkg/b.py: 2", ("pkg/b.py",))
    assert "in pkg/b.py alone" in narrow.text
    assert "a.py" not in narrow.body


def test_of_a_range_counts_what_was_done_since_it_left(here: Workspace):
    git(here.folder, "checkout", "-qb", "mine")
    git(written(here.folder, a="mine = 1\n"), "commit", "-qam", "Mine")
    git(here.folder, "checkout", "-q", "main")
    git(written(here.folder, pkg__b="theirs = 1\n"), "commit", "-qam", "Theirs")
    git(here.folder, "checkout", "-q", "mine")

    shown, _ = look(here, "changes", ["main.."])

    assert shown.notes[0].endswith("  Mine")
    assert "theirs" not in shown.body


def test_a_file_or_folder_narrows_what_is_looked_at(here: Workspace):
    written(here.folder, a="x = 2\n", pkg__b="x = 2\n")

    whole = look(here, "changes")[1]
    folder = look(here, "changes", ["pkg"])[1]
    file = look(here, "changes", ["a.py"])[1]

    assert [each[2].files for each in (whole, folder, file)] == [
        ("a.py", "pkg/b.py"),
        ("pkg/b.py",),
        ("a.py",),
    ]
    assert [each.what for each in folder] == [
        "status in pkg",
        "staged: nothing in pkg",
        "unstaged: 1 file in pkg",
        "untracked: nothing in pkg",
    ]


def test_only_the_files_whose_difference_is_shown_count_as_read(here: Workspace):
    many = {f"m{n:03}": "x = 1\n" * 300 for n in range(9)}
    git(written(here.folder, **many), "add", ".")

    shown, (_, staged, _, untracked) = look(here, "changes")

    assert staged.what == "staged: 10 files"
    assert [each for each in staged.files if f"b/{each}\n" not in shown.body] == []
    assert 0 < len(staged.files) < 10
    assert untracked.files == ()


def test_new_files_that_are_shown_count_as_read(here: Workspace):
    written(here.folder, more="z = 1\n")

    shown, (*_, new) = look(here, "changes")

    assert "# untracked\nnew file more.py\n+z = 1\n" in shown.body
    assert (new.what, new.files) == ("untracked: 2 files", ("more.py",))


def test_the_notebook_is_no_part_of_what_is_looked_at(here: Workspace):
    here.notebook = here.folder / "pkg" / "n.ipynb"
    here.notebook.write_text("{}")
    (here.folder / "other.ipynb").write_text("{}")

    shown, looks = look(here, "changes")

    assert looks[3].what == "untracked: 2 files"
    assert "other.ipynb" in shown.text
    assert "1 file left out: the notebook itself, checkpoints, exports, .wfnb" in shown.notes


def test_an_outline_says_what_it_leaves_out(here: Workspace):
    written(here.folder, **{f"m{n:03}": "def f(): ...\n" * 3 for n in range(120)})

    shown, (seen,) = look(here, "outline", ["."])

    count = len(seen.files)
    assert seen.what == f"outline .: {count} of 123 files"
    assert shown.title == f"{count} of 123 files"
    assert f"{123 - count} files left out: name a file, or a folder in there" in shown.notes
    assert {row[0] for row in shown.rows} <= {*seen.files}
    assert len(shown.rows) <= 200


def test_a_large_file_is_counted_whole_and_shown_in_parts(here: Workspace):
    (here.folder / "big.txt").write_text("".join(f"line {n}\n" for n in range(1, 400_001)))

    whole, _ = look(here, "big.txt")
    end, _ = look(here, "big.txt", ["399999-400000"])

    assert whole.title == "big.txt · 400,000 lines"
    assert whole.notes == ["lines 1–1,000 are shown; `%wfnb look big.txt 1001-2000` goes on"]
    assert whole.body.endswith("\n1000  line 1000")
    assert end.body == "399999  line 399999\n400000  line 400000"
    assert end.notes == []


def test_lines_are_numbered_as_python_numbers_them(here: Workspace):
    (here.folder / "a.py").write_bytes("x = 1\x0c\r\n# \u2028\rdef f(): ...\n".encode())

    shown, _ = look(here, "a.py", ["3"])
    outline, _ = look(here, "outline", ["a.py"])

    assert shown.text == "a.py · lines 3–3 of 3\n3  def f(): ..."
    assert outline.rows[0][2] == "3–3"
    assert look(here, "a.py")[0].body == "1  x = 1\x0c\n2  # ⟨U+2028⟩\n3  def f(): ..."


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
    (
        ["diff"],
        LookUnknown,
        "Looks: changes, last, commit, outline, calls, undocumented, or a file",
    ),
    (["chnages"], LookUnknown, "Did you mean 'changes'?"),
    (["b.py"], FileMissing, "Did you mean 'a.py'?"),
    (["outline", "gone.py"], FileMissing, "no file 'gone.py'"),
    (["outline"], BadValue, "the name of a file"),
    (["calls"], BadValue, "the name of a function"),
    (["calls", "mian"], NameNowhere, "Did you mean 'main'?"),
    (["changes", "gone"], FileMissing, "no file 'gone'"),
    (["undocumented", "a.py"], BadValue, "a folder, not a file"),
    (["undocumented", "gone"], FolderMissing, "There is no folder 'gone' here."),
    (["undocumented", "pgk"], FolderMissing, "Did you mean 'pkg'?"),
    (["commit"], BadValue, "a revision: `%wfnb look commit HEAD~1`"),
    (["commit", "mian"], BadValue, "of the repository: Did you mean 'main'?"),
    (["commit", "--output=x"], BadValue, "revision is '--output=x'. It needs a commit"),
    (["commit", ""], BadValue, "revision is ''. It needs a commit"),
    (["commit", "HEAD", "gone.py"], FileMissing, "no file 'gone.py'"),
    (["changes", "mian.."], BadValue, "of the repository: Did you mean 'main'?"),
    (["changes", "main..-x"], BadValue, "revision is '-x'"),
    (["changes", "main..", "a.py", "pkg"], BadValue, "one folder, or one file"),
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


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_revision_that_cannot_be_one_is_refused_without_a_repository(
    here: Workspace, tmp_path: Path, name: str
):
    here.folder = tmp_path / "none"
    here.folder.mkdir()

    with pytest.raises(RepositoryNone, match="not a git repository"):
        look(here, "commit", [name])


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


def test_a_folder_without_a_repository_is_named_as_it_was_typed(here: Workspace, tmp_path: Path):
    outside = tmp_path / "none"
    outside.mkdir()

    with pytest.raises(RepositoryNone) as looked:
        look(here, "changes", [str(outside)])
    with pytest.raises(RepositoryNone) as said:
        filled(here.folder, "precommit", fields={"path": str(outside)})

    assert (looked.value.path, said.value.path) == (str(outside), str(outside))


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
        filled(here.folder, known=known, fields=fields)

    assert needs in str(refused.value)


def test_docgen_ends_where_there_is_nothing_to_document(tmp_path: Path):
    folder = written(tmp_path, good='"""Said."""\n')

    assert filled(folder, first=True, ending=True) == {
        "total_files_to_document": 0,
        "num_files_documented": 0,
    }


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
    with pytest.raises(FolderMissing):
        filled(here.folder, first=True, fields={"path": "gone"})
    with pytest.raises(BadValue, match="a folder, not a file"):
        filled(here.folder, first=True, fields={"path": "a.py"})
    with pytest.raises(BadValue, match="the path of a folder"):
        filled(here.folder, first=True, fields={"path": 3})
    (tmp_path / "none").mkdir()
    with pytest.raises(RepositoryNone):
        filled(tmp_path / "none", "precommit", fields={"path": "."})
    assert filled(here.folder, "precommit", fields={"path": "pkg/"}) == {"path": "pkg"}
