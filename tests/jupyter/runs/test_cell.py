"""`%%run_workflow`: a workflow in a cell runs real tools, and the cell says what it came to."""

import pytest

from tests.jupyter.kernel import MIME, Kernel
from tests.jupyter.runs.workflows import HELLO, UNDONE

pytestmark = pytest.mark.kernel


def test_a_workflow_in_a_cell_runs_and_shows_what_it_came_to(kernel: Kernel):
    ran = kernel.ok(HELLO)

    assert ran.text.splitlines()[0] == "hello-1 · ✓ success · 2 steps · saved as hello"
    data = ran.shown[0][MIME]
    assert (data["run"], data["status"], data["success"]) == ("hello-1", "success", True)
    assert [action["status"] for action in data["actions"]] == ["ok", "ok"]


def test_what_a_cell_shows_is_the_same_when_it_runs_again_but_for_what_is_saved_already(
    kernel: Kernel,
):
    first, second, third = (kernel.ok(f"%wfnb start {name}") and kernel.ok(HELLO) for name in "abc")

    assert second.text == first.text.replace(" · saved as hello", "")
    assert third.shown == second.shown


def test_a_body_that_says_nothing_is_told_what_to_say(kernel: Kernel):
    refusal = kernel.run("%%run_workflow hello\n# steps:").refusal

    assert refusal.startswith("The text says nothing. It needs `steps` or `states`, for example: ")
    assert kernel.ok(f"%%run_workflow\n{refusal.partition('example: ')[2]}").text.startswith(
        "hello-1 · ✓ success"
    )


def test_all_that_is_wrong_is_said_before_anything_is_called(kernel: Kernel):
    ran = kernel.run("%%run_workflow\nname: w\nsteps:\n- {tool: shell}\n- {tool: shel, args: {}}")

    assert ran.status == "error"
    assert ran.traceback.startswith("The workflow has 2 problems:\n- ")
    assert "Did you mean 'shell'?" in ran.traceback
    assert kernel.ok("%wfnb runs").text == "no run yet · `%%run_workflow` starts one"


def test_a_failure_is_undone_shown_and_stops_the_notebook(kernel: Kernel):
    ran = kernel.run(UNDONE)

    assert ran.shown[0]["text/plain"].startswith("undone-1 · ↶ rolled back · 2 steps")
    assert ran.refusal == "Run undone-1 rolled back: check: exit code 1."
    assert not (kernel.folder / "made").exists()


def test_a_run_goes_on_where_it_failed(kernel: Kernel):
    kernel.run(UNDONE)
    (kernel.folder / "wanted").touch()

    assert "✓ success" in kernel.ok("%run_workflow --resume undone-1").text
    assert (kernel.folder / "made").exists()


def test_a_run_goes_on_with_the_workflow_of_the_body(kernel: Kernel):
    broken = HELLO.replace("echo hi", "echo hi; exit 3")
    assert kernel.run(broken).status == "error"

    refused = kernel.run("%%run_workflow --resume hello-1\nsteps: [{tool: shel, args: {}}]")
    mended = kernel.ok("%%run_workflow --resume hello-1\n" + HELLO.partition("\n")[2])

    assert refused.refusal.startswith("steps.0.tool is 'shel', which is no tool.")
    assert mended.text.splitlines()[0] == "hello-1 · ✓ success · 3 steps · saved as hello"


def test_a_value_that_nothing_uses_is_told(kernel: Kernel):
    ran = kernel.ok(HELLO.replace("hello\n", "hello --var custmer=me\nvariables: {customer: 1}\n"))

    told = "! No placeholder or condition uses 'custmer'. Did you mean 'customer'?"
    assert ran.text.splitlines()[-1] == told


def test_a_dry_run_calls_nothing(kernel: Kernel):
    ran = kernel.ok(UNDONE.replace("undone\n", "undone --dry-run\n"))

    assert "✓ can run" in ran.text
    assert not (kernel.folder / "made").exists()
    assert kernel.ok("%wfnb runs").text.startswith("no run yet")


def test_variables_are_yaml_and_secrets_come_from_the_environment(kernel: Kernel):
    kernel.ok("import os; os.environ['TOKEN'] = 's3cret-value'")
    cell = """%%run_workflow told --var count=3 --var version=1.10 --secret token
variables: {version: "1.0"}
steps:
- tool: python
  args:
    code: 'out = (token, count + 1, version)'
    arguments: {token: "{token}", count: "{count}", version: "{version}"}
- {tool: shell, args: {command: 'echo {token}'}}
"""

    assert "✓ success" in kernel.ok(cell).text
    assert kernel.ok("out").value == "('s3cret-value', 4, '1.10')"
    kept = b"".join(path.read_bytes() for path in kernel.home.rglob("*") if path.is_file())
    assert b"s3cret-value" not in kept


def test_a_step_that_runs_a_workflow_has_it(kernel: Kernel):
    kernel.ok("%step Deploy\n%run_workflow simple_test --no-save")

    (run,) = kernel.status()["runs"]
    assert (run["name"], run["step"], run["status"]) == ("simple_test-1", 1, "success")
    assert "▶ simple_test-1 ✓ success" in kernel.ok("%wfnb graph").text


def test_progress_is_shown_to_a_person_and_replaced_by_the_end(kernel: Kernel):
    request = kernel.send(HELLO, "cell-1")
    shown = [message for message in kernel.published(request) if message["content"].get("data")]
    kernel.reply(request)

    last = shown[-1]["content"]
    assert "✓ success" in last["data"]["text/plain"]
    assert len({str(message["content"].get("transient")) for message in shown}) == 1
    kinds = [message["msg_type"] for message in shown]
    assert kinds == ["display_data", *["update_display_data"] * (len(kinds) - 1)]


def test_a_tool_whose_cell_has_not_run_in_this_kernel_is_told_what_makes_it_one(kernel: Kernel):
    kernel.ok("import wfnb\n@wfnb.tool\ndef take(left: int): return {'success': left > 0}")
    kernel.run("%%run_workflow sale\nsteps: [{tool: take, args: {left: 0}}]")
    kernel.restart()

    ran = kernel.run("%run_workflow --resume sale-1")

    said, way = ran.reply["traceback"]
    assert "take" in said
    assert way == "A tool of your own is there once its cell (`@wfnb.tool`) has run in this kernel."


def test_a_tool_of_the_notebook_can_be_called(kernel: Kernel):
    kernel.ok("import wfnb\n@wfnb.tool\ndef double(n: int) -> dict:\n    return {'twice': 2 * n}")

    kernel.ok("%%run_workflow own\nsteps:\n- {id: a, tool: double, args: {n: 4}}")

    assert kernel.ok("wfnb.open('notebook').runs.fields('own-1.twice')").value == "8"


def test_one_tool_is_called_and_a_stage_takes_what_it_gave(kernel: Kernel):
    kernel.ok("%wfnb start x --strategy react")
    for stage in ("problem_reception", "initial_reasoning", "action_planning"):
        kernel.ok(f"%step --stage {stage} think")

    kernel.ok("%step Look --set action=ls\n%wfnb call shell command='echo hi'")
    answer = kernel.ok("%step See --set observation=@last.stdout").answer

    assert answer["fields"] == {"observation": "hi\n"}
