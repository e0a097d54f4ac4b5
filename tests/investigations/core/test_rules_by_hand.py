"""Small rules of investigations, each as a table written by hand: what holds a line's end up, what
becomes of a hypothesis, what one command looked at, in which folders a file is, and words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.story import Kernel, Story, at, begun, done
from tests.investigations.core.investigating import (
    CELL,
    LONG,
    OPENED,
    found,
    investigating,
    looking,
    turn,
)
from tests.investigations.core.test_kinds_own import OWN
from wfnb.core.commands import AddStep, ClearSession, FinishStep
from wfnb.core.events import Cell, Outcome
from wfnb.core.findings import Issue, Look
from wfnb.core.validation import StepPlace
from wfnb.errors import BadValue, FirstStepNeeds, HypothesisUnknown, KindBroken
from wfnb.investigations.core.assessment import assess
from wfnb.investigations.core.commands import (
    Backtrack,
    ChooseKind,
    JudgeHypothesis,
    LookAt,
    TakeAdvice,
)
from wfnb.investigations.core.decide import MAX_LOOKS, MAX_NAME, combine_looks, merge_looks
from wfnb.investigations.core.end_rules import WORDS, Ending, ending, evidence_gaps
from wfnb.investigations.core.events import Advice
from wfnb.investigations.core.hypothesis_fates import (
    Fate,
    fate_of,
    fates,
    mark_of,
    marked_hypothesis,
)
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind import OFFERED, RuleCondition, Total
from wfnb.investigations.core.kind_reader import builtin_kinds, kind_from
from wfnb.investigations.core.missing_evidence import missing_looks
from wfnb.investigations.core.reducer import counts, places, said_since
from wfnb.investigations.core.repeated_requests import advice_request, was_requested
from wfnb.investigations.core.requirements import (
    Standing,
    floor,
    required_pause,
    status,
    step_looks,
)
from wfnb.investigations.core.requirements import standing as standing_of
from wfnb.investigations.core.step_estimate import estimate
from wfnb.investigations.core.step_rules import judge_again, judge_end

DEBUG = builtin_kinds()["debug"]


def standing(kind: str, turn: int, total: int, level: str = "low", **fields: Any) -> Standing:
    return Standing(kind=builtin_kinds()[kind], turn=turn, total=total, level=level, fields=fields)


MODELS = ["a", "b"]
ENDS: list[tuple[Standing, bool | None, tuple[str, ...], tuple[bool, str | None]]] = [
    # The models are asked once the first step is recorded: it lacks nothing yet.
    (
        standing("consensus", 1, 2, models=MODELS),
        True,
        ("replies",),
        (True, "not ended: 1 of 2 models were not heard"),
    ),
    (standing("consensus", 1, 2, models=MODELS), None, ("replies",), (True, None)),
    (
        standing("docgen", 1, 2, total_files_to_document=3, num_files_documented=1),
        True,
        (),
        (True, "not ended: 1 of 3 files are documented"),
    ),
    (
        standing("docgen", 4, 4, total_files_to_document=3, num_files_documented=2),
        None,
        (),
        (True, "not ended: 2 of 3 files are documented"),
    ),
]


@pytest.mark.parametrize(("stands", "asked", "lacks", "comes"), ENDS)
def test_a_line_does_not_end_before_its_models_are_heard_and_its_files_are_done(
    stands, asked, lacks, comes
):
    assert judge_end(stands, asked, lacks) == comes


@pytest.mark.parametrize("turn", [1, 2])
def test_what_the_evidence_lacks_at_the_planned_end_is_told_at_the_first_step_too(turn):
    needed, end = judge_end(standing("debug", turn, turn, "certain"), True, ("a look",))

    assert not needed
    assert end is not None
    assert "a look" in end


@pytest.mark.parametrize(("mode", "least"), [("deep", 4), ("quick", 1)])
def test_a_least_number_of_steps_holds_where_its_condition_does(mode, least):
    total = Total(least=4, when=RuleCondition(fields={"mode": "deep"}))
    stands = Standing(
        kind=replace(DEBUG, total=total), turn=1, total=3, level="low", fields={"mode": mode}
    )

    assert floor(stands) == least


def test_the_advice_of_a_step_that_ends_its_line_is_to_finish_and_says_why():
    story = Story(investigating(pause=False), done("a", total=2), done("b", next_step_needed=False))

    assessed = assess(story.session, at(story.session, 2))

    assert assessed is not None
    assert (assessed.advice, assessed.why) == ("finish", "the line ends with this step")


def supposed(words: str, hypothesis: str, **says: Any) -> AddStep:
    step = {key: says.pop(key) for key in ("branch", "leaves", "number") if key in says}
    return done(words, findings=found(hypothesis=hypothesis, **says), **step)


def judged(hypothesis: int | str, verdict: Any, reason: str | None = None) -> JudgeHypothesis:
    return JudgeHypothesis(hypothesis=hypothesis, verdict=verdict, reason=reason)


def fates_of(*commands: Any) -> list[Fate]:
    return fates(Story(investigating(pause=False), *commands).session)


def test_a_verdict_has_the_reason_that_was_given():
    (fate,) = fates_of(supposed("a", "the loop"), judged(1, "refuted", "it ends"))

    assert (fate.fate, fate.reason) == ("refuted", "it ends")


def test_a_hypothesis_that_was_withdrawn_is_so_whatever_was_said_of_it():
    found_fates = fates_of(
        supposed("a", "the loop"),
        supposed("b", "the parser"),
        judged("the parser", "confirmed"),
        Backtrack(place=StepPlace(number=2)),
    )

    assert [fate.fate for fate in found_fates] == ["standing", "withdrawn"]


def test_a_hypothesis_that_one_line_withdrew_and_another_says_still_is_that_of_the_other():
    story = Story(investigating(pause=False), done("a"))
    for branch in ("gone", "said"):
        story.do(supposed("b", "the loop", branch=branch, leaves=1))
    story.do(Backtrack(place=StepPlace(number=2, branch="gone")))

    assert fate_of(story.session, "The loop.").step.branch == "said"


def test_a_step_may_refute_the_hypothesis_that_it_says_itself():
    (fate,) = fates_of(supposed("a", "the loop", refutes="the  Loop"))

    assert (fate.fate, fate.hypothesis) == ("refuted", "the loop")


def test_a_verdict_is_as_old_as_the_first_of_the_versions_that_say_it_without_a_break():
    def again(words: str, **says: Any) -> AddStep:
        return done(words, number=2, findings=found(files="a", **says))

    (fate,) = fates_of(
        supposed("a", "the loop"),
        again("silent"),
        judged(1, "refuted"),
        again("says so", confirms="1"),
        again("says so in other words", confirms="1"),
    )

    assert fate.fate == "confirmed"


def test_a_step_from_before_the_investigation_counts_once_it_says_what_it_found():
    story = Story(done("a"), investigating(pause=False))
    assert not counts(story.session, at(story.session, 1))

    story.do(done("a again", number=1, findings=found(LONG)))

    now = investigation_of(story.session)
    assert now is not None
    assert counts(story.session, at(story.session, 1))
    assert list(now.found.findings) == [LONG]


def test_advice_is_asked_for_once_by_a_cell_also_by_one_without_an_id():
    story = Story(investigating(pause=False), done("a"))
    cell = Cell(id=None, source="%wfnb advise")
    reply = Advice(adviser="alice", role="model", text="yes")
    story.do(TakeAdvice(advice=(reply,), step=at(story.session, 1).key, cell=cell))
    session, what = story.session, advice_request(())

    assert was_requested(session, cell, what, opened=session.position)
    assert not was_requested(session, cell, what, opened=session.position - 1)
    assert not was_requested(session, cell, advice_request(("bob",)), opened=session.position)


def test_who_plans_and_reviews_stays_where_another_kind_names_nobody():
    story = Story(ChooseKind(kind=DEBUG, reviewer="alice", planner="bob"))
    story.do(ChooseKind(kind=builtin_kinds()["refactor"]))

    now = investigation_of(story.session)
    assert now is not None
    assert (now.reviewer, now.planner) == ("alice", "bob")


def test_of_what_one_command_looked_at_the_first_ticks_anything_and_the_others_what_names_them():
    looks = [Look(kind="file", what=str(n), ticks=ticks) for n, ticks in enumerate(("any",) * 3)]
    silent = Look(kind="file", what="3", ticks="nothing")

    assert [look.ticks for look in combine_looks([*looks, silent])] == [
        *("any", "named", "named", "nothing"),
    ]


PLACES = {
    "a.py": ["a.py", "."],
    "pkg/sub/a.py": ["pkg/sub/a.py", "pkg/sub", "pkg", "."],
    "../b.py": ["../b.py", ".."],
    "../pkg/b.py": ["../pkg/b.py", "../pkg", ".."],
}


@pytest.mark.parametrize("file", PLACES)
def test_a_file_is_in_the_folders_that_are_named_from_the_notebook(file):
    assert list(places(file)) == PLACES[file]


def test_a_file_that_is_named_from_the_root_is_in_no_folder_of_the_notebook():
    assert "." not in list(places("/data/b.csv"))
    assert "/data" in list(places("/data/b.csv"))


def test_the_text_of_an_issue_may_have_a_colon():
    assert found(issues="high: a: b").issues == (Issue(severity="high", text="a: b"),)


def test_a_long_word_of_a_problem_is_quoted_by_its_first_40_signs():
    assert estimate(f"a deadlock{'k' * 60}", DEBUG).why == (f"+1 it says 'deadlock{'k' * 32}'",)


REFUSED = {
    "backtrack": done("b", backtrack="no"),
    "reason": Backtrack(place=StepPlace(number=1), reason=" "),
}


@pytest.mark.parametrize("field", REFUSED)
def test_what_does_not_read_is_refused_with_the_name_of_its_field(field):
    story = Story(investigating(pause=False), done("a"))

    with pytest.raises(BadValue) as refused:
        story.do(REFUSED[field])

    assert refused.value.field == field


def test_a_kind_that_asks_for_what_nobody_can_look_at_is_told_what_there_is():
    with pytest.raises(KindBroken) as refused:
        kind_from({**OWN, "looks": ["gti"]}, "mine.yaml")

    assert f"'gti' is nothing that can be looked at; there are {', '.join(OFFERED)}" in str(
        refused.value
    )


def test_a_field_that_a_kind_does_not_know_does_nothing_and_it_says_which_it_knows():
    fields = {"aaa": {"says": "one"}, "bbb": {"says": "two"}}
    kind = kind_from({**OWN, "fields": fields}, "mine.yaml")
    story = Story(investigating(kind, pause=False))

    told = story.answer(done("a", fields={"quite_another": 1}))

    assert list(told.warnings) == [
        "mine has no field 'quite_another', so it does nothing. It knows aaa, bbb."
    ]


def test_the_mark_of_a_hypothesis_is_that_of_its_words():
    marks = [mark_of(claim) for claim in ("The loop", "the  loop", "\ud800", "the list")]

    assert marks[0] == marks[1]
    assert len({*marks}) == 3


def test_what_more_than_a_step_holds_was_looked_at_is_one_look_that_says_how_much():
    looks = tuple(Look(kind="cell", what=f"cell {n}", files=(f"{n}.py",)) for n in range(300))
    story = Story(investigating(), done("a"), LookAt(looks=looks))

    last = investigation_of(story.session).looks[-1]

    assert last.what == f"{300 - MAX_LOOKS} more: cell {MAX_LOOKS}"


def test_looks_that_are_kept_as_one_have_all_that_any_of_them_had_each_once():
    looks = [
        Look(kind="file", what="x" * 999, files=("a.py", "b.py"), names=("f",)),
        Look(kind="cell", what="b", files=("b.py", "c.py"), names=("g", "f"), acts=("run",)),
        Look(kind="cell", what="c", failed=False, acts=("test", "run"), conflict=True),
        Look(kind="cell", what="d", failed=True, conflict=False),
    ]

    assert merge_looks(looks[1:2]) == looks[1]
    assert merge_looks(looks) == Look(
        kind="file",
        what=f"4 more: {'x' * 999}"[:MAX_NAME],
        files=("a.py", "b.py", "c.py"),
        names=("f", "g"),
        acts=("run", "test"),
        conflict=False,
        failed=True,
        ticks="named",
    )
    assert merge_looks([looks[2], looks[0]]).conflict is True
    assert merge_looks([looks[0], looks[0]]).failed is None


def test_a_session_that_is_cleared_keeps_how_it_is_investigated_and_nothing_that_was_found():
    chosen = investigating("debug", pause=False, reviewer="alice", planner="bob")
    story = Story(chosen, looking(), done("a", findings=found(LONG, relevant="a.py")))
    story.do(ClearSession())

    now = investigation_of(story.session)
    assert now == replace(
        investigation_of(Story(chosen).session),
        since=story.session.position,
        chosen=story.session.position,
        bases={},
    )
    story.do(done("b", findings=found("Another")))
    assert list(now.found.findings) == ["another"]


def test_what_was_looked_at_before_the_first_step_is_for_its_list_and_later_looks_for_the_next():
    story = Story(done("before"), investigating(), looking(OPENED), done("a"), looking())
    session = story.session

    assert step_looks(session, at(session, 2)) == (OPENED, CELL)
    assert step_looks(session, at(session, 1)) == ()
    story.do(done("b"))
    story.do(looking(OPENED))
    assert step_looks(story.session, at(story.session, 3)) == (OPENED,)
    assert step_looks(Story(done("a")).session, at(session, 2)) == ()


def test_a_look_that_is_asked_for_and_was_not_there_is_named_by_each_way_to_have_it():
    ways = [["cell", "git"], ["test", "check", "run"], ["versions"]]
    kind = kind_from({**OWN, "evidence": ways}, "mine.yaml")
    story = Story(investigating(kind, pause=False), done("a"))

    def lacks(*looks: Look) -> tuple[str, ...]:
        return missing_looks(story.session, investigation_of(story.session).found, looks)

    assert lacks() == (
        "a look at a cell or git",
        "a look at tests or a linter or something that ran",
        "a look at versions",
    )
    run = Look(kind="tool", what="x", acts=("run",), failed=False)
    assert lacks(run, Look(kind="git", what="diff")) == ("a look at versions",)
    silent = Look(kind="git", what="diff", acts=("versions",), ticks="nothing")
    assert lacks(silent, run)[0] == "a look at a cell or git"
    failed = [
        Look(kind="cell", what=f"!{act}", acts=("run", act), failed=True)
        for act in ("test", "check", "other")
    ]
    assert lacks(*failed)[1:] == (
        "tests without a failure after `!test`",
        "a linter without a failure after `!check`",
        "something that ran without a failure after `!other`",
    )
    well = replace(failed[0], what="!test -q", failed=False)
    assert lacks(failed[0], well) == ("a look at versions",)
    assert lacks(well, failed[0])[-1] == "tests without a failure after `!test`"
    other = replace(well, what="!another test")
    assert lacks(failed[0], other)[-1] == "tests without a failure after `!test`"


def test_evidence_is_of_this_session_where_nothing_else_is_said():
    assert evidence_gaps(WORDS, shown=True) == ()


def test_an_end_that_was_asked_for_where_nothing_was_found_says_so_and_no_more():
    end = ending(DEBUG.confidence, turn=2, planned=5, level=None, lacks=(), asked=True)

    assert end == Ending(ended=True, why="asked for at step 2 of 5")


def test_a_step_that_found_something_stands_as_one_with_findings():
    story = Story(investigating(), done("a"), looking(), done("b", findings=found("One")))

    assert standing_of(story.session, at(story.session, 1)).has_findings


def test_what_was_withdrawn_before_the_kind_was_chosen_is_not_counted_again():
    story = Story(investigating(pause=False), done("a"), Backtrack(place=StepPlace(number=1)))
    story.do(investigating("analyze", pause=False))
    for words in "bcd":
        story.do(done(words, findings=found(relevant="a.py")))

    assert turn(story, 4) == 3


def test_the_same_is_said_since_the_first_version_though_the_words_are_others():
    kernel = Kernel(Story(investigating(pause=False)))
    first = kernel.run("a", id="c", findings=found(confidence="low"))
    step = kernel.run("b", id="c", findings=found(confidence="low"))

    assert len(step.versions) == 2
    said = said_since(kernel.story.session, step, lambda version: version.findings.confidence)
    assert said == first.key


def test_who_has_to_wait_is_told_the_status_of_a_pause():
    story = Story(investigating(), done("a"))
    session = story.session

    pause = required_pause(session, None, found(), investigation_of(session).found)

    assert pause.status == status(standing_of(session, at(session, 1)), ended=False)
    assert pause.status != status(standing_of(session, at(session, 1)), ended=True)


def test_a_step_that_says_more_at_its_end_is_judged_with_all_its_fields():
    story = Story(investigating("docgen", pause=False))
    story.do(begun("a", fields={"total_files_to_document": 3, "num_files_documented": 1}))
    step = at(story.session, 1)
    (attempt,) = story.session.running

    more = FinishStep(attempt=attempt, outcome=Outcome(), fields={"num_files_documented": 2})
    judged = judge_again(story.session, step, more)

    assert judged.fields == {"total_files_to_document": 3, "num_files_documented": 2}


def test_a_field_of_another_choice_is_refused_with_60_signs_of_what_was_said():
    fields = {"mode": {"says": "which", "choices": ["quick", "deep"]}, "why": {"says": "why"}}
    story = Story(investigating(kind_from({**OWN, "fields": fields}, "mine.yaml"), pause=False))
    refused = (
        ({"mode": "x" * 61}, "field 'mode'", "x" * 60, "one of quick, deep"),
        ({"mode": 3}, "field 'mode'", "3", "one of quick, deep"),
        ({"why": None}, "field 'why'", "None", "text"),
    )

    for said, field, value, needs in refused:
        with pytest.raises(BadValue) as refusal:
            story.do(done("a", fields=said))
        now = refusal.value
        assert (now.field, now.value, now.needs) == (field, value, needs)
    story.do(done("a", fields={"mode": "deep", "why": 3}))


@pytest.mark.parametrize("said", [{}, {"path": "", "n": ""}])
def test_the_first_step_brings_what_its_kind_needs_and_empty_is_not_it(said):
    fields = {"path": {"says": "where", "holds": "folder"}, "n": {"says": "what"}}
    needs = ["path", "relevant_files", "n"]
    story = Story(
        investigating(kind_from({**OWN, "fields": fields, "needs": needs}, "x"), pause=False)
    )

    with pytest.raises(FirstStepNeeds) as refused:
        story.do(done("a", fields=said))

    assert (refused.value.kind, refused.value.missing) == ("mine", ("path", "relevant_files", "n"))
    assert refused.value.ways == ("--set path=.", "--relevant FILE", "--set n=…")
    story.do(done("a", fields={"path": ".", "n": "x"}, findings=found(relevant="a.py")))
    story.do(done("b"))


@pytest.mark.parametrize(
    ("id", "ran", "versions"), [(None, False, 2), (None, True, 3), ("c", True, 2)]
)
def test_a_version_that_was_withdrawn_and_runs_as_it_was_takes_nothing_back(id, ran, versions):
    def cell(source: str) -> Cell:
        return Cell(id=id, source=source)

    story = Story(investigating(pause=False), done("a", cell=cell("%%step a\nx")))
    story.do(Backtrack(place=StepPlace(number=1)))
    story.do(done("a", number=1, cell=cell("%%step a\ny")))
    step = at(story.session, 1)

    mine = frozenset({step.key} if ran else ())
    story.do(done("a", number=1, cell=cell("%%step a\nx"), ran=mine))

    assert len(at(story.session, 1).versions) == versions


def test_a_hypothesis_is_found_by_its_mark_or_it_is_said_which_there_are():
    told = Story(investigating(pause=False), supposed("a", "the loop"), supposed("b", "the list"))

    assert marked_hypothesis(told.session, mark_of("The  List")) == "the list"
    assert marked_hypothesis(told.session, mark_of("the loop")) == "the loop"
    with pytest.raises(HypothesisUnknown) as refused:
        marked_hypothesis(told.session, mark_of("the end"))
    assert refused.value.hypothesis == "what stood there"
    assert refused.value.known == ("the loop", "the list")
