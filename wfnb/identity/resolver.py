"""a notebook's file, the cells seen of it -> facts -> the decision, carried out in the journal.

The thin part around `decision.py`: it reads files and journals, and writes nothing but what was
decided. The notebook's file is only read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from wfnb.core.events import SessionRenamed, SessionStarted
from wfnb.core.validation import source as kept_source
from wfnb.errors import JournalError, SessionExists, listing
from wfnb.hints import Command
from wfnb.home_folder import FOLDER, Home, home, homes_above
from wfnb.journal import SessionInfo
from wfnb.record import record
from wfnb.workspace import Workspace

from .decision import Candidate, Decision, Facts, Place, decide, decide_named
from .document import Document, notebooks_in, read_document
from .homes import known_homes, remember

COPY, GO_ON = "copy", "here"
_EDITOR = "vscode-notebook-cell:"
"""How the cell ids of VS Code begin. They are not those of the file."""


@record
class NotebookFile:
    """A notebook that asks for its session. `path` is None where nobody says it. `uid` is what its
    metadata name, `cells` are the ids of its cells; `complete`: that they are all known, so that
    another id means another notebook. `saved` is when the file was written (seconds since 1970),
    where its front end would have written the session's id into it by then. `has_front_end`: it is
    connected, and what it says of the metadata holds. `sources` is the code of its cells; where
    there is no path, of those that ran. `records`: a cell of it is to be recorded now."""

    path: Path | None = None
    uid: str | None = None
    cells: frozenset[str] = frozenset()
    complete: bool = False
    saved: float | None = None
    has_front_end: bool = False
    sources: frozenset[str] = frozenset()
    records: bool = False


def notebook_file(
    path: Path | None,
    seen: Iterable[str] = (),
    uid: str | None = None,
    uid_is_known: bool = False,
    sources: Iterable[str] = (),
    records: bool = False,
) -> NotebookFile:
    """What is known of a notebook: by its file, by the cells that ran (`seen`, `sources`), and by
    its front end where `uid_is_known`: what that says is newer than the file."""
    document = read_document(path) if path is not None else Document()
    seen = frozenset(seen)
    uid = uid if uid_is_known else document.uid
    complete = document.cells is not None and not any(id.startswith(_EDITOR) for id in seen)
    saved = None
    if path is not None and complete and (uid_is_known or uid is not None):
        with suppress(OSError):
            saved = path.stat().st_mtime
    cells = seen | (document.cells or frozenset())
    return NotebookFile(
        path=path,
        uid=uid,
        cells=cells,
        complete=complete,
        saved=saved,
        has_front_end=uid_is_known,
        sources=frozenset(sources if path is None else document.sources),
        records=records,
    )


@record
class Resolution:
    """The session that a notebook uses, and what a person has to know of how it was found (an empty
    text: nothing)."""

    workspace: Workspace
    home: Home
    says: str


@record
class SessionMatch:
    """The session that a notebook would go on with. `copy_of` is the name of the file whose session
    it is, where the notebook is a copy of that, or (`in_doubt`) another notebook near it may be;
    empty where the session is the notebook's own."""

    home: Home
    session: int
    copy_of: str = ""
    in_doubt: bool = False

    @property
    def info(self) -> SessionInfo:
        """The session as it is now. JournalError."""
        return self.home.journal.info(self.session)

    @property
    def note(self) -> str:
        """What whoever looks at the history has to know of it."""
        if not self.copy_of:
            return ""
        return f"{_copies(self.copy_of, self.in_doubt)}: its first step asks which history to use."


class Resolver:
    """Finds the session of a notebook. `main` is where its new sessions are kept: the `.wfnb`
    beside it, or above. `others` are the folders in which a notebook that was moved is looked for,
    beyond those above it; `home_at` gives the home of such a folder."""

    def __init__(
        self,
        main: Home,
        others: Callable[[], list[Path]] = known_homes,
        home_at: Callable[[str | Path], Home] = home,
    ) -> None:
        self.main = main
        self._others = others
        self._home_at = home_at

    def look(self, notebook: NotebookFile, name: str) -> SessionMatch | None:
        """The session that the notebook would go on with, or would copy. Nothing is written, and
        nobody is asked. JournalError."""
        facts = self.facts(notebook, name)
        decision = decide(facts)
        found = decision.session
        if found is None:
            return None
        copy_of = _original(found) if decision.action == "copy" else ""
        home = self._home_at(found.home)
        return SessionMatch(home=home, session=found.id, copy_of=copy_of, in_doubt=facts.has_rival)

    def open(
        self, notebook: NotebookFile, name: str, ask: Callable[[str], str] | None = None
    ) -> Resolution:
        """The session that the notebook goes on with, or begins under this name. `ask` puts the
        question whether a copy of a notebook gets a copy of the history (`COPY`) or goes on with
        the original's (`GO_ON`); None where nobody can be asked. JournalError."""
        facts = self.facts(notebook, name, ask is not None)
        return self._open(facts, decide(facts), notebook, ask)

    def open_named(
        self, notebook: NotebookFile, name: str, ask: Callable[[str], str] | None = None
    ) -> Resolution:
        """The same for the session of that name."""
        facts = self.facts(notebook, name, ask is not None, named=True)
        return self._open(facts, decide_named(facts), notebook, ask)

    def own(self, notebook: NotebookFile, name: str) -> Candidate | None:
        """The session that `open_named` would go on with, or copy."""
        return decide_named(self.facts(notebook, name, named=True)).session

    # facts

    def facts(
        self, notebook: NotebookFile, name: str, can_ask: bool = False, named: bool = False
    ) -> Facts:
        """All that the decision needs. Files are read only as far as they can change it."""
        place = self.main.place(notebook.path)
        infos = self.main.sessions()
        of_uid = self._of_uid(notebook)
        of_name = next((info for info in infos if info.name == name), None)
        if notebook.path is None and not named:
            of_name = self._find_unplaced(name, infos, notebook) or of_name
        at_place = [
            self._candidate(where, info, notebook, former=named)
            for where in self._possible_homes(of_uid)
            for info in (infos if where is self.main else where.sessions())
            if where.place(notebook.path) in _places(info)
            and not _is_of_before(where, info, notebook)
        ]
        lost: list[Candidate] = []
        is_known = any(each.has_cells is not False for each in at_place)
        if place is not None and not (named or is_known or (of_uid and not of_uid.is_forgotten)):
            lost = [
                self._candidate(self.main, info, notebook)
                for info in sorted(infos, key=lambda info: info.changed)
                if _places(info)
            ]
            lost = [each for each in lost if not any(place.exists for place in each.places)]
        return Facts(
            name=name,
            free=self.main.free_name(name),
            path=None if notebook.path is None else str(notebook.path),
            uid=notebook.uid,
            of_uid=of_uid,
            at_place=tuple(at_place),
            lost=tuple(lost),
            named=None if of_name is None else self._candidate(self.main, of_name, notebook),
            alike=()
            if notebook.path is not None
            else tuple(self._similar_sessions(infos, notebook)),
            has_front_end=notebook.has_front_end,
            has_rival=self._has_rival(notebook, of_uid),
            can_ask=can_ask,
        )

    def _similar_sessions(
        self, infos: Iterable[SessionInfo], notebook: NotebookFile
    ) -> Iterator[Candidate]:
        """The sessions that recorded cells of a notebook without a path, the latest last."""
        for info in sorted(infos, key=lambda info: info.changed):
            if not info.archived and _has_cells(self.main, info, notebook):
                yield self._candidate(self.main, info, notebook)

    def _find_unplaced(
        self, name: str, infos: Sequence[SessionInfo], notebook: NotebookFile
    ) -> SessionInfo | None:
        """The first of NAME, NAME-2, … that has no notebook and may be this one's."""
        names = {info.name: info for info in infos if not _places(info)}
        numbered = (name if n == 1 else f"{name}-{n}" for n in range(1, len(infos) + 1))
        found = filter(None, map(names.get, numbered))
        return next((it for it in found if _has_cells(self.main, it, notebook) is not False), None)

    def _has_rival(self, notebook: NotebookFile, of_uid: Candidate | None) -> bool:
        """Whether another file names the same session: beside the notebook, or where the session's
        notebook was. It is asked only where that is gone: else its place says more."""
        path = notebook.path
        if path is None or of_uid is None or not of_uid.places:
            return False
        if any(place.exists or place.is_this for place in of_uid.places):
            return False
        gone = [self._home_at(of_uid.home).notebook_at(place.path) for place in of_uid.places]
        with suppress(OSError):
            for folder in dict.fromkeys((path.parent, *(each.parent for each in gone))):
                for file in notebooks_in(folder):
                    if read_document(file).uid == notebook.uid and not _same(file, path):
                        return True
        return False

    def _of_uid(self, notebook: NotebookFile) -> Candidate | None:
        """The session of the metadata: here, in a folder above, in another known one."""
        if notebook.uid is None:
            return None
        for place in self._homes(notebook.path):
            with suppress(JournalError):  # of another folder: it is no obstacle for this notebook
                session = place.journal.find_uid(notebook.uid)
                if session is not None:
                    return self._candidate(place, place.journal.info(session), notebook)
        return None

    def _possible_homes(self, of_uid: Candidate | None) -> list[Home]:
        """Where the sessions of a place can be: a copy is kept beside its original."""
        if of_uid is None or of_uid.home == str(self.main.path):
            return [self.main]
        return [self.main, self._home_at(of_uid.home)]

    def _homes(self, path: Path | None) -> Iterator[Home]:
        """Each folder once."""
        yield self.main
        passed = {self.main.path}
        around = [] if path is None else [path.parent / FOLDER, *homes_above(path.parent)]
        for folder in (*around, *self._others()):
            if folder not in passed and (folder / "journal.db").is_file():
                passed.add(folder)
                yield self._home_at(folder)

    def _candidate(
        self, place: Home, info: SessionInfo, notebook: NotebookFile, former: bool = False
    ) -> Candidate:
        cells = place.journal.cells(info.id)
        return Candidate(
            home=str(place.path),
            id=info.id,
            name=info.name,
            archived=info.archived,
            places=tuple(
                self._place(place.notebook_at(path), path, notebook, info, cells)
                for path in _places(info)
            ),
            has_cells=_has_cells(place, info, notebook),
            former=_names(place, info) if former else (),
        )

    def _place(
        self,
        path: Path,
        kept: str,
        notebook: NotebookFile,
        info: SessionInfo,
        recorded: frozenset[str],
    ) -> Place:
        if notebook.path is not None and _same(path, notebook.path):
            return Place(path=kept, exists=path.is_file(), is_this=True)
        if not path.is_file():
            return Place(path=kept, exists=False)
        there = read_document(path)
        is_another = (
            there.uid != info.uid
            and there.cells is not None
            and bool(recorded)
            and not there.cells & recorded
        )
        shares = bool((there.cells or frozenset()) & notebook.cells)
        return Place(path=kept, exists=not is_another, shares_cells=shares)

    # carried out

    def _open(
        self,
        facts: Facts,
        decision: Decision,
        notebook: NotebookFile,
        ask: Callable[[str], str] | None,
    ) -> Resolution:
        session = decision.session
        if session is None:
            return self._new(decision, notebook, facts)
        place = self._home_at(session.home)
        if decision.action == "ask" and ask is not None:
            says = _copies(_original(session), facts.has_rival)
            chosen = ask(f"{says} ({_steps(place, session)}).")
            decision = replace(decision, action="use" if chosen == GO_ON else "copy")
        if decision.action == "use":
            says = self._missing_message(notebook, session.name) if decision.missing else ""
            self._adopt(place, session, decision.leaves, notebook)
            return self._make_resolution(place.workspace(session.id), place, notebook, says)
        name = Path(notebook.path).stem if notebook.path is not None else facts.name
        workspace = _make_unique(
            lambda free: place.copy(session.id, free, notebook.path), place, name
        )
        says = (
            f"session {workspace.session.name!r} is a copy of {session.name!r}, because this "
            f"notebook{', or another near it,' if facts.has_rival else ''} is a copy of "
            f"{_original(session)}. {session.name!r} is unchanged."
        )
        return self._make_resolution(workspace, place, notebook, says)

    def _new(self, decision: Decision, notebook: NotebookFile, facts: Facts) -> Resolution:
        place = self.main
        says = ""
        workspace = _make_unique(
            lambda free: place.start(free, notebook=notebook.path), place, decision.name
        )
        name = workspace.session.name
        if decision.missing:
            says = self._missing_message(notebook, name)
        elif decision.doubts:
            says = (
                f"session {name!r} begins: {listing(decision.doubts, '')} have cells of this "
                "notebook, and theirs are gone. "
                f"`{Command('open', 'NAME')}` goes on with one of them."
            )
        elif name != facts.name and (facts.path is not None or notebook.records):
            says = (
                f"session {name!r} begins: {facts.name!r} {_belongs(facts.named)}. "
                f"`{Command('open', facts.name)}` goes on with that one."
            )
        return self._make_resolution(workspace, place, notebook, says)

    def _make_resolution(
        self, workspace: Workspace, place: Home, notebook: NotebookFile, says: str
    ) -> Resolution:
        if notebook.path is not None:
            remember(place.path)
        return Resolution(workspace=workspace, home=place, says=says)

    def _adopt(
        self, place: Home, session: Candidate, leaves: str | None, notebook: NotebookFile
    ) -> None:
        """The notebook's path joins the session's places, in the stead of the one that it left. A
        journal that cannot be written is no obstacle for looking at the session."""
        path = place.place(notebook.path)
        before = [each.path for each in session.places]
        if path is None or any(each.is_this for each in session.places):
            return
        after = [path if each == leaves else each for each in before]
        if path not in after:
            after.append(path)
        with suppress(JournalError):
            place.journal.set_notebook(session.id, after[0], after[1:])

    def _missing_message(self, notebook: NotebookFile, uses: str) -> str:
        """What was not found, and which sessions have these cells."""
        with_cells = [
            info.name
            for info in self.main.sessions()
            if info.name != uses and self.main.journal.cells(info.id) & notebook.cells
        ]
        also = f" Sessions with these cells: {', '.join(with_cells[:5])}." if with_cells else ""
        return (
            f"the session that this notebook had was not found beside it, above it or in another "
            f"known folder; it goes on with {uses!r}.{also} WFNB_HOME names another folder."
        )

    def follow_move(self, uid: str, left: Path, path: Path) -> None:
        """A notebook whose metadata name a session was renamed or moved, while a front end had it
        open: its session's place is another."""
        found = self._of_uid(NotebookFile(path=path, uid=uid))
        if found is not None:
            record_move(self._home_at(found.home), found.id, left, path)


def record_move(place: Home, session: int, left: Path, path: Path) -> None:
    """A notebook of a session, which was at `left`, is at another path now."""
    info = place.journal.info(session)
    kept = place.place(path)
    if kept is None:
        return
    before = _places(info) or (kept,)
    after = [kept if _same(place.notebook_at(each), left) else each for each in before]
    after = [*dict.fromkeys(after)]
    if tuple(after) != _places(info):
        place.journal.set_notebook(session, after[0], after[1:])


def locate(path: Path | None, seen: frozenset[str], main: Home) -> Path | None:
    """Where the notebook is, whose path was said when its kernel was first started: a kernel is not
    told when its notebook is renamed, not even when it is restarted. `seen` are cells that ran.

    The path holds where its file has one of these cells. Else a session that recorded one of them
    knows the place, else it is the only file in that folder that has one. In doubt the path
    holds.
    """
    own = read_document(path).cells if path is not None else None
    if path is None or not seen or any(id.startswith(_EDITOR) for id in seen):
        return path
    if own is not None and own & seen:
        return path
    for info in sorted(main.sessions(), key=lambda info: -info.changed):
        places = [main.notebook_at(each) for each in _places(info)]
        there = [each for each in places if each.is_file() and not _same(each, path)]
        if there and main.journal.cells(info.id) & seen:
            holding = [each for each in there if (read_document(each).cells or set()) & seen]
            return (holding or there)[0]
    with suppress(OSError):
        holding = [
            each
            for each in notebooks_in(path.parent)
            if (read_document(each).cells or set()) & seen
        ]
        if len(holding) == 1:
            return holding[0]
    return path


def _make_unique(make: Callable[[str], Workspace], place: Home, name: str) -> Workspace:
    """A session under the first free name: another process may take one meanwhile."""
    while True:
        try:
            return make(place.free_name(name))
        except SessionExists:
            continue


def _places(info: SessionInfo) -> tuple[str, ...]:
    return () if info.notebook is None else (info.notebook, *info.shared)


def _is_of_before(place: Home, info: SessionInfo, notebook: NotebookFile) -> bool:
    """Whether a session was that of another file at this path, which is gone: this file was saved
    after the session changed last, and does not name it. A program that ran the notebook saved it
    so, too: then the session has its code."""
    later = notebook.saved is not None and notebook.saved > info.changed
    return later and notebook.uid != info.uid and not _shares_code(place, info, notebook)


def _has_cells(place: Home, info: SessionInfo, notebook: NotebookFile) -> bool | None:
    """Whether a session recorded a cell of the notebook; None where that cannot be known."""
    cells = place.journal.cells(info.id)
    if cells & notebook.cells or _shares_code(place, info, notebook):
        return True
    if notebook.path is None and notebook.records:
        return False if cells or place.look(info).steps else None
    return False if cells and notebook.complete else None


def _shares_code(place: Home, info: SessionInfo, notebook: NotebookFile) -> bool:
    """Whether a session recorded a step that is a cell of the notebook by its code, where only one
    of the two has ids for its cells. What nobody says to be a file is not taken for one."""
    if not notebook.sources or (notebook.path is None and _places(info)):
        return False
    if place.journal.cells(info.id) and (notebook.cells or notebook.path is not None):
        return False
    sources = {kept_source(source.strip()) for source in notebook.sources}
    cells = (step.current.cell for step in place.look(info).steps.values())
    return any(cell is not None and cell.source.strip() in sources for cell in cells)


def _names(place: Home, info: SessionInfo) -> tuple[str, ...]:
    """All names that a session had."""
    events = (entry.event for entry in place.journal.read(info.id))
    return tuple(
        event.name for event in events if isinstance(event, SessionStarted | SessionRenamed)
    )


def _same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return os.path.samefile(one, other)
    return os.path.abspath(one) == os.path.abspath(other)


def _original(session: Candidate) -> str:
    """The notebook that a copy is of."""
    there = [place for place in session.places if place.exists]
    return Path((there or session.places)[0].path).name


def _copies(original: str, in_doubt: bool) -> str:
    doubt = ", or another near it," if in_doubt else ""
    return f"This notebook{doubt} is a copy of {original}"


def _belongs(named: Candidate | None) -> str:
    """Whose a session is that is not gone on with. Of one without a place nobody knows it."""
    others = [place for place in named.places if not place.is_this] if named else []
    if others:
        return f"belongs to {Path(others[0].path).name}"
    return "belongs to another notebook" if named and named.places else "may be another notebook's"


def _steps(place: Home, session: Candidate) -> str:
    steps = len(place.look(place.journal.info(session.id)).steps)
    return f"{steps} step{'s' * (steps != 1)}"
