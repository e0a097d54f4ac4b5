"""names that share an object -> which no longer do, because one of them was made anew.

A step that runs again makes its objects anew: with the content that they had, so that nothing is
stale by it, and yet others. What was made of the old ones holds those still: another name of a
list, an instance of a class that was defined again. Each of the two is what its line gives; both
together are not, and a change of the one does not reach the other.

    1 x = load()     2 (revises 1) x = clean(x)     3 y = x

    Run 1, 2, 3, 1, 2: after the second 1 the names part, and the second 2 makes x what it was as y
    got it, so that y holds an old object then. Another cell that makes the same would not: its line
    parts them, too. So who made an object counts, beside the version.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from wfnb.core.data_flow import ABSENT

if TYPE_CHECKING:
    from .state_outside_names import KnownValue

State = tuple[str, int, object]
"""The version of an object that a name holds, who made the object, and in which session."""


class Parting(NamedTuple):
    """The state in which a name was whose object another one holds still, and which of its objects
    that is: a later one has a higher number."""

    state: State
    number: int


class Renewals:
    """Pairs of names that held one object, until the second was bound to another. Each pair has the
    state in which the second was when the first got the object. Once the second is in that state
    again, the first holds an old object, beside the second and beside all that holds the new one.
    `known` has what names hold now; `pairs` has, by a name, those of which it holds an earlier
    object, and `old` those of them that hold its like again."""

    def __init__(self, known: Mapping[str, KnownValue]) -> None:
        self._known = known
        self._shared: dict[str, dict[str, State]] = {}
        self.pairs: dict[str, dict[str, Parting]] = {}
        self.old: dict[str, set[str]] = {}
        self._count = 0

    def part(self, holders: Iterable[str], bound: str, before: KnownValue) -> None:
        """A name was bound anew that shared an object with others, which hold that still; `before`
        is what it held."""
        self._count += 1
        for holder in holders:
            state = self._shared.get(holder, {}).get(bound) or _state(before)
            self.pairs.setdefault(holder, {})[bound] = Parting(state, self._count)

    def write(
        self, names: Collection[str], bound: Iterable[str], shares: Mapping[str, Iterable[str]]
    ) -> None:
        """Names were written. Those that were bound hold nothing old but what they share; `shares`
        has, by each, the others that hold the same object."""
        for name in bound:
            for known in (self._shared, self.pairs, self.old):
                known.pop(name, None)
            others = [other for other in shares.get(name, ()) if other not in names]
            if others:
                self._shared[name] = {other: _state(self._known.get(other)) for other in others}
        for holder, pairs in self.pairs.items():
            for name in pairs.keys() & names:
                old = self.old.setdefault(holder, set())
                is_again = pairs[name].state == _state(self._known.get(name))
                (old.add if is_again else old.discard)(name)

    def inherit(self, name: str, others: Iterable[str]) -> None:
        """It was made of what these hold, and what of that is old is so in it, too."""
        for other in others:
            if other in self.pairs:
                self.pairs[name] = self.pairs[other] | self.pairs.get(name, {})
                self.old[name] = self.old.get(other, set()) | self.old.get(name, set())

    def old_among(
        self, names: Collection[str], holding: Callable[[str, set[str]], set[str]]
    ) -> set[str]:
        """Those of the names that hold what was made anew, and is that under another of them, or
        is held by another. `holding` has those of some names that hold the object of one now."""
        found: set[str] = set()
        last: dict[tuple[str, State], int] = {}
        parted = [(name, pairs) for name in names if (pairs := self.pairs.get(name))]
        for _, pairs in parted:
            for new, (state, number) in pairs.items():
                last[new, state] = max(number, last.get((new, state), 0))
        for name, pairs in parted:
            for new, (state, number) in pairs.items():
                if number < last[new, state]:
                    found.add(name)
                elif new in self.old.get(name, ()):
                    others = {other for other in names if new not in self.pairs.get(other, ())}
                    if new in names or holding(new, others):
                        found.add(name)
        return found

    def unchanged_by(self, names: set[str]) -> set[str]:
        """Those that would have changed with these names, and did not."""
        found = {new for name in names for new in self.old.get(name, ())}
        found.update(old for old, renewed in self.old.items() if not names.isdisjoint(renewed))
        return found - names


def _state(known: KnownValue | None) -> State:
    return (ABSENT, 0, None) if known is None else (known.version, known.maker, known.session)
