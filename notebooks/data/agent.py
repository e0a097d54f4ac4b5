"""calls of tools -> answers: an agent that is played, on a real MCP client.

A model chooses its calls itself. Here a notebook says them, so that it comes out the same each
time; all else is as with another client: it starts `wfnb mcp`, and speaks to that process.
"""

import asyncio
import os
import sys
from queue import Queue
from threading import Thread

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import Implementation


class Agent:
    """A client of its own server, for as long as this process lives. A call gives the data of the
    answer; a refused one its sentence."""

    def __init__(self, name: str, *options: str) -> None:
        self._asked, self._answers = Queue(), Queue()
        Thread(target=self._run, args=(name, options), daemon=True).start()

    def __call__(self, tool: str, **given):
        self._asked.put((tool, given))
        answer = self._answers.get()
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _run(self, name, options) -> None:
        try:
            asyncio.run(self._converse(name, options))
        except BaseException as fault:
            self._answers.put(fault)

    async def _converse(self, name, options) -> None:
        words = ["-m", "wfnb", "mcp", *options]
        server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
        # A notebook's own stderr is no file that a process can write to.
        talk = stdio_client(server, errlog=sys.__stderr__)
        async with Client(talk, client_info=Implementation(name=name, version="1.0")) as client:
            while True:
                tool, given = await asyncio.to_thread(self._asked.get)
                result = await client.call_tool(tool, given)
                self._answers.put(result.structured_content or result.content[0].text)
