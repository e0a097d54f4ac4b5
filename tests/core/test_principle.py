"""Step back: the principle is kept, and where it was applied."""

from tests.core.story import Story, answered, done, following
from wfnb.core.events import Outcome
from wfnb.core.solution import unsolved_reason
from wfnb.core.strategy_ledgers import ledger

NAMED = (
    following("step_back"),
    done("case"),
    done("abstract"),
    done("name it", fields={"general_principle": "energy is conserved"}),
)


def rows(*commands):
    session = Story(*commands).session
    return list(ledger(session, session.lines["main"]).rows)


def test_the_principle_is_kept_with_the_steps_that_rest_on_it():
    assert rows(*NAMED, done("method"), done("the cart"), done("solve"), done("check")) == [
        ("principle", 3, "energy is conserved"),
        ("specific application", 5, "the cart"),
        ("step by step solution", 6, "solve"),
        ("solution verification", 7, "check"),
    ]


def test_a_step_that_failed_applies_nothing():
    failed = done("the cart", outcome=Outcome(status="failed"))

    assert rows(*NAMED, done("method"), failed) == [("principle", 3, "energy is conserved")]


def test_the_step_that_applies_it_shows_it():
    answer = answered(*NAMED, done("method"), done("the cart"))

    assert "energy is conserved" in answer.text


def test_a_principle_that_is_named_anew_is_the_one_that_counts():
    anew = done("better", number=3, fields={"general_principle": "momentum is conserved"})

    assert rows(*NAMED, done("method"), anew)[0] == ("principle", 3, "momentum is conserved")


def test_an_end_without_an_application_is_none():
    early = done("end", next_step_needed=False)

    session = Story(*NAMED, early).session

    assert unsolved_reason(session) == (
        "the principle is applied nowhere (`--no-more` answers without)"
    )


def test_a_step_that_names_another_principle_applies_it_nowhere():
    named = done("the cart", fields={"general_principle": "momentum is conserved"})

    assert rows(*NAMED, done("method"), named) == [("principle", 5, "momentum is conserved")]
