"""An action of a workflow as a workflow of its own."""

import pytest

from wfnb.workflows.definition.reader import parse
from wfnb.workflows.definition.single_action import alone, is_alone

RESULTS = {"shell": ("stdout", "exit_code"), "sleep": ("slept",)}
STATES = parse(
    {
        "name": "deploy",
        "rollback": False,
        "variables": {"env": {"description": "where"}, "other": 1, "key": {"secret": True}},
        "initial_state": "build",
        "states": {
            "build": {
                "action": {"tool": "shell", "params": {"command": "make"}},
                "transitions": [{"condition": {"success": True}, "next_state": "send"}],
            },
            "send": {
                "action": {
                    "tool": "shell",
                    "params": {"command": "send {env!q} {build.stdout!q} {steps.build.exit_code}"},
                },
                "when": "other == 1",
                "retry": {"attempts": 2, "when": "exit_code == 3 and build_exit_code == 0"},
                "compensation": {"tool": "shell", "params": {"command": "back {result.stdout!q}"}},
                "transitions": [{"condition": {"success": True}, "next_state": "build"}],
                "on_timeout": "build",
            },
        },
    }
)


def test_what_it_names_of_others_is_what_it_has_to_be_given():
    part = alone(STATES, "send", RESULTS)

    assert part.variables == ("env",)
    assert part.results == ("build.stdout", "steps.build.exit_code", "build_exit_code")
    assert part.workflow.data == {
        "name": "deploy-send-alone",
        "description": "send of deploy, alone",
        "rollback": False,
        "variables": {
            "env": {"description": "where"},
            **{
                name: {"description": "of another action"}
                for name in ("build", "steps", "build_exit_code")
            },
        },
        "initial_state": "send",
        "states": {
            "send": {
                "action": {
                    "tool": "shell",
                    "params": {"command": "send {env!q} {build.stdout!q} {steps.build.exit_code}"},
                },
                "retry": {"attempts": 2, "when": "exit_code == 3 and build_exit_code == 0"},
                "compensation": {"tool": "shell", "params": {"command": "back {result.stdout!q}"}},
            }
        },
    }


def test_a_step_does_not_wait_and_knows_its_own_items():
    workflow = parse(
        {
            "steps": [
                {"id": "a", "tool": "shell", "args": {"command": "ls"}},
                {
                    "id": "b",
                    "tool": "shell",
                    "args": {"command": "echo {item} {index}"},
                    "for_each": "a.stdout",
                    "needs": ["a"],
                    "when": "a.exit_code == 0",
                },
            ]
        }
    )

    part = alone(workflow, "b", RESULTS)

    assert part.results == ("a.stdout",)
    assert part.workflow.data["steps"] == [
        {
            "id": "b",
            "tool": "shell",
            "args": {"command": "echo {item} {index}"},
            "for_each": "a.stdout",
        }
    ]


def test_a_name_that_would_be_too_long_says_alone_all_the_same():
    name, action = "w" * 40, "s" * 40
    workflow = parse({"name": name, "steps": [{"id": action, "tool": "sleep"}]})

    part = alone(workflow, action, RESULTS).workflow

    assert part.name == "action-alone"
    assert part.description == f"{action} of {name}, alone"


@pytest.mark.parametrize(
    ("workflow", "action"), [(STATES, None), (alone(STATES, "send", RESULTS).workflow, "send")]
)
def test_it_is_told_from_a_whole_one(workflow, action):
    assert is_alone(workflow) == action
