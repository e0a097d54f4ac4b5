"""`%wfnb gc` and `%wfnb trust`: what is in the store, and whose it is."""

import shutil
from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel


def test_values_that_nothing_refers_to_are_removed_when_asked(kernel: Kernel):
    kernel.ok("%%step Load --keep x\nx = [1]")
    kernel.ok("%%step More --keep y\ny = [2]")
    kernel.ok("%wfnb undo")

    spared = kernel.ok("%wfnb gc").text
    first = kernel.ok("%wfnb gc --undone").text
    second = kernel.ok("%wfnb gc --undone").text
    kernel.ok("%wfnb redo")

    assert spared == (
        "nothing to remove: steps, undone ones (`--undone`) included, refer to all that is kept"
        " · 2 files kept"
    )
    assert first == "1 file removed · 1 file kept"
    assert second == "nothing to remove: steps refer to all that is kept · 1 file kept"
    assert "Run the step again" in kernel.ok("%wfnb restore 2").text
    kernel.ok("x = None\n%wfnb restore 1")
    assert kernel.run("x").value == "[1]"


def test_what_archived_sessions_refer_to_is_not_removed(kernel: Kernel):
    kernel.ok("%%step Load --keep x\nx = [1]")
    kernel.ok("%wfnb start demo --fresh")

    kernel.ok("%wfnb gc")
    kernel.ok("%wfnb resume demo~1")
    kernel.ok("x = None\n%wfnb restore 1")

    assert kernel.run("x").value == "[1]"


def test_what_another_user_kept_is_read_only_when_it_is_trusted(tmp_path: Path):
    with running(tmp_path / "his", XDG_DATA_HOME=str(tmp_path / "his-data")) as his:
        his.ok("%%step Load --keep x\nx = [1]")
        shutil.copytree(his.home, tmp_path / "mine" / "home")
    with running(tmp_path / "mine", XDG_DATA_HOME=str(tmp_path / "my-data")) as mine:
        refused = mine.run("%wfnb restore 1").refusal
        dry = mine.ok("%wfnb restore 1 --dry-run").text
        compared = mine.ok("%wfnb compare").text
        absent = mine.run("'x' in globals()").value
        trusted = mine.ok("%wfnb trust").text
        mine.ok("%wfnb restore 1")
        value = mine.run("x").value

    assert "`%wfnb trust`" in refused
    assert ("cannot come back" in dry, "list · [1]" in compared, absent) == (True, True, "False")
    assert trusted == "trusted now: 1 kept value"
    assert value == "[1]"
