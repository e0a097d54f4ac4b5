"""names that share an object -> which no longer do, because one of them was made anew.

A step that runs again makes its objects anew: with the content that they had, so that nothing is
stale by it, and yet others. What was made of the old ones holds those still: another name of a
list, an instance of a class that was defined again. Each of the two is what its line gives; both
together are not, and a change of the one does not reach the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Renewals:
    """Pairs of a name that holds an old object and of the name whose object was made anew, with the
    version that this has: under another one it is no part of the pair."""

    def __init__(self) -> None:
        self._pairs: dict[str, dict[str, str]] = {}

    def add(self, holders: Iterable[str], renewed: str, version: str) -> None:
        for holder in holders:
            self._pairs.setdefault(holder, {})[renewed] = version

    def forget_written(self, versions: Mapping[str, str]) -> None:
        """Names were written: they hold nothing old."""
        for name, version in versions.items():
            self._pairs.pop(name, None)
            for renewed in self._pairs.values():
                if renewed.get(name, version) != version:
                    del renewed[name]

    def is_old(self, name: str, beside: Iterable[str] | None = None) -> bool:
        """Whether it holds what was made anew, under one of those names (None: under any)."""
        renewed = self._pairs.get(name, {})
        return bool(renewed) if beside is None else not renewed.keys().isdisjoint(beside)

    def unchanged_by(self, names: set[str]) -> set[str]:
        """Those that would have changed with these names, and did not."""
        if not self._pairs:
            return set()
        found = {new for name in names for new in self._pairs.get(name, ())}
        found.update(old for old, renewed in self._pairs.items() if not names.isdisjoint(renewed))
        return found - names
