"""Somebody at a terminal: types, waits and looks through the tools."""

import shlex
import sys
from pathlib import Path

from wfnb.workflows.tools import process_cleanup
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.terminal.tools import TERMINAL_TOOLS

TOOLS = {tool.name: tool for tool in TERMINAL_TOOLS}
PYTHON = shlex.quote(sys.executable)


def context_of(terminals, folder: Path, root="run"):
    return Context(
        run=root,
        action="state",
        attempt=1,
        folder=folder,
        say=lambda text: None,
        ask=None,
        nested=None,
        namespace=None,
        terminals=terminals,
        root=root,
        marking=lambda: process_cleanup.mark(root),
    )


class Typist:
    def __init__(self, context):
        self.context = context
        self.session = None

    async def call(self, name, **params):
        """A tool as a run calls it: the parameters are read first."""
        tool = TOOLS[name]
        return await tool.call(**tool.read(params), **{tool.context: self.context})

    async def open(self, shell="bash", **params):
        opened = await self.call("open_terminal", shell=shell, **params)
        self.session = opened["session_id"]
        # Else the system may echo what is typed, and the prompt comes after that.
        if shell == "bash":
            assert await self.sees(r"\$ $")
        return opened

    async def types(self, text):
        return await self.call("send_input", session_id=self.session, input_text=text)

    async def awaits(self, pattern, timeout=20.0):
        """What came of waiting for a pattern."""
        return await self.call(
            "await_output", session_id=self.session, pattern=pattern, timeout=timeout
        )

    async def sees(self, pattern):
        """What matched a pattern."""
        return (await self.awaits(pattern))["match_text"]

    async def misses(self, pattern):
        """Whether a pattern matches nothing of what was said until now."""
        return (await self.awaits(pattern, timeout=0))["match_text"] is None

    async def looks(self, mode="screen", **params):
        looked = await self.call(
            "get_screen_content", session_id=self.session, content_mode=mode, **params
        )
        return looked["screen_content"]
