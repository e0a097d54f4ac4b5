"""a version of ipykernel -> a virtual environment that has it, to run the tests of the panel with.

`python -m tests.jupyter.panel.kernels` makes those that are missing, inside of the environment that
the tests run in. Without them the tests use the ipykernel that is installed. Others are named in
KERNEL_PYTHONS, as PATH names folders.
"""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel, running

VERSIONS = ("6.31.0", "7.3.0", "7.4.0")
"""Comms are handled differently in each of them."""
FOLDER = Path(sys.prefix) / "kernels"


def pythons() -> dict[str, str]:
    """The Pythons to start kernels with, by what they are called: this one first."""
    found = {"installed": sys.executable}
    for python in sorted(FOLDER.glob("*/bin/python")):
        found[python.parent.parent.name] = str(python)
    for path in filter(None, os.environ.get("KERNEL_PYTHONS", "").split(os.pathsep)):
        found[Path(path).parent.parent.name] = path
    return found


PYTHONS = pythons()


@pytest.fixture(scope="module", params=list(PYTHONS))
def of_every_python(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Kernel]:
    """A kernel of every Python there is, for a module that calls it `shared`."""
    python = PYTHONS[request.param]
    environment = {} if python == sys.executable else {"KERNEL_PYTHON": python}
    with running(tmp_path_factory.mktemp("kernel"), **environment) as kernel:
        yield kernel


def make(version: str, folder: Path = FOLDER) -> Path:
    """An environment with that ipykernel; all else is what these tests run with."""
    place = folder / f"ipykernel-{version}"
    python = place / "bin" / "python"
    if not (place / ".made").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
        asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
        answer = subprocess.run([str(python), "-c", asked], check=True, capture_output=True)
        own = Path(answer.stdout.decode().strip())
        (own / "zz_tests.pth").write_text(
            f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
        )
        install = ["install", "--quiet", "--disable-pip-version-check", "--ignore-installed"]
        what = ["--no-deps", f"ipykernel=={version}"]
        subprocess.run([str(python), "-m", "pip", *install, *what], check=True)
        (place / ".made").touch()
    return python


if __name__ == "__main__":
    for wanted in VERSIONS:
        print(make(wanted))
