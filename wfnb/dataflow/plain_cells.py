"""cells that are no steps -> what they give, together, when they are run from the top.

They have no numbers, so their order is that in which they first ran in this kernel: the order on
the page, unless somebody began in the middle. In that order each gives what it wrote when it last
read what those before it give: it would write that again. One that never did, or has other code
now, gives nothing that is known. A cell that was deleted gives what it gave until another one
writes one of its names.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from itertools import islice

from wfnb.core.data_flow import ABSENT, LOST

Versions = Mapping[str, str]

_REMEMBERED = 20
"""Runs of a cell over different inputs that are remembered."""


@dataclass(frozen=True)
class PlainRun:
    """What a cell read and wrote; `aliases` are names whose object it changed under another name,
    with the versions that they had before."""

    code: str
    reads: Versions
    writes: Versions
    aliases: Versions = field(default_factory=dict)


@dataclass(slots=True)
class PlainCells:
    """`gives` has the version of each name that they give, `names` all that any of them wrote,
    ever; `made_in` the id of the cell that wrote a name last (None: it has none). A cell without an
    id is another one each time that it runs."""

    gives: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    made_in: dict[str, str | None] = field(default_factory=dict)
    _cells: dict[object, list[PlainRun]] = field(default_factory=dict)  # newest first

    def record_run(
        self, cell: str | None, run: PlainRun | None, existing: Container[str] | None = None
    ) -> dict[str, str]:
        """A cell ran; None: it is a step now. `existing` are the cells of the notebook, where that
        is known. Returns what they give otherwise than before, ABSENT for what is given no more."""
        deleted = (
            [] if run is None or existing is None else self._overwritten_cells(run, existing, cell)
        )
        for each in deleted:
            del self._cells[each]
        before = self._cells.get(cell, [])
        if run is None:
            return self._from_the_top() if self._cells.pop(cell, None) else {}
        self.names.update(run.writes)
        self.made_in.update(dict.fromkeys(run.writes, cell))
        if before[:1] == [run] and not deleted:
            return {}
        # Other code is no longer the cell's, and of one input the newest run counts.
        others = (r for r in before if r.code == run.code and r.reads != run.reads)
        runs = [run, *islice(others, _REMEMBERED - 1)]
        self._cells[object() if cell is None else cell] = runs
        # A new cell is the last one: those before it give what they gave.
        return self._from_the_top() if before or deleted else self._give(self.gives, runs)

    def _overwritten_cells(
        self, run: PlainRun, existing: Container[str], cell: str | None
    ) -> list[object]:
        """The deleted cells that wrote a name which this one wrote."""
        return [
            id
            for id, (last, *_) in self._cells.items()
            if isinstance(id, str)
            and id not in existing
            and id != cell
            and not last.writes.keys().isdisjoint(run.writes)
        ]

    def _from_the_top(self) -> dict[str, str]:
        gives: dict[str, str] = {}
        for runs in self._cells.values():
            self._give(gives, runs)
        names = {**self.gives, **gives}
        changed = {
            name: gives.get(name, ABSENT)
            for name in names
            if self.gives.get(name, ABSENT) != gives.get(name, ABSENT)
        }
        self.gives = gives
        return changed

    def _give(self, gives: dict[str, str], runs: list[PlainRun]) -> dict[str, str]:
        """Add what a cell gives after those before it. Returns what is another version now."""
        right = next((run for run in runs if self._are(gives, run.reads)), None)
        given = dict.fromkeys(runs[0].writes, LOST) if right is None else dict(right.writes)
        for name, version in () if right is None else right.aliases.items():
            if not self._are(gives, {name: version}):
                given[name] = LOST
        changed = {name: v for name, v in given.items() if gives.get(name, ABSENT) != v}
        gives.update(given)
        return changed

    def _are(self, gives: Versions, reads: Versions) -> bool:
        """Whether the cells before give what was read; names that none of them writes are as they
        are."""
        return all(
            not version.startswith(LOST)
            and version == gives.get(name, ABSENT if name in self.names else version)
            for name, version in reads.items()
        )
