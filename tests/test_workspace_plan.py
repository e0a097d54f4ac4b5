"""A program plans calls, runs them, and records what they gave."""

import pytest

import wfnb
from wfnb.errors import PlanNone

CALLS = [
    {"tool": "python", "args": {"code": "20 + 1"}},
    {"tool": "python", "args": {"code": "x * 2", "arguments": {"x": "#E1"}}},
]


@pytest.fixture
def ws(tmp_path):
    ws = wfnb.home(tmp_path / ".wfnb").open("planned")
    ws.strategy("rewoo")
    return ws


def test_a_plan_is_run_and_its_evidence_is_recorded(ws):
    ws.step("Task")
    ws.step("Plan", fields={"planning_phase": "two calls"})
    ws.step("Specify", fields={"tool_calls": CALLS})

    evidence = ws.runs.run_plan()
    answer = ws.step("Work", values=evidence)

    assert evidence == {"E1": 21, "E2": 42}
    assert [row[3] for row in answer.ledger["rows"]] == ["21", "42"]
    assert answer.ledger["lacks"] == []


def test_there_is_nothing_to_run_without_a_plan(ws):
    with pytest.raises(PlanNone):
        ws.runs.run_plan()
