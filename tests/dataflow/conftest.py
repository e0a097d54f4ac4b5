"""A kernel for each test, in this process."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.dataflow.kernel import Kernel


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    """With the session `demo`, in a folder of its own."""
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    with np.printoptions():
        made = Kernel("demo")
        yield made
        made.stop()
