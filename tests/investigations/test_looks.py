"""What a kind offers to look at, and what cannot be looked at."""

from pathlib import Path

import pytest

from tests.inspection.repositories import repository, written
from tests.investigations.conftest import A
from wfnb.core.findings import Look
from wfnb.errors import (
    BadValue,
    FileMissing,
    FolderMissing,
    KindBroken,
    LookUnknown,
    NameNowhere,
    Refused,
)
from wfnb.home_folder import Home
from wfnb.investigations.core.kind import OFFERED
from wfnb.investigations.core.kind_reader import builtin_kinds, kind_from, to_data
from wfnb.investigations.looks.look_commands import LOOKS, look
from wfnb.workspace import Workspace


def test_where_nothing_differs_the_last_commit_is_offered(tmp_path: Path):
    workspace = Home(tmp_path / ".wfnb").start("s", kind="codereview")
    workspace.log.folder = repository(tmp_path / "project", a=A)
    (clean,) = look(workspace.log)[1]
    written(workspace.log.folder, a="x = 1\n")

    assert clean.what.startswith("commit ")
    assert look(workspace.log)[1][0].what == "status"


def test_what_a_kind_offers_is_what_can_be_looked_at():
    assert tuple(LOOKS) == OFFERED
    assert builtin_kinds()["codereview"].looks[:2] == ("changes", "last")


def test_a_kind_may_offer_all_that_can_be_looked_at():
    data = to_data(builtin_kinds()["debug"])

    assert kind_from({**data, "looks": list(OFFERED)}, "here").looks == OFFERED
    with pytest.raises(KindBroken, match="there are changes, last, outline, calls, undocumented"):
        kind_from({**data, "looks": ["first"]}, "here")


def test_before_a_commit_what_is_about_to_be_committed_is_looked_at(here: Workspace):
    ready = Home(here.log.folder / ".wfnb").start("r", kind="precommit")
    ready.log.folder = here.log.folder
    ready.step("Ready?", fields={"path": "."})

    assert [each.what.partition(":")[0] for each in look(ready.log)[1]] == [
        "status",
        "staged",
        "unstaged",
        "untracked",
    ]


def test_nothing_is_recorded_by_looking(here: Workspace):
    before = here.log.refresh().position

    look(here.log, "changes")

    assert here.log.refresh().position == before


def test_without_a_word_it_is_what_the_kind_offers_and_can_be_shown(tmp_path: Path):
    home = Home(tmp_path / ".wfnb")
    folder = repository(tmp_path / "project", a=A)
    plain, debug, trace = (
        home.start("p"),
        home.start("d", kind="debug"),
        home.start("t", kind="tracer"),
    )
    for each in (plain, debug, trace):
        each.log.folder = folder
    trace.step("Trace it", fields={"mode": "precision", "target": "main"})
    offered = [look(each.log)[1][0].what for each in (plain, debug, trace)]
    debug.step("It fails", relevant="a.py")

    assert offered == ["status", "status", "calls main"]
    assert look(debug.log)[1] == (Look(kind="code", what="outline a.py", files=("a.py",)),)


def test_the_repository_of_the_investigation_is_the_one(tmp_path: Path):
    workspace = Home(tmp_path / ".wfnb").start("s", kind="precommit")
    workspace.log.folder = tmp_path
    repository(tmp_path / "far", a=A)
    workspace.step("Ready?", fields={"path": "far"})

    assert look(workspace.log)[0].text.startswith("repository far · branch main")


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
        look(here.log, words[0], words[1:])

    assert says in str(refused.value)
