"""A kernel for the tests of kept values, which know nothing of each other's names."""

from collections.abc import Iterator

import pytest

from tests.jupyter.kernel import Kernel, running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel whose user has a data folder of his own."""
    folder = tmp_path_factory.mktemp("kernel")
    with running(folder, XDG_DATA_HOME=str(folder / "data")) as kernel:
        yield kernel


@pytest.fixture
def kernel(kernel: Kernel) -> Kernel:
    """Without names of the tests before."""
    kernel.ok(
        "for _name in [n for n in globals() if not n.startswith('_')]:\n"
        "    if _name not in ('In', 'Out', 'exit', 'quit', 'open', 'get_ipython'):\n"
        "        del globals()[_name]"
    )
    return kernel
