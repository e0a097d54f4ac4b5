"""What no reply, no words, and no file that was opened come to: not an end, and not the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import wfnb
from wfnb.core.solution import holds_answer
from wfnb.workspace import Workspace

LONG = "an empty text leaves the loop before anybody asks whether its end was seen"


@pytest.fixture
def failing() -> None:
    @wfnb.adviser(name="broken")
    def _broken(request: wfnb.Request) -> str:
        raise RuntimeError("no time")

    @wfnb.adviser(name="vague")
    def _vague(request: wfnb.Request) -> str:
        return "some"


def test_a_consensus_in_which_nobody_replied_is_none(ws: Workspace, failing: None):
    ws.investigation.choose("consensus")
    ws.step("Adopt it", fields={"models": "broken:for, broken:against"}, finding=LONG)

    answer = ws.step("Judge")

    told = answer.to_dict()
    assert told["status"] == "consensus_without_replies"
    assert told["lacks"] == ["a reply: none of 2 models replied"]
    assert not told["solved"]
    assert not holds_answer(ws.session, ws.log.find(2))


def test_a_consensus_for_which_nobody_was_asked_is_none(ws: Workspace):
    ws.investigation.choose("consensus")

    told = ws.step("All agree", number=2, total=2).to_dict()

    assert told["status"] == "consensus_without_replies"
    assert told["lacks"] == ["a reply: no model was asked"]
    assert not told["solved"]


@pytest.mark.parametrize(
    ("name", "why"),
    [("broken", "RuntimeError: no time"), ("vague", "its reply has no whole number from 1 to 50")],
)
def test_a_planner_that_fails_is_named_in_the_answer(
    ws: Workspace, failing: None, name: str, why: str
):
    ws.investigation.choose("debug", planner=name)

    told = ws.step("It crashes").to_dict()

    assert told["planner"] == f"{name} named no total: {why}"


def test_a_step_again_after_a_withdrawal_has_its_own_news(ws: Workspace):
    ws.investigation.choose("debug", pause=False)
    ws.step("It crashes")
    ws.step("The loop", finding="the loop never ends", issues="high: no check")
    ws.investigation.backtrack(2)

    told = ws.step("Another idea", number=2, confidence="low").to_dict()

    assert "new finding" not in told["evidence"]
    assert "new issue" not in told["evidence"]


def test_a_step_after_the_end_is_not_the_answer(ws: Workspace, tmp_path: Path):
    ws.log.folder = tmp_path
    (tmp_path / "a.py").write_text("x = 1")
    ws.investigation.choose("debug")
    ws.step("It crashes", total=4)
    ws.investigation.look("a.py")
    says = {"finding": LONG, "relevant": "a.py", "confidence": "certain"}
    ended = ws.step("It is the loop", next_step_needed=False, **says)

    ws.step("One more thing")

    assert ended.to_dict()["end"] == "certain at step 2 of 4, with enough evidence"
    assert holds_answer(ws.session, ws.log.find(2))


def test_a_plan_ends_without_findings_and_says_nothing_of_them(ws: Workspace):
    ws.investigation.choose("planner")
    ws.step("Parts", total=2)

    assert ws.step("Order").to_dict()["end"] == "the last planned step"


def test_an_audit_of_everything_goes_through_all_areas(ws: Workspace, tmp_path: Path):
    ws.log.folder = tmp_path
    (tmp_path / "a.py").write_text("x = 1")
    ws.investigation.choose("secaudit", pause=False)
    ws.investigation.look("a.py")
    says = {"finding": LONG, "relevant": "a.py", "confidence": "certain"}
    for number in range(1, 7):
        assert ws.step(f"Area {number}", **says).next_step_needed

    assert not ws.step("Together").next_step_needed
