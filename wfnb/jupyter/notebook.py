"""one kernel's notebook: which session it writes to, which cell runs, which step is open.

    pre_run_cell -> the cell is known -> a magic opens a step -> post_run_cell closes it

Which cell a magic is in is kept in a context variable, because cells may run side by side; which
one has ended is found by IPython's own word for the run, because a cell that awaits ends in another
context than it began in.
"""

from __future__ import annotations

import os
import sys
from asyncio import CancelledError
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any

from IPython.core.interactiveshell import InteractiveShell

from wfnb.core.commands import AddStep
from wfnb.core.events import Cell, Outcome
from wfnb.core.findings import Look
from wfnb.core.header import split
from wfnb.core.session import Session, Step
from wfnb.core.values import MAIN
from wfnb.core.values import source as kept_source
from wfnb.errors import JournalError, WfnbError
from wfnb.folder import FOLDER, Home, home
from wfnb.journal import SessionInfo
from wfnb.workspace import Wanted, Workspace

from . import cell as read
from .attention import Attention
from .running import OpenStep, Running
from .show import show

if TYPE_CHECKING:
    from wfnb.runner.runner import Runner


class Notebook:
    """What the magics share in one kernel."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.workspace: Workspace | None = None
        self._folder = Path.cwd()
        self._running: ContextVar[Running | None] = ContextVar("wfnb_cell", default=None)
        self._begun: list[Running] = []
        self._unsent: list[tuple[Workspace, int, Outcome]] = []
        self._attention = Attention()
        self._opening = Lock()

    # where

    def path(self) -> Path | None:
        """The notebook's file, where the front end says it."""
        told = os.environ.get("JPY_SESSION_NAME") or self.shell.user_ns.get("__vsc_ipynb_file__")
        return Path(told) if isinstance(told, str) and told.endswith(".ipynb") else None

    def home(self) -> Home:
        """WFNB_HOME, else `.wfnb` beside the notebook, else `.wfnb` where the kernel started."""
        if os.environ.get("WFNB_HOME"):
            return home()
        return home(self.folder() / FOLDER)

    def folder(self) -> Path:
        """Where relative paths start: beside the notebook, else where the kernel started."""
        path = self.path()
        known = path is not None and path.is_absolute() and path.parent.is_dir()
        return path.parent if path and known else self._folder

    def runner(self) -> Runner:
        """The runs of the session in use, with this notebook's names."""
        return self.home().runner(self.open(), self.folder(), self.shell.user_ns)

    def step_key(self) -> int | None:
        """The key of the step that this cell has open."""
        step = self._now().step
        return None if step is None else step.key

    def origin(self) -> tuple[str, ...]:
        """Where what this cell defines is written: the session, then the cell, where the front end
        says which. Of its id a hash: some put the path of the notebook into it."""
        id = self._now().id
        return (self.open().session.name, *([sha256(id.encode()).hexdigest()[:12]] if id else []))

    def watched(self) -> bool:
        """Whether a person looks at the cell while it runs, as far as that can be known: programs
        that run notebooks send no cell id."""
        return self._now().id is not None

    def name(self) -> str:
        """The session that is used where none is named."""
        path = self.path()
        return "notebook" if path is None else path.stem

    def open(self) -> Workspace:
        """The session in use; the first use resumes or starts the one named after the notebook."""
        if self.workspace is None:
            with self._opening:  # a cell and a panel may be the first at once
                if self.workspace is None:
                    workspace = self.home().open(self.name())
                    workspace.folder, workspace.notebook = self.folder(), self.path()
                    self._attention.opened(workspace)
                    self.workspace = workspace
        self._send_again()
        return self.workspace

    def use(self, workspace: Workspace) -> None:
        """Go on with a session, on its main line. Where it is the one in use, what this kernel
        ran in it stays known."""
        used = self.workspace
        if used is not None and _same(used, workspace):
            used.refresh()
            used.line = MAIN
        else:
            self.workspace = workspace
            workspace.folder, workspace.notebook = self.folder(), self.path()
        self._attention.forget()

    def known(self) -> tuple[Session, str] | None:
        """The session in use and its chosen line, else the one that `open` would resume; none is
        started, and nothing is recorded."""
        if self.workspace is not None:
            return self.workspace.session, self.workspace.line
        found = self.kept()
        return None if found is None else (self.home().look(found), MAIN)

    def uses(self, workspace: Workspace) -> bool:
        """Whether it is the session that is in use here."""
        return self.workspace is not None and _same(self.workspace, workspace)

    def kept(self) -> SessionInfo | None:
        """The session that `open` would resume, from outside."""
        name = self.name()
        found = (info for info in self.home().sessions() if info.name == name)
        return next((info for info in found if not info.archived), None)

    # hooks

    def pre_run_cell(self, info: Any) -> None:
        """A cell begins."""
        outer = self._running.get()
        if outer is not None and outer.info is None:
            self._close(outer, Outcome(status="unknown"))
            outer = None
        cell_id = getattr(info, "cell_id", None) or (None if outer else self._parent_cell())
        running = Running(cell_id, info.raw_cell or "", info, self._request(), outer)
        running.aside = self._aside(info)
        if self.workspace is not None:
            running.since = self._position(self.workspace)
        self._begun.append(running)
        self._running.set(running)

    def post_run_cell(self, result: Any) -> None:
        """A cell has ended: its open step ends with it."""
        running = self._ended(getattr(result, "info", None))
        if running is None:
            return
        if running in self._begun:
            self._begun.remove(running)
        if self._running.get() is running:
            self._running.set(running.outer)
        self._close(running, _outcome(result))
        self._attention.ended(running, result, self.workspace)

    def leave(self) -> None:
        """The hooks go out: how the cells that run now will end cannot be known."""
        for running in filter(None, (*self._begun, self._running.get())):
            self._close(running, Outcome(status="unknown"))
        self._begun.clear()

    def step_asked(self, workspace: Workspace, command: AddStep | None) -> None:
        """A step is to be recorded in this process; the command is None before it is read."""
        running = self._running.get()
        while running is not None:
            running.tried, running = True, running.outer
        if command is not None and self.workspace and _same(self.workspace, workspace):
            self._attention.begins(workspace, command)

    def looks_told(self, workspace: Workspace, looks: Sequence[Look], since: int) -> bool:
        """Something was looked at in this process; whether that waits for the next step, because
        the cell may run again among older ones."""
        running = self._running.get()
        if running is None or self.workspace is None or not _same(self.workspace, workspace):
            return False
        while running.outer is not None:
            running = running.outer
        return self._attention.waits(running, looks, since, self.workspace)

    def _position(self, workspace: Workspace) -> int:
        """Where the session is as a cell begins. A program may have added a step to it by another
        way than these magics, so that an investigation is read again."""
        if workspace.session.investigation is not None:
            with suppress(WfnbError):
                workspace.refresh()
        return workspace.session.position

    def _ended(self, info: Any) -> Running | None:
        """The cell of that run; without a word for the run, the last that this request began."""
        for running in reversed(self._begun):
            if running.info is info or (info is None and running.request == self._request()):
                return running
        return self._running.get()

    # steps

    def cell(self) -> Cell:
        """The cell of the step that is being opened, as the journal keeps it."""
        running = self._now()
        source = kept_source(running.source.rstrip())
        return Cell(id=running.id, source=source, part=len(running.lines))

    def body(self, line: str | None) -> str | None:
        """What stands under the step that this line opens; None where that is not known."""
        running = self._now()
        return read.body(running.source, line, running.lines.count(line))

    def keeps(self, done: bool) -> tuple[str, ...]:
        """What a step keeps that does not say it: nothing, where it has no code to run."""
        chosen = self.open().session.keeping
        return () if done or chosen is None else chosen.keep

    def python(self, body: str | None) -> str:
        """The code of a step as IPython runs it; of the whole cell, where it is not known what is
        under the step. Empty where it is no code."""
        code = self._now().source if body is None else split(body)[1]
        transform: Callable[[str], str] = self.shell.transform_cell
        try:
            return transform(code)
        except SyntaxError:
            return ""

    def begin(
        self,
        command: AddStep,
        values: tuple[str, ...],
        form: str,
        line: str | None,
        wanted: Wanted | None = None,
    ) -> None:
        """Record the step as running; it ends with the cell, or with the cell's next step."""
        running = self._now()
        self._close(running, Outcome())
        workspace = self.open()
        step = workspace.begin(command)
        self._attention.began(step)
        running.lines.append(line)
        if step.running is None:
            workspace.concluded(step)
            show(self.shell, workspace.answer(step), form)
            return
        since = perf_counter()
        running.step = OpenStep(workspace, step.running, step.key, values, form, since, wanted)
        if self._silent():
            self._close(running, Outcome(status="unknown"))

    def _now(self) -> Running:
        running = self._running.get()
        request = self._request()
        if running is None or (running.info is None and running.request != request):
            # this cell began before the hooks were there, or fires none
            raw = self.shell.history_manager.input_hist_raw if self.shell.history_manager else [""]
            source = self._parent("content", "code") or raw[-1]
            running = Running(self._parent_cell(), source, request=request)
            self._running.set(running)
        return running

    def _close(self, running: Running, outcome: Outcome) -> None:
        """End the cell's open step. A refusal is told in one line: the cell itself has run."""
        step = running.step
        try:
            self._end(running, outcome)
        except JournalError as error:
            again = "How the step ended is kept, and written with the next step or verb."
            lost = " Its values are not kept." if step is not None and step.wanted else ""
            print(f"wfnb: {error} {again}{lost}", file=sys.stderr)
        except WfnbError as error:
            print(f"wfnb: {error}", file=sys.stderr)
        except KeyboardInterrupt:  # it came in these few lines: the step must not stay open
            if step is not None and step.attempt in step.workspace.refresh().running:
                running.step = step
                self._close(running, Outcome(status="interrupted", error="KeyboardInterrupt"))

    def _end(self, running: Running, outcome: Outcome) -> Step | None:
        step, running.step = running.step, None
        if step is None:
            return None
        outcome = Outcome(
            status=outcome.status,
            duration=round(perf_counter() - step.since, 6),
            result=outcome.result,
            error=outcome.error,
            values=self.values(step.values) if outcome.status == "ok" else {},
        )
        try:
            wanted = step.wanted if outcome.status == "ok" else None
            ended = step.workspace.finish(step.attempt, outcome, wanted)
        except JournalError:
            self._unsent.append((step.workspace, step.attempt, outcome))
            raise
        step.workspace.concluded(ended)
        show(self.shell, step.workspace.answer(ended), step.form)
        return ended

    def _send_again(self) -> None:
        """Record how steps ended that the journal did not take when they did."""
        for unsent in tuple(self._unsent):
            workspace, attempt, outcome = unsent
            try:
                workspace.finish(attempt, outcome)
            except JournalError:
                continue  # still not: the next time
            except WfnbError:  # undone, or run again elsewhere meanwhile
                pass
            with suppress(ValueError):  # by another thread
                self._unsent.remove(unsent)

    def values(self, asked: tuple[str, ...]) -> dict[str, Any]:
        """Named values as they are now: None for one that is not there."""
        return dict(map(self._value, asked))

    def _value(self, asked: str) -> tuple[str, Any]:
        """`rmse`, or `rmse=model.rmse`: the value of a name or expression as it is now."""
        name, _, expression = asked.partition("=")
        try:
            return name, read.plain(eval(expression or name, self.shell.user_ns))
        except Exception:
            return name, None

    def _parent(self, part: str, key: str) -> Any:
        """A part of the request that is being answered, where there is one (ipykernel)."""
        get_parent = getattr(self.shell, "get_parent", None)
        message = get_parent() if get_parent is not None else None
        return (message or {}).get(part, {}).get(key)

    def _parent_cell(self) -> str | None:
        found = self._parent("metadata", "cellId")
        return found if isinstance(found, str) else None

    def _request(self) -> str | None:
        found = self._parent("header", "msg_id")
        return found if isinstance(found, str) else None

    def _aside(self, info: Any) -> bool:
        """Whether it leaves no history. So does what nbval runs, which lets nobody be asked."""
        kept = getattr(info, "store_history", True)
        return not kept and self._parent("content", "allow_stdin") is not False

    def _silent(self) -> bool:
        return bool(self._parent("content", "silent"))


def _same(used: Workspace, found: Workspace) -> bool:
    """Whether both are one session; where the file was replaced, another may have its number."""
    return (used.journal, used.id, used.session.name) == (
        found.journal,
        found.id,
        found.session.name,
    ) and used.session.position <= found.session.position


def _outcome(result: Any) -> Outcome:
    """How a cell ended, from IPython's result: None for a cell that awaited and was cancelled."""
    if result is None:
        cancelled = isinstance(sys.exception(), CancelledError | KeyboardInterrupt)
        return Outcome(status="interrupted" if cancelled else "unknown")
    error = result.error_before_exec or result.error_in_exec
    if error is None:
        return Outcome(result=read.brief(result.result))
    status = "interrupted" if isinstance(error, KeyboardInterrupt | CancelledError) else "failed"
    return Outcome(status=status, error=read.problem(error))  # type: ignore[arg-type]
