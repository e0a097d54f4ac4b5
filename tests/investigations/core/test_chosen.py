"""What is investigated is chosen again: a part of it alone, or by a cell that runs again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.story import Story, done
from tests.investigations.core.investigating import investigating, looking, turn
from wfnb.core.commands import ClearSession
from wfnb.core.events import Cell
from wfnb.core.replay import replay
from wfnb.investigations.core.commands import NOBODY, ChooseKind
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_reader import builtin_kinds


def test_the_pause_alone_is_changed_without_a_new_count():
    story = Story(investigating(), done("a", total=9), looking())

    story.do(investigating(pause=False))

    now = investigation_of(story.session)
    assert (now.pause, len(now.looks), story.session.total) == (False, 1, 9)
    story.do(done("b"))
    assert turn(story, 2) == 2


def chosen(kind: str | None, cell: Cell, **says: Any) -> ChooseKind:
    return ChooseKind(kind=None if kind is None else builtin_kinds()[kind], cell=cell, **says)


FIRST, SECOND, THIRD = (Cell(id=f"c{n}", source=f"%wfnb kind {n}") for n in range(3))


def test_the_cells_of_a_notebook_that_run_again_choose_nothing():
    cells = [
        chosen("debug", FIRST, reviewer="alice"),
        chosen("debug", SECOND, pause=False),
        chosen("consensus", THIRD, pause=False),
    ]
    story = Story(cells[0], done("a", total=9), cells[1], done("b"), cells[2])
    for words in ("Warn?", "one says yes"):
        story.do(done(words, fields={"models": ["a", "b"]}))
    before = replay(story.log)

    events = [event for cell in cells for event in story.do(cell)]

    assert events == []
    assert story.session == before
    assert (investigation_of(before).reviewer, turn(story, 4), before.total) == ("alice", 2, 4)


def test_a_cell_that_chose_what_there_was_already_is_known_when_it_runs_again():
    story = Story(investigating("debug"), chosen("debug", FIRST), chosen("refactor", SECOND))

    assert story.do(chosen("debug", FIRST)) == []
    assert investigation_of(story.session).kind.name == "refactor"


def test_an_investigation_that_was_given_up_is_not_taken_up_by_a_cell_that_runs_again():
    story = Story(chosen("debug", FIRST), done("a"), chosen(None, SECOND), done("b"))

    assert [*story.do(chosen("debug", FIRST)), *story.do(chosen(None, SECOND))] == []
    assert investigation_of(story.session) is None


@pytest.mark.parametrize(
    "again",
    [
        chosen("debug", Cell(id="c9", source=FIRST.source)),
        chosen("debug", Cell(id="c0", source="%wfnb kind debug --no-pause")),
        chosen("debug", Cell(id=None, source=FIRST.source)),
        chosen("analyze", FIRST),
    ],
)
def test_another_cell_or_one_that_was_edited_chooses(again: ChooseKind):
    story = Story(chosen("debug", FIRST), chosen("refactor", SECOND))

    story.do(again)

    assert investigation_of(story.session).kind == again.kind
    assert story.session == replay(story.log)


def test_after_all_steps_were_put_away_a_cell_chooses_again():
    story = Story(chosen("debug", FIRST), chosen("thinkdeep", SECOND), done("a"), ClearSession())

    story.do(chosen("debug", FIRST))

    assert investigation_of(story.session).kind.name == "debug"


def test_who_is_asked_stays_until_somebody_else_is_named():
    story = Story(ChooseKind(kind=builtin_kinds()["debug"], reviewer="alice", planner="bob"))

    story.do(ChooseKind(kind=builtin_kinds()["refactor"], pause=False, planner=NOBODY))

    now = investigation_of(story.session)
    assert (now.reviewer, now.planner, now.pause) == ("alice", None, False)


def test_a_kind_whose_file_was_changed_goes_on_with_its_count():
    story = Story(investigating(pause=False), done("a", total=9), done("b"))

    story.do(
        ChooseKind(kind=replace(builtin_kinds()["debug"], completion="all_of_it"), pause=False)
    )
    story.do(done("c"))

    assert (turn(story, 3), story.session.total) == (3, 9)
    assert investigation_of(story.session).kind.completion == "all_of_it"
