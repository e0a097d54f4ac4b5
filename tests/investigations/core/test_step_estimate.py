"""How many steps a problem may take: the same words, the same number."""

import pytest

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import investigating
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.investigations.core.step_estimate import Estimate, estimate

DEBUG = builtin_kinds()["debug"]
SAID = {
    "Empty input crashes": (4, ()),
    "Mend a typo in the help": (3, ("-1 it says 'typo'",)),
    "It fails sometimes.": (5, ("+1 it says 'sometimes'",)),
    "A race, or a typo?": (5, ("+1 it says 'race'",)),
    "Who calls it? And why?": (5, ("+1 2 points or questions",)),
    "Look at:\n- this\n- that\n1. more\n2) most": (6, ("+2 4 points or questions",)),
    "\n".join(["- a point"] * 40): (8, ("+1 399 characters long", "+3 40 points or questions")),
    "a.py, b.py, `c/d.toml` and e.csv:12": (5, ("+1 4 files are named",)),
    "a.py a.py a.py a.py": (4, ()),
    "word " * 80: (5, ("+1 400 characters long",)),
    "word " * 300: (6, ("+2 1,500 characters long",)),
}  # fmt: skip


@pytest.mark.parametrize(("problem", "said"), SAID.items())
def test_a_problem_is_estimated_from_its_words(problem: str, said: tuple[int, tuple[str, ...]]):
    assert estimate(problem, DEBUG) == Estimate(total=said[0], why=said[1])


@pytest.mark.parametrize(
    ("kind", "total", "why"),
    [
        ("secaudit", 7, "always 7"),
        ("consensus", 2, "one for each model"),
        ("docgen", 2, "one, and one for each file"),
    ],
)
def test_a_total_of_another_rule_is_no_estimate(kind: str, total: int, why: str):
    assert estimate("sometimes? often?", builtin_kinds()[kind]) == Estimate(total=total, why=(why,))


@pytest.mark.parametrize("kind", builtin_kinds())
@pytest.mark.parametrize("problem", ["", "typo", "- race?\n" * 500 + "a.b " * 9, "\x00" * 1000])
def test_an_estimate_stays_in_its_bounds(kind: str, problem: str):
    assert 2 <= estimate(problem, builtin_kinds()[kind]).total <= 12


def test_the_first_step_is_estimated_and_says_why():
    story = Story(investigating())

    answer = story.answer(done("It fails sometimes.\nWhere? Since when?"))

    assert answer.total_steps == 6
    assert answer.warnings == [
        "debug: estimated 6 steps (4 are usual; +1 2 points or questions, +1 it says "
        "'sometimes'); --total says another number"
    ]


def test_a_total_that_is_said_is_no_estimate():
    story = Story(investigating(), done("It fails sometimes", total=9))

    assert (at(story.session, 1).current.total, at(story.session, 1).current.warnings) == (9, ())


def test_a_trifle_for_an_external_review_takes_what_it_has_to():
    story = Story(investigating("precommit"))

    story.do(done("Mend a typo", fields={"path": ".", "review": "external"}))

    assert at(story.session, 1).current.total == 3


def test_a_trifle_for_nobody_else_takes_less():
    story = Story(investigating("precommit"))

    story.do(done("Mend a typo", fields={"path": ".", "review": "internal"}))

    assert at(story.session, 1).current.total == 3
