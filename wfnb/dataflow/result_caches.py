"""functions with a cache -> which of the results that they keep were changed since.

`functools.cache` gives the same object again: who changes it in place changes what all others get,
and no name needs to hold it. What such a function keeps is a place. It counts from where a result
is changed: a call that adds one leaves the others as they were, and would give it again. Whether a
result that is new was changed at once shows by the text, or by a name that shares it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

from .fingerprint import Fingerprint, Sharing, fingerprint, kept_results

_MAX_RESULTS: Final = 100


class _Result(NamedTuple):
    value: object
    print: Fingerprint


class ResultCaches:
    """`_kept` has for each function what it kept when it was last looked at, `_changed` those
    results that are others now, by their ids. The functions and the results are held, so that no id
    is given twice."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, dict[int, _Result]]] = {}
        self._changed: dict[int, set[int]] = {}

    def meet(self, caches: Iterable[object]) -> set[str]:
        """Look at these from now on. Returns the places of those that are new."""
        new = [cache for cache in caches if id(cache) not in self._kept]
        self._kept |= {id(cache): (cache, _results(cache)) for cache in new}
        return {*map(place_of, new)}

    def changes(
        self, used: Iterable[object], stores: bool, writers: Iterable[int],
        values: Mapping[str, object],
    ) -> dict[str, Fingerprint | None]:  # fmt: skip
        """The places that code has changed which ended now (None: all is as the function gives it).
        It used some, and changed `values`. `stores`: of those that it used it may have changed what
        it was given; `writers` are those of which functions may have that it called."""
        uses, writes = {*map(id, used)}, {*writers}
        found: dict[str, Fingerprint | None] = {}
        for key, (cache, before) in self._kept.items():
            now = _results(cache)
            if not (now or before):
                continue
            was_changed = self._changed.get(key, set())
            others = {id for id, one in before.items() if id in now and one.print != now[id].print}
            unsure = {id for id, one in now.items() if id not in before or not one.print.complete}
            if (stores and key in uses) or key in writes:
                others |= unsure
            elif values and unsure:
                others |= _shared(values, {id: now[id].value for id in unsure})
            changed = (was_changed & now.keys()) | others
            self._kept[key], self._changed[key] = (cache, now), changed
            if others or was_changed != changed:
                # In the order in which they are kept: ids differ from process to process.
                held = tuple(now[id].value for id in sorted(changed, key=[*now].index))
                found[place_of(cache)] = fingerprint(held) if held else None
        return found


def place_of(cache: Any) -> str:
    return f"what {cache.__dict__.get('__qualname__', 'a function')} has kept"


def _results(cache: Any) -> dict[int, _Result]:
    """The results that can be changed."""
    found: dict[int, _Result] = {}
    for value in islice(kept_results(cache), _MAX_RESULTS):
        content = fingerprint(value)
        if not content.atomic:
            found[id(value)] = _Result(value, content)
    return found


def _shared(values: Mapping[str, object], results: Mapping[int, object]) -> set[int]:
    """Those of the results that share an object with the values."""
    # No variable has such a name.
    names = {f"\0{id}": value for id, value in results.items()}
    sharing = Sharing({**values, **names}, [*values, *names])
    near = {other for name in values for other in sharing.of(name) | sharing.unsure(name)}
    return {id for id in results if f"\0{id}" in near}
