"""What the server says of the text of a workflow's file: what `wfnb check` does."""

from pathlib import Path

import pytest

from tests.server.conftest import Server
from wfnb.workflows.library.workflow_library import WorkflowLibrary

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


def test_the_names_that_an_action_may_use_are_those_that_the_check_knows(server: Server):
    text = """\
variables: {who: {description: whom to greet}, b: 1, token: {secret: true, default: hushed}}
steps:
  - id: a
    tool: shell
    args: {command: ls}
    capture: ['(?P<size>[0-9]+) bytes']
  - {id: b, tool: sleep, args: {seconds: 0}}
  - {id: c, tool: shell, args: {command: ls}, for_each: [1, 2]}
  - {id: d, tool: shell, args: {command: ls}}
"""

    found = check(server, text, action="c")[1]["names"]
    names = {each["name"]: each for each in found}
    shell = "\\n".join(f"echo {{{name}!q}}" for name in names if names[name]["kind"] != "gave")
    used = text.replace("ls}, for", f'"{shell}"}}, for')

    assert [each["name"] for each in found[:6]] == ["item", "index", "who", "b", "token", "size"]
    assert names["a.stdout"] == {
        "name": "a.stdout",
        "kind": "field",
        "action": "a",
        "says": "result of a: shell",
    }
    # As the tool says them: no name that its code has for something else.
    assert [name for name in names if name.startswith("a.")] == [
        *("a.success", "a.exit_code", "a.stdout", "a.stderr", "a.stdout_size", "a.stderr_size"),
        *("a.stdout_invalid", "a.stderr_invalid", "a.left_running", "a.timeout_occurred"),
        *("a.error", "a.error_type"),
    ]
    assert "steps.b.success" in names
    assert "b.success" not in names
    assert "result.stdout" in names
    assert not any(name.startswith("d") for name in names)
    assert names["who"]["says"] == "whom to greet"
    assert check(server, used)[1]["problems"] == []
    assert "names" not in check(server, text)[1]
    assert check(server, "steps: [", action="c")[1]["names"] is None
    assert check(server, "[1]", action="c")[1]["names"] is None
    assert check(server, text, action="nobody")[1]["names"] == []
    begun = text.replace("{id: c,", '{id: c, when: "",')
    assert check(server, begun, action="c")[1]["problems"] != []
    assert check(server, begun, action="c")[1]["names"] == found
    last = {each["name"]: each["says"] for each in check(server, text, action="")[1]["names"]}
    assert last["d.stdout"] == "result of d: shell"
    assert "result.stdout" not in last
    assert check(server, text, action=1)[0] == 400


NESTING = """\
steps:
  - id: down
    tool: run_workflow
    args:
      workflow_definition:
        name: inner
        variables: {token: {secret: true, default: hushed}}
        steps:
          - {id: deep, tool: run_workflow, args: {workflow_name: simple_test}}
          - {id: ends, tool: shell, args: {command: "echo {token}"}}
  - {id: gone, tool: run_workflow, args: {workflow_name: nobody}}
  - {id: made, tool: run_workflow, args: {workflow_name: "{down.status}"}}
"""


def test_workflows_that_actions_run_are_named_and_the_opened_ones_are_whole(
    server: Server, folder: Path
):
    path = f"{folder.name}/x.workflow.yaml"
    names = check(server, NESTING, path)[1]["nested"]
    opened = [["down"], ["down", "deep"], ["gone"]]
    down, deep, gone = check(server, NESTING, path, opened=opened)[1]["nested"]

    assert names == [
        {"path": ["down"], "name": "inner"},
        {"path": ["gone"], "name": "nobody"},
    ]
    assert [each["id"] for each in down["definition"]["steps"]] == ["deep", "ends"]
    assert "hushed" not in str(down)
    assert deep["path"] == ["down", "deep"]
    assert "states" in deep["definition"]
    assert (deep["file"], deep["same"]) == (None, False)
    assert gone["definition"] is None
    assert "nobody" in gone["says"]
    assert check(server, "steps: [", path)[1]["nested"] is None
    assert check(server, NESTING, path, opened=[[1]])[0] == 400


def test_the_file_of_a_saved_workflow_beside_what_runs_it_is_found(server: Server, folder: Path):
    text = "steps:\n  - {tool: shell, args: {command: ls}}\n"
    file = folder / "tidy.workflow.yaml"
    file.write_text(text)
    WorkflowLibrary(folder / ".wfnb" / "workflows").import_file(file)
    caller = "steps:\n  - {id: a, tool: run_workflow, args: {workflow_name: tidy}}\n"
    path = f"{folder.name}/x.workflow.yaml"

    (same,) = check(server, caller, path, opened=[["a"]])[1]["nested"]
    file.write_text(text.replace("ls", "pwd"))
    (other,) = check(server, caller, path, opened=[["a"]])[1]["nested"]

    assert (same["file"], same["same"]) == ("tidy.workflow.yaml", True)
    assert (other["file"], other["same"]) == ("tidy.workflow.yaml", False)
