"""events ⇄ memory: a journal that ends with its process, and otherwise keeps all promises."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from wfnb.core.events import Event, Recorded, StepAdded
from wfnb.errors import SessionExists

from .codec import Codec
from .protocol import SessionInfo, archive_name, no_session, out_of_step


@dataclass
class Kept:
    name: str
    started: float
    changed: float
    archived: bool = False
    recorded: list[Recorded] = field(default_factory=list)


class MemoryJournal:
    """A `Journal` for tests and scratch sessions. Events go through JSON here too, so that a
    session in memory is the same as one read from disk."""

    def __init__(self, *, clock: Callable[[], float] = time.time, codec: Codec | None = None):
        self.place = "memory"
        self._clock = clock
        self._codec = codec or Codec()
        self._sessions: list[Kept] = []
        self._lock = Lock()

    def sessions(self) -> list[SessionInfo]:
        with self._lock:
            return [
                SessionInfo(
                    id=id,
                    name=kept.name,
                    archived=kept.archived,
                    events=len(kept.recorded),
                    started=kept.started,
                    changed=kept.changed,
                )
                for id, kept in enumerate(self._sessions, 1)
            ]

    def find(self, name: str) -> int | None:
        with self._lock:
            return self._id(name)

    def create(
        self, name: str, events: Sequence[Event], fresh: bool = False
    ) -> tuple[int, list[Recorded]]:
        now = float(self._clock())
        _, recorded = self._codec.write(events, 0, now)
        with self._lock:
            there = self._id(name)
            if there and fresh:
                self._archive(self._kept(there))
            elif there:
                steps = [r for r in self._kept(there).recorded if isinstance(r.event, StepAdded)]
                raise SessionExists(name, len(steps))
            self._sessions.append(Kept(name, now, now, recorded=[*recorded]))
            return len(self._sessions), recorded

    def read(self, session: int, after: int = 0) -> list[Recorded]:
        with self._lock:
            return self._kept(session).recorded[max(after, 0) :]

    def append(self, session: int, events: Sequence[Event], after: int) -> list[Recorded]:
        now = float(self._clock())
        _, recorded = self._codec.write(events, after, now)
        with self._lock:
            kept = self._kept(session)
            if len(kept.recorded) != after:
                raise out_of_step(self.place, kept.name, len(kept.recorded), after)
            kept.recorded += recorded
            kept.changed = now
            return recorded

    def archive(self, session: int) -> str:
        with self._lock:
            return self._archive(self._kept(session))

    def _archive(self, kept: Kept) -> str:
        if not kept.archived:
            kept.name = archive_name(kept.name, lambda name: self._id(name) is not None)
            kept.archived = True
        return kept.name

    def close(self) -> None:
        """Nothing is held."""

    def _id(self, name: str) -> int | None:
        ids = (id for id, kept in enumerate(self._sessions, 1) if kept.name == name)
        return next(ids, None)

    def _kept(self, session: int) -> Kept:
        if not 0 < session <= len(self._sessions):
            raise no_session(self.place, session)
        return self._sessions[session - 1]
