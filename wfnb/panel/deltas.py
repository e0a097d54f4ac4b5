"""a session that goes on -> what front ends are told of it: snapshots, and deltas between them.

Theory of operation
-------------------

A front end shows a session of up to a million steps. It is told everything once (a snapshot: the
head, the lines, the newest rows, the runs, the investigation) and then what changes (deltas). A
delta must cost what changed, not what there is; at ten messages a second, a full comparison of a
long session would take the whole kernel.

`Live` keeps what was told last and compares part by part, each in the cheapest way that is right:

    rows            the events say which steps they touch (`affected_steps.py`): only those rows are
                    made, and the counts of the head are kept up to date by them
    head            made from the counts, then compared field by field
    lines           gone through only where an event concerns a line
    runs            each has a short head; all heads are made and compared
    stages          marks of the strategy's stages, compared; all of them when the strategy changes
    ledger          what the strategy keeps, made anew where something was recorded, or the line is
                    another; lists become splices
    investigation   made anew where something was recorded; lists become splices

Numbers. Each message has a `seq`. A snapshot has the `seq` of the last delta, so that the next
delta fits it; a front end that sees a gap asks for a snapshot (`store.ts`). Several front ends
share one `Live`: all get the same deltas.

When it is not a delta. A snapshot is told to all instead where the events do not lead from what was
told to what there is: the session is another one, something was undone, redone or cleared, steps
were hidden, a run has gone; or where more than 200 rows changed, because the front end shows fewer.
When a front end connects while events wait to be told, its snapshot already contains them. The
others are then told a snapshot, too, so that `seq` means the same for everybody (`_ahead`).

Example: step 5 of 10,000 becomes stale because step 2 was revised. The events touch 2 and 5. The
delta has two rows, the counts of the head, and nothing else.

Not taken: JSON patches of whole snapshots (costs what there is), events as messages (each front end
would need the rules of the core in TypeScript), and a revision per row (a million numbers to keep).
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from wfnb.core.events import Recorded, Redone, SessionCleared, TakenBack, Undone
from wfnb.core.queries import visible
from wfnb.core.session import Session
from wfnb.core.validation import MAIN

from .affected_steps import AffectedSteps
from .changed_facts import changes, differing_facts
from .drawn_lines import Lines
from .drawn_stages import Marks, Ways, changed_marks, marks, stages
from .list_diff import fact_changes
from .live_run import LiveRun
from .run_output import PrintedOutput, tail_lines
from .run_rows import run_heads
from .session_facts import Counts, head
from .snapshot import inquiry, runs_by_step, snapshot
from .strategy_table import strategy_table
from .timeline import NOWHERE, rows_at, sendable_text

MAX_ROWS = 200
"""More changed rows than these come as a snapshot: who needs them asks for them."""
_REPLACING = Undone | Redone | TakenBack | SessionCleared


class Live:
    """What front ends were told last. Several can share it: a snapshot is all that there is, and
    has the `seq` of the last delta, so that the next one fits each of them. Where events are not
    told yet as one connects, all are told a snapshot next. `ran` has the keys of the steps that
    this process ran, and grows as they run."""

    def __init__(
        self,
        session: Session,
        line: str = MAIN,
        runs: Sequence[LiveRun] = (),
        seq: int = 0,
        ran: Container[int] = NOWHERE,
    ) -> None:
        self.seq = seq
        self._ran = ran
        self._unsaid: list[tuple[str, PrintedOutput]] = []
        self._hold(session, line, runs)

    def _hold(self, session: Session, line: str, runs: Sequence[LiveRun]) -> None:
        self._ahead = False
        self._session, self._position = session, session.position
        self._line, self._runs = line if line in session.lines else MAIN, runs
        self._order = [step.key for step in visible(session)]
        self._hidden = set(session.hidden)
        self._counts, self._ways, self._touched = (
            Counts(session),
            Ways(session),
            AffectedSteps(session),
        )
        self._strategy = session.strategy
        self._marks = self._current_marks()
        self._started = runs_by_step(runs)
        self._head = head(session, self._line, self._counts, len(runs))
        self._lines = Lines(session, self._order)
        self._run_heads = {each["name"]: each for each in run_heads(runs)}
        self._inquiry = inquiry(session)
        self._ledger = strategy_table(session, self._line)

    def snapshot(self, now: float | None = None) -> dict[str, Any]:
        """All there is now, for a front end that begins or missed something."""
        whole = snapshot(self._session, self._line, self._runs, seq=self.seq, ran=self._ran)
        # This snapshot shows events that the others were not told: the next message has to bring
        # all level.
        self._ahead = self._ahead or self._session.position != self._position
        runs = list(self._run_heads.values())  # as the next delta takes them to be known
        return {**whole, "runs": runs, **_time_field(now)}

    def next_update(
        self,
        session: Session,
        entries: Sequence[Recorded] = (),
        line: str = MAIN,
        runs: Sequence[LiveRun] = (),
        outputs: Mapping[str, PrintedOutput] | None = None,
        now: float | None = None,
    ) -> dict[str, Any] | None:
        """What changed: a delta, or a snapshot where the session is another one or much changed;
        None where nothing did. `entries` are those recorded since the last time, which the session
        has already; `outputs` is what opened runs wrote since, by name; `now` is the time, in
        seconds since 1970."""
        # Kept first: where a snapshot goes out instead, the next delta says it.
        self._unsaid += (outputs or {}).items()
        if self._needs_snapshot(session, entries, runs):
            self.seq += 1
            self._hold(session, line, runs)
            return self.snapshot(now)
        delta = self._delta(session, entries, line, runs)
        if len(delta.get("rows", ())) > MAX_ROWS:
            self.seq += 1
            return self.snapshot(now)
        delta |= self._tails()
        if not delta:
            return None
        self.seq += 1
        # Only runs have times that a front end counts on from; other messages stay shorter.
        at = _time_field(now) if "runs" in delta else {}
        return {"kind": "delta", "seq": self.seq, **at, **delta}

    def _tails(self) -> dict[str, Any]:
        """What opened runs wrote, and a snapshot had no room for as well."""
        unsaid, self._unsaid = self._unsaid, []
        tails_of_runs = (
            {"run": name, "lines": tail_lines(output.pieces), "upto": output.upto}
            for name, output in unsaid
        )
        tails = [each for each in tails_of_runs if each["lines"]]
        return {"tails": tails} if tails else {}

    def _needs_snapshot(
        self, session: Session, entries: Sequence[Recorded], runs: Sequence[LiveRun]
    ) -> bool:
        """Whether the entries do not lead from what was told to what there is, or not all front
        ends were told the same."""
        if session is not self._session or session.position != self._position + len(entries):
            return True
        if self._ahead or session.hidden != self._hidden:
            return True
        # A delta can say that a run is new or other, not that it is gone.
        gone = self._run_heads.keys() - {sendable_text(run.entry.name) for run in runs}
        return bool(gone) or any(isinstance(entry.event, _REPLACING) for entry in entries)

    def _delta(
        self, session: Session, entries: Sequence[Recorded], line: str, runs: Sequence[LiveRun]
    ) -> dict[str, Any]:
        """All that differs, by its name in a delta; and from here on it was told."""
        delta: dict[str, Any] = {}
        self._position, before = session.position, self._line
        self._line, self._runs = line if line in session.lines else MAIN, runs
        count = len(self._order)
        rows = self._changed_rows(session, entries, runs)
        now = head(session, self._line, self._counts, len(runs))
        delta["head"], self._head = differing_facts(self._head, now), now
        delta["lines"] = self._lines.changed_lines(session, self._order, entries)
        if len(self._order) != count:
            delta["count"] = len(self._order)
        delta["rows"] = rows
        delta["runs"] = self._changed_runs(runs)
        # The ledger is added after this: there, None says that it is gone.
        fields = {name: value for name, value in delta.items() if value}
        fields |= self._changed_ledger(session) if entries or before != self._line else {}
        return fields | self._changed_stages(session) | self._changed_inquiry(session, entries)

    def _changed_rows(
        self, session: Session, entries: Sequence[Recorded], runs: Sequence[LiveRun]
    ) -> list[dict[str, Any]]:
        keys = self._touched.affected_keys(session, entries) - session.hidden
        last = self._order[-1] if self._order else 0
        # Keys only grow, so that new steps belong at the end, and the list stays in order.
        self._order += sorted(key for key in keys if key > last)
        for key in keys:
            self._counts.count(session.steps[key])
            self._ways.count(session, session.steps[key])
        began = runs_by_step(runs)
        for key in began.keys() | self._started.keys():
            # No event of a step says that a run began in it: the two lists are compared.
            if key in session.steps and began.get(key) != self._started.get(key):
                keys.add(key)
        keys -= session.hidden  # they have no place among the rows
        self._started = began
        return list(rows_at(session, keys, self._order, began, self._ran))

    def _changed_runs(self, runs: Sequence[LiveRun]) -> list[dict[str, Any]]:
        before = self._run_heads
        self._run_heads = {each["name"]: each for each in run_heads(runs)}
        return changes("name", before, self._run_heads)

    def _changed_stages(self, session: Session) -> dict[str, Any]:
        before = self._marks
        # A strategy is a value that never changes: another one is another object.
        if session.strategy is not self._strategy:
            self._strategy, self._ways = session.strategy, Ways(session)
            self._marks = self._current_marks()
            return {"stages": stages(session, self._marks)}
        self._marks = self._current_marks()
        changed = changed_marks(before, self._marks)
        return {"marks": changed} if any(changed.values()) else {}

    def _current_marks(self) -> Marks:
        return marks(self._session, self._line, self._counts.stages, self._ways)

    def _changed_inquiry(self, session: Session, entries: Sequence[Recorded]) -> dict[str, Any]:
        # Also the end of a step: what its code looked at may tick, or end, what is asked for.
        if not entries:
            return {}
        before, self._inquiry = self._inquiry, inquiry(session)
        return _differing_part("inquiry", before, self._inquiry)

    def _changed_ledger(self, session: Session) -> dict[str, Any]:
        before, self._ledger = self._ledger, strategy_table(session, self._line)
        return _differing_part("ledger", before, self._ledger)


def _differing_part(
    name: str, before: Mapping[str, Any] | None, now: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What differs of a part that there may be, under its name; nothing, where nothing does."""
    if now is None:
        return {} if before is None else {name: None}
    changed = fact_changes(before, now)
    return {name: changed} if changed else {}


def _time_field(now: float | None) -> dict[str, float]:
    return {} if now is None else {"now": now}
