"""one kernel's notebook: which session it writes to, which cell runs, which step is open.

    pre_run_cell -> the cell is known -> a magic opens a step -> post_run_cell closes it

Which cell a magic is in is kept in a context variable, because cells may run side by side; which
one has ended is found by IPython's own word for the run, because a cell that awaits ends in another
context than it began in.

An interrupt may come between any two lines, and leaves no step running:

* A step is recorded and known as its cell's open step in one `Deferral`.
* It is taken off before its end is recorded, and put back where an interrupt comes between
  (`_close`). Where a cell has several steps, that interrupt then stops the cell.
* A cell is known (`_open_cells`) until its step has ended, in `post_run_cell`. IPython may be
  interrupted right before it calls that, or swallow an interrupt on its first line. So as the
  request ends, every cell of it that is still known is closed: nothing can come between there.
  Without requests, as in a terminal, the next cell closes it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Lock, get_ident
from time import perf_counter
from traceback import print_exc
from typing import TYPE_CHECKING, Any, Protocol

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from wfnb.core.commands import AddStep, NotebookCells
from wfnb.core.data_flow import PLAIN, Flow, written_names
from wfnb.core.events import Cell, Outcome
from wfnb.core.findings import Look
from wfnb.core.session import Session, Step
from wfnb.core.staleness import sharing
from wfnb.core.step_magic_lines import TO_WFNB, marks
from wfnb.core.validation import MAIN
from wfnb.core.validation import source as kept_source
from wfnb.core.value_keeping import ALL
from wfnb.core.yaml_header import split_header
from wfnb.dataflow.observer import Observer, Segment
from wfnb.errors import JournalError, OtherNotebook, WfnbError
from wfnb.home_folder import Home, home, session_name
from wfnb.identity.notebook_document import CodeCell, modified_time
from wfnb.identity.session_resolver import (
    NotebookFile,
    Resolver,
    SessionMatch,
)
from wfnb.interrupt_deferral import Deferral
from wfnb.journal import MemoryJournal
from wfnb.session_log import Host, SessionLog
from wfnb.workspace import KeepRequest, PreparedValues, Workspace

from . import cell_text, opened_files
from .cell_evidence import Attention, asks_for_runs
from .cell_output import show
from .code_observation import CodeObservation
from .confirmation_prompts import ask_copy
from .figure_capture import ShownFigures, keep_figures
from .input_transform import as_python
from .ipython_compat import (
    last_input,
    load_inline_backend,
    request_part,
    result_of,
    takes_input,
)
from .notebook_location import NotebookLocation
from .observed_look import CodeEnd, Witness
from .open_notebooks import OpenNotebooks, is_same_file, notebook_cells
from .opened_files import Watch
from .running_cell import OpenStep, Running

if TYPE_CHECKING:
    from wfnb.views.restore_result import Restoration
    from wfnb.workflows.runner.runner import Runner

_INTERRUPTED = Outcome(status="interrupted", error="KeyboardInterrupt")
_SCRATCH = "This session is in memory only: it ends with its kernel. `%wfnb start NAME` keeps one."


class PlainCells(Protocol):
    """What is asked of plain cells that may be steps: `record_mode.py` answers."""

    def is_on(self) -> bool: ...

    def steps_in(self, cell: CodeCell) -> int: ...

    def is_step(self, running: Running, again: Step | None) -> bool: ...

    def record(self, running: Running) -> None: ...


class Notebook(Host):
    """What the magics share in one kernel: the front ends, which notebook this is, which session it
    writes to, and the cells that run.

    Where its file is not known (`location`), the session that a cell opens before one is recorded
    is a guess (`_session_is_guess`): the first recorded cell decides again.
    """

    record_mode: PlainCells
    """It is set as the extension is loaded."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.workspace: Workspace | None = None
        """The session in use."""
        self.keeps_going = False
        """Whether a program runs the notebook so that it can go on later: where the session has not
        chosen otherwise, plain cells are quiet steps, and steps keep all that they assign."""
        self.open_notebooks = OpenNotebooks()
        # Which session it has.
        self._session_is_guess = False
        self._session_found: tuple[object, SessionMatch | None] | None = None
        """The session that `open` would go on with, and the state of files that it rests on."""
        self._session_before: Workspace | None = None
        """The one that was in use before another notebook took the kernel."""
        self._far_home: Home | None = None
        """Where the session is kept, if that is elsewhere than the notebook says by now."""
        self._opening = Lock()
        # Cells that run.
        self._running: ContextVar[Running | None] = ContextVar("wfnb_cell", default=None)
        self.location = NotebookLocation(
            shell, self.open_notebooks, self._running.get, self._parent_cell()
        )
        self._open_cells: list[Running] = []
        """Those whose end was not told yet."""
        self._unsent: list[tuple[Workspace, int, Outcome, Flow | None]] = []
        """Ends of attempts that the journal did not take."""
        self._rerun_step: Step | None = None
        """The step whose cell a verb runs again."""
        self._attention = Attention()
        self._witness = Witness(shell)
        self.observer = Observer(
            shell.user_ns,
            self._session,
            shell.user_ns_hidden,
            self.open_notebooks.cell_ids,
            self._names_sharing,
        )
        self._observation = CodeObservation(shell, self.observer, self._session)

    # where

    def _refuse_other(self, workspace: Workspace) -> None:
        """OtherNotebook, where the cell that runs is of another notebook than the session in use,
        and the notebook of that is open, too."""
        mine = self.open_notebooks.place_of_cell(self._running.get())
        refusal = None if mine is None else self._refusal(mine, workspace)
        if refusal is not None:
            raise refusal

    def _refusal(self, file: Path, workspace: Workspace) -> OtherNotebook | None:
        """Why no step of that notebook is recorded: it has the kernel of another one, and did not
        open its session by name."""
        own = workspace.log.notebook
        if own is None or not self._is_guest(file):
            return None
        if self.home().place(file) in workspace.log.journal.info(workspace.log.id).notebooks:
            return None
        return OtherNotebook(file.name, workspace.session.name, own.name)

    def home(self) -> Home:
        """Where the session in use is kept, if its notebook was moved away from there; else
        WFNB_HOME, else `.wfnb` beside the notebook or in the nearest folder above, else so where
        the kernel started."""
        if self._far_home is not None and self.workspace is not None:
            return self._far_home
        return self._main_home()

    def _main_home(self) -> Home:
        return home(start=self.location.folder())

    def runner(self) -> Runner:
        """The runs of the session in use, with this notebook's names."""
        return self.home().runner(self.open().log, self.location.folder(), self.shell.user_ns)

    def take_evidence(self, values: dict[str, Any]) -> None:
        """What planned calls gave becomes variables, and values of the step that is open."""
        self.shell.user_ns.update(values)
        step = self._current_cell().step
        if step is not None:
            step.values = tuple(dict.fromkeys((*step.values, *values)))

    def step_key(self) -> int | None:
        """The key of the step that this cell has open."""
        step = self._current_cell().step
        return None if step is None else step.key

    def origin(self) -> tuple[str, ...]:
        """Where what this cell defines is written: the session, then the cell, where the front end
        says which. Of its id a hash: some put the path of the notebook into it."""
        id = self._current_cell().id
        return (self.open().session.name, *([sha256(id.encode()).hexdigest()[:12]] if id else []))

    def is_watched(self) -> bool:
        """Whether a person looks at the cell while it runs, as far as that can be known: programs
        that run notebooks send no cell id."""
        return self._current_cell().id is not None

    def open(self, for_recording: bool = False) -> Workspace:
        """The session in use. The first use finds the notebook's session again, or begins one that
        is named after the notebook (`wfnb/identity/`). Which notebook it is may be known only as
        the first cell is to be recorded (`for_recording`)."""
        if self.workspace is None or (for_recording and self._session_is_guess):
            with self._opening:  # a cell and a panel may be the first at once
                if self.workspace is None or (for_recording and self._session_is_guess):
                    notebook = self.identity(for_recording)
                    name = self.location.name()
                    found = Resolver(self.home()).open(notebook, name, self._asker())
                    by_cell = self._running.get() is not None  # else by a person who sees it
                    self._session_is_guess = notebook.path is None and by_cell and not for_recording
                    if self.workspace is None or not _same(self.workspace.log, found.workspace.log):
                        place = self._with_what_ran(found.workspace)
                        self._locate_session(place.log)
                        self._attention.use_session(place.log)
                        self.workspace = place
                        self._keep_home(found.home)
                    if found.says:
                        print(f"wfnb: {found.says}")
        if for_recording:
            self._refuse_other(self.workspace)
        self._send_again()
        return self.workspace

    def _with_what_ran(self, found: Workspace) -> Workspace:
        """The session that was found; where it was in use before, what ran in it stays known."""
        left, self._session_before = self._session_before, None
        if left is None or not _same(left.log, found.log):
            return found
        left.log.refresh()
        return left

    def open_named(self, name: str) -> str:
        """Go on with the session of that name, or begin it. What a person has to know of how it was
        found."""
        notebook = self.identity()
        found = Resolver(self.home()).open_named(notebook, session_name(name), self._asker())
        self.use(found.workspace, found.home)
        return found.says

    def is_started_by(self, name: str, cell: Cell) -> bool:
        """Whether that cell of this notebook, or of the notebook that this is a copy of, started
        the session of that name."""
        if cell.id is None:
            return False
        found = Resolver(self.home()).own(self.identity(), session_name(name))
        return found is not None and home(found.home).is_started_by(found.id, cell)

    def knows(self, name: str) -> bool:
        """Whether `open_named` would go on with a session, or copy it."""
        return Resolver(self.home()).own(self.identity(), session_name(name)) is not None

    def forget(self, name: str) -> str:
        """Archive a session. Where it is the one in use, the next cell that records begins another.
        Returns its archive name. SessionUnknown."""
        session = self.home().find(name)
        used = self.workspace
        archived = self.home().forget(name)
        if used is not None and (used.log.journal, used.log.id) == (self.home().journal, session):
            self.workspace = None
            self._attention.forget()
        return archived

    def use(self, workspace: Workspace, place: Home | None = None) -> None:
        """Go on with a session, on its main line. Where it is the one in use, what this kernel
        ran in it stays known."""
        used, self._session_is_guess = self.workspace, False
        if used is not None and _same(used.log, workspace.log):
            used.log.refresh()
            used.log.line = MAIN
        else:
            self.workspace = workspace
            self._keep_home(place)
            self._locate_session(workspace.log)
        self._attention.forget()

    def _locate_session(self, log: SessionLog) -> None:
        log.folder, log.notebook = self.location.folder(), self.location.path()

    def _keep_home(self, place: Home | None) -> None:
        self._far_home = None if place is None or place is self._main_home() else place

    # which notebook it is

    def identity(self, for_recording: bool = False) -> NotebookFile:
        """What is known of the notebook; `for_recording`: a cell of it is to be recorded now."""
        is_decided = self.workspace is not None and not self._session_is_guess
        return self.location.identity(self.home(), is_decided, for_recording)

    def register_place(self, name: str, path: str, root: str, uid: str | None) -> str | None:
        """The front end of that name says where its notebook is (below the `root` of its server),
        and which session its metadata name. Returns the permanent id of the session in use, which
        is to be written there; None where there is none, or it is in memory only."""
        file, before = self.location.file_at(path, root), self.location.path()
        if file is not None:
            self.open_notebooks.set_place(name, file)
            if self._is_guest(file):
                return None
        self.location.set_metadata(uid, is_place_known=file is not None)
        used, place = self.workspace, self.home()
        is_kept = used is not None and used.log.journal is place.journal
        if file is not None:
            self.location.file = file
            if used is not None and is_kept and file not in (before, used.log.notebook):
                if before is not None and before.is_file() and not before.samefile(file):
                    self._session_before, self.workspace = used, None
                    return None  # another notebook has this kernel: its next cell decides
                Resolver(place).record_move(used.log.id, before or file, file)
                used.log.notebook = file
            elif used is None and uid and before and before != file and not before.exists():
                Resolver(place).follow_move(uid, before, file)
        if used is None or not is_kept:
            return None
        return used.log.journal.info(used.log.id).uid

    def note(self, name: str) -> str:
        """What the person at a front end has to know of the history that is shown there: it is that
        of another notebook, or is not kept. Empty where there is nothing to say. JournalError."""
        file, used = self.location.place_of(name), self.workspace
        if file is None:
            return ""
        if used is not None:
            refusal = self._refusal(file, used)
            unkept = _SCRATCH if isinstance(used.log.journal, MemoryJournal) else ""
            return unkept if refusal is None else refusal.note
        kept = self.find_session() if file == self.location.path() else None
        return "" if kept is None else kept.note

    def _is_guest(self, file: Path) -> bool:
        """Whether the notebook of the session in use is open in another front end, so that this one
        has the kernel of another notebook."""
        own = None if self.workspace is None else self.workspace.log.notebook
        return own is not None and not is_same_file(own, file) and self.open_notebooks.has(own)

    def _asker(self) -> Callable[[str], str] | None:
        """What asks the person at the keyboard, in a cell; None where nobody can be asked."""
        if self._running.get() is None or not takes_input(self.shell):
            return None
        return ask_copy

    def known_session(self) -> tuple[Session, str] | None:
        """The session in use and its chosen line, else the one that `open` would resume; none is
        started, and nothing is recorded."""
        if self.workspace is not None:
            return self.workspace.session, self.workspace.log.line
        found = self.find_session()
        return None if found is None else (found.home.look(found.info), MAIN)

    def uses(self, log: SessionLog) -> bool:
        """Whether it is the session in use, however it was opened and whatever is known of it."""
        used = None if self.workspace is None else self.workspace.log
        return used is not None and (used.journal, used.id) == (log.journal, log.id)

    def find_session(self) -> SessionMatch | None:
        """The session that `open` would go on with or copy, from outside, and where it is kept. A
        panel asks often: files are read again only where something has changed."""
        place, path = self.home(), self.location.path()
        infos = place.sessions()
        about = [(info.id, info.name, info.notebooks, info.archived) for info in infos]
        knowledge = (self.location.state(), place.notebooks_there(infos))
        state = (place.path, path, path and modified_time(path), knowledge, about)
        # The state is what the answer depends on: comparing it is cheap, reading notebooks is not.
        if self._session_found is None or self._session_found[0] != state:
            name = self.location.name()
            self._session_found = (state, Resolver(place).look(self.identity(), name))
        return self._session_found[1]

    # cells

    @property
    def cells(self) -> NotebookCells | None:
        """The cells that there are, as a front end said last, before others one that has the cell
        which runs; None where none says it."""
        return self.open_notebooks.cells_around(self._running.get())

    def cells_beside(self, cell: Cell | None) -> NotebookCells | None:
        """The cells among which a cell is to be recognised. Before a front end connects, after a
        restart, a cell that has recorded nothing may be a copy: those of the file tell."""
        cells = self.open_notebooks.cells_around(self._running.get())
        if cells is not None or cell is None or cell.id is None or self.workspace is None:
            return cells
        known = self.workspace.session.cells
        return None if (cell.id, cell.part) in known else self._saved_cells()

    def _saved_cells(self) -> NotebookCells | None:
        """The cells of the file, without those of which JupyterLab says that they were deleted
        since. Nothing is known by a file whose ids are not those of the cells that run."""
        path, ids = self.location.path(), self.location.cell_ids
        document = self.location.document() if ids else None
        if path is None or document is None or not ids & (document.cells or frozenset()):
            return None
        gone = request_part(self.shell, "metadata", "deletedCells")
        gone = frozenset(map(str, gone)) if isinstance(gone, list) else frozenset()
        cells = (each for each in document.code if each.id is not None and each.id not in gone)
        there = [(each.id or "", self.record_mode.steps_in(each)) for each in cells]
        return notebook_cells(there, path, path.parent)

    def _names_sharing(self, names: Iterable[str]) -> set[str]:
        """These names, and those that shared an object with one of them, in this session."""
        workspace = self.workspace
        return set(names) if workspace is None else sharing(workspace.session.staleness, names)

    # hooks

    def pre_run_cell(self, info: Any) -> None:
        """A cell begins."""
        # An interrupt may have kept the end of an earlier cell from being told here.
        for left in [each for each in self._open_cells if self._is_over(each)]:
            self._close_unfinished(left)
        outer = self._running.get()
        # It began before the hooks were in, so that nobody told its end: this cell is not within
        # it.
        if outer is not None and outer.info is None:
            self._close(outer, Outcome(status="unknown"))
            outer = None
        cell_id = getattr(info, "cell_id", None) or (None if outer else self._parent_cell())
        running = Running(cell_id, info.raw_cell or "", info, self._request(), outer)
        running.is_front_ends_own = self._is_scratch(info)
        if self.workspace is not None:
            running.since = self._position(self.workspace)
        with Deferral():  # a cell of which only one of both knows would leave its step running
            self._open_cells.append(running)
            self._running.set(running)
        if self.observer.modules and (loaded := self.observer.reloaded()):
            self._plain_changed(loaded)
        if self.workspace is None or self._session_is_guess:
            self.location.add_cell(cell_id, running.source)
        plain = not TO_WFNB.search(running.source)
        if plain and self.record_mode.is_step(running, self._rerun_step):
            self.record_mode.record(running)
        if outer is None and not running.is_front_ends_own:
            above = "" if running.whole else cell_text.code_above_steps(running.source)
            running.segment = self._observation.begin(above, cell_id) if above else None
            if self.workspace is None or self.workspace.session.is_extended:
                running.watch = opened_files.begin_watch()

    def post_run_cell(self, result: Any) -> None:
        """A cell has ended: its open step ends with it."""
        running = None
        try:
            running = self._running_cell(getattr(result, "info", None))
            if running is not None:
                self._post_run_cell(running, result)
        except KeyboardInterrupt:
            running = running or self._running_cell(getattr(result, "info", None))
            if running is not None:
                self._close_unfinished(running)

    def on_request_end(self) -> None:
        """What the request ran has ended. A cell that is still known as running was not told to
        have ended, because an interrupt came right before that."""
        for left in [each for each in self._open_cells if each.request == self._request()]:
            self._close_unfinished(left)

    def _close_unfinished(self, running: Running) -> None:
        """What is done at the end of a cell was not, or not all of it: its step ends all the
        same, as its code did where that had ended."""
        with Deferral():
            if running in self._open_cells:
                self._open_cells.remove(running)
            if self._running.get() is running:
                self._running.set(running.outer)
            result = result_of(self.shell, running.info)
            self._close(running, _INTERRUPTED if result is None else cell_text.outcome_of(result))

    def _post_run_cell(self, running: Running, result: Any) -> None:
        if running in self._open_cells:
            self._open_cells.remove(running)
        outcome = cell_text.outcome_of(result)
        if isinstance(getattr(result, "error_before_exec", None), SyntaxError):
            self._open_unread(running)
        if self._running.get() is running:
            self._running.set(running.outer)
        self._close(running, outcome)
        watch, running.watch, seen = running.watch, None, None
        if watch is not None:
            seen = self._observed_look(running, running.source, running.segment, watch, outcome)
        self._plain_ended(running, outcome)
        log = None if self.workspace is None else self.workspace.log
        self._attention.on_cell_end(running, result, log, seen)
        # Another extension was loaded since, and its hook comes after this one.
        if self.shell.events.callbacks["pre_run_cell"][-1:] != [self.pre_run_cell]:
            self._begin_last()

    def _begin_last(self) -> None:
        """What others do as a cell begins, as `autoreload` does, is done before it: not by it."""
        with suppress(ValueError):  # the hooks are out
            self.shell.events.unregister("pre_run_cell", self.pre_run_cell)
            self.shell.events.register("pre_run_cell", self.pre_run_cell)

    @property
    def runs_cell(self) -> bool:
        """Whether a cell runs, in whatever thread."""
        return any(not self._is_over(each) for each in self._open_cells)

    def _is_over(self, running: Running) -> bool:
        """Whether the cell has ended, and an interrupt kept its end from being told: a kernel
        answers one request after the other, but for those of other threads (subshells). Where there
        are no requests, IPython has its result."""
        if running.request is None:
            return result_of(self.shell, running.info) is not None
        return running.request != self._request() and running.thread == get_ident()

    def _open_unread(self, running: Running) -> None:
        """Python could not read the cell, so that nothing of it ran: the step that it begins with
        was tried all the same, and failed."""
        found = next(iter(marks(running.source)), None)
        # Only a step that the cell begins with can be told to have been tried.
        if (
            found is None
            or found.column
            or running.lines
            or cell_text.code_above_steps(running.source)
        ):
            return
        before = self._running.set(running)
        try:
            self.shell.run_line_magic(found.magic, found.words)
        except (UsageError, WfnbError):  # its words are wrong, too; what is shown is the code
            pass
        finally:
            self._running.reset(before)

    def _observed_look(
        self, running: Running, source: str, segment: Segment | None, watch: Watch, outcome: Outcome
    ) -> Look | None:
        """The look that code of a cell was which has ended."""
        opened_files.end_watch(watch)
        workspace = self.workspace
        folder = self.location.kernel_folder if workspace is None else workspace.log.folder
        notes = workspace is not None and asks_for_runs(workspace.session)
        code = CodeEnd(running, source, watch, outcome, segment)
        try:
            return self._witness.look(code, folder, self.location.path(), notes)
        except Exception:  # a fault of ours: the cell has run
            print_exc()
            return None

    def leave(self) -> None:
        """The hooks go out: how the cells that run now will end cannot be known."""
        for running in filter(None, (*self._open_cells, self._running.get())):
            self._close(running, Outcome(status="unknown"))
        self._open_cells.clear()

    def on_step_tried(self) -> None:
        running = self._running.get()
        while running is not None:
            running.tried, running = True, running.outer

    def on_step(self, log: SessionLog, command: AddStep) -> None:
        if self.uses(log):
            self._attention.begins(log, command)

    def defers_looks(self, log: SessionLog, looks: Sequence[Look], since: int) -> bool:
        running = self._running.get()
        if running is None or self.workspace is None or not self.uses(log):
            return False
        while running.outer is not None:
            running = running.outer
        return self._attention.waits(running, looks, since, self.workspace.log)

    def deferred_looks(self, log: SessionLog) -> Sequence[Look]:
        return self._attention.deferred_looks(log) if self.uses(log) else ()

    def _position(self, workspace: Workspace) -> int:
        """Where the session is as a cell begins. A program may have added a step to it by another
        way than these magics, so that an investigation is read again."""
        if workspace.session.is_extended:
            with suppress(WfnbError):
                workspace.log.refresh()
        return workspace.session.position

    def _running_cell(self, info: Any) -> Running | None:
        """The cell of that run; without a word for the run, the last that this request began."""
        for running in reversed(self._open_cells):
            if running.info is info or (info is None and running.request == self._request()):
                return running
        return self._running.get()

    # steps

    def cell(self) -> Cell:
        """The cell of the step that is being opened, as the journal keeps it."""
        running = self._current_cell()
        source = kept_source(running.source.rstrip())
        path = self.location.path() if running.id is not None else None
        notebook = path.name if path else None
        return Cell(id=running.id, source=source, part=len(running.lines), notebook=notebook)

    def body(self, line: str | None) -> str | None:
        """What stands under the step that this line opens; None where that is not known."""
        running = self._current_cell()
        if running.whole:
            return running.source
        return cell_text.body(running.source, line, running.lines.count(line))

    @contextmanager
    def mark_rerun(self, step: Step) -> Iterator[None]:
        """The cell of a step runs, by whatever id: it is an attempt of the steps that it was."""
        self._rerun_step = step
        try:
            yield
        finally:
            self._rerun_step = None

    def matching_step(self) -> Step | None:
        """The step that the line means which opens one now, where its cell is run again."""
        again = self._rerun_step
        if again is None or again.current.cell is None:
            return None
        part, source = len(self._current_cell().lines), again.current.cell.source
        for step in self.open().session.steps.values():
            cell = step.current.cell
            same = cell is not None and (cell.source, cell.part) == (source, part)
            if same and step.cell_id == again.cell_id:
                return step
        return None

    def code(self, line: str | None) -> str:
        """The code under the step that this line opened last; of the whole cell, where it is not
        known what is under it."""
        running = self._current_cell()
        if running.whole:
            return running.source
        body = cell_text.body(running.source, line, running.lines.count(line) - 1)
        return running.source if body is None else split_header(body)[1]

    def put(self, prepared: PreparedValues) -> Restoration:
        """Values come back into the notebook's namespace: their session is this notebook's."""
        self._session_is_guess = False
        shared = self.observer.holders(sorted(prepared.versions))
        restoration = prepared.put()
        load_inline_backend()
        self.observer.record_restored(prepared.versions, prepared.makers, shared)
        return restoration

    def python(self, body: str | None) -> str:
        """The code of a step as IPython runs it; of the whole cell, where it is not known what is
        under the step. Empty where it is no code."""
        code = self._current_cell().source if body is None else split_header(body)[1]
        return as_python(self.shell, code)

    def begin_step(
        self,
        command: AddStep,
        values: tuple[str, ...],
        form: str,
        line: str | None,
        wanted: KeepRequest | None = None,
    ) -> None:
        """Record the step as running; it ends with the cell, or with the cell's next step."""
        running = self._current_cell()
        self._close(running, Outcome())
        self._plain_ended(running, Outcome())
        workspace = self.open()

        def keep_open_step(step: Step) -> None:
            if step.running is not None:
                known = (step.running, step.key, values, form, perf_counter(), wanted)
                running.step = OpenStep(workspace, *known)

        step = workspace.steps.begin(command, keep_open_step)
        self._attention.on_step_recorded(step)
        running.lines.append(line)
        if running.step is None:
            workspace.steps.ask_after_step(step)
            show(self.shell, workspace.views.answer(step), form)
            return
        if workspace.session.is_extended:
            running.step.watch = opened_files.begin_watch()
        # A silent request fires no hooks: nobody will say that this cell has ended.
        if self._silent():
            self._close(running, Outcome(status="unknown"))

    def observe(
        self, code: str, reads: Sequence[str], writes: Sequence[str], reads_are_all: bool
    ) -> None:
        """The code of the step that was opened runs from here on; `reads` and `writes` are names of
        which it was said that it does that. `reads_are_all`: where the code shows no others."""
        running = self._current_cell()
        if running.step is not None:
            running.step.code = code
            # Else the cell is one that is no step, too.
            only = running.whole or not cell_text.code_above_steps(running.source)
            cell = running.id if only else None
            running.step.segment = self._observation.begin(code, cell, reads, writes, reads_are_all)

    def reading(self, names: Sequence[str]) -> Flow:
        """What words rest on that are no code."""
        return self.observer.end(self.observer.begin("", names), PLAIN, complete=True)

    def _plain_ended(self, running: Running, outcome: Outcome) -> None:
        """The code of the cell that is no step has ended: steps that read what it changed are
        stale."""
        segment, running.segment = running.segment, None
        if segment is not None and self._observation.end(segment, PLAIN, outcome, 0) is not None:
            self._plain_changed(segment.plain, segment.cell)

    def _plain_changed(self, given: Mapping[str, str], cell: str | None = None) -> None:
        """What plain cells give is another now, so that who read it is stale; all that one of them
        gives, where its id is said."""
        if self.workspace is None:
            return
        try:
            made = self.workspace.steps.plain_names_of(cell) - given.keys()
            gone = self.observer.not_given(made)
            self.workspace.steps.change_plain_names({**gone, **given})
        except WfnbError as error:
            print(f"wfnb: {error}", file=sys.stderr)

    def _session(self) -> object:
        """Which session is in use."""
        log = None if self.workspace is None else self.workspace.log
        return None if log is None else (log.journal.place, log.id)

    def _current_cell(self) -> Running:
        running = self._running.get()
        request = self._request()
        if running is None or (running.info is None and running.request != request):
            # this cell began before the hooks were there, or fires none
            source = request_part(self.shell, "content", "code") or last_input(self.shell)
            running = Running(self._parent_cell(), source, request=request)
            self._running.set(running)
        return running

    def _close(self, running: Running, outcome: Outcome, again: bool = False) -> None:
        """End the cell's open step. A refusal is told in one line: the cell itself has run.
        `again`: what was done of that before was cut off."""
        step = running.step
        try:
            self._end(running, outcome, again)
        except JournalError as error:
            later = "How the step ended is kept, and written with the next step or verb."
            lost = " Its values are not kept." if step is not None and step.wanted else ""
            print(f"wfnb: {error} {later}{lost}", file=sys.stderr)
        except WfnbError as error:
            print(f"wfnb: {error}", file=sys.stderr)
        except KeyboardInterrupt:  # it came in these few lines: the step must not stay open
            with Deferral():
                # Asked of the journal: the interrupt may have come right after the end was
                # recorded.
                if step is not None and step.attempt in step.workspace.log.refresh().running:
                    running.step = step
                    self._close(running, outcome, again=True)
            if running in self._open_cells:  # its code would go on, which is what is to stop
                raise

    def _end(self, running: Running, outcome: Outcome, again: bool) -> Step | None:
        # Taken out first: what fails below ends the step all the same, and once.
        step, running.step = running.step, None
        if step is None:
            return None
        figures, more = ((), 0) if step.shown is None else keep_figures(step.workspace, step.shown)
        outcome = replace(
            outcome,
            duration=round(perf_counter() - step.since, 6),
            values=self.values(step.values) if outcome.status == "ok" else {},
            figures=figures,
            figures_left=more,
        )
        look = None
        if step.watch is not None:
            look = self._observed_look(running, step.code, step.segment, step.watch, outcome)
        flow = self._observation.end(step.segment, step.key, outcome, step.attempt, again)
        try:
            wanted = step.wanted if outcome.status == "ok" else None
            if wanted is not None and flow is not None and ALL in wanted.patterns:
                wanted = replace(wanted, names=(*wanted.names, *written_names(flow)))
            looks = () if look is None else (look,)
            ended = step.workspace.steps.finish(
                step.attempt, outcome, wanted, flow, looks, self.observer.read
            )
        except JournalError:
            self._unsent.append((step.workspace, step.attempt, outcome, flow))
            raise
        if step.segment is not None:
            self._plain_changed(step.segment.plain, step.segment.cell)
        if step.wanted is not None and ended.flow is not None:
            self.observer.settle(ended.flow.writes)
        step.workspace.steps.ask_after_step(ended)
        show(self.shell, step.workspace.views.answer(ended), step.form)
        return ended

    def on_shown(self, data: dict[str, Any], display: object) -> None:
        """The code of a cell has shown something."""
        if (step := self._running_step()) is not None:
            step.shown = step.shown or ShownFigures()
            step.shown.add(data, display)

    def on_cleared(self, wait: bool) -> None:
        """The code of a cell has cleared what it showed."""
        if (step := self._running_step()) is not None and step.shown is not None:
            step.shown.clear(wait)

    def _running_step(self) -> OpenStep | None:
        """The step whose code runs here, be it by a cell that its own cell runs."""
        running = self._running.get()
        while running is not None and running.step is None:
            running = running.outer
        return None if running is None else running.step

    def _send_again(self) -> None:
        """Record how steps ended that the journal did not take when they did."""
        for unsent in tuple(self._unsent):
            workspace, attempt, outcome, flow = unsent
            try:
                workspace.steps.finish(attempt, outcome, flow=flow)
            except JournalError:
                continue  # still not: the next time
            except WfnbError:  # undone, or run again elsewhere meanwhile
                pass
            with suppress(ValueError):  # by another thread
                self._unsent.remove(unsent)

    def values(self, expressions: tuple[str, ...]) -> dict[str, Any]:
        """Named values as they are now: None for one that is not there."""
        return dict(map(self._value, expressions))

    def _value(self, text: str) -> tuple[str, Any]:
        """`rmse`, or `rmse=model.rmse`: the value of a name or expression as it is now."""
        name, _, expression = text.partition("=")
        try:
            return name, cell_text.plain(eval(expression or name, self.shell.user_ns))
        except Exception:
            return name, None

    def _parent_cell(self) -> str | None:
        found = request_part(self.shell, "metadata", "cellId")
        return found if isinstance(found, str) else None

    def _request(self) -> str | None:
        found = request_part(self.shell, "header", "msg_id")
        return found if isinstance(found, str) else None

    def _is_scratch(self, info: Any) -> bool:
        """Whether it leaves no history. So does what nbval runs, which lets nobody be asked."""
        kept = getattr(info, "store_history", True)
        return not kept and request_part(self.shell, "content", "allow_stdin") is not False

    def _silent(self) -> bool:
        return bool(request_part(self.shell, "content", "silent"))


def _same(used: SessionLog, found: SessionLog) -> bool:
    """Whether both are one session; where the file was replaced, another may have its number."""
    return (used.journal, used.id, used.session.name) == (
        found.journal,
        found.id,
        found.session.name,
    ) and used.session.position <= found.session.position
