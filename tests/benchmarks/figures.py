"""times -> figures -> Markdown: what was measured, what it should be, whether it is."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter


@dataclass(frozen=True)
class Times:
    """Seconds, one for each time that something was done."""

    seconds: Sequence[float]

    @property
    def median(self) -> float:
        return median(self.seconds)

    @property
    def p95(self) -> float:
        if len(self.seconds) == 1:
            return self.seconds[0]
        return quantiles(self.seconds, n=20, method="inclusive")[-1]

    @property
    def cells(self) -> tuple[str, str]:
        return shown(self.median), shown(self.p95)


@dataclass(frozen=True)
class Figure:
    """One line of the results. `met` is None for what is told for information only."""

    what: str
    target: str
    median: str
    p95: str = ""
    met: bool | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        met = {None: "", True: "yes", False: "**no**"}[self.met]
        return self.what, self.target or "–", self.median, self.p95, met


@dataclass(frozen=True)
class Curve:
    """How a figure grows: a small table of its own."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Measured = Figure | Curve


def within(what: str, times: Times, limit: float, by: str = "median") -> Figure:
    """Whether the median (or `p95`) stays within a limit in seconds."""
    reached = times.p95 if by == "p95" else times.median
    return Figure(what, f"{by} ≤ {shown(limit)}", *times.cells, met=reached <= limit)


def told(what: str, times: Times) -> Figure:
    return Figure(what, "", *times.cells)


def shown(seconds: float) -> str:
    """A time in the unit that suits it, to three digits.

    >>> shown(0.0000412), shown(0.0123), shown(1.5)
    ('0.0412 ms', '12.3 ms', '1.5 s')
    """
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"


def timed(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def repeated(work: Callable[[], object], times: int) -> Times:
    """After one time that does not count, and without garbage of earlier measurements."""
    work()
    gc.collect()
    return Times([timed(work) for _ in range(times)])


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = tuple(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
