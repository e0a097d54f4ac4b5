"""a problem of a workflow -> whether it is that a tool is not known, and the way on."""

from __future__ import annotations

TOOLS = "`--tools FILE` brings tools of your own."


def is_of_tool(problem: object) -> bool:
    return getattr(problem, "rule", None) == "tools"
