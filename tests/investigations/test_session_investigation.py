"""What an investigation asks of the world outside of its session, before a step is recorded."""

from pathlib import Path

import pytest

import wfnb
from wfnb.core.commands import AddStep
from wfnb.core.events import Cell, StepRepeated
from wfnb.errors import (
    AdviserUnknown,
    BadValue,
    FilesLeft,
    FolderMissing,
    LookUnknown,
    RepositoryNone,
)
from wfnb.inspection.result_types import UndocumentedFiles
from wfnb.inspection.undocumented import find_undocumented
from wfnb.investigations.core.events import LookedAt
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.looks import file_counts
from wfnb.workspace import Workspace


@pytest.fixture
def ws(ws: Workspace, tmp_path: Path) -> Workspace:
    ws.log.folder = tmp_path / "project"
    ws.log.folder.mkdir()
    (ws.log.folder / "good.py").write_text('"""Said."""\n')
    (ws.log.folder / "one.py").write_text("def one(): pass\n")
    (ws.log.folder / "two.py").write_text("def two(): pass\n")
    return ws


def test_docgen_counts_what_is_undocumented_at_its_first_step_and_at_its_end(ws: Workspace):
    ws.investigation.choose("docgen", pause=False)
    first = ws.step("What is there")
    ws.step("One", relevant="one.py")
    (ws.log.folder / "one.py").write_text('"""Said."""\n')
    thin = ws.step("Two").to_dict()
    (ws.log.folder / "two.py").write_text('"""Said."""\n')
    last = ws.step("Done", next_step_needed=False).to_dict()

    assert first.total_steps == 3
    assert thin["end"] == "not ended: 1 of 2 files are documented"
    assert last["status"] == "documentation_analysis_complete"


def test_a_step_that_was_counted_can_be_said_again_unchanged(ws: Workspace, home: Path):
    ws.investigation.choose("docgen", pause=False)
    ws.step("What is there", fields={"folder": "."})
    (ws.log.folder / "one.py").write_text('"""Said."""\n')
    again = wfnb.open("tides", home_folder=home)
    again.log.folder = ws.log.folder
    again.step("What is there", number=1, fields={"folder": "."})
    again.step("What is there", number=1)

    assert [type(entry.event) for entry in again.log.entries()[-2:]] == [StepRepeated, StepRepeated]


def test_a_claim_is_compared_with_the_disk_where_it_is_new(ws: Workspace, home: Path):
    ws.investigation.choose("docgen", pause=False)
    ws.step("Count")
    (ws.log.folder / "one.py").write_text('"""Said."""\n')
    ws.step("One", fields={"num_files_documented": 1})
    (ws.log.folder / "one.py").write_text("def one(): pass\n")
    again = wfnb.open("tides", home_folder=home)
    again.log.folder = ws.log.folder
    again.step("Count", number=1)
    again.step("One", number=2, fields={"num_files_documented": 1})

    assert [type(entry.event) for entry in again.log.entries()[-2:]] == [StepRepeated, StepRepeated]
    with pytest.raises(BadValue, match="0 at most: of 2 files, 2 have"):
        again.step("One", number=2, fields={"num_files_documented": 2})


def test_the_files_are_counted_once_a_step(ws: Workspace, monkeypatch: pytest.MonkeyPatch):
    counted: list[Path] = []

    def count(folder: Path, cache: Path | None = None) -> UndocumentedFiles:
        counted.append(folder)
        return find_undocumented(folder, cache)

    monkeypatch.setattr(file_counts, "find_undocumented", count)
    ws.investigation.choose("docgen", pause=False)
    ws.step("Count")
    with pytest.raises(FilesLeft):
        ws.step("Enough", next_step_needed=False)

    assert len(counted) == 2


def test_a_cell_that_runs_again_as_it_is_asks_and_checks_nothing(ws: Workspace, home: Path):
    @wfnb.adviser
    def keeper(request: wfnb.Request) -> str:
        return "Verdict: for"

    def command(workspace: Workspace, source: str) -> AddStep:
        cell = Cell(id="c1", source=source, part=0)
        return workspace.steps.command_for("Warn?", cell=cell, fields={"models": ["keeper"]})

    ws.investigation.choose("consensus")
    ws.steps.begin(command(ws, "%step Warn?"))
    wfnb.investigations.advisers.adviser.ADVISERS._registered.clear()  # type: ignore[attr-defined]
    again = wfnb.open("tides", home_folder=home)
    again.steps.begin(command(again, "%step Warn?"))

    assert isinstance(again.log.entries()[-1].event, StepRepeated)
    with pytest.raises(AdviserUnknown):
        again.steps.begin(command(again, "%step Warn? now"))


def test_a_folder_that_is_not_there_or_in_no_repository_is_refused(ws: Workspace):
    ws.investigation.choose("precommit")
    with pytest.raises(RepositoryNone):
        ws.step("Check", fields={"path": "."})
    with pytest.raises(FolderMissing):
        ws.step("Check", fields={"path": "nowhere"})

    assert ws.session.steps == {}


def test_looking_is_recorded_once_where_a_look_is_awaited(ws: Workspace):
    ws.investigation.choose("debug")
    ws.investigation.look("one.py")
    ws.step("A warning is missing")
    ws.investigation.look("one.py")
    ws.investigation.look("outline", "two.py")
    with pytest.raises(LookUnknown):
        ws.investigation.look("diff")

    looked = [e.event for e in ws.log.entries() if isinstance(e.event, LookedAt)]
    assert [(each.kind, each.files) for event in looked for each in event.looks] == [
        ("file", ("one.py",)),
        ("code", ("two.py",)),
    ]


def test_a_look_keeps_its_counts_where_the_magics_do(ws: Workspace, home: Path):
    ws.investigation.choose("docgen")
    ws.investigation.look("undocumented")

    (kept,) = (home / "cache").glob("undocumented-*.json")
    assert "one.py" in kept.read_text()


def test_who_is_not_named_stays_and_nobody_can_be_named(ws: Workspace):
    wfnb.adviser(name="alice")(lambda request: "yes")
    wfnb.adviser(name="bob")(lambda request: "3 steps")

    def asked() -> tuple[str | None, str | None, bool]:
        now = investigation_of(ws.session)
        assert now is not None
        return now.reviewer, now.planner, now.pause

    ws.investigation.choose("debug", reviewer="alice", planner="bob")
    ws.investigation.choose("debug", pause=False)
    assert asked() == ("alice", "bob", False)
    ws.investigation.choose("refactor", reviewer="bob")
    assert asked() == ("bob", "bob", True)
    ws.investigation.choose("refactor", reviewer="none", planner="none")
    assert asked() == (None, None, True)


def test_more_steps_and_steps_back_are_asked_for(ws: Workspace):
    ws.investigation.choose("debug", pause=False)
    for words in ("a", "b", "c"):
        ws.step(words, total=4)

    assert ws.investigation.extend("2", "two parsers") == 6
    assert ws.investigation.backtrack(2) == [2, 3]
    assert ws.investigation.backtrack(2) == []
    assert "two parsers" in ws.investigation.findings().text


def test_the_files_that_are_left_are_named(ws: Workspace):
    ws.investigation.choose("docgen", pause=False)
    ws.step("Count")

    with pytest.raises(FilesLeft) as refused:
        ws.step("Enough", next_step_needed=False)

    assert "left (" in str(refused.value)
    assert "one.py" in str(refused.value)
