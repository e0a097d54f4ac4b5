"""Every refusal of a command: the sentence it says, and that nothing was recorded."""

import re
from copy import deepcopy
from pathlib import Path

import pytest

from tests.core.story import Story, begun, done, following, strategy
from wfnb import errors
from wfnb.core.commands import (
    AbandonBranch,
    AddStep,
    ConfirmSteps,
    FinishStep,
    MergeBranch,
    Redo,
    ScoreBranch,
    SelectBranch,
    Undo,
)
from wfnb.core.events import Outcome
from wfnb.core.validation import StepPlace

TESTS = Path(__file__).parents[1]
SAID = {  # those that are met by what they say
    "BadOption": "there is no option",
    "NotAllowed": "may not be run by an agent here",
    "OtherNotebook": "This kernel records into session",
    "RunAmbiguous": "Several runs may be meant",
    "RunFailed": "Run undone-1 rolled back",
    "RunTooDeep": "workflows deep",
    "SdkMissing": "Agents are served by the MCP SDK",
    "ValueLost": "cannot be read again",
    "WorkflowSource": "must be provided",
}
NOT_MET = ("test_errors.py", "test_refusals.py")  # they name all of them

AB = (done("a"), done("b"))
ALT = (*AB, done("x", branch="alt", leaves=1))
PLAN = strategy({"plan": ["act", "ask"], "ask": [], "act": []}, plan={"goal": "what it is for"})
PLANNED = (following(PLAN), done(fields={"goal": "g"}))

CASES = [
    (
        errors.BadValue,
        AB,
        done(number=0),
        "step_number is '0'. It needs a whole number from 1.",
    ),
    (
        errors.BadValue,
        AB,
        done(leaves=1),
        "branch_id is ''. It needs the name of the branch that leaves step 1.",
    ),
    (
        errors.BadValue,
        AB,
        done(branch="<b>"),
        "branch_id is '<b>'. It needs up to 80 letters, digits or . _ + / -, "
        "beginning with a letter or digit.",
    ),
    (
        errors.BadValue,
        (following("self_consistency"), done(), done(), done(fields={"reasoning_path_id": 1})),
        done(fields={"path_answers": "42"}),
        "field 'path_answers' is '42'. It needs answers, as {path: answer} or as a list.",
    ),
    (
        errors.BadValue,
        ALT,
        SelectBranch(branch="alt", reason=" "),
        "reason is ' '. It needs words that say what is meant.",
    ),
    (
        errors.NumberOrTitle,
        AB,
        done("after two rounds", number=121, numeral="121"),
        'Is 121 a number or part of the title? Step 3 is next. Write `%%step "121 after two '
        'rounds"` or `%%step --number 121 after two rounds`.',
    ),
    (
        errors.BranchNear,
        (*AB, done("x", branch="median", leaves=1)),
        done("y", branch="medain"),
        "No branch is called 'medain'. Did you mean 'median'? To open a branch of this name, say "
        "which step it leaves: `%%branch medain --from N`.",
    ),
    (
        errors.BadText,
        AB,
        done("a\x00"),
        "step_description holds the control character U+0000 at character 2. "
        "Take it out: line breaks and tabs are the ones that may stay.",
    ),
    (
        errors.BadText,
        AB,
        done("x" * 100_001),
        "step_description has 100,001 characters; 100,000 are kept at most. "
        "Keep the long part in a file and name it.",
    ),
    (
        errors.StepUnknown,
        AB,
        done(branch="alt", leaves=7),
        "There is no step 7 on 'main'. Steps there: 1, 2.",
    ),
    (
        errors.StepUnknown,
        (),
        done(branch="alt"),
        "There is no step 1 on 'main'. Steps there: none yet.",
    ),
    (
        errors.StepUnknown,
        (*[done()] * 14,),
        done(revises=99),
        "There is no step 99 on 'main'. "
        "Steps there: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, … (14 in all).",
    ),
    (
        errors.StepUnknown,
        ALT,
        done(branch="alt", number=4, revises=3),
        "There is no step 3 on 'alt'. Steps there: 1, 2.",
    ),
    (
        errors.StepUnknown,
        ALT,
        ConfirmSteps(places=(StepPlace(number=9, branch="alt"),)),
        "There is no step 9 on 'alt'. Steps there: 1, 2.",
    ),
    (
        errors.StepAmbiguous,
        (*AB, done(branch="alt"), done(branch="beta")),
        done(branch="new", leaves=3),
        "Step 3 is on several branches. Say which: alt:3 or beta:3.",
    ),
    (
        errors.StepNotRunning,
        (*AB, begun("c")),
        FinishStep(attempt=3, outcome=Outcome()),
        "The step that just ran is no longer open: it was run again, undone or cleared.",
    ),
    (
        errors.RevisionWithoutTarget,
        AB,
        done(is_step_revision=True),
        "A revision has to name the step it revises (`revises`). Steps: 1, 2.",
    ),
    (
        errors.RevisionWithoutTarget,
        AB,
        done("a", number=1, is_step_revision=True),
        "A revision has to name the step it revises (`revises`). Steps: 1, 2.",
    ),
    (
        errors.RevisionNotEarlier,
        AB,
        done(revises=3),
        "Step 3 cannot revise step 3: a revision comes after what it revises. "
        "Leave the number out to get the next one.",
    ),
    (
        errors.RevisionNotEarlier,
        AB,
        done("a", number=1, revises=2),
        "Step 1 cannot revise step 2: a revision comes after what it revises. "
        "Leave the number out to get the next one.",
    ),
    (
        errors.NumberBelowBranch,
        AB,
        done(branch="alt", number=2),
        "Step 2 cannot be on branch 'alt', which left step 2. Its first possible number is 3.",
    ),
    (
        errors.NumberBelowBranch,
        ALT,
        done(branch="alt", number=1),
        "Step 1 cannot be on branch 'alt', which left step 1. Its first possible number is 2.",
    ),
    (
        errors.BranchUnknown,
        ALT,
        ScoreBranch(branch="alf", score=1),
        "No branch is called 'alf'. Did you mean 'alt'? Branches: main, alt.",
    ),
    (
        errors.BranchUnknown,
        ALT,
        done(line="nowhere"),
        "No branch is called 'nowhere'. Branches: main, alt.",
    ),
    (
        errors.BranchUnknown,
        ALT,
        done(branch="new", leaves="gone:1"),
        "No branch is called 'gone'. Branches: main, alt.",
    ),
    (
        errors.BranchUnknown,
        ALT,
        MergeBranch(branch="alt", into=""),
        "No branch is called ''. Branches: main, alt.",
    ),
    (
        errors.BranchLeavesElsewhere,
        ALT,
        done(branch="alt", leaves=2),
        "Branch 'alt' left step 1, not 2. Continue it by its name alone, or choose another name.",
    ),
    (
        errors.MainIsFirst,
        ALT,
        done(branch="main", leaves=1),
        "`main` is the first line and cannot be made again. Name a branch.",
    ),
    (
        errors.MainIsFirst,
        ALT,
        MergeBranch(branch="main", into="alt"),
        "`main` is the first line and cannot be merged. Name a branch.",
    ),
    (
        errors.MainIsFirst,
        ALT,
        AbandonBranch(branch="main"),
        "`main` is the first line and cannot be abandoned. Name a branch.",
    ),
    (
        errors.MergeIntoItself,
        ALT,
        MergeBranch(branch="alt", into="alt"),
        "Branch 'alt' cannot be merged into itself. Other lines: main.",
    ),
    (
        errors.StageUnknown,
        PLANNED,
        done(stage="acts"),
        "small has no stage 'acts'. Did you mean 'act'? Next: act, ask.",
    ),
    (
        errors.StageNotReachable,
        PLANNED,
        done(stage="plan"),
        "Stage 'plan' cannot follow 'plan'. Next: act, ask.",
    ),
    (
        errors.StageNotReachable,
        (*PLANNED, done(stage="act")),
        done(stage="ask"),
        "Stage 'ask' cannot follow 'act'. Next: nothing: the strategy ends here.",
    ),
    (
        errors.StageNeeded,
        PLANNED,
        done(),
        "Several stages may follow 'plan'. Name one with --stage: act, ask.",
    ),
    (
        errors.StageNeeded,
        (*PLANNED, done(stage="act")),
        done(),
        "'act' is the last stage: this line is complete. Revise a step (`--revises N`), "
        "branch from one, or switch the strategy.",
    ),
    (
        errors.FieldMissing,
        (following(PLAN),),
        done(),
        "Stage 'plan' asks for goal (what it is for). Add --set goal=….",
    ),
    (
        errors.NoStrategy,
        AB,
        done(stage="plan"),
        "Stage 'plan' needs a strategy, and this session follows none. "
        "`%wfnb strategy NAME` chooses one; `%wfnb strategy` lists them.",
    ),
    (
        errors.NothingToUndo,
        (),
        Undo(),
        "There is nothing to undo: the session is as it was when it started.",
    ),
    (
        errors.NothingToRedo,
        (*AB, Undo(), done("c")),
        Redo(),
        "There is nothing to redo: nothing was undone since the last change.",
    ),
]


@pytest.mark.parametrize(("error", "before", "command", "says"), CASES)
def test_a_refusal_is_one_line_with_the_fact_and_the_next_move_and_records_nothing(
    error, before, command, says
):
    story = Story(*before)
    session, log = deepcopy(story.session), list(story.log)

    with pytest.raises(errors.Refused) as refused:
        story.do(command)

    assert (type(refused.value), str(refused.value)) == (error, says)
    assert says.isprintable()
    assert (story.session, story.log) == (session, log)


def test_every_refusal_is_met_here_or_in_another_test():
    here = {error.__name__ for error, *_ in CASES}
    refusals = {error.__name__ for error in errors.Refused.__subclasses__()}
    others = (path for path in TESTS.rglob("test_*.py") if path.name not in NOT_MET)
    told = "\n".join(path.read_text("utf-8") for path in others)

    def met(name: str) -> bool:
        return re.search(rf"\b{name}\b", told) is not None or SAID.get(name, name) in told

    assert here <= refusals
    assert {name for name in refusals - here if not met(name)} == set()


def test_no_refusal_is_a_refusal_of_another_kind():
    assert all(not error.__subclasses__() for error in errors.Refused.__subclasses__())


def test_a_step_that_is_refused_opens_no_branch():
    story = Story(*AB)

    with pytest.raises(errors.RevisionWithoutTarget):
        story.do(AddStep(description="x", branch="alt", is_step_revision=True))

    assert list(story.session.lines) == ["main"]
