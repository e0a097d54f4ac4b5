"""fields of a result -> the same, with what JSON cannot hold kept beside them; and the way back.

A value goes from one call to the next as JSON holds it. Where JSON has only a form of it (a list
for a tuple) or a text that shows it (a frame), it is kept in the store, and the mark of its form
says where. Who takes objects is given a Handle in its place: it is read where it is used, in this
process or in another, which gets no more than the way to it. Each reader has a value of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from wfnb.errors import ValueLost
from wfnb.frozen_record import record
from wfnb.workflows.definition.truncation import (
    MAX_TEXT,
    PICKLES,
    SCALAR_TYPES,
    Cut,
    PrintedValue,
    change_items,
    is_kept,
    is_passing,
    marks_of,
    pickles_of,
    read_sources,
    restore_field,
    source_of,
)
from wfnb.workflows.definition.value_form_types import (
    Form,
    Live,
    Lost,
    Pickle,
    Reference,
    with_source,
)

MAX_VALUES = 10_000
"""Values of one field that are kept each; of more it is the field that is kept."""
_FIELDS, _MARKS = "fields", "marks"


@record
class Keep:
    """How what an action gave is kept, wherever that is. `store` is what keeps it (`Handover` of
    wfnb.values), `names` are the fields that somebody may read (None: any). What has one of the
    texts `hidden` in it is not kept."""

    store: Any
    action: str
    names: Collection[str] | None = None
    hidden: Collection[str] = ()
    namespace: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _keep, (self.store, self.action, self.names, self.hidden)

    def __call__(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields, with what they stand for kept. Values that are kept nowhere are forgotten."""
        if self.store is None:
            return forget(dict(fields))  # type: ignore[no-any-return]
        # All fields in one go, so that an object that is in two of them is pickled once.
        marked = {name: self._mark(name, value) for name, value in fields.items()}
        lives = {id(live): live for value in marked.values() for live in _lives(value)}
        found: Mapping[int, Reference | str] = {}
        if lives:
            places = self.store.keep(
                [live.value for live in lives.values()],
                namespace=self.namespace,
                hidden=self.hidden,
            )
            found = dict(zip(lives, map(self._reference, places), strict=True))
        return {name: self._with_references(value, found) for name, value in marked.items()}

    def wants(self, fields: Mapping[str, Any]) -> bool:
        """Whether something of them is to be kept."""
        return any(self._may_read(name) and is_passing(item) for name, item in fields.items())

    def _may_read(self, name: str) -> bool:
        return self.names is None or name in self.names

    def _mark(self, name: str, value: Any) -> Any:
        """A field, with `Live` sources where something is to be kept."""
        if not self._may_read(name):
            return forget(value)
        value = _long_texts(value)
        # A reference for each of 100,000 values would make the journal larger than the values.
        if sum(1 for _ in _lives(value)) > MAX_VALUES:
            whole = read_sources(value, _live_value)
            return with_source(forget(value), Live(whole))
        return value

    def _reference(self, place: tuple[Any, int] | str) -> Reference | str:
        if isinstance(place, str):
            return place
        parcel, at = place
        pickle = Pickle(
            blobs=parcel.blobs,
            signature=parcel.signature,
            environment=parcel.environment,
            action=self.action,
        )
        return Reference(pickle=pickle, at=at)

    def _with_references(self, value: Any, found: Mapping[int, Reference | str]) -> Any:
        source = source_of(value)
        if isinstance(value, dict | list):
            value = change_items(value, lambda item: self._with_references(item, found))
        if not isinstance(source, Live):
            return value
        kept = found[id(source)]
        if isinstance(kept, str):
            if _is_printed(value):
                return PrintedValue(value, value.kind, _lost(value, source, kept), kept)
            value.source = _lost(value, source, kept)
            if isinstance(value, str):  # it is cut, or will be
                value.why = kept  # type: ignore[attr-defined]
            return value
        if _is_printed(value) and value.number is None:
            return PrintedValue(self.store.says(source.value, kept.pickle), value.kind, kept)
        value.source = kept
        return value


def _keep(store: Any, action: str, names: Any, hidden: Any) -> Keep:
    return Keep(store=store, action=action, names=names, hidden=hidden)


def _long_texts(value: Any) -> Any:
    """The value, whose texts that will be cut have themselves as their source."""
    if type(value) is str and len(value) > MAX_TEXT:
        return with_source(value, Live(value))
    if isinstance(value, dict | list) and not is_kept(value):
        return change_items(value, _long_texts)
    return value


def _is_printed(value: Any) -> bool:
    return isinstance(value, PrintedValue)


def _lives(value: Any) -> Iterator[Live]:
    source = source_of(value)
    if isinstance(source, Live):
        yield source
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            if type(item) not in SCALAR_TYPES:
                yield from _lives(item)


class HandledParams(dict[str, Any]):
    """Parameters in which a Handle may stand in place of a value."""


def _live_value(part: Any) -> Any:
    return part.source.value


def forget(value: Any) -> Any:
    """A value that knows of what is kept nowhere no more than its type."""
    if isinstance(value, dict | list):
        value = change_items(value, forget)
    source = source_of(value)
    if isinstance(source, Live):
        value.source = _lost(value, source)
    return value


def _lost(value: Any, source: Live, why: str = "") -> Lost | None:
    """What a form knows of its value that is not kept. A text is all of it, or is cut; one that
    shows a value says so itself."""
    number = isinstance(value, PrintedValue) and value.number is not None
    form = isinstance(value, Form) and type(source.value) is not str
    return source.lost(why) if form or number else None


# to another process, and back


def call_marked(
    keep: Keep | None, function: Callable[..., Mapping[str, Any]], *args: Any
) -> dict[str, Any]:
    """What a function gives in another process, as it goes through JSON to who asked for it."""
    fields = function(*args)
    fields = forget(dict(fields)) if keep is None else keep(fields)
    return {_FIELDS: fields, _MARKS: marks_of(fields=fields)}


def restore_answer(keep: Keep | None, answer: Mapping[str, Any]) -> dict[str, Any]:
    """What it gave. What it has kept is ours: we asked for it."""
    marks = dict(answer.get(_MARKS, {}))
    if keep is not None and PICKLES in marks:
        # The other process has no key to sign with.
        signed = (replace(each, signature=keep.store.sign(each)) for each in pickles_of(marks))
        marks[PICKLES] = [asdict(each) for each in signed]
    return dict(restore_field(answer[_FIELDS], marks, _FIELDS))


# to who reads it


class Reading:
    """The values of a pickle, read once by one call: in whichever process that asks for them."""

    def __init__(
        self, store: Any, pickle: Pickle, namespace: Any = None, here: bool = False
    ) -> None:
        self._store, self._pickle, self._namespace = store, pickle, namespace
        self._here = here
        self._values: Sequence[Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Reading, (self._store, self._pickle)

    def __call__(self) -> Sequence[Any]:
        """Raises ValueLost."""
        if self._values is None:
            try:
                self._values = self._store.read(
                    self._pickle, namespace=self._namespace, believed=not self._here
                )
            except Exception as error:
                raise ValueLost(self._pickle.action, str(error)) from None
        return self._values


class Handle:
    """Stands for a value until it is used; `form` is what JSON has of it."""

    def __init__(self, reading: Reading, at: int, form: Any) -> None:
        self._reading, self._at, self.form = reading, at, form

    def __reduce__(self) -> tuple[Any, ...]:
        return _value, (self._reading, self._at)

    @property
    def value(self) -> Any:
        return self._reading()[self._at]


def _value(reading: Reading, at: int) -> Any:
    return reading()[at]


def with_handles(
    params: Mapping[str, Any],
    store: Any,
    namespace: Any,
    takes: Callable[[str], bool] = lambda name: True,
    away: bool = False,
) -> HandledParams:
    """The parameters with a Handle for each mark where the tool `takes` objects, and the whole of
    each text that was cut. `away`: they may be read in another process, which asks nobody whether
    they are the user's. Raises ValueLost."""
    readings: dict[tuple[str, ...], Reading] = {}

    def handle(part: Any) -> Handle:
        pickle, at = part.source.pickle, part.source.at
        # One reading for all values of a pickle: what they share is shared again. With its buffers:
        # two arrays of one shape have the same pickle, and their numbers beside it.
        if pickle.blobs not in readings:
            if away and (why := store.obstacle(pickle)):
                raise ValueLost(pickle.action, why)
            readings[pickle.blobs] = Reading(store, pickle, namespace, here=True)
        return Handle(readings[pickle.blobs], at, part)

    def read(part: Any) -> Any:
        found = handle(part)
        return found.value if isinstance(part, Cut) else found

    return HandledParams(
        (name, read_sources(value, read, texts_only=not takes(name)))
        for name, value in params.items()
    )


def with_values(value: Any) -> Any:
    """A value with what its handles stand for. Raises ValueLost."""
    return _change_handles(value, lambda handle: handle.value)


def with_forms(value: Any) -> Any:
    """A value with the forms that JSON has in place of its handles."""
    return _change_handles(value, lambda handle: handle.form)


def with_ways(value: Any, handles: Iterable[Handle]) -> Any:
    """A value with handles in place of what they stand for, to be taken elsewhere."""
    known = {id(handle.value): handle for handle in handles}

    def change(value: Any) -> Any:
        if id(value) in known:
            return known[id(value)]
        return change_items(value, change) if type(value) in (dict, list) else value

    return change(value)


def handles_in(value: Any) -> list[Handle]:
    found: list[Handle] = []
    _change_handles(value, lambda handle: found.append(handle) or handle)  # type: ignore[func-returns-value]
    return found


def _change_handles(value: Any, change: Callable[[Handle], Any]) -> Any:
    if isinstance(value, Handle):
        return change(value)
    if type(value) in (dict, list):
        return change_items(value, lambda item: _change_handles(item, change))
    return value
