"""An investigation goes on: as another kind, in another session, after steps were withdrawn, on a
branch; and it leaves nothing behind for the next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.story import Story, at, done, following, strategy
from tests.core.test_investigation import found, investigating, looking
from wfnb import errors
from wfnb.core.commands import NOBODY, AbandonBranch, Backtrack, ChooseKind, ClearSession, Undo
from wfnb.core.continued import carried as carry
from wfnb.core.events import Cell, StepChanged, Version
from wfnb.core.findings import Carried, Findings, Issue
from wfnb.core.investigation import Found
from wfnb.core.kind import builtin
from wfnb.core.questions import stage_choices, tally
from wfnb.core.replay import replay
from wfnb.core.required import standing
from wfnb.core.values import Place


def turn(story: Story, number: int, branch: str = "main") -> int:
    stands = standing(story.session, at(story.session, number, branch))
    assert stands is not None
    return stands.turn


def analysed() -> Story:
    return Story(
        investigating("analyze", pause=False),
        done("a", total=2, findings=found("One", relevant="a.py", issues="low: slow")),
        done("b", findings=found("two", files="b.py", confidence="high", hypothesis="the loop")),
    )


def carrying(carried: Carried | None, kind: str = "refactor") -> ChooseKind:
    return ChooseKind(kind=builtin()[kind], pause=False, carried=carried)


def test_another_session_takes_along_what_was_found():
    carried = carry(analysed().session)
    assert carried == Carried(
        session="test",
        kind="analyze",
        found=Findings(
            findings=("One", "two"),
            hypothesis="the loop",
            confidence="high",
            files=("b.py",),
            relevant=("a.py",),
            issues=(Issue(severity="low", text="slow"),),
        ),
    )

    story = Story(carrying(carried), done("first"))

    now = story.session.investigation
    assert (now.found.relevant, now.found.letters) == ({"a.py": 1}, 6)
    assert at(story.session, 1).now.findings == Findings(confidence="incomplete")
    assert story.session == replay(story.log)


def test_what_a_withdrawn_step_found_is_not_taken_along():
    story = analysed()
    story.do(Backtrack(place=Place(number=2)))

    assert carry(story.session).found.findings == ("One",)


def test_of_very_much_the_latest_is_taken_along():
    story = Story(investigating(pause=False))
    for number in range(3):
        names = [f"{number}-{each}.py" for each in range(500)]
        story.do(done(f"{number}", findings=found(files=names)))

    carried = carry(story.session)

    assert (carried.found.files[0], len(carried.found.files)) == ("1-0.py", 1_000)
    Story(carrying(carried, "debug"))


def test_nothing_is_taken_along_from_no_investigation():
    assert carry(Story(done("a")).session) is None


def test_what_is_taken_along_stays_when_the_session_is_cleared():
    story = Story(carrying(carry(analysed().session)), done("a"), ClearSession())

    assert story.session.investigation.found.relevant == {"a.py": 1}


def test_the_same_is_not_taken_along_twice():
    carried = carry(analysed().session)
    story = Story(carrying(carried))

    assert story.do(carrying(carried)) == []
    assert story.do(carrying(None)) == []
    assert story.session.investigation.found.findings == {"one": 1, "two": 1}


def test_another_carried_one_takes_the_place_of_the_first():
    carried = carry(analysed().session)
    story = Story(carrying(carried))

    story.do(carrying(replace(carried, found=found("three"))))

    assert story.session.investigation.found == Found(findings={"three": 1}, letters=5)


@pytest.mark.parametrize(
    "found",
    [
        Findings(findings=("x" * 50_001,)),
        Findings(files=("a\nb",)),
        Findings(issues=(Issue(severity="huge", text="x"),)),
    ],
)
def test_what_no_step_could_have_said_is_not_taken_along(found: Findings):
    story = Story()
    log = list(story.log)

    with pytest.raises(errors.Refused):
        story.do(carrying(Carried(session="x", kind="debug", found=found), "debug"))
    assert story.log == log


def test_the_pause_alone_is_changed_without_a_new_count():
    story = Story(investigating(), done("a", total=9), looking())

    story.do(investigating(pause=False))

    now = story.session.investigation
    assert (now.pause, len(now.looks), story.session.total) == (False, 1, 9)
    story.do(done("b"))
    assert turn(story, 2) == 2


def chosen(kind: str | None, cell: Cell, **says: Any) -> ChooseKind:
    return ChooseKind(kind=None if kind is None else builtin()[kind], cell=cell, **says)


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
    assert (before.investigation.reviewer, turn(story, 4), before.total) == ("alice", 2, 4)


def test_a_cell_that_chose_what_there_was_already_is_known_when_it_runs_again():
    story = Story(investigating("debug"), chosen("debug", FIRST), chosen("refactor", SECOND))

    assert story.do(chosen("debug", FIRST)) == []
    assert story.session.investigation.kind.name == "refactor"


def test_an_investigation_that_was_given_up_is_not_taken_up_by_a_cell_that_runs_again():
    story = Story(chosen("debug", FIRST), done("a"), chosen(None, SECOND), done("b"))

    assert [*story.do(chosen("debug", FIRST)), *story.do(chosen(None, SECOND))] == []
    assert story.session.investigation is None


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

    assert story.session.investigation.kind == again.kind
    assert story.session == replay(story.log)


def test_after_all_steps_were_put_away_a_cell_chooses_again():
    story = Story(chosen("debug", FIRST), chosen("thinkdeep", SECOND), done("a"), ClearSession())

    story.do(chosen("debug", FIRST))

    assert story.session.investigation.kind.name == "debug"


def test_who_is_asked_stays_until_somebody_else_is_named():
    story = Story(ChooseKind(kind=builtin()["debug"], reviewer="alice", planner="bob"))

    story.do(ChooseKind(kind=builtin()["refactor"], pause=False, planner=NOBODY))

    now = story.session.investigation
    assert (now.reviewer, now.planner, now.pause) == ("alice", None, False)


def test_a_kind_whose_file_was_changed_goes_on_with_its_count():
    story = Story(investigating(pause=False), done("a", total=9), done("b"))

    story.do(ChooseKind(kind=replace(builtin()["debug"], completion="all_of_it"), pause=False))
    story.do(done("c"))

    assert (turn(story, 3), story.session.total) == (3, 9)
    assert story.session.investigation.kind.completion == "all_of_it"


def brought() -> Carried:
    """Enough evidence for an end, of another session."""
    return Carried(session="x", kind="debug", found=found("x" * 101, relevant="a.py"))


def sure(story: Story, *texts: str, **says: Any) -> Version:
    story.do(done("sure", findings=found(*texts, confidence="certain", **says)))
    return at(story.session, 2).now


def test_what_was_taken_along_alone_earns_no_end():
    now = sure(Story(carrying(brought(), "debug"), done("a", total=9)), files="b.py")

    assert now.next_step_needed
    assert now.end == "not ended: what is missing: a finding or a look of this session"


def test_nor_does_the_same_in_other_letters():
    assert sure(Story(carrying(brought(), "debug"), done("a", total=9)), "X" * 101).next_step_needed


@pytest.mark.parametrize(
    ("first", "texts"),
    [
        ((done("a", total=9), looking()), ()),
        ((done("a", total=9),), ("new",)),
        ((done("a", total=9, findings=found("new")),), ()),
    ],
)
def test_with_a_finding_or_a_look_of_its_own_it_does(first, texts):
    now = sure(Story(carrying(brought(), "debug"), *first), *texts)

    assert now.end == "certain at step 2 of 9, with enough evidence"


def test_a_finding_of_its_own_that_was_withdrawn_is_none():
    story = Story(carrying(brought(), "debug"), done("a", total=9, findings=found("new")))
    story.do(Backtrack(place=Place(number=1)))

    assert sure(story).next_step_needed


def test_another_kind_counts_its_steps_anew_and_estimates_anew():
    story = analysed()

    story.do(investigating("refactor", pause=False))
    story.do(done("c"))

    assert (turn(story, 3), at(story.session, 3).now.total) == (1, 2 + 4)
    assert at(story.session, 3).now.next_step_needed


def test_a_step_of_the_kind_before_can_be_changed_and_keeps_its_level():
    story = analysed()
    story.do(investigating("refactor", pause=False))

    more = at(story.session, 2).now.findings
    (event,) = story.do(done("b, better", number=2, findings=replace(more, findings=("more",))))

    assert isinstance(event, StepChanged)
    assert (event.findings.confidence, event.next_step_needed) == ("high", False)
    assert story.session.total is None
    assert story.session.investigation.found.findings == {"one": 1, "more": 1}


def test_a_branch_counts_from_where_the_kind_was_chosen():
    story = Story(*(done(f"{each}") for each in range(5)), done("b", branch="old", leaves=2))
    story.do(investigating(pause=False))

    story.do(done("m"))
    story.do(done("o", branch="old"))
    story.do(done("n", branch="new", leaves=3))

    assert [turn(story, *place) for place in ((6, "main"), (4, "old"), (4, "new"))] == [1, 1, 1]
    story.do(done("p", branch="new"))
    assert turn(story, 5, "new") == 2


def test_undo_of_a_kind_brings_the_one_before_back():
    story = analysed()
    before = replay(story.log)

    story.do(investigating("refactor"))
    story.do(Undo())

    assert story.session.investigation == before.investigation
    assert story.session.investigation.kind.name == "analyze"


def test_a_second_investigation_starts_clean():
    story = analysed()
    story.do(ChooseKind(kind=None))
    story.do(investigating("debug"))

    now = story.session.investigation
    assert (now.found, now.fields, now.looks, now.advice) == (Found(), {}, [], [])
    assert standing(story.session, at(story.session, 1)) is None


def test_two_investigations_share_nothing():
    one, other = Story(investigating()), Story(investigating())
    before = replay(other.log)

    one.do(done("a", findings=found("x", relevant="a.py", issues="low: y"), fields={"z": 1}))
    one.do(looking())
    with pytest.raises(errors.PauseHolds):
        Story(investigating(), done("a")).do(done("b"))

    assert other.session == before
    other.do(done("b"))
    assert other.session.investigation.found == Found()
    assert one.session.investigation.looks


def test_a_step_that_is_corrected_counts_again():
    story = analysed()
    story.do(Backtrack(place=Place(number=1)))

    story.do(done("a, better", number=1))

    assert [step.withdrawn for step in story.session.steps.values()] == [False, True]
    assert story.session.investigation.found.findings == {"one": 1}


def test_a_step_that_is_corrected_after_the_investigation_is_withdrawn_no_longer():
    story = analysed()
    story.do(Backtrack(place=Place(number=1)))
    story.do(ChooseKind(kind=None))

    story.do(done("a, better", number=1))

    assert [step.withdrawn for step in story.session.steps.values()] == [False, True]


def test_a_line_that_is_taken_up_again_stays_withdrawn():
    story = analysed()
    story.do(done("c", branch="alt", findings=found("three")))
    story.do(AbandonBranch(branch="alt"))
    story.do(Backtrack(place=Place(number=2)))

    story.do(done("d", branch="alt"))

    assert story.session.investigation.found.findings == {"one": 1}


def test_the_stage_after_withdrawn_steps_is_that_after_the_last_that_counts():
    small = strategy({"ask": ["try"], "try": ["end"], "end": []})
    story = Story(following(small), investigating(pause=False), done("a"), done("b"))

    story.do(Backtrack(place=Place(number=2)))

    assert stage_choices(story.session, story.session.lines["main"]) == ("try",)
    story.do(done("again"))
    assert at(story.session, 3).now.stage == "try"


def test_answers_that_were_withdrawn_are_not_counted():
    story = Story(
        investigating(pause=False),
        done("a", fields={"path_answers": ["1", "1"]}),
        done("b", fields={"path_answers": ["2"]}),
    )

    story.do(Backtrack(place=Place(number=2)))

    assert tally(story.session, story.session.lines["main"]).winner == "1"


def test_a_line_that_ended_goes_on_when_its_end_is_withdrawn():
    story = Story(investigating(pause=False), done("a", total=2), done("b"))
    assert story.answer(done("b", number=2)).needs_more_steps is False

    story.do(Backtrack(place=Place(number=2)))

    assert story.answer(done("c", branch="alt", leaves=1, total=2)).needs_more_steps is True
