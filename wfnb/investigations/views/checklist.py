"""actions, what was looked at -> a checklist: what is asked for, ticked by what was done for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wfnb.core.findings import Look
from wfnb.core.session import Session
from wfnb.core.validation import MAIN
from wfnb.frozen_record import record
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind import Action
from wfnb.investigations.core.requirements import (
    actions,
    step_awaiting_looks,
    step_looks,
    tick_actions,
)
from wfnb.render.document import Part
from wfnb.render.text import escape, inline_code
from wfnb.views.step_words import refer

_OPEN, _TICKED, _BULLET = "☐", "☑", "•"
_MAX_LOOKS = 8  # looks that are named


@record
class Item:
    """What is to be done; `by` is what ticks it, None while it is open. Without a `box` nothing can
    show that it was done."""

    do: str
    by: str | None = None
    box: bool = True

    @property
    def says(self) -> str:
        if not self.box:
            return f"{_BULLET} {self.do}"
        return f"{_OPEN} {self.do}" if self.by is None else f"{_TICKED} {self.do} — {self.by}"


def checklist(session: Session, waiting: Sequence[Look] = ()) -> tuple[Item, ...]:
    """What is asked for after the step that was recorded last; nothing where none is awaited.
    `waiting` are looks that will be recorded with the next step."""
    step = step_awaiting_looks(session)
    return (
        ()
        if step is None
        else checklist_items(actions(session, step), (*step_looks(session, step), *waiting))
    )


def checklist_items(asked: Sequence[Action], looks: Sequence[Look]) -> tuple[Item, ...]:
    """What is asked for after a step, ticked by these looks."""
    return tuple(
        Item(
            do=action.do,
            by=None if look is None else f"{look.kind}: {look.what}",
            box=bool(action.by),
        )
        for action, look in tick_actions(asked, looks)
    )


def looks_since(session: Session, waiting: Sequence[Look] = ()) -> str | None:
    """What was looked at since the step whose list is open; None where nothing was."""
    step, now = step_awaiting_looks(session), investigation_of(session)
    looks = () if now is None else (*now.looks, *waiting)
    if step is None or not looks:
        return None
    said = ", ".join(f"{look.kind}: {look.what}" for look in looks[-_MAX_LOOKS:])
    more = "… " if len(looks) > _MAX_LOOKS else ""
    many = f"{len(looks)} look{'s' * (len(looks) != 1)} since step {refer(step, MAIN)}"
    return escape.line(f"{many}: {more}{said}")


def text(items: Sequence[Item]) -> Iterator[str]:
    return (escape.line(item.says) for item in items)


def part(items: Sequence[Item]) -> Part:
    """Its part of a document; in Markdown a task list of GitHub's."""
    return Part(
        lambda: "\n".join(["", *map(_task, items)]),
        lambda: "\n".join(f"<div>{inline_code.html(line)}</div>" for line in text(items)),
    )


def _task(item: Item) -> str:
    if not item.box:
        return f"- {inline_code.markdown(item.do)}"
    done = "" if item.by is None else f" — {inline_code.markdown(item.by)}"
    return f"- [{' ' if item.by is None else 'x'}] {inline_code.markdown(item.do)}{done}"


def data(items: Sequence[Item]) -> list[dict[str, Any]]:
    return [{"do": item.do, "ticked_by": item.by, "box": item.box} for item in items]
