"""programs of npm that speak to servers -> run here.

`make test` puts them into `node_modules` beside this file.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
_WHERE = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
"""First the node that is made for the tests where that of the machine is too old."""


def run(
    folder: Path, program: str, *words: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What the program printed. Its settings are those of nobody: its home is the folder."""
    node = shutil.which("node", path=_WHERE)
    script = HERE / "node_modules" / ".bin" / program
    if node is None or not script.exists():
        pytest.fail(f"There is no {program}. `make .venv/.clients` installs it.")
    return subprocess.run(
        [node, str(script), *words],
        cwd=folder,
        env={"PATH": _WHERE, "HOME": str(folder), "NO_COLOR": "1", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
