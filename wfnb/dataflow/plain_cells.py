"""cells that are no steps -> what they give, together, when they are run from the top.

They have no numbers, so their order is that in which they first ran in this kernel: the order on
the page, unless somebody began in the middle. In that order each gives what it wrote, as long as it
read what those before it give. A cell that ran over what a later one wrote, or over its own work,
gives nothing that is known; nor does one whose input has been written anew since.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wfnb.core.flow import ABSENT, LOST

Versions = Mapping[str, str]


@dataclass(slots=True)
class PlainCells:
    """`gives` has the version of each name that they give, `made_in` the id of the cell that wrote
    it last (None: it has none). A cell without an id is another one each time that it runs."""

    gives: dict[str, str] = field(default_factory=dict)
    made_in: dict[str, str | None] = field(default_factory=dict)
    _cells: dict[object, tuple[Versions, Versions]] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)  # that any of them wrote, ever

    def ended(self, cell: str | None, reads: Versions, writes: Versions | None) -> dict[str, str]:
        """A cell ran, and read and wrote these versions; None: it is a step now. Returns what they
        give otherwise than before, ABSENT for what they no longer give."""
        before = self._cells.get(cell)
        if writes is None:
            if before is None:
                return {}
            del self._cells[cell]
            return self._from_the_top()
        flow = (reads, dict(writes))
        self._names.update(writes)
        self.made_in.update(dict.fromkeys(writes, cell))
        if before == flow:
            return {}
        self._cells[object() if cell is None else cell] = flow
        if before is not None:
            return self._from_the_top()
        return self._give(self.gives, *flow)

    def _from_the_top(self) -> dict[str, str]:
        gives: dict[str, str] = {}
        for reads, writes in self._cells.values():
            self._give(gives, reads, writes)
        names = {**self.gives, **gives}
        changed = {
            name: gives.get(name, ABSENT)
            for name in names
            if self.gives.get(name, ABSENT) != gives.get(name, ABSENT)
        }
        self.gives = gives
        return changed

    def _give(self, gives: dict[str, str], reads: Versions, writes: Versions) -> dict[str, str]:
        """Add what a cell gives after those before it. Returns what is another version now."""
        right = all(
            gives[name] == version if name in gives else name not in self._names
            for name, version in reads.items()
        )
        given = dict(writes) if right else dict.fromkeys(writes, LOST)
        changed = {name: v for name, v in given.items() if gives.get(name, ABSENT) != v}
        gives.update(given)
        return changed
