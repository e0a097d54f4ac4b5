"""a folder -> a kernel of this Python that runs there; a cell -> the seconds of its round trip."""

from __future__ import annotations

import os
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL
from time import perf_counter
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

PATIENCE = 300


class Kernel:
    """A client that waits for all that a cell sends."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client

    def took(self, code: str, silent: bool = False) -> float:
        """Seconds of a cell, which has to succeed."""
        begun = perf_counter()
        reply = self._client.execute_interactive(
            code,
            silent=silent,
            allow_stdin=False,
            output_hook=lambda message: None,
            timeout=PATIENCE,
        )
        took = perf_counter() - begun
        assert reply["content"]["status"] == "ok", reply["content"]
        return took

    def value(self, expression: str) -> Any:
        """A literal that the kernel computes, unseen by hooks."""
        reply = self._client.execute_interactive(
            "", silent=True, user_expressions={"asked": expression}, timeout=PATIENCE
        )
        found = reply["content"]["user_expressions"]["asked"]
        assert found["status"] == "ok", found
        return literal_eval(found["data"]["text/plain"])


@contextmanager
def kernel_in(folder: Path, environment: dict[str, str]) -> Iterator[Kernel]:
    """A new kernel process of this Python, without the user's settings."""
    own = {**os.environ, "IPYTHONDIR": str(folder / "ipython"), **environment}
    own.pop("JPY_SESSION_NAME", None)
    manager = KernelManager(kernel_name="python3")
    # of IPython's own, which waits for the disk in every cell
    history = "--HistoryManager.hist_file=:memory:"
    manager.start_kernel(env=own, cwd=str(folder), stderr=DEVNULL, extra_arguments=[history])
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
