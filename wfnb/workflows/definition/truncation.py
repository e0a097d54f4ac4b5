"""what cannot be kept as it is -> what stands for it; and the marks by which that is known later.

Of a text that is too long both ends are kept (`Cut`); for a value that JSON cannot hold stands a
text that shows it (`Printed`), and for a mapping whose keys are no texts one whose keys are
(`Rekeyed`).
What stands in such a value is no hint of it: a program may print anything. So it is of a kind of
its own; and where it goes through JSON, which knows no kinds, its mark goes beside it (`sizes`) and
makes it again what it was (`marked`). People see it; whoever would pass it on, or ask something of
it, asks first whether it is the whole (`part_in`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import count
from typing import Any

LONGEST = 200_000
"""Characters of a text that are kept: half of them from its beginning, half from its end."""
LOOKED = 2_000_000
"""Characters of a text in which conditions and patterns look before it is cut to that."""


class Cut(str):
    """Both ends of a text that had `size` characters, and a line between them that says so; `kept`
    of them are there. It stood in `field` of what `action` gave, once that is known."""

    size: int
    kept: int
    action: str
    field: str

    def __new__(
        cls, text: str, size: int = 0, kept: int = LONGEST, action: str = "", field: str = ""
    ) -> Cut:
        cut = super().__new__(cls, text)
        cut.size, cut.kept, cut.action, cut.field = size, kept, action, field
        return cut


class Printed(str):
    """A text that shows a value of a `kind` that JSON cannot hold: as DataFrame, bytes, nan."""

    kind: str

    def __new__(cls, text: str, kind: str = "") -> Printed:
        printed = super().__new__(cls, text)
        printed.kind = kind
        return printed


class Rekeyed(dict[str, Any]):
    """A mapping whose keys were no texts, and are what they are printed as; one of them was of the
    `kind`."""

    def __init__(self, items: Mapping[str, Any] = {}, kind: str = "") -> None:
        super().__init__(items)
        self.kind = kind


def joined(first: str, last: str, size: int) -> Cut:
    """A text of `size` characters of which these are the ends.

    >>> print(joined("ab", "yz", 26))
    ab
    … cut: 26 characters in all …
    yz
    """
    text = f"{first}\n… cut: {size:,} characters in all …\n{last}"
    return Cut(text, size, len(first) + len(last))


_PLAIN = frozenset((int, float, bool, type(None)))
"""Most of what tools give: nothing in it is cut."""


def shortened(value: Any, action: str, field: str = "", longest: int = LONGEST) -> Any:
    """What is kept of a value that stands in `field` of what an action gave: every text that is
    too long is Cut, and every Cut says where it stood."""
    match value:
        case Printed():
            return value
        case Cut() if value.kept <= longest:
            return Cut(value, value.size, value.kept, action, field)
        case str() if len(value) > longest:
            half = longest // 2
            size = value.size if isinstance(value, Cut) else len(value)
            return shortened(joined(value[:half], value[-half:], size), action, field, longest)
        case str():
            return value
        case dict() | Mapping():
            found: dict[str, Any] = {}
            for key, item in value.items():
                name = str(key)
                if len(name) > longest:
                    name = str(shortened(name, action))
                if name in found:
                    name = _other(name, found)
                if type(item) not in _PLAIN:
                    item = shortened(item, action, f"{field}.{key}".lstrip("."), longest)
                found[name] = item
            return Rekeyed(found, value.kind) if isinstance(value, Rekeyed) else found
        case list():
            return [
                item if type(item) in _PLAIN else shortened(item, action, f"{field}.{n}", longest)
                for n, item in enumerate(value)
            ]
        case _:
            return value


def _other(name: str, names: Container[str]) -> str:
    """A name that none of the `names` is: where keys differ only in what was cut, a number is put
    to the later one."""
    return next(other for n in count(2) if (other := f"{name} ({n})") not in names)


def sizes(value: Any) -> Any:
    """What has to be known to mark a value again: for each text that is Cut, at its place, its size
    and the rest; for one that is Printed its kind; for a mapping that is Rekeyed its kind, and what
    is in it; nothing (None) where nothing is marked.

    >>> sizes({"out": Cut("a…z", 30, 2, "look", "out"), "rows": ["b"]})
    {'out': [30, 2, 'look', 'out']}
    """
    match value:
        case dict() | Mapping():
            items: Iterable[tuple[Any, Any]] = value.items()
        case Cut():
            return [value.size, value.kept, value.action, value.field]
        case Printed():
            return value.kind
        case list():
            items = enumerate(value)
        case _:
            return None
    found = {
        str(key): size
        for key, item in items
        if type(item) not in _PLAIN and (size := sizes(item)) is not None
    }
    return [value.kind, found] if isinstance(value, Rekeyed) else found or None


def marked(value: Any, known: Any) -> Any:
    """The value that had these `sizes`, with its marks.

    >>> marked({"out": "a…z", "rows": ["b"]}, {"out": [30, 2, "look", "out"]})["out"].size
    30
    """
    match value, known:
        case _, None:
            return value
        case str(), list():
            return Cut(value, *known)
        case str(), str():
            return Printed(value, known)
        case Mapping(), [str() as kind, Mapping() as items]:
            return Rekeyed(marked(value, items), kind)
        case Mapping(), Mapping():
            return {key: marked(item, known.get(key)) for key, item in value.items()}
        case list(), Mapping():
            return [marked(item, known.get(str(n))) for n, item in enumerate(value)]
        case _:
            return value


Part = Cut | Printed | Rekeyed


def part_in(value: Any, place: str = "") -> tuple[str, Part] | None:
    """The first thing in a value that is not the whole of what was made, and where in it that is.

    >>> part_in({"rows": [1, Printed("nan", "nan")]})
    ('rows.1', 'nan')
    """
    match value:
        case Cut() | Printed() | Rekeyed():
            return place, value
        case dict() | Mapping():
            items: Iterable[tuple[Any, Any]] = value.items()
        case list() | tuple():
            items = enumerate(value)
        case _:
            return None
    for key, item in items:
        if type(item) not in _PLAIN:
            found = part_in(item, f"{place}.{key}".lstrip("."))
            if found is not None:
                return found
    return None
