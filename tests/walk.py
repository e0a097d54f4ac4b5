"""a flow of cells -> which functions of wfnb its last cell enters, in any thread, as JSON.

    python -m tests.walk FLOW          what the test compares
    python -m tests.walk FLOW --shown  the same to read, file by file

It runs in a process of its own, because what another test imported would change the way.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

from IPython.core.interactiveshell import InteractiveShell

import wfnb

PACKAGE = str(Path(wfnb.__file__).parent) + "/"
SHELL_STEP = (
    "%%run_workflow --no-save\nsteps: [{{id: say, tool: shell, args: {{command: echo {}}}}}]"
)
LISTS = ("%%step 1 Load --keep df\ndf = [1, 2]", "%%step 2 Load --keep df\ndf = [1, 2, 3]")
FLOWS: Mapping[str, tuple[str, ...]] = {
    "step": (
        "%%step 1 Load\ntotal = 1\ndata = [total, 2, 3]\nlen(data)",
        "%%step 2 Next --value n\nn = len(data)\nmean = sum(data) / n\nmean",
    ),
    "words": ("%%step 1 Think", "%%step 2 Think again"),
    "keep": LISTS,
    "restore": (*LISTS, "%wfnb restore 1", "%wfnb restore 2"),
    "run": (SHELL_STEP.format("one"), SHELL_STEP.format("two")),
}
"""The cells of each flow. The last one is the second of its kind: it imports nothing."""


class Walk:
    """The functions of wfnb that were entered while `recorded` lasted."""

    def __init__(self) -> None:
        self.is_on = False
        self.codes: set[CodeType] = set()

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        if self.is_on and event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            self.codes.add(frame.f_code)

    @contextmanager
    def recorded(self) -> Iterator[None]:
        self.is_on = True
        yield
        self.is_on = False

    def functions(self) -> list[str]:
        """`file:name` each. A comprehension or a lambda is part of the function around it."""
        named = (code for code in self.codes if not code.co_name.startswith("<"))
        return sorted(
            f"{code.co_filename.removeprefix(PACKAGE)}:{code.co_qualname}" for code in named
        )


def walk(cells: tuple[str, ...]) -> list[str]:
    found = Walk()
    threading.setprofile(found.profile)  # for the threads that the first cells start
    sys.setprofile(found.profile)
    shell = InteractiveShell.instance()
    *before, last = ("%load_ext wfnb", *cells)
    for cell in before:
        shell.run_cell(cell, store_history=True).raise_error()
    with found.recorded():
        shell.run_cell(last, store_history=True).raise_error()
    sys.setprofile(None)
    return found.functions()


def by_file(functions: list[str]) -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    for function in functions:
        file, _, name = function.partition(":")
        files.setdefault(file, []).append(name)
    return files


if __name__ == "__main__":
    with TemporaryDirectory() as folder, redirect_stdout(sys.stderr):
        os.chdir(folder)
        functions = walk(FLOWS[sys.argv[1]])
        os.chdir("/")
    if sys.argv[2:]:
        files = by_file(functions)
        for file, names in files.items():
            print(file, len(names), *names)
        print(len(files), "files,", len(functions), "functions")
    else:
        print(json.dumps(functions))
