"""cells -> the namespace they make, as a kernel's: functions in it look up names in it."""

from __future__ import annotations

from textwrap import dedent
from typing import Any


def namespace(*cells: str) -> dict[str, Any]:
    made: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    for cell in cells:
        exec(dedent(cell), made)
    return made
