"""A kernel for a module, and in it a session for each test."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.jupyter.kernel import HASTY, Kernel, running

_NUMBERS = count()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel that the tests of a module share: its start takes longer than most of them."""
    with running(tmp_path_factory.mktemp("kernel")) as kernel:
        yield kernel


@pytest.fixture
def hasty(shared: Kernel) -> None:
    """What the kernel opens from now on waits less for other processes."""
    shared.ok(HASTY)


@pytest.fixture
def kernel(shared: Kernel, tmp_path: Path) -> Kernel:
    """The shared kernel, with a home of its own and an empty session `demo` in it."""
    shared.home = tmp_path / "home"
    shared.ok(f"import os; os.environ['WFNB_HOME'] = {str(shared.home)!r}")
    shared.ok("%wfnb start demo")
    return shared


@pytest.fixture
def exploring(kernel: Kernel) -> Kernel:
    """After step 2 of a tree of thoughts, which names the approaches a and b."""
    kernel.ok("%wfnb strategy tree_of_thoughts")
    kernel.ok("%step The problem")
    kernel.ok("%step Ways --set approaches=[a,b]")
    return kernel


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Kernel, Kernel]]:
    """Two kernels that the tests of a module share."""
    folder = tmp_path_factory.mktemp("kernels")
    with running(folder / "one") as one, running(folder / "two") as two:
        yield one, two


@pytest.fixture
def pair(both: tuple[Kernel, Kernel], tmp_path: Path) -> tuple[Kernel, Kernel]:
    """Two kernels with the same empty session open."""
    one, two = both
    for kernel in both:
        kernel.ok(f"import os; os.environ['WFNB_HOME'] = {str(tmp_path)!r}")
    one.ok("%wfnb start demo")
    two.ok("%wfnb resume demo")
    return both
