"""A title may begin with a number: one that leaps, or is another cell's, is asked about."""

import pytest

from tests.core.story import Kernel, Story, at, descriptions, done
from wfnb.errors import NumberOrTitle


def kernel(count=2):
    """Steps 1 to `count`, each of its own cell."""
    made = Kernel(Story())
    for number in range(1, count + 1):
        made.run(f"step {number}", id=f"cell-{number}")
    return made


def run(made, numeral, title, id="new"):
    """A cell `%%step NUMERAL TITLE`."""
    number, _, total = numeral.partition("/")
    says = {"number": int(number), "total": int(total) if total else None, "numeral": numeral}
    return made.run(f"%%step {numeral} {title}", id=id, description=title, **says)


@pytest.mark.parametrize(
    ("numeral", "doubt"),
    [
        ("5", "Step 3 is next."),
        ("121", "Step 3 is next."),
        ("2024", "Step 3 is next."),
        ("2", "Step 2 is 'step 2', of another cell."),
        ("1/3", "Step 1 is 'step 1', of another cell."),
    ],
)
def test_a_number_that_leaps_or_is_another_cells_is_asked_about(numeral, doubt):
    made = kernel()
    before = len(made.story.log)

    with pytest.raises(NumberOrTitle) as refused:
        run(made, numeral, "of the values are zero")

    assert doubt in str(refused.value)
    assert f'"{numeral} of the values are zero"' in str(refused.value)
    assert len(made.story.log) == before


@pytest.mark.parametrize("numeral", ["3", "3/9", "4"])
@pytest.mark.parametrize(
    ("title", "begins"),
    [("of the models fail", "of"), ("Out of 5 fail", "Out of"), ("% are lost", "%")],
)
def test_a_number_that_counts_something_is_asked_about_though_it_is_next(numeral, title, begins):
    made = kernel()

    with pytest.raises(NumberOrTitle, match=f"Few titles begin with '{begins}'"):
        run(made, numeral, title)

    assert run(made, numeral, f"Official: {title}").current.description == f"Official: {title}"


@pytest.mark.parametrize(
    ("numeral", "number", "warned"),
    [("3", 3, False), ("3/9", 3, False), ("4", 4, True), ("30/40", 30, True)],
)
def test_the_next_number_a_gap_of_one_and_a_total_are_taken_as_they_are(numeral, number, warned):
    made = kernel()

    step = run(made, numeral, "Title")

    assert (step.number, step.current.description, bool(step.current.warnings)) == (
        number,
        "Title",
        warned,
    )


def test_a_cell_keeps_its_number_however_its_title_changes():
    made = kernel()
    run(made, "3", "Plot", id="cell-3")

    step = run(made, "3", "Plot by month", id="cell-3")

    assert (step.number, len(step.versions)) == (3, 2)


def test_a_copy_of_a_cell_with_the_same_title_is_the_same_step():
    made = kernel()
    run(made, "3", "Plot", id="cell-3")

    run(made, "3", "Plot", id="copy")

    assert descriptions(made.story.session) == ["step 1", "step 2", "Plot"]


def test_a_number_that_is_said_by_itself_is_never_asked_about():
    made = kernel()

    made.run("x = 1", id="new", description="Title", number=9)
    made.run("x = 2", id="other", description="Other words", number=2)

    assert at(made.story.session, 9).current.description == "Title"
    assert at(made.story.session, 2).current.description == "Other words"
    assert done("Title", number=9).numeral is None
