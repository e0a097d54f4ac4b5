"""An investigation whose cells run again, go back, fail, or end with little."""

from __future__ import annotations

import pytest

from tests.core.story import Kernel, Story, at, begun, done
from tests.investigations.core.investigating import LONG, found, investigating, looking
from wfnb import errors
from wfnb.core.commands import FinishStep
from wfnb.core.events import Cell, Outcome
from wfnb.core.findings import Look
from wfnb.core.replay import replay
from wfnb.core.validation import StepPlace
from wfnb.investigations.core.assessment import missing_at_end
from wfnb.investigations.core.commands import Backtrack, ExtendTotal
from wfnb.investigations.core.decide import is_repeat
from wfnb.investigations.core.hypothesis_fates import fates
from wfnb.investigations.core.requirements import awaiting_step, standing, step_awaiting_looks
from wfnb.investigations.views.investigation_page import InvestigationPage
from wfnb.views.step_answer import answer

FAILED = Outcome(status="failed", error="ZeroDivisionError")
BACK = Cell(id="back", source="%wfnb backtrack 2")
MORE = Cell(id="more", source="%wfnb extend 2 --reason x")


def back(number: int = 2, cell: Cell | None = None, opened: int = 0) -> Backtrack:
    return Backtrack(place=StepPlace(number=number), cell=cell, opened=opened)


def more(cell: Cell | None = None, opened: int = 0) -> ExtendTotal:
    return ExtendTotal(more=2, reason="two parsers", cell=cell, opened=opened)


def steps(*titles: str, total: int | None = 4) -> Story:
    says = ({"total": total} if at == 0 and total else {} for at in range(len(titles)))
    return Story(
        investigating(pause=False), *(done(t, **s) for t, s in zip(titles, says, strict=True))
    )


def withdrawn(story: Story) -> list[int]:
    return [step.number for step in story.session.steps.values() if step.is_withdrawn]


def turns(story: Story, number: int) -> tuple[int, int]:
    stands = standing(story.session, at(story.session, number))
    assert stands is not None
    return stands.turn, stands.total


def test_a_cell_that_withdrew_a_step_withdraws_nothing_when_it_runs_again():
    story = steps("a", "b")
    story.do(back(cell=BACK))
    story.do(done("c"))
    story.do(done("d"))

    assert is_repeat(story.session, back(cell=BACK))
    assert story.do(back(cell=BACK)) == []
    assert withdrawn(story) == [2]


def test_a_new_cell_withdraws_again_and_so_does_one_that_was_changed():
    story = steps("a", "b")
    story.do(back(cell=BACK))
    story.do(done("c"))

    assert story.do(back(2, cell=Cell(id="back", source="%wfnb backtrack 2 --reason y"))) != []
    assert withdrawn(story) == [2, 3]


def test_a_cell_that_found_nothing_to_withdraw_is_known_later():
    story = steps("a", "b")
    story.do(back())
    story.do(back(cell=BACK))
    story.do(done("b again", number=2))

    assert story.do(back(cell=BACK)) == []
    assert withdrawn(story) == []


def test_without_cell_ids_a_second_process_withdraws_nothing_again():
    cell = Cell(source="%wfnb backtrack 2")
    story = steps("a", "b")
    story.do(back(cell=cell))
    story.do(done("c"))

    assert story.do(back(cell=cell, opened=story.session.position)) == []
    assert story.do(back(cell=cell)) != []


def test_a_cell_that_asked_for_more_steps_asks_once():
    story = steps("a")
    story.do(more(MORE))

    assert story.do(more(MORE)) == []
    assert story.session.total == 6
    assert story.do(more(Cell(id="other", source=MORE.source))) != []


def test_after_the_end_no_more_are_planned():
    story = steps("a", "b", total=2)

    with pytest.raises(errors.LineEnded) as refused:
        story.do(more())

    assert str(refused.value) == (
        "The investigation has ended with step 2, so that no more are planned. "
        "Run step 2 again with --next, which takes the end back."
    )


def test_the_end_is_taken_back_and_more_are_planned():
    story = steps("a", "b", total=2)
    story.do(done("b", number=2, next_step_needed=True))

    story.do(more())

    assert story.session.total == 4


def test_a_withdrawn_version_that_runs_again_takes_nothing_back():
    story = steps("a")
    kernel = Kernel(story)
    kernel.run("%%step 2\n# old", id="old", number=2, description="old")
    story.do(back(cell=BACK))
    kernel.run("%%step 2\n# new", id="new", number=2, description="new")

    second = Kernel(story)
    second.run("%%step 2\n# old", id="old", number=2, description="old")

    assert at(story.session, 2).current.description == "new"
    assert not at(story.session, 2).is_withdrawn


def test_a_withdrawn_version_stays_to_be_seen():
    story = steps("a")
    story.do(done("b", findings=found("old", hypothesis="the file", issues="high: bad")))
    story.do(back())
    story.do(done("c", number=2, findings=found("new", hypothesis="the slice")))

    page = InvestigationPage(story.session).text

    assert [(fate.hypothesis, fate.fate) for fate in fates(story.session)] == [
        ("the file", "withdrawn"),
        ("the slice", "standing"),
    ]
    assert "2     old      ⊖ withdrawn" in page
    assert "bad" in page


def test_withdrawn_steps_use_up_no_planned_ones():
    story = steps("a", "b", "c")
    story.do(back())

    story.do(done("d"))

    assert turns(story, 4) == (2, 4)
    assert at(story.session, 4).current.next_step_needed
    assert story.session.total == 6


def test_a_step_that_withdraws_others_has_as_many_before_it_as_count():
    story = steps("a", "b", "c")

    story.do(done("d", backtrack=2))

    assert turns(story, 4) == (2, 4)
    assert at(story.session, 4).current.next_step_needed


def test_a_withdrawn_step_that_is_written_again_uses_up_its_own():
    story = steps("a", "b", "c")
    story.do(back(3))

    story.do(done("c again", number=3))

    assert turns(story, 3) == (3, 4)
    assert story.session.total == 4


def test_a_session_is_the_same_from_its_journal():
    story = steps("a", "b", "c")
    story.do(back(cell=BACK))
    story.do(done("b again", number=2))
    story.do(more(MORE))

    assert replay(story.log) == story.session


def test_after_steps_back_the_list_of_the_last_that_counts_is_open():
    story = Story(investigating(), done("a"), *_looked(), done("b"))
    story.do(back())

    assert awaiting_step(story.session) is None
    assert step_awaiting_looks(story.session) is at(story.session, 1)
    story.do(done("c"))  # and nothing has to be looked at first
    assert step_awaiting_looks(story.session) is at(story.session, 3)


def _looked():
    from wfnb.investigations.core.commands import LookAt  # noqa: PLC0415

    return (LookAt(looks=(Look(kind="cell", what="x"),)),)


def test_a_last_step_that_failed_ends_nothing_until_it_ran():
    story = steps("a", total=2)
    story.do(begun("b"))
    story.do(FinishStep(attempt=story.session.position, outcome=FAILED))

    told = answer(story.session, at(story.session, 2)).to_dict()

    assert told["status"] == "pause_for_investigation"
    assert told["next_step_required"] is True
    assert told["next_steps"] == "Run step 2 again: it did not run to its end."
    assert "complete_investigation" not in told
    assert "end" not in told

    story.do(begun("b", number=2))
    story.do(FinishStep(attempt=story.session.position, outcome=Outcome()))
    told = answer(story.session, at(story.session, 2)).to_dict()
    assert told["status"] == "investigation_complete"


def test_an_end_without_evidence_is_complete_and_not_solved_by_it():
    story = steps("a", "b", total=2)

    told = answer(story.session, at(story.session, 2))

    lacks = (
        "findings of 12 different words or more (there are 0)",
        "a relevant file, or a context, that was looked at",
    )
    assert missing_at_end(story.session, at(story.session, 2)) == lacks
    html = told._repr_mimebundle_()["text/html"]
    assert f"complete, not solved by evidence: without {' and '.join(lacks)}" in html
    assert "this step holds the answer" not in html


def test_an_end_with_evidence_is_solved_by_it():
    story = steps("a", total=2)
    story.do(looking())

    story.do(done("b", findings=found(LONG, relevant="a.py")))

    assert missing_at_end(story.session, at(story.session, 2)) == ()


def test_a_plan_needs_no_evidence_to_be_solved():
    story = Story(investigating("planner"), done("a", total=2), done("b"))

    assert missing_at_end(story.session, at(story.session, 2)) == ()
