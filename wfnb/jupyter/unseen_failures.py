"""the functions and objects that code called -> whether something may have failed in them unseen.

A cell raises what it calls raises. It does not where that runs tests, which only their result
tells, or in a thread or a process of its own. Nor is it a success of what the files say where the
code was loaded from them before they changed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from wfnb.inspection.look_recognition import TEST_LIBRARIES, TEST_RUNNERS
from wfnb.safe_attributes import own_attributes
from wfnb.type_names import is_a, module_of

from .ipython_compat import CELL_FILES
from .opened_files import is_foreign, is_loaded_as_written

_BESIDE = frozenset({"threading", "concurrent", "multiprocessing", "joblib"})
"""Libraries that run what they are given in threads or processes."""
_MAX_FUNCTIONS = 200
"""Functions that are followed from those that are called."""


def runs_beside(values: Iterable[Any]) -> bool:
    """Whether one of them is of a library that runs what it is given beside the cell."""
    return any(_top(value) in _BESIDE for value in values)


def runs_tests(values: Iterable[Any]) -> bool:
    """Whether a function of the user's own among them, or one that it names, runs tests."""
    waiting, met = [*values], set[int]()
    while waiting and len(met) < _MAX_FUNCTIONS:
        value = waiting.pop()
        function = value.__func__ if is_a(value, MethodType) else value
        if not is_a(function, FunctionType) or id(function) in met or _is_foreign(function):
            continue
        met.add(id(function))
        space, names = function.__globals__, {*_names(function.__code__)}
        held = {name: space.get(name) for name in names}
        tops = {*names, *filter(None, map(_top, held.values()))}
        if not TEST_LIBRARIES.isdisjoint(tops) and any(n.lower() in TEST_RUNNERS for n in names):
            return True
        waiting += held.values()
    return False


def has_old_modules(folder: Path) -> bool:
    """Whether a module that is loaded is not as its file in the folder is now."""
    home = os.path.realpath(folder) + os.sep
    files = (own_attributes(module).get("__file__") for module in [*sys.modules.values()])
    found = (os.path.realpath(file) for file in files if type(file) is str)
    return any(
        file.startswith(home) and not (is_foreign(file) or is_loaded_as_written(file))
        for file in found
    )


def _is_foreign(function: FunctionType) -> bool:
    file = function.__code__.co_filename
    return os.path.isabs(file) and CELL_FILES not in file and is_foreign(file)


def _names(code: CodeType) -> Iterable[str]:
    yield from code.co_names
    for part in code.co_consts:
        if is_a(part, CodeType):
            yield from _names(part)


def _top(value: Any) -> str:
    """The library that a module, a function or a class is of, or an object's class."""
    if is_a(value, ModuleType):
        name = own_attributes(value).get("__name__")
    elif is_a(value, FunctionType):
        name = value.__module__
    else:
        name = module_of(value if is_a(value, type) else type(value))
    return name.partition(".")[0] if type(name) is str else ""
