"""A reviewer is asked at the end of an investigation, and where advice is wanted on the way."""

from pathlib import Path

import pytest

import wfnb
from wfnb.errors import AdviserUnknown, BadValue, NoInvestigation, NothingRecorded
from wfnb.investigations.advisers import review_request
from wfnb.investigations.advisers.adviser import Request
from wfnb.investigations.core.events import AdviceTaken
from wfnb.investigations.core.investigation import investigation_of
from wfnb.workspace import Workspace

HEARD: list[Request] = []
LONG = "Readings between local midnight and the offset are counted to the day before. " * 2


@pytest.fixture(autouse=True)
def sceptic() -> None:
    HEARD.clear()

    @wfnb.adviser
    def sceptic(request: Request) -> str:
        """Doubts all."""
        HEARD.append(request)
        return "Step 2 shows it.\nVerdict: for"


@pytest.fixture
def ws(ws: Workspace, tmp_path: Path) -> Workspace:
    ws.log.folder = tmp_path
    (tmp_path / "gauge.py").write_text("CONTENTS = 1\n")
    (tmp_path / "tides.py").write_text("")
    return ws


def investigated(ws: Workspace, kind: str = "analyze", reviewer: str | None = "sceptic") -> None:
    ws.investigation.choose(kind, reviewer=reviewer, pause=False)
    says = {"relevant": "gauge.py", "files": "tides.py", "issues": "high: days are cut in UTC"}
    ws.step("A warning is missing", total=2, finding="Three days of four", **says)


def taken(ws: Workspace) -> list[tuple[str, str, str | None, str | None]]:
    entries = [entry.event for entry in ws.log.entries() if isinstance(entry.event, AdviceTaken)]
    advice = [each for entry in entries for each in entry.advice]
    return [(each.adviser, each.role, each.verdict, each.error) for each in advice]


def test_the_reviewer_is_told_all_that_was_found_and_no_contents_of_files(ws: Workspace):
    investigated(ws)
    answer = ws.step("It is the cut", finding=LONG, hypothesis="UTC days", confidence="high")

    assert taken(ws) == [("sceptic", "reviewer", "for", None)]
    assert HEARD[0].prompt == "\n\n".join(
        (
            f"Kind of investigation: {investigation_of(ws.session).kind.title}",  # type: ignore[union-attr]
            "What was asked:\nA warning is missing",
            "Step 1 (confidence low): A warning is missing\n- found: Three days of four",
            f"Step 2 (confidence high): It is the cut\n- found: {LONG.strip()}\n"
            "- hypothesis: UTC days",
            "Issues:\n- high: days are cut in UTC",
            "Relevant files:\n- gauge.py",
            "Other files that were looked at:\n- tides.py",
            "Names in the code:\n- none",
            "The final analysis:\nIt is the cut",
        )
    )
    assert answer.to_dict()["review"] == {
        "adviser": "sceptic",
        "verdict": "for",
        "text": "Step 2 shows it.\nVerdict: for",
    }


def test_the_reviewer_is_told_the_worst_issue_first(ws: Workspace):
    investigated(ws)
    ws.step("End", issues=["low: d", "medium: c", "critical: a"], finding=LONG)

    listed = HEARD[0].prompt.partition("Issues:\n")[2].splitlines()
    assert listed[:4] == ["- critical: a", "- high: days are cut in UTC", "- medium: c", "- low: d"]


def test_a_step_that_does_not_end_the_line_is_not_reviewed(ws: Workspace):
    investigated(ws)

    assert HEARD == []


def test_where_the_kind_skips_it_nobody_is_asked(ws: Workspace):
    investigated(ws, "debug")
    answer = ws.step("It is the cut", finding=LONG, confidence="certain")

    assert HEARD == []
    assert answer.to_dict()["review"] == {"skipped": "confidence is certain"}


def test_without_a_reviewer_nobody_is_asked(ws: Workspace):
    investigated(ws, reviewer=None)
    ws.step("It is the cut", finding=LONG)

    assert HEARD == []


def test_a_reviewer_that_fails_or_is_gone_is_recorded_and_the_end_stays(ws: Workspace, home: Path):
    wfnb.adviser(name="gone")(lambda request: "")
    investigated(ws, reviewer="gone")
    wfnb.investigations.advisers.adviser.ADVISERS._registered.pop("gone")  # type: ignore[attr-defined]

    answer = ws.step("It is the cut", finding=LONG).to_dict()

    why = "No adviser is called 'gone'. Advisers: sceptic."
    assert taken(ws) == [("gone", "reviewer", None, why)]
    assert answer["next_step_required"] is False
    assert answer["review"] == {"adviser": "gone", "error": why}


def test_an_end_that_is_said_again_is_reviewed_once(ws: Workspace, home: Path):
    investigated(ws)
    for workspace in (ws, ws, wfnb.open("tides", home_folder=home)):
        workspace.step("It is the cut", number=2, finding=LONG)

    assert len(HEARD) == 1


def test_advice_is_asked_for_on_the_way_and_is_something_to_look_at(ws: Workspace):
    investigated(ws)
    ws.investigation.choose("analyze", reviewer="sceptic")

    (advice,) = ws.investigation.advise()
    answer = ws.step("Next", total=3, next_step_needed=True).to_dict()

    assert (advice.adviser, advice.verdict) == ("sceptic", "for")
    assert "Where it stands:\nA warning is missing" in HEARD[0].prompt
    assert "An investigation is under way" in HEARD[0].system
    assert answer["evidence"] == ["adviser: sceptic"]


def test_several_may_be_named_with_a_stance(ws: Workspace):
    investigated(ws, reviewer=None)
    wfnb.adviser(name="friend")(lambda request: f"As {request.stance}")

    advice = ws.investigation.advise("sceptic", "friend:for")

    assert [(each.adviser, each.stance, each.text) for each in advice] == [
        ("sceptic", "neutral", "Step 2 shows it.\nVerdict: for"),
        ("friend", "for", "As for"),
    ]


def test_what_cannot_be_asked_is_refused_and_nothing_recorded(ws: Workspace):
    with pytest.raises(NoInvestigation):
        ws.investigation.advise("sceptic")
    with pytest.raises(AdviserUnknown):
        ws.investigation.choose("debug", reviewer="scptic")
    with pytest.raises(AdviserUnknown):
        ws.investigation.choose("debug", planner="scptic")
    assert investigation_of(ws.session) is None
    ws.investigation.choose("debug")
    with pytest.raises(NothingRecorded):
        ws.investigation.advise("sceptic")
    ws.step("A warning is missing")
    with pytest.raises(AdviserUnknown):
        ws.investigation.advise("scptic")
    with pytest.raises(BadValue) as refused:
        ws.investigation.advise()
    assert str(refused.value) == (
        "adviser is ''. It needs a name, as `%wfnb advise NAME` says it: sceptic."
    )
    assert (taken(ws), HEARD) == ([], [])


def test_a_session_is_not_started_with_a_reviewer_that_is_none(ws: Workspace, home: Path):
    with pytest.raises(AdviserUnknown):
        wfnb.home(home).start("fix", kind="debug", reviewer="scptic")

    assert [info.name for info in wfnb.home(home).sessions()] == ["tides"]


def test_a_long_investigation_is_cut_in_its_middle(ws: Workspace):
    investigated(ws)
    ws.step("It is the cut " * 7_000, finding=LONG)

    prompt = HEARD[0].prompt
    assert len(prompt) <= review_request.MAX_LENGTH
    assert "characters …\n\n" in prompt
    assert prompt.startswith("Kind of investigation")


def test_advisers_are_listed_with_a_line_about_each(ws: Workspace, home: Path):
    (home / "advisers.yaml").write_text("nowhere: {model: m}")

    assert ws.investigation.advisers() == {
        "sceptic": "Doubts all.",
        "nowhere": "The advisers in advisers.yaml cannot be used: nowhere: url is ''. "
        "It needs a value. Mend it, then try again.",
    }
