"""How an investigation stands: progress, stagnation, and what became of its hypotheses."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.core.story import Story, at, done
from tests.investigations.core.investigating import LONG, found, investigating, looking
from wfnb.core.commands import AbandonBranch, SelectBranch, Undo
from wfnb.core.validation import StepPlace
from wfnb.errors import HypothesisUnknown
from wfnb.investigations.core.assessment import Assessment, assess, stagnation
from wfnb.investigations.core.commands import Backtrack, ChooseKind, JudgeHypothesis
from wfnb.investigations.core.hypothesis_fates import fates


def levels(*said: str | None, kind: str = "debug", total: int = 9) -> Story:
    """One step for each level of confidence."""
    story = Story(investigating(kind, pause=False), looking())
    for number, level in enumerate(said, 1):
        says = found(relevant="a.py", confidence=level)
        story.do(done(f"step {number}", total=total if number == 1 else None, findings=says))
    return story


STUCK = {
    ("low", "low"): None,
    ("low", "low", "low"): 1,
    ("low", None, None): 1,
    ("exploring", "exploring", "exploring"): 1,
    ("exploring", "low", "low"): None,
    ("high", "low", "low", "low"): 2,
    ("medium",) * 4: None,
    ("medium",) * 5: 1,
    ("low",) * 5: 3,
    ("high",) * 6: None,
}


@pytest.mark.parametrize(("said", "since"), STUCK.items())
def test_the_same_confidence_for_too_long_is_pointed_out(said, since):
    story = levels(*said)

    told = stagnation(story.session, at(story.session, len(said)))

    if since is None:
        assert told is None
        return
    count = {"medium": 5}.get(said[-1], 3)
    assert told == (
        f"confidence has been {said[-1] or 'low'} for {count} steps or more: branch "
        f"(`%%branch ID --from {since}`), step back (`%wfnb backtrack {since}`), "
        "or ask (`%wfnb advise`)"
    )


def test_withdrawn_steps_are_no_stagnation():
    story = levels("low", "low")
    story.do(Backtrack(place=StepPlace(number=2)))

    story.do(done("c"))

    assert stagnation(story.session, at(story.session, 3)) is None


def test_a_branch_goes_on_with_the_stagnation_of_its_line():
    story = levels("low", "low")

    story.do(done("c", branch="alt"))

    assert "--from 1" in (stagnation(story.session, at(story.session, 3, "alt")) or "")


@pytest.mark.parametrize("kind", ["planner", "consensus", "docgen"])
def test_who_only_plans_asks_or_counts_does_not_stagnate(kind: str):
    story = Story(investigating(kind, pause=False))
    fields = {"models": list("abcdefgh"), "total_files_to_document": 9}
    for number in range(1, 6):
        story.do(done(f"{number}", fields=fields if number == 1 else {}, total=None))

    step = at(story.session, 3)
    progress = assess(story.session, step)

    assert stagnation(story.session, step) is None
    assert progress is not None
    assert progress.advice != "add steps"


def assessed(story: Story, number: int) -> Assessment | None:
    return assess(story.session, at(story.session, number))


def test_the_first_step_has_no_trend():
    assert assessed(levels("low"), 1) == Assessment(
        done=1 / 9, trend="first", advice="go on", why="step 1 of 9, confidence low"
    )


@pytest.mark.parametrize(
    ("said", "trend"),
    [
        (("low", "high"), "rising"),
        (("low", "low"), "steady"),
        (("high", "low"), "falling"),
    ],
)
def test_the_trend_is_that_since_the_step_before(said, trend):
    story = levels(*said)

    assert assessed(story, 2).trend == trend


def test_a_level_of_another_kind_counts_as_the_default_of_this():
    story = levels("very_high", kind="analyze")
    story.do(investigating("refactor", pause=False))

    story.do(done("b", findings=found(confidence="partial")))

    assert assessed(story, 2).trend == "rising"  # from incomplete


def test_little_confidence_near_the_end_needs_more_steps():
    story = levels("low", "low", total=3)

    assert assessed(story, 2) == Assessment(
        done=2 / 3,
        trend="steady",
        advice="add steps",
        why="step 2 of 3, confidence low: `%wfnb extend N --reason TEXT`",
    )


def test_much_confidence_with_evidence_advises_to_finish():
    story = levels("low", total=5)
    story.do(done("b", findings=found(LONG, confidence="very_high")))

    assert assessed(story, 2) == Assessment(
        done=0.4,
        trend="rising",
        advice="finish",
        why="step 2 of 5, confidence very_high, with enough evidence",
    )


def test_much_confidence_without_evidence_advises_to_go_on():
    story = levels("low", "certain", total=5)

    assert assessed(story, 2).advice == "go on"
    assert assessed(story, 2).why == (
        "step 2 of 5, confidence certain, without findings of 12 different words "
        "or more (there are 0)"
    )


def test_a_line_that_ended_is_done():
    story = levels("low", "low", total=2)

    assert (assessed(story, 2).done, assessed(story, 2).advice) == (1.0, "finish")


def test_a_step_of_no_investigation_is_not_assessed():
    story = Story(done("a"))

    assert (assessed(story, 1), stagnation(story.session, at(story.session, 1))) == (None, None)


def thinking(*commands) -> list[tuple[int, str, str]]:
    story = Story(investigating(pause=False), *commands)
    return [(fate.step.number, fate.hypothesis, fate.fate) for fate in fates(story.session)]


def supposed(words: str, **says) -> dict[str, object]:
    return {"findings": found(hypothesis=words, **says)}


A, B = supposed("the loop"), supposed("the parser")


def test_a_hypothesis_stands_until_another_is_said():
    assert thinking(done(**A)) == [(1, "the loop", "standing")]
    assert thinking(done(**A), done(**B)) == [
        (1, "the loop", "replaced"),
        (2, "the parser", "standing"),
    ]


def test_a_hypothesis_that_is_said_again_is_one():
    assert thinking(done(**A), done(), done(**supposed("The  loop"))) == [
        (3, "The  loop", "standing")
    ]


def test_a_hypothesis_is_withdrawn_with_its_step():
    back = Backtrack(place=StepPlace(number=2))

    assert thinking(done(**A), done(**B), back) == [
        (1, "the loop", "standing"),
        (2, "the parser", "withdrawn"),
    ]
    assert thinking(done(**A), done(**A), back) == [(1, "the loop", "standing")]


def test_a_hypothesis_is_discarded_with_its_line():
    branch = done(**B, branch="alt")

    assert thinking(done(**A), branch, AbandonBranch(branch="alt"))[1][2] == "discarded"
    other = done("c", branch="best", leaves=1)
    assert thinking(done(**A), branch, other, SelectBranch(branch="best"))[1][2] == "discarded"


def test_an_end_that_is_certain_confirms_no_hypothesis():
    end = done("end", **supposed("the parser", finding=LONG, relevant="a", confidence="certain"))

    assert thinking(done(**A), end) == [
        (1, "the loop", "replaced"),
        (2, "the parser", "standing"),
    ]


def judged(hypothesis, verdict, reason=None):
    return JudgeHypothesis(hypothesis=hypothesis, verdict=verdict, reason=reason)


@pytest.mark.parametrize("named", [1, "1", "the loop", "The  Loop"])
@pytest.mark.parametrize("verdict", ["confirmed", "refuted"])
def test_a_person_confirms_or_refutes_a_hypothesis_by_number_or_words(named, verdict):
    assert thinking(done(**A), done(**B), judged(named, verdict)) == [
        (1, "the loop", verdict),
        (2, "the parser", "standing"),
    ]


def test_the_last_verdict_holds_whoever_gave_it():
    against = done("c", findings=found(refutes="the loop"))

    assert thinking(done(**A), judged(1, "confirmed"), against) == [(1, "the loop", "refuted")]
    assert thinking(done(**A), against, judged(1, "confirmed")) == [(1, "the loop", "confirmed")]


WAYS = {"confirmed": "confirms", "refuted": "refutes"}


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 2, 3]),
            st.sampled_from([None, *WAYS]),
            st.sampled_from(["x", "y"]),
        ),
        max_size=6,
    )
)
@example([(0, "refuted", ""), (2, "confirmed", "x")])
@example([(2, "confirmed", "x"), (0, "refuted", ""), (2, "confirmed", "y")])
def test_the_newest_verdict_holds_also_where_a_step_gave_it_in_a_later_version(acts):
    """An act is of a person (0) or of a step, which says the same as before or something else."""
    story = Story(investigating(pause=False), done(**A), done("b"), done("c"))
    said: dict[int, tuple[int, str | None]] = {}

    for position, (who, verdict, words) in enumerate(acts):
        if who:
            says = {WAYS[verdict]: "the loop"} if verdict else {}
            story.do(done(f"again {words}", number=who, findings=found(files="a", **says)))
            if said.get(who, (0, None))[1] != verdict:
                said[who] = position, verdict
        elif verdict:
            story.do(judged(1, verdict))
            said[0] = position, verdict

    newest = max((each for each in said.values() if each[1]), default=(0, "standing"))
    assert [fate.fate for fate in fates(story.session)] == [newest[1]]


def test_a_step_is_evidence_for_a_hypothesis_and_no_longer_when_it_is_withdrawn():
    evidence = done("b", findings=found(confirms="1"))
    back = Backtrack(place=StepPlace(number=2))

    assert thinking(done(**A), evidence) == [(1, "the loop", "confirmed")]
    assert thinking(done(**A), evidence, back) == [(1, "the loop", "standing")]


def test_a_verdict_is_undone_and_said_once():
    story = Story(investigating(pause=False), done(**A), judged(1, "refuted", "it ends"))

    assert story.do(judged(1, "refuted", "it ends")) == []
    story.do(Undo())

    assert [fate.fate for fate in fates(story.session)] == ["standing"]


@pytest.mark.parametrize(
    "command",
    [judged(2, "refuted"), judged("the day", "refuted"), done("b", findings=found(refutes="7"))],
)
def test_a_hypothesis_that_nobody_said_is_refused_with_those_there_are(command):
    story = Story(investigating(pause=False), done(**A))

    with pytest.raises(HypothesisUnknown, match="Hypotheses: 1 'the loop'"):
        story.do(command)


def test_hypotheses_of_an_investigation_before_are_not_of_this():
    assert thinking(done(**A), ChooseKind(kind=None), investigating(), done(**B)) == [
        (2, "the parser", "standing")
    ]
