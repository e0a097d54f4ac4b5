"""run -> a bar for each of its calls: from when to when, on one line of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wfnb.frozen_record import record
from wfnb.render.drawing.graph import SIGNS, State
from wfnb.views.step_words import sign
from wfnb.workflows.core.run import Call, Run

from .action_rows import ITEMS
from .run_words import displayed_state, seconds

LONG = 5.0  # times as long as everything else together: such a pause is cut out


@record
class Bar:
    """One call: from when to when in seconds from the beginning, without the pauses cut out. An
    attempt after the first has waited `waited` seconds; `undoes`: it is a compensation."""

    start: float
    end: float
    state: State
    attempt: int = 1
    waited: float = 0.0
    undoes: bool = False
    cached: bool = False

    @property
    def begins(self) -> str:
        """How long after the run, to a thousandth of a second."""
        return f"+{seconds(round(self.start, 3))}"

    @property
    def says(self) -> str:
        said = [f"{SIGNS['undone']} undoes it"] if self.undoes else []
        said += [f"attempt {self.attempt}"] if self.attempt > 1 else []
        said += ["cached"] if self.cached else []
        return " · ".join([*said, sign(self.state), seconds(self.end - self.start)])


@record
class Track:
    """All calls of one action."""

    name: str
    bars: tuple[Bar, ...]


@record
class Gap:
    """Time that was cut out at `at`: nothing ran, and nothing waited for another attempt."""

    at: float
    length: float


def lay_out_bars(run: Run) -> tuple[tuple[Track, ...], tuple[Gap, ...]]:
    """Bars by action, in order of the first call, and the pauses between them."""
    now = max(
        (at for call in run.calls.values() if (at := call.ended or call.started) is not None),
        default=0.0,
    )
    timed = [(call, *span) for call in _shown(run) if (span := _span(run, call, now))]
    # `_cuts` goes through them in the order of time.
    timed.sort(key=lambda each: each[1])
    cuts = _cuts(timed)
    bars: dict[str, list[Bar]] = {}
    for call, start, end in timed:
        # All pauses before it are cut out of the line, so that it moves to the left by them.
        shift = sum(length for at, length in cuts if at <= start)
        bars.setdefault(call.action, []).append(_bar(run, call, start - shift, end - shift))
    pauses, before = [], 0.0
    for at, length in cuts:
        pauses.append(Gap(at=at - length - before, length=length))
        before += length
    tracks = (Track(name=name, bars=tuple(found)) for name, found in bars.items())
    return tuple(tracks), tuple(pauses)


def _shown(run: Run) -> Iterator[Call]:
    """Without the items of long lists: the bar of the whole stands for them."""
    for call in run.calls.values():
        of = run.calls[call.undoes] if call.undoes is not None else call
        if of.within is None or len(run.calls[of.within].items or ()) <= ITEMS:
            yield call


def _span(run: Run, call: Call, now: float) -> tuple[float, float] | None:
    """From when to when, in seconds since the run began; `now` is the newest time known. When a
    call ended that nobody saw end is not known."""
    if call.started is None or run.started is None:
        return None
    start = max(0.0, call.started - run.started)
    if call.duration is not None:
        return start, start + call.duration
    end = now if call.status == "running" else call.ended
    if end is None or displayed_state(run, call) in ("unknown", "interrupted"):
        return start, start
    return start, max(start, end - run.started)


def _bar(run: Run, call: Call, start: float, end: float) -> Bar:
    return Bar(
        start=round(start, 6),
        end=round(end, 6),
        state=displayed_state(run, call),
        attempt=call.attempt,
        waited=call.waited if call.attempt > 1 else 0.0,
        undoes=call.undoes is not None,
        cached=call.cached,
    )


def _cuts(timed: Sequence[tuple[Call, float, float]]) -> list[tuple[float, float]]:
    """Ends and lengths of the pauses that would leave no room for the rest: a run that was resumed
    the next day."""
    gaps, reached, busy = [], 0.0, 0.0
    for call, start, end in timed:
        # A wait before an attempt is drawn as such, and is no pause.
        idle = start - reached - call.waited
        if idle > 0:
            gaps.append((start - call.waited, idle))
        busy += max(0.0, end - max(reached, start)) + max(0.0, min(call.waited, start - reached))
        reached = max(reached, end)
    # Against what was busy in all, which is known only now.
    return [(at, idle) for at, idle in gaps if idle > 1 and idle > LONG * busy]
