"""Python in a process of its own: a fresh kernel, one that is killed, one that keeps meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

PATIENCE = 120


def started(code: str, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", dedent(code), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(_path()), **environment},
    )


def _path() -> list[str]:
    """What is tested, before whatever else is looked for first here."""
    others = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [str(Path(__file__).parents[2]), *filter(None, others)]


def answer(process: subprocess.Popen[str], patience: float = PATIENCE) -> Any:
    """What it says as JSON in its last line."""
    out, error = process.communicate(timeout=patience)
    assert process.returncode == 0, error
    return json.loads(out.splitlines()[-1])


def asked(code: str, *arguments: object, **environment: str) -> Any:
    return answer(started(code, *arguments, **environment))
