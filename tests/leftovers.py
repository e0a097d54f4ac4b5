"""-> what all tests of a process share, so that one that leaves it changed is named.

A test that passes alone and fails after another costs hours, and fails far from its cause. Left out
is what libraries change when they are imported: that happens once, and to all alike.
"""

from __future__ import annotations

import builtins
import copyreg
import decimal
import gc
import locale
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE)
_OWN_OF_PYTEST = b"PYTEST_CURRENT_TEST"
_OF_LIBRARIES = b"KMP_"  # variables that are set when a library is loaded
_ABSENT = "absent"
_CHECKOUT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def each_leaves_no_state() -> Iterator[None]:
    """A test that leaves the process changed fails, and not another after it."""
    with state_unchanged():
        yield


@pytest.fixture(autouse=True, scope="module")
def module_leaves_no_state() -> Iterator[None]:
    """So does what all tests of a module share."""
    with state_unchanged(modules=True):
        yield


@contextmanager
def state_unchanged(*, modules: bool = False) -> Iterator[None]:
    """To compare the modules, too, takes as long as all the rest."""
    before = _state(modules)
    yield
    changes = _changes(before, _state(modules))
    assert not changes, f"left in the process: {changes}"


def _state(modules: bool) -> dict[str, Any]:
    root = logging.root
    state: dict[str, Any] = {
        "folder": os.getcwd(),
        "environment": {**os.environb},
        "path": [*sys.path],
        "finders": [*sys.meta_path],
        "builtins": {**vars(builtins), "_": None},  # what a doctest showed last
        "reductions": {**copyreg.dispatch_table},
        "decimal": str(decimal.getcontext()).partition("flags")[0],
        "locale": locale.setlocale(locale.LC_ALL),
        "streams": (sys.stdin, sys.stdout, sys.stderr),
        "hooks": (sys.excepthook, sys.displayhook, sys.unraisablehook, sys.gettrace()),
        "limits": (sys.getrecursionlimit(), gc.isenabled(), gc.get_threshold()),
        "signals": [signal.getsignal(each) for each in _SIGNALS],
        "logging": ([*root.handlers], root.level, root.manager.disable),
    }
    if modules:
        state["modules"] = {**sys.modules}
    if shells := sys.modules.get("IPython.core.interactiveshell"):
        state["shell"] = shells.InteractiveShell._instance
    if numpy := sys.modules.get("numpy"):
        state["numpy"] = (numpy.geterr(), numpy.get_printoptions())
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        state["figures"] = pyplot.get_fignums()
    return state


def _changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    changed = {
        what: _differences(was, after[what]) if isinstance(was, dict) else (was, after[what])
        for what, was in before.items()
        if was != after[what]
    }
    if "modules" in changed:
        changed["modules"] = _of_tests(changed["modules"])
    if "environment" in changed:
        for name in [*changed["environment"]]:
            if name == _OWN_OF_PYTEST or name.startswith(_OF_LIBRARIES):
                del changed["environment"][name]
    if "reductions" in changed:
        found = changed["reductions"].items()
        changed["reductions"] = {kind: two for kind, two in found if two[0] is not _ABSENT}
    return {what: found for what, found in changed.items() if found}


def _differences(was: dict[Any, Any], now: dict[Any, Any]) -> dict[Any, tuple[Any, Any]]:
    return {
        name: (was.get(name, _ABSENT), now.get(name, _ABSENT))
        for name in was.keys() | now.keys()
        if was.get(name, _ABSENT) != now.get(name, _ABSENT)
    }


def _of_tests(modules: dict[str, tuple[Any, Any]]) -> dict[str, tuple[Any, Any]]:
    """Those that were there and are others now, and those whose file a test wrote: in the folder of
    temporary files, but not in this checkout, which may be there itself."""
    return {
        name: (was, now)
        for name, (was, now) in modules.items()
        if was is not _ABSENT or _is_of_test(Path(getattr(now, "__file__", None) or os.sep))
    }


def _is_of_test(file: Path) -> bool:
    return file.is_relative_to(tempfile.gettempdir()) and not file.is_relative_to(_CHECKOUT)
