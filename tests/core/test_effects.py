"""Section 5: stages that do their work: scores are given, a branch is selected, answers counted."""

from dataclasses import replace

import pytest

from tests.core.story import (
    Story,
    answered,
    at,
    begun,
    done,
    following,
    given,
    stages,
    strategy,
)
from wfnb.core.commands import (
    AbandonBranch,
    FinishStep,
    HideSteps,
    ScoreBranch,
    ShowSteps,
    Undo,
)
from wfnb.core.events import BranchScored, Outcome, Recorded
from wfnb.core.queries import stage_choices
from wfnb.core.replay import replay
from wfnb.core.strategy import Stage, Strategy
from wfnb.core.strategy_ledgers import ledger
from wfnb.core.validation import StepPlace
from wfnb.errors import BadValue

TREE = following("tree_of_thoughts")
BEGUN = (TREE, done(), done(fields={"approaches": ["ridge", "lasso"]}), done())


def grown(branch, **fields):
    """A branch from step 3 with one step of development."""
    return done(branch=branch, leaves=3, fields={"approach_id": branch, **fields})


def scored(approach, score, **says):
    fields = {"approach_id": approach, "evaluation_score": score}
    return done(**{"branch": approach, "stage": "branch_evaluation", "fields": fields, **says})


def states(session):
    return {name: (line.state, line.score) for name, line in session.lines.items()}


TWO = (*BEGUN, grown("ridge"), scored("ridge", 0.4), grown("lasso"), scored("lasso", 0.7))


@pytest.mark.parametrize("score", [0.4, "0.4", " 4e-1 "])
def test_branch_evaluation_scores_its_branch(score):
    assert given(*BEGUN, grown("ridge"), scored("ridge", score)).lines["ridge"].score == 0.4


def test_branch_evaluation_scores_the_branch_that_approach_id_names():
    session = given(*BEGUN, grown("ridge"), grown("lasso"), scored("ridge", 2, branch="lasso"))

    assert states(session) == {
        "main": ("open", None),
        "ridge": ("open", 2),
        "lasso": ("open", None),
    }


def test_a_branch_named_by_digits_is_known_where_yaml_read_a_number():
    story = Story(*BEGUN, grown("1"), grown("2"))

    story.do(scored(1, 0.5, branch="2"))

    assert story.session.lines["1"].score == 0.5


def test_branch_evaluation_of_what_is_no_branch_scores_its_own_branch_but_never_main():
    session = given(*BEGUN, grown("ridge"), scored("Ridge regression", 3, branch="ridge"))
    linear = (*BEGUN, done(fields={"approach_id": "a"}), scored("a", 3, branch=None))

    assert session.lines["ridge"].score == 3
    assert given(*linear).lines["main"].score is None


def test_a_changed_evaluation_changes_the_score():
    assert given(*TWO, scored("lasso", 0.1, number=5)).lines["lasso"].score == 0.1


def test_branch_selection_selects_the_best():
    answer = answered(*TWO, done(stage="branch_selection"))

    assert answer.scores == {"ridge": 0.4, "lasso": 0.7}
    assert states(given(*TWO, done(stage="branch_selection")))["lasso"] == ("selected", 0.7)
    assert answer.warnings == []


def test_branch_selection_selects_the_branch_that_approach_id_names():
    session = given(*TWO, done(stage="branch_selection", fields={"approach_id": "ridge"}))

    assert states(session)["ridge"] == ("selected", 0.4)


@pytest.mark.parametrize(
    ("before", "fields", "selected", "warning"),
    [
        (
            TWO,
            {"approach_id": "elastic"},
            None,
            "nothing was selected: no branch is called 'elastic'; "
            "`%wfnb select ID` selects a branch",
        ),
        (
            (*TWO, ScoreBranch(branch="ridge", score=0.7)),
            {},
            "ridge",
            "ridge, lasso share the best score: the first was selected",
        ),
        ((*TWO, AbandonBranch(branch="lasso")), {}, "ridge", None),
        (
            (*TWO, AbandonBranch(branch="lasso"), AbandonBranch(branch="ridge")),
            {"approach_id": ""},
            None,
            "nothing was selected: no branch has a score; `%wfnb select ID` selects a branch",
        ),
    ],
)
def test_branch_selection_says_what_it_could_not_decide(before, fields, selected, warning):
    story = Story(*before)
    line = "main" if selected else "lasso"

    answer = story.answer(done(branch=line, stage="branch_selection", fields=fields))

    chosen = [name for name, line in story.session.lines.items() if line.state == "selected"]
    assert chosen == ([selected] if selected else [])
    assert answer.warnings == ([warning] if warning else [])


THREE = (*TWO, grown("tree"), scored("tree", 0.7), grown("plain"))


def beam(session):
    found = ledger(session, session.lines["main"])
    return [row[:3] for row in found.rows]


def test_a_beam_lets_the_best_go_on_and_prunes_the_rest():
    chosen = answered(*THREE, done(stage="branch_selection", fields={"beam": 2}))
    session = given(*THREE, done(stage="branch_selection", fields={"beam": 2}))

    assert (chosen.selected, chosen.warnings) == ("lasso, tree", [])
    assert beam(session) == [
        ("lasso", 0.7, "selected"),
        ("tree", 0.7, "selected"),
        ("ridge", 0.4, "pruned"),
        ("plain", None, "pruned"),
    ]
    assert "selected lasso, tree" in chosen.text


def test_a_smaller_beam_later_prunes_what_went_on_before():
    first = done(stage="branch_selection", fields={"beam": 2})
    session = given(*THREE, first, done(number=4, stage="branch_selection", fields={"beam": 1}))

    assert beam(session)[:2] == [("lasso", 0.7, "selected"), ("tree", 0.7, "pruned")]


def test_branches_in_play_are_told_with_their_scores_before_one_is_selected():
    assert beam(given(*THREE))[-1] == ("plain", None, "not scored")
    assert beam(given(*THREE))[0] == ("lasso", 0.7, "in play")


@pytest.mark.parametrize("width", [0, "two", -1, 1.5])
def test_a_beam_is_a_whole_number(width):
    with pytest.raises(BadValue, match="'beam'"):
        given(*THREE, done(stage="branch_selection", fields={"beam": width}))


def test_where_the_beam_cuts_between_equals_it_says_so():
    answer = answered(*THREE, done(stage="branch_selection", fields={"beam": 1}))

    assert answer.warnings == ["lasso, tree share the best score: the first was selected"]


def test_a_journal_that_has_a_beam_replays_as_it_was():
    story = Story(*THREE, done(stage="branch_selection", fields={"beam": 2}))

    assert states(replay(story.log)) == states(story.session)


def test_tree_of_thoughts_can_be_walked_with_branches():
    session = given(
        *TWO,
        done("choose", stage="branch_selection"),
        done("settle"),
        done("write", stage="solution_formulation"),
        done("why"),
        done("final"),
    )

    assert stages(session)[3:] == [
        "branch_selection",
        "continuation_decision",
        "solution_formulation",
        "path_justification",
        "final_response",
    ]


def test_tree_of_thoughts_can_be_walked_on_the_selected_branch():
    session = given(
        *TWO,
        done(branch="lasso"),
        done(branch="lasso"),
        done(branch="lasso", stage="branch_development", fields={"approach_id": "lasso"}),
    )

    assert session.lines["lasso"].state == "selected"
    assert stages(session, "lasso")[-1] == "branch_development"


def counted(answers, then=1):
    """self_consistency up to `then` steps after answers were collected."""
    before = (following("self_consistency"), done(), done(), done(fields={"reasoning_path_id": 1}))
    return answered(*before, done(fields={"path_answers": answers}), *[done()] * then)


@pytest.mark.parametrize(
    ("answers", "tally"),
    [
        (
            ["42", "42", "41"],
            {"winner": "42", "share": 0.667, "ties": [], "votes": {"42": 2, "41": 1}},
        ),
        ({"a": 1, "b": 1, "c": 1}, {"winner": "1", "share": 1.0, "ties": [], "votes": {"1": 3}}),
        ({"a": "x", "b": "y"}, {"winner": None, "share": 0.5, "ties": ["x", "y"]}),
        (["Yes", " yes ", "NO"], {"winner": "Yes", "votes": {"Yes": 2, "NO": 1}}),
        (["b", "a", "a", "b", "c"], {"winner": None, "share": 0.4, "ties": ["b", "a"]}),
        (["x"], {"winner": "x", "share": 1.0}),
    ],
)
@pytest.mark.parametrize("then", [0, 1, 2])
def test_answers_are_counted_and_said_who_won_and_by_how_much(answers, tally, then):
    found = counted(answers, then).tally

    assert {name: found[name] for name in tally} == tally


def test_the_tally_is_told_where_answers_are_counted_and_not_after():
    assert counted(["1"], then=3).tally is None


def test_self_consistency_can_be_walked_with_a_branch_for_each_path():
    story = Story(following("self_consistency"), done(), done("paths"))
    for path in ("counting", "sampling", "formula"):
        story.do(done(branch=path, leaves=2, fields={"reasoning_path_id": path}))
    said = {"counting": 42, "sampling": 41, "formula": 42}

    story.do(done(stage="answer_collection", fields={"path_answers": said}))
    story.do(done())
    answer = story.answer(done())

    assert (answer.stage, answer.tally["winner"], answer.tally["share"]) == (
        "majority_selection",
        "42",
        0.667,
    )
    assert story.answer(done()).stage == "final_response"


@pytest.mark.parametrize("answers", ["42", 42, [], {}])
def test_answers_that_cannot_be_counted_are_refused(answers):
    with pytest.raises(Exception, match=r"answers, as {path: answer} or as a list"):
        counted(answers)


def test_scores_that_are_words_are_not_counted_among_the_scores():
    words = {"approach_id": "a", "evaluation_score": "high"}
    numbers = {"approach_id": "b", "evaluation_score": "2"}

    answer = answered(
        done(fields=words),
        done(fields=numbers),
        done(branch="ridge"),
        following(strategy_of("select-branch")),
        done(branch="ridge", stage="only"),
    )

    assert answer.scores == {"b": 2.0}


def test_an_effect_of_ones_own_strategy_asks_for_what_it_needs():
    story = Story(following(strategy_of("score-branch")))

    with pytest.raises(Exception, match="field 'evaluation_score' is 'None'"):
        story.do(done())
    story.do(done(fields={"evaluation_score": 1}))


def strategy_of(effect):
    return Strategy(name="own", start="only", stages={"only": Stage(effect=effect)})


def test_a_stage_without_an_effect_only_records_its_step():
    story = Story(following(strategy({"a": []})), done(fields={"evaluation_score": "?"}))

    assert at(story.session, 1).current.fields == {"evaluation_score": "?"}


DEEPER = (
    *TWO,
    done(stage="branch_selection", fields={"beam": 2}),
    done("deeper", stage="continuation_decision"),
)


def test_selected_branches_go_on_from_the_decision_of_the_line_that_they_left():
    further = done(branch="ridge", stage="branch_development", fields={"approach_id": "ridge"})

    session = given(*DEEPER, further, scored("ridge", 0.9))

    assert stage_choices(session, session.lines["ridge"]) == ("branch_selection",)
    assert session.lines["ridge"].score == 0.9


def test_a_line_selects_again_after_its_selected_branches_went_on():
    further = [
        done(branch=name, stage="branch_development", fields={"approach_id": name})
        for name in ("ridge", "lasso")
    ]

    session = given(
        *DEEPER,
        *further,
        scored("ridge", 0.9),
        scored("lasso", 0.8),
        done(stage="branch_selection"),
    )

    assert states(session)["ridge"] == ("selected", 0.9)
    assert states(session)["lasso"] == ("open", 0.8)


def test_a_branch_that_was_not_selected_has_no_part_in_the_decision():
    session = given(*TWO, done(stage="branch_selection"), done(stage="continuation_decision"))

    assert stage_choices(session, session.lines["ridge"]) == ("branch_selection",)


def test_a_score_that_the_stage_does_not_read_is_said_to_be_one_of_another():
    judged = {"approach_id": "ridge", "evaluation_score": 2}

    answer = answered(*TWO, done(branch="ridge", stage="branch_selection", fields=judged))

    assert "field 'evaluation_score' is one of stage branch_evaluation, not of this one" in (
        answer.warnings
    )


FAILED = Outcome(status="failed", error="ValueError: x")


def chosen(session):
    return [name for name, line in session.lines.items() if line.state == "selected"]


@pytest.mark.parametrize("status", ["failed", "interrupted"])
def test_an_evaluation_that_did_not_go_well_scores_nothing(status):
    at_once = Story(*BEGUN, grown("ridge"), scored("ridge", 0.9, outcome=Outcome(status=status)))
    by_code = Story(*BEGUN, grown("ridge"), scored("ridge", 0.9, outcome=None))

    while_it_runs = by_code.session.lines["ridge"].score
    by_code.do(FinishStep(attempt=max(by_code.session.running), outcome=Outcome(status=status)))

    assert while_it_runs is None
    assert {at_once.session.lines["ridge"].score, by_code.session.lines["ridge"].score} == {None}


def test_an_evaluation_scores_when_its_code_has_ended_well():
    story = Story(*BEGUN, grown("ridge"), scored("ridge", 0.9, outcome=None))

    story.do(FinishStep(attempt=max(story.session.running), outcome=Outcome()))

    assert story.session.lines["ridge"].score == 0.9
    assert replay(story.log) == story.session


def test_a_score_that_is_none_is_refused_before_the_code_runs():
    with pytest.raises(BadValue, match="evaluation_score"):
        given(*BEGUN, grown("ridge"), scored("ridge", "high", outcome=None))


@pytest.mark.parametrize("how", ["hidden", "failed again", "changed and failed"])
def test_a_score_ends_with_the_evaluation_that_gave_it_and_the_older_one_holds(how):
    story = Story(*BEGUN, grown("ridge"), scored("ridge", 0.4), scored("ridge", 0.9, revises=5))
    again = scored("ridge", 0.9 if how == "failed again" else 0.95, number=6, revises=5)
    place = StepPlace(number=6, branch="ridge")

    story.do(HideSteps(places=(place,)) if how == "hidden" else replace(again, outcome=FAILED))

    assert story.session.lines["ridge"].score == 0.4
    story.do(ShowSteps(places=(place,)) if how == "hidden" else again)
    assert story.session.lines["ridge"].score == (0.95 if "changed" in how else 0.9)
    assert replay(story.log) == story.session


def test_a_selection_by_a_step_that_failed_is_none_and_one_that_ran_again_is():
    select = done("choose", stage="branch_selection")
    story = Story(*TWO, replace(select, outcome=FAILED))

    failed, said = chosen(story.session), at(story.session, 4).selects
    answer = story.answer(replace(select, number=4))

    assert (failed, said) == ([], ())
    assert (chosen(story.session), answer.selected) == (["lasso"], "lasso")


def test_a_selection_that_is_hidden_gives_back_what_was_selected_before_it():
    first = done("two", stage="branch_selection", fields={"beam": 2})
    second = done("one", stage="branch_selection", revises=4)
    story = Story(*THREE, first, second)
    one = chosen(story.session)

    story.do(HideSteps(places=(StepPlace(number=5),)))
    two, over = chosen(story.session), set(story.session.passed_over)
    story.do(ShowSteps(places=(StepPlace(number=5),)))

    assert (one, two, over) == (["lasso"], ["lasso", "tree"], {"ridge", "plain"})
    assert chosen(story.session) == ["lasso"]


def test_a_selection_goes_by_the_scores_at_its_end_and_says_then_what_it_could_not_decide():
    story = Story(*BEGUN, grown("ridge"), grown("lasso"), scored("ridge", 0.1))
    story.do(begun("choose", stage="branch_selection"))
    attempt = max(story.session.running)
    story.do(ScoreBranch(branch="ridge", score=1))
    story.do(ScoreBranch(branch="lasso", score=1))

    story.do(FinishStep(attempt=attempt, outcome=Outcome()))
    step = story.session.steps[attempt]

    assert (step.selects, step.warnings) == (
        ("ridge",),
        ("ridge, lasso share the best score: the first was selected",),
    )


def test_a_cell_that_runs_again_takes_no_score_back_that_was_given_since():
    evaluation = scored("ridge", 0.4, number=5)
    story = Story(*BEGUN, grown("ridge"), evaluation, ScoreBranch(branch="ridge", score=0.8))

    story.do(evaluation)

    assert story.session.lines["ridge"].score == 0.8


def test_what_an_older_wfnb_recorded_at_the_beginning_of_a_step_is_the_steps_all_the_same():
    story = Story(*BEGUN, grown("ridge"), scored("ridge", 0.9, outcome=None))
    attempt = max(story.session.running)
    # It recorded the score beside the step, before the code ran.
    story.log.append(
        Recorded(position=attempt + 1, first=attempt, event=BranchScored(branch="ridge", score=0.9))
    )
    story.session = replay(story.log)

    failed = Story()
    failed.log, failed.session = list(story.log), replay(story.log)
    for one, outcome in ((story, Outcome()), (failed, FAILED)):
        one.do(FinishStep(attempt=attempt, outcome=outcome))

    assert story.session.lines["ridge"].score == 0.9
    assert failed.session.lines["ridge"].score is None


def test_undoing_what_came_after_a_step_began_leaves_its_end_and_what_that_did():
    story = Story(*BEGUN, grown("ridge"), scored("ridge", 0.9, outcome=None))
    attempt = max(story.session.running)
    story.do(grown("lasso"))
    story.do(FinishStep(attempt=attempt, outcome=Outcome()))

    story.do(Undo())

    assert story.session.lines["ridge"].score == 0.9
    assert replay(story.log) == story.session


def test_a_branch_that_an_ended_step_selected_may_have_been_undone_since():
    select = begun("choose", stage="branch_selection", branch="ridge")
    story = Story(*BEGUN, grown("ridge"), scored("ridge", 0.4), select)
    attempt = max(story.session.running)
    story.do(grown("lasso"))
    story.do(ScoreBranch(branch="lasso", score=0.9))
    story.do(FinishStep(attempt=attempt, outcome=Outcome()))

    selected = chosen(story.session)
    story.do(Undo())
    story.do(Undo())

    assert (selected, chosen(story.session)) == (["lasso"], [])
