"""Whether plain cells are steps is chosen, and can be taken back."""

from tests.core.story import Story, done
from wfnb.core.commands import ChooseRecording, NotebookCells, Undo
from wfnb.core.events import Cell, RecordingChosen


def test_what_is_so_already_is_not_recorded_again():
    story = Story()

    assert story.do(ChooseRecording(on=False)) == [RecordingChosen(on=False)]
    assert story.do(ChooseRecording(on=False)) == []
    assert story.do(ChooseRecording(on=True)) == [RecordingChosen(on=True)]
    assert story.do(ChooseRecording(on=True)) == []
    assert story.do(ChooseRecording(on=True, quiet=True)) == [RecordingChosen(on=True, quiet=True)]


def test_the_choice_is_taken_back_as_any_other_change():
    story = Story(ChooseRecording(on=True))
    assert story.session.plain_cells_are_steps

    story.do(Undo())

    assert not story.session.plain_cells_are_steps


def test_the_cell_of_a_recorded_step_is_there_though_plain_cells_are_no_steps_by_now():
    story = Story(done("Load", cell=Cell(id="a", source="x = 1")))
    (step,) = story.session.steps.values()

    assert NotebookCells(steps={"a": 0}).lacks(step) == ""
    assert NotebookCells(steps={"b": 0}).lacks(step) == "cell gone"
