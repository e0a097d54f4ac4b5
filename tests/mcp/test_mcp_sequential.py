"""Prompts for servers that number thoughts work unchanged, and what they say is kept."""

from pathlib import Path
from typing import Any

import pytest

import wfnb
from tests.mcp.agent import answers, at, refusal, results, talk
from wfnb.core.session import Session
from wfnb.mcp.connection import Connection

SETS = ("sequential",)
THINK, FLOW = "sequentialthinking", "workflow_tool"


def thought(text: str, number: int, total: int, needed: bool = True, **more: Any) -> Any:
    given = {"thought": text, "thoughtNumber": number, "totalThoughts": total}
    return THINK, {**given, "nextThoughtNeeded": needed, **more}


def step(text: str, number: int, total: int, needed: bool = True, **more: Any) -> Any:
    given = {"step_description": text, "step_number": number, "total_steps": total}
    return FLOW, {**given, "next_step_needed": needed, **more}


def thinking(folder: Path) -> Connection:
    return at(folder, sets=SETS)


def history(folder: Path) -> Session:
    return wfnb.open("agent", home_folder=folder).session


def lines(session: Session) -> list[tuple[str, int, str, int | None]]:
    return [
        (each.branch, each.number, each.current.description, each.current.revises)
        for each in session.steps.values()
    ]


def test_the_tools_are_there_where_a_person_asked_for_them(tmp_path: Path):
    listed = talk(thinking(tmp_path), lambda client: client.list_tools()).tools
    plain = talk(at(tmp_path), lambda client: client.list_tools()).tools

    assert {each.name for each in listed} - {each.name for each in plain} == {THINK, FLOW}
    assert "No tool is called" in refusal(at(tmp_path), *thought("a", 1, 1)[:1])


def test_a_scripted_conversation_is_answered_as_by_that_server_and_kept(tmp_path: Path):
    found = answers(
        thinking(tmp_path),
        thought("Cache or index?", 1, 3),
        thought("The cache goes stale", 2, 3),
        thought("It does not: it has a lifetime", 3, 3, isRevision=True, revisesThought=2),
        thought("An index instead", 4, 3, branchFromThought=1, branchId="Use index"),
        thought("It is small", 5, 6, branchFromThought=4, branchId="Use index"),
        thought("The index", 6, 6, False, needsMoreThoughts=False),
    )

    five = ("thoughtNumber", "totalThoughts", "nextThoughtNeeded", "branches")
    assert [tuple(each[name] for name in five) for each in found] == [
        (1, 3, True, []),
        (2, 3, True, []),
        (3, 3, True, []),
        (4, 4, True, ["Use-index"]),
        (5, 6, True, ["Use-index"]),
        (6, 6, False, ["Use-index"]),
    ]
    assert [each["thoughtHistoryLength"] for each in found] == [1, 2, 3, 4, 5, 6]
    assert [each["step"] for each in found] == [
        *("1", "2", "3", "Use-index:2", "Use-index:3", "4"),
    ]
    assert lines(history(tmp_path)) == [
        ("main", 1, "Cache or index?", None),
        ("main", 2, "The cache goes stale", None),
        ("main", 3, "It does not: it has a lifetime", 2),
        ("Use-index", 2, "An index instead", None),
        ("Use-index", 3, "It is small", None),
        ("main", 4, "The index", None),
    ]


def test_the_next_problem_is_counted_from_one_after_what_is_there(tmp_path: Path):
    wfnb.open("agent", home_folder=tmp_path).step("By a person")

    *_, last = answers(
        thinking(tmp_path),
        thought("First problem", 1, 2),
        thought("Solved", 2, 2, False),
        thought("Second problem", 1, 2),
        thought("Half of it", 2, 2),
        thought("Not so", 3, 3, False, isRevision=True, revisesThought=2),
    )

    assert (last["thoughtNumber"], last["totalThoughts"], last["step"]) == (3, 3, "6")
    assert [each[2:] for each in lines(history(tmp_path))] == [
        ("By a person", None),
        ("First problem", None),
        ("Solved", None),
        ("Second problem", None),
        ("Half of it", None),
        ("Not so", 5),
    ]


def test_a_server_that_is_started_again_goes_on(tmp_path: Path):
    answers(thinking(tmp_path), thought("A", 1, 3), thought("B", 2, 3))

    answers(thinking(tmp_path), thought("C", 3, 3, False, isRevision=True, revisesThought=1))

    assert lines(history(tmp_path))[-1] == ("main", 3, "C", 1)


def test_a_call_that_is_made_twice_is_one_step(tmp_path: Path):
    first = thought("A", 1, 2)

    answers(thinking(tmp_path), first, first, thought("B", 2, 2), thought("B", 2, 2))

    assert [each[2] for each in lines(history(tmp_path))] == ["A", "B"]


@pytest.mark.parametrize(
    "given",
    [
        {"isRevision": True},
        {"isRevision": False, "revisesThought": 1},
        {"branchFromThought": 1},
        {"thoughtNumber": "7", "nextThoughtNeeded": "false"},
    ],
    ids=str,
)
def test_what_that_server_takes_is_taken(tmp_path: Path, given: dict[str, Any]):
    _, second = answers(thinking(tmp_path), thought("A", 1, 2), thought("B", 2, 2, **given))

    assert second["step"] == "2"
    assert lines(history(tmp_path))[-1] == ("main", 2, "B", None)


def test_the_fields_of_steps_are_answered_with_the_seven(tmp_path: Path):
    *_, alternative, end = answers(
        thinking(tmp_path),
        step("Plan", 1, 2),
        step("Wrong", 2, 2),
        step("Right", 3, 3, is_step_revision=True, revises_step=2),
        step("Other", 2, 4, False, branch_from_step=1, branch_id="other", needs_more_steps=True),
        step("Answer", 4, 4, False, needs_more_steps=False),
    )

    assert list(alternative.items())[:7] == [
        ("step_number", 2),
        ("total_steps", 4),
        ("next_step_needed", False),
        ("last_step_description", "Other"),
        ("current_branch", "other"),
        ("branches", ["other"]),
        ("step_history_length", 4),
    ]
    assert (end["step_number"], end["current_branch"], end["needs_more_steps"]) == (4, None, False)
    assert lines(history(tmp_path))[2] == ("main", 3, "Right", 2)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"revises_step": 9, "is_step_revision": True}, "no step 9"),
        ({"is_step_revision": True}, "has to name the step it revises"),
        ({"branch_from_step": 9, "branch_id": "b"}, "no step 9"),
        ({"branch_from_step": 1}, "branch_id"),
        ({"step_number": 0}, "step_number"),
    ],
    ids=str,
)
def test_a_step_that_contradicts_itself_is_refused(tmp_path: Path, given: dict, says: str):
    first, second = results(thinking(tmp_path), step("A", 1, 2), step("B", 2, 2, **given))

    assert (first.is_error, second.is_error) == (False, True)
    assert says in second.content[0].text
    assert len(history(tmp_path).steps) == 1


def test_what_was_thought_before_the_server_was_started_again_is_named_by_its_number(
    tmp_path: Path,
):
    wfnb.open("agent", home_folder=tmp_path).step("By a person")
    answers(thinking(tmp_path), thought("A", 1, 4), thought("B", 2, 4))

    (third,) = answers(thinking(tmp_path), thought("C", 3, 4, isRevision=True, revisesThought=1))

    assert (third["totalThoughts"], third["step"]) == (4, "4")
    assert lines(history(tmp_path))[-1] == ("main", 4, "C", 2)


def test_a_thought_of_a_branch_is_revised_on_that_branch_and_no_other_of_its_number(tmp_path: Path):
    around = thinking(tmp_path)
    said = [
        thought("Cache or index?", 1, 5),
        thought("A cache", 2, 5),
        thought("An index", 3, 5, branchFromThought=1, branchId="index"),
        thought("The cache has a lifetime", 4, 5),
        thought("The index is large", 5, 5, isRevision=True, revisesThought=3),
    ]

    found = answers(around, *said, said[-1])

    assert [each["step"] for each in found][-2:] == ["index:3", "index:3"]
    assert lines(history(tmp_path))[-1] == ("index", 3, "The index is large", 2)
    assert len(history(tmp_path).steps) == 5


def test_a_thought_that_a_branch_does_not_have_is_not_revised_there(tmp_path: Path):
    around = thinking(tmp_path)
    answers(
        around,
        thought("Cache or index?", 1, 5),
        thought("A cache", 2, 5),
        thought("An index", 3, 5, branchFromThought=1, branchId="index"),
    )
    name, given = thought("No cache", 4, 5, branchId="index", isRevision=True, revisesThought=2)

    assert "a step of index: that is of main" in refusal(around, name, **given)
    assert len(history(tmp_path).steps) == 3
