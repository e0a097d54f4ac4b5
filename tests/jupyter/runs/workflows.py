"""Workflows in cells, and what came of their runs: the pid of a process, what was shown last."""

from tests.jupyter.kernel import Kernel, Ran

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


def pid_of(kernel: Kernel) -> int:
    """Of the process that a run has started, once it has written it to `pid`."""
    while not (pid := (kernel.folder / "pid")).exists() or not pid.read_text().strip():
        pass
    return int(pid.read_text())


def came_to(ran: Ran) -> str:
    """The text that is shown in the end, where the front end follows a run."""
    shown = [found["content"] for found in ran.published if "display_data" in found["msg_type"]]
    return str(shown[-1]["data"]["text/plain"])
