"""the repository -> dist/: an sdist and a wheel fit for a release, or what is wrong with them.

    make dist
    make dist TAG=v0.2.0     and the tag is that of this version

The wheel is installed where there is no node, and used: JupyterLab has to list it, the command and
the magics have to answer. The sdist has to give the same files, also without node.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
NEEDED = (
    "wfnb/py.typed",
    "wfnb/jupyter/panel/static/renderer.js",
    "wfnb/workflows/definition/workflow.schema.json",
    "wfnb/mcp/SKILL.md",
    "wfnb/locale/zh_CN/LC_MESSAGES/wfnb.json",
    "data/share/jupyter/labextensions/wfnb/package.json",
    "data/share/jupyter/labextensions/wfnb/install.json",
    "data/etc/jupyter/jupyter_server_config.d/wfnb.json",
)
"""What no test of the sources would miss."""
NEVER = ("/node_modules/", "/__pycache__/", "/.wfnb/", ".ipynb_checkpoints/")
CHINESE = """
from jupyterlab_server.translation_utils import get_installed_packages_locale
print(get_installed_packages_locale("zh_CN")[0]["wfnb"]["Steps"])
"""
STEP = "%load_ext wfnb\n%wfnb start tried\n"


class Unfit(Exception):
    """What is wrong with the files."""


def main() -> None:
    tag = sys.argv[1] if len(sys.argv) > 1 else ""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT))
    (sdist,), (wheel,) = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    version = wheel.name.split("-")[1]
    if tag and tag != f"v{version}":
        raise Unfit(f"The tag is {tag}, and this is version {version}.")
    run(sys.executable, "-m", "twine", "check", "--strict", str(sdist), str(wheel))
    check_names(wheel, sdist)
    with TemporaryDirectory() as folder:
        check_installed(Path(folder) / "venv", wheel, version)
        check_sdist(Path(folder), sdist, wheel)
    for file in (sdist, wheel):
        print(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1e6:.1f} MB")


def check_names(wheel: Path, sdist: Path) -> None:
    there = contents(wheel)
    missing = [name for name in NEEDED if not any(each.endswith(name) for each in there)]
    if missing:
        raise Unfit(f"The wheel has no {', '.join(missing)}.")
    with tarfile.open(sdist) as archive:
        names = [*there, *archive.getnames()]
    alien = [name for name in names if any(part in f"/{name}" for part in NEVER)]
    if alien:
        raise Unfit(f"{alien[0]} is in it, which was made here and belongs to nobody else.")


def check_installed(venv: Path, wheel: Path, version: str) -> None:
    run(sys.executable, "-m", "venv", str(venv))
    with alone(venv) as env:
        python = str(venv / "bin" / "python")
        run(python, "-m", "pip", "install", "-q", str(wheel), "jupyterlab", env=env)
        run(python, "-m", "pip", "check", env=env)
        listed = run(python, "-m", "jupyter", "labextension", "list", env=env)
        expect(f"wfnb v{version} enabled OK", " ".join(listed.split()))
        expect(
            "wfnb.server enabled",
            run(python, "-m", "jupyter", "server", "extension", "list", env=env),
        )
        expect("步骤", run(python, "-c", CHINESE, env=env))
        expect(f"wfnb {version}", run("wfnb", "--version", env=env))
        expect(
            "session 'tried' started", run("ipython", "--no-banner", "--quick", env=env, typed=STEP)
        )


def check_sdist(folder: Path, sdist: Path, wheel: Path) -> None:
    """A wheel of it, without node and without a build environment into which node could come."""
    venv, made = folder / "venv", folder / "made"
    with alone(venv) as env:
        python = str(venv / "bin" / "python")
        run(python, "-m", "pip", "install", "-q", "hatchling", env=env)
        again = (
            python,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(made),
        )
        run(*again, str(sdist), env=env)
    if contents(made / wheel.name) != contents(wheel):
        raise Unfit("The sdist gives another wheel than the repository.")


def contents(wheel: Path) -> dict[str, int]:
    """The files, by the sums of their bytes."""
    with ZipFile(wheel) as archive:
        return {each.filename: each.CRC for each in archive.infolist()}


@contextmanager
def alone(venv: Path) -> Iterator[dict[str, str]]:
    """An environment that has the programs of `venv` and no others, and no settings of the user."""
    with TemporaryDirectory() as home:
        shared = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        own = {"PATH": str(venv / "bin"), "HOME": home, "WFNB_HOME": f"{home}/.wfnb"}
        yield shared | {"XDG_CACHE_HOME": str(Path.home() / ".cache")} | own


def expect(words: str, said: str) -> None:
    if words not in said:
        raise Unfit(f"{words!r} was expected, and this was said:\n{said}")


def run(*command: str, env: dict[str, str] | None = None, typed: str = "") -> str:
    """What it prints on both streams. Unfit where it fails."""
    program = shutil.which(command[0], path=(env or os.environ)["PATH"]) or command[0]
    done = subprocess.run(
        [program, *command[1:]],
        env=env,
        input=typed,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise Unfit(f"`{' '.join(command)}` failed:\n{done.stdout}")
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)  # colours


if __name__ == "__main__":
    try:
        main()
    except Unfit as fault:
        sys.exit(str(fault))
