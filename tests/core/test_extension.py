"""The seam: slices are plugged in by name, and their events are known by theirs."""

from __future__ import annotations

import pytest

from tests.core.story import Story, at, done, given
from tests.investigations.core.investigating import found, investigating
from wfnb.core import extension
from wfnb.core.events import KINDS, ExtensionEvent, StepAdded, name_of
from wfnb.core.extension import EXTENSIONS, Extension, active, event_kinds, plug_in
from wfnb.errors import NoInvestigation
from wfnb.frozen_record import record


@record
class SomethingSeen(ExtensionEvent):
    extension = "seeing"


class Seeing(Extension):
    name = "seeing"
    events = (SomethingSeen,)


@pytest.fixture
def seeing(monkeypatch):
    monkeypatch.setattr(extension, "EXTENSIONS", dict(EXTENSIONS))
    made = Seeing()
    plug_in(made)
    return made


def test_a_slice_is_plugged_in_under_its_name_with_its_events(seeing):
    assert extension.EXTENSIONS["seeing"] is seeing
    assert event_kinds()["something-seen"] is SomethingSeen
    assert event_kinds()["step-added"] is StepAdded
    assert {*KINDS} < {*event_kinds()}
    assert "something-seen" not in KINDS


@pytest.mark.parametrize(
    ("words", "name"), [("A", "a"), ("StepAdded", "step-added"), ("HTTPGet", "h-t-t-p-get")]
)
def test_the_name_of_an_event_on_disk_is_its_class_in_words(words, name):
    assert name_of(type(words, (), {})) == name


def test_a_slice_is_asked_only_where_it_has_a_state(seeing):
    session = given(done("a"))
    assert list(active(session)) == []

    session = given(investigating())
    assert [each.name for each in active(session)] == ["investigation"]
    session.states["seeing"] = object()
    assert [each.name for each in active(session)] == ["investigation", "seeing"]


def test_what_a_slice_need_not_say_does_nothing(seeing):
    session = given(done("a"))
    step = next(iter(session.steps.values()))
    line = session.lines["main"]

    assert list(seeing.changed_steps(session, SomethingSeen())) == []
    assert seeing.amend_step(session, line, 2, step, done("b")) is None
    assert seeing.missing_at_end(session, step) == ()
    assert seeing.fields(session) == {}
    for hook in (seeing.add, seeing.change, seeing.exclude, seeing.include):
        assert hook(session, step) is None
    for refused in (seeing.decide, seeing.apply):
        with pytest.raises(NotImplementedError):
            refused(session, SomethingSeen())


def test_only_a_step_that_says_something_of_a_slice_is_shown_to_one_without_a_state(seeing):
    story, shown = Story(), []
    seeing.amend_step = lambda session, line, number, known, command: shown.append(
        (line.id, number, known, command.description)
    )

    story.do(done("plain"))
    assert shown == []
    for says in ({"findings": found("One")}, {"backtrack": 1}):
        with pytest.raises(NoInvestigation):
            story.do(done("says", **says))
    first = {"seeing": seeing, **EXTENSIONS}
    extension.EXTENSIONS.clear()
    extension.EXTENSIONS.update(first)
    for says in ({"findings": found("One")}, {"backtrack": 1}):
        with pytest.raises(NoInvestigation):
            story.do(done("says", **says))
    assert shown == [("main", 2, None, "says")] * 2

    story.session.states["seeing"] = object()
    story.do(done("plain", number=1, total=3))
    assert shown[2:] == [("main", 1, at(story.session, 1), "plain")]
