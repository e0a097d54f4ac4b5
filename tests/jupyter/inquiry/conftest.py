"""An investigation in a kernel, whose folder is a small repository."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel

PARSE = 'def parse(text):\n    return read(text)\n\n\ndef read(text):\n    """All of it."""\n'


@pytest.fixture
def debugging(kernel: Kernel, tmp_path: Path) -> Iterator[Kernel]:
    """An investigation whose first step is done, in a folder with a small repository."""
    (tmp_path / "parse.py").write_text(PARSE)
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    kernel.ok(f"%cd -q {tmp_path}")
    kernel.ok(f"import os; os.environ['JPY_SESSION_NAME'] = {str(tmp_path / 'n.ipynb')!r}")
    kernel.ok("%wfnb start crash --kind debug")
    kernel.ok("%step Empty input crashes the parser --relevant parse.py")
    yield kernel
    kernel.ok("del os.environ['JPY_SESSION_NAME']")
