"""a kernel -> a front end of it: comms that are opened, told and asked as JupyterLab does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from jupyter_client import BlockingKernelClient

from tests.jupyter.kernel import PATIENCE, Kernel

Told = dict[str, Any]


class Refused(Exception):
    """The kernel's no: the class of the error, and its sentence."""


@dataclass
class State:
    """What a front end draws, from what it was told: whole snapshots, and changes laid over."""

    head: dict[str, Any] = field(default_factory=dict)
    rows: dict[int, dict[str, Any]] = field(default_factory=dict)
    lines: dict[str, dict[str, Any]] = field(default_factory=dict)
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    tails: dict[str, list[str]] = field(default_factory=dict)
    seq: int = -1
    gap: bool = False
    gone: str | None = None

    def take(self, told: Told) -> None:
        if told["kind"] == "gone":
            self.gone = told["says"]
            return
        if told["kind"] == "snapshot":
            self.head, self.rows, self.lines, self.runs, self.gone = {}, {}, {}, {}, None
        elif told["seq"] != self.seq + 1:
            self.gap = True
        self.seq = told["seq"]
        self.head |= told.get("head", {})
        for row in told.get("rows", ()):
            self.rows[row["index"]] = row
        for line in told.get("lines", ()):
            self.lines[line["id"]] = self.lines.get(line["id"], {}) | line
        for run in told.get("runs", ()):
            self.runs[run["name"]] = self.runs.get(run["name"], {}) | run
        for tail in told.get("tails", ()):
            said = [line["text"] for line in tail["lines"]]
            self.tails[tail["run"]] = self.tails.get(tail["run"], []) + said

    @property
    def titles(self) -> list[str]:
        return [self.rows[index]["title"] for index in sorted(self.rows)]


class FrontEnd:
    """One page: a client of its own, with a thread in the kernel for its comms where that can be
    had. `messages` are all that it was told, but for a number that was `repeated`. While it `lives`
    it says so when it is asked."""

    def __init__(self, kernel: Kernel, subshell: bool = True) -> None:
        self.kernel = kernel
        self.client = BlockingKernelClient(connection_file=kernel.manager.connection_file)
        self.client.load_connection_file()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        self.messages: list[Told] = []
        self.replies: dict[int, dict[str, Any]] = {}
        self.custom: list[dict[str, Any]] = []
        self.closed: set[str] = set()
        self.lives, self.pinged, self.repeated = True, 0, 0
        self.state = State()
        self._ids = count(1)
        self.state_comm, self.control_comm = uuid4().hex, uuid4().hex
        self.subshell = self._subshell() if subshell else None

    # comms

    def open(self, comm: str, target: str, data: dict[str, Any] | None = None) -> None:
        self.send("comm_open", comm_id=comm, target_name=target, data=data or {})

    def connect(self) -> FrontEnd:
        """Open both comms, and wait for what is told first."""
        self.open(self.control_comm, "wfnb.control", {"state": self.state_comm})
        self.open(self.state_comm, "wfnb.state", {"control": self.control_comm})
        self.until(lambda: bool(self.messages))
        return self

    def send(self, kind: str, **content: Any) -> str:
        message = self.client.session.msg(kind, content)
        if self.subshell is not None:
            message["header"]["subshell_id"] = self.subshell
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def post(self, data: Any, comm: str | None = None) -> None:
        """Any message on a comm, by default the one for requests."""
        self.send("comm_msg", comm_id=comm or self.control_comm, data=data)

    def request(self, word: str, **args: Any) -> int:
        """Ask, and do not wait."""
        id = next(self._ids)
        self.post({"id": id, "ask": word, **args})
        return id

    def reply(self, id: int) -> dict[str, Any]:
        self.until(lambda: id in self.replies)
        return self.replies[id]

    def ask(self, word: str, **args: Any) -> Any:
        """Ask, and wait for the answer. Refused with the error's class and sentence."""
        reply = self.reply(self.request(word, **args))
        if "error" in reply:
            raise Refused(reply["error"], reply["says"])
        return reply["answer"]

    def close(self) -> None:
        for comm in (self.state_comm, self.control_comm):
            self.send("comm_close", comm_id=comm, data={})

    # what comes

    def take(self) -> dict[str, Any]:
        """The next message on iopub."""
        message: dict[str, Any] = self.client.get_iopub_msg(timeout=PATIENCE)
        kind, content = message["msg_type"], message["content"]
        if kind == "comm_close":
            self.closed.add(content["comm_id"])
        if kind == "comm_msg" and content["data"].get("kind") == "ping":
            if content["comm_id"] == self.state_comm and self.lives:
                self.post({}, comm=self.state_comm)
                self.pinged += 1
        elif kind == "comm_msg" and content["data"] == {"kind": "delta", "seq": self.state.seq}:
            self.repeated += 1
        elif kind == "comm_msg" and content["comm_id"] == self.state_comm:
            self.messages.append(content["data"])
            self.state.take(content["data"])
        elif kind == "comm_msg" and content["comm_id"] == self.control_comm:
            self.replies[content["data"]["id"]] = content["data"]
        elif kind == "comm_msg" and content["data"].get("method") == "custom":
            self.custom.append({"model": content["comm_id"], **content["data"]["content"]})
        return message

    def until(self, there: Callable[[], bool]) -> None:
        """Take messages until something is so."""
        while not there():
            self.take()

    def prints(self, word: str) -> None:
        """Until a cell prints a word."""
        while True:
            message = self.take()
            if message["msg_type"] == "stream" and word in message["content"]["text"]:
                return

    def leave(self) -> None:
        self.client.stop_channels()
        self.client.context.destroy()

    def _subshell(self) -> str | None:
        """As JupyterLab makes one: on the control channel, where the kernel says that it can."""
        self.client.kernel_info()
        while True:
            reply = self.client.get_shell_msg(timeout=PATIENCE)
            if reply["msg_type"] == "kernel_info_reply":
                break
        if "kernel subshells" not in reply["content"].get("supported_features", []):
            return None
        self.client.control_channel.send(self.client.session.msg("create_subshell_request", {}))
        while True:
            reply = self.client.get_control_msg(timeout=PATIENCE)
            if reply["msg_type"] == "create_subshell_reply":
                return str(reply["content"]["subshell_id"])


@contextmanager
def page(kernel: Kernel, subshell: bool = True) -> Iterator[FrontEnd]:
    """A front end that is connected, for as long as it is needed."""
    front = FrontEnd(kernel, subshell)
    try:
        yield front.connect()
    finally:
        front.close()
        front.leave()


def waits_for(gate: Path, head: str = "", then: str = "") -> str:
    """A cell that prints `waiting`, and blocks until the file is there."""
    return (
        f"{head}import time, pathlib\nprint('waiting', flush=True)\n"
        f"while not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.01)\n{then}"
    )
