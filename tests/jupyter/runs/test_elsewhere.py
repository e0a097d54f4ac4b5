"""A cell waits where nothing can be typed: for a person, or for a run that it did not start."""

import os
import re
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.jupyter.kernel import Kernel, Ran
from wfnb.errors import RunGoesOn
from wfnb.jupyter.wait_for_other_run import end_elsewhere
from wfnb.process_identity import process

pytestmark = pytest.mark.kernel

ASKS = """%%run_workflow asks {options}
steps:
- {{id: confirm, tool: ask, args: {{question: 'Go on?', choices: ['yes', 'no']}}}}
- {{id: told, tool: shell, args: {{command: 'echo {{confirm.answer}}'}}}}
"""
SECRET = "%wfnb call ask question=Password secret=true timeout=60"
TOLD = """confirm asks: Go on? (1 yes · 2 no)
Nothing can be typed here. Answer by `wfnb answer TEXT --run asks-1 --to confirm` in a terminal \
in this folder, or `%wfnb answer TEXT --run asks-1 --to confirm` in another notebook of the session.
"""


def answered(kernel: Kernel, code: str) -> Ran:
    """A cell whose question is answered with the command that it names, in the kernel's folder."""
    request = kernel.send(code)
    published, said = [], ""
    for message in kernel.published(request):
        published.append(message)
        if "answered" not in said and (told := message["content"].get("text", "")):
            said += told
            if command := re.search(r"`wfnb (answer .+?)`", said):
                words = command[1].replace("TEXT", "yes").split()
                told = subprocess.run(
                    [sys.executable, "-m", "wfnb", *words],
                    cwd=kernel.folder,
                    env={**os.environ, "WFNB_HOME": str(kernel.home)},
                    check=True,
                )
                said += "answered"
    return Ran(published, kernel.reply(request))


def interrupted(kernel: Kernel, code: str) -> Ran:
    """A cell that is interrupted when it has told its question."""
    return kernel.interrupted(code, "Nothing can be typed here")


@pytest.mark.parametrize("options", ["", "--quiet"])
def test_a_question_is_told_at_once_with_the_command_that_answers_it(kernel: Kernel, options: str):
    ran = answered(kernel, ASKS.format(options=options))

    assert ran.status == "ok"
    assert ran.stdout == TOLD


def test_the_question_of_a_run_that_is_waited_for_is_told_too(kernel: Kernel):
    kernel.ok(ASKS.format(options="--background"))

    ran = answered(kernel, "%wfnb wait")

    assert ran.stdout == TOLD
    assert "asks-1 · ✓ success · 2 steps" in ran.text


def test_a_secret_that_nobody_can_type_fails_at_once(kernel: Kernel):
    refused = kernel.run(SECRET)

    assert refused.status == "error"
    assert refused.reply["evalue"] == (
        "Run ask failed: a secret is only asked for where it can be typed, and nothing can be "
        "typed here."
    )


def test_that_a_run_in_the_background_waits_for_a_secret_is_told(kernel: Kernel):
    kernel.ok(
        "%%run_workflow asks --background\nsteps:\n"
        "- {id: pin, tool: ask, args: {question: PIN, secret: true, timeout: 60}}"
    )

    waited = interrupted(kernel, "%wfnb wait asks-1")

    assert waited.stdout == (
        "pin asks: PIN [fails after 1 min]\n"
        "Nothing can be typed here, and a secret is not sent from elsewhere.\n"
    )
    assert kernel.ok("%wfnb answer 123456").text
    assert "✓ success" in kernel.ok("%wfnb wait asks-1").text


def test_a_question_that_is_over_before_anybody_could_answer_is_not_told(kernel: Kernel):
    ran = kernel.ok("%wfnb call ask question=Really default=no timeout=1")

    assert ran.stdout == ""
    assert '"answered_by": "default"' in ran.text


def test_an_interrupt_of_the_waiting_does_not_stop_the_run(kernel: Kernel):
    kernel.ok(ASKS.format(options="--background"))

    refusal = interrupted(kernel, "%wfnb wait asks-1").reply["evalue"]
    runs = kernel.ok("%wfnb runs").text

    assert refusal == (
        "Run asks-1 goes on: only the waiting was interrupted. `%wfnb cancel asks-1` stops it."
    )
    assert "▶ running" in runs
    assert kernel.ok("%wfnb cancel asks-1").text == "asks-1 cancelled"


def test_an_interrupt_of_the_waiting_for_another_process_is_told_the_same():
    class Log:
        """Of a run that this process could not stop; each look at it is interrupted."""

        name, run = "asks-1", SimpleNamespace(status="running", process=process())

        def refresh(self) -> None:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(RunGoesOn) as told:
        end_elsewhere(Log())

    assert told.value.name == "asks-1"
