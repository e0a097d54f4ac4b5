"""Rule 7: which step a cell means when it runs again."""

import pytest

from tests.core.story import Kernel, Story, at, descriptions, done, numbers
from wfnb.core.events import Cell, Outcome

A, B, C = "%%step a\nload()", "%%step b\nclean()", "%%step c\nfit()"


def test_a_cell_that_runs_again_is_another_attempt_of_its_step():
    story = Story()
    kernel = Kernel(story)

    first, again = kernel.run(A, id="c1"), kernel.run(A, id="c1")

    assert first is again
    assert (again.attempts, len(again.versions)) == (2, 1)


def test_a_cell_with_a_changed_source_is_a_new_version_of_its_step():
    story = Story()
    kernel = Kernel(story)
    kernel.run(A, id="c1")

    again = kernel.run(A + "\n# again", id="c1", description="A")

    assert (again.number, again.attempts, len(again.versions)) == (1, 2, 2)
    assert descriptions(story.session) == ["A"]


def test_an_explicit_number_says_more_than_the_cells_id():
    story = Story()
    kernel = Kernel(story)
    kernel.run(A, id="c1")
    kernel.run(B, id="c2")

    again = kernel.run("%%step 2 other\nclean()", id="c1", number=2)

    assert again.number == 2
    assert numbers(story.session) == [1, 2]


def test_a_cells_id_says_more_than_its_source():
    story = Story()
    kernel = Kernel(story)
    kernel.run(A, id="c1")
    kernel.run(B, id="c2")

    later = Kernel(story)

    assert later.run(A, id="c2").number == 2


@pytest.mark.parametrize("ids", [("c1", "c2", "c3"), (None, None, None)])
@pytest.mark.parametrize("sources", [(A, B, C), (A, A, A), (A, B, A)])
def test_restart_and_run_all_never_doubles_a_history(ids, sources):
    story = Story()
    for _ in range(3):
        kernel = Kernel(story)
        for id, source in zip(ids, sources, strict=True):
            kernel.run(source, id=id)

    steps = story.session.steps.values()

    assert numbers(story.session) == [1, 2, 3]
    assert [step.attempts for step in steps] == [3, 3, 3]
    assert [len(step.versions) for step in steps] == [1, 1, 1]


def test_restart_and_run_all_never_doubles_the_steps_of_branches():
    story = Story()
    for _ in range(3):
        kernel = Kernel(story)
        kernel.run("%%step a")
        kernel.run("%%step b")
        kernel.run("%%branch alt --from 1 x", branch="alt", **_leaves(1))
        kernel.run("%%branch alt y", branch="alt")
        kernel.run("%%step c")

    assert numbers(story.session) == [1, 2, 3]
    assert numbers(story.session, "alt") == [2, 3]
    assert {step.attempts for step in story.session.steps.values()} == {3}


def _leaves(number):
    return {"leaves": done(leaves=number).leaves}


def test_headless_a_notebook_that_was_run_with_ids_is_recognised_without_them():
    story = Story()
    with_ids, without = Kernel(story), None
    for id, source in (("c1", A), ("c2", B), ("c3", A)):
        with_ids.run(source, id=id)
    without = Kernel(story)

    assert [without.run(source).number for source in (A, B, A)] == [1, 2, 3]


def test_headless_a_changed_cell_is_a_new_step_unless_it_has_a_number():
    story = Story()
    Kernel(story).run(A)
    kernel = Kernel(story)

    assert kernel.run(B).number == 2
    assert kernel.run(C, number=1).number == 1


def test_headless_an_old_source_of_a_changed_step_is_no_longer_its_own():
    story = Story()
    kernel = Kernel(story)
    kernel.run(A, id="c1")
    kernel.run(B, id="c1")

    assert Kernel(story).run(A).number == 2


def test_a_source_that_runs_twice_in_one_kernel_is_two_steps():
    kernel = Kernel(Story())

    assert [kernel.run(A).number, kernel.run(A).number] == [1, 2]


def test_a_person_without_cell_ids_runs_the_one_cell_of_that_source_again():
    kernel = Kernel(Story())

    ran = [kernel.run(source, alike=1).number for source in (A, B, A, B)]

    assert ran == [1, 2, 1, 2]


def test_equal_cells_without_ids_run_again_in_their_order():
    kernel = Kernel(Story())

    ran = [kernel.run(source, alike=2).number for source in (A, A, B, A, A)]

    assert ran == [1, 2, 3, 1, 2]


PLACE = "vscode-notebook-cell:/study/a.ipynb#W{}sZmlsZQ%3D%3D"


def by_place(kernel, *sources, first=0):
    """Run cells with the ids that VS Code gives them as it opens the notebook."""
    cells = enumerate(sources, first)
    return [kernel.run(source, id=PLACE.format(place)).number for place, source in cells]


def test_ids_by_place_tell_which_cell_was_edited_while_the_notebook_is_open():
    kernel = Kernel(Story())
    by_place(kernel, A, B, C)

    assert by_place(kernel, A, "%%step other\nfit(1)", C) == [1, 2, 3]


@pytest.mark.parametrize("is_restarted", [True, False])
def test_ids_by_place_that_moved_tell_nothing_where_the_sources_are_known(is_restarted):
    story = Story()
    kernel = Kernel(story)
    by_place(kernel, A, B, C)
    kernel = Kernel(story) if is_restarted else kernel

    assert by_place(kernel, A, B, C, first=1) == [1, 2, 3]


def test_a_cell_by_place_that_was_put_in_between_is_a_new_step():
    story = Story()
    by_place(Kernel(story), A, B, C)

    assert by_place(Kernel(story), A, "%%step\ndrop()", B, C) == [1, 4, 2, 3]


def test_a_cell_by_place_that_was_edited_and_moved_is_known_by_its_title():
    story = Story()
    by_place(Kernel(story), "load()\nload", "clean()\nclean", "fit()\nfit")
    kernel = Kernel(story)

    assert by_place(kernel, "load()\nload", "clean(1)\nclean", "fit()\nfit", first=1) == [1, 2, 3]


def test_of_cells_of_one_title_the_place_tells_which_was_edited():
    story = Story()
    by_place(Kernel(story), "a()\nplot", "b()\nplot", "c()\nplot")

    assert by_place(Kernel(story), "b(1)\nplot", first=1) == [2]
    assert by_place(Kernel(story), "b(2)\nplot", first=7) == [4]


def test_a_number_is_not_of_another_cell_because_places_have_moved():
    story = Story()
    by_place(Kernel(story), A)

    said = Kernel(story).run("load()\nLoads", id=PLACE.format(3), number=1, numeral="1")

    assert (said.number, said.current.warnings) == (1, ())


def test_a_copy_of_a_cell_is_a_step_of_its_own():
    kernel = Kernel(Story())

    assert [kernel.run(A, id="c1").number, kernel.run(A, id="copy").number] == [1, 2]
    assert [kernel.run(A, id="copy").number, kernel.run(A, id="c1").number] == [2, 1]


def test_a_step_of_a_cell_that_was_run_is_not_taken_by_its_copy():
    story = Story()
    Kernel(story).run(A, id="c1")
    kernel = Kernel(story)

    kernel.run(A, id="c1")

    assert kernel.run(A, id="copy").number == 2


def test_what_another_kernel_recorded_since_is_not_taken_for_ones_own():
    story = Story()
    mine, theirs = Kernel(story), Kernel(story)

    assert theirs.run(A).number == 1
    assert mine.run(A).number == 2


def test_two_kernels_that_opened_the_same_history_run_the_same_steps():
    story = Story()
    Kernel(story).run(A)
    mine, theirs = Kernel(story), Kernel(story)

    assert mine.run(A) is theirs.run(A)
    assert at(story.session, 1).attempts == 3


def test_a_cell_that_is_moved_to_a_branch_is_a_new_step_there():
    story = Story()
    kernel = Kernel(story)
    kernel.run(A, id="c1")
    kernel.run(B, id="c2")

    moved = kernel.run("%%branch alt --from 1\nclean()", id="c2", branch="alt", **_leaves(1))
    again = kernel.run("%%branch alt --from 1\nclean()", id="c2", branch="alt", **_leaves(1))

    assert (moved.branch, moved.number) == ("alt", 2)
    assert again is moved
    assert at(story.session, 2).current.cell.source == B


def test_a_cell_that_is_moved_to_main_is_found_by_its_id_alone():
    story = Story()
    kernel = Kernel(story)
    kernel.run(A, id="c1")
    moved = kernel.run("%%branch alt\nclean()", id="c2", branch="alt")

    assert kernel.run("%%step\nclean()", id="c2") is moved
    assert kernel.run("%%step\nclean()", id="c2", branch="main").branch == "main"


def test_a_cell_stays_on_its_line_whatever_line_is_chosen():
    kernel = Kernel(Story(done(), done(branch="alt")))
    first = kernel.run(A, id="c1")

    assert kernel.run(A, id="c1", line="alt") is first


def test_the_same_source_that_names_another_branch_is_a_step_of_that_branch():
    story = Story(done(), done(branch="alt"), done(branch="beta", leaves=1))
    Kernel(story).run(A, branch="alt")

    again = Kernel(story).run(A, branch="beta")

    assert again.branch == "beta"


def test_several_steps_in_one_cell_are_told_apart_by_their_place_in_it():
    story = Story()
    both = "%step a\n%step b"
    for id in ("c1", "c1", None, None):
        kernel = Kernel(story)
        kernel.run(both, id=id, part=0, description="a")
        kernel.run(both, id=id, part=1, description="b")

    assert descriptions(story.session) == ["a", "b"]
    assert [step.attempts for step in story.session.steps.values()] == [4, 4]


def test_a_step_keeps_the_id_of_the_cell_that_ran_it_last():
    story = Story()
    Kernel(story).run(A)
    kernel = Kernel(story)

    assert kernel.run(A, id="c9").cell_id == "c9"
    assert kernel.run(B, id="c9").number == 1


def test_running_a_cell_often_keeps_its_place_among_the_sources_once():
    story = Story()
    kernel = Kernel(story)
    for id in ("c1", "c2", "c1", "c2", "c1"):
        kernel.run(A, id=id)

    assert story.session.sources == {(A, 0): list(story.session.steps)}


def test_without_a_cell_or_a_number_a_step_is_always_new():
    story = Story(done("a"), done("a"))

    assert numbers(story.session) == [1, 2]


def test_without_a_cell_a_number_means_the_step_that_is_there():
    story = Story(done("a", cell=Cell(id="c1", source=A)))

    story.do(done("a", number=1))
    story.do(done("a", number=1, outcome=Outcome(status="failed")))

    step = at(story.session, 1)
    assert (step.attempts, len(step.versions), step.outcome.status) == (3, 1, "failed")


def test_a_total_that_was_given_stays_where_the_step_runs_again_without_one():
    story = Story(done("a", total=5), done("b"))

    story.do(done("again", number=1))

    now = at(story.session, 1).current
    assert (now.total, now.total_given) == (5, True)
