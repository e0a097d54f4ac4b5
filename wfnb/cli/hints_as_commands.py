"""hints -> commands of the shell; what `wfnb` has no command for is written as Python."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote

from wfnb.hints import Option, PythonSpelling, Verb, with_dashes

COMMANDS: frozenset[Verb] = frozenset({"answer", "cancel", "resume", "runs", "trust", "work"})
TOOLS = "`--tools FILE` brings tools of your own."
"""For a problem of a workflow that `is_of_tool`."""
_PYTHON = PythonSpelling()


class ShellSpelling:
    """What is typed into a terminal."""

    again = _PYTHON.again
    new_run = "`wfnb run` runs it anew"
    first_step = _PYTHON.first_step

    def command(self, verb: Verb, parts: Iterable[object]) -> str:
        if verb == "start":  # a command begins no session that another one goes on with
            return ""
        if verb not in COMMANDS:
            return _PYTHON.command(verb, parts)
        return " ".join(("wfnb", verb, *map(_typed, parts)))

    def options(self, parts: Iterable[Option]) -> str:
        return " ".join(map(_typed, parts))


def is_of_tool(problem: object) -> bool:
    return getattr(problem, "rule", None) == "tools"


def _typed(part: object) -> str:
    """A word or an option, with quotes where a shell would take brackets for a pattern of files."""
    name, blank, value = with_dashes(part).partition(" ")
    if "[" in value:
        return f"{name}{blank}{quote(value)}"
    return quote(name) if "[" in name else name + blank + value
