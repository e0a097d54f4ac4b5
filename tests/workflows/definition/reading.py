"""Reading a definition: a few words -> one, and what is wrong with it."""

import pytest

from wfnb.errors import WorkflowInvalid
from wfnb.workflows.definition.reader import parse

A = {"action": {"tool": "shell"}}


def refused(data, **more):
    with pytest.raises(WorkflowInvalid) as caught:
        parse(data, **more)
    return caught.value


def said(data):
    return [str(problem) for problem in refused(data).problems]


def problems_of(data):
    """The problems, and none where the data is a workflow."""
    try:
        parse(data)
    except WorkflowInvalid as error:
        return error.problems
    return ()


def flow(**more):
    return {"name": "w", "initial_state": "a", "states": {"a": A}} | more


def state(**more):
    return flow(states={"a": A | more})


def step(**more):
    return {"steps": [{"tool": "shell"} | more]}


def needing(**needs):
    return {"steps": [{"id": k, "tool": "x", "needs": list(v)} for k, v in needs.items()]}


def retry(**more):
    return step(retry={"attempts": 1} | more)


def condition(**more):
    return state(transitions=[{"condition": more, "next_state": "a"}])
