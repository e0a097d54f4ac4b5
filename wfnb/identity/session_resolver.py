"""a notebook's file, the cells seen of it -> facts -> the decision, carried out in the journal.

The thin part around `session_decision.py`: it reads files and journals, and writes nothing but what
was decided. The notebook's file is only read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from pathlib import Path

from wfnb.core.events import BY_PLACE, SessionRenamed, SessionStarted
from wfnb.core.validation import source as kept_source
from wfnb.errors import JournalError, SessionExists, listing
from wfnb.frozen_record import record
from wfnb.hints import Command
from wfnb.home_folder import Home, home
from wfnb.home_path import FOLDER, homes_above
from wfnb.journal import SessionInfo
from wfnb.workspace import Workspace

from .known_homes import known_homes, remember
from .notebook_document import Document, notebooks_in, read_document
from .session_decision import Candidate, Decision, Facts, Move, NotebookPlace, decide, decide_named
from .swapped_notebooks import (
    Claim,
    Marks,
    Swap,
    file_marks,
    find_swap,
    is_of_another,
    session_marks,
)

COPY, GO_ON = "copy", "here"


@record
class NotebookFile:
    """A notebook that asks for its session."""

    path: Path | None = None
    """None where nobody says it."""
    uid: str | None = None
    """What its metadata name."""
    cells: frozenset[str] = frozenset()
    """The ids of its cells."""
    complete: bool = False
    """Whether `cells` are all of them, so that another id means another notebook."""
    saved: float | None = None
    """When the file was written (seconds since 1970), where its front end would have written the
    session's id into it by then."""
    has_front_end: bool = False
    """Whether it is connected, and what it says of the metadata holds."""
    sources: frozenset[str] = frozenset()
    """The code of its cells; where there is no path, of those that ran."""
    for_recording: bool = False
    """Whether a cell of it is to be recorded now."""
    is_other: bool = False
    """Whether the file has none of the cells that ran, so that it is another notebook's."""


def notebook_file(
    path: Path | None,
    seen: Iterable[str] = (),
    uid: str | None = None,
    uid_is_known: bool = False,
    sources: Iterable[str] = (),
    for_recording: bool = False,
) -> NotebookFile:
    """What is known of a notebook: by its file, by the cells that ran (`seen`, `sources`), and by
    its front end where `uid_is_known`: what that says is newer than the file."""
    document = read_document(path) if path is not None else Document()
    seen = frozenset(seen)
    uid = uid if uid_is_known else document.uid
    # VS Code's ids are not those of the file: where they were seen, a foreign id proves nothing.
    complete = document.cells is not None and not any(id.startswith(BY_PLACE) for id in seen)
    saved = None
    # Only a file that a front end of ours had open is expected to name its session when saved.
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
        for_recording=for_recording,
        # A kernel that outlived its notebook's rename finds another file at the path that it was
        # told.
        is_other=bool(seen) and not seen & (document.cells or frozenset()),
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
        candidate = decision.session
        if candidate is None:
            return None
        copy_of = _original(candidate) if decision.action == "copy" else ""
        home = self._home_at(candidate.home)
        return SessionMatch(
            home=home, session=candidate.id, copy_of=copy_of, in_doubt=facts.has_rival
        )

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
        arrival, moves = self._arrival(notebook, of_uid, infos)
        if arrival is not None:
            at_place = [self._with_names(arrival) if named else arrival]
        elif of_uid is not None and not of_uid.is_here and len(at_place) > 0:
            at_place = [each for each in at_place if not self._is_elsewhere(each, of_uid, notebook)]
        lost: list[Candidate] = []
        # Looking for lost notebooks reads every session's cells and places: only where nothing else
        # decides.
        is_known = any(each.has_cells is not False for each in at_place)
        if place is not None and not (named or is_known or (of_uid and not of_uid.is_forgotten)):
            lost = [
                self._candidate(self.main, info, notebook)
                for info in sorted(infos, key=lambda info: info.changed)
                if _places(info) or self.main.journal.cells(info.id) & notebook.cells
            ]
            lost = [each for each in lost if not any(place.exists for place in each.places)]
            lost = [each for each in lost if not self._is_of_another(each, infos, notebook)]
        return Facts(
            name=name,
            free=self.main.free_name(name),
            path=None if notebook.path is None else str(notebook.path),
            uid=notebook.uid,
            of_uid=of_uid,
            arrival=arrival,
            moves=moves,
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

    def _arrival(
        self, notebook: NotebookFile, of_uid: Candidate | None, infos: Sequence[SessionInfo]
    ) -> tuple[Candidate | None, tuple[Move, ...]]:
        """The session whose notebook this is, though it was at another place, and where the
        notebooks of others are that were at places which changed hands."""
        if notebook.path is None:
            return None, ()
        if of_uid is not None and self._has_arrived(of_uid, notebook):
            # What is at its places belongs to others by now: for the decision the notebook is at
            # none of them.
            came = replace(of_uid, places=tuple(replace(e, exists=False) for e in of_uid.places))
            return came, tuple(self._moves(came, notebook.path))
        place = self.main.place(notebook.path)
        # The metadata settle it, and no other session claims this place: no file needs to be read.
        is_told = of_uid is not None and not of_uid.is_forgotten
        if is_told and not any(place in _places(info) for info in infos):
            return None, ()
        swap = self._swap(notebook, notebook.path, infos)
        if swap is None:
            return None, ()
        by_id = {info.id: info for info in infos}
        own, other = (by_id[id] for id in (swap.own, swap.other))
        came = self._candidate(self.main, own, notebook)
        came = replace(came, places=tuple(replace(e, exists=False) for e in came.places))
        left = place if place in _places(other) else other.notebook
        move = Move(home=str(self.main.path), session=other.id, left=left, path=swap.path)
        return came, (move,)

    def _has_arrived(self, of_uid: Candidate, notebook: NotebookFile) -> bool:
        """Whether the session that the metadata name has its notebook here now, and was elsewhere:
        at none of its places is it any more, or what is here by its place cannot have its id."""
        if of_uid.archived or of_uid.is_here or not of_uid.places:
            return False
        # Its notebook is nowhere else: moved, unless another file claims the same session.
        if not any(place.exists for place in of_uid.places):
            return not self._has_rival(notebook, of_uid)
        place = self._home_at(of_uid.home)
        files = [place.notebook_at(each.path) for each in of_uid.places]
        here = [
            (where, info)
            for where in self._possible_homes(of_uid)
            for info in where.sessions()
            if where.place(notebook.path) in _places(info) and not info.archived
        ]
        return (
            bool(here)
            and all(read_document(file).uid is None for file in files)
            # A session of this place that was copied from the named one is the answer of an earlier
            # question.
            and not any(_is_copy(where, info.id, place, of_uid.id) for where, info in here)
        )

    def _is_elsewhere(
        self, candidate: Candidate, of_uid: Candidate, notebook: NotebookFile
    ) -> bool:
        """Whether the notebook of a session that has this place is seen at another one: the file
        there names it, while this one names `of_uid`."""
        assert notebook.path is not None
        uid = self._home_at(candidate.home).journal.info(candidate.id).uid
        files = self._files_around(notebook.path, of_uid)
        return any(read_document(file).uid == uid for file in files)

    def _files_around(self, path: Path, of: Candidate) -> list[Path]:
        """The notebooks at the places of a session, and those beside them and beside `path`."""
        place = self._home_at(of.home)
        places = [place.notebook_at(each.path) for each in of.places]
        with suppress(OSError):
            folders = dict.fromkeys((path.parent, *(each.parent for each in places)))
            places += [file for folder in folders for file in notebooks_in(folder)]
        return [file for file in dict.fromkeys(places) if file.is_file() and not _same(file, path)]

    def _moves(self, arrival: Candidate, path: Path) -> Iterator[Move]:
        """Where the notebooks of the other sessions are whose place changed hands: where one file
        alone names the session, or, of the place that became free, names none and has its cells."""
        files = {file: read_document(file) for file in self._files_around(path, arrival)}
        place = self._home_at(arrival.home)
        free = [place.notebook_at(each.path) for each in arrival.places]
        # Renames can go round (a to b, b to c, c to a): each place that changed hands is followed
        # on.
        settled, changed = {(arrival.home, arrival.id)}, [path]
        while changed:
            at = changed.pop()
            for where in self._possible_homes(arrival):
                for info in where.sessions():
                    key, left = (str(where.path), info.id), where.place(at)
                    if info.archived or key in settled or left not in _places(info):
                        continue
                    settled.add(key)
                    cells = where.journal.cells(info.id)
                    with_uid = [file for file, each in files.items() if each.uid == info.uid] or [
                        file
                        for file, each in files.items()
                        if file in free and each.uid is None and cells & (each.cells or set())
                    ]
                    if len(with_uid) < 2:  # else one of them is a copy: its user is asked
                        now = where.place(with_uid[0]) if with_uid else None
                        yield Move(home=key[0], session=info.id, left=left, path=now)
                        changed += with_uid

    def _swap(
        self, notebook: NotebookFile, path: Path, infos: Sequence[SessionInfo]
    ) -> Swap | None:
        """What the cells say, where metadata tell the notebooks not apart."""
        place, own_place = self.main, self.main.place(path)
        related = [
            info
            for info in infos
            if not info.archived
            and (own_place in _places(info) or _has_cells(place, info, notebook))
        ]
        # One session alone has nobody to change places with; this spares reading the folder's
        # files.
        if own_place is None or notebook.is_other or len(related) < 2:
            return None
        related_files = [place.notebook_at(each) for info in related for each in _places(info)]
        with suppress(OSError):
            folders = dict.fromkeys((path.parent, *(each.parent for each in related_files)))
            related_files += [file for folder in folders for file in notebooks_in(folder)]
        files = {
            str(place.place(file)): read_document(file)
            for file in dict.fromkeys(related_files)
            if file.is_file() and not _same(file, path)
        }
        # A session that another file names is that file's, whatever the cells say.
        named = {each.uid for each in files.values()} - {notebook.uid}
        # Metadata of the other file settle it before the cells are compared.
        for one, other in permutations(related, 2) if notebook.uid is None else ():
            at = [each for each in _places(one) if each in files]
            is_there = own_place not in _places(one) and own_place in _places(other)
            if at and is_there and {files[each].uid for each in at} == {other.uid}:
                return Swap(own=one.id, other=other.id, path=at[0])
        is_named = any(info.uid == notebook.uid and own_place in _places(info) for info in related)
        claims = [
            Claim(session=info.id, places=_places(info), marks=session_marks(place.look(info)))
            for info in related
            if info.uid == notebook.uid
            or not (info.uid in named or (is_named and own_place in _places(info)))
        ]
        alike = {at: file_marks(each) for at, each in files.items() if each.uid == notebook.uid}
        return find_swap(own_place, _notebook_marks(notebook), alike, claims)

    def _is_of_another(
        self, lost: Candidate, infos: Sequence[SessionInfo], notebook: NotebookFile
    ) -> bool:
        """Whether the notebook is a copy of another session's: it holds what that one recorded
        after the lost one had begun."""
        journal = self.main.journal
        others = (info for info in infos if info.id != lost.id and not info.archived)
        # `journal.cells` is an index; whole histories are read only where cells overlap.
        near = [info.id for info in others if journal.cells(info.id) & notebook.cells]
        if not (lost.has_cells and near):
            return False
        marks, own = _notebook_marks(notebook), journal.read(lost.id)
        return any(is_of_another(marks, own, journal.read(id)) for id in near)

    def _with_names(self, session: Candidate) -> Candidate:
        place = self._home_at(session.home)
        return replace(session, former=_names(place, place.journal.info(session.id)))

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
        numbered_ones = filter(None, map(names.get, numbered))
        return next(
            (it for it in numbered_ones if _has_cells(self.main, it, notebook) is not False), None
        )

    def _has_rival(self, notebook: NotebookFile, of_uid: Candidate | None) -> bool:
        """Whether another file names the same session: beside the notebook, or where the session's
        notebook was. It is asked only where that is gone: else its place says more. A copy that
        has a session of its own names this one until it is saved."""
        path = notebook.path
        if path is None or of_uid is None:
            return False
        # Reading the files of a folder takes time: only where the answer can change the decision.
        if any(place.exists or place.is_this for place in of_uid.places):
            return False
        # A copy that was given a session of its own goes on naming this one in its file until it is
        # saved.
        decided = [
            where.notebook_at(each)
            for where in self._possible_homes(of_uid)
            for info in where.sessions()
            if info.uid != notebook.uid
            for each in _places(info)
        ]
        return any(
            read_document(file).uid == notebook.uid and file not in decided
            for file in self._files_around(path, of_uid)
        )

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
    ) -> NotebookPlace:
        # By the file and not by its name: links and case-insensitive disks give one file several
        # names.
        if notebook.path is not None and _same(path, notebook.path):
            return NotebookPlace(path=kept, exists=path.is_file(), is_this=True)
        if not path.is_file():
            return NotebookPlace(path=kept, exists=False)
        document = read_document(path)
        is_another = document.uid != info.uid and (
            (document.cells is not None and bool(recorded) and not document.cells & recorded)
            or (notebook.uid == info.uid and self._came_from_elsewhere(document.uid, path))
        )
        if is_another:
            return NotebookPlace(path=kept, exists=False)
        shares = bool((document.cells or frozenset()) & notebook.cells)
        return NotebookPlace(path=kept, exists=True, shares_cells=shares)

    def _came_from_elsewhere(self, uid: str | None, path: Path) -> bool:
        """Whether the file at `path` is the notebook of a session that was never there: it came
        since, and what was there before is elsewhere."""
        if uid is None:
            return False
        for place in self._homes(path):
            with suppress(JournalError):
                session = place.journal.find_uid(uid)
                if session is not None:
                    return place.place(path) not in _places(place.journal.info(session))
        return False

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
            if session.is_same(facts.arrival):
                self._follow(facts.moves)
            return self._make_resolution(place.workspace(session.id), place, notebook, says)
        # After its own file, not after the original's session, whose name would need a number.
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
        elif name != facts.name and (facts.path is not None or notebook.for_recording):
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
        # Most starts end here: nothing changed, so nothing is written.
        if path is None or any(each.is_this for each in session.places):
            return
        after = [path if each == leaves else each for each in before]
        if path not in after:
            after.append(path)
        with suppress(JournalError):
            place.journal.set_notebook(session.id, after[0], after[1:])

    def _follow(self, moves: Iterable[Move]) -> None:
        """Note where the notebooks are now whose places changed hands."""
        for move in moves:
            with suppress(JournalError):
                journal = self._home_at(move.home).journal
                before = _places(journal.info(move.session))
                after = [move.path if each == move.left else each for each in before or (None,)]
                # None: nobody knows where it went; the session keeps its other places.
                places = [each for each in dict.fromkeys(after) if each is not None]
                journal.set_notebook(move.session, places[0] if places else None, places[1:])

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
        candidate = self._of_uid(NotebookFile(path=path, uid=uid))
        if candidate is not None:
            self._record_move(self._home_at(candidate.home), candidate.id, left, path)

    def record_move(self, session: int, left: Path, path: Path) -> None:
        """The notebook of a session here, which was at `left`, is at another path now."""
        self._record_move(self.main, session, left, path)

    def _record_move(self, place: Home, session: int, left: Path, path: Path) -> None:
        info = place.journal.info(session)
        new_place = place.place(path)
        if new_place is None:
            return
        before = _places(info) or (new_place,)
        after = [new_place if _same(place.notebook_at(each), left) else each for each in before]
        after = [*dict.fromkeys(after)]
        if tuple(after) != _places(info):
            place.journal.set_notebook(session, after[0], after[1:])
            moved = self._candidate(place, info, NotebookFile(path=path))
            self._follow(self._moves(moved, path))


def locate(path: Path | None, seen: frozenset[str], main: Home) -> Path | None:
    """Where the notebook is, whose path was said when its kernel was first started: a kernel is not
    told when its notebook is renamed, not even when it is restarted. `seen` are cells that ran.

    The path holds where its file has one of these cells. Else a session that recorded one of them
    knows the place, unless another did at the path: one of both is of a copy. Else it is the only
    file in that folder that has one. In doubt the path holds.
    """
    own = read_document(path).cells if path is not None else None
    # VS Code's ids are in no file: they can confirm no other one either.
    if path is None or not seen or any(id.startswith(BY_PLACE) for id in seen):
        return path
    if own is not None and own & seen:
        return path
    # The latest first: a notebook that was copied has its cells in several sessions.
    infos = sorted(main.sessions(), key=lambda info: -info.changed)
    infos = [info for info in infos if main.journal.cells(info.id) & seen]
    taken: list[Path] = []
    for info in infos:
        places = [main.notebook_at(each) for each in _places(info)]
        existing = [each for each in places if each.is_file() and not _same(each, path)]
        if existing and not any(main.place(path) in _places(each) for each in infos):
            holding = [each for each in existing if (read_document(each).cells or set()) & seen]
            return (holding or existing)[0]
        taken += existing  # it is a copy, or has one
    with suppress(OSError):
        holding = [
            each
            for each in notebooks_in(path.parent)
            if each not in taken and (read_document(each).cells or set()) & seen
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


def _notebook_marks(notebook: NotebookFile) -> Marks:
    """What its file holds, and the cells that were seen."""
    file = set() if notebook.path is None else file_marks(read_document(notebook.path))
    return file | {(cell,) for cell in notebook.cells}


def _places(info: SessionInfo) -> tuple[str, ...]:
    return () if info.notebook is None else (info.notebook, *info.shared)


def _is_of_before(place: Home, info: SessionInfo, notebook: NotebookFile) -> bool:
    """Whether a session was that of another file at this path, which is gone: this file was saved
    after the session changed last, and does not name it. A program that ran the notebook saved it
    so, too: then the session has its cells, and is a copy of the one that it names, if any."""
    later = notebook.saved is not None and notebook.saved > info.changed
    # A file that was not saved since tells nothing: the session's id may be only in the front end.
    if not later or notebook.uid == info.uid or _shares_code(place, info, notebook):
        return False
    if notebook.uid is None:
        return not place.journal.cells(info.id) & notebook.cells
    return not _is_copy_with_code(place, info, notebook)


def _has_cells(place: Home, info: SessionInfo, notebook: NotebookFile) -> bool | None:
    """Whether a session recorded a cell of the notebook; None where that cannot be known."""
    cells = place.journal.cells(info.id)
    if cells & notebook.cells or _shares_code(place, info, notebook):
        return True
    if notebook.path is None and notebook.for_recording:
        # Once a step is to be recorded, doubt means no: two notebooks in one session cannot be
        # parted again.
        return False if cells or place.look(info).steps else None
    return False if cells and notebook.complete else None


def _shares_code(place: Home, info: SessionInfo, notebook: NotebookFile) -> bool:
    """Whether a session recorded a step that is a cell of the notebook by its code, where only one
    of the two has ids for its cells. What nobody says to be a file is not taken for one."""
    if not notebook.sources or (notebook.path is None and _places(info)):
        return False
    # Both have ids, which are surer than code: the same `import pandas` is in many notebooks.
    if place.journal.cells(info.id) and (notebook.cells or notebook.path is not None):
        return False
    sources = {kept_source(source.strip()) for source in notebook.sources}
    cells = (step.current.cell for step in place.look(info).steps.values())
    return any(cell is not None and cell.source.strip() in sources for cell in cells)


def _is_copy(place: Home, session: int, of_place: Home, of: int) -> bool:
    """Whether a session began as a copy of another one, which has the same first event."""
    one, other = (
        next(iter(home.journal.read(id)), None) for home, id in ((place, session), (of_place, of))
    )
    # A copy takes all events over as they are, times included; two that began apart differ in them.
    return one is not None and other is not None and (one.at, one.event) == (other.at, other.event)


def _is_copy_with_code(place: Home, info: SessionInfo, notebook: NotebookFile) -> bool:
    """Whether a session is a copy of the one that a notebook names, and what it ran since is in
    it."""
    of = place.journal.find_uid(notebook.uid or "")
    if of is None or notebook.path is None or not _is_copy(place, info.id, place, of):
        return False
    named = session_marks(place.look(place.journal.info(of)))
    own = session_marks(place.look(info)) - named
    # A copy that ran nothing since: without a front end, nothing else tells it from the file at its
    # place.
    if not own:
        return not notebook.has_front_end
    return bool(own & file_marks(read_document(notebook.path)))


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
    shown = [place for place in session.places if place.exists] or [*session.places]
    return Path(shown[0].path).name if shown else f"the notebook of {session.name!r}"


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
