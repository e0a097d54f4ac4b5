"""A value that is given and that nothing uses is told; it is never wrong."""

import pytest

from wfnb.workflows.definition.check import check
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.used_names import undeclared_names, unused_value_warnings

from .checked import TOOLS

USES = {
    "variables": {"declared": 1, "customer": "me"},
    "steps": [
        {
            "id": "a",
            "tool": "shell",
            "args": {"command": "echo {plain} {deep.er!q} {{text}}"},
            "retry": {"attempts": 1, "when": {"field_equals": {"exit.code": 1}}},
            "capture": "(?P<port>[0-9]+)",
            "compensation": {"tool": "shell", "args": {"command": "rm {undone}"}},
        },
        {
            "id": "down",
            "tool": "run_workflow",
            "args": {
                "workflow_definition": {
                    "variables": {"inner": 1},
                    "steps": [{"tool": "shell", "args": {"command": "{inner}"}}],
                },
                "initial_variables": {"inner": "{handed_on}"},
            },
        },
    ],
}


@pytest.mark.parametrize(
    "name", ["declared", "plain", "deep", "exit", "port", "undone", "handed_on"]
)
def test_what_is_declared_or_read_is_used(name: str):
    assert list(unused_value_warnings(parse(USES), [name])) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("custmer", "uses 'custmer'. Did you mean 'customer'?"),
        ("text", "uses 'text'"),
        ("inner", "uses 'inner'"),
    ],
)
def test_what_nothing_reads_is_told_with_the_nearest_name(name: str, said: str):
    (problem,) = unused_value_warnings(parse(USES), [name])

    assert problem.message == f"No placeholder or condition {said}"


STATE = {"action": {"tool": "shell", "params": {"command": "echo"}}}
ASKS = "number(stdout) > limit"
PLACES: dict[str, dict[str, object]] = {
    "parameter": {"action": {"tool": "shell", "params": {"command": "echo {limit!q}"}}},
    "when": {"when": "3 in limit"},
    "for_each": {"for_each": "limit"},
    "items": {"for_each": ["{limit}"]},
    "transition": {"transitions": [{"condition": ASKS, "next_state": "b"}]},
    "part": {"transitions": [{"condition": {"not": {"any": [ASKS]}}, "next_state": "b"}]},
    "retry": {"retry": {"attempts": 1, "when": ASKS}},
    "until": {"repeat": {"until": ASKS}},
    "fallback": {"on_error": [{"when": "exit_code == limit", "result": {}}]},
    "fallback's call": {"on_error": [{"tool": "shell", "args": {"command": "{limit}"}}]},
    "fallback's result": {"on_error": [{"result": {"rows": "{limit}"}}]},
    "fallback's undoing": {
        "on_error": [
            {
                "tool": "shell",
                "args": {"command": "x"},
                "compensation": {"tool": "shell", "args": {"command": "{limit}"}},
            }
        ]
    },
    "compensation": {"compensation": {"tool": "shell", "args": {"command": "{limit}"}}},
    "compensation's retry": {
        "compensation": {
            "tool": "shell",
            "args": {"command": "x"},
            "retry": {"attempts": 1, "unless": ASKS},
        }
    },
    "output": {},
}


@pytest.mark.parametrize("place", PLACES)
def test_a_name_that_a_run_needs_is_used_wherever_it_stands(place: str):
    """Three ask for the names: the check, who warns of what is given for nothing, who saves."""
    data = {
        "name": "w",
        "initial_state": "a",
        "states": {"a": STATE | PLACES[place], "b": STATE},
        "outputs": {"o": "limit"} if place == "output" else {},
    }
    workflow, results = parse(data), {"shell": TOOLS["shell"].results}

    assert len(check(workflow, TOOLS).problems) == 1
    assert check(workflow, TOOLS, {"limit": [5]}).problems == []
    assert list(unused_value_warnings(workflow, ["limit"])) == []
    (problem,) = undeclared_names(workflow, results, {"limit"})
    assert "limit" in problem.message
    assert "is declared nowhere; add it to `variables`" in problem.message
