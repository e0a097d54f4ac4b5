"""actions, what was looked at -> a checklist: what is asked for, ticked by what was done for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wfnb.core.findings import Look
from wfnb.core.record import record
from wfnb.core.required import actions, awaited, ticked
from wfnb.core.session import Session
from wfnb.views.text import escape

_OPEN, _TICKED = "☐", "☑"


@record
class Item:
    """What is to be done; `by` is what ticks it, None while it is open."""

    do: str
    by: str | None = None

    @property
    def says(self) -> str:
        return f"{_OPEN} {self.do}" if self.by is None else f"{_TICKED} {self.do} — {self.by}"


def checklist(session: Session, waiting: Sequence[Look] = ()) -> tuple[Item, ...]:
    """What is asked for after the step that was recorded last; nothing where none is awaited.
    `waiting` are looks that will be recorded with the next step."""
    now, step = session.investigation, awaited(session)
    if now is None or step is None:
        return ()
    return tuple(
        Item(do=action.do, by=None if look is None else f"{look.kind}: {look.what}")
        for action, look in ticked(actions(session, step), (*now.looks, *waiting))
    )


def text(items: Sequence[Item]) -> Iterator[str]:
    return (escape.line(item.says) for item in items)


def html(items: Sequence[Item]) -> Iterator[str]:
    return (escape.html(escape.line(item.says)) for item in items)


def markdown(items: Sequence[Item]) -> Iterator[str]:
    """A task list of GitHub's Markdown."""
    for item in items:
        done = "" if item.by is None else f" — {escape.markdown(item.by)}"
        yield f"- [{' ' if item.by is None else 'x'}] {escape.markdown(item.do)}{done}"


def data(items: Sequence[Item]) -> list[dict[str, Any]]:
    return [{"do": item.do, "ticked_by": item.by} for item in items]
