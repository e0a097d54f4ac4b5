"""A value that is given and that nothing uses is told; it is never wrong."""

import pytest

from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.unused_variables import unused_value_warnings

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
