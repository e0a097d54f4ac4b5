"""two values -> lines that say what differs between them; none where none is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from itertools import islice
from typing import Any

from .array_differences import array_difference
from .arrays_and_frames import array_shape, frame_shape
from .frame_differences import frame_difference
from .mutable_objects import ATOMS
from .object_attributes import held_attributes, pickled_as
from .value_description import describe, figure_png
from .value_text import count, kind_of, number, plain, show_value

MAX_LINES = 12
"""Lines for one value; what is below is counted."""


def difference(before: Any, after: Any) -> tuple[str, ...]:
    """For people: scalars from → to; arrays by shape, dtype, how many elements differ and by how
    much; frames by rows, columns and what changed in each; containers and objects by what they
    hold; else repr. Raises nothing: where two values cannot be compared, it says that."""
    try:
        # Two that have nothing in common give a line for each element: more than this nobody
        # counts.
        lines = list(islice(_Two().lines(before, after), 1_000))
    except Exception:  # of a library, of a class of the user's
        lines = [f"cannot be compared: {_short(before)}, {_short(after)}"]
    if len(lines) > MAX_LINES:
        lines = [
            *lines[: MAX_LINES - 1],
            f"… {count(len(lines) - MAX_LINES + 1, 'more difference')}",
        ]
    return tuple(lines)


class _Two:
    """Two values that are compared: what is in them twice, or in itself, is gone through once."""

    def __init__(self) -> None:
        self._met: dict[tuple[int, int], tuple[Any, Any]] = {}

    def lines(self, before: Any, after: Any) -> Iterator[str]:
        if before is after or (id(before), id(after)) in self._met:
            return
        if type(before) not in ATOMS:
            self._met[id(before), id(after)] = before, after  # alive, that no id comes again
        if not _is_same_type(before, after):
            yield f"{kind_of(before)} {_short(before)} → {kind_of(after)} {_short(after)}"
        elif frame_shape(before) and frame_shape(after):
            yield from frame_difference(before, after)
        elif array_shape(before) is not None and array_shape(after) is not None:
            yield from array_difference(before, after)
        elif _is_number(before):
            yield from _numbers(before, after)
        elif isinstance(before, str):
            yield from _texts(before, after)
        elif isinstance(before, Mapping):
            yield from self._mappings(before, after, "[{}]")
            if list(before) != list(after) and before.keys() == after.keys():
                yield "the keys are in another order"
        elif isinstance(before, list | tuple):
            yield from self._sequences(before, after)
        elif isinstance(before, set | frozenset):
            yield from _sets(before, after)
        elif (drawn := figure_png(before)) is not None:
            if drawn != figure_png(after):
                yield "another picture"
        else:
            yield from self._objects(before, after)

    def _objects(self, before: Any, after: Any) -> Iterator[str]:
        """By what they hold, where that can be seen; then by what they say of each other."""
        says = _compares(type(before))
        old, new = held_attributes(before), held_attributes(after)
        # Nothing else shows what it holds: its pickle says that, too.
        if old is None and new is None and not says:
            old, new = pickled_as(before), pickled_as(after)
        if old is not None or new is not None:
            lines = 0
            for line in self._mappings(old or {}, new or {}, ".{}"):
                lines += 1
                yield line
            if lines or not says:
                return
        if not _equal(before, after):
            first, second = _short(before), _short(after)
            yield f"{first} → {second}" if first != second else f"another {kind_of(after)}"

    def _mappings(
        self, before: Mapping[Any, Any], after: Mapping[Any, Any], form: str
    ) -> Iterator[str]:
        for key, value in after.items():
            if key not in before:
                yield f"{_place(form, key)}: new, {_short(value)}"
        for key, value in before.items():
            if key not in after:
                yield f"{_place(form, key)}: gone, {_short(value)}"
            else:
                for line in self.lines(value, after[key]):
                    yield _prefix_place(_place(form, key), line)

    def _sequences(self, before: Any, after: Any) -> Iterator[str]:
        if len(before) != len(after):
            yield f"{len(before):,} → {count(len(after), 'element')}"
        for at, (old, new) in enumerate(zip(before, after, strict=False)):
            if type(old) is type(new) and type(old) in ATOMS and old == new:
                continue  # most of a long list
            for line in self.lines(old, new):
                yield _prefix_place(f"[{at}]", line)
        for word, longer, shorter in (("new", after, before), ("gone", before, after)):
            for at in range(len(shorter), len(longer)):
                yield f"[{at}]: {word}, {_short(longer[at])}"


def _short(value: Any) -> str:
    return describe(value).says or f"a {kind_of(value)}"


def _is_same_type(before: Any, after: Any) -> bool:
    """Whether they are of one type: a class of the notebook that was kept twice is two."""
    one, other = type(before), type(after)
    if one is other or (_is_number(before) and _is_number(after)):
        return True
    return kind_of(before) == kind_of(after) and one.__module__ == other.__module__


def _numbers(before: Any, after: Any) -> Iterator[str]:
    if before == after or (before != before and after != after):
        if type(before) is not type(after):
            yield f"{kind_of(before)} {number(before)} → {kind_of(after)} {number(after)}"
        return
    by = after - before
    said = ""
    if isinstance(by, int | float) and by == by:
        share = f", {by / abs(before):+.1%}" if before else ""
        said = f" ({'+' if by > 0 else ''}{number(by)}{share})"
    yield f"{number(before)} → {number(after)}{said}"


def _texts(before: str, after: str) -> Iterator[str]:
    if before == after:
        return
    if len(before) <= 60 and len(after) <= 60:
        yield f"{show_value(before)} → {show_value(after)}"
        return
    yield f"{len(before):,} → {len(after):,} characters"
    # difflib takes time that grows with the square of the lines.
    if max(len(before), len(after)) < 100_000:
        old, new = before.splitlines(), after.splitlines()
        for line in islice(unified_diff(old, new, n=0, lineterm=""), 2, None):
            if not line.startswith("@@"):
                yield plain(line)[:120]


def _sets(before: Any, after: Any) -> Iterator[str]:
    for word, only in (("new", after - before), ("gone", before - after)):
        if only:
            said = sorted(show_value(one, 30) for one in islice(only, 1_000))
            more = f", … ({len(only):,} in all)" if len(only) > 5 else ""
            yield f"{word}: {', '.join(said[:5])}{more}"


def _place(form: str, key: Any) -> str:
    return form.format(show_value(key, 40) if form.startswith("[") else plain(str(key)))


def _prefix_place(place: str, line: str) -> str:
    return f"{place}{line}" if line[:1] in ".[" else f"{place}: {line}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | complex) and not isinstance(value, bool)


def _compares(kind: type) -> bool:
    """Whether it says itself what is equal; else only an object itself is."""
    return any("__eq__" in vars(base) for base in kind.__mro__[:-1])


def _equal(before: Any, after: Any) -> bool:
    same = before == after
    return same if isinstance(same, bool) else bool(same)
