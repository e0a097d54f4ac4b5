from dataclasses import replace

import pytest

from tests.core.story import ABC, answered, done
from wfnb.core.events import Outcome


def test_an_answer_names_the_first_stale_steps_and_counts_all():
    answer = answered(*(done(f"step {number}") for number in range(1, 102)), done("A", number=1))

    assert answer.stale_steps == list(range(2, 52))
    assert answer.next_actions[0] == (
        "steps 2, 3, 4, 5, 6, 7, 8, 9, … (100 in all) are stale: "
        "run them again, or `%wfnb confirm 2 3 4 5 6 7 8 9`"
    )


def test_an_answer_names_one_stale_step_in_the_singular():
    answer = answered(done("a"), done("b"), done("A", number=1))

    assert answer.next_actions == ["step 2 is stale: run it again, or `%wfnb confirm 2`"]


def test_an_answer_names_the_steps_that_it_made_stale_and_no_others():
    answer = answered(*ABC, done("B", number=2), done("d"), done("D", number=4), done("e"))

    assert answer.stale_steps == [3, 4, 5]
    assert answer.next_actions == [
        "stale: step 3, before it, is stale; "
        "run it again, `%wfnb run-stale 5`, or `%wfnb confirm 5`"
    ]


@pytest.mark.parametrize(
    ("outcome", "signs", "tone"),
    [
        ("ok", "◌ stale", "#888"),
        ("failed", "✕ failed · ◌ stale", "#b3261e"),
        ("interrupted", "◐ interrupted · ◌ stale", "#8a5a00"),
    ],
)
def test_the_line_of_a_stale_step_shows_no_check_mark_and_hides_no_failure(outcome, signs, tone):
    fresh = answered(done("a", outcome=Outcome(status=outcome)))

    stale = replace(fresh, stale=True)

    html = stale._repr_mimebundle_()["text/html"]
    assert stale.text.splitlines()[0] == f"1  a  {signs}  main"
    assert f'{tone})">{signs}</span>' in html
    assert f"{tone});padding-left" in html
    assert "✓" not in html
    assert "◌" not in fresh.text
    assert stale.to_dict() == fresh.to_dict()


def test_a_step_that_is_stale_as_it_ends_says_so_in_its_line():
    answer = answered(*ABC, done("B", number=2), done("d"), done("D", number=4), done("e"))

    assert answer.text.splitlines()[0] == "5  e  ◌ stale  main"
    assert "✓" not in answer._repr_mimebundle_()["text/html"]
