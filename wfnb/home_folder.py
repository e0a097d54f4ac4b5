"""a folder `.wfnb` -> its sessions: started, resumed, opened, listed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, MutableMapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from wfnb.author_context import by_author
from wfnb.core import validation
from wfnb.core.events import Cell, Event, SessionStarted, StrategyChosen
from wfnb.core.session import Session
from wfnb.core.strategy import to_data
from wfnb.data_files.investigation_kinds import KindShelf
from wfnb.data_files.investigation_kinds import shelf as kind_shelf
from wfnb.data_files.strategies import Shelf, shelf
from wfnb.errors import (
    BadValue,
    NoInvestigation,
    NothingCarried,
    SessionExists,
    SessionUnknown,
)
from wfnb.home_path import home_path
from wfnb.interrupt_deferral import Deferral
from wfnb.investigations.core.carry_over import carry_findings
from wfnb.investigations.core.events import CarriedFindings, KindChosen
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.kind_reader import to_data as kind_data
from wfnb.journal import LOCK_TIMEOUT, Journal, MemoryJournal, SessionInfo, SqliteJournal
from wfnb.process_identity import process
from wfnb.session_log import SessionLog, end_lost, replay_session
from wfnb.workspace import Workspace
from wfnb.workspace.session_search import MAX_HITS, search_sessions

if TYPE_CHECKING:
    from wfnb.investigations.advisers.registry import AdviserShelf
    from wfnb.investigations.session_investigation import Inquiry
    from wfnb.values import Keeper
    from wfnb.views.search_results import SessionHits
    from wfnb.workflows.runner.runner import Runner


def home(folder: str | os.PathLike[str] | None = None, start: Path | None = None) -> Home:
    """The `.wfnb` folder to use: `folder` itself, else WFNB_HOME, else `.wfnb` in `start` (where
    this process runs) or in the nearest folder above. One Home, and one connection to its journal,
    per folder and process, while anybody has it or one of its sessions."""
    path = home_path(folder, start)
    # `setdefault`: two threads may make it at once, and both have to get the same one.
    return _HOMES.get(path) or _HOMES.setdefault(path, Home(path))


class Home:
    """Where sessions are kept. Nothing is written before the first of them starts."""

    def __init__(self, path: Path, journal: Journal | None = None) -> None:
        self.path = path
        self.journal: Journal = journal or SqliteJournal(path / "journal.db")

    def __repr__(self) -> str:
        return f"<wfnb home {self.path}>"

    def strategies(self) -> Shelf:
        """The strategies that can be followed here: the built-in ones and those of the folder."""
        return shelf(self.path / "strategies")

    def kinds(self) -> KindShelf:
        """The kinds of investigation there are: the built-in ones and those of the folder."""
        return kind_shelf(self.path / "kinds")

    def advisers(self) -> AdviserShelf:
        """Who can be asked here: those registered in this process and those of the folder."""
        from wfnb.investigations.advisers.registry import shelf  # noqa: PLC0415  only for investigations

        return shelf(self.path)

    def sessions(self) -> list[SessionInfo]:
        """All sessions in order of creation, archived ones included."""
        return self.journal.sessions()

    def notebooks_there(self, sessions: Iterable[SessionInfo]) -> list[str]:
        """The paths of notebooks of these sessions at which there is a file."""
        paths = [path for info in sessions for path in info.notebooks]
        return [path for path in paths if self.notebook_at(path).is_file()]

    def look(self, info: SessionInfo) -> Session:
        """A session as it is kept, without opening it. What ran in a process that is gone was
        interrupted."""
        found = replay_session(self.journal, info.id)
        end_lost(found)
        return found

    def search(
        self,
        text: str,
        *,
        first: int = 0,
        archived: bool = False,
        most: int = MAX_HITS,
        busy: float = LOCK_TIMEOUT,
    ) -> Iterator[SessionHits]:
        """The steps and runs that words find in the sessions here, from the `first` of them on
        (0: the one that was changed last): of each at most so many, and often none
        (`workspace/session_search.py`). Nothing is opened, written or locked; a locked file is
        waited for so many seconds. BadValue without words."""
        journal = read_only_home(self.path, busy).journal
        sessions = [info for info in journal.sessions() if archived or not info.archived]
        sessions.sort(key=lambda info: (info.changed, info.id), reverse=True)
        return search_sessions(journal, sessions[first:], text, most)

    def start(
        self,
        name: str,
        *,
        strategy: str | None = None,
        fresh: bool = False,
        scratch: bool = False,
        cell: Cell | None = None,
        kind: str | None = None,
        pause: bool = True,
        reviewer: str | None = None,
        planner: str | None = None,
        continues: str | None = None,
        notebook: Path | None = None,
    ) -> Workspace:
        """A new session. `fresh` archives one of that name first, `scratch` keeps the session in
        memory only. SessionExists where the name is taken; the cell that started a session resumes
        it when it runs again.

        `kind` makes it an investigation, in which something has to be looked at between two steps,
        unless `pause` is False. `reviewer` is the adviser that is asked at its end, `planner` the
        one that is asked how many steps it takes. `continues` names the session whose investigation
        it goes on with: all that was found there is found here (of the same kind, where `kind` is
        not said). NothingCarried where that one is none.

        `notebook` is the file that it is started from."""
        name = session_name(name)
        journal = MemoryJournal() if scratch else self.journal
        events: list[Event] = [SessionStarted(name=name, cell=cell, process=process())]
        if strategy is not None:
            events.append(StrategyChosen(strategy=to_data(self.strategies().get(strategy))))
        if kind is not None or continues is not None:
            before = None if continues is None else self._carried_findings(continues)
            wanted = kind or (before.kind if before else "")
            for adviser in filter(None, (reviewer, planner)):
                self.advisers().ready(adviser)
            events.append(
                KindChosen(
                    kind=kind_data(self.kinds().get(wanted)),
                    pause=pause,
                    reviewer=reviewer,
                    planner=planner,
                    carried=before,
                )
            )
        elif reviewer or planner:
            raise NoInvestigation("reviewer" if reviewer else "planner")
        taken = journal.find(name)
        if taken is not None and not fresh:
            if cell is not None and cell.id is not None and self.is_started_by(taken, cell):
                return self.workspace(taken)
            raise SessionExists(name, len(replay_session(journal, taken).steps))
        place = None if scratch else self.place(notebook)
        # After all that may be refused: what is wrong in a kind or a strategy leaves no session
        # behind.
        session, _ = journal.create(name, by_author(events), fresh, place)
        keeper = None if scratch else self.keeper
        log = SessionLog(journal, session)
        return Workspace(log, self.strategies, self.runner, self.inquiry, keeper)

    def resume(self, name: str) -> Workspace:
        """A session that exists. SessionUnknown lists the names."""
        return self.workspace(self.find(name))

    def open(self, name: str, kind: str | None = None) -> Workspace:
        """The session of that name: as it is, or new. A new one is an investigation of that `kind`;
        one that exists has to be (BadValue)."""
        while True:
            session = self.journal.find(session_name(name))
            if session is not None:
                opened = self.workspace(session)
                check_kind(opened.session, kind)
                return opened
            try:
                return self.start(name, kind=kind)
            except SessionExists:  # another process was quicker
                continue

    def copy(self, session: int, name: str, notebook: Path | None = None) -> Workspace:
        """A new session with all that a session has recorded, its kept values and its runs that
        have ended. SessionExists where the name is taken."""
        journal = self.journal
        # A run that goes on has a process, which writes to the original only.
        ended = [run for run in journal.runs(session) if run.status != "running"]
        runs = [(run, journal.read_run(run.id)) for run in ended]
        entries = journal.read(session)
        name = session_name(name)
        return self.workspace(journal.copy(name, entries, runs, self.place(notebook)))

    def forget(self, name: str) -> str:
        """Archive a session and let it be no notebook's. Returns the name under which `resume`
        finds it. SessionUnknown."""
        session = self.find(name)
        archived = self.journal.archive(session)
        self.journal.set_notebook(session, None)
        return archived

    def free_name(self, name: str) -> str:
        """NAME, or the first of NAME-2, NAME-3, … that no session has."""
        # A name has at most 120 characters: a long one gives way to the number.
        names = (name if n == 1 else f"{name[: 120 - len(f'-{n}')]}-{n}" for n in count(1))
        return next(free for free in names if self.journal.find(free) is None)

    def place(self, notebook: Path | None) -> str | None:
        """The path of a notebook as the journal keeps it: relative to the folder that holds this
        one, where that is possible. None for a path that cannot be kept."""
        if notebook is None or "\n" in str(notebook) or not _is_text(str(notebook)):
            return None
        path = Path(os.path.abspath(notebook))
        folder = self.path.parent
        return (path.relative_to(folder) if path.is_relative_to(folder) else path).as_posix()

    def notebook_at(self, place: str) -> Path:
        """The path that a place of the journal means."""
        return self.path.parent / place

    def find(self, name: str) -> int:
        """The number of a session in the journal. SessionUnknown lists the names."""
        session = self.journal.find(session_name(name))
        if session is None:
            raise SessionUnknown(
                name, tuple(info.name for info in self.sessions() if not info.archived)
            )
        return session

    def _carried_findings(self, name: str) -> CarriedFindings:
        """What a session's investigation gives another one."""
        found = carry_findings(replay_session(self.journal, self.find(name)))
        if found is None:
            raise NothingCarried(name)
        return found

    def workspace(self, session: int, folder: Path | None = None) -> Workspace:
        """A session of the journal, by its number there. `folder` is where relative paths start
        (default: where this process runs)."""
        log = SessionLog(self.journal, session)
        log.folder = folder or log.folder
        runner = partial(self.runner, folder=folder)
        return Workspace(log, self.strategies, runner, self.inquiry, self.keeper)

    def runner(
        self,
        log: SessionLog,
        folder: Path | None = None,
        namespace: MutableMapping[str, Any] | None = None,
    ) -> Runner:
        """The runs of a session that is kept here. `folder` is where relative paths start (default:
        where this process runs), `namespace` the names that its tools share with a notebook
        (default: those of the notebook that this process runs, if it runs one)."""
        with Deferral():
            from wfnb.workflows.runner.runner import Runner  # noqa: PLC0415  heavy: only for workflows

        if namespace is None:
            namespace = _names_of_notebook()
        return Runner(log, self.path, folder, namespace)

    def inquiry(self, log: SessionLog) -> Inquiry:
        """The investigation of a session that is kept here."""
        with Deferral():
            from wfnb.investigations.session_investigation import Inquiry  # noqa: PLC0415  only for investigations

        return Inquiry(log, self.kinds, self.path)

    def keeper(self) -> Keeper:
        """What keeps the values of the sessions here."""
        with Deferral():
            from wfnb.values import Keeper  # noqa: PLC0415  only where values are kept

        return Keeper(self.path)

    def is_started_by(self, session: int, cell: Cell) -> bool:
        """Whether a session, or the one that it is a copy of, was started by that cell."""
        first = next(iter(self.journal.read(session)), None)
        event = first.event if first else None
        return (
            isinstance(event, SessionStarted)
            and event.cell is not None
            and event.cell.id == cell.id
        )


def read_only_home(folder: str | Path, busy: float = LOCK_TIMEOUT) -> Home:
    """The home of a `.wfnb` folder in which nothing is written. A locked file is waited for so many
    seconds."""
    path = Path(folder)
    return Home(path, SqliteJournal(path / "journal.db", busy=busy, read_only=True))


_HOMES: WeakValueDictionary[Path, Home] = WeakValueDictionary()


def _names_of_notebook() -> MutableMapping[str, Any] | None:
    """The names of the notebook or IPython that runs here. Who has not imported IPython is none."""
    # Not imported for it: a script that does not use it would wait for that.
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return None if shell is None else shell.user_ns


def _is_text(path: str) -> bool:
    """Whether UTF-8 can hold it."""
    return not any("\ud800" <= sign <= "\udfff" for sign in path)


def session_name(name: str) -> str:
    """A session's name: one line of text, up to 120 characters."""
    return validation.line("session", name, 120)


def check_kind(session: Session, kind: str | None) -> None:
    """Raise BadValue where a session is another kind of investigation than it is opened as."""
    now = investigation_of(session)
    known = None if now is None else now.kind.name
    if kind not in (None, known):
        is_one = f"is of kind {known!r}" if known else "is no investigation"
        needs = (
            f"nothing: session {session.name!r} {is_one} (`ws.investigation.choose` changes that)"
        )
        raise BadValue("kind", str(kind)[:60], needs)


def open_session(
    name: str = "notebook",
    *,
    home_folder: str | os.PathLike[str] | None = None,
    scratch: bool = False,
    kind: str | None = None,
) -> Workspace:
    """`wfnb.open(name)`: the session of that name, opened, or made if it is new.

    `home_folder` is the `.wfnb` folder (default: WFNB_HOME, else `.wfnb` here, or in the nearest
    folder above that has one); `scratch` keeps a new session in memory only; `kind` makes a new one
    an investigation (`"debug"`). Works in a script, without IPython.

    Raises BadValue or BadText for a name that cannot be one, KindUnknown, JournalError where the
    disk says no.
    """
    place = home(home_folder)
    return place.start(name, scratch=True, kind=kind) if scratch else place.open(name, kind)
