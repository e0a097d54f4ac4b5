"""rows of versions -> the built wheel tried with each: `make matrix`.

A row is a Python with a JupyterLab, an ipykernel and an IPython, in an environment of its own under
build/matrix/, which stays for the next time. What is run there is short: a kernel that records, a
server that reads, the parts that know how Python compiles, and where there is a browser a panel
that shows it. An interpreter that uv neither finds nor gets is said, and its row is not tried. What
fails has to pass alone: a kernel of ipykernel 7.0 to 7.3 may hang before it has loaded wfnb, which
mends that.

    make matrix ROWS='oldest newest'
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "matrix"


class Row(NamedTuple):
    python: str
    packages: tuple[str, ...]


ROWS = {
    "oldest": Row("3.11", ("jupyterlab==4.4.*", "ipykernel==6.31.*", "ipython==8.24.*")),
    "middle": Row("3.12", ("jupyterlab==4.5.*", "ipykernel==7.0.*", "ipython==8.*")),
    "newer": Row("3.13", ("jupyterlab==4.6.*", "ipykernel>=7.4,<8", "ipython==9.*")),
    "newest": Row("3.14", ("jupyterlab>=4.6,<5", "ipykernel>=7.4,<8", "ipython==9.*")),
    "shared": Row("3.13", ("jupyterlab==4.6.*", "ipykernel>=7.4,<8", "jupyter-collaboration==5.*")),
}
TOOLS = (
    *(
        "hypothesis>=6.115",
        "matplotlib>=3.9",
        "nbclient>=0.10",
        "notebook>=7.4",
        "pandas>=2.2",
        "playwright>=1.50",
    ),
    *("psutil>=6", "pytest>=8.3", "pytest-timeout>=2.3"),
)
TESTS = (
    *("tests/jupyter/test_kernel_magics.py", "tests/jupyter/panel/test_busy.py"),
    *("tests/dataflow/test_fingerprint_pairs.py", "tests/dataflow/test_plain_cells.py"),
    *("tests/server/test_server_finds.py", "tests/cli/test_cli_help.py"),
)
BROWSER = {"shared": "tests/browser/test_collaboration.py"}
"""Of a row; of all others the panel's."""
COPIED = ("tests", "docs", "notebooks", "pyproject.toml")
"""Tests, and what they look for beside themselves; `wfnb` is not among it: it comes from the wheel.
Links would do, but hatchling follows them, and leaves out of an sdist what it has seen before."""


def main() -> None:
    asked = sys.argv[1:] or [*ROWS]
    unknown = [name for name in asked if name not in ROWS]
    if unknown:
        sys.exit(f"There is no row {unknown[0]!r}. Rows: {', '.join(ROWS)}.")
    wheel = build_wheel()
    ended = {name: try_row(name, ROWS[name], wheel) for name in asked}
    for name, how in ended.items():
        row = ROWS[name]
        print(f"{name:8}Python {row.python}  {'  '.join(row.packages)}  {how}")
    sys.exit("failed" in ended.values())


def build_wheel() -> Path:
    made = PLACE / "wheel"
    shutil.rmtree(made, ignore_errors=True)
    uv("build", "-q", "--wheel", "-o", str(made), str(ROOT))
    return next(made.glob("*.whl"))


def try_row(name: str, row: Row, wheel: Path) -> str:
    folder = PLACE / name
    venv, python = folder / "venv", folder / "venv" / "bin" / "python"
    if not python.exists() and not uv("venv", "-q", "--python", row.python, str(venv), fails=True):
        return f"not tried: there is no Python {row.python} here"
    installing = ("pip", "install", "-q", "--python", str(python), "--reinstall-package", "wfnb")
    uv(*installing, str(wheel), *row.packages, *TOOLS)
    for each in COPIED:
        copy(ROOT / each, folder / each)
    shown = BROWSER.get(name, "tests/browser/test_panel.py")
    tests = (*TESTS, *((shown,) if shutil.which("chromium") else ()))
    own = {"PATH": f"{venv / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": ""}
    command = (str(python), "-m", "pytest", "-o", "addopts=", "-q")
    done = subprocess.run((*command, *tests), cwd=folder, env=os.environ | own)
    if done.returncode == 1:
        print("Once more, what failed:", flush=True)
        done = subprocess.run((*command, "--last-failed", *tests), cwd=folder, env=os.environ | own)
    return "failed" if done.returncode else "passed"


def copy(source: Path, to: Path) -> None:
    """A file or folder as it is now."""
    shutil.rmtree(to, ignore_errors=True)
    if source.is_dir():
        shutil.copytree(
            source, to, ignore=shutil.ignore_patterns("__pycache__", "screens", ".wfnb")
        )
    else:
        shutil.copy(source, to)


def uv(*words: str, fails: bool = False) -> bool:
    """Whether it did it; where it may not fail, it ends the program."""
    done = subprocess.run([sys.executable, "-m", "uv", *words])
    if done.returncode and not fails:
        sys.exit(f"`uv {' '.join(words)}` failed.")
    return not done.returncode


if __name__ == "__main__":
    main()
