"""commands of a story -> what was recorded of each, and how the session stands then, as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.recorded_text import said
from wfnb.core.commands import Command
from wfnb.core.events import name_of
from wfnb.core.session import Session
from wfnb.errors import Refused

from .story import Story


class StoryRecord:
    """A story told line by line; `stands` says how the session is after a command."""

    def __init__(self, stands: Callable[[Session], Iterable[str]]) -> None:
        self.story = Story()
        self.lines: list[str] = []
        self._stands = stands

    @property
    def session(self) -> Session:
        return self.story.session

    def do(self, *commands: Command) -> None:
        for command in commands:
            before = len(self.story.log)
            try:
                self.story.do(command)
            except Refused as refusal:
                self.lines.append(f"refused: {refusal}")
                assert len(self.story.log) == before
                continue
            self.lines += [
                f"{entry.position} {name_of(type(entry.event))}{said(entry.event)}"
                for entry in self.story.log[before:]
            ] or [f"nothing for {type(command).__name__}"]
            self.lines += [f"  {line}".rstrip() for line in self._stands(self.session)]
