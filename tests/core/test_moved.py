"""Rule 7 where the front end says which cells there are: moved, split, merged, copied cells."""

import pytest

from tests.core.story import Kernel, Story, at, done, numbers
from wfnb.core.commands import DescribeStep, NotebookCells
from wfnb.core.events import Cell
from wfnb.core.moved_cells import own_source
from wfnb.core.validation import StepPlace

LOAD = "%%step Load\na = 1\nb = 2"
FIT = "%%step Fit\nfit(a)"


def cells(*ids, twice=(), others=(), **parts):
    steps = dict.fromkeys(ids, 1) | parts
    return NotebookCells(steps=steps, twice=frozenset(twice), others=frozenset(others))


class Page(Kernel):
    """A kernel whose front end says which cells there are."""

    def run(self, source, id=None, there=None, part=0, **says):
        title = source.splitlines()[0].partition(" ")[2]
        return super().run(source, id=id, part=part, description=title, cells=there, **says)


@pytest.fixture
def page():
    """Two steps, of the cells c1 and c2."""
    page = Page(Story())
    page.run(LOAD, "c1", cells("c1", "c2"))
    page.run(FIT, "c2", cells("c1", "c2"))
    return page


def test_a_cell_that_was_cut_and_pasted_is_its_step(page):
    step = page.run(LOAD, "new", cells("c2", "new"))

    assert (step.number, step.attempts, len(step.versions)) == (1, 2, 1)
    assert step.cell_id == "new"


def test_a_cell_that_was_copied_is_a_step_of_its_own_and_says_so(page):
    step = page.run(LOAD, "copy", cells("c1", "c2", "copy"))

    assert step.number == 3
    assert step.current.warnings == ("same words as step 1; copied?",)
    assert at(page.story.session, 1).cell_id == "c1"


def test_the_half_of_a_split_cell_that_has_the_title_is_the_step(page):
    """JupyterLab leaves the id to the lower half, which opens no step any more."""
    step = page.run("%%step Load\na = 1", "upper", cells("c2", "upper", c1=0))

    assert (step.number, len(step.versions)) == (1, 2)
    assert numbers(page.story.session) == [1, 2]


def test_a_merged_cell_is_the_step_whose_title_it_has(page):
    step = page.run(f"{LOAD}\n\nprint(a)", "merged", cells("c2", "merged"))

    assert (step.number, len(step.versions)) == (1, 2)


def test_the_same_title_over_other_code_is_a_new_step(page):
    step = page.run("%%step Load\nelsewhere()", "new", cells("c2", "new"))

    assert step.number == 3
    assert step.current.warnings == ()


def test_a_part_of_a_line_is_no_part_of_the_code(page):
    assert page.run("%%step Load\n= 1", "new", cells("c2", "new")).number == 3


def test_steps_of_the_same_words_are_taken_up_one_by_one(page):
    page.run(LOAD, "c3", cells("c1", "c2", "c3"))
    there = cells("n1", "n2", "n3")
    later = Page(page.story)

    found = [
        later.run(source, id, there)
        for source, id in zip((LOAD, FIT, LOAD), there.steps, strict=True)
    ]

    assert [step.number for step in found] == [1, 2, 3]
    assert numbers(page.story.session) == [1, 2, 3]


def test_in_a_new_kernel_a_copy_does_not_take_the_step_of_a_cell_that_is_there(page):
    later = Page(page.story)

    assert later.run(LOAD, "copy", cells("c1", "c2", "copy")).number == 3
    assert later.run(LOAD, "c1", cells("c1", "c2", "copy")).number == 1


def test_a_step_of_another_notebook_that_is_there_is_not_taken():
    page = Page(Story())
    page.story.do(_of_another())

    step = page.run(LOAD, "new", cells("new", others=("other.ipynb",)))

    assert step.number == 2


def test_a_step_of_a_notebook_that_was_renamed_is_taken():
    page = Page(Story())
    page.story.do(_of_another())

    assert page.run(LOAD, "new", cells("new", others=("third.ipynb",))).number == 1


def _of_another():
    cell = Cell(id="c1", source=LOAD, notebook="other.ipynb")
    return done("Load", cell=cell)


def test_a_cell_that_was_moved_to_a_branch_is_a_new_step_there(page):
    there = cells("c2", "new")

    step = page.run("%%branch alt Load\na = 1\nb = 2", "new", there, branch="alt")

    assert (step.branch, step.number) == ("alt", 3)


def test_a_step_is_known_by_what_its_cell_says_though_it_was_retitled(page):
    page.story.do(DescribeStep(place=StepPlace(number=1), title="Another title"))

    assert page.run(LOAD, "new", cells("c2", "new")).number == 1
    assert at(page.story.session, 1).current.description == "Another title"


def test_a_step_that_went_on_in_another_cell_does_not_come_back_with_the_first(page):
    """Cut, pasted, run; and then the cut is undone: now there are two."""
    page.run(LOAD, "new", cells("c2", "new"))

    step = page.run(LOAD, "c1", cells("c1", "c2", "new"))

    assert step.number == 3
    assert step.current.warnings == ("same words as step 1; copied?",)


def test_two_cells_of_one_id_are_told_apart_by_their_source(page):
    there = cells("c1", "c2", twice=("c1",))

    first, second = page.run(LOAD, "c1", there), page.run("%%step Plot\nplot()", "c1", there)

    assert [first.number, second.number] == [1, 3]
    assert "have the id 'c1'" in second.current.warnings[0]


def test_the_second_step_of_a_cell_that_was_split_goes_on_by_itself():
    page = Page(Story())
    both = "%step One\na = 1\n%step Two\nb = 2"
    Kernel.run(page, both, id="c1", part=0, description="One", cells=cells(c1=2))
    Kernel.run(page, both, id="c1", part=1, description="Two", cells=cells(c1=2))
    there = cells("c1", "low")

    upper = page.run("%step One\na = 1", "c1", there)
    lower = page.run("%step Two\nb = 2", "low", there)

    assert [upper.number, lower.number] == [1, 2]


def test_where_nothing_is_known_of_the_cells_a_copy_is_a_new_step_as_before(page):
    step = page.run(LOAD, "copy", None)

    assert (step.number, step.current.warnings) == (3, ())


def test_a_cell_with_two_steps_gives_each_its_own_lines():
    both = f"{LOAD}\n{FIT}"

    assert [own_source(Cell(id="c", source=both, part=part)) for part in (0, 1)] == [LOAD, FIT]


def test_of_two_steps_with_one_source_a_shared_id_means_the_one_that_has_it(page):
    there = ("c1", "c2", "copy")
    copied = page.run(LOAD, "copy", cells(*there))
    assert copied.number == 3

    again = page.run(LOAD, "copy", cells(*there, twice=("copy",)))

    assert (again.number, again.attempts) == (3, 2)


def test_a_cell_of_a_title_alone_goes_on_with_no_step_that_has_code():
    page = Page(Story())
    page.run("%%step Load\na = 1\n\n\nb = 2", "c1", cells("c1"))

    assert page.run("%%step Load", "new", cells("new")).number == 2


def test_what_two_lines_of_a_cell_have_together_need_not_be_lines_of_another():
    page = Page(Story())
    page.run("%%step Load\na = 1\nb = 22\nc = 3", "c1", cells("c1"))

    assert page.run("%%step Load\na = 1\nb = 2", "new", cells("new")).number == 2
    assert page.run("%%step Load\na = 1\nb = 22", "half", cells("half", "new")).number == 1


def test_of_several_steps_without_their_cells_the_one_of_the_same_source_is_meant_else_the_oldest():
    for source, number in (("%%step Load\nb = 2", 2), ("%%step Load\nb = 2\nc = 3", 1)):
        page = Page(Story())
        page.run("%%step Load\nb = 2\nc = 3\nd = 4", "c1", cells("c1"))
        page.run("%%step Load\nb = 2", "c2", cells("c1", "c2"))

        assert page.run(source, "new", cells("new")).number == number


def test_a_step_that_runs_or_has_another_title_now_or_another_branch_is_not_moved():
    page = Page(Story())
    page.run(LOAD, "c1", cells("c1"), outcome=None)
    assert page.run(LOAD, "new", cells("new")).number == 2

    page = Page(Story())
    page.run(LOAD, "c1", cells("c1"))
    page.run(LOAD.replace("Load", "Read"), "c1", cells("c1"))
    assert page.run(LOAD, "new", cells("new")).number == 2

    page = Page(Story(done("a")))
    page.run(LOAD, "c1", cells("c1"), branch="b", leaves=StepPlace(number=1))
    page.run(LOAD, "new", cells("new"), branch="main")
    assert numbers(page.story.session) == [1, 2]
    assert page.run(LOAD, "other", cells("new", "other"), branch="b").attempts == 2


def test_what_was_described_by_hand_is_found_by_the_words_that_its_cell_had():
    page = Page(Story())
    page.run(LOAD, "c1", cells("c1"))
    page.story.do(DescribeStep(place=StepPlace(number=1), title="Read"))

    assert page.run("%%step Read\na = 1\nb = 2", "x", cells("x")).number == 2
    assert page.run(LOAD, "new", cells("x", "new")).number == 1


@pytest.mark.parametrize("id", ["new", None])
def test_only_a_cell_that_has_an_id_is_told_to_be_a_copy(id):
    page = Page(Story())
    page.run(LOAD, "c1", cells("c1"))
    page.run(LOAD, "c1", cells("c1"))

    step = page.run(f"{LOAD} ", id, cells("c1", "new"))

    warned = ("same words as step 1; copied?",) if id else ()
    assert (step.number, step.current.warnings) == (2, warned)
