"""a notebook and its parameters -> an executed copy, and where it failed."""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any

from pydantic import Field

from wfnb.files import real_path
from wfnb.stoppable_calls.threads import THREADS, in_thread
from wfnb.workflows.definition.for_each import base_action
from wfnb.workflows.definition.schema_fit import SystemText

from . import process_cleanup
from .call_context import Context
from .notebook_copy import check_names, clear_outputs, inject, last_value, read, write
from .result_fields import ToolFailed
from .tool import tool_of

MERCY = 0.12
"""Seconds from SIGTERM to SIGKILL for the kernel of a call that is cancelled."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_calls = count(1)
_TARGETS: set[Path] = set()
"""The copies that calls are to write now."""


async def notebook(
    context: Context,
    path: Annotated[SystemText, "The notebook, from this one's folder on"],
    parameters: Annotated[
        dict[str, Any], "Values for names of its cell tagged `parameters` (Python notebooks)"
    ] = {},  # noqa: B006
    output: Annotated[
        SystemText | None,
        "Where the executed copy is kept; none: beside it, NAME.run.ipynb, of an item "
        "NAME.run-PLACE.ipynb, with a number where that is another call's of the run",
    ] = None,
    kernel: Annotated[str | None, "The kernel to run it with; none: as the notebook says"] = None,
    timeout: Annotated[
        float | None, Field(gt=0, le=7200), "Seconds until it is stopped, the copy kept"
    ] = None,
) -> dict[str, Any]:
    """Run a notebook from its first cell to its last, in a kernel of its own.

    `parameters` are set in a cell (tagged `injected-parameters`) after the one tagged `parameters`,
    or before the first. The first cell that fails ends the run: `failed_cell` is its number among
    all cells, with `error`, `error_type` and `traceback`. The executed copy is kept in any case:
    `output` is its path. `cells` counts the cells that ran; `result` is the text of the last one's
    value. What cells print is as their kernel decoded it: bytes that are no UTF-8 are not counted.
    """
    source = context.path(path)
    target = context.path(output) if output else _own_copy(context, source)
    check_names(parameters)
    # Resolved, as a link to the notebook is the notebook.
    if real_path(target) == real_path(source):
        raise ToolFailed("The executed copy would replace the notebook. Name another `output`.")
    whole = real_path(target)
    if whole in _TARGETS:  # what it gave would be in none, or in both
        raise ToolFailed(f"Another call is to write {target.name}. Name another `output`.")
    _TARGETS.add(whole)
    try:
        return await _run(context, source, target, parameters, kernel, timeout)
    finally:
        _TARGETS.discard(whole)


def _own_copy(context: Context, source: Path) -> Path:
    """Where the copy of this call is kept if nobody says it: in no file that another call named."""
    item = context.action.removeprefix(base_action(context.action)).strip("[]")
    stem = f"{source.stem}.run{item and f'-{item}'}"
    names = (f"{stem}.ipynb" if n == 1 else f"{stem}-{n}.ipynb" for n in count(1))
    copies = (source.with_name(name) for name in names)
    return next(
        copy
        for copy in copies
        if str(copy) not in context.outputs and real_path(copy) not in _TARGETS
    )


async def _run(
    context: Context,
    source: Path,
    target: Path,
    parameters: Mapping[str, Any],
    kernel: str | None,
    timeout: float | None,
) -> dict[str, Any]:
    document, error = await in_thread(partial(read, source))
    if error is not None:
        raise error
    run = _Run(document, context)
    context.so_far = lambda: {"output": str(target), "cells": run.cells}
    fields: dict[str, Any]
    try:
        async with asyncio.timeout(timeout) as limit:
            fields = await run.execute(source, parameters, kernel)
    except TimeoutError:
        if not limit.expired():
            raise
        place = f"in cell {run.cell}" if run.cell else "before its first cell"
        said = f"The notebook was stopped after {timeout:g} s, {place}."
        fields = {"success": False, "error": said, "timeout_occurred": True}
    finally:
        # In `finally` and shielded: the copy of a run that was stopped is what somebody wants to
        # see.
        writing = THREADS.submit(write, target, run.notebook, context.hide)
        await asyncio.shield(asyncio.wrap_future(writing))
    return fields | dict(context.so_far())


class _Run:
    """A notebook on its way."""

    def __init__(self, notebook: Any, context: Context) -> None:
        clear_outputs(notebook)
        self.notebook = notebook
        self.cell = 0
        """The number of the cell that runs, from 1."""
        self.cells = 0
        """How many have run."""
        self._context = context
        self._mark = f"{context.mark}.notebook-{next(_calls)}"
        self._failure: dict[str, Any] | None = None

    async def execute(
        self, source: Path, parameters: Mapping[str, Any], kernel: str | None
    ) -> dict[str, Any]:
        """Run it to its end. Whatever happens, its kernel and all that this started is ended."""
        from jupyter_client.kernelspec import NoSuchKernel  # noqa: PLC0415  heavy, and loaded
        from jupyter_client.manager import AsyncKernelManager  # noqa: PLC0415  by `read`
        from nbclient.exceptions import CellExecutionError, DeadKernelError  # noqa: PLC0415

        name = kernel or self.notebook.metadata.get("kernelspec", {}).get("name", "python3")
        manager = AsyncKernelManager(kernel_name=name)
        try:
            language = manager.kernel_spec.language  # type: ignore[union-attr]
        except NoSuchKernel:
            raise ToolFailed(f"There is no kernel {name!r} here. Name one as `kernel`.") from None
        if parameters:
            inject(self.notebook, parameters, language)
        with TemporaryFile() as stderr:
            try:
                await manager.start_kernel(
                    cwd=str(source.parent),
                    env=process_cleanup.environment(self._mark, self._context.withheld_variables()),
                    # Kernels that run at once would wait for each other's lock on the file of the
                    # history.
                    extra_arguments=["--HistoryManager.hist_file=:memory:"] * manager.ipykernel,
                    # What cells print comes as messages; a kernel's own words would stand in the
                    # user's terminal.
                    stdout=subprocess.DEVNULL,
                    stderr=stderr,
                )
                await self._execute(manager)
            except CellExecutionError:
                assert self._failure is not None
                return self._failure
            except (DeadKernelError, RuntimeError) as error:
                stderr.seek(0)
                said = self._context.hide(stderr.read().decode("utf-8", "replace"))
                return self._kernel_death_fields(error, said[-2000:])
            finally:
                await self._end()
                with suppress(Exception):
                    await manager.shutdown_kernel(now=True)  # removes what it left on disk
        return {"success": True, "result": last_value(self.notebook)}

    async def _execute(self, manager: Any) -> None:
        """nbclient takes being cancelled for the death of its kernel: it has a task of its own,
        which is not told before the kernel has ended."""
        from nbclient import NotebookClient  # noqa: PLC0415  heavy, and loaded by `read`

        client = NotebookClient(
            self.notebook,
            km=manager,
            timeout=None,
            on_cell_execute=self._on_cell_begin,
            on_cell_executed=self._on_cell_end,
            on_cell_error=self._on_cell_error,
        )
        self._listen(client)
        work = asyncio.create_task(client.async_execute())
        try:
            await asyncio.wait([work])
            await work
            await manager.shutdown_kernel()
        finally:
            if not work.done():
                await self._end()
                work.add_done_callback(_ignore_result)
                work.cancel()
                await asyncio.wait([work], timeout=1)
            if client.kc is not None:
                client.kc.stop_channels()

    async def _end(self) -> None:
        ending = THREADS.submit(process_cleanup.end_marked, self._mark, MERCY)
        await asyncio.shield(asyncio.wrap_future(ending))

    def _kernel_death_fields(self, error: Exception, stderr: str) -> dict[str, Any]:
        where = f" in cell {self.cell}" if self.cell else " before the first cell"
        error_type = type(error).__name__
        fields = {"error": f"The kernel died{where}.", "error_type": error_type, "stderr": stderr}
        return {"success": False, "failed_cell": self.cell or None, **fields}

    def _listen(self, client: Any) -> None:
        """Say what the cells print."""
        take = client.process_message

        def process_message(message: Mapping[str, Any], *rest: Any) -> Any:
            if message["msg_type"] == "stream":
                self._context.say(message["content"]["text"])
            return take(message, *rest)

        # nbclient has no hook for output as it comes.
        client.process_message = process_message

    def _on_cell_begin(self, cell: Any, cell_index: int) -> None:
        self.cell = cell_index + 1
        self._context.say(f"cell {self.cell}/{len(self.notebook.cells)}\n")

    def _on_cell_end(self, cell: Any, cell_index: int, execute_reply: Any) -> None:
        self.cells += 1

    def _on_cell_error(self, cell: Any, cell_index: int, execute_reply: Mapping[str, Any]) -> None:
        content = execute_reply["content"]
        kind, said = content.get("ename", "Error"), content.get("evalue", "")
        trace = "\n".join(content.get("traceback", ()))
        self._failure = {
            "success": False,
            "error": f"cell {cell_index + 1}: {kind}: {said}",
            "error_type": kind,
            "failed_cell": cell_index + 1,
            "traceback": _COLOURS.sub("", trace),
        }


def _ignore_result(work: asyncio.Task[Any]) -> None:
    """Whatever a task that was given up came to is no news."""
    if not work.cancelled():
        work.exception()


NOTEBOOK = tool_of(
    notebook,
    timeout=None,
    grace=None,
    results={
        "output": "string",
        "cells": "integer",
        "result": "string",
        "failed_cell": "integer",
        "traceback": "string",
        "stderr": "string",
        "timeout_occurred": "boolean",
    },
)
