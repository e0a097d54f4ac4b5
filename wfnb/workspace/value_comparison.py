"""what two steps kept, names -> how the values differ, name by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from wfnb.core.kept_values import KeptValues
from wfnb.errors import ValueNotKept

if TYPE_CHECKING:
    from wfnb.values import Keeper
    from wfnb.views.value_differences import ValueDifference


def compare_values(
    keeper: Keeper, old: KeptValues, new: KeptValues, names: Iterable[str]
) -> Iterator[ValueDifference]:
    """Only what may differ is read. ValueNotKept for a name that neither kept."""
    from wfnb.values import choose_values, difference, figure_png, held_states, same  # noqa: PLC0415  only to compare values
    from wfnb.views.value_differences import ValueDifference  # noqa: PLC0415  as above

    both = dict.fromkeys((*old.names, *new.names))
    asked = tuple(names)
    found, unknown = choose_values(asked, both)
    if unknown:
        raise ValueNotKept(unknown[0], tuple(both), "", "")
    for name in found if asked else both:
        places = (_place(old, name), _place(new, name))
        if None in places or places[0] == places[1]:
            yield ValueDifference.from_kept(name, old.get(name), new.get(name))
            continue
        values = [keeper.restore(kept, [name]) for kept in (old, new)]
        why = next((back.missing[0].why for back in values if back.missing), None)
        if why is not None:
            yield ValueDifference(name=name, lines=(f"cannot be read: {why}",))
            continue
        first, last = (back.values[name] for back in values)
        lines = difference(first, last) + difference(*held_states(*values))
        pictures = [figure_png(value) for value in (first, last)] if lines else []
        drawn = tuple(png for png in pictures if png)
        value = old.get(name)
        alike = value is not None and value.is_held and same(first, last)
        yield ValueDifference(name=name, lines=lines, pictures=drawn, unclear=not (lines or alike))


def _place(kept: KeptValues, name: str) -> tuple[tuple[str, ...], int] | None:
    """Where a kept value is: the same place is the same value."""
    value = kept.get(name)
    if value is None or value.group is None:
        return None
    if not 0 <= value.group < len(kept.groups):  # a journal that was changed
        return (), value.group
    return kept.groups[value.group].blobs, kept.members(value.group).index(name)
