"""what cannot be kept as it is -> what stands for it; and the marks by which that is known later.

Of a text that is too long both ends are kept (`Cut`); for a value that JSON cannot hold stands a
text that shows it (`PrintedValue`), and for a mapping whose keys are no texts one whose keys are
(`TextKeyDict`).
What stands in such a value is no hint of it: a program may print anything. So it is of a kind of
its own; and where it goes through JSON, which knows no kinds, its mark goes beside it (`sizes`) and
makes it again what it was (`restore_marks`). People see it; whoever would pass it on, or ask
something of it, asks first whether it is the whole (`part_in`).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from itertools import count
from typing import Any

LONGEST = 200_000
"""Characters of a text that are kept: half of them from its beginning, half from its end."""
INVALID = "_invalid"
"""After a field's name: the field that counts where bytes of it were no UTF-8."""
LOOKED = 2_000_000
"""Characters of a text in which conditions and patterns look before it is cut to that."""

TWO_KEYS = "value under two keys"
"""The kind of what stands under a text that two keys of a mapping are printed as."""


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


class PrintedValue(str):
    """A text that shows a value of a `kind` that JSON cannot hold: as DataFrame, bytes, nan."""

    kind: str

    def __new__(cls, text: str, kind: str = "") -> PrintedValue:
        printed = super().__new__(cls, text)
        printed.kind = kind
        return printed


class TextKeyDict(dict[str, Any]):
    """A mapping whose keys were no texts, and are what they are printed as; one of them was of the
    `kind`."""

    def __init__(self, items: Mapping[str, Any] = {}, kind: str = "") -> None:
        super().__init__(items)
        self.kind = kind


def join_ends(first: str, last: str, size: int) -> Cut:
    """A text of `size` characters of which these are the ends.

    >>> print(join_ends("ab", "yz", 26))
    ab
    … cut: 26 characters in all …
    yz
    """
    text = f"{first}\n… cut: {size:,} characters in all …\n{last}"
    return Cut(text, size, len(first) + len(last))


_PLAIN = frozenset((int, float, bool, type(None)))
"""Most of what tools give: nothing in it is cut."""


def shorten_value(value: Any, action: str, field: str = "", longest: int = LONGEST) -> Any:
    """What is kept of a value that stands in `field` of what an action gave: every text that is
    too long is Cut, and every Cut says where it stood."""
    match value:
        case PrintedValue():
            return value
        case Cut() if value.kept <= longest:
            return Cut(value, value.size, value.kept, action, field)
        case str() if len(value) > longest:
            half = longest // 2
            size = value.size if isinstance(value, Cut) else len(value)
            return shorten_value(
                join_ends(value[:half], value[-half:], size), action, field, longest
            )
        case str():
            return value
        case dict() | Mapping():
            found: dict[str, Any] = {}
            for key, item in value.items():
                name = str(key)
                if len(name) > longest:
                    name = str(shorten_value(name, action))
                if name in found:
                    name = _other(name, found)
                if type(item) not in _PLAIN:
                    item = shorten_value(item, action, f"{field}.{key}".lstrip("."), longest)
                found[name] = item
            return TextKeyDict(found, value.kind) if isinstance(value, TextKeyDict) else found
        case list():
            return [
                item
                if type(item) in _PLAIN
                else shorten_value(item, action, f"{field}.{n}", longest)
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
    and the rest; for a PrintedValue its kind; for a TextKeyDict its kind, and what is in it;
    nothing (None) where nothing is marked.

    >>> sizes({"out": Cut("a…z", 30, 2, "look", "out"), "rows": ["b"]})
    {'out': [30, 2, 'look', 'out']}
    """
    match value:
        case dict() | Mapping():
            items: Iterable[tuple[Any, Any]] = value.items()
        case Cut():
            return [value.size, value.kept, value.action, value.field]
        case PrintedValue():
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
    return [value.kind, found] if isinstance(value, TextKeyDict) else found or None


def restore_marks(value: Any, known: Any) -> Any:
    """The value that had these `sizes`, with its marks.

    >>> restore_marks({"out": "a…z", "rows": ["b"]}, {"out": [30, 2, "look", "out"]})["out"].size
    30
    """
    match value, known:
        case _, None:
            return value
        case str(), list():
            return Cut(value, *known)
        case str(), str():
            return PrintedValue(value, known)
        case Mapping(), [str() as kind, Mapping() as items]:
            return TextKeyDict(restore_marks(value, items), kind)
        case Mapping(), Mapping():
            return {key: restore_marks(item, known.get(key)) for key, item in value.items()}
        case list(), Mapping():
            return [restore_marks(item, known.get(str(n))) for n, item in enumerate(value)]
        case _:
            return value


Part = Cut | PrintedValue | TextKeyDict


def part_in(value: Any, place: str = "") -> tuple[str, Part] | None:
    """The first thing in a value that is not the whole of what was made, and where in it that is.

    >>> part_in({"rows": [1, PrintedValue("nan", "nan")]})
    ('rows.1', 'nan')
    """
    match value:
        case Cut() | PrintedValue() | TextKeyDict():
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
