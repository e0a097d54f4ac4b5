"""What an agent waits for: `wfnb mcp` beside a server of the SDK that only echoes, each a process
that is spoken to on stdin and stdout. And what a person waits for who watches it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

from tests.jupyter.kernel import running
from tests.jupyter.panel.front import page

from .figures import Figure, Measured, Times, told, within

STARTS, STEPS, WATCHED = 5, 500, 40
READY, BEYOND, LIST, TOLD = 0.5, 0.005, 12, 0.3
"""Seconds until the first answer, and that a step takes beyond the echo; KB of the list of tools;
seconds until a panel is told of a step."""
APART = 0.037
"""Seconds by which steps come later and later within the time in which the journal is looked at."""
_ECHO = """
import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool
async def listed(context, asked):
    return ListToolsResult(tools=[Tool(name="record_step", input_schema={"type": "object"})])
async def called(context, asked):
    data = {"text": "x" * 300}
    said = TextContent(type="text", text=str(data))
    return CallToolResult(content=[said], structured_content=data)
server = Server("echo", on_list_tools=listed, on_call_tool=called)
async def main():
    async with stdio_server() as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())
anyio.run(main)
"""


class Spoken:
    """A server that was started. `ready` is after how many seconds it had answered first."""

    def __init__(self, process: Popen[str]) -> None:
        self._process, self._count = process, 0
        begun = perf_counter()
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        self.ready = perf_counter() - begun
        self._write(method="notifications/initialized")

    def ask(self, method: str, **params: Any) -> str:
        self._count += 1
        self._write(id=self._count, method=method, params=params)
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def step(self) -> float:
        """Seconds that a step takes, there and back."""
        begun = perf_counter()
        said = self.ask("tools/call", name="record_step", arguments={"title": "Fit"})
        took = perf_counter() - begun
        assert not json.loads(said)["result"].get("isError")
        return took

    def _write(self, **message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()


@contextmanager
def _spoken(words: Sequence[str]) -> Iterator[Spoken]:
    with Popen([sys.executable, *words], stdin=PIPE, stdout=PIPE, text=True) as process:
        yield Spoken(process)
        assert process.stdin is not None
        process.stdin.close()


def measure() -> Iterator[Measured]:
    with TemporaryDirectory() as folder:
        wfnb = ("-m", "wfnb", "mcp", "--home", str(Path(folder) / ".wfnb"))
        echo = ("-c", _ECHO)
        ready: dict[Sequence[str], list[float]] = {wfnb: [], echo: []}
        for words in (wfnb, echo) * STARTS:
            with _spoken(words) as server:
                ready[words].append(server.ready)
        yield told("the SDK alone, from its start to its first answer", Times(ready[echo]))
        own = Times(ready[wfnb])
        yield within("`wfnb mcp`, from its start to its first answer", own, READY)
        with _spoken(wfnb) as agent, _spoken(echo) as bare:
            size = len(agent.ask("tools/list").encode()) / 1024
            met = size <= LIST
            yield Figure("the list of its tools", f"≤ {LIST} KB", f"{size:.1f} KB", met=met)
            agent.step()
            bare.step()
            pairs = [(agent.step(), bare.step()) for _ in range(STEPS)]
        yield told("a call of the SDK that echoes, there and back", Times([b for _, b in pairs]))
        beyond = Times([max(0.0, mine - echoed) for mine, echoed in pairs])
        yield within("a step that an agent records, beyond that", beyond, BEYOND)
    yield within("the same, until a panel was told of it", Times(_watched()), TOLD, by="p95")


def _watched() -> list[float]:
    """Seconds from the call of an agent until a front end of a kernel has the step."""
    with (
        TemporaryDirectory() as folder,
        running(Path(folder)) as kernel,
        page(kernel) as front,
        _spoken(("-m", "wfnb", "mcp", "--home", str(kernel.home))) as agent,
    ):
        kernel.ok("%wfnb start demo")
        waited: list[float] = []

        def seen() -> bool:
            return len(front.state.rows) > len(waited)

        for count in range(WATCHED):
            sleep(APART * (count % 6))
            begun = perf_counter()
            agent.step()
            front.until(seen)
            waited.append(perf_counter() - begun)
        return waited
