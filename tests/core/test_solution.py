"""Which step holds the answer, and why a session has none: rule 11 over any order of steps."""

from __future__ import annotations

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from tests.core.story import Story, answered, at, begun, done, following, given, strategy
from wfnb.core.commands import AbandonBranch, MergeBranch, SelectBranch
from wfnb.core.events import Outcome
from wfnb.core.queries import answer_step, open_lines
from wfnb.core.replay import replay
from wfnb.core.solution import holds_answer, is_solved, unsolved_reason
from wfnb.views.step_answer import answer

END = {"next_step_needed": False}
LAST = "no step is marked as the last (`--done`)"
WHOLE = END | {"needs_more_steps": False}


def title(session):
    step = answer_step(session)
    return None if step is None else step.current.description


def test_only_the_answer_says_that_it_holds_the_answer():
    session = given(done("load", total=2), done("fit", total=2, **END))

    said = [answer(session, step).solved for step in session.steps.values()]

    assert said == [False, True]


def test_a_step_that_runs_again_does_not_take_the_answer():
    story = Story(done("load", total=2), done("fit", total=2, **END))

    again = story.answer(done("load", number=1))

    assert (again.solved, title(story.session)) == (False, "fit")


@pytest.mark.parametrize(
    ("steps", "holds"),
    [
        pytest.param([done("a", total=2), done("b")], "b", id="the estimate is reached"),
        pytest.param([done("a", total=1), done("late")], None, id="beyond the estimate"),
        pytest.param([done("a", total=1), done("b", total=2)], "b", id="a new estimate"),
        pytest.param([done("a", **WHOLE), done("late")], "a", id="plain after a declared end"),
        pytest.param([done("a", total=9, **WHOLE), done("late")], "a", id="below the total"),
        pytest.param([done("a", **END), done("late")], "a", id="plain after a line's end"),
        pytest.param([done("a", **END), done("b", **END)], "b", id="declared after declared"),
        pytest.param(
            [done("a", **END), done("b", next_step_needed=True)], None, id="more, as it says"
        ),
        pytest.param(
            [done("a", **WHOLE), done("x", branch="alt"), done("y", branch="alt")],
            "a",
            id="a branch after the whole was solved",
        ),
        pytest.param(
            [done("a"), done("x", branch="alt", **END), done("b", total=2)],
            "b",
            id="a branch ended while main went on",
        ),
        pytest.param(
            [
                done("a", total=2),
                done("b", **END),
                done("x", branch="alt", leaves=1, total=2),
            ],
            "b",
            id="a branch that was opened after the end",
        ),
        pytest.param(
            [done("a", total=2, **WHOLE), done("b", next_step_needed=False)],
            "b",
            id="declared after the whole was solved",
        ),
    ],
)
def test_a_declared_end_gives_way_to_a_declared_one_alone(steps, holds):
    assert title(given(*steps)) == holds


@pytest.mark.parametrize(
    ("commands", "why"),
    [
        ([], ""),
        ([done(**END)], ""),
        ([done()], LAST),
        ([done(total=5), done()], "2 of 5 steps"),
        ([done(total=5, **END)], "1 of 5 steps"),
        ([done(total=1), done()], LAST),
        ([done(**END, needs_more_steps=True)], "step 1 says that more is needed"),
        ([begun(**END)], "step 1 is running"),
        ([done(outcome=Outcome(status="failed"), **END)], "step 1 failed"),
        ([done(outcome=Outcome(status="interrupted"), **END)], "step 1 was interrupted"),
        ([done("a"), done("b", branch="alt")], LAST.replace("step", "step of branch `alt`")),
        ([done("a"), done("b", branch="alt", **END)], LAST.replace("step", "step of main")),
        ([done("a"), done("b", branch="alt"), done("c", **END)], "branch `alt` is open"),
        (
            [done("a"), done("b", branch="x"), done("c", branch="y", leaves=1), done("d", **END)],
            "branches `x`, `y` are open",
        ),
        (
            [done("a"), done("b"), done("c", **END), done("A", number=1)],
            "step 3 is stale",
        ),
        (
            [done("a"), done("b"), done("A", number=1), done("c", **END)],
            "step 3 is stale",
        ),
    ],
)  # fmt: skip
def test_what_is_missing_is_one_short_clause(commands, why):
    assert unsolved_reason(given(*commands)) == why


END_ON_X = done(stage="end", branch="x")
FLOW = strategy({"ask": ["look", "end"], "look": ["end"], "end": []})


@pytest.mark.parametrize(
    ("commands", "why"),
    [
        ([done()], "it stands at ask"),
        ([done(), done(stage="look")], "after look comes end"),
        ([done(total=5)], "it stands at ask"),
        ([done(), done(stage="look", branch="x")], "after look comes end on branch `x`"),
        ([done(), done(stage="end")], ""),
    ],
)
def test_with_a_strategy_the_clause_names_the_stages_that_are_left(commands, why):
    assert unsolved_reason(given(following(FLOW), *commands)) == why


def test_a_step_that_ends_its_strategy_says_why_the_session_is_not_solved():
    forked = (following(FLOW), done(), done(stage="look", branch="x"))

    said = answered(*forked, done(stage="end"), done(stage="look", branch="y", leaves=1), END_ON_X)

    assert said.next_actions == ["not solved yet: branch `y` is open"]
    assert "not solved yet: branch y is open" in said.text.replace("`", "")


TREE = strategy({"grow": ["grow", "pick"], "pick": ["end"], "end": []})


def test_a_selected_branch_is_not_open_once_its_strategy_has_ended():
    session = given(
        following(TREE),
        done("root", stage="grow"),
        done("x", branch="a", stage="grow"),
        done("y", branch="b", leaves=1, stage="grow"),
        SelectBranch(branch="b"),
        done("pick", stage="pick"),
        done("end", stage="end"),
    )

    assert [line.id for line in open_lines(session)] == []
    assert title(session) == "end"


def test_a_branch_that_goes_on_after_the_strategy_has_ended_is_open():
    story = Story(
        following(TREE),
        done("root", stage="grow"),
        done("x", branch="a", stage="grow"),
        done("pick", stage="pick"),
        done("end", stage="end"),
    )
    assert title(story.session) == "end"

    story.do(done("more", branch="a", stage="grow"))

    assert [line.id for line in open_lines(story.session)] == ["a"]


def test_a_step_of_branch_selection_names_the_branch_that_it_selected():
    tree = following("tree_of_thoughts")
    before = [
        tree,
        done("p"),
        done("q", fields={"approaches": ["a", "b"]}),
        done("x", branch="a"),
        done("x", branch="a", fields={"approach_id": "a"}),
        done("x", branch="a", fields={"approach_id": "a", "evaluation_score": 1}),
    ]

    chosen = answered(*before, done("choose", stage="branch_selection"))

    assert (chosen.stage, chosen.selected) == ("branch_selection", "a")
    assert "selected a" in chosen.text
    assert chosen.to_dict()["selected"] == "a"


@st.composite
def histories(draw):
    """Steps on three lines, each with what it says of the end."""
    commands = [done("0")]
    for number in range(1, draw(st.integers(1, 9))):
        says = {}
        if draw(st.booleans()):
            says["next_step_needed"] = draw(st.booleans())
        if draw(st.integers(0, 3)) == 0:
            says["needs_more_steps"] = draw(st.booleans())
        if draw(st.integers(0, 2)) == 0:
            says["total"] = draw(st.integers(1, 6))
        branch = draw(st.sampled_from([None, None, "left", "other"]))
        commands.append(done(str(number), branch=branch, **says))
        if draw(st.integers(0, 6)) == 0 and branch is not None:
            commands.append(AbandonBranch(branch=branch))
    return commands


@drawn(histories())
def test_a_history_has_one_answer_at_most_and_else_a_reason(commands):
    story = Story(*commands)
    session = story.session

    holding = [step for step in session.steps.values() if holds_answer(session, step)]

    assert len(holding) <= 1
    assert bool(holding) != bool(unsolved_reason(session))
    assert [step.key for step in holding] == [
        step.key for step in session.steps.values() if answer(session, step).solved
    ]
    assert unsolved_reason(replay(story.log)) == unsolved_reason(session)
    if not unsolved_reason(session):
        later = Story(*commands, done("a plain afterthought"))
        was, now = answer_step(session), answer_step(later.session)
        declared = was.current.declared or was.current.needs_more_steps is not None
        on_main = was.branch == "main" or was.current.needs_more_steps is False
        if declared and on_main:
            assert now is None or now.key == was.key or later.session.stale


def test_a_step_number_beyond_the_estimate_stays_open_when_its_words_change():
    story = Story(done("a", total=1), done("late"))

    story.do(done("late, again", number=2))

    assert at(story.session, 2).current.next_step_needed
    assert unsolved_reason(story.session) == LAST


THOUGHT = (
    following("base_sequential"),
    done("a question"),
    done("a plan"),
    done("a thought"),
    done("it holds"),
    done("go on", stage="continuation_decision"),
    done("another", branch="alt", leaves=3, stage="branch_creation"),
    done("a thought", branch="alt"),
    done("it holds", branch="alt"),
    done("propose", branch="alt", stage="continuation_decision"),
    done("42", branch="alt", stage="hypothesis_generation"),
    done("tested", branch="alt"),
    done("42", branch="alt", stage="solution_finalization"),
    done("42", branch="alt"),
)


def test_a_branch_on_which_the_strategy_ends_settles_the_line_that_it_left_once_it_is_selected():
    story = Story(*THOUGHT)
    assert unsolved_reason(story.session) == (
        "it stands at continuation decision on main; `%wfnb select alt` settles it"
    )

    story.do(SelectBranch(branch="alt"))

    assert is_solved(story.session)
    assert not is_solved(
        given(*THOUGHT, SelectBranch(branch="alt"), done(stage="thought_adjustment"))
    )


def test_a_branch_that_is_merged_after_the_strategy_ended_on_it_settles_its_line_too():
    assert is_solved(given(*THOUGHT, MergeBranch(branch="alt")))


def test_a_step_of_a_branch_is_not_measured_by_the_total():
    session = given(done("a", total=9), done("b", branch="alt"), SelectBranch(branch="alt"))

    assert "of 9 steps" not in unsolved_reason(session)
