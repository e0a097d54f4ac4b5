"""How many steps a problem may take: the built-in estimate, or what an adviser says."""

import subprocess
from pathlib import Path

import pytest

import wfnb
from tests.investigations.server import Server
from wfnb.errors import AdviserUnknown, BadValue, NoInvestigation, PauseHolds
from wfnb.investigations.advisers.adviser import Request
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.core.requirements import awaiting_step
from wfnb.investigations.core.step_estimate import estimate
from wfnb.workspace import Workspace

PROBLEM = "A warning is missing"
OWN = estimate(PROBLEM, builtin_kinds()["debug"])


@pytest.fixture
def planner(server: Server) -> Server:
    for name in ("plan", "no-number", "broken"):
        wfnb.endpoint(name, server.url, name, key="TEST_KEY", retries=0)
    return server


def test_without_an_adviser_it_is_the_built_in_estimate(ws: Workspace):
    ws.investigation.choose("debug")

    assert ws.investigation.suggest_total(PROBLEM) == OWN


def test_an_adviser_says_its_number_and_why(ws: Workspace, planner: Server):
    ws.investigation.choose("debug")
    before = len(ws.log.entries())

    found = ws.investigation.suggest_total(PROBLEM, by="plan")

    assert (found.total, found.why) == (7, ("plan: 7 steps: three parsers, and the clock.",))
    assert planner.asked[0][0]["messages"][-1]["content"].endswith(PROBLEM)
    assert len(ws.log.entries()) == before


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("no-number", "no-number: its reply has no whole number from 1 to 50"),
        ("broken", "broken: it answered 500: upstream said ••• is bad"),
    ],
)
def test_where_it_fails_the_built_in_estimate_is_there_and_says_so(
    ws: Workspace, planner: Server, by: str, why: str
):
    ws.investigation.choose("debug")

    found = ws.investigation.suggest_total(PROBLEM, by=by)

    assert (found.total, found.why) == (OWN.total, (why, *OWN.why))


def test_the_first_step_has_as_many_steps_as_the_sessions_planner_says(
    ws: Workspace, planner: Server
):
    ws.investigation.choose("debug", planner="plan")

    answer = ws.step(PROBLEM)

    now = investigation_of(ws.session)
    assert now is not None
    assert answer.total_steps == 7
    assert [(each.adviser, each.role, each.error) for _, each in now.advice] == [
        ("plan", "planner", None)
    ]
    with pytest.raises(PauseHolds):  # how many steps it takes is nothing that was looked at
        ws.step("Next")
    step = awaiting_step(ws.session)
    assert step is not None
    assert step.number == 1


def test_a_planner_that_fails_is_recorded_and_the_step_too(ws: Workspace, planner: Server):
    ws.investigation.choose("debug", planner="broken")

    answer = ws.step(PROBLEM)

    now = investigation_of(ws.session)
    assert now is not None
    assert answer.total_steps == OWN.total
    assert [each.error for _, each in now.advice] == ["it answered 500: upstream said ••• is bad"]


def test_the_planner_is_asked_once_and_only_where_nobody_says_a_number(
    ws: Workspace, planner: Server
):
    ws.investigation.choose("debug", planner="plan", pause=False)
    ws.step(PROBLEM, total=4)
    ws.step("Next")
    ws.step(PROBLEM, number=1)

    assert planner.asked == []


def test_a_first_step_that_is_refused_asks_nobody(ws: Workspace, planner: Server):
    ws.investigation.choose("codereview", planner="plan")

    with pytest.raises(wfnb.Refused):
        ws.step("Review it")

    assert planner.asked == []


@pytest.mark.parametrize(("review", "total"), [("external", 3), ("internal", 2)])
def test_a_planner_says_no_fewer_steps_than_the_kind_needs(
    ws: Workspace, tmp_path: Path, review: str, total: int
):
    ws.log.folder = tmp_path
    subprocess.run(["git", "init", "-q", str(ws.log.folder)], check=True)
    wfnb.adviser(name="quick")(lambda request: "2")
    ws.investigation.choose("precommit", planner="quick")

    answer = ws.step("Check", fields={"path": ".", "review": review})

    assert answer.total_steps == total


def test_a_planner_may_be_a_function_that_looks_at_the_session(ws: Workspace):
    @wfnb.adviser
    def planner(request: Request) -> str:
        return str(len(ws.status()["steps"]) + 3)

    ws.investigation.choose("debug", planner="planner")

    assert ws.step(PROBLEM).total_steps == 3


def test_what_cannot_be_estimated_is_refused(ws: Workspace):
    with pytest.raises(NoInvestigation):
        ws.investigation.suggest_total(PROBLEM)
    ws.investigation.choose("debug")
    with pytest.raises(BadValue):
        ws.investigation.suggest_total(" ")
    with pytest.raises(AdviserUnknown):
        ws.investigation.suggest_total(PROBLEM, by="plan")
