"""the session as it changes -> what every front end that is connected is told.

One thread, and only while somebody is connected. What changes a session only wakes it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, RLock, Thread, current_thread
from time import monotonic, time
from typing import Any

from wfnb.core.events import Recorded
from wfnb.errors import JournalError
from wfnb.journal import FOLLOW
from wfnb.panel import Live

from .followed_runs import KnownRuns
from .followed_session import FollowedSession, Following, nothing

EVERY = 0.1
"""Seconds between two messages to a front end, at least."""
AGAIN = (1.0, 5.0)
"""Seconds after something was told, when the number of it is told once more: a server drops what
comes from a kernel that prints much, and who missed the last message would not know."""
MAX_FRONT_ENDS = 32
"""Front ends that are told: one that was killed does not say that it is gone."""
_MANY = (
    f"{MAX_FRONT_ENDS} other views of this session are in use. "
    "Come back to this one to go on with it."
)

Told = dict[str, Any]
Tell = Callable[[Told], None]


@dataclass(eq=False)
class Listener:
    """A front end. `knows`: it was told where the session is. `left` is called where it is told no
    more because there are too many."""

    tell: Tell
    left: Callable[[], None] = lambda: None
    knows: bool = False


class Publisher:
    """Every method may be called from any thread. `failed` is told of faults of ours, with the
    exception at hand."""

    def __init__(self, following: Following, failed: Callable[[], None]) -> None:
        self.following = following
        self.runs = KnownRuns()
        self._failed = failed
        self._lock = RLock()
        self._listeners: dict[str, Listener] = {}
        self._thread: Thread | None = None
        self._changed, self._joined = Event(), Event()
        self._entries: deque[Recorded] = deque()
        self._followed: FollowedSession | None = None
        self._live: Live | None = None
        self._looked = 0.0
        self._repeat_at: deque[float] = deque()

    # who is told

    def join(self, name: str, tell: Tell, left: Callable[[], None] = lambda: None) -> None:
        """Tell a front end from here on, beginning with a snapshot. Where there are too many, that
        of which nothing was heard for longest is left out."""
        with self._lock:
            self._listeners.pop(name, None)
            self._listeners[name] = Listener(tell, left)
            while len(self._listeners) > MAX_FRONT_ENDS:
                # The order of the dict is that of the last sign of life (`lives`).
                oldest = next(iter(self._listeners))
                listener = self._listeners.pop(oldest)
                self._tell({"kind": "gone", "says": _MANY, "over": True}, of=[listener])
                self.runs.remove_asker(oldest)
                listener.left()
            self._wake()
            if self._thread is None:
                self._thread = Thread(target=self._run, name="wfnb-panel", daemon=True)
                self._thread.start()

    def lives(self, names: Iterable[str]) -> None:
        """Front ends were heard: they are the last to be left out."""
        with self._lock:
            for name in names:
                listener = self._listeners.pop(name, None)
                if listener is not None:
                    self._listeners[name] = listener

    def tell_again(self) -> None:
        """All are told a snapshot, for something beside the session is otherwise."""
        with self._lock:
            for each in self._listeners.values():
                each.knows = False
            self._wake()

    def leave(self, name: str) -> None:
        """A front end is gone. With the last of them everything stops."""
        self.runs.remove_asker(name)
        with self._lock:
            self._listeners.pop(name, None)
            if self._listeners:
                return
            self._thread = None
            self._forget()
            self._wake()

    def close(self, says: str) -> None:
        """The last that all are told."""
        with self._lock:
            self._tell({"kind": "gone", "says": says, "over": True})
            for name in tuple(self._listeners):
                self.leave(name)

    # what they are told

    def snapshot(self) -> Told:
        """Where the session is at this moment, with the number of the last change: all are told
        those that they were not told yet. A run that began after the last look is there."""
        with self._lock:
            self._look(refresh=False, runs=True)
            self._tell_changes()
            whole = self._whole()
            if not self._listeners:
                self._forget()
            return whole

    def _run(self) -> None:
        # Asked by identity: after a last `leave` and a new `join` another thread has this work.
        while self._thread is current_thread():
            # Cleared before the round: what comes during it makes another one.
            self._joined.clear()
            self._changed.clear()
            was_sent = False
            try:
                was_sent = self._round()
            except JournalError:
                pass  # the disk says no: perhaps not the next time
            except Exception:
                self._failed()
                with self._lock:
                    self._forget()
                # A fault that stays would fill the kernel's log ten times a second.
                self._joined.wait(FOLLOW * 10)
            if was_sent:
                self._joined.wait(EVERY)
            # What others record is looked at as often after something was told as at rest.
            due = self._looked + FOLLOW - monotonic()
            self._changed.wait(EVERY if self.runs.going else max(due, EVERY))

    def _wake(self) -> None:
        self._joined.set()
        self._changed.set()

    def _round(self) -> bool:
        """Tell everybody what there is to tell. Whether there was anything."""
        with self._lock:
            if self._thread is not current_thread():
                return False
            self._look(refresh=monotonic() - self._looked >= FOLLOW)
            was_sent = self._tell_changes()
            new = [each for each in self._listeners.values() if not each.knows]
            if new:
                self._tell(self._whole(), of=new)
            was_sent = was_sent or bool(new)
            self._repeat_number(was_sent)
            return was_sent

    def _tell_changes(self) -> bool:
        changes = self._changes()
        if changes is not None:
            self._tell(changes, of=[each for each in self._listeners.values() if each.knows])
        return changes is not None

    def _repeat_number(self, was_sent: bool) -> None:
        now = monotonic()
        if was_sent:
            self._repeat_at = deque(now + wait for wait in AGAIN)
        elif self._repeat_at and now >= self._repeat_at[0] and self._live is not None:
            self._repeat_at.popleft()
            self._tell({"kind": "delta", "seq": self._live.seq})

    def _look(self, refresh: bool, runs: bool = False) -> None:
        """Follow what the notebook uses now; `refresh`: and what other processes recorded in it;
        `runs`: and what began or ended of its runs, which is seen without that while one goes
        on."""
        followed = self.following.current()
        if followed is not self._followed:
            self._forget()
            self._followed = followed
            for each in self._listeners.values():
                each.knows = False
            if followed is not None and followed.workspace is not None:
                # What this process records is told at once; what others do shows when it is looked
                # at.
                followed.workspace.log.watchers.append(self._watch)
        elif refresh and followed is not None and followed.workspace is not None:
            followed.workspace.log.refresh()
            # Another kernel may have been killed in a step: nobody else will say so.
            followed.workspace.steps.close_lost()
        if followed is not None and (refresh or runs or self.runs.going or self._live is None):
            self.runs.look(followed)
        if refresh:
            self._looked = monotonic()

    def _whole(self) -> Told:
        """A snapshot, else that there is nothing to see."""
        followed = self._followed
        if followed is None:
            return {"kind": "gone", "says": nothing(self.following.others()), "empty": True}
        with followed.locked_session() as session, self.runs.locked_runs() as runs:
            if self._live is None:
                self._entries.clear()
                self._live = Live(session, followed.line, runs, ran=followed.steps_run)
            return self._live.snapshot(time())

    def _changes(self) -> Told | None:
        """What has changed since the last time, None where nothing has."""
        followed, live = self._followed, self._live
        if followed is None or live is None:
            return None
        with followed.locked_session() as session, self.runs.locked_runs() as runs:
            # Within the session's lock, so that these are exactly the entries that it has applied.
            entries = [self._entries.popleft() for _ in range(len(self._entries))]
            return live.next_update(
                session, entries, followed.line, runs, self.runs.new_output(), time()
            )

    def _watch(self, entries: list[Recorded]) -> None:
        self._entries.extend(entries)
        self._changed.set()

    def _tell(self, message: Told, of: list[Listener] | None = None) -> None:
        for each in list(self._listeners.values()) if of is None else of:
            # Before it is told: a listener that fails would else be sent a snapshot for ever.
            each.knows = True
            try:
                each.tell(message)
            except (
                Exception
            ):  # its socket is closed, or the kernel ends: others are told all the same
                self._failed()

    def _forget(self) -> None:
        """Nothing is followed any more."""
        if self._followed is not None and self._followed.workspace is not None:
            with suppress(ValueError):
                self._followed.workspace.log.watchers.remove(self._watch)
        self._followed = self._live = None
        self._entries.clear()
        self.runs.forget()
