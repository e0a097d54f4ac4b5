"""recorded events, and the runs -> what happened, a line each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from operator import itemgetter
from typing import Any, assert_never

from wfnb.core.events import (
    BranchAbandoned,
    BranchMerged,
    BranchOpened,
    BranchReopened,
    BranchScored,
    BranchSelected,
    Event,
    ExtensionEvent,
    KeepingChosen,
    PlainNamesChanged,
    Recorded,
    RecordingChosen,
    Redone,
    SessionCleared,
    SessionRenamed,
    SessionStarted,
    StepAdded,
    StepChanged,
    StepDescribed,
    StepFinished,
    StepRepeated,
    StepsConfirmed,
    StepsHidden,
    StepsShown,
    StepTagged,
    StrategyChosen,
    TakenBack,
    Undone,
    ValuesKept,
    name_of,
)
from wfnb.core.extension import EXTENSIONS
from wfnb.core.kept_values import KeptValues, size_said
from wfnb.core.validation import place_text
from wfnb.errors import listing
from wfnb.frozen_record import record
from wfnb.render.message import Table

from .run_entries import RunEntry
from .step_words import author_text, is_by, run_sign, sign, title_of


def describe(event: Event) -> str:
    """What happened, in a few words."""
    match event:
        case SessionStarted(name=name):
            return f"session {name!r} started"
        case SessionRenamed(name=name):
            return f"session renamed to {name!r}"
        case SessionCleared():
            return "all steps put away"
        case StrategyChosen(strategy=strategy):
            return f"strategy {strategy['name']} chosen" if strategy else "strategy given up"
        case BranchOpened(branch=branch, parent=parent, leaves=leaves):
            return f"branch {branch!r} opened from step {leaves} of {parent!r}"
        case BranchReopened(branch=branch):
            return f"branch {branch!r} opened again"
        case StepAdded():
            return f"step {_step_place(event)} added: {title_of(event.description, 60)}"
        case StepChanged():
            return f"step {_step_place(event)} changed: {title_of(event.description, 60)}"
        case StepRepeated():
            return f"step {_step_place(event)} ran again"
        case StepFinished(attempt=attempt, outcome=outcome):
            # By its place in the log: it is no count of attempts.
            return f"attempt of entry {attempt} ended: {sign(outcome.status)}"
        case PlainNamesChanged(versions=versions):
            return f"changed by a cell that is no step: {listing(list(versions), '')}"
        case KeepingChosen(keep=keep, secrets=secrets, budget=budget, figures=figures):
            never = f"never {', '.join(secrets)}" if secrets else "no name is a secret"
            more = [never] if secrets is not None else []
            more += [f"at most {size_said(budget)}"] if budget is not None else []
            more += [] if figures else ["no figures"]
            return ", ".join([f"steps keep {', '.join(keep) or 'nothing'}", *more])
        case RecordingChosen(on=on):
            return f"plain cells are {'steps' if on else 'no steps'} from here on"
        case ValuesKept(kept=KeptValues(failed=failed)) if failed:
            return f"kept nothing; not kept: {listing([value.name for value in failed], '')}"
        case ValuesKept(kept=kept):
            lost = [value.name for value in kept.not_kept]
            said = [f"kept {listing(kept.names, 'nothing')}"]
            return "; ".join([*said, f"not kept: {listing(lost, '')}"] if lost else said)
        case StepsConfirmed(branch=branch, numbers=numbers):
            return f"confirmed on {branch!r}: {', '.join(map(str, numbers))}"
        case StepsHidden(branch=branch, numbers=numbers):
            return f"hidden on {branch!r}: {', '.join(map(str, numbers))}"
        case StepsShown(branch=branch, numbers=numbers):
            return f"shown again on {branch!r}: {', '.join(map(str, numbers))}"
        case StepDescribed():
            return f"step {_step_place(event)} described: {title_of(event.description, 60)}"
        case StepTagged(tags=tags):
            return f"step {_step_place(event)} tagged: {', '.join(tags) or 'nothing'}"
        case BranchScored(branch=branch, score=score):
            return f"branch {branch!r} scored {score:.4g}"
        case BranchSelected(branch=branch):
            return f"branch {branch!r} selected"
        case BranchMerged(branch=branch, into=into):
            return f"branch {branch!r} merged into {into!r}"
        case BranchAbandoned(branch=branch):
            return f"branch {branch!r} abandoned"
        case Undone(to=to):
            return f"undone, back to {to}"
        case Redone():
            return "redone"
        case TakenBack(positions=positions):
            return f"taken back: {listing(list(map(str, positions)), '')}"
        case ExtensionEvent():
            return EXTENSIONS[event.extension].describe(event)
        case _:
            # A new kind of event without words here is found by mypy.
            assert_never(event)


@record
class LogLine:
    """What happened, and when (seconds since 1970). What happened to a run has no `position`: that
    is its place among the session's events."""

    at: float | None
    event: str
    says: str
    position: int | None = None


class Log:
    """The last entries of a session's history, with when its runs began and ended; `times` adds the
    time of each (UTC), and `by` leaves out what another did."""

    def __init__(
        self,
        entries: Sequence[Recorded],
        last: int,
        times: bool,
        runs: Sequence[RunEntry] = (),
        by: str | None = None,
    ) -> None:
        if by is not None:
            entries, runs = [entry for entry in entries if is_by(entry.event.by, by)], ()
        self.lines = _in_order(entries, runs)[-last:]
        self.times = times

    def to_dict(self) -> dict[str, Any]:
        """All entries with their times (seconds since 1970, UTC)."""
        return {"log": [_data(line) | {"at": line.at} for line in self.lines]}

    def table(self) -> Table:
        heads = ("", "what happened", "when (UTC)")
        rows = [
            ("▶" if line.position is None else str(line.position), line.says, _time_text(line.at))
            for line in self.lines
        ]
        width = 3 if self.times else 2
        # Without times: what a notebook stores is the same each time that it runs.
        data = {"log": [_data(line) for line in self.lines]}
        return Table(heads[:width], [row[:width] for row in rows], data)

    def __repr__(self) -> str:
        return repr(self.table())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return self.table()._repr_mimebundle_()


def _in_order(entries: Sequence[Recorded], runs: Sequence[RunEntry]) -> list[LogLine]:
    """Entries as they were recorded, whatever the clock said: it may have been set back. A run has
    its place among them by its times, and is not before the step that started it."""
    # The latest time so far, which never goes back, though the clock may: `bisect` needs that.
    reached = list(accumulate((entry.at or 0.0 for entry in entries), max))
    after = {entry.position: index for index, entry in enumerate(entries, 1)}
    told = [((float(index), 0.0), _line_of(entry)) for index, entry in enumerate(entries)]
    for run in runs:
        index, at = after.get(run.step or 0, 0), 0.0
        for line in _run_lines(run):
            at = max(at, line.at or 0.0)
            index = bisect_right(reached, at, lo=index)
            # Half a place before the entry that came next, so that it stands between two.
            told.append(((index - 0.5, at), line))
    # By the place only: lines themselves have no order.
    return [line for _, line in sorted(told, key=itemgetter(0))]


def _line_of(entry: Recorded) -> LogLine:
    event = entry.event
    says, name = describe(event), name_of(type(event))
    says += f" · by {author_text(event.by)}" if event.by else ""
    return LogLine(at=entry.at, event=name, says=says, position=entry.position)


def _run_lines(entry: RunEntry) -> Iterator[LogLine]:
    """When a run began, and how it ended; how it is, where it has not."""
    yield LogLine(at=entry.started, event="run-started", says=f"run {entry.name} started")
    if entry.status != "running":
        why = f" · {title_of(entry.error, 80)}" if entry.error else ""
        says = f"run {entry.name} {run_sign(entry.status)}{why}"
        # One that waits, or was cut off, may go on.
        event = {"parked": "run-parked", "interrupted": "run-interrupted"}.get(entry.status)
        yield LogLine(at=entry.ended, event=event or "run-ended", says=says)


def _data(line: LogLine) -> dict[str, Any]:
    return {"position": line.position, "event": line.event, "says": line.says}


def _step_place(event: StepAdded | StepChanged | StepRepeated | StepDescribed | StepTagged) -> str:
    return place_text(event.branch, event.number)


def _time_text(at: float | None) -> str:
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
