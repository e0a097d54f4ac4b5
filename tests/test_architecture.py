"""The layers of the code are as pyproject.toml draws them: import contracts, run as a test."""

import sys

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports


def test_the_import_contracts_hold(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "path", [*sys.path])  # it adds the folder

    assert lint_imports(is_debug_mode=False) == EXIT_STATUS_SUCCESS
