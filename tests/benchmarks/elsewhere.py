"""packages, a script or a module here -> what it says as JSON, run by a Python that has these
packages: an environment of its own, made when it is not there yet."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from .child import environment

ROOT = Path(__file__).parents[2]
INSTALL, GRACE = 900, 10
"""Seconds to install packages, and to end after one was told to."""


class NotMeasured(Exception):
    """Why something was not measured."""


def python_with(packages: Iterable[str], folder: str) -> Path:
    """The Python of that environment. NotMeasured where it cannot be made."""
    python = ROOT / folder / "bin" / "python"
    ready = ROOT / folder / ".ready"
    if not ready.exists():
        _run([sys.executable, "-m", "venv", str(ROOT / folder)], INSTALL)
        _run([str(python), "-m", "pip", "install", "--quiet", *packages], INSTALL)
        ready.touch()
    return python


def said(python: str | Path, *arguments: object, limit: float) -> Any:
    """The last line that Python says with these arguments, as JSON. NotMeasured where it fails, or
    takes longer than so many seconds; nothing that it started is left then."""
    out = _run([str(python), *map(str, arguments)], limit)
    if not out:
        raise NotMeasured("it said nothing")
    return json.loads(out.splitlines()[-1])


def _run(command: list[str], limit: float) -> str:
    with TemporaryFile() as out, TemporaryFile() as err:  # no pipes: what it leaves may hold them
        try:
            process = subprocess.Popen(
                command,
                stdout=out,
                stderr=err,
                env=environment(),
                cwd=ROOT,
                start_new_session=True,
            )
        except OSError as error:
            raise NotMeasured(error.strerror or str(error)) from None
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            raise NotMeasured(f"it took longer than {limit:.0f} s") from None
        finally:
            _end(process)
        if code:
            raise NotMeasured((_text(err).splitlines() or ["it failed"])[-1][:120])
        return _text(out)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace").strip()


def _end(process: subprocess.Popen[bytes]) -> None:
    """What is left of it, with all of its group: told to end first, so that it can end the kernels
    that it started, which are groups of their own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
