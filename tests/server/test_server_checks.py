"""What the server says of the text of a workflow's file: what `wfnb check` does."""

from pathlib import Path

import pytest

from tests.server.conftest import Server

TEXT = """\
variables: {who: {}}
steps:
  - {id: a, tool: shell, args: {command: "echo {who} {nobody}"}}
  - {id: b, tool: order_pizza}
"""


def check(server: Server, text: object, path: object = "two.workflow.yaml", **more: object):
    return server.get("wfnb/check", data={"path": path, "text": text, **more})


def test_a_text_is_checked_with_the_tools_that_come_with_wfnb(server: Server):
    status, found = check(server, TEXT)

    assert status == 200
    assert [each["path"] for each in found["problems"]] == ["steps.0.args.command"]
    assert "nobody" in found["problems"][0]["says"]
    assert [each["path"] for each in found["warnings"]] == ["steps.1.tool"]
    assert "kernel" in found["warnings"][0]["says"]
    assert [each["name"] for each in found["variables"]] == ["who"]
    assert {"shell", "python", "ask"} <= {each["name"] for each in found["tools"]}


def test_what_is_no_yaml_is_an_answer_and_no_error(server: Server):
    status, found = check(server, "steps: [")

    assert status == 200
    assert [each["path"] for each in found["problems"]] == [""]
    assert "two.workflow.yaml" in found["problems"][0]["says"]


def test_saved_workflows_of_the_folder_are_known(server: Server, folder: Path):
    text = "steps:\n  - {tool: run_workflow, args: {workflow_name: simple_tes}}\n"

    _, found = check(server, text, f"{folder.name}/x.workflow.yaml")

    assert "simple_test" in found["problems"][0]["says"]


@pytest.mark.parametrize(
    ("text", "path", "status"),
    [
        ("steps: []", "../x.workflow.yaml", 404),
        ("steps: []", "x.py", 404),
        (1, "x.workflow.yaml", 400),
        ("steps: []", None, 400),
    ],
)
def test_what_is_no_question_is_refused(server: Server, text: object, path: object, status: int):
    assert check(server, text, path)[0] == status


def test_who_may_not_use_the_server_has_nothing_checked(server: Server):
    assert server.get("wfnb/check", token=None, data={"path": "a.yaml", "text": ""})[0] == 403
