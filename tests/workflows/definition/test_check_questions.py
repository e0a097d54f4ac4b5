"""A question whose default is none of its choices is found before the run."""

import pytest

from wfnb.workflows.definition.check import ToolFacts, check
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.tools.ask import ASK as TOOL

from .checked import steps

ASK = {"question": "Go?", "choices": ["yes", "no"]}
ASKS = {"ask": ToolFacts(parameters=TOOL.parameters, results=TOOL.results)}


def test_a_question_whose_default_is_none_of_its_choices_is_found():
    (problem,), _ = check(parse(steps({"tool": "ask", "args": {**ASK, "default": "maybe"}})), ASKS)

    assert (problem.path, problem.rule) == ("steps.0.args.default", "choices")
    assert problem.message == (
        "steps.0.args.default is 'maybe', which is none of the choices: 'yes', 'no'"
    )


@pytest.mark.parametrize(
    "args",
    [
        ASK,
        ASK | {"default": "no"},
        ASK | {"default": None},
        ASK | {"default": "{usual}"},
        ASK | {"default": "no, {usual}"},
        ASK | {"choices": ["yes", "{usual}"], "default": "maybe"},
        ASK | {"choices": "{all}", "default": "maybe"},
        ASK | {"choices": [], "default": "maybe"},
    ],
)
def test_a_question_that_may_be_right_is_left_alone(args):
    document = steps({"tool": "ask", "args": args}, variables={"usual": "no", "all": ["maybe"]})

    assert check(parse(document), ASKS).problems == []
