"""a text that is too long to be kept -> both its ends; and the marks by which that is known later.

What stands in such a text is no hint of it: a program may print anything. So the text itself is of
a kind of its own, `Cut`; and where it goes through JSON, which knows no kinds, its size goes beside
it (`sizes`) and makes it again what it was (`marked`).
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
            return found
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
    """What has to be known to mark the texts of a value again: for each that is Cut, at its place,
    its size and the rest; nothing (None) where none is.

    >>> sizes({"out": Cut("a…z", 30, 2, "look", "out"), "rows": ["b"]})
    {'out': [30, 2, 'look', 'out']}
    """
    match value:
        case dict() | Mapping():
            items: Iterable[tuple[Any, Any]] = value.items()
        case Cut():
            return [value.size, value.kept, value.action, value.field]
        case list():
            items = enumerate(value)
        case _:
            return None
    found = {
        str(key): size
        for key, item in items
        if type(item) not in _PLAIN and (size := sizes(item)) is not None
    }
    return found or None


def marked(value: Any, known: Any) -> Any:
    """The value that had these `sizes`, with its texts marked.

    >>> marked({"out": "a…z", "rows": ["b"]}, {"out": [30, 2, "look", "out"]})["out"].size
    30
    """
    match value, known:
        case _, None:
            return value
        case str(), list():
            return Cut(value, *known)
        case Mapping(), Mapping():
            return {key: marked(item, known.get(key)) for key, item in value.items()}
        case list(), Mapping():
            return [marked(item, known.get(str(n))) for n, item in enumerate(value)]
        case _:
            return value


def cut_in(value: Any) -> Cut | None:
    """The first text in a value that is Cut."""
    match value:
        case Cut():
            return value
        case Mapping():
            return _first(value.values())
        case list() | tuple():
            return _first(value)
        case _:
            return None


def _first(items: Iterable[Any]) -> Cut | None:
    return next((found for item in items if (found := cut_in(item)) is not None), None)
