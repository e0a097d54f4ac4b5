"""A kernel for each test: runs go on in it, and it is killed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    with running(tmp_path) as kernel:
        yield kernel
