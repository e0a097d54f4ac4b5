"""code -> a real kernel -> what the cell showed and how it ended, by Jupyter's own messages."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jupyter_client import BlockingKernelClient, KernelManager

from wfnb import errors

MIME = "application/vnd.wfnb+json"
SEVEN = (
    "step_number",
    "total_steps",
    "next_step_needed",
    "last_step_description",
    "current_branch",
    "branches",
    "step_history_length",
)
PATIENCE = 60  # seconds for a message that has to come
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Ran:
    """What a cell published, in order (`msg_type`, `content`), and the reply to its request."""

    published: list[dict[str, Any]]
    reply: dict[str, Any]

    @property
    def status(self) -> str:
        return str(self.reply["status"])

    @property
    def kinds(self) -> list[str]:
        """Kinds of outputs, in order; a stream by its name."""
        return [found["content"].get("name", found["msg_type"]) for found in self.published]

    @property
    def value(self) -> str | None:
        """The last value, as Out[n] shows it."""
        found = [content["data"]["text/plain"] for content in self._of("execute_result")]
        return found[0] if found else None

    @property
    def shown(self) -> list[dict[str, Any]]:
        """What was displayed: the forms of each output by their type."""
        return [content["data"] for content in self._of("display_data")]

    @property
    def text(self) -> str:
        """The text of the only thing displayed."""
        (bundle,) = self.shown
        return str(bundle["text/plain"])

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The answers to the steps of this cell."""
        data = [bundle.get(MIME) for bundle in self.shown]
        return [found for found in data if isinstance(found, dict) and "outcome" in found]

    @property
    def answer(self) -> dict[str, Any]:
        (found,) = self.answers
        return found

    @property
    def stdout(self) -> str:
        return self._stream("stdout")

    @property
    def stderr(self) -> str:
        return self._stream("stderr")

    @property
    def traceback(self) -> str:
        """The traceback without its colours; empty, where there is none."""
        found = ["\n".join(content["traceback"]) for content in self._of("error")]
        return _COLOUR.sub("", "\n".join(found))

    @property
    def refusal(self) -> str:
        """The one line that a refused magic says, the same to a person (the error output) and to a
        program (the reply); whatever else it says is an error."""
        (error,) = self._of("error")
        told = {name: self.reply[name] for name in ("ename", "evalue", "traceback")}
        assert (self.status, self.stderr, error) == ("error", "", told), self
        assert issubclass(getattr(errors, error["ename"]), errors.WfnbError)
        (line,) = error["traceback"]
        assert line == error["evalue"], self
        return str(line)

    def _of(self, kind: str) -> list[dict[str, Any]]:
        return [found["content"] for found in self.published if found["msg_type"] == kind]

    def _stream(self, name: str) -> str:
        return "".join(found["text"] for found in self._of("stream") if found["name"] == name)


class Kernel:
    """One kernel process in `folder`; its sessions are kept in `home`. It knows no user settings,
    and no notebook but what a test tells it. The Python that it runs is this one, or that which
    KERNEL_PYTHON names."""

    def __init__(self, folder: Path, home: Path, **environment: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name != "JPY_SESSION_NAME"}
        self.folder, self.home = folder, home
        self.environment = {
            **kept,
            "IPYTHONDIR": str(folder / "ipython"),
            "COLUMNS": "120",
            **environment,
        }
        self.start()

    def start(self) -> None:
        self.sockets = TemporaryDirectory(prefix="k")  # a port may be taken, a path is ours
        self.manager = KernelManager(
            kernel_name="python3",
            connection_file=str(self.folder / "kernel.json"),
            transport="ipc",
            ip=f"{self.sockets.name}/k",
        )
        if python := self.environment.get("KERNEL_PYTHON"):
            self.manager.kernel_spec.argv[0] = python
        environment = {**self.environment, "WFNB_HOME": str(self.home)}
        self.manager.start_kernel(env=environment, cwd=str(self.folder))
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)

    def stop(self) -> None:
        self.client.stop_channels()
        self.client.context.destroy()  # or 25 descriptors stay open in the tests' own process
        self.manager.shutdown_kernel(now=True)
        self.manager.cleanup_resources()
        self.sockets.cleanup()

    def restart(self) -> None:
        """A new process, as `Restart the kernel` makes one, with the extension loaded."""
        self.stop()
        self.start()
        self.ok("%load_ext wfnb")

    def kill(self) -> None:
        """End the process as `kill -9` does."""
        self.manager.signal_kernel(signal.SIGKILL)

    def interrupt(self) -> None:
        self.manager.interrupt_kernel()

    def send(
        self,
        code: str,
        cell_id: str | None = None,
        *,
        silent: bool = False,
        store_history: bool = True,
    ) -> str:
        """Ask for a cell's execution. A front end with cells says which one it is."""
        content = {
            "code": code,
            "silent": silent,
            "store_history": store_history,
            "user_expressions": {},
            "allow_stdin": not store_history,  # what leaves none is a front end's own
            "stop_on_error": True,
        }
        metadata = {} if cell_id is None else {"cellId": cell_id}
        request = self.client.session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(request)
        return str(request["header"]["msg_id"])

    def published(self, request: str) -> Iterator[dict[str, Any]]:
        """What the cell publishes, as it comes, until it has ended."""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != request:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "status" and content["execution_state"] == "idle":
                return
            if kind in ("stream", "display_data", "execute_result", "error", "update_display_data"):
                yield message

    def reply(self, request: str) -> dict[str, Any]:
        while True:
            message = self.client.get_shell_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == request:
                return dict(message["content"])

    def run(self, code: str, cell_id: str | None = None, **how: bool) -> Ran:
        request = self.send(code, cell_id, **how)
        return Ran(list(self.published(request)), self.reply(request))

    def ok(self, code: str, cell_id: str | None = None) -> Ran:
        """A cell that has to succeed."""
        ran = self.run(code, cell_id)
        assert ran.status == "ok", f"{code}\n{ran.stderr}{ran.traceback}"
        return ran

    def run_all(self, *cells: tuple[str | None, str]) -> list[Ran]:
        """Restart the kernel and run all cells: each an id, if the front end has one, and code."""
        self.restart()
        return [self.ok(code, cell_id) for cell_id, code in cells]

    def interrupted(self, code: str, says: str = "waiting", *, cell_id: str | None = None) -> Ran:
        """A cell that is interrupted once it says that: `waiting`, or another word."""
        request = self.send(code, cell_id)
        published = []
        for message in self.published(request):
            published.append(message)
            if says in message["content"].get("text", ""):
                self.interrupt()
        return Ran(published, self.reply(request))

    def status(self) -> dict[str, Any]:
        """The whole state, as `%wfnb status --json` tells it."""
        return dict(self.ok("%wfnb status --json").shown[0][MIME])

    def steps(self, *names: str) -> list[Any]:
        """The steps in order of creation: a field of each, or tuples of several fields."""
        told = [[step[name] for name in names] for step in self.status()["steps"]]
        return [row[0] if len(names) == 1 else tuple(row) for row in told]

    def complete(self, line: str) -> list[str]:
        """What Tab offers at the end of the line: the last word as it would be."""
        self.client.complete(line, len(line))
        answer = self._answer()
        before = line[: answer["cursor_start"]]
        return [f"{before}{match}".rpartition(" ")[2] for match in answer["matches"]]

    def inspect(self, line: str) -> str:
        """What Shift-Tab tells at the end of the line."""
        self.client.inspect(line, len(line))
        return _COLOUR.sub("", str(self._answer()["data"].get("text/plain", "")))

    def _answer(self) -> dict[str, Any]:
        return dict(self.client.get_shell_msg(timeout=PATIENCE)["content"])


@contextmanager
def started(folder: Path, home: Path | None = None, **environment: str) -> Iterator[Kernel]:
    """A kernel, for as long as it is needed."""
    folder.mkdir(parents=True, exist_ok=True)
    kernel = Kernel(folder, home or folder / "home", **environment)
    try:
        yield kernel
    finally:
        kernel.stop()


@contextmanager
def running(folder: Path, home: Path | None = None, **environment: str) -> Iterator[Kernel]:
    """A kernel with the extension loaded, for as long as it is needed."""
    with started(folder, home, **environment) as kernel:
        kernel.ok("%load_ext wfnb")
        yield kernel
