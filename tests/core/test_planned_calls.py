"""ReWOO: a plan of calls with labels, what they gave, and which steps use it."""

import pytest

from tests.core.story import Story, answered, done, following
from wfnb.core.events import Outcome
from wfnb.core.planned_calls import calls, plan, referred, replace_references
from wfnb.core.solution import is_solved, unsolved_reason
from wfnb.core.strategy_ledgers import ledger
from wfnb.errors import BadValue

CALLS = [
    {"tool": "shell", "args": {"command": "ls"}},
    {"tool": "shell", "args": {"command": "wc -l #E1"}},
    {
        "id": "mean",
        "tool": "python",
        "args": {"arguments": {"text": "{E2}", "all": ["{E1.stdout}"]}},
    },
]


def planned(given=CALLS):
    return [
        following("rewoo"),
        done("task"),
        done("plan", fields={"planning_phase": "two calls"}),
        done("specify", fields={"tool_calls": given}),
    ]


def worked(**values):
    return done("work", outcome=Outcome(values=values))


def test_what_a_failed_step_recorded_is_no_evidence():
    failed = done("work", outcome=Outcome(status="failed", values={"E1": "a b"}))
    session = Story(*planned(), worked(E1="a"), failed).session

    assert ledger(session, session.lines["main"]).rows[0][3] == "a"


def test_calls_without_a_label_are_numbered_by_their_place():
    assert [(call.label, call.tool) for call in calls(CALLS)] == [
        ("E1", "shell"),
        ("E2", "shell"),
        ("mean", "python"),
    ]


def test_a_plan_may_be_written_by_label():
    assert [call.label for call in calls({"E1": {"tool": "a"}, "last": {"tool": "b"}})] == [
        "E1",
        "last",
    ]


@pytest.mark.parametrize(
    "given",
    [
        "banana",
        [],
        ["ls"],
        [{"args": {}}],
        [{"tool": "a", "args": 1}],
        [{"tool": "a", "command": "ls"}],
        [{"tool": "a", "id": "2nd"}],
        [{"tool": "a", "id": "x"}, {"tool": "b", "id": "x"}],
        {"E1": "ls"},
        {"E1": {"tool": "a"}, "E2": "ls"},
        {"tool": "a", "args": {"command": "ls"}},
    ],
)
def test_what_is_no_plan_is_refused(given):
    with pytest.raises(BadValue, match="tool_calls"):
        answered(*planned()[:-1], done(fields={"tool_calls": given}))


def test_references_are_found_at_any_depth_and_become_placeholders():
    labels, places = ["E1", "E2"], {"E1": "E1.stdout", "E2": "E2.result"}

    assert referred(CALLS[2]["args"], labels) == ["E1", "E2"]
    assert referred("{{E1}} #E12 # E1 {x}", labels) == []
    assert referred("wc {E1!q} {E2.stdout!q}", labels) == ["E1", "E2"]
    assert replace_references("wc {E1!q} {E2.stderr!q}", places) == (
        "wc {E1.stdout!q} {E2.stderr!q}"
    )
    assert replace_references({"a": ["#E1, {E2}", 3], "b": "{E1.stderr} {{E1}} #E7"}, places) == {
        "a": ["{E1.stdout}, {E2.result}", 3],
        "b": "{E1.stderr} {{E1}} #E7",
    }


def test_the_ledger_has_what_each_call_gave_and_who_uses_it():
    session = Story(*planned(), worked(E1="a.txt", E2=None), done("Only #E1 came")).session

    kept = ledger(session, session.lines["main"])

    assert [(row[0], row[3], row[4]) for row in kept.rows] == [
        ("E1", "a.txt", ["E2", "mean", "step 5"]),
        ("E2", "missing", ["mean"]),
        ("mean", "missing", []),
    ]
    assert kept.lacks == ("evidence E2 is missing", "evidence mean is missing")


def test_a_step_that_names_evidence_which_is_not_there_is_told():
    answer = answered(*planned(), worked(E1="a"), done("gather"), done("by #E1, #E2 and #E9"))

    assert answer.warnings == ["evidence E2 is missing", "E9 is no call of the plan"]


def test_a_session_whose_evidence_is_missing_is_not_solved_and_says_so():
    rest = (done("gather"), done("solve"), done("answer"))
    whole = Story(*planned(), worked(E1="a", E2="b", mean=2), *rest).session
    part = Story(*planned(), worked(E1="a", mean=2), *rest).session

    assert (is_solved(whole), unsolved_reason(whole)) == (True, "")
    assert (is_solved(part), unsolved_reason(part)) == (
        False,
        "evidence E2 is missing (`--no-more` answers without)",
    )


def test_the_last_plan_of_the_line_is_the_one_that_counts():
    session = Story(*planned(), done("specify", number=3, fields={"tool_calls": CALLS[:1]})).session

    assert [call.label for call in plan(session, session.lines["main"])] == ["E1"]


def test_a_mark_in_a_plan_that_is_no_call_of_it_is_said():
    calls = [{"tool": "shell", "args": {"command": "echo #E2; echo #E1x"}}]

    assert answered(*planned(calls)).warnings == ["E2 is no call of the plan"]
