"""session -> its lines: where each is drawn, and how it is. In the time of the lines, however many
steps they have; but what a new step changes is mostly known without them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from wfnb.core.events import (
    Event,
    ExtensionEvent,
    Recorded,
    StepAdded,
    StepDescribed,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StepTagged,
)
from wfnb.core.queries import open_lines, stage_named, visible_lines
from wfnb.core.session import Line, Session
from wfnb.core.validation import MAIN
from wfnb.render.drawing.lanes import columns
from wfnb.render.text import escape
from wfnb.views.graphs import joined_step, left_step
from wfnb.views.step_words import cut, line_state

from .changed_facts import changes

REASON = 120
"""Characters of a reason."""
_WITHOUT_LINES = StepRepeated | StepsConfirmed | StepDescribed | StepTagged
"""Events after which every line is as it was."""


def _may_change_lines(event: Event) -> bool:
    if isinstance(event, ExtensionEvent):
        return event.alters_history
    if isinstance(event, StepFinished):  # its line may end with what it looked at
        return event.judged is not None
    return not isinstance(event, _WITHOUT_LINES)


def lines(session: Session, order: Sequence[int]) -> list[dict[str, Any]]:
    """All of them in order of creation; `order` are the keys of the steps that are not hidden,
    which go up."""
    ongoing = {line.id for line in open_lines(session)}
    shown = visible_lines(session)
    drawn = [_line(session, line, order, line.id in ongoing) for line in shown]
    column = columns([(place, *_span(each)) for place, each in enumerate(drawn)], len(order))
    for place, each in enumerate(drawn):
        each["lane"] = column[place]
    return drawn


class Lines:
    """The lines as they were told. One step more at the end of a line, where nothing else follows
    from it, is told without a look at the others."""

    def __init__(self, session: Session, order: Sequence[int]) -> None:
        self._told: dict[str, dict[str, Any]] = {}
        self._decided_again = session.decided_again
        self.changed_lines(session, order)

    def changed_lines(
        self, session: Session, order: Sequence[int], entries: Sequence[Recorded] | None = None
    ) -> list[dict[str, Any]]:
        """What differs after these events (after any, where none are given), with the `id`."""
        added = [entry for entry in entries or () if _may_change_lines(entry.event)]
        if self._decided_again != session.decided_again:  # any of them may stand otherwise
            self._decided_again, entries = session.decided_again, None
        if entries is not None and not added:
            return []
        # Nearly every step of a long session: making all lines anew would cost the time of the
        # lines each time.
        if entries is not None and len(added) == 1 and self._appends(session, order, added[0]):
            name = session.steps[added[0].position].branch
            more = {"last": len(order) - 1, "steps": _count(session, session.lines[name])}
            self._told[name] |= more
            return [{"id": name, **more}]
        before = self._told
        self._told = {each["id"]: each for each in lines(session, order)}
        # A line that joins one that has no step there yet: the next step may be where it is drawn
        # to.
        self._joining = any(
            each["state"] == "merged" and each["joins"] is None for each in self._told.values()
        )
        return changes("id", before, self._told)

    def _appends(self, session: Session, order: Sequence[int], entry: Recorded) -> bool:
        """Whether the event only makes a line longer: it stays open, no other is drawn in its
        column, none joins it there."""
        event = entry.event
        # A step that says it is the last closes its line, which may change what others show.
        if not isinstance(event, StepAdded) or not event.next_step_needed or self._joining:
            return False
        stage = stage_named(session, event.stage)
        if stage is not None and not stage.next:  # the strategy ends, which closes other lines
            return False
        line = self._told.get(event.branch)
        if line is None or not line["open"] or line["last"] is None:
            return False
        # A line that goes on after others may meet one in its column: then lanes are made anew.
        # Main has a column of its own.
        last = line["last"] == len(order) - 2 or event.branch == MAIN
        return last and session.lines[event.branch].numbers[-1] == event.number


def _line(session: Session, line: Line, order: Sequence[int], ongoing: bool) -> dict[str, Any]:
    origin, joined = left_step(session, line), joined_step(session, line)
    # `next`: nearly always the first is not hidden, so no list of a long line is made.
    first = next((key for key in line.keys.values() if key not in session.hidden), None)
    last = next((key for key in reversed(line.keys.values()) if key not in session.hidden), None)
    left = None if origin is None else bisect_right(order, origin.key) - 1  # hidden: one before it
    return {
        "id": line.id,
        "lane": 0,
        "parent": line.parent,
        "from": None if left is None or left < 0 else left,
        "first": None if first is None else bisect_left(order, first),
        "last": None if last is None else bisect_left(order, last),
        "joins": None if joined is None else bisect_left(order, joined),
        "state": line.state,
        "open": ongoing,
        "over": line_state(session, line) == "passed over",
        "score": line.score,
        "reason": None if line.reason is None else cut(escape.line(line.reason), REASON),
        "steps": _count(session, line),
    }


def _count(session: Session, line: Line) -> int:
    """How many steps were made on the line and are not hidden."""
    # Going through the line's steps is spared where nothing is hidden, as is usual.
    hidden = sum(key in session.hidden for key in line.keys.values()) if session.hidden else 0
    return len(line.numbers) - hidden


def _span(line: dict[str, Any]) -> tuple[int, int]:
    """The rows between which it is drawn."""
    places = [line[name] for name in ("from", "first", "last", "joins") if line[name] is not None]
    return min(places, default=0), max(places, default=0)
