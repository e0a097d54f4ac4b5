"""`wfnb mcp` in a process of its own, spoken to line by line: several calls are on their way at
once, and it is killed while they are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ahead import ROOT, Forked

PROTOCOL = "2025-11-25"
Answer = dict[str, Any]


class ServerProcess:
    """A server that was asked for nothing yet but to begin. `answered` has what it said so far, by
    the number of the call."""

    def __init__(self, folder: Path, *words: str, name: str = "helper") -> None:
        theirs, mine = os.pipe()
        back, said = os.pipe()
        self._process = Forked(
            "wfnb.__main__",
            ["mcp", "--home", str(folder / ".wfnb"), *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=theirs,
            stdout=said,
        )
        os.close(theirs)
        os.close(said)
        self._to = open(mine, "w", encoding="utf-8")  # noqa: SIM115  closed by `close`
        self._from = open(back, encoding="utf-8")  # noqa: SIM115
        self.answered: dict[int, Answer] = {}
        self._count = 0
        client = {"name": name, "version": "2.1"}
        begin = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}
        self.wait(self._ask("initialize", begin))
        self._write({"method": "notifications/initialized"})

    def call(self, tool: str, **given: Any) -> int:
        """Ask for it, and do not wait: the number of the call."""
        return self._ask("tools/call", {"name": tool, "arguments": given})

    def answer(self, tool: str, **given: Any) -> Answer:
        """What a call is answered; it is no refusal."""
        result = self.wait(self.call(tool, **given))
        assert not result.get("isError"), result
        data: Answer = result["structuredContent"]
        return data

    def wait(self, number: int) -> Answer:
        """The result of a call. Others may be answered before."""
        while number not in self.answered:
            assert self._read(), f"the server ended before it answered call {number}"
        return self.answered[number]

    def read(self, many: int) -> None:
        """Wait until so many calls are answered."""
        while len(self.answered) < many and self._read():
            pass

    def kill(self) -> None:
        """As `kill -9` does, at whatever it is doing; what it had said till then is read."""
        self._process.kill()
        self._process.wait()
        while self._read():
            pass
        self.close()

    def close(self) -> None:
        """The client is gone."""
        for end in (self._to, self._from):
            end.close()
        self._process.wait(60)

    def _ask(self, method: str, params: Answer) -> int:
        self._count += 1
        self._write({"id": self._count, "method": method, "params": params})
        return self._count

    def _write(self, message: Answer) -> None:
        self._to.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._to.flush()

    def _read(self) -> bool:
        line = self._from.readline()
        if not line.endswith("\n"):  # half a line is no answer
            return False
        message = json.loads(line)
        if "id" in message and "method" not in message:
            assert "error" not in message, message
            self.answered[message["id"]] = message["result"]
        return True


@contextmanager
def server(folder: Path, *words: str, name: str = "helper") -> Iterator[ServerProcess]:
    started = ServerProcess(folder, *words, name=name)
    try:
        yield started
    finally:
        started.close()
