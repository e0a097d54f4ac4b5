"""`wfnb exec`: a notebook, what its session has of it -> its cells run that have to; an exit code.

Which cells have to run says the kernel (`wfnb/jupyter/resume.py`): it is asked before each one.
What a skipped cell showed comes from executed notebooks: the last one, of which `.wfnb/executed/`
has a copy, the one that is written again, or the notebook itself. Each cell in them has a mark that
stands for its code, what that read, and what it left (`_mark` there): nothing is shown that came of
something else. Where no mark fits, the cell runs.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import partial
from hashlib import blake2b
from pathlib import Path
from queue import Empty
from time import monotonic
from typing import Any

from jupyter_client.asynchronous.client import AsyncKernelClient
from jupyter_client.kernelspec import NoSuchKernel
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError

from wfnb.core.assigned_names import find_assigned
from wfnb.data_files import plain_yaml
from wfnb.errors import BadOption, listing
from wfnb.home_path import home_path, refuse_link
from wfnb.identity.notebook_document import last_heading
from wfnb.render.text import escape
from wfnb.workflows.tools.notebook_copy import (
    check_names,
    clear_outputs,
    inject,
    is_run,
    read,
    write,
)
from wfnb.workflows.tools.result_fields import ToolFailed

from .exit_codes import DONE, FAILED
from .output import complain
from .signals import keep_code

Key = tuple[str | None, str]
_INJECTED = "injected-parameters"
_PAUSE = 2.0
"""Seconds between two writings of the executed notebook while it runs."""
_ASK = "__import__('wfnb.jupyter.resume', fromlist=['ask']).ask({!r})"


def execute(
    home: str | None,
    file: str,
    output: str | None,
    parameters: Sequence[tuple[str, str]],
    kernel: str | None,
    whole: bool,
    record: bool,
) -> int:
    source = Path(file).absolute()
    target = Path(output).absolute() if output else source.with_name(f"{source.stem}.run.ipynb")
    # The same file may have two names: a link, or capitals where the system tells none apart.
    if target == source or (target.exists() and target.samefile(source)):
        way = "Name another file: -o OUT.ipynb."
        raise BadOption("wfnb exec", "the executed notebook would replace the notebook", way)
    try:
        notebook = read(source)
        given = {name: _value(text) for name, text in parameters}
        check_names(given)
        if given:
            _warn_of_unknown(given, _defaults(notebook))
            inject(notebook, given, _language(notebook))
            _name_injected(notebook)
    except ToolFailed as refusal:
        raise BadOption("wfnb exec", str(refusal).rstrip("."), "See: wfnb exec --help.") from None
    folder = home_path(home, source.parent) / "executed"
    kept = folder / f"{source.stem}-{_digest(source)}.ipynb"
    refuse_link(folder)
    # Before they are cleared: a cell that is not run shows what it showed last.
    known = _known_outputs([notebook, *map(_earlier, (kept, target))])
    clear_outputs(notebook)
    run = _Execution(notebook, known, [target, *([kept] if record else [])], whole)
    return asyncio.run(run.execute(home, source, kernel, record))


def _digest(source: Path) -> str:
    return blake2b(str(source).encode(), digest_size=4).hexdigest()


class _KernelClient(AsyncKernelClient):
    """Ready once replies and outputs of the kernel are heard. Its base class waits 0.2 s more until
    no other output comes; here each is told by the request that it belongs to."""

    async def wait_for_ready(self, timeout: float | None = None) -> None:
        while True:
            self.kernel_info()
            with suppress(Empty):
                reply = await self.get_shell_msg(timeout=1)
                await self.get_iopub_msg(timeout=0.2)
                return self._handle_kernel_info_reply(reply)
            if not await self.is_alive():
                raise RuntimeError("it ended before it had begun")


class _Execution:
    """A notebook on its way. `known` are cells with what they showed, by their id and code, then by
    the mark of it."""

    def __init__(
        self,
        notebook: Any,
        known: Mapping[Key, Mapping[str, Any]],
        targets: Sequence[Path],
        whole: bool,
    ) -> None:
        self.notebook, self.known, self.targets = notebook, known, targets
        self._asks = not whole
        self._cells = [each for each in enumerate(notebook.cells) if is_run(each[1])]
        self._skipped: list[int] = []
        self._ran = 0
        self._written = monotonic()
        self._stopped: int | None = None
        self._client: Any = None

    async def execute(
        self, home: str | None, source: Path, kernel: str | None, record: bool
    ) -> int:
        options: dict[str, Any] = {"kernel_name": kernel} if kernel else {}
        options["resources"] = {"metadata": {"path": str(source.parent)}}
        # Kernels that run at once would wait for each other's lock on the file of the history.
        options["extra_arguments"] = ["--HistoryManager.hist_file=:memory:"]
        self._client = client = NotebookClient(self.notebook, timeout=None, **options)
        environment = {**os.environ, "JPY_SESSION_NAME": str(source)}
        if home:
            environment["WFNB_HOME"] = str(home_path(home))
        code = FAILED

        def exit_code() -> int:
            return code if code == DONE or self._stopped is None else 128 + self._stopped

        try:
            # What cells print comes as messages; a kernel's own words would stand between them.
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            client.create_kernel_manager().client_factory = _KernelClient
            async with client.async_setup_kernel(env=environment, **quiet):
                self._heed_signals()
                if self._asks and await self._ask({"begin": record}) is None:
                    self._asks = False
                    complain("wfnb: the kernel has no wfnb, so that all cells are run.")
                code = await self._all()
                self._write()  # a kernel that does not end may be left after a signal
                keep_code(exit_code)
                await self._end()
        except NoSuchKernel as error:
            raise BadOption(
                "wfnb exec", f"there is no kernel {error.name!r}", "--kernel NAME"
            ) from None
        except (DeadKernelError, RuntimeError) as error:
            complain(escape.line(f"wfnb: the kernel died: {error}"))
        except json.JSONDecodeError:  # as where code sets `json.dumps`, by which it answers
            complain("wfnb: what the kernel answers is no JSON: code in it has changed that.")
        finally:
            keep_code(exit_code)
            self._write()
        skipped = len(self._skipped)
        said = f"{self._ran} cell{'s' * (self._ran != 1)} run, {skipped} skipped"
        complain(escape.line(f"wfnb: {said} · {self.targets[0].name}"))
        return exit_code()

    async def _all(self) -> int:
        since = 0
        for number, (_, cell) in enumerate(self._cells):
            about = {**_about(cell), "shown": [*self.known.get(_key(cell), ())]}
            asked = await self._ask({"ask": about}) if self._asks else None
            told = asked or {"run": True, "why": ""}
            if not told["run"]:
                self._skip(number, told["why"], told["mark"])
                continue
            # The cell needs what the skipped ones would have made: they run first, in their order.
            if told.get("back"):
                for earlier in [each for each in self._skipped if each >= since]:
                    self._skipped.remove(earlier)
                    if not await self._run(earlier, f"after all: {told['why']}"):
                        return FAILED
            if not await self._run(number, told["why"]):
                return FAILED
            since = number + 1
        return DONE

    async def _end(self) -> None:
        """The kernel is asked to end, and has a second; else `nbclient` sees to it. That looks only
        ten times a second whether it has."""
        manager = self._client.km
        await manager.request_shutdown()
        for _ in range(100):
            if not await manager.is_alive():
                break
            await asyncio.sleep(0.01)

    def _skip(self, number: int, why: str, mark: str) -> None:
        cell = self._cells[number][1]
        known = self.known[_key(cell)][mark]
        cell.outputs, cell.execution_count = known.outputs, known.execution_count
        cell.metadata["wfnb"] = {"shown": mark}
        self._skipped.append(number)
        self._say(number, f"skipped · {why}")

    async def _run(self, number: int, why: str) -> bool:
        """Whether the cell ended well, or may fail."""
        index, cell = self._cells[number]
        client, since = self._client, monotonic()
        client.kc.execute = partial(_send, client.kc, _metadata(cell))
        self._ran += 1
        try:
            await client.async_execute_cell(cell, index)
        except CellExecutionError as error:
            self._say(number, f"failed · {error.ename}: {error.evalue}")
            return False
        except DeadKernelError:
            self._say(number, "the kernel died in it")
            raise
        except json.JSONDecodeError:
            self._say(number, "its answer cannot be read")
            raise
        marked = await self._ask({"mark": _about(cell)}) if self._asks else None
        cell.metadata.pop("wfnb", None)
        if marked and marked["mark"]:
            cell.metadata["wfnb"] = {"shown": marked["mark"]}
        self._say(number, f"ran in {monotonic() - since:.1f} s" + (f" · {why}" if why else ""))
        # A large notebook is not written after each of a thousand short cells.
        if monotonic() - self._written > _PAUSE:
            self._write()
        return True

    async def _ask(self, said: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the kernel says of it; None where it has no wfnb."""
        kc = self._client.kc
        expressions = {"wfnb": _ASK.format(json.dumps(said))}
        sent = type(kc).execute(kc, "", silent=True, user_expressions=expressions)
        reply = await self._client.async_wait_for_reply(sent)
        found = reply["content"].get("user_expressions", {}).get("wfnb", {}) if reply else {}
        data: dict[str, Any] | None = found.get("data", {}).get("application/json")
        return data

    def _heed_signals(self) -> None:
        """An interrupt goes to the cell that runs, which fails by it; a second ends the kernel."""
        loop = asyncio.get_running_loop()

        def stop(number: int) -> None:
            again, self._stopped = self._stopped is not None, number
            manager = self._client.km
            waiting = manager.shutdown_kernel(now=True) if again else manager.interrupt_kernel()
            self._stopping = asyncio.ensure_future(waiting)

        for number in (signal.SIGINT, signal.SIGTERM):
            # Not by the loop: where that lets go of a signal, the next one ends the process.
            with suppress(NotImplementedError):  # Windows
                loop.remove_signal_handler(number)
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda number, frame: loop.call_soon_threadsafe(stop, number))

    def _say(self, number: int, what: str) -> None:
        index, cell = self._cells[number]
        above = self.notebook.cells[index - 1] if index else cell
        heading = last_heading(above.source) if above.cell_type == "markdown" else ""
        lines = (line.strip() for line in cell.source.splitlines())
        title = (heading or next(line for line in lines if line).lstrip("# "))[:50]
        complain(escape.line(f"[{number + 1}/{len(self._cells)}] {title} · {what}"))

    def _write(self) -> None:
        self._written = monotonic()
        for target in self.targets:
            write(target, self.notebook, str)
        for kept in self.targets[1:]:  # what cells showed is no matter of a repository
            # Made and never written over: a folder from a stranger may have a link of that name.
            with (
                suppress(OSError),
                (kept.parent / ".gitignore").open("x", encoding="utf-8") as file,
            ):
                file.write("*\n")


def _send(kc: Any, metadata: dict[str, Any], code: str, **how: Any) -> str:
    """As the client does it, and with the metadata of the cell, as JupyterLab sends them."""
    content = {
        "code": code,
        "silent": False,
        "store_history": how["store_history"],
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": how["stop_on_error"],
    }
    message = kc.session.msg("execute_request", content, metadata=metadata)
    kc.shell_channel.send(message)
    return str(message["header"]["msg_id"])


def _metadata(cell: Any) -> dict[str, Any]:
    id = {"cellId": cell.id} if "id" in cell else {}
    return {**id, "tags": list(cell.metadata.get("tags", ()))}


def _about(cell: Any) -> dict[str, Any]:
    return {"id": cell.get("id"), "source": cell.source}


def _key(cell: Any) -> Key:
    return cell.get("id"), cell.source


def _known_outputs(notebooks: Iterable[Any]) -> dict[Key, dict[str, Any]]:
    found: dict[Key, dict[str, Any]] = {}
    for cell in (cell for notebook in notebooks if notebook for cell in notebook.cells):
        mark = cell.metadata.get("wfnb", {}).get("shown")
        if cell.cell_type == "code" and isinstance(mark, str):
            # A copy: the cell's own outputs go when it runs.
            found.setdefault(_key(cell), {})[mark] = deepcopy(cell)
    return found


def _earlier(target: Path) -> Any:
    with suppress(ToolFailed):
        return read(target)
    return None


def _language(notebook: Any) -> str:
    spec = notebook.metadata.get("kernelspec", {})
    return str(
        spec.get("language") or notebook.metadata.get("language_info", {}).get("name", "python")
    )


def _name_injected(notebook: Any) -> None:
    """The cell of parameters is the same cell in each run."""
    if notebook.nbformat_minor >= 5:
        for cell in notebook.cells:
            if _INJECTED in cell.metadata.get("tags", ()):
                cell["id"] = _INJECTED


def _warn_of_unknown(given: Iterable[str], known: set[str] | None) -> None:
    """A name that no default has is set, and most likely read by nothing."""
    for name in given if known else ():
        if name not in (known or ()):
            there = listing(sorted(known or ()), "")
            said = f"wfnb exec: the cell tagged `parameters` has no {name!r}. It has: {there}."
            complain(escape.line(said))


def _value(text: str) -> Any:
    try:
        return plain_yaml.load(text)
    except ValueError:
        return text


def _defaults(notebook: Any) -> set[str] | None:
    """The names that the cell tagged `parameters` sets; None: there is none."""
    for cell in notebook.cells:
        if "parameters" in cell.metadata.get("tags", ()):
            return {*find_assigned(cell.source)}
    return None
