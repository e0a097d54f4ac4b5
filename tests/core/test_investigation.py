"""An investigation: what a step found, what has to be looked at before the next, when it ends."""

import pytest

from tests.core.story import Story, at, done
from wfnb import errors
from wfnb.core.commands import (
    AbandonBranch,
    Backtrack,
    ChooseKind,
    Command,
    ExtendTotal,
    LookAt,
    Redo,
    TakeAdvice,
    Undo,
)
from wfnb.core.events import KindChosen, LookedAt, StepRepeated, TotalExtended
from wfnb.core.findings import Advice, Findings, Issue, Look, findings, models
from wfnb.core.kind import Kind, builtin, kind_from, recorded, to_data
from wfnb.core.replay import replay
from wfnb.core.required import actions, ticked
from wfnb.core.values import Place

CELL = Look(kind="cell", what="parse('')")
SAID = {  # what comes with the code that meets it
    errors.AdviserUnknown("alcie", ("alice",)): "No adviser is called 'alcie'. Did you mean "
    "'alice'? Advisers: alice.",
    errors.AdviserBroken("a.yaml", "alice has no url"): "The advisers in a.yaml cannot be used: "
    "alice has no url. Mend it, then try again.",
    errors.AdviserKey("alice", "KEY"): "The environment has no KEY, the key of adviser 'alice'. "
    "Set it before Python starts.",
    errors.LookUnknown("diff", ("changes",)): "There is nothing to look at called 'diff'. "
    "Looks: changes, or a file.",
    errors.NameNowhere("pars", ("parse",)): "No function or class is called 'pars' in the files "
    "here. Did you mean 'parse'?",
}


def investigating(kind: str | Kind = "debug", pause: bool = True) -> ChooseKind:
    return ChooseKind(kind=builtin()[kind] if isinstance(kind, str) else kind, pause=pause)


def looking(*looks: Look) -> LookAt:
    return LookAt(looks=looks or (CELL,))


def found(*said: str, **says: object) -> Findings:
    return findings({"finding": list(said), **says}) or Findings()


@pytest.mark.parametrize("error", SAID, ids=lambda error: type(error).__name__)
def test_a_refusal_names_the_way_on(error: errors.Refused):
    assert str(error) == SAID[error]


@pytest.mark.parametrize("name", builtin())
def test_a_kind_that_is_recorded_is_the_same_kind(name: str):
    kind = builtin()[name]

    assert recorded(to_data(kind)) == kind


def test_a_kind_whose_default_level_does_not_exist_is_broken():
    data = to_data(builtin()["debug"]) | {"confidence": {"default": "cetrain"}}

    with pytest.raises(errors.KindBroken) as refused:
        kind_from(data, "mine.yaml")

    assert str(refused.value) == (
        "The kind in mine.yaml cannot be followed: confidence 'cetrain' is none of its levels. "
        "Mend it, then try again."
    )


def test_the_answer_to_a_step_says_what_to_look_at_before_the_next():
    story = Story(investigating())

    answer = story.answer(done("Empty input crashes", findings=found(files="parse.py"))).to_dict()

    assert answer["required_actions"] == [a.do for a in builtin()["debug"].actions[0].do]
    assert (answer["status"], answer["total_steps"]) == ("pause_for_investigation", 4)
    assert (len(answer["required_actions"]), answer["next_step_number"]) == (4, 2)


def test_the_next_step_is_refused_until_something_was_looked_at():
    story = Story(investigating(), done("a"))

    with pytest.raises(errors.PauseHolds) as refused:
        story.do(done("b"))

    assert str(refused.value) == (
        "Nothing was looked at since step 1. Run a cell, `%wfnb look`, or bring a new --finding, "
        "--file or --issue; `%wfnb status` has the list."
    )
    story.do(looking())
    assert story.answer(done("b")).to_dict()["evidence"] == ["cell: parse('')"]


LET_THROUGH: dict[str, tuple[Command, ...]] = {
    "a new finding": (done("b", findings=found("it is the loop")),),
    "a new file": (done("b", findings=found(files="b.py")),),
    "a new relevant file": (done("b", findings=found(relevant="b.py")),),
    "a new issue": (done("b", findings=found(issues="high: no check")),),
    "no pause for this step": (done("b", pause=False),),
    "an adviser's reply": (
        TakeAdvice(advice=(Advice(adviser="alice", role="model", text="yes"),), step=3),
        done("b"),
    ),
    "the last step withdrawn": (Backtrack(place=Place(number=1)), done("b")),
}


@pytest.mark.parametrize("commands", LET_THROUGH.values(), ids=LET_THROUGH)
def test_a_step_is_let_through_by(commands: tuple[Command, ...]):
    story = Story(investigating(), done("a", findings=found("old", files="a.py")))

    for command in commands:
        story.do(command)

    assert at(story.session, 2).now.description == "b"


HELD = {
    "the same finding in other letters": found("Old  news"),
    "a known file": found(files="a.py"),
    "another hypothesis": found(hypothesis="the loop"),
    "another confidence": found(confidence="high"),
}


@pytest.mark.parametrize("says", HELD.values(), ids=HELD)
def test_a_step_is_held_with_nothing_but(says: Findings):
    story = Story(investigating(), done("a", findings=found("old news", files="a.py")))

    with pytest.raises(errors.PauseHolds):
        story.do(done("b", findings=says))


def test_what_began_before_the_awaited_step_is_no_look_at_it():
    story = Story(investigating(), done("a"))
    awaited = at(story.session, 1).key

    assert story.do(LookAt(looks=(CELL,), since=awaited - 1)) == []
    assert story.do(LookAt(looks=(CELL,), since=awaited)) == [LookedAt(looks=(CELL,))]
    assert story.do(looking()) == []


def test_a_session_without_pause_goes_on():
    story = Story(investigating(pause=False), done("a"), done("b"))

    with pytest.raises(errors.PauseHolds):
        story.do(done("c", pause=True))


def test_a_step_that_runs_again_is_not_held_and_changes_nothing():
    story = Story(investigating(), done("a", findings=found("old")))
    before = story.session.investigation.found.findings.copy()

    assert [type(event) for event in story.do(done("a", number=1))] == [StepRepeated]
    assert story.session.investigation.found.findings == before


def test_one_look_ticks_one_action():
    story = Story(investigating(), done("a"))
    asked = actions(story.session, at(story.session, 1))

    assert [look for _, look in ticked(asked, (CELL,))] == [CELL, None, None, None]


REFUSED: list[tuple[type[errors.Refused], tuple[Command, ...], Command, str]] = [
    (
        errors.NoInvestigation,
        (),
        done(findings=found("x")),
        "finding belongs to an investigation, and this session is none. "
        "`%wfnb kind debug` makes it one.",
    ),
    (
        errors.BadValue,
        (investigating(),),
        done(findings=found(confidence="sure")),
        "confidence is 'sure'. It needs one of exploring, low, medium, high, very_high, "
        "almost_certain, certain.",
    ),
    (
        errors.FirstStepNeeds,
        (investigating("codereview"),),
        done(),
        "The first step of codereview needs relevant_files. Say --relevant FILE.",
    ),
    (
        errors.FirstStepNeeds,
        (investigating("tracer"),),
        done(),
        "The first step of tracer needs mode. Say --set mode=….",
    ),
    (
        errors.ModelTwice,
        (investigating("consensus"),),
        done(fields={"models": ["alice:for", "alice:for"]}),
        "alice is asked for twice with the stance 'for'. Give each a stance of its own.",
    ),
    (
        errors.FilesLeft,
        (
            investigating("docgen"),
            done(fields={"total_files_to_document": 5, "num_files_documented": 3}),
            looking(),
        ),
        done(next_step_needed=False),
        "3 of 5 files are documented: 2 are left. Document them, or go on with --next.",
    ),
]


@pytest.mark.parametrize(("error", "before", "command", "says"), REFUSED)
def test_a_refusal_records_nothing(error, before, command, says):
    story = Story(*before)
    log = list(story.log)

    with pytest.raises(errors.Refused) as refused:
        story.do(command)

    assert (type(refused.value), str(refused.value), story.log) == (error, says, log)


def test_what_steps_found_is_put_together_and_withdrawn():
    story = Story(
        investigating(pause=False),
        done("a", findings=found("one", files="a.py")),
        done("b", findings=found("two", files=["a.py", "b.py"], issues="low: slow")),
        done("c", findings=found("three", confidence="high")),
    )

    story.do(Backtrack(place=Place(number=2)))

    now = story.session.investigation.found
    assert (now.findings, now.files, now.issues, now.letters) == ({"one": 1}, {"a.py": 1}, {}, 3)
    assert [step.withdrawn for step in story.session.steps.values()] == [False, True, True]
    assert story.do(Backtrack(place=Place(number=2))) == []


def test_a_line_that_is_abandoned_takes_its_findings_with_it():
    story = Story(
        investigating(pause=False),
        done("a", findings=found("one")),
        done("b", branch="alt", findings=found("two", issues="low: slow")),
    )

    story.do(AbandonBranch(branch="alt"))
    story.do(AbandonBranch(branch="alt", reason="no"))
    assert story.session.investigation.found.findings == {"one": 1}

    story.do(done("c", branch="alt"))
    assert story.session.investigation.found.issues == {Issue(severity="low", text="slow"): 1}


ENOUGH = found("x" * 101, relevant="a.py", confidence="certain")
ENDS = [
    (ENOUGH, None, False, "certain at step 2 of 4, with enough evidence"),
    (ENOUGH, True, True, None),
    (
        found("thin", confidence="certain"),
        None,
        True,
        "not ended: what is missing: findings of more than 100 characters (there are 4) "
        "and a relevant file",
    ),
    (found("thin"), None, True, None),
    (
        found("thin"),
        False,
        True,
        "not ended: low at step 2 of 4 is not enough to end early",
    ),
]


@pytest.mark.parametrize(("says", "needed", "goes_on", "why"), ENDS)
def test_an_end_is_earned(says, needed, goes_on, why):
    story = Story(investigating(), done("a"))

    answer = story.answer(done("b", findings=says, next_step_needed=needed)).to_dict()

    assert (answer["next_step_needed"], answer.get("end")) == (goes_on, why)


def test_more_steps_can_be_asked_for_with_a_reason():
    story = Story(investigating(), done("a"))

    events = story.do(ExtendTotal(more=2, reason="two parsers"))

    assert events == [TotalExtended(step_number=1, old_total=4, new_total=6, reason="two parsers")]
    assert story.session.total == 6


def test_looks_are_not_undone_by_themselves_and_keep_what_can_be_redone():
    story = Story(investigating(), done("a"), looking(), done("b"))

    story.do(Undo())
    story.do(looking(Look(kind="cell", what="other")))
    story.do(Redo())

    assert at(story.session, 2).counted.looks == (CELL,)
    assert story.session == replay(story.log)


def test_another_kind_goes_on_with_what_was_found():
    story = Story(
        investigating("analyze"), done("a", findings=found("one", relevant="a.py")), looking()
    )

    story.do(investigating("refactor"))
    story.do(done("b"))

    now = story.session.investigation
    assert (now.bases, list(now.found.relevant)) == ({"main": 1}, ["a.py"])
    assert at(story.session, 2).now.findings == Findings(confidence="incomplete")
    assert story.session == replay(story.log)


def test_a_kind_that_is_there_is_not_chosen_again():
    story = Story(investigating())

    assert story.do(investigating()) == []
    assert story.do(ChooseKind(kind=None)) == [KindChosen(kind=None)]
    assert story.do(ChooseKind(kind=None)) == []


def test_models_are_read_with_their_stances():
    read = models(["alice:for", {"model": "bob", "stance": "against"}, "carol"])

    assert read == (("alice", "for"), ("bob", "against"), ("carol", "neutral"))
