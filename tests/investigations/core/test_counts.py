"""What counts as found, and how many steps are planned for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.story import Story, at, begun, done
from tests.investigations.core.investigating import LONG, found, investigating, looking
from wfnb.core.commands import AbandonBranch, FinishStep, SelectBranch
from wfnb.core.events import Cell, Outcome
from wfnb.core.findings import Look
from wfnb.core.replay import replay
from wfnb.core.solution import is_solved
from wfnb.errors import FilesLeft
from wfnb.investigations.core.assessment import missing_at_end
from wfnb.investigations.core.commands import ChooseKind, ExtendTotal, LookAt, TakeAdvice
from wfnb.investigations.core.events import Advice
from wfnb.investigations.core.investigation import investigation_of, state_of
from wfnb.investigations.core.kind_check import ANSWERS
from wfnb.investigations.core.kind_reader import builtin_kinds
from wfnb.views.report import Report, summary
from wfnb.views.snapshot import snapshot
from wfnb.views.status import Status

TESTS = Look(kind="cell", what="!pytest", acts=("run", "test"), files=("a.py",), failed=False)


def two_ways() -> Story:
    """Branch `x` has the evidence, branch `y` has none."""
    story = Story(investigating(pause=False), done("a", total=6))
    story.do(done("b", branch="x", leaves=1, findings=found(LONG, relevant="f.py")))
    story.do(done("c", branch="y", leaves=1))
    return story


def sure(story: Story) -> dict[str, Any]:
    return story.answer(done("d", branch="y", findings=found(confidence="certain"))).to_dict()


def test_what_a_branch_found_that_was_not_selected_earns_no_end():
    story = two_ways()
    story.do(SelectBranch(branch="y"))

    told = sure(story)

    assert told["end"].startswith("not ended: what is missing: findings of 12")
    assert told["debug_status"]["relevant_files"] == 0
    assert story.session == replay(story.log)


def counting_files() -> Story:
    """Three files are to be documented."""
    story = Story(investigating("docgen", pause=False))
    story.do(done("count", fields={"path": ".", "total_files_to_document": 3}))
    return story


def test_what_a_branch_counted_that_was_not_selected_is_not_done():
    story = counting_files()
    for name in ("x", "y"):
        story.do(done(name, branch=name, leaves=1))
    story.do(SelectBranch(branch="x"))
    story.do(done("all", branch="y", fields={"num_files_documented": 3}))

    with pytest.raises(FilesLeft, match="0 of 3 files"):
        story.do(done("end", branch="x", next_step_needed=False))
    assert story.session == replay(story.log)


def test_what_a_step_counts_no_more_is_not_done():
    story = counting_files()
    story.do(done("all", number=2, fields={"num_files_documented": 3}))

    with pytest.raises(FilesLeft, match="0 of 3 files"):
        story.do(done("none", number=2, fields={"path": "."}, next_step_needed=False))
    story.do(done("none", number=2, fields={"path": "."}))

    now = investigation_of(story.session)
    assert now is not None
    assert "num_files_documented" not in now.fields


def test_it_counts_again_where_the_other_branch_is_given_up():
    story = two_ways()
    story.do(SelectBranch(branch="y"))

    story.do(AbandonBranch(branch="y"))

    assert [*investigation_of(story.session).found.relevant] == ["f.py"]
    assert story.session == replay(story.log)


def test_a_branch_that_leaves_the_same_step_later_is_passed_over_from_its_first_step():
    story = two_ways()
    story.do(SelectBranch(branch="y"))

    story.do(done("e", branch="z", leaves=1, findings=found("late", relevant="z.py")))

    assert story.session.passed_over == {"x", "z"}
    assert [*investigation_of(story.session).found.relevant] == []


def ran(*looks: Look) -> Story:
    """A step of a validation whose code looked so."""
    story = Story(investigating("precommit", pause=False))
    story.do(begun("a", total=9, fields={"path": "."}))
    attempt = next(iter(story.session.running))
    story.do(FinishStep(attempt=attempt, outcome=Outcome(), looks=looks))
    return story


@pytest.mark.parametrize(("looks", "lacks"), [((TESTS,), False), ((), True)])
def test_code_of_a_step_is_a_look_where_it_looked(looks: tuple[Look, ...], lacks: bool):
    story = ran(*looks)
    story.do(done("b"))
    story.do(done("c"))
    says = found(LONG, relevant="a.py", confidence="certain")

    told = story.answer(done("d", findings=says)).to_dict()

    assert ("a look at something that ran" in told["end"]) is lacks
    assert "a look at git" in told["end"]


def status(conflict: bool) -> LookAt:
    return LookAt(looks=(Look(kind="git", what="status", conflict=conflict),))


def test_a_conflict_is_in_the_way_until_a_later_look_finds_none():
    story = ran(TESTS)
    story.do(status(conflict=True))
    story.do(done("b"))
    story.do(LookAt(looks=(Look(kind="git", what="staged: 1 file"),)))
    story.do(done("c"))
    sure = done("d", findings=found(LONG, relevant="a.py", confidence="certain"))

    torn = story.answer(sure).to_dict()
    story.do(status(conflict=False))
    mended = story.answer(done("e")).to_dict()

    assert "a look at git that finds nothing in conflict" in torn["end"]
    assert mended["status"] == "validation_complete_ready_for_commit"


def test_a_look_that_was_withdrawn_mends_no_conflict():
    story = ran(TESTS)
    story.do(status(conflict=True))
    story.do(done("b"))
    story.do(status(conflict=False))
    story.do(done("c"))
    sure = done("d", backtrack=3, findings=found(LONG, relevant="a.py", confidence="certain"))

    told = story.answer(sure).to_dict()

    assert "a look at git that finds nothing in conflict" in told["end"]
    assert story.session == replay(story.log)


PLANNED = {
    "files": ("docgen", {"total_files_to_document": 4, "num_files_documented": 0}, 5),
    "models": ("consensus", {"models": ["a", "b", "c"]}, 3),
}


@pytest.mark.parametrize(("kind", "fields", "total"), PLANNED.values(), ids=PLANNED)
def test_what_was_asked_for_beyond_the_count_stays_planned(kind, fields, total):
    story = Story(investigating(kind, pause=False), done("a", fields=fields))
    assert story.session.total == total

    story.do(ExtendTotal(more=2, reason="more than was thought"))
    story.do(done("b"))

    assert story.session.total == total + 2


@pytest.mark.parametrize(("given", "total"), [(1, 7), (6, 7), (7, 7), (9, 9)])
def test_a_number_of_steps_that_is_fixed_is_the_least(given: int, total: int):
    story = Story(investigating("secaudit", pause=False))

    told = story.answer(done("a", total=given)).to_dict()

    assert (told["total_steps"], told["next_step_needed"]) == (total, True)
    low = ["secaudit takes 7 steps at least: 7 are planned"]
    assert told.get("warnings", []) == (low if given < 7 else [])


def test_certain_of_nothing_is_no_word_to_proceed():
    story = Story(investigating(pause=False))

    told = story.answer(done("a", total=1, findings=found(confidence="certain"))).to_dict()

    assert told["status"] == "investigation_complete"
    assert not told["solved"]


def test_every_view_says_the_same_of_an_end_without_evidence():
    story = Story(investigating(pause=False))
    answer = story.answer(done("a", total=1))
    session = story.session

    assert missing_at_end(session, at(session, 1))
    assert (answer.solved, is_solved(session), snapshot(session)["solved"]) == (False,) * 3
    for text in (answer.text, summary(session), repr(Status(snapshot(session)))):
        assert "complete, not solved by evidence" in text
    assert "**Answer:**" not in Report(session).markdown


def test_an_end_with_evidence_is_solved_in_every_view():
    story = Story(investigating(pause=False), looking())
    answer = story.answer(done("a", total=1, findings=found(LONG, relevant="a.py")))
    session = story.session

    assert (answer.solved, is_solved(session), snapshot(session)["solved"]) == (True,) * 3
    for text in (answer.text, summary(session), repr(Status(snapshot(session)))):
        assert "solved" in text
        assert "not solved" not in text
    assert "**Answer:** a" in Report(session).markdown


@pytest.mark.parametrize("kind", builtin_kinds())
def test_a_field_of_an_answer_is_no_name_for_the_whole(kind: str):
    total = {"total": 1} if builtin_kinds()[kind].total.rule == "estimate" else {}
    fields: dict[str, Any] = {
        "mode": "precision",
        "path": ".",
        "models": ["a"],
        "total_files_to_document": 0,
        "num_files_documented": 0,
    }
    known = {name: value for name, value in fields.items() if name in builtin_kinds()[kind].fields}
    story = Story(ChooseKind(kind=builtin_kinds()[kind], pause=False, reviewer="alice"))
    says = found(LONG, relevant="a.py", confidence=builtin_kinds()[kind].confidence.sure)

    told = story.answer(done("a", fields=known, findings=says, **total)).to_dict()

    assert {*told} - ANSWERS <= {
        builtin_kinds()[kind].completion,
        f"{kind}_status",
        f"{kind}_required",
    }


def advice(cell: Cell, *names: str) -> TakeAdvice:
    said = Advice(adviser="alice", role="reviewer", text="no")
    return TakeAdvice(advice=(said,), step=3, words=names, cell=cell)


def test_a_cell_that_asked_for_advice_is_known_with_its_words():
    story = Story(investigating(), done("a"), advice(Cell(id="c", source="s"), "alice"))

    assert [*state_of(story.session).requests] == [("c", "s", "advise alice")]
    assert story.session == replay(story.log)
