"""Prompts for a server of investigations work unchanged: of each kind a conversation to its end,
the last step of it with a server that was started again."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

import wfnb
from tests.mcp.agent import Call, answers, at, refusal, results, talk
from wfnb.investigations.advisers.adviser import ADVISERS, Request
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.mcp.connection import Connection

CODE = "def mean(values):\n    return sum(values) / (len(values) - 1)\n"
DOCUMENTED = CODE.replace("\n", '\n    """The mean."""\n', 1)
FOUND = "The mean divides by one less than the count of values, so that it is too large each time"
TESTED = {"steps": [{"id": "test", "tool": "shell", "args": {"command": "python3 x.py"}}]}
LOOKS: dict[str, list[Call]] = {
    "precommit": [
        ("look", {"what": "changes"}),
        ("run_workflow", {"definition": TESTED}),
        ("run_status", {"wait": 25}),
    ],
}
"""What is looked at before each step but the first."""
Said = tuple[dict[str, Any], str]
"""What a step says beside the fields that each has, and the status that it is answered with."""

FILES = {"relevant_files": ["x.py"]}
SURE = {"confidence": "certain", **FILES}
CONVERSATIONS: dict[str, list[Said]] = {
    "debug": [
        ({}, "pause_for_investigation"),
        ({"hypothesis": "the count is wrong", **FILES}, "pause_for_investigation"),
        (SURE, "certain_confidence_proceed_with_fix"),
    ],
    "analyze": [
        ({**FILES, "analysis_type": "quality"}, "pause_for_analysis"),
        ({}, "analysis_complete_ready_for_implementation"),
    ],
    "codereview": [
        ({**FILES, "review_type": "full"}, "pause_for_code_review"),
        (
            {"issues_found": [{"severity": "low", "description": "x.py:2 the count"}]},
            "pause_for_code_review",
        ),
        ({"review_validation_type": "internal"}, "code_review_complete_ready_for_implementation"),
    ],
    "precommit": [
        ({"path": "."}, "pause_for_validation"),
        ({}, "pause_for_validation"),
        ({"precommit_type": "internal"}, "validation_complete_ready_for_commit"),
    ],
    "refactor": [
        ({**FILES, "refactor_type": "codesmells"}, "pause_for_refactoring_analysis"),
        ({"confidence": "complete"}, "refactoring_analysis_complete_ready_for_implementation"),
    ],
    "secaudit": [
        *([({"threat_level": "high"}, "pause_for_security_audit")] * 6),
        ({"audit_focus": "owasp"}, "security_analysis_complete"),
    ],
    "testgen": [
        (FILES, "pause_for_test_analysis"),
        (SURE, "test_generation_complete_ready_for_implementation"),
    ],
    "thinkdeep": [
        ({"confidence": "exploring"}, "pause_for_thinkdeep"),
        (SURE, "deep_thinking_complete_ready_for_implementation"),
    ],
    "tracer": [
        ({"trace_mode": "ask", "target_description": "mean"}, "mode_selection_required"),
        ({"trace_mode": "precision"}, "pause_for_tracing"),
        (FILES, "tracing_complete"),
    ],
    "docgen": [
        (
            {"total_files_to_document": 1, "num_files_documented": 0},
            "pause_for_documentation_analysis",
        ),
        ({"num_files_documented": 1}, "documentation_analysis_complete"),
    ],
    "planner": [
        *([({}, "pause_for_deep_thinking")] * 3),
        ({}, "pause_for_planning"),
        ({"more_steps_needed": False}, "planning_complete"),
    ],
    "consensus": [
        (
            {"models": [{"model": "keeper", "stance": "for"}, {"model": "auditor"}]},
            "analysis_and_first_model_consulted",
        ),
        ({}, "consensus_workflow_complete"),
    ],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(ADVISERS, "_registered", {})

    @wfnb.adviser
    def keeper(request: Request) -> str:
        return "Four days were missed.\nVerdict: for"

    @wfnb.adviser
    def auditor(request: Request) -> str:
        raise ValueError("the log book is lost")

    (tmp_path / "x.py").write_text(CODE)
    (tmp_path / ".gitignore").write_text(".wfnb\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def asking(folder: Path) -> Connection:
    return at(folder / ".wfnb", sets=("investigate",), inline=True)


def said(kind: str, number: int, total: int, given: dict[str, Any], thread: str | None) -> Call:
    """A call as that server is called, with what it needs and wfnb does not."""
    step = {
        "step": f"Step {number} of {kind}",
        "step_number": number,
        "total_steps": total,
        "next_step_required": number < total,
        "continuation_id": thread,
        "model": "flash",
        "use_websearch": False,
    }
    finds = {} if kind == "planner" else {"findings": f"{FOUND}; looked {number} times"}
    return kind, {**step, **finds, **given}


def test_there_is_a_tool_for_each_kind_where_a_person_asked_for_them(tmp_path: Path):
    listed = talk(asking(tmp_path), lambda client: client.list_tools()).tools
    plain = talk(at(tmp_path), lambda client: client.list_tools()).tools

    assert {each.name for each in listed} - {each.name for each in plain} == set(builtin_kinds())
    assert set(CONVERSATIONS) == set(builtin_kinds())
    by_name = {each.name: each.input_schema for each in listed}
    assert by_name["debug"]["required"] == [
        *("step", "step_number", "total_steps", "next_step_required", "findings"),
    ]
    assert "findings" not in by_name["planner"]["properties"]
    assert by_name["secaudit"]["properties"]["threat_level"]["enum"] == [
        *("low", "medium", "high", "critical"),
    ]
    assert "No tool is called" in refusal(at(tmp_path), *said("debug", 1, 2, {}, None)[:1])


@pytest.mark.parametrize("kind", CONVERSATIONS)
def test_a_scripted_conversation_comes_to_its_end_and_is_kept(folder: Path, kind: str):
    script, found, thread = CONVERSATIONS[kind], [], None
    looks = LOOKS.get(kind, [("look", {"what": "x.py"})])
    around = asking(folder)
    for number, (given, _) in enumerate(script, 1):
        if number == len(script):
            around = asking(folder)
            if kind == "docgen":
                (folder / "x.py").write_text('"""Means."""\n' + DOCUMENTED)
        call = said(kind, number, len(script), given, thread)
        *_, answer = answers(around, *(looks if number > 1 else []), call)
        found.append(answer)
        thread = answer["continuation_id"]

    assert [each["status"] for each in found] == [status for _, status in script]
    assert [each["step_number"] for each in found] == [*range(1, len(script) + 1)]
    assert {each["total_steps"] for each in found} == {len(script)}
    assert [each["next_step_required"] for each in found] == [True] * (len(script) - 1) + [False]
    for number, each in enumerate(found[:-1], 1):
        assert each["next_step_number"] == number + 1
        assert f"tep {number + 1}" in each["next_steps"]
        assert each["required_actions"]
        assert each.get(f"{kind}_required", False) == builtin_kinds()[kind].paused
        assert each["ignored"] == ["model", "use_websearch"]
    whole = found[-1][builtin_kinds()[kind].completion]
    assert (whole["initial_request"], whole["steps_taken"]) == (f"Step 1 of {kind}", len(script))
    session = wfnb.open(thread, home_folder=folder / ".wfnb").session
    assert investigation_of(session).kind.name == kind
    assert [step.current.description for step in session.steps.values()] == [
        f"Step {number} of {kind}" for number in range(1, len(script) + 1)
    ]


def test_the_replies_of_a_consensus_are_read_one_by_one_and_a_failure_is_one(folder: Path):
    script = CONVERSATIONS["consensus"]
    calls = [said("consensus", n, 2, given, None) for n, (given, _) in enumerate(script, 1)]

    first, last = answers(asking(folder), *calls)

    assert (first["model_consulted"], first["model_response"]) == (
        "keeper:for",
        "Four days were missed.\nVerdict: for",
    )
    assert last["model_error"] == "ValueError: the log book is lost"
    assert last["complete_consensus"]["models_consulted"] == ["keeper:for"]


def test_going_back_withdraws_and_the_numbers_are_given_again(folder: Path):
    around = asking(folder)
    three = [said("debug", number, 4, {}, None) for number in (1, 2, 3)]

    *_, back, end = answers(
        around,
        *three,
        said(
            "debug", 2, 4, {"backtrack_from_step": 2, "findings": "Another cause: rounding"}, None
        ),
        said("debug", 3, 3, {"findings": "It is the rounding after all, as x.py says"}, None),
    )

    assert (back["step_number"], back["total_steps"], back["next_step_number"]) == (2, 4, 3)
    assert (end["step_number"], end["step"], end["next_step_required"]) == (3, "5", True)
    assert end["end"].startswith("not ended")
    session = wfnb.open(back["continuation_id"], home_folder=folder / ".wfnb").session
    assert [step.is_withdrawn for step in session.steps.values()] == [
        *(False, True, True, False, False),
    ]


def test_a_plan_branches_and_is_revised(folder: Path):
    _, _, branch, revision, end = answers(
        asking(folder),
        said("planner", 1, 5, {}, None),
        said("planner", 2, 5, {}, None),
        said("planner", 3, 5, {"branch_from_step": 1, "branch_id": "other"}, None),
        said("planner", 4, 5, {"is_step_revision": True, "revises_step_number": 2}, None),
        said("planner", 5, 5, {}, None),
    )

    assert (branch["current_branch"], branch["branches"]) == ("other", ["other"])
    steps = wfnb.open(branch["continuation_id"], home_folder=folder / ".wfnb").session.steps
    assert [step.current.revises for step in steps.values()] == [None, None, None, 2, None]
    assert (revision["next_step_required"], end["next_step_required"]) == (True, False)
    assert (end["step"], end["total_steps"], end["status"]) == ("4", 5, "planning_complete")


def test_a_plan_ends_where_the_agent_ends_it(folder: Path):
    first, second, end = answers(
        asking(folder),
        said("planner", 1, 5, {"next_step_required": False}, None),
        said("planner", 2, 5, {}, None),
        said("planner", 3, 5, {"next_step_required": False}, None),
    )

    assert first["end"] == "not ended: not before step 2"
    assert [each["next_step_required"] for each in (first, second, end)] == [True, True, False]
    assert (end["status"], end["end"]) == ("planning_complete", "asked for at step 3 of 5")


def test_each_problem_is_a_session_of_its_own_and_a_thread_goes_on(folder: Path):
    wfnb.open("tides", home_folder=folder / ".wfnb").step("By a person")

    first, again, plan, second, back, other = answers(
        asking(folder),
        said("debug", 1, 3, {}, None),
        said("debug", 1, 3, {}, None),
        said("planner", 1, 3, {}, None),
        said("debug", 2, 3, {}, None),
        said("debug", 1, 2, {"step": "Another symptom"}, None),
        said("codereview", 1, 2, FILES, "debug"),
    )

    threads = [each["continuation_id"] for each in (first, again, plan, second, back, other)]
    assert threads == ["debug", "debug", "planner", "debug", "debug-2", "debug"]
    assert (other["step_number"], other["step"], other["total_steps"]) == (1, "3", 2)
    ws = wfnb.open("debug", home_folder=folder / ".wfnb")
    assert investigation_of(ws.session).kind.name == "codereview"
    assert len(ws.session.steps) == 3
    assert len(wfnb.open("tides", home_folder=folder / ".wfnb").session.steps) == 1


@pytest.mark.parametrize(
    ("kind", "given", "says"),
    [
        ("tracer", {}, "mode"),
        ("codereview", {}, "relevant_files"),
        ("debug", {"confidence": "sure"}, "confidence"),
        ("debug", {"step_number": 0}, "step_number"),
        ("debug", {"relevant_files": ["y.py"]}, "y.py"),
        ("debug", {"issues_found": [{"severity": "bad", "description": "x"}]}, "severity"),
        ("debug", {"continuation_id": "nowhere"}, "nowhere"),
        ("docgen", {"path": "/"}, "nothing else is looked at here"),
        ("consensus", {"models": [{"model": "nobody"}]}, "nobody"),
    ],
    ids=str,
)
def test_a_mistake_is_refused_in_a_sentence(
    folder: Path, kind: str, given: dict[str, Any], says: str
):
    name, call = said(kind, 1, 3, {}, None)

    assert says in refusal(asking(folder), name, **{**call, **given})


def test_docgen_does_not_end_while_files_are_left(folder: Path):
    first, second = results(
        asking(folder),
        said("docgen", 1, 2, {}, None),
        said("docgen", 2, 2, {"num_files_documented": 0}, None),
    )

    assert not first.is_error
    assert second.is_error
    assert "0 of 1 files" in second.content[0].text
