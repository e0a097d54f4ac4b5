"""Runs that are in the background, interrupted, cancelled, or cut off with their kernel."""

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.runs.workflows import pid_of
from tests.workflows.runner.place import gone

pytestmark = pytest.mark.kernel
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


def test_an_interrupt_stops_the_run_and_all_its_processes(kernel: Kernel):
    request = kernel.send(WAITS.format(options=""), "cell-1")
    published = []
    for message in kernel.published(request):
        published.append(message)
        if len(published) == 1:
            pid = pid_of(kernel)
            kernel.interrupt()
    reply = kernel.reply(request)

    assert reply["status"] == "error"
    assert "⊘ cancelled" in published[-2]["content"]["data"]["text/plain"]
    assert gone(pid)


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
    return pid_of(kernel)


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


def test_a_run_whose_kernel_died_goes_on_in_another(kernel: Kernel):
    kernel.send(WAITS.format(options=""))
    pid = pid_of(kernel)
    kernel.kill()
    kernel.restart()

    assert "◐ interrupted" in kernel.ok("%wfnb runs").text
    refused = kernel.run("%run_workflow --resume waits-1").refusal
    assert "first (shell)" in refused
    assert "`--again`" in refused
    assert "✓ success" in kernel.ok("%run_workflow --resume waits-1 --done").text
    assert gone(pid)
