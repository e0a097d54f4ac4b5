"""A terminal that a call opened is there for the next, and ends with the kernel."""

import json
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel

OTHER = """%%run_workflow other
steps:
- {id: open, tool: open_terminal, args: {shell: cat}}
- {id: look, tool: list_terminal_sessions}
"""


def call(kernel: Kernel, tool: str, **params: Any) -> Any:
    words = " ".join(f"{name}='{json.dumps(value)}'" for name, value in params.items())
    return json.loads(kernel.ok(f"%wfnb call {tool} {words}").text)


def sessions(kernel: Kernel) -> list[str]:
    return [each["session_id"] for each in call(kernel, "list_terminal_sessions")["sessions"]]


def test_a_terminal_of_a_call_is_used_by_the_next_until_it_is_closed(kernel: Kernel):
    kernel.ok("%wfnb start shop --scratch")
    opened = call(kernel, "open_terminal", shell="bash")["session_id"]
    before = sessions(kernel)

    call(kernel, "send_input", session_id=opened, input_text="echo $((6 * 7))\n")
    awaited = call(kernel, "await_output", session_id=opened, pattern="(?m)^42$")
    kernel.ok(OTHER)
    after = sessions(kernel)
    call(kernel, "exit_terminal", session_id=opened)

    assert before == after == [opened]
    assert awaited["match_text"] == "42"
    assert sessions(kernel) == []


def test_a_terminal_of_a_call_ends_with_the_kernel(tmp_path: Path):
    with running(tmp_path) as kernel:
        kernel.ok("%wfnb start shop --scratch")
        opened = call(kernel, "open_terminal", shell="bash")["session_id"]
        call(kernel, "send_input", session_id=opened, input_text="echo pid=$$.\n")
        awaited = call(kernel, "await_output", session_id=opened, pattern=r"pid=(?P<pid>\d+)\.")
        process = psutil.Process(int(awaited["captures"]["pid"]))
        assert process.is_running()

    process.wait(20)
    assert not process.is_running()
