"""steps that ran -> the steps of a line, in the order in which they run from the top.

The rule: the steps of the line by number, those that it inherits first, up to the step that it
leaves. A revision stands, whatever its own number, directly after the step that it corrects, before
any later step; revisions of a revision directly after that one. A revision counts if it was made on
the line itself or on a line that it descends from. Of several revisions of one step, those of
ancestors come first, then the lower number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.dataflow.kernel import Place

END = 10**9


@dataclass
class Recorded:
    """A step, as its cell was last run: the body (None: a text), and the step it revises."""

    place: Place
    body: str | None
    revises: Place | None = None


@dataclass
class Lines:
    """The lines of a notebook: `leaves` has for each branch the step that it leaves."""

    steps: dict[Place, Recorded] = field(default_factory=dict)
    leaves: dict[str, Place] = field(default_factory=dict)

    def lineage(self, branch: str, upto: int = END) -> Iterator[tuple[str, int]]:
        """The line and those it inherits from, nearest first, each with the last number."""
        yield branch, upto
        while branch in self.leaves:
            branch, number = self.leaves[branch].branch, self.leaves[branch].number
            yield branch, number

    def find(self, branch: str, number: int) -> Place | None:
        """Step `number` as that line sees it."""
        for name, upto in self.lineage(branch):
            place = Place(name, number)
            if number <= upto and place in self.steps:
                return place
        return None

    def origin(self, said: str | None) -> Place | None:
        """The step that `--from 2` or `--from alt:3` names: of main, else the only one. Where
        nothing is said, the last of main."""
        if said is None:
            numbers = [place.number for place in self.steps if place.branch == "main"]
            return Place("main", max(numbers)) if numbers else None
        branch, _, number = said.rpartition(":")
        found = self.find(branch or "main", int(number))
        if found is None and not branch:
            others = [place for place in self.steps if place.number == int(number)]
            found = others[0] if len(others) == 1 else None
        return found

    def from_the_top(self, branch: str) -> list[Recorded]:
        """The steps of a line in the order of the rule."""
        limits = dict(reversed(list(self.lineage(branch))))
        depth = {name: at for at, name in enumerate(limits)}
        inside = [
            step
            for step in self.steps.values()
            if step.place.number <= limits.get(step.place.branch, 0)
        ]
        revisions: dict[Place, list[Recorded]] = {}
        for step in self.steps.values():
            if step.revises is not None and step.place.branch in depth:
                revisions.setdefault(step.revises, []).append(step)

        def order(step: Recorded) -> tuple[int, int]:
            return depth[step.place.branch], step.place.number

        def with_revisions(step: Recorded) -> Iterator[Recorded]:
            yield step
            for revision in sorted(revisions.get(step.place, ()), key=order):
                yield from with_revisions(revision)

        firsts = sorted((step for step in inside if step.revises is None), key=order)
        return [each for step in firsts for each in with_revisions(step)]
