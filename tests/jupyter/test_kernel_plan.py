"""`%wfnb plan`: what a strategy planned is checked, run, and handed on as evidence."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

SPECIFY = """%%step Specify
---
set:
  tool_calls:
    - {{tool: shell, args: {{command: {first}}}}}
    - {{tool: shell, args: {{command: echo 3}}}}
    - {{tool: python, args: {{code: int(a) + int(b), arguments: {{a: "#E1", b: "{{E2}}"}}}}}}
---"""


@pytest.fixture
def planning(kernel: Kernel) -> Kernel:
    kernel.ok("%wfnb strategy rewoo")
    kernel.ok("%step Task")
    kernel.ok("%step Plan --set planning_phase=add")
    return kernel


def test_the_calls_run_and_their_evidence_is_variables_and_values_of_the_step(planning: Kernel):
    planning.ok(SPECIFY.format(first="echo 4"))

    ran = planning.ok("%%step Work\n%wfnb plan")
    used = planning.ok("%%step Gather\nE3 * 2")

    assert ran.answer["values"] == {"E1": "4", "E2": "3", "E3": 7}
    assert [row[3:] for row in used.answer["ledger"]["rows"]] == [
        ["4", "E3"],
        ["3", "E3"],
        ["7", "step 5"],
    ]
    assert used.value == "14"
    assert (used.answer["outcome"], used.answer.get("stale_steps")) == ("ok", None)


def test_a_call_that_fails_stops_those_that_need_it_and_is_missing(planning: Kernel):
    planning.ok(SPECIFY.format(first="exit 2"))

    ran = planning.ok("%%step Work\n%wfnb plan")

    assert ran.answer["values"] == {"E1": None, "E2": "3", "E3": None}
    assert ran.answer["ledger"]["lacks"] == ["evidence E1 is missing", "evidence E3 is missing"]


def test_a_plan_with_a_tool_or_an_input_that_there_is_not_is_refused(planning: Kernel):
    unknown = planning.run("%step Specify --set 'tool_calls=[{tool: nosuchtool}]'")
    wrong = planning.run(
        "%step Specify --set 'tool_calls=[{tool: shell, args: {command: ls, cmd: x}}]'"
    )

    assert "nosuchtool" in unknown.refusal
    assert "cmd" in wrong.refusal
    assert len(planning.steps("stage")) == 2


def test_without_a_plan_there_is_nothing_to_run(planning: Kernel):
    assert planning.run("%wfnb plan").refusal.startswith(
        "No step of this line has a plan of calls."
    )


def test_a_dry_run_shows_the_calls_and_calls_nothing(planning: Kernel):
    planning.ok(SPECIFY.format(first="echo 4"))

    shown = planning.ok("%wfnb plan --dry-run").text

    assert "E1" in shown
    assert "shell" in shown
    assert planning.status()["runs"] == []


def test_a_program_keeps_its_comments_and_braces(planning: Kernel):
    program = "{tool: python, args: {code: \"x = 5 #E1\\nf'{x}'\"}}"
    planning.ok(f"%%step Specify\n---\nset:\n  tool_calls: [{program}]\n---")

    assert planning.ok("%%step Work\n%wfnb plan").answer["values"] == {"E1": "5"}


def test_who_used_evidence_is_stale_when_the_plan_gave_another(planning: Kernel):
    planning.ok(SPECIFY.format(first="echo 4"), cell_id="specify")
    planning.ok("%%step Work\n%wfnb plan", cell_id="work")
    planning.ok("%%step Gather\nE3 * 2", cell_id="gather")

    planning.ok(SPECIFY.format(first="echo 5"), cell_id="specify")
    planning.ok("%%step Work\n%wfnb plan", cell_id="work")

    assert 5 in planning.status()["stale_steps"]
