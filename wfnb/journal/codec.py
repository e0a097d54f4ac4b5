"""event ⇄ row: what a journal keeps of an event, and the event it reads back, however old.

The events of sessions and those of runs are kept alike, and no name is used by both. A row's body
is JSON; fields left at their default are left out. So a new field with a default needs no new
version. Any other change of an event's fields or defaults does, and an upcaster under
`(type, version)` that makes a body of the next version from one of `version`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import wfnb.feature_slices  # noqa: F401  plugs in the slices, whose events a journal has
from wfnb.core.events import Event, Json, Recorded
from wfnb.core.extension import event_kinds
from wfnb.errors import BadText, JournalCorrupt, JournalNewer
from wfnb.interrupt_deferral import Deferral

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from wfnb.workflows.core.events import RunEvent, RunRecorded

T = TypeVar("T")

Row = tuple[int, int, str, int, str, float]
"""position, first, type, version, body, at."""

Upcaster = Callable[[dict[str, Json]], dict[str, Json]]

Writer = tuple[str, int, Callable[..., bytes], Callable[[str], Any]]
"""type, version, what makes the body of an event and what reads it."""

UPCASTERS: Mapping[tuple[str, int], Upcaster] = {}


class UnknownEvent(Exception):
    """A type or version of event that this wfnb does not know."""


class Codec:
    """Events to rows and back, through a table of upcasters."""

    def __init__(self, upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS) -> None:
        self._upcasters = upcasters
        self._kinds: dict[str, type] = {}
        self._names: dict[type, str] = {}
        self._newest: dict[str, int] = {}
        self._readers: dict[tuple[str, int], Callable[[str], Any]] = {}
        self._writers: dict[type, Writer] = {}
        self._entry: type[RunRecorded] | None = None
        self._learn(event_kinds())

    def write(
        self, events: Sequence[Event], after: int, at: float
    ) -> tuple[list[Row], list[Recorded]]:
        """Rows for the events of one command, and the events as those rows will be read.

        Raises `BadText` for an event that would not come back from JSON.
        """
        return self._write(events, after, at, Recorded)

    def write_run(
        self, events: Sequence[RunEvent], after: int, at: float
    ) -> tuple[list[Row], list[RunRecorded]]:
        """The same for the events of a run."""
        return self._write(events, after, at, self._of_runs())

    def rewrite(self, entries: Sequence[Recorded] | Sequence[RunRecorded]) -> list[Row]:
        """Rows for events that were read elsewhere, each with its position and time."""
        self._of_runs()
        rows: list[Row] = []
        for entry in entries:
            name, version, dump, _ = self._writers.get(type(entry.event)) or self._writer(
                type(entry.event)
            )
            body = dump(entry.event, exclude_defaults=True, warnings=False).decode()
            rows.append((entry.position, entry.first, name, version, body, entry.at or 0.0))
        return rows

    def read(self, rows: Iterable[Row], place: str, session: str) -> list[Recorded]:
        """The events of rows. Raises `JournalNewer`, `JournalCorrupt`, naming the first bad one."""
        return self._read(rows, place, f"session {session!r}", Recorded)

    def read_run(self, rows: Iterable[Row], place: str, run: str) -> list[RunRecorded]:
        """The same for the rows of a run."""
        return self._read(rows, place, f"run {run!r}", self._of_runs())

    def _learn(self, kinds: Mapping[str, type]) -> None:
        self._kinds.update(kinds)
        self._names.update((kind, name) for name, kind in kinds.items())
        for name in kinds:
            # The newest version is one more than the newest that has to be brought up: nobody
            # writes it down.
            older = (version for name_on_disk, version in self._upcasters if name_on_disk == name)
            self._newest[name] = max(older, default=0) + 1

    def _of_runs(self) -> type[RunRecorded]:
        """What the events of runs are kept in; with it come their kinds, when first needed."""
        if self._entry is None:
            from wfnb.workflows.core.events import (  # noqa: PLC0415  heavy: most sessions have no run
                RUN_KINDS,
                RunRecorded,
            )

            self._learn(RUN_KINDS)
            self._entry = RunRecorded
        return self._entry

    def _write(
        self, events: Sequence[object], after: int, at: float, entry: Callable[..., T]
    ) -> tuple[list[Row], list[T]]:
        rows: list[Row] = []
        recorded: list[T] = []
        first = after + 1
        with Deferral():  # pydantic makes a ValueError of an interrupt that comes while it writes
            for position, event in enumerate(events, first):
                kind = type(event)
                name, version, dump, read = self._writers.get(kind) or self._writer(kind)
                try:
                    body = dump(event, exclude_defaults=True, warnings=False).decode()
                    # Read back at once: what the session has in memory is exactly what a later
                    # process will read.
                    read_back = read(body)
                except ValueError as wrong:
                    why = f"cannot be kept as JSON ({reason(wrong)})"
                    raise BadText(f"A {name} event", why, "Nothing was recorded.") from wrong
                rows.append((position, first, name, version, body, at))
                recorded.append(entry(position=position, first=first, event=read_back, at=at))
        return rows, recorded

    def _read(
        self, rows: Iterable[Row], place: str, whose: str, entry: Callable[..., T]
    ) -> list[T]:
        recorded: list[T] = []
        readers = self._readers
        position = 0
        try:
            for position, first, name, version, body, at in rows:
                read = readers.get((name, version)) or self._reader(name, version)
                event = read(body)
                recorded.append(entry(position=position, first=first, event=event, at=at))
        except UnknownEvent as unknown:
            what = f"event {position} of {whose} is {unknown}"
            raise JournalNewer(place, what) from None
        except (LookupError, TypeError, ValueError) as wrong:
            what = f"event {position} of {whose}: {reason(wrong)}"
            raise JournalCorrupt(place, what) from wrong
        return recorded

    def _writer(self, kind: type) -> Writer:
        name = self._names[kind]
        version = self._newest[name]
        dump = self._adapter(name).serializer.to_json
        self._writers[kind] = writer = (name, version, dump, self._reader(name, version))
        return writer

    def _adapter(self, name: str) -> TypeAdapter[Any]:
        return event_shape(self._kinds[name])

    def _reader(self, name: str, version: int) -> Callable[[str], Any]:
        if known := self._readers.get((name, version)):
            return known
        newest = self._newest.get(name, 0)
        # Not guessed at: a newer wfnb may mean something else by the same fields.
        if version > newest:
            raise UnknownEvent(f"{name} version {version}")
        read: Callable[[str], Any] = self._adapter(name).validator.validate_json
        # One version at a time, so that a change needs one function and never a table of pairs.
        steps = [self._upcasters[name, old] for old in range(version, newest)]

        def read_older(body: str) -> Any:
            data = json.loads(body)
            for step in steps:
                data = step(data)
            return read(json.dumps(data))

        self._readers[name, version] = reader = read_older if steps else read
        return reader


@cache
def event_shape(kind: type) -> TypeAdapter[Any]:
    """What every journal of this process reads and writes such an event by: slow to make."""
    from pydantic import TypeAdapter  # noqa: PLC0415  heavy: only for a journal in use

    with Deferral():  # pydantic makes a SchemaError of an interrupt that comes while it reads types
        return TypeAdapter(kind)


def check_keepable(field: str, text: str | None) -> None:
    """Raises `BadText` for text that UTF-8 cannot hold."""
    try:
        (text or "").encode()
    except UnicodeEncodeError as wrong:
        why = f"cannot be kept as UTF-8 ({wrong.reason})"
        raise BadText(field, why, "Nothing was recorded.") from None


def reason(error: Exception) -> str:
    """What was wrong, in one line."""
    from pydantic import ValidationError  # noqa: PLC0415  heavy: there by now

    if not isinstance(error, ValidationError):
        return f"{type(error).__name__}: {error}"
    wrong = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, wrong["loc"]))
    return f"{where}: {wrong['msg']}" if where else wrong["msg"]


def guard_replay(place: str, work: Callable[[], T]) -> T:
    """The answer of work that goes through a history. JournalCorrupt where an event does not fit
    those before it: none that was recorded does that, but a disk may change one."""
    try:
        return work()
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        StopIteration,
        TypeError,
        ValueError,
    ) as wrong:
        raise JournalCorrupt(place, f"its rows do not fit each other: {reason(wrong)}") from wrong
