"""code -> a real kernel -> what the cell showed and how it ended (`ran.py`)."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from tempfile import TemporaryDirectory
from typing import Any

from jupyter_client import BlockingKernelClient, KernelManager

from tests.jupyter.forked import FORKED
from tests.jupyter.ran import COLOUR, MIME, Ran

SEVEN = (
    "step_number",
    "total_steps",
    "next_step_needed",
    "last_step_description",
    "current_branch",
    "branches",
    "step_history_length",
)
PUBLISHED = ("stream", "display_data", "execute_result", "error", "update_display_data")
PATIENCE = 60  # seconds for a message that has to come
HASTY = """\
from wfnb.journal import SqliteJournal
SqliteJournal.__init__.__kwdefaults__["busy"] = 0.3
"""
"""So many seconds, rather than five, a journal that is opened after this waits for others."""


def _is_idle(message: dict[str, Any], request: str) -> bool:
    """Whether it says that the request is done."""
    state = message["content"].get("execution_state")
    return message["parent_header"].get("msg_id") == request and state == "idle"


class Kernel:
    """One kernel process in `folder`; its sessions are kept in `home`. It knows no user settings,
    and no notebook but what a test tells it. Where KERNEL_PYTHON names a Python, be it this one,
    the process is started anew; else it is forked from one that has loaded wfnb."""

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
        else:
            self.manager.kernel_spec.metadata = {"kernel_provisioner": {"provisioner_name": FORKED}}
        environment = {**self.environment, "WFNB_HOME": str(self.home)}
        self.manager.start_kernel(env=environment, cwd=str(self.folder))
        self.client: BlockingKernelClient = self.manager.client()
        self.client.start_channels()
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        """Until it answers and what it publishes arrives, for what is published before one listens
        is lost. The client's own way waits for silence."""
        while True:
            request = self.client.kernel_info()
            self.reply(request)
            with suppress(Empty):
                while not _is_idle(self.client.get_iopub_msg(timeout=1), request):
                    pass
                return

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
        stop_on_error: bool = True,
        more: Mapping[str, object] | None = None,
    ) -> str:
        """Ask for a cell's execution. A front end with cells says which one it is, and may say
        `more` of it."""
        content = {
            "code": code,
            "silent": silent,
            "store_history": store_history,
            "user_expressions": {},
            "allow_stdin": not store_history,  # what leaves none is a front end's own
            "stop_on_error": stop_on_error,
        }
        metadata = {**({} if cell_id is None else {"cellId": cell_id}), **(more or {})}
        request = self.client.session.msg("execute_request", content, metadata=metadata)
        self.client.shell_channel.send(request)
        return str(request["header"]["msg_id"])

    def published(self, request: str) -> Iterator[dict[str, Any]]:
        """What the cell publishes, as it comes, until it has ended."""
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != request:
                continue
            if _is_idle(message, request):
                return
            if message["msg_type"] in PUBLISHED:
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

    def history(self) -> dict[str, Any]:
        """The same, without which steps ran in this kernel: all who share a session see this."""
        found = self.status()
        for step in found["steps"]:
            del step["here"]
        return found

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
        return COLOUR.sub("", str(self._answer()["data"].get("text/plain", "")))

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
