"""What an investigation refuses: the sentence it says, and that nothing was recorded."""

import pytest

from tests.core.story import Story, done
from tests.investigations.core.investigating import found, investigating, looking
from wfnb import errors
from wfnb.core.commands import Command

SAID = {  # what comes with the code that meets it
    errors.AdviserUnknown("alcie", ("alice",)): "No adviser is called 'alcie'. Did you mean "
    "'alice'? Advisers: alice.",
    errors.AdviserBroken("a.yaml", "alice has no url"): "The advisers in a.yaml cannot be used: "
    "alice has no url. Mend it, then try again.",
    errors.AdviserKey("alice", "KEY"): "The environment has no KEY, the key of adviser 'alice'. "
    "Set it before Python starts.",
    errors.LookUnknown("diff", ("changes",)): "There is nothing to look at called 'diff'. "
    "Looks: changes, or a file.",
    errors.NameNowhere("pars", ("parse",), ".."): "No function or class is called 'pars' in the "
    "Python files of '..'. Did you mean 'parse'?",
}


@pytest.mark.parametrize("error", SAID, ids=lambda error: type(error).__name__)
def test_a_refusal_names_the_way_on(error: errors.Refused):
    assert str(error) == SAID[error]


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
