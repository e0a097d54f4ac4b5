"""`%%run_workflow`: a workflow in a cell runs real tools, and the cell says what it came to."""

import os
from pathlib import Path

import pytest

from tests.jupyter.kernel import MIME, Kernel, Ran, running

pytestmark = pytest.mark.kernel

HELLO = """%%run_workflow hello
steps:
- {id: greet, tool: shell, args: {command: echo hi}}
- {id: again, tool: shell, args: {command: 'echo {steps.greet.stdout!q}'}}
"""
UNDONE = """%%run_workflow undone
steps:
- id: write
  tool: shell
  args: {command: touch made}
  compensation: {tool: shell, args: {command: rm made}}
- {id: check, tool: shell, args: {command: test -e wanted}}
"""
WAITS = """%%run_workflow waits {options}
steps:
- {{id: first, tool: shell, args: {{command: 'echo $$ > pid; exec sleep 600'}}, timeout: 700}}
- {{id: second, tool: shell, args: {{command: echo done}}}}
"""
ASKS = """%%run_workflow asks --background
steps:
- {id: confirm, tool: ask, args: {question: 'Go on?', choices: ['yes', 'no']}}
- {id: told, tool: shell, args: {command: 'echo {steps.confirm.answer}'}}
"""


@pytest.fixture
def kernel(tmp_path: Path):
    with running(tmp_path) as kernel:
        yield kernel


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return "zombie" in Path(f"/proc/{pid}/status").read_text() if Path("/proc").exists() else False


def came_to(ran: Ran) -> str:
    """The text that is shown in the end, where the front end follows a run."""
    shown = [found["content"] for found in ran.published if "display_data" in found["msg_type"]]
    return str(shown[-1]["data"]["text/plain"])


def test_a_workflow_in_a_cell_runs_and_shows_what_it_came_to(kernel: Kernel):
    ran = kernel.ok(HELLO)

    assert ran.text.splitlines()[0] == "hello-1 · ✓ success · 2 steps · saved as hello"
    data = ran.shown[0][MIME]
    assert (data["run"], data["status"], data["success"]) == ("hello-1", "success", True)
    assert [action["status"] for action in data["actions"]] == ["ok", "ok"]


def test_what_a_cell_shows_is_the_same_when_it_runs_again(kernel: Kernel):
    first, second = (kernel.ok(f"%wfnb start {name}") and kernel.ok(HELLO) for name in "ab")

    assert [shown["text/html"] for shown in second.shown] == [
        shown["text/html"].replace(" · saved as hello", "").replace("saved as hello", "")
        for shown in first.shown
    ] or len(second.shown) == 1


def test_a_saved_workflow_is_called_by_its_name(kernel: Kernel):
    kernel.ok(HELLO)

    assert kernel.ok("%run_workflow hello").text.startswith("hello-2 · ✓ success · 2 steps")
    assert "hello" in kernel.ok("%wfnb workflows").text


EDITED = HELLO.replace("echo hi", "echo hello")
LAST = "import wfnb\nwfnb.open('notebook').runs.fields('last.stdout')"
GREETS = """%%run_workflow hello
steps: [{id: other, tool: shell, args: {command: echo other}}]
"""


@pytest.mark.parametrize("cell_id", ["cell-1", None], ids=["a front end", "headless"])
def test_a_workflow_that_is_edited_in_its_cell_takes_the_place_of_what_it_was(
    kernel: Kernel, cell_id: str | None
):
    kernel.ok(HELLO, cell_id)

    edited = came_to(kernel.ok(EDITED, cell_id))
    by_name = kernel.ok(f"%run_workflow hello\n{LAST}").value
    again = came_to(kernel.ok(EDITED, cell_id))
    back = came_to(kernel.ok(HELLO, cell_id))

    assert edited.splitlines()[0] == "hello-2 · ✓ success · 2 steps · saved as hello"
    assert by_name == "'hello\\n'"
    assert again.splitlines()[0] == "hello-4 · ✓ success · 2 steps"
    assert back.splitlines()[0] == "hello-5 · ✓ success · 2 steps · saved as hello"
    assert "not saved" not in edited + again + back


def test_a_workflow_that_another_cell_defined_is_not_replaced(kernel: Kernel):
    kernel.ok(HELLO, "cell-1")

    other = came_to(kernel.ok(GREETS, "cell-2"))

    assert "not saved: Workflow 'hello' exists, with other content." in other
    assert "`--overwrite` replaces it; another name keeps both." in other
    kernel.ok(GREETS.replace("hello", "hello --overwrite", 1), "cell-2")
    assert "not saved" in came_to(kernel.ok(EDITED, "cell-1"))


def test_a_workflow_of_another_session_is_not_replaced(kernel: Kernel):
    kernel.ok(HELLO, "cell-1")

    kernel.ok("%wfnb start copy")

    assert "not saved" in came_to(kernel.ok(EDITED, "cell-1"))


def test_an_edited_workflow_that_is_resumed_is_saved_as_the_cell_would(kernel: Kernel):
    kernel.ok(HELLO, "cell-1")
    kernel.run(EDITED.replace("echo hello", "test -e wanted"), "cell-1")
    (kernel.folder / "wanted").touch()

    assert "saved as hello" in came_to(kernel.ok("%run_workflow --resume last", "cell-2"))


def test_an_earlier_version_is_shown_and_run_by_its_hash(kernel: Kernel):
    for cell in (HELLO, EDITED):
        kernel.ok(cell, "cell-1")

    (version,) = kernel.ok("%wfnb workflows versions hello").shown[0][MIME]["versions"]

    assert "echo hi" in kernel.ok(f"%wfnb workflows show {version}").text
    assert kernel.ok(f"%run_workflow {version}\n{LAST}").value == "'hi\\n'"


def test_a_body_that_says_nothing_is_told_what_to_say(kernel: Kernel):
    refusal = kernel.run("%%run_workflow hello\n# steps:").refusal

    assert refusal.startswith("The text says nothing. It needs `steps` or `states`, for example: ")
    assert kernel.ok(f"%%run_workflow\n{refusal.partition('example: ')[2]}").text.startswith(
        "hello-1 · ✓ success"
    )


def test_a_file_is_a_workflow(kernel: Kernel):
    (kernel.folder / "w.yaml").write_text("name: filed\nsteps: [{tool: sleep, args: {seconds: 0}}]")

    assert kernel.ok("%run_workflow w.yaml").text.startswith("filed-1 · ✓ success")


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
- {tool: python, args: {code: 'out = ("{token}", {count} + 1, "{version}")'}}
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


def test_an_interrupt_stops_the_run_and_all_its_processes(kernel: Kernel):
    request = kernel.send(WAITS.format(options=""), "cell-1")
    published = []
    for message in kernel.published(request):
        published.append(message)
        if len(published) == 1:
            while not (pid := (kernel.folder / "pid")).exists() or not pid.read_text().strip():
                pass
            kernel.interrupt()
    reply = kernel.reply(request)

    assert reply["status"] == "error"
    assert "⊘ cancelled" in published[-2]["content"]["data"]["text/plain"]
    assert gone(int(pid.read_text()))


def test_a_run_in_the_background_gives_the_kernel_back_and_can_be_cancelled(kernel: Kernel):
    ran = kernel.ok(WAITS.format(options="--background"))

    assert "waits-1 runs in the background" in ran.text
    assert "▶ running" in kernel.ok("%wfnb runs").text
    kernel.ok("%wfnb cancel")
    assert "⊘ cancelled" in kernel.ok("%wfnb wait waits-1").text


ON_CANCEL = """%%run_workflow kept --background
rollback_on_cancel: true
steps:
- id: write
  tool: shell
  args: {command: touch made}
  compensation: {tool: shell, args: {command: 'rm made; echo {token} > told'}}
- {id: wait, tool: shell, args: {command: 'echo $$ > pid; exec sleep 600'}, timeout: 700}
"""


def begun(kernel: Kernel, options: str = "") -> int:
    kernel.ok("import os; os.environ['TOKEN'] = 's3cret-value'")
    kernel.ok(ON_CANCEL.replace("--background", f"--background --secret token {options}"))
    while not (pid := (kernel.folder / "pid")).exists() or not pid.read_text().strip():
        pass
    return int(pid.read_text())


def test_a_run_is_cancelled_without_its_rollback(kernel: Kernel):
    pid = begun(kernel)

    kernel.ok("%wfnb cancel --no-rollback")

    assert "⊘ cancelled" in kernel.ok("%wfnb wait kept-1").text
    assert gone(pid)
    assert (kernel.folder / "made").exists()


def test_a_run_whose_kernel_died_is_undone_with_the_secret_it_needs(kernel: Kernel):
    begun(kernel)
    kernel.kill()
    kernel.restart()
    kernel.ok("import os; os.environ['TOKEN'] = 's3cret-value'")

    assert kernel.ok("%wfnb cancel --secret token").text == "kept-1 cancelled · 1 undone"

    assert not (kernel.folder / "made").exists()
    assert (kernel.folder / "told").read_text() == "s3cret-value\n"


def test_a_question_is_answered_from_another_cell(kernel: Kernel):
    kernel.ok(ASKS)
    kernel.ok("import wfnb\nlog = wfnb.open('notebook').runs.log('asks-1')")
    kernel.ok("while not log.run.questions: log.refresh()")

    assert kernel.run("%wfnb answer maybe").refusal.startswith("'maybe' is no choice here.")
    assert kernel.ok("%wfnb answer 1").text == "asks-1: answered yes"
    assert "✓ success" in kernel.ok("%wfnb wait asks-1").text


def test_a_tool_whose_cell_has_not_run_in_this_kernel_is_told_what_makes_it_one(kernel: Kernel):
    kernel.ok("import wfnb\n@wfnb.tool\ndef take(left: int): return {'success': left > 0}")
    kernel.run("%%run_workflow sale\nsteps: [{tool: take, args: {left: 0}}]")
    kernel.restart()

    ran = kernel.run("%run_workflow --resume sale-1")

    said, way = ran.reply["traceback"]
    assert "take" in said
    assert way == "A tool of your own is there once its cell (`@wfnb.tool`) has run in this kernel."


def test_a_run_whose_kernel_died_goes_on_in_another(kernel: Kernel):
    kernel.send(WAITS.format(options=""))
    while not (pid := (kernel.folder / "pid")).exists() or not pid.read_text().strip():
        pass
    kernel.kill()
    kernel.restart()

    assert "◐ interrupted" in kernel.ok("%wfnb runs").text
    refused = kernel.run("%run_workflow --resume waits-1").refusal
    assert "first (shell)" in refused
    assert "`--again`" in refused
    assert "✓ success" in kernel.ok("%run_workflow --resume waits-1 --done").text
    assert gone(int(pid.read_text()))


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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%run_workflow nope", "Workflow 'nope' not found. Available: "),
        ("%run_workflow --resume nope-1", "No run is called 'nope-1'. Runs: none yet."),
        ("%run_workflow x --var y", "%%run_workflow: --var 'y' is no KEY=VALUE."),
        ("%run_workflow x --secret NOPE", "%%run_workflow: the environment has no NOPE."),
        ("%run_workflow simple_test --timeout soon", "timeout is 'soon'. It needs a number"),
        ("%run_workflow x --max-states 0", "--max-states is '0'. It needs a whole number from 1."),
        ("%run_workflow x --dry", "%%run_workflow: there is no option --dry. Did you mean"),
        ("%run_workflow simple_test --on nobody", "%%run_workflow: the notebook has no variable"),
        ("%run_workflow ../x", "workflow_name is '../x'. It needs a letter"),
        ("%run_workflow no/x.yaml", "no/x.yaml cannot be read as a workflow: No such file"),
        ("%wfnb workflows import no/x.yaml", "no/x.yaml cannot be read as a workflow: No such"),
        (
            "%%run_workflow y\nprint('hi')",
            "The text cannot be read as a workflow: it has no `steps`",
        ),
        ("%wfnb answer yes", "No question is open."),
        ("%wfnb cancel", "No run is going on."),
        ("%wfnb workflows drop", "%wfnb workflows: it does not know 'drop'."),
        ("%wfnb workflows delete nope", "Workflow 'nope' not found."),
        ("%wfnb tools shel", "No tool is called 'shel'. Did you mean 'shell'?"),
    ],
)
def test_a_mistake_is_told_in_one_line(mistaken: Kernel, line: str, said: str):
    assert said in mistaken.run(line).refusal


@pytest.fixture(scope="module")
def mistaken(tmp_path_factory: pytest.TempPathFactory):
    with running(tmp_path_factory.mktemp("mistaken")) as kernel:
        yield kernel


def test_a_body_that_does_not_read_is_told_with_its_place(mistaken: Kernel):
    refusal = mistaken.run("%%run_workflow\nsteps:\n- [unclosed").refusal

    assert "line 3" in refusal or "line 2" in refusal


def test_tab_completes_workflows_runs_tools_and_options(mistaken: Kernel):
    assert "simple_test" in mistaken.complete("%run_workflow simp")
    assert "--resume" in mistaken.complete("%run_workflow --res")
    assert "shell" in mistaken.complete("%wfnb tools sh")


def test_help_explains_the_magic(mistaken: Kernel):
    assert "--resume RUN" in mistaken.ok("%run_workflow").text
    assert "--resume RUN" in mistaken.inspect("%%run_workflow")
