"""events of a run, whoever performs it -> what happened, a line each; what is new of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, assert_never, cast

from wfnb.core.events import Authored, name_of
from wfnb.errors import spoken
from wfnb.journal import Journal, RunInfo
from wfnb.render.drawing.graph import State
from wfnb.render.text import escape
from wfnb.views.step_words import author_text, cut, run_sign, sign
from wfnb.workflows.core.events import (
    CallFinished,
    CallStarted,
    QuestionAnswered,
    QuestionAsked,
    RunEnded,
    RunParked,
    RunRecorded,
    RunResumed,
    RunStarted,
    StopAsked,
)
from wfnb.workflows.views.run_words import no_answer_note, parked_text, result_line
from wfnb.workflows.views.terminal_tail import tail

MAX_LINE_LENGTH = 400  # characters of a line
_TOLD = frozenset({"stdout", "answer", "taken_as_done"})  # their events say it, or all is said


class EventLines:
    """Tells a run's events in order, and remembers which call is of which action. With `times` it
    says how long things took; without, the same happening is told in the same words."""

    def __init__(self, name: str, times: bool = False) -> None:
        self.name = name
        self.times = times
        self._calls: dict[int, CallStarted] = {}

    def tell(self, entry: RunRecorded) -> str:
        """The event on one line, plain."""
        if isinstance(entry.event, CallStarted):
            self._calls[entry.position] = entry.event
        said = "".join(self._sentences(entry))
        if isinstance(entry.event, Authored) and entry.event.by:
            said += f" · by {author_text(entry.event.by)}"
        return cut(escape.line(said), MAX_LINE_LENGTH)

    def data(self, entry: RunRecorded) -> dict[str, Any]:
        """The event as JSON data: all that was recorded, and what `tell` says. `at` is in seconds
        since 1970 (UTC)."""
        event = entry.event
        kept = {field.name: getattr(event, field.name) for field in fields(event)}
        about = {"run": self.name, "position": entry.position, "at": entry.at}
        return {**about, "event": name_of(type(event)), "says": self.tell(entry), **kept}

    def action(self, call: int) -> str:
        """The action whose call began at this position."""
        return self._calls[call].action if call in self._calls else f"call {call}"

    def _sentences(self, entry: RunRecorded) -> Iterator[str]:
        match entry.event:
            case RunStarted(workflow=workflow):
                yield f"{self.name} started"
                yield from _size(workflow)
            case RunResumed(rollback=True):
                yield f"{self.name} is rolled back"
            case RunResumed(start=start):
                yield f"{self.name} goes on"
                yield f" from {start}" if start else ""
            case CallStarted() as event:
                yield from self._begin_parts(event)
            case CallFinished() as event:
                yield from self._end_parts(event)
            case QuestionAsked(call=call, question=question, choices=choices) as event:
                yield f"? {self.action(call)} asks: {question}"
                yield f" ({' · '.join(choices)})" if choices else ""
                yield f" ({otherwise})" if (otherwise := no_answer_note(event)) else ""
            case QuestionAnswered(call=call, answer=answer):
                yield f"{self.action(call)} was answered: {'•••' if answer is None else answer}"
            case StopAsked(reason=reason, why=why, rollback=rollback):
                yield f"stopping: {reason or why}"
                yield " · what succeeded is undone" if rollback else ""
            case RunParked(until=until):
                yield f"{self.name} {run_sign('parked')}"
                yield f" {parked_text(until)}" if until is None or self.times else ""
            case RunEnded(status=status, error=error, saved=saved):
                yield f"{self.name} {run_sign(status)}"
                yield f": {error}" if error else ""
                yield f" · saved as {saved}" if saved else ""
            case _:
                assert_never(entry.event)

    def _begin_parts(self, event: CallStarted) -> Iterator[str]:
        undoing = event.undoes is not None
        yield f"{'↶ undoing' if undoing else '▶'} {event.action} ({event.tool})"
        if event.items is not None:
            count = len(event.items)
            yield f": {count} item{'s' * (count != 1)}"
        if event.fallback is not None:
            yield ", instead of what failed"
        elif event.attempt > 1:
            yield f", attempt {event.attempt}"
        if event.waited and self.times:
            yield f", after {event.waited:.3g} s"

    def _end_parts(self, event: CallFinished) -> Iterator[str]:
        call = self._calls.get(event.call)
        undid = call is not None and call.undoes is not None
        status = cast("State", spoken(event.status))
        yield f"{'undoing ' * undid}{self.action(event.call)}: {sign(status)}"
        if event.cached:
            yield " · a kept result"
        if event.duration is not None and self.times:
            yield f" · {event.duration:.3g} s"
        if event.status != "ok" and event.result.get("error"):
            yield f", {event.result['error']}"
        # A fallback is told by the call that it starts, and so is what comes of a call that nobody
        # saw end: it may be left as it is.
        if event.retry and event.fallback is None and event.status != "unknown":
            yield " · is done again" if event.status == "ok" else " · is tried again"
        if event.goto is not None:
            yield f" → {event.goto}"


def output(event: CallFinished, most: int, width: int) -> list[str]:
    """What a call had to say, the last lines of it: what it printed, what is on the screen of its
    terminal, its value. On a failure also what it complained of, unless the line of the failure
    says that."""
    result = event.result
    shown = [str(result.get(name) or "") for name in ("stdout", "output", "screen_content")]
    complaints = str(result.get("stderr") or "")
    wanted = event.status != "ok" or not any(shown)
    # Many tools put stderr into their error: said once is enough.
    if wanted and complaints.strip() not in str(result.get("error") or ""):
        shown.append(complaints)
    value = result.get("result")
    if value not in (None, "", [], {}):
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        shown.append(f"= {said}")
    elif event.status == "ok" and not any(shown) and not _TOLD & result.keys():
        shown.append(result_line(result, width))
    return tail([text.rstrip() for text in shown if text], most, width)


def _size(workflow: Any) -> Iterator[str]:
    for form in ("state", "step"):
        count = len(workflow.get(f"{form}s", ()))
        if count:
            yield f": {count} {form}{'s' * (count != 1)}"


class Lines:
    """The events of a run after a position, each with its line. `times`: see `EventLines`."""

    def __init__(
        self, journal: Journal, info: RunInfo, after: int = 0, times: bool = False
    ) -> None:
        self.teller = EventLines(info.name, times)
        self._journal, self._id, self._after = journal, info.id, after
        # From the beginning, though only what comes after is told: the end of a call names its
        # action by the beginning.
        self._read = 0

    def new(self) -> list[tuple[RunRecorded, str]]:
        """What was recorded since the last time."""
        told = [
            (entry, self.teller.tell(entry))
            for entry in self._journal.read_run(self._id, self._read)
        ]
        if told:
            self._read = told[-1][0].position
        return [(entry, line) for entry, line in told if entry.position > self._after]
