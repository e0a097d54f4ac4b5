"""What keeps the values of cells, and goes back to them: each as its users ask for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

from .client import Kernel


class Engine(Protocol):
    version: str
    """An expression for it."""

    def __init__(self, folder: Path) -> None: ...

    def environment(self) -> dict[str, str]: ...

    def begin(self, kernel: Kernel) -> None: ...

    def cell(self, code: str, names: str) -> str:
        """The same cell, kept."""

    def place(self, kernel: Kernel) -> str:
        """Where one is after a cell."""

    def back(self, kernel: Kernel, place: str) -> float:
        """Seconds to go back there."""

    def size(self) -> int:
        """Bytes of what is kept."""


class Wfnb:
    version = "__import__('wfnb').__version__"

    def __init__(self, folder: Path) -> None:
        self._home = folder / "home"

    def environment(self) -> dict[str, str]:
        return {"WFNB_HOME": str(self._home)}

    def begin(self, kernel: Kernel) -> None:
        kernel.took("%load_ext wfnb")
        kernel.took("%wfnb start bench")

    def cell(self, code: str, names: str) -> str:
        return f"%%step Work --keep {names}\n{code}"

    def place(self, kernel: Kernel) -> str:
        return str(kernel.value("len(__import__('wfnb').open('bench').session.steps)"))

    def back(self, kernel: Kernel, place: str) -> float:
        return kernel.took(f"%wfnb restore {place}")

    def size(self) -> int:
        return sum(file.stat().st_size for file in (self._home / "values").iterdir())


class Kishu:
    """In its test mode, which leaves out what it says to a front end and waits for from one. It
    goes back as its own commands do: in a cell that its hooks do not see, variables only."""

    version = "__import__('kishu').__version__"

    def __init__(self, folder: Path) -> None:
        self._notebook = folder / "notebook.ipynb"
        empty = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        self._notebook.write_text(json.dumps(empty), "utf-8")
        (folder / ".kishu").mkdir()
        (folder / ".kishu" / "config.ini").write_text("[JUPYTERINT]\ntest_mode = True\n", "utf-8")

    def environment(self) -> dict[str, str]:
        return {
            "TEST_NOTEBOOK_PATH": str(self._notebook),
            "KISHU_PATH_ROOT": str(self._notebook.parent),
        }

    def begin(self, kernel: Kernel) -> None:
        kernel.took("from kishu import init_kishu\ninit_kishu()")

    def cell(self, code: str, names: str) -> str:
        return code

    def place(self, kernel: Kernel) -> str:
        return str(kernel.value("_kishu._kishu_branch.get_head().commit_id"))

    def back(self, kernel: Kernel, place: str) -> float:
        return kernel.took(f"_kishu.checkout({place!r}, skip_notebook=True)", silent=True)

    def size(self) -> int:
        return self._notebook.with_suffix(".kishudb").stat().st_size


class Bare:
    """What cannot be avoided: the values pickled to a new file, and read again."""

    version = "pickle.format_version"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = ""

    def environment(self) -> dict[str, str]:
        return {}

    def begin(self, kernel: Kernel) -> None:
        kernel.took("import pickle")

    def cell(self, code: str, names: str) -> str:
        self._names = names
        saved = f"with open(f'{self._folder}/{{N_}}.pickle', 'wb') as file:"
        count = "N_ = globals().get('N_', 0) + 1"
        return f"{code}\n{count}\n{saved}\n    pickle.dump(({names},), file, 5)"

    def place(self, kernel: Kernel) -> str:
        return str(kernel.value("N_"))

    def back(self, kernel: Kernel, place: str) -> float:
        opened = f"with open('{self._folder}/{place}.pickle', 'rb') as file:"
        return kernel.took(f"{opened}\n    {self._names}, = pickle.load(file)")

    def size(self) -> int:
        return sum(file.stat().st_size for file in self._folder.glob("*.pickle"))


ENGINES: dict[str, type[Engine]] = {"wfnb": Wfnb, "kishu": Kishu, "bare": Bare}
