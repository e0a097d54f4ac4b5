"""Section 5: which stage a step has, what may follow it, and which fields it asks for."""

import pytest

from tests.core.story import Story, answered, at, choices, done, following, given, stages, strategy
from tests.investigations.core.investigating import investigating
from wfnb.core.commands import AbandonBranch, MergeBranch, Undo
from wfnb.core.stages import field_holds
from wfnb.core.strategy import Stage, Strategy
from wfnb.errors import (
    BadValue,
    FieldMissing,
    NoStrategy,
    StageNeeded,
    StageNotReachable,
    StageUnknown,
)

FORK = strategy({"ask": ["try", "read"], "try": ["ask", "end"], "read": ["end"], "end": []})


def test_the_first_step_has_the_start():
    assert answered(following(FORK), done()).stage == "ask"


def test_where_just_one_stage_may_follow_a_step_takes_it():
    session = given(following(FORK), done(), done(stage="read"), done())

    assert stages(session) == ["ask", "read", "end"]


def test_with_several_a_step_names_its_stage_and_the_answer_lists_them():
    answer = answered(following(FORK), done())

    assert answer.next_stages == ["try", "read"]
    with pytest.raises(StageNeeded):
        answered(following(FORK), done(), done())


def test_the_answer_says_what_each_next_stage_is_for_and_asks():
    asked = strategy({"a": ["b"], "b": []}, b={"why": "the reason"})

    assert answered(following(asked), done()).next_actions == [
        "next stage b: Fields: why (the reason)."
    ]


@pytest.mark.parametrize(
    ("before", "says", "error"),
    [
        ([], {"stage": "end"}, StageNotReachable),
        ([done()], {"stage": "ask"}, StageNotReachable),
        ([done()], {"stage": "end"}, StageNotReachable),
        ([done()], {"stage": "trie"}, StageUnknown),
        ([done()], {"stage": ""}, StageUnknown),
        ([done(), done(stage="read"), done()], {}, StageNeeded),
        ([done(), done(stage="read"), done()], {"stage": "ask"}, StageNotReachable),
    ],
)
def test_a_stage_that_cannot_follow_is_refused(before, says, error):
    story = Story(following(FORK), *before)

    with pytest.raises(error):
        story.do(done(**says))


def test_a_stage_without_a_strategy_is_refused():
    with pytest.raises(NoStrategy):
        answered(done(stage="ask"))


def test_without_a_strategy_steps_have_fields_and_no_stages():
    answer = answered(done(fields={"loss": "huber"}))

    assert (answer.strategy, answer.stage, answer.next_stages) == (None, None, [])
    assert "next_stages" not in answer.to_dict()


FIELDS = strategy({"plan": ["act"], "act": []}, plan={"goal": "what for", "limit": "how long"})


@pytest.mark.parametrize(
    ("fields", "missing"),
    [
        ({}, ("goal", "limit")),
        ({"goal": "g"}, ("limit",)),
        ({"goal": "g", "limit": None}, ("limit",)),
        ({"goal": "", "limit": 0}, ("goal",)),
        ({"goal": "g", "limit": 0, "more": 1}, ()),
        ({"goal": [], "limit": False}, ()),
    ],
)
def test_the_fields_of_a_stage_are_needed_and_others_may_be_there(fields, missing):
    story = Story(following(FIELDS))
    if not missing:
        story.do(done(fields=fields))
        assert at(story.session, 1).current.fields == fields
        return

    with pytest.raises(FieldMissing) as refused:
        story.do(done(fields=fields))

    assert refused.value.missing == missing


def test_a_step_told_again_keeps_the_fields_it_does_not_name_again():
    session = given(
        following(FIELDS),
        done("a", fields={"goal": "g", "limit": 1}),
        done("b", number=1),
    )

    assert at(session, 1).current.fields == {"goal": "g", "limit": 1}
    assert at(session, 1).current.stage == "plan"


@pytest.mark.parametrize("score", ["high", "", None, True, [1], "nan", "inf"])
def test_a_score_that_is_no_number_is_refused(score):
    before = (following("tree_of_thoughts"), done(), done(fields={"approaches": 2}), done())
    developed = done(branch="alt", fields={"approach_id": "alt"})

    with pytest.raises((BadValue, FieldMissing)):
        given(
            *before,
            developed,
            done(branch="alt", fields={"approach_id": "alt", "evaluation_score": score}),
        )


def test_a_revision_has_the_stage_of_the_step_it_revises():
    session = given(following(FORK), done(), done(stage="try"), done(revises=1))

    assert stages(session) == ["ask", "try", "ask"]
    assert choices(session) == ["try", "read"]


def test_a_revision_may_name_another_stage_that_can_follow():
    session = given(following(FORK), done(), done(stage="try"), done(revises=1, stage="end"))

    assert stages(session) == ["ask", "try", "end"]


def test_a_changed_step_keeps_its_stage_or_takes_one_that_can_follow_the_step_before():
    before = (following(FORK), done("a"), done("b", stage="try"), done("c", stage="end"))

    assert stages(given(*before, done("B", number=2))) == ["ask", "try", "end"]
    assert stages(given(*before, done("b", number=2, stage="read"))) == ["ask", "read", "end"]
    with pytest.raises(StageNotReachable):
        given(*before, done("b", number=2, stage="end"))


def test_a_branch_goes_on_from_the_stage_of_the_step_it_left():
    session = given(
        following(FORK), done(), done(stage="try"), done(branch="alt", leaves=1, stage="read")
    )

    assert stages(session, "alt") == ["ask", "read"]
    assert choices(session, "alt") == ["end"]


FAN = strategy({"ask": ["try"], "try": ["rate"], "rate": ["choose"], "choose": []})
ALT = (done("x", branch="alt"), done("y", branch="alt"))


def test_a_line_goes_on_after_the_branches_that_left_its_last_step():
    session = given(following(FAN), done(), *ALT, done("z", branch="beta", leaves=1))

    assert choices(session) == ["try", "choose", "rate"]
    assert stages(given(following(FAN), done(), *ALT, done(stage="choose"))) == ["ask", "choose"]


@pytest.mark.parametrize(
    ("then", "back"),
    [
        (AbandonBranch(branch="alt"), ["try"]),
        (MergeBranch(branch="alt"), ["try", "choose"]),
        (done(stage="try"), ["rate"]),
    ],
)
def test_an_abandoned_branch_and_one_that_was_passed_lead_nowhere(then, back):
    assert choices(given(following(FAN), done(), *ALT, then)) == back


def test_a_branch_does_not_go_on_after_its_brothers():
    session = given(following(FAN), done(), done(branch="beta"), *ALT)

    assert choices(session, "beta") == ["rate"]


def test_a_strategy_can_be_switched_in_mid_session_keeping_the_history():
    session = given(following(FORK), done(), done(stage="try"), following("react"), done())

    assert stages(session) == ["ask", "try", "problem_reception"]
    assert choices(session) == ["initial_reasoning"]


def test_after_a_switch_a_shared_stage_goes_on_or_begins_anew():
    session = given(following("chain_of_thought"), *[done()] * 4, following("react"))

    assert stages(session)[-1] == "solution_formulation"
    assert choices(session) == ["final_response", "problem_reception"]


def test_a_step_of_the_old_strategy_can_run_again_after_a_switch():
    story = Story(following(FORK), done("a"), done("b", stage="try"), following("react"))

    story.do(done("b", number=2))

    assert (at(story.session, 2).attempts, at(story.session, 2).current.stage) == (2, "try")


def test_a_strategy_can_be_given_up():
    session = given(following(FORK), done(), following(None), done())

    assert stages(session) == ["ask", None]
    assert session.strategy is None


def test_choosing_the_strategy_that_is_followed_does_nothing():
    assert Story(following(FORK)).do(following(FORK)) == []
    assert Story().do(following(None)) == []


def test_steps_before_the_first_strategy_count_as_before_its_start():
    assert choices(given(done(), done(), following(FORK))) == ["ask"]


def test_a_switch_can_be_undone():
    session = given(following(FORK), done(), following("react"), Undo())

    assert session.strategy == FORK
    assert choices(session) == ["try", "read"]


def test_a_chain_of_thought_has_as_many_links_as_it_needs():
    chain = (following("chain_of_thought"), done("q"), done("cut"), done("first"))
    more = done("second", stage="sequential_reasoning")

    assert stages(given(*chain, more, more, done("answer")))[2:] == [
        "sequential_reasoning",
        "sequential_reasoning",
        "sequential_reasoning",
        "solution_formulation",
    ]
    assert answered(*chain, more).next_stages == ["solution_formulation"]


@pytest.mark.parametrize("leaves", [1, 2, 3, 4])
def test_a_branch_of_thought_may_leave_any_earlier_step(leaves):
    steps = (following("base_sequential"), done(), done(), done(), done())
    opened = done("other", branch="alt", leaves=leaves, stage="branch_creation")

    session = given(*steps, opened, done("thought", branch="alt"))

    assert stages(session, "alt")[-2:] == ["branch_creation", "thought_generation"]


def test_what_opens_a_branch_is_no_stage_in_the_middle_of_one():
    steps = (following("base_sequential"), done(), done(), done(), done())

    with pytest.raises(StageNotReachable):
        given(*steps, done(stage="branch_creation"))
    opened = done(branch="alt", leaves=3, stage="branch_creation")
    with pytest.raises(StageNotReachable):
        given(*steps, opened, done(branch="alt", stage="branch_creation"))


def test_a_stage_may_be_written_as_it_is_shown():
    before = (following("base_sequential"), done(), done(), done(), done())

    assert stages(given(*before, done(stage="thought revision")))[-1] == "thought_revision"
    with pytest.raises(StageUnknown):
        given(*before, done(stage="thought revisions"))


def test_on_a_branch_a_field_may_be_the_branch_where_it_is_left_out():
    before = (following("tree_of_thoughts"), done(), done(fields={"approaches": 2}), done())

    assert answered(*before, done(branch="a")).fields == {"approach_id": "a"}
    assert answered(*before, done(branch="a", fields={"approach_id": "b"})).fields == {
        "approach_id": "b"
    }
    with pytest.raises(FieldMissing):
        given(*before, done())


@pytest.mark.parametrize(("stage", "stale"), [("thought_revision", []), (None, [4])])
def test_the_verdict_that_calls_for_a_revision_still_holds(stage, stale):
    before = (following("base_sequential"), done(), done(), done(), done("it is wrong"))

    session = given(*before, done(revises=3, stage=stage))

    assert [session.steps[key].number for key in session.stale] == stale


def test_a_field_is_read_as_a_slice_says_else_as_its_stage_does_else_another_of_the_strategy():
    plan = Stage(next=("act",), fields={"goal": "", "n": ""}, holds={"goal": "text"})
    act = Stage(fields={"n": "", "why": "", "goal": ""}, holds={"n": "number", "why": "words"})
    two = Strategy(name="two", start="plan", stages={"plan": plan, "act": act})
    session = given(following(two))

    def holds(name: str) -> list[str]:
        return [field_holds(session, name, stage) for stage in ("plan", "act", None, "gone")]

    assert holds("goal") == ["text", "value", "text", "text"]
    assert holds("n") == ["value", "number", "value", "value"]
    assert holds("why") == ["words"] * 4
    assert holds("unknown") == ["value"] * 4
    assert field_holds(given(), "goal", "plan") == "value"
    docgen = given(following(two), investigating("docgen"))
    assert [field_holds(docgen, name, "plan") for name in ("path", "goal")] == ["text", "text"]
