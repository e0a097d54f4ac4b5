"""A story, and what is told of it as it goes on."""

from __future__ import annotations

import json
from typing import Any

from tests.core.story import Story
from wfnb.core.commands import Command
from wfnb.panel import Live


class Told:
    """A story and what is told of it."""

    def __init__(self, *commands: Command) -> None:
        self.story = Story(*commands)
        self.live = Live(self.story.session)

    def after(self, *commands: Command, line: str = "main", runs: Any = (), **more: Any) -> Any:
        before = len(self.story.log)
        for command in commands:
            self.story.do(command)
        return self.live.next_update(
            self.story.session, self.story.log[before:], line, runs, **more
        )


def rows(message: dict[str, Any]) -> list[int]:
    """The numbers of the rows that were told; in these stories of one line they differ."""
    return [row["number"] for row in message.get("rows", ())]


def whole(said: dict[str, Any]) -> dict[str, Any]:
    """A snapshot as it comes over the wire, without what names the message."""
    data = json.loads(json.dumps(said))
    return {name: data[name] for name in data if name not in ("kind", "protocol", "seq")}
