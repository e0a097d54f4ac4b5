"""what cannot be kept as it is -> what stands for it; and the marks by which that is known later.

Of a text that is too long both ends are kept (`Cut`); for a value that JSON cannot hold stands a
text that shows it (`PrintedValue`), and for a mapping whose keys are no texts one whose keys are
(`TextKeyDict`). Some values have a form in JSON that is not all of them, as a tuple has a list
(`Form`). All of them may have a `source`: where the value itself is.
What stands in such a value is no hint of it: a program may print anything. So it is of a kind of
its own; and where it goes through JSON, which knows no kinds, its mark goes beside it (`sizes`) and
makes it again what it was (`restore_marks`). People see it; whoever would pass it on, or ask
something of it, asks first whether it is the whole (`part_in`).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import count
from typing import Any

from .value_form_types import Form, Live, Lost, Pickle, Reference, Source, with_source

MAX_TEXT = 200_000
"""Characters of a text that are kept: half of them from its beginning, half from its end."""
INVALID = "_invalid"
"""After a field's name: the field that counts where bytes of it were no UTF-8."""
PICKLES = "pickles"
"""Among the marks of an event's fields: where its values are kept that JSON cannot hold."""
LOOKED = 2_000_000
"""Characters of a text in which conditions and patterns look before it is cut to that."""

_NUMBERS = ("nan", "inf")
TWO_KEYS = "value under two keys"
"""The kind of what stands under a text that two keys of a mapping are printed as."""


class Cut(str):
    """Both ends of a text that had `size` characters, and a line between them that says so; `kept`
    of them are there. It stood in `field` of what `action` gave, once that is known. `why` says why
    the whole text is not kept beside it, where that is not its size."""

    size: int
    kept: int
    action: str
    field: str
    source: Source | None
    why: str

    @property
    def seam(self) -> str:
        """The line that stands where a part is missing."""
        return _seam(self.size)

    @property
    def least(self) -> int:
        """How long it is at least without the line breaks at its end."""
        return len(self.partition(self.seam)[0].rstrip("\r\n"))

    # `str` is made by `__new__`; all have defaults, as copying and pickling call it with the text
    # alone.
    def __new__(
        cls,
        text: str,
        size: int = 0,
        kept: int = MAX_TEXT,
        action: str = "",
        field: str = "",
        source: Source | None = None,
        why: str = "",
    ) -> Cut:
        cut = super().__new__(cls, text)
        cut.size, cut.kept, cut.action, cut.field = size, kept, action, field
        cut.source, cut.why = source, why
        return cut


class Joined(Cut):
    """A text into which texts were filled that are Cut: its `parts`, in order, each with what is
    done to it when it is there as a whole."""

    parts: tuple[tuple[str, Callable[[str], str]], ...] = ()


class WholeText(str):
    """All of a text, for conditions and patterns; what is kept of it is its `cut`."""

    cut: Cut

    @property
    def source(self) -> Source | None:
        return self.cut.source

    @source.setter
    def source(self, source: Source | None) -> None:
        self.cut.source = source

    @property
    def why(self) -> str:
        return self.cut.why

    @why.setter
    def why(self, why: str) -> None:
        self.cut.why = why


class PrintedValue(str):
    """A text that shows a value of a `kind` that JSON cannot hold: as DataFrame, bytes, nan. `why`
    says why the value itself is not kept, in words that follow its name."""

    kind: str
    source: Source | None
    why: str

    def __new__(
        cls, text: str, kind: str = "", source: Source | None = None, why: str = ""
    ) -> PrintedValue:
        printed = super().__new__(cls, text)
        printed.kind, printed.source, printed.why = kind, source, why
        return printed

    @property
    def number(self) -> float | None:
        """The number that its text says, where it is one that JSON does not have."""
        return float(self) if self.kind in _NUMBERS else None


class TextKeyDict(dict[str, Any]):
    """A mapping whose keys were no texts, and are what they are printed as; one of them was of the
    `kind`."""

    def __init__(
        self, items: Mapping[str, Any] = {}, kind: str = "", source: Source | None = None
    ) -> None:
        super().__init__(items)
        self.kind, self.source = kind, source


def join_ends(first: str, last: str, size: int) -> Cut:
    """A text of `size` characters of which these are the ends.

    >>> print(join_ends("ab", "yz", 26))
    ab
    … cut: 26 characters in all …
    yz
    """
    return Cut(f"{first}\n{_seam(size)}\n{last}", size, len(first) + len(last))


def _seam(size: int) -> str:
    return f"… cut: {size:,} characters in all …"


def with_whole_texts(value: Any) -> Any:
    """The value, in which each text that was cut, and is here as a whole, is the whole one, or has
    the ends in which conditions look."""
    match value:
        case Cut(source=Live(value=str() as text)) if len(text) <= LOOKED:
            whole = WholeText(text)
            whole.cut = value
            return whole
        case Cut(source=Live(value=str() as text)):
            half = LOOKED // 2
            ends = join_ends(text[:half], text[-half:], value.size)
            ends.source, ends.why = value.source, value.why
            return ends
        case dict() | list():
            return change_items(value, with_whole_texts)
        case _:
            return value


SCALAR_TYPES = frozenset((int, float, bool, type(None)))
"""Most of what tools give: nothing in it is marked, or cut."""
UNMARKED = SCALAR_TYPES | {str}
"""With a text that is no more than that, which may be cut."""


def shorten_value(value: Any, action: str, field: str = "", longest: int = MAX_TEXT) -> Any:
    """What is kept of a value that stands in `field` of what an action gave: every text that is
    too long is Cut, and every Cut says where it stood."""
    match value:
        case PrintedValue():
            return value
        case WholeText():
            return value if longest == LOOKED else shorten_value(value.cut, action, field, longest)
        # Cut already and short enough: it is not cut twice, only learns where it stood.
        case Cut() if value.kept <= longest:
            return Cut(value, value.size, value.kept, action, field, value.source, value.why)
        case str() if len(value) > longest:
            half = longest // 2
            size = value.size if isinstance(value, Cut) else len(value)
            ends = join_ends(value[:half], value[-half:], size)
            ends.source, ends.why = source_of(value), getattr(value, "why", "")
            return shorten_value(ends, action, field, longest)
        case str():
            return value
        case dict() | Mapping():
            shortened: dict[str, Any] = {}
            for key, item in value.items():
                name = str(key)
                if len(name) > longest:
                    name = str(shorten_value(name, action))
                # Two keys may be the same once they are texts (1 and "1"), or once they are cut.
                if name in shortened:
                    name = _other(name, shortened)
                # Lists of a million numbers are usual: no call for each of them.
                if type(item) not in SCALAR_TYPES:
                    item = shorten_value(item, action, f"{field}.{key}".lstrip("."), longest)
                shortened[name] = item
            if isinstance(value, TextKeyDict):
                return TextKeyDict(shortened, value.kind, value.source)
            return shortened if type(value) is dict else with_source(shortened, source_of(value))
        case list():
            items = [
                item
                if type(item) in SCALAR_TYPES
                else shorten_value(item, action, f"{field}.{n}", longest)
                for n, item in enumerate(value)
            ]
            return with_source(items, source_of(value))
        case _:
            return value


def _other(name: str, names: Container[str]) -> str:
    """A name that none of the `names` is: where keys differ only in what was cut, a number is put
    to the later one."""
    return next(other for n in count(2) if (other := f"{name} ({n})") not in names)


def sizes(value: Any, pickles: list[Pickle] | None = None) -> Any:
    """What has to be known to mark a value again: for each text that is Cut, at its place, its size
    and the rest; for a PrintedValue its kind; for a TextKeyDict its kind, and what is in it; for a
    Form what is in it; nothing (None) where nothing is marked. Where one is kept somewhere, that
    goes with it: its place in one of the `pickles`, to which that is added.

    >>> sizes({"out": Cut("a…z", 30, 2, "look", "out"), "rows": ["b"]})
    {'out': [30, 2, 'look', 'out']}
    """
    source = getattr(value, "source", None)
    where = [] if pickles is None or source is None else _where(source, pickles)
    match value:
        case dict() | Mapping():
            items: Iterable[tuple[Any, Any]] = value.items()
        case Cut():
            about = [value.size, value.kept, value.action, value.field]
            return [*about, *_with_reason(where, value.why)]
        case PrintedValue():
            more = _with_reason(where, value.why)
            return [value.kind, *more] if more else value.kind
        case list():
            items = enumerate(value)
        case _:
            return [None, None, *where] if where else None
    inner = {
        str(key): size
        for key, item in items
        if type(item) not in UNMARKED and (size := sizes(item, pickles)) is not None
    }
    if isinstance(value, TextKeyDict):
        return [value.kind, inner, *where]
    return [None, inner, *where] if where else inner or None


def _with_reason(where: list[Any], why: str) -> list[Any]:
    return [*(where or [None]), why] if why else where


def _where(source: Source, pickles: list[Pickle]) -> list[list[Any]]:
    if isinstance(source, Lost):
        return [[source.kind, source.why]]
    if not isinstance(source, Reference):
        return []
    # Nearly always it is the last one, and looking through a long list for each value adds up.
    if source.pickle not in pickles[-1:]:
        if source.pickle in pickles:
            return [[pickles.index(source.pickle), source.at]]
        pickles.append(source.pickle)
    return [[len(pickles) - 1, source.at]]


def restore_marks(value: Any, marks: Any, pickles: list[Pickle] | None = None) -> Any:
    """The value that had these `sizes`, with its marks.

    >>> restore_marks({"out": "a…z", "rows": ["b"]}, {"out": [30, 2, "look", "out"]})["out"].size
    30
    """

    def source(where: Any) -> Source | None:
        if where and isinstance(where[0], str):
            return Lost(kind=where[0], why=where[1])
        return Reference(pickle=pickles[where[0]], at=where[1]) if where and pickles else None

    match value, marks:
        case _, None:
            return value
        case _, [None, items, where]:
            form = restore_marks(value, items, pickles)
            return with_source(form, source(where))
        # Marks are read as any version wrote them: what came later in the list may be missing.
        case str(), [int(), *_]:
            size, kept, action, field, where, why = [*marks, None, None][:6]
            return Cut(value, size, kept, action, field, source(where), why or "")
        case str(), [str() as kind, *more]:
            where, why = [*more, None, None][:2]
            return PrintedValue(value, kind, source(where), why or "")
        case str(), str():
            return PrintedValue(value, marks)
        case Mapping(), [str() as kind, Mapping() as items, *more]:
            restored = restore_marks(value, items, pickles)
            return TextKeyDict(restored, kind, source(next(iter(more), None)))
        case Mapping(), Mapping():
            return {
                key: restore_marks(item, marks.get(key), pickles) for key, item in value.items()
            }
        case list(), Mapping():
            return [restore_marks(item, marks.get(str(n)), pickles) for n, item in enumerate(value)]
        case _:
            return value


def marks_of(**fields: Any) -> dict[str, Any]:
    """The `sizes` of fields of an event, by the field, and under `pickles` those that have what is
    kept of them."""
    pickles: list[Pickle] = []
    marks: dict[str, Any] = sizes(fields, pickles) or {}
    return {**marks, PICKLES: [asdict(each) for each in pickles]} if pickles else marks


def restore_field(value: Any, marks: Mapping[str, Any], field: str) -> Any:
    """A field of an event that has these `marks_of` its fields."""
    mark = marks.get(field)
    return value if mark is None else restore_marks(value, mark, pickles_of(marks))


def pickles_of(marks: Mapping[str, Any]) -> list[Pickle]:
    """Those that have what is kept of an event's fields."""
    return [Pickle.of(each) for each in marks.get(PICKLES, ())]


Part = Cut | PrintedValue | TextKeyDict | Form


def part_in(value: Any, place: str = "") -> tuple[str, Part] | None:
    """The first thing in a value that is not the whole of what was made, and where in it that is.

    >>> part_in({"rows": [1, PrintedValue("nan", "nan")]})
    ('rows.1', 'nan')
    """
    return next(parts_in(value, place), None)


def parts_in(value: Any, place: str = "", ours: bool = False) -> Iterator[tuple[str, Part]]:
    """All of them. `ours`: but those that can be read as a whole, and what is in such; and forms of
    what is kept nowhere."""
    if ours and is_readable(value):
        return
    match value:
        case Form(source=Lost()) if ours:
            yield place, value
            return
        case Cut() | PrintedValue() | TextKeyDict():
            yield place, value
            return
        case dict() | Mapping():
            items: Iterable[tuple[Any, Any]] = value.items()
        case list() | tuple():
            items = enumerate(value)
        case _:
            return
    for key, item in items:
        if type(item) not in UNMARKED:
            yield from parts_in(item, f"{place}.{key}".lstrip("."), ours)


def source_of(value: Any) -> Source | None:
    """Where the value itself is that a part of a result stands for."""
    return getattr(value, "source", None) if type(value) not in SCALAR_TYPES else None


def is_passing(value: Any) -> bool:
    """Whether something of it is to be kept, or forgotten, before it is recorded."""
    if isinstance(getattr(value, "source", None), Live):
        return True
    if isinstance(value, str):
        return len(value) > MAX_TEXT
    if not isinstance(value, dict | list):
        return False
    items = value.values() if isinstance(value, dict) else value
    return any(is_passing(item) for item in items if type(item) not in SCALAR_TYPES)


def is_kept(value: Any) -> bool:
    """Whether the value itself can be had that a part of a result stands for."""
    return isinstance(source_of(value), Live | Reference)


def is_readable(part: Any) -> bool:
    """Whether a part can be made the whole of what it stands for."""
    if isinstance(part, Joined):
        return True
    number = isinstance(part, PrintedValue) and part.number is not None and part.source is None
    return number or is_kept(part)


def read_sources(value: Any, read: Callable[[Any], Any], texts_only: bool = False) -> Any:
    """The value with what its parts stand for, which `read` gives of a part. `texts_only`: of texts
    that were cut."""
    match value:
        case Joined():
            texts = ((read_sources(part, read), change) for part, change in value.parts)
            return "".join(change(text) for text, change in texts)
        case _ if is_kept(value) and (isinstance(value, Cut) or not texts_only):
            return read(value)
        case PrintedValue() if is_readable(value) and not texts_only:
            return value.number
        case dict() | list():
            return change_items(value, lambda item: read_sources(item, read, texts_only))
        case _:
            return value


def change_items(value: Any, change: Callable[[Any], Any]) -> Any:
    """A list or a mapping with its items changed, marked as before; itself, where none is."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    new = {key: item if type(item) in SCALAR_TYPES else change(item) for key, item in pairs}
    # The same object where nothing changed: what has marks keeps them, and large results are not
    # copied.
    if all(new[key] is item for key, item in pairs):
        return value
    if isinstance(value, TextKeyDict):
        return TextKeyDict(new, value.kind, value.source)
    return with_source(new if isinstance(value, dict) else [*new.values()], source_of(value))
