"""The test cases of servers that number thoughts, as far as they say something of another server:
each is answered with the same fields, or refused with what to do instead.

`sequentialthinking` of modelcontextprotocol/servers: its tests of thoughts and of their schema;
`mcp-sequentialthinking-tools` of spences10: those of its store, in the fields of `workflow_tool`.

What is otherwise here, on purpose: a call that is made twice is one thought; a revision or a branch
of nothing, and an argument that no tool has, are refused; a name with spaces gets hyphens, and
begins with a letter or digit; `yes` and 1 are true. Left out: what their logs look like, the names
and texts of their schemas, histories that are cut or erased, lists of tools to recommend, and words
that are blotted out.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.mcp.agent import at, results, text
from tests.mcp.test_mcp_sequential import SETS, history, lines, step, thought

Given = dict[str, Any]
ONE = {"thoughtNumber": 1}
TWO = {"thoughtNumber": 2}
REVISES = {"isRevision": True, "revisesThought": 1}


def branch(name: str, after: int = 1) -> Given:
    return {"branchFromThought": after, "branchId": name}


SAME: dict[str, tuple[list[Given], Given]] = {
    "a first thought": (
        [{}],
        {
            "thoughtNumber": 1,
            "totalThoughts": 3,
            "nextThoughtNeeded": True,
            "branches": [],
            "thoughtHistoryLength": 1,
        },
    ),
    "the only thought": (
        [{"totalThoughts": 1, "nextThoughtNeeded": False}],
        {"totalThoughts": 1, "nextThoughtNeeded": False, "thoughtHistoryLength": 1},
    ),
    "a very long thought": ([{"thought": "a" * 10_000}], {"thoughtHistoryLength": 1}),
    "the last one first": (
        [{"thoughtNumber": 3, "nextThoughtNeeded": False}],
        {"thoughtNumber": 3, "nextThoughtNeeded": False},
    ),
    "every thought is counted": ([ONE, TWO, {"thoughtNumber": 3}], {"thoughtHistoryLength": 3}),
    "repeats and gaps all count": ([TWO, TWO, ONE], {**ONE, "thoughtHistoryLength": 3}),
    "a number beyond the total raises it": (
        [{"thoughtNumber": 5}],
        {"thoughtNumber": 5, "totalThoughts": 5},
    ),
    "a total that is larger is left": ([{"totalThoughts": 9}], {"totalThoughts": 9}),
    "a later call lowers the total again": (
        [{"thoughtNumber": 8, "totalThoughts": 2}, {**TWO, "totalThoughts": 2}],
        {"totalThoughts": 2},
    ),
    "a revision is a thought": (
        [ONE, {**TWO, **REVISES}],
        {**TWO, "totalThoughts": 3, "branches": [], "thoughtHistoryLength": 2},
    ),
    "a revision of no thought in particular": ([{"isRevision": True}], {"thoughtHistoryLength": 1}),
    "a thought to revise, and no word of it": (
        [ONE, {**TWO, "revisesThought": 1}],
        {"thoughtHistoryLength": 2},
    ),
    "more thoughts are needed": ([{"needsMoreThoughts": True}], {"totalThoughts": 3}),
    "two branches": (
        [ONE, {**TWO, **branch("branch-a")}, {**TWO, **branch("branch-b")}],
        {"branches": ["branch-a", "branch-b"], "thoughtHistoryLength": 3},
    ),
    "several thoughts on a branch": (
        [ONE, {**TWO, **branch("a")}, {"thoughtNumber": 3, **branch("a")}],
        {"branches": ["a"], "thoughtHistoryLength": 3},
    ),
    "branches in the order in which they came": (
        [ONE, {**TWO, **branch("b")}, {**TWO, **branch("a")}, {**TWO, **branch("b", 2)}],
        {"branches": ["b", "a"], "thoughtHistoryLength": 4},
    ),
    "a branch of no name": ([{"branchFromThought": 1}], {"branches": []}),
    "a branch of an empty name": ([branch("")], {"branches": []}),
    "a name without a place to leave": ([{"branchId": "orphan"}], {"branches": []}),
    "names in any language": (
        [ONE, {**TWO, **branch("ünïcödé")}, {**TWO, **branch("a/b.c-d")}],
        {"branches": ["ünïcödé", "a/b.c-d"]},
    ),
    **{
        f"a name of JavaScript's own: {name}": (
            [ONE, {**TWO, **branch(name)}],
            {"branches": [name]},
        )
        for name in ("constructor", "toString", "hasOwnProperty")
    },
    **{
        f"a truth as {value!r}": ([{"nextThoughtNeeded": value}], {"nextThoughtNeeded": meant})
        for value, meant in (("True", True), ("FALSE", False), ("true", True), ("false", False))
    },
    "other truths as words": ([{"isRevision": "TRUE", "needsMoreThoughts": "False"}], {}),
    "numbers as words": (
        [{"thoughtNumber": "2", "totalThoughts": "4"}],
        {"thoughtNumber": 2, "totalThoughts": 4},
    ),
    "a number as a truth": ([{"thoughtNumber": True}], {"thoughtNumber": 1}),
}

LACKING = ["thought", "nextThoughtNeeded", "thoughtNumber", "totalThoughts"]
REFUSED: list[tuple[Given, str]] = [
    *(({name: ...}, f"'{name}' is needed") for name in LACKING),
    *(({"nextThoughtNeeded": value}, "nextThoughtNeeded: ") for value in ("", "maybe", None)),
    ({"isRevision": "maybe"}, "isRevision: "),
    ({"needsMoreThoughts": "nope"}, "needsMoreThoughts: "),
    *(({"thoughtNumber": value}, "thoughtNumber: ") for value in (0, "", None, 1.5, "abc")),
    ({"totalThoughts": -1}, "totalThoughts: "),
    ({"revisesThought": 0}, "revisesThought: "),
    ({"branchFromThought": "x"}, "branchFromThought: "),
    ({"branchFromThought": 1, "branchId": 7}, "branchId: "),
    # those that the other server takes
    ({"somethingElse": "x"}, "it takes no 'somethingElse'"),
    ({"isRevision": True, "revisesThought": 99}, "no step 99"),
    (branch("far", 42), "no step 42"),
    ({**REVISES, **branch("both")}, "no step 1"),
]


@pytest.mark.parametrize("case", SAME)
def test_a_case_of_the_other_server_is_answered_as_there(tmp_path: Path, case: str):
    calls, fields = SAME[case]
    begin = {"totalThoughts": 3, "nextThoughtNeeded": True, "thoughtNumber": 1}
    given = [
        ("sequentialthinking", {**begin, "thought": f"Thought {n}", **each})
        for n, each in enumerate(calls)
    ]

    found = results(at(tmp_path, sets=SETS), *given)

    assert [text(each) for each in found if each.is_error] == []
    last = found[-1].structured_content
    assert {name: last[name] for name in fields} == fields


@pytest.mark.parametrize(("given", "says"), REFUSED, ids=lambda each: str(each)[:40])
def test_what_is_refused_says_what_is_wrong_and_is_not_counted(
    tmp_path: Path, given: Given, says: str
):
    name, right = thought("t", 1, 3)
    wrong = {key: value for key, value in {**right, **given}.items() if value is not ...}

    refused, after = results(at(tmp_path, sets=SETS), (name, wrong), (name, right))

    assert refused.is_error
    assert says in text(refused)
    assert after.structured_content["thoughtHistoryLength"] == 1


def test_the_store_of_the_other_server_adjusts_the_total_and_tracks_branches(tmp_path: Path):
    more, alt = results(
        at(tmp_path, sets=SETS),
        step("inspect the repo", 3, 2),
        step("try another approach", 4, 4, False, branch_from_step=3, branch_id="alt"),
    )

    assert more.structured_content["total_steps"] == 3
    assert alt.structured_content["branches"] == ["alt"]
    assert [each[0] for each in lines(history(tmp_path))] == ["main", "alt"]
