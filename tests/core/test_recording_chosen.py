"""Whether plain cells are steps is chosen, and can be taken back."""

from tests.core.story import Story
from wfnb.core.commands import ChooseRecording, Undo
from wfnb.core.events import RecordingChosen


def test_what_is_so_already_is_not_recorded_again():
    story = Story()

    assert story.do(ChooseRecording(on=False)) == [RecordingChosen(on=False)]
    assert story.do(ChooseRecording(on=False)) == []
    assert story.do(ChooseRecording(on=True)) == [RecordingChosen(on=True)]
    assert story.do(ChooseRecording(on=True)) == []
    assert story.do(ChooseRecording(on=True, quiet=True)) == [RecordingChosen(on=True, quiet=True)]


def test_the_choice_is_taken_back_as_any_other_change():
    story = Story(ChooseRecording(on=True))
    assert story.session.records

    story.do(Undo())

    assert not story.session.records
