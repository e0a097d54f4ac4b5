"""Self-ask: a tree of sub-questions that are open and answered."""

from dataclasses import replace

import pytest

from tests.core.story import Story, answered, done, following
from wfnb.core.events import Outcome
from wfnb.core.solution import is_solved, unsolved_reason
from wfnb.core.strategy_ledgers import ledger
from wfnb.errors import BadValue, FieldMissing

BEGUN = (following("self_ask"), done("main question"), done("unknowns"))


def asks(text, number=None):
    fields = {"sub_question": text} | ({} if number is None else {"sub_question_number": number})
    return done(text, stage="sub_question_formulation", fields=fields)


def tells(text, number=None):
    fields = {"sub_question_answer": text}
    fields |= {} if number is None else {"sub_question_number": number}
    return done(text, stage="sub_question_answering", fields=fields)


def checked(then="completion_check"):
    return done("integrate"), done("check", stage=then)


TWO = (*BEGUN, asks("where?"), tells("here"), *checked(), asks("when?"), tells("soon"), *checked())
OPEN = (*TWO, asks("who of them?", "2.1"), tells("the first", 1), *checked())
REST = (done("solve", stage="solution_formulation"), done("answer"))


def test_a_question_that_a_failed_step_answers_is_open():
    failed = replace(tells("here"), outcome=Outcome(status="failed"))
    session = Story(*BEGUN, asks("where?"), failed).session

    assert ledger(session, session.lines["main"]).rows == (("1", "where?", "open", [3]),)


def numbers(*commands):
    session = Story(*commands).session
    return [step.current.fields.get("sub_question_number") for step in session.steps.values()]


def test_questions_and_answers_are_numbered_by_themselves():
    assert numbers(*TWO) == [None, None, 1, 1, None, None, 2, 2, None, None]


def test_a_part_of_a_question_is_under_it_and_what_is_open_is_named():
    session = Story(*OPEN).session

    kept = ledger(session, session.lines["main"])

    assert [row[:3] for row in kept.rows] == [
        ("1", "where?", "the first"),
        ("2", "when?", "soon"),
        ("└ 2.1", "who of them?", "open"),
    ]
    assert kept.lacks == ("question 2.1 is open",)


def test_the_completion_check_says_what_is_open():
    answer = answered(*OPEN)

    assert answer.stage == "completion_check"
    assert "missing: question 2.1 is open" in answer.text
    assert "└ 2.1     who of them?  open" in answer.text


def test_a_session_with_an_open_question_is_not_solved_and_says_so():
    whole, part = Story(*TWO, *REST).session, Story(*OPEN, *REST).session

    assert (is_solved(whole), unsolved_reason(whole)) == (True, "")
    assert (is_solved(part), unsolved_reason(part)) == (
        False,
        "question 2.1 is open (`--no-more` answers without)",
    )
    assert answered(*OPEN, *REST).next_actions == [
        "not solved yet: question 2.1 is open (`--no-more` answers without)"
    ]


@pytest.mark.parametrize(
    ("step", "needs"),
    [
        (tells("x", 7), "the number of a question that was asked: 1"),
        (tells("x", "two"), "a number such as 2, or 2.1 for a part of question 2"),
        (tells("x", True), "a number such as 2"),
        (tells("x", "0"), "a number such as 2"),
    ],
)
def test_an_answer_to_what_nobody_asked_is_refused(step, needs):
    with pytest.raises(BadValue, match=needs):
        answered(*BEGUN, asks("where?"), step)


def test_a_part_of_what_nobody_asked_is_refused():
    with pytest.raises(BadValue, match="a part of a question that was asked: none was"):
        answered(*BEGUN, asks("where?", "3.1"))


def test_a_question_that_takes_the_place_of_another_says_so():
    answer = answered(*TWO, asks("where exactly?", 1))

    assert answer.warnings == ["question 1 was asked before: this one takes its place"]


def test_an_answer_is_asked_for_its_question_where_none_is_open():
    with pytest.raises(FieldMissing):
        answered(*BEGUN, done(stage="sub_question_formulation", fields={"sub_question_number": 1}))


def test_an_answer_that_says_that_the_problem_is_solved_leaves_a_question_open():
    *before, last = (*OPEN, *REST)

    assert is_solved(Story(*before, replace(last, needs_more_steps=False)).session)


def test_an_answer_may_be_what_its_step_computes():
    asked = {"sub_question": "How many?"}
    answer = {"sub_question_answer": "@n"}
    begun = (following("self_ask"), done(), done(), done(fields=asked))

    for status, values, shown in [("ok", {"n": 3}, 3), ("failed", {}, "open")]:
        outcome = Outcome(status=status, values=values)
        session = Story(*begun, done(fields=answer, outcome=outcome)).session
        assert ledger(session, session.lines["main"]).rows[0][2] == shown


def test_an_answer_whose_number_says_nothing_answers_the_question_that_is_open():
    session = Story(*BEGUN, asks("where?"), tells("here", "")).session

    assert ledger(session, session.lines["main"]).rows == (("1", "where?", "here", [3, 4]),)
