"""Files, their outlines and who calls whom, as looks at them."""

from pathlib import Path

import pytest

from tests.inspection.repositories import repository, written
from wfnb.core.findings import Call, CallPath, Look
from wfnb.errors import (
    NameNowhere,
)
from wfnb.home_folder import Home
from wfnb.investigations.looks.look_commands import look
from wfnb.workspace import Workspace


def test_an_outline_is_of_files_or_of_a_folder(here: Workspace):
    _, one = look(here.log, "outline", ["a.py"])
    _, all_of_them = look(here.log, "outline", ["."])

    assert one == (Look(kind="code", what="outline a.py", files=("a.py",)),)
    assert all_of_them == (
        Look(kind="code", what="outline .: 3 of 3 files", files=("a.py", "new.py", "pkg/b.py")),
    )


def test_calls_and_what_is_undocumented_are_looks_at_code(here: Workspace):
    shown, calls = look(here.log, "calls", ["main"])
    table, count = look(here.log, "undocumented")

    assert "→ read" in shown.text
    call = Call(caller="main", callee="read", path="a.py", line=4)
    drawn = (CallPath(target="main", path="a.py", line=3, calls=(call,)),)
    assert calls == (Look(kind="code", what="calls main", files=("a.py",), drawn=drawn),)
    assert table.text.startswith("2 files of 3 in this folder")
    assert count == (Look(kind="code", what="undocumented ."),)


def test_a_file_is_read_with_the_numbers_of_its_lines(here: Workspace):
    whole, looks = look(here.log, "a.py")
    part, _ = look(here.log, "a.py", ["3-4"])
    rest, _ = look(here.log, "a.py", ["6-"])
    line, _ = look(here.log, "a.py", ["3"])

    assert looks == (Look(kind="file", what="a.py", files=("a.py",)),)
    assert whole.text.startswith("a.py · 6 lines\n1  ")
    assert part.text == "a.py · lines 3–4 of 6\n3  def main():\n4      read()"
    assert rest.text == "a.py · lines 6–6 of 6\n6  def read(): ..."
    assert line.text == "a.py · lines 3–3 of 6\n3  def main():"


def test_names_are_searched_for_in_the_whole_repository(here: Workspace):
    written(here.log.folder, lib__deep="def far():\n    read()\n")
    here.log.folder = here.log.folder / "pkg"

    shown, (seen,) = look(here.log, "calls", ["far"])

    assert shown.text.startswith("far · ../lib/deep.py:1\n")
    assert seen.files == ("../lib/deep.py",)
    with pytest.raises(NameNowhere) as refused:
        look(here.log, "calls", ["mian"])
    assert "in the Python files of '..'. Did you mean 'main'?" in str(refused.value)


def test_names_are_searched_for_in_the_folder_that_the_kind_is_about(tmp_path: Path):
    workspace = Home(tmp_path / ".wfnb").start("s", kind="precommit")
    workspace.log.folder = repository(tmp_path / "here", a="def near(): ...\n")
    repository(tmp_path / "far", b="def away(): ...\n")
    workspace.step("Ready?", fields={"path": "../far"})

    assert look(workspace.log, "calls", ["away"])[0].text.startswith("away · ../far/b.py:1\n")
    with pytest.raises(NameNowhere, match=r"in the Python files of '\.\./far'"):
        look(workspace.log, "calls", ["near"])


def test_an_outline_says_what_it_leaves_out(here: Workspace):
    written(here.log.folder, **{f"m{n:03}": "def f(): ...\n" * 3 for n in range(120)})

    shown, (seen,) = look(here.log, "outline", ["."])

    count = len(seen.files)
    assert seen.what == f"outline .: {count} of 123 files"
    assert shown.title == f"{count} of 123 files"
    assert f"{123 - count} files left out: name a file, or a folder in there" in shown.notes
    assert {row[0] for row in shown.rows} <= {*seen.files}
    assert len(shown.rows) <= 200


def test_a_large_file_is_counted_whole_and_shown_in_parts(here: Workspace):
    (here.log.folder / "big.txt").write_text("".join(f"line {n}\n" for n in range(1, 400_001)))

    whole, _ = look(here.log, "big.txt")
    end, _ = look(here.log, "big.txt", ["399999-400000"])

    assert whole.title == "big.txt · 400,000 lines"
    assert whole.notes == ["lines 1–1,000 are shown; `%wfnb look big.txt 1001-2000` goes on"]
    assert whole.body.endswith("\n1000  line 1000")
    assert end.body == "399999  line 399999\n400000  line 400000"
    assert end.notes == []


def test_lines_are_numbered_as_python_numbers_them(here: Workspace):
    (here.log.folder / "a.py").write_bytes("x = 1\x0c\r\n# \u2028\rdef f(): ...\n".encode())

    shown, _ = look(here.log, "a.py", ["3"])
    outline, _ = look(here.log, "outline", ["a.py"])

    assert shown.text == "a.py · lines 3–3 of 3\n3  def f(): ..."
    assert outline.rows[0][2] == "3–3"
    assert look(here.log, "a.py")[0].body == "1  x = 1\x0c\n2  # ⟨U+2028⟩\n3  def f(): ..."
