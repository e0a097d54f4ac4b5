"""a folder `.wfnb`, what was allowed -> the sessions that an agent works in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from wfnb.core import validation
from wfnb.errors import BadValue, JournalError, NotAllowed
from wfnb.file_lock import LockTimeout, lock_file
from wfnb.home_folder import Home
from wfnb.investigations.core.investigation import investigation_of
from wfnb.render.text import escape
from wfnb.views.step_words import cut
from wfnb.workspace import Workspace

from .agent_name import AgentName
from .agent_step_numbers import AgentStepNumbers
from .changes_by_others import ChangesByOthers

NEW = "agent"
"""The session of an agent where there is none yet."""
ALL = "*"
TERMINAL = "terminal"
"""The set of tools that use terminals."""
_MAX_KEY = 120
_MAX_LINE = 160
_LOCK_TIMEOUT = 20.0  # seconds; a start is recorded in much less


class Connection:
    """What an agent works in: the sessions of one home, of which one is in use. `runs` are the
    saved workflows that it may run, `inline` whether it may run what it writes itself, `sets` the
    tools that it has beside those that are always there."""

    def __init__(
        self,
        home: Home,
        session: str | None = None,
        runs: Collection[str] = (),
        inline: bool = False,
        sets: Collection[str] = (),
    ) -> None:
        self.home = home
        self.folder = home.path.parent
        self._runs, self._inline = frozenset(runs), inline
        self.sets = frozenset(sets)
        self.step_numbers: dict[int, AgentStepNumbers] = {}
        """By a session's id: the numbers that the agent itself gives its steps there."""
        self.own_name = AgentName(home.path)
        self._session = session
        self._used: int | None = None
        self._open: dict[int, Workspace] = {}
        self._changes_by_others: dict[int, ChangesByOthers] = {}
        self.began: set[Workspace] = set()
        """Where runs were begun."""

    @property
    def permissions(self) -> tuple[str, ...]:
        """What it may do beside reading and recording, in words."""
        named = [f"run {name}" for name in sorted(self._runs)]
        words = ["run any saved workflow"] if ALL in self._runs else named
        words += ["run workflows of its own"] if self._inline else []
        words += ["use terminals and run anything"] if TERMINAL in self.sets else []
        return tuple(words)

    @property
    def session(self) -> str | None:
        """The name of the session in use: the one that was chosen, else the one that was used, else
        the newest."""
        if self._session is None:
            live = [info for info in self.home.sessions() if not info.archived]
            # What others do in another one meanwhile does not lead the agent there.
            used = [info for info in live if info.id == self._used]
            return max(used or live, key=lambda info: info.changed).name if live else None
        return self._session

    def workspace(self, name: str | None = None, make: bool = False) -> Workspace:
        """The session of that name (SessionUnknown), else the one in use. Where there is none yet,
        it is made where something is to be recorded (`make`), and else an empty one in memory."""
        if name is None:
            name = self.session or NEW
            if self.home.journal.find(name) is None:
                return self.start(name) if make else self.home.start(name, scratch=True)
            self._used = self.home.find(name)
        return self._workspace(self.home.find(name))

    def opened(self) -> tuple[Workspace, ...]:
        """The sessions that were asked for, the newest first."""
        return tuple(reversed(self._open.values()))

    def start(self, name: str, strategy: str | None = None, kind: str | None = None) -> Workspace:
        """A session, which is in use from here on: as it is, where there is one of that name.
        BadValue where it is another kind of investigation."""
        if strategy is None:
            opened = self.home.open(name, kind)
        else:
            opened = self.home.start(name, strategy=strategy, kind=kind)
        self._session = opened.session.name
        return self._workspace(opened.log.id)

    def news(self) -> list[str]:
        """What others did since the last answer, in the sessions that were used; and how the agent
        is called here, where others have its name."""
        told = self.own_name.news()
        # Never in place of an answer: what was done is done.
        with suppress(JournalError):
            for each in tuple(self._changes_by_others.values()):
                told += each.news()
        return told

    def check_run(self, workflow: str | None) -> None:
        """NotAllowed for a saved workflow that it may not run; without a name, for one that it has
        written itself."""
        if workflow is None:
            if not self._inline:
                raise NotAllowed("A workflow of its own", "--allow-inline")
        elif not self._runs & {workflow, ALL}:
            raise NotAllowed(f"Workflow {workflow!r}", f"--allow-run {workflow}")

    def check_path(self, name: str) -> None:
        """BadValue for a path that leads out of the folder of the home."""
        # Resolved first: a link within the folder may lead out of it.
        if not Path(self.folder, name).resolve().is_relative_to(self.folder.resolve()):
            needs = f"a path in {self.folder.name!r}: nothing else is looked at here"
            raise BadValue("target", name, needs)

    def check_fields(self, workspace: Workspace, fields: Mapping[str, Any]) -> None:
        """The same of each field by which an investigation is told where to look."""
        now = investigation_of(workspace.session)
        for name, each in (now.kind.fields if now else {}).items():
            if each.holds in ("folder", "repository") and isinstance(fields.get(name), str):
                self.check_path(fields[name])

    @contextmanager
    def key_lock(self, key: str | None) -> Iterator[None]:
        """A block in which no other call, of whichever server, begins a run by a key: one that is
        made again may come while the first is not yet done."""
        if key is None:
            yield
            return
        validation.line("key", key, _MAX_KEY)
        try:
            with lock_file(self.home.path / "keys.lock", _LOCK_TIMEOUT):
                yield
        except LockTimeout:
            raise BadValue("key", key, "a moment: another run is being started") from None

    def last_printed(self) -> str | None:
        """The last line of a run that goes on here; None where none does, or has printed yet."""
        for opened in tuple(self.began):
            running = opened.runs.running()
            if running is not None and running.tail:
                return cut(escape.line(": ".join(running.tail[-1])), _MAX_LINE)
        return None

    def close(self) -> None:
        """Nobody asks any more: what runs is stopped, as when a terminal is closed."""
        self.own_name.release()
        for opened in self.began:
            while (running := opened.runs.running()) is not None:
                running.interrupt()
                running.wait()

    def _workspace(self, session: int) -> Workspace:
        if session not in self._open:
            # Paths would begin at the working directory, and a client starts servers anywhere.
            found = self.home.workspace(session, self.folder)
            self._open[session] = found
            self._changes_by_others[session] = ChangesByOthers(found.log)
        return self._open[session]
