"""Tools: those there are, those of one's own, and what they are given."""

from __future__ import annotations

from wfnb.hints import Option

from .base import Refused
from .phrases import nearest


class ToolUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No tool is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Tools: {', '.join(self.names)}."
        )


class ToolBuiltIn(Refused):
    name: str

    def __str__(self) -> str:
        return f"{self.name!r} is a built-in tool. Name yours otherwise: `@wfnb.tool(name=…)`."


class ToolsUnloadable(Refused):
    source: str
    why: str

    def __str__(self) -> str:
        takes = "a Python file, or a module's name, with `@wfnb.tool` functions"
        return (
            f"No tools can be loaded from {self.source!r}: {self.why}. "
            f"`{Option('tools')}` takes {takes}."
        )


class ToolBroken(Refused):
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.name!r} cannot be a tool: {self.what}."


class BadParameters(Refused):
    tool: str
    problems: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.tool}: {'; '.join(self.problems)}."
