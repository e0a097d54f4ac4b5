"""A library in a folder of its own."""

from itertools import count
from pathlib import Path

import pytest

from wfnb.workflows.library.workflow_library import WorkflowLibrary


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / ".wfnb" / "workflows"


@pytest.fixture
def library(folder: Path, tmp_path: Path) -> WorkflowLibrary:
    """A library without examples, whose clock tells t00, t01, t02, …"""
    ticks = count()
    examples = tmp_path / "none"
    return WorkflowLibrary(folder, examples=examples, busy=0.1, clock=lambda: f"t{next(ticks):02}")
