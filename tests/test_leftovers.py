"""What a test leaves in the process is named."""

import builtins
import decimal
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.leftovers import state_unchanged

Change = Callable[[pytest.MonkeyPatch, Path], None]


def module_of_a_test(patch: pytest.MonkeyPatch, folder: Path) -> None:
    made = ModuleType("left_over")
    made.__file__ = str(folder / "left_over.py")
    patch.setitem(sys.modules, "left_over", made)


CHANGES: dict[str, Change] = {
    "folder": lambda patch, folder: patch.chdir(folder),
    "environment": lambda patch, folder: patch.setenv("LEFT_OVER", "1"),
    "modules": module_of_a_test,
    "path": lambda patch, folder: patch.setattr(sys, "path", [*sys.path, str(folder)]),
    "builtins": lambda patch, folder: patch.setattr(builtins, "left_over", 1, raising=False),
    "decimal": lambda patch, folder: patch.setattr(decimal.getcontext(), "capitals", 0),
    "hooks": lambda patch, folder: patch.setattr(sys, "excepthook", print),
    "logging": lambda patch, folder: patch.setattr(logging.root, "level", 1),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_a_test_leaves_in_the_process_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
):
    with pytest.raises(AssertionError, match=what), state_unchanged(modules=True):
        CHANGES[what](monkeypatch, tmp_path)


def test_what_is_put_back_is_not_left(monkeypatch: pytest.MonkeyPatch):
    with state_unchanged(modules=True), monkeypatch.context() as patch:
        patch.setenv("LEFT_OVER", "1")
