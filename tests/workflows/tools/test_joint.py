"""Parameters of which none is wrong by itself are refused together: before a run, and by a tool."""

import pytest

from wfnb.workflows.definition.check import check
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.runner.run_start import facts
from wfnb.workflows.tools.registry import REGISTRY

from .calls import fields

ONE = "Give one of `code`, `function` and `step`"
LOOK = "Give one of `file`, `port` and `command`"
WRONG = [
    ("python", {}, ONE),
    ("python", {"arguments": {"a": 1}}, ONE),
    ("python", {"code": None}, ONE),
    ("python", {"code": "1", "function": "f"}, ONE),
    ("python", {"code": "1", "branch": "alt"}, "A `branch` goes with the `step` that is on it"),
    ("python", {"code": "1", "args": [1]}, "Code takes no `args`: `arguments` become names that"),
    ("watch", {}, LOOK),
    ("watch", {"file": "a", "port": 80}, LOOK),
    ("watch", {"port": 80, "changed": True}, "`changed` goes with a `file`"),
    ("read", {"path": "a", "first": 5, "last": 2}, "Line 2 (`last`) comes before line 5 (`first`)"),
]
RIGHT = [
    ("python", {"code": "1"}),
    ("python", {"code": "f'{x}'", "step": None}),
    ("python", {"function": "f", "args": [1]}),
    ("python", {"step": 1, "branch": "alt"}),
    ("python", {"code": "1", "function": "{x}", "args": "{x}", "branch": "{x}"}),
    ("watch", {"file": "{x}", "port": "{x}", "command": "{x}"}),
    ("watch", {"port": 80, "changed": "{x}"}),
    ("read", {"path": "a", "first": 5, "last": "{x}"}),
    ("read", {"path": "a", "first": 5, "last": 5}),
    ("shell", {"command": "{x}"}),
]


def found(tool, params):
    step = {"id": "a", "tool": tool, "args": params}
    workflow = parse({"variables": {"x": None}, "steps": [step]})
    return [str(each) for each in check(workflow, facts(REGISTRY, [tool])).problems]


@pytest.mark.parametrize(("tool", "params", "said"), WRONG)
def test_what_is_wrong_together_is_refused_before_the_run_and_by_the_tool(tool, params, said):
    (problem,) = found(tool, params)
    result = fields(REGISTRY.get(tool), **params)

    assert problem.startswith(f"steps.0 (a).args: {said}")
    assert (result["success"], result["error"][: len(said)]) == (False, said)


@pytest.mark.parametrize(("tool", "params"), RIGHT)
def test_what_is_not_known_yet_may_be_right(tool, params):
    assert found(tool, params) == []
