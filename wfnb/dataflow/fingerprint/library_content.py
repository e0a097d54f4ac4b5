"""classes of libraries -> what of their objects is content, though it lies in others of theirs.

A tree of tags, of which each tag holds those below it; the pixels of a picture, which C holds. Who
changes a tag, or draws, does so through another object than the one that was read: the tree and the
picture have to show it. What a tag has above and beside it is content of the tree, and not its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from .builtin_and_stdlib_types import sample_starts
from .introspection import attributes, mro, name_of
from .walk_state import Walk

_ELEMENTS: Final = frozenset[str]()
NODES: Final[Mapping[str, frozenset[str]]] = {
    "bs4.element.AttributeDict": _ELEMENTS,
    "bs4.element.AttributeValueList": _ELEMENTS,
    "bs4.element.PageElement": frozenset(("name", "prefix", "attrs", "contents")),
    "xml.dom.minicompat.NodeList": _ELEMENTS,
    "xml.dom.minidom.Node": frozenset(
        ("nodeName", "tagName", "_attrs", "_value", "_data", "data", "target", "childNodes")
    ),
}
"""By the names of classes: the attributes that are content of their objects, beside what these have
as a text, a list or a dict."""


CACHES: Final[Mapping[str, frozenset[str]]] = {"logging.Logger": frozenset(("_cache",))}
"""By the names of classes: attributes that are filled when their objects are asked something."""


def caches_of(kind: type) -> Iterator[str]:
    for base in mro(kind):
        yield from CACHES.get(name_of(base), ())


def attributes_of_node(kind: type) -> frozenset[str] | None:
    """Those of a class whose objects make trees; None of any other."""
    names = (NODES.get(name_of(base)) for base in mro(kind))
    return next((found for found in names if found is not None), None)


def node_parts(
    value: Any, names: frozenset[str], members: Iterable[tuple[str, Callable[[Any], Any]]]
) -> Iterator[Any]:
    """The content of an object that is in a tree; `members` are its slots."""
    held = dict(attributes(value) or {})
    for name, read in members:
        with suppress(AttributeError):  # nothing is in it
            held[name] = read(value)
    for name in sorted(names & held.keys()):
        part = held[name]
        # An empty dict is made when somebody asks for it first.
        if part is not None and (type(part) is not dict or part):
            yield from (name, part)


def _pixels(walk: Walk, value: Any) -> None:
    """A picture. One that is not read from its file yet has none."""
    held = attributes(value) or {}
    if held.get("_im", held.get("im")) is None or held.get("tile"):
        walk.miss()
        return
    width, height = value.size
    if len(value.getbands()) * 4 * width * height <= walk.whole:
        walk.data(value.tobytes())
        return
    walk.sample()
    for row in sample_starts(height, 1):
        walk.data(value.crop((0, row, width, row + 1)).tobytes())


def pixels_of(kind: type) -> Callable[[Walk, Any], None] | None:
    """Writes the pixels of objects of a class; None where these have none."""
    return _pixels if any(name_of(base) == "PIL.Image.Image" for base in mro(kind)) else None
