"""events ⇄ memory: a journal that ends with its process, and otherwise keeps all promises."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from secrets import token_hex
from threading import Lock
from types import EllipsisType
from typing import TYPE_CHECKING

from wfnb.core.events import Event, Recorded, SessionRenamed, StepAdded
from wfnb.errors import SessionExists

from .codec import Codec, check_keepable
from .protocol import (
    RunInfo,
    SessionInfo,
    archive_name,
    no_run,
    no_session,
    out_of_step,
    paths_text,
)

if TYPE_CHECKING:
    from wfnb.workflows.core.events import RunEvent, RunRecorded


@dataclass
class SessionRecord:
    name: str
    started: float
    changed: float
    archived: bool = False
    recorded: list[Recorded] = field(default_factory=list)
    notebook: str | None = None
    shared: tuple[str, ...] = ()
    uid: str = field(default_factory=lambda: token_hex(8))


@dataclass
class KeptRun:
    info: RunInfo
    recorded: list[RunRecorded]


class MemoryRuns:
    """The runs of a journal in memory."""

    def __init__(self, *, clock: Callable[[], float] = time.time, codec: Codec | None = None):
        self.place = "memory"
        self._clock = clock
        self._codec = codec or Codec()
        self._sessions: list[SessionRecord] = []
        self._runs: list[KeptRun] = []
        self._numbers: Counter[tuple[int, str]] = Counter()
        self._lock = Lock()

    def begin_run(
        self,
        session: int,
        workflow: str,
        events: Sequence[RunEvent],
        *,
        step: int | None = None,
        parent: int | None = None,
        process: str | None = None,
    ) -> tuple[RunInfo, list[RunRecorded]]:
        check_keepable("A workflow's name", workflow)
        check_keepable("A process's name", process)
        now = float(self._clock())
        _, recorded = self._codec.write_run(events, 0, now)
        with self._lock:
            self._session_record(session)
            if parent is not None and self._kept_run(parent).info.session != session:
                raise no_run(self.place, parent)
            self._numbers[session, workflow] += 1
            info = RunInfo(
                id=len(self._runs) + 1,
                session=session,
                name=f"{workflow}-{self._numbers[session, workflow]}",
                workflow=workflow,
                step=step,
                parent=parent,
                status="running",
                process=process,
                events=len(recorded),
                started=now,
                changed=now,
            )
            self._runs.append(KeptRun(info, [*recorded]))
            return info, recorded

    def runs(
        self, session: int | None = None, parent: int | EllipsisType | None = ...
    ) -> list[RunInfo]:
        with self._lock:
            return [
                kept.info
                for kept in self._runs
                if session in (None, kept.info.session) and parent in (..., kept.info.parent)
            ]

    def find_run(self, name: str, session: int | None = None) -> list[RunInfo]:
        return [info for info in self.runs(session) if info.name == name]

    def read_run(self, run: int, after: int = 0) -> list[RunRecorded]:
        with self._lock:
            return self._kept_run(run).recorded[max(after, 0) :]

    def append_run(
        self,
        run: int,
        events: Sequence[RunEvent],
        after: int,
        status: str | None = None,
        process: str | None = None,
    ) -> list[RunRecorded]:
        check_keepable("A run's status", status)
        check_keepable("A process's name", process)
        now = float(self._clock())
        _, recorded = self._codec.write_run(events, after, now)
        with self._lock:
            kept = self._kept_run(run)
            info = kept.info
            if info.events != after:
                raise out_of_step(self.place, "run", info.name, info.events, after)
            kept.recorded += recorded
            kept.info = replace(
                info,
                status=info.status if status is None else status,
                process=info.process if process is None else process,
                events=len(kept.recorded),
                changed=now,
            )
            return recorded

    def is_own(self, run: int) -> bool:
        return True

    def seal(self, run: int) -> None:
        """It is this process's."""

    def run_changed(self, run: int) -> int:
        with self._lock:
            return self._kept_run(run).info.events

    def _session_record(self, session: int) -> SessionRecord:
        if not 0 < session <= len(self._sessions):
            raise no_session(self.place, session)
        return self._sessions[session - 1]

    def _kept_run(self, run: int) -> KeptRun:
        if not 0 < run <= len(self._runs):
            raise no_run(self.place, run)
        return self._runs[run - 1]


class MemoryJournal(MemoryRuns):
    """A `Journal` for tests and scratch sessions. Events go through JSON here too, so that a
    session in memory is the same as one read from disk."""

    def sessions(self) -> list[SessionInfo]:
        with self._lock:
            return [info(id, kept) for id, kept in enumerate(self._sessions, 1)]

    def info(self, session: int) -> SessionInfo:
        with self._lock:
            return info(session, self._session_record(session))

    def find(self, name: str) -> int | None:
        with self._lock:
            return self._id(name)

    def find_uid(self, uid: str) -> int | None:
        with self._lock:
            ids = (id for id, kept in enumerate(self._sessions, 1) if kept.uid == uid)
            return next(ids, None)

    def create(
        self,
        name: str,
        events: Sequence[Event],
        fresh: bool = False,
        notebook: str | None = None,
    ) -> tuple[int, list[Recorded]]:
        paths_text(notebook)
        now = float(self._clock())
        _, recorded = self._codec.write(events, 0, now)
        with self._lock:
            there = self._id(name)
            if there and fresh:
                self._archive(self._session_record(there))
            self._is_free(name)
            self._sessions.append(
                SessionRecord(name, now, now, recorded=[*recorded], notebook=notebook)
            )
            return len(self._sessions), recorded

    def copy(
        self,
        name: str,
        entries: Sequence[Recorded],
        runs: Sequence[tuple[RunInfo, Sequence[RunRecorded]]] = (),
        notebook: str | None = None,
    ) -> int:
        paths_text(notebook)
        now = float(self._clock())
        last = entries[-1].position if entries else 0
        _, named = self._codec.write([SessionRenamed(name=name)], last, now)
        with self._lock:
            self._is_free(name)
            recorded = [*entries, *named]
            self._sessions.append(
                SessionRecord(name, now, now, recorded=recorded, notebook=notebook)
            )
            session = len(self._sessions)
            copies: dict[int | None, int] = {}
            for run, events in runs:
                copies[run.id] = id = len(self._runs) + 1
                parent = copies.get(run.parent)
                copied = replace(run, id=id, session=session, parent=parent)
                self._numbers[session, run.workflow] += 1
                self._runs.append(KeptRun(copied, [*events]))
            return session

    def set_notebook(self, session: int, notebook: str | None, shared: Sequence[str] = ()) -> None:
        paths_text(notebook, shared)
        with self._lock:
            kept = self._session_record(session)
            kept.notebook, kept.shared = notebook, tuple(shared)

    def cells(self, session: int) -> frozenset[str]:
        with self._lock:
            found = (
                getattr(entry.event, "cell", None)
                for entry in self._session_record(session).recorded
            )
            return frozenset(cell.id for cell in found if cell is not None and cell.id is not None)

    def read(self, session: int, after: int = 0) -> list[Recorded]:
        with self._lock:
            return self._session_record(session).recorded[max(after, 0) :]

    def append(self, session: int, events: Sequence[Event], after: int) -> list[Recorded]:
        now = float(self._clock())
        _, recorded = self._codec.write(events, after, now)
        with self._lock:
            kept = self._session_record(session)
            if len(kept.recorded) != after:
                raise out_of_step(self.place, "session", kept.name, len(kept.recorded), after)
            for renamed in (event.name for event in events if isinstance(event, SessionRenamed)):
                self._is_free(renamed, but=session)
                kept.name, kept.archived = renamed, False
            kept.recorded += recorded
            kept.changed = now
            return recorded

    def archive(self, session: int) -> str:
        with self._lock:
            return self._archive(self._session_record(session))

    def _archive(self, kept: SessionRecord) -> str:
        if not kept.archived:
            kept.name = archive_name(kept.name, lambda name: self._id(name) is not None)
            kept.archived = True
        return kept.name

    def close(self) -> None:
        """Nothing is held."""

    def _is_free(self, name: str, but: int | None = None) -> None:
        """Raise `SessionExists` where another session than `but` has that name."""
        there = self._id(name)
        if there is not None and there != but:
            steps = [
                r for r in self._session_record(there).recorded if isinstance(r.event, StepAdded)
            ]
            raise SessionExists(name, len(steps))

    def _id(self, name: str) -> int | None:
        ids = (id for id, kept in enumerate(self._sessions, 1) if kept.name == name)
        return next(ids, None)


def info(id: int, kept: SessionRecord) -> SessionInfo:
    """A session from outside."""
    return SessionInfo(
        id=id,
        name=kept.name,
        archived=kept.archived,
        events=len(kept.recorded),
        started=kept.started,
        changed=kept.changed,
        uid=kept.uid,
        notebook=kept.notebook,
        shared=kept.shared,
    )
