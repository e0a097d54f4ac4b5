"""where a notebook is, a word -> the answer from its journal; where there is none, why."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from wfnb.errors import JournalError, JournalLocked, NothingRecorded
from wfnb.identity.session_resolver import SessionMatch

from .history_queries import WORDS, Arguments, BadQuery, search, snapshot
from .session_location import Location
from .session_reader import Reader

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

SESSIONS, NOTEBOOKS = 16, 200
"""So many stay known: those that were looked at last."""
NOTHING = "This notebook has no history yet. `%%step` in a cell begins one."
ELSEWHERE = (
    "The history that this notebook names is in no folder of this server. Its kernel looks "
    "further, and begins a new one where it finds none."
)
_LOCKED = "{} is locked by another process. The history is shown as soon as it can be read."


class NotebookHistories:
    """The sessions of one server. Every method may be called from any thread."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._readers: Recent[tuple[str, int, int], Reader] = Recent(SESSIONS)
        self._locations: Recent[tuple[str, str | None], Location] = Recent(NOTEBOOKS)

    def answer(self, word: str, path: str, uid: str | None, given: Arguments) -> Any:
        """What a kernel of the notebook would answer; `uid` is what its metadata name. Where there
        is no history to see, a snapshot is `gone`, and every other word raises. OutsideRoot,
        BadQuery, WfnbError."""
        words = ("snapshot", "search", *WORDS)
        if word not in words:
            raise BadQuery(f"Nobody can ask this here. Words: {', '.join(words)}.")
        location = Location(self._root, path)  # anew: a link may lead elsewhere by now
        known = self._locations.get((path, uid), lambda: location)
        if known.home.path == location.home.path:
            location = known
        self._locations.put((path, uid), location)
        if word == "search":
            return search(location, given)
        try:
            found = location.session(uid)
            reader = None if found is None else self._reader(found)
            if found is None or reader is None:
                if word == "snapshot":
                    says = NOTHING if uid is None else ELSEWHERE
                    return {"kind": "gone", "says": says, "empty": True}
                raise NothingRecorded(word)
            reader.look()
            if word == "snapshot":
                return snapshot(reader, given, location.notebook, found.note)
            return WORDS[word](reader, given)
        except JournalError as error:
            if word != "snapshot":
                raise
            locked = isinstance(error, JournalLocked)
            says = _LOCKED.format(location.home.journal.place) if locked else str(error)
            return {"kind": "gone", "says": says}

    def _reader(self, found: SessionMatch) -> Reader | None:
        """JournalError."""
        journal, info = found.home.journal, found.info
        try:
            key = (journal.place, Path(journal.place).stat().st_ino, info.id)
        except OSError:  # removed just now
            return None
        reader = self._readers.get(key, lambda: Reader(journal, info.id))
        if reader.session.position > info.events:  # the file was replaced in its place
            reader = Reader(journal, info.id)
        self._readers.put(key, reader)
        return reader


class Recent(Generic[K, V]):
    """The values that were used last, by their keys."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K, make: Callable[[], V]) -> V:
        with self._lock:
            found = self._values.get(key)
        return make() if found is None else found

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)


@cache
def notebook_histories(root: Path) -> NotebookHistories:
    """That of the server whose notebooks are in this folder."""
    return NotebookHistories(root)
