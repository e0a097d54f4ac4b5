"""the one object that changes: a command goes in, events are recorded, the session follows.

    command -> decide -> record (journal) -> apply -> session

Recorded before applied, so memory is never ahead of disk. Where another process was quicker, its
events are read and the command is decided again; refusals, too, are decided on all there is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, Protocol
from weakref import WeakSet

from wfnb import views
from wfnb.core import values
from wfnb.core.commands import (
    AbandonBranch,
    AddStep,
    ChooseStrategy,
    ClearSession,
    Command,
    ConfirmSteps,
    FinishStep,
    MergeBranch,
    Redo,
    ScoreBranch,
    SelectBranch,
    Undo,
)
from wfnb.core.decide import decide
from wfnb.core.events import (
    Outcome,
    Recorded,
    Status,
    StepAdded,
    StepChanged,
    StepRepeated,
    StepsConfirmed,
    Undone,
)
from wfnb.core.places import find, line_of
from wfnb.core.replay import advance, replay
from wfnb.core.session import Session, Step
from wfnb.core.values import MAIN, Place
from wfnb.errors import (
    BadValue,
    JournalConflict,
    JournalError,
    NoRuns,
    NothingRecorded,
    Refused,
    StepNotRunning,
    StrategyNone,
)
from wfnb.files import write
from wfnb.journal import Journal, RunInfo, without_gc
from wfnb.library.strategies import Shelf, shelf
from wfnb.process import ended, process
from wfnb.views.answer import Answer, answer
from wfnb.views.card import Card
from wfnb.views.compare import Comparison, compare
from wfnb.views.entries import RunEntry
from wfnb.views.export import FORMS, MARK, rendered
from wfnb.views.log import describe
from wfnb.views.pictures import Picture, branch_picture, stage_picture
from wfnb.views.snapshot import snapshot

if TYPE_CHECKING:
    from wfnb.views.report import Report
    from wfnb.views.runs.result import RunResult

_READ: Mapping[str, tuple[str, str, Callable[[str, Any], Any]]] = {
    "number": ("number", "step_number", values.whole),
    "total": ("total", "total_steps", values.whole),
    "next_step_needed": ("next_step_needed", "next_step_needed", values.truth),
    "needs_more_steps": ("needs_more_steps", "needs_more_steps", values.truth),
    "is_step_revision": ("is_step_revision", "is_step_revision", values.truth),
    "revises": ("revises", "revises_step", values.whole),
    "branch_from": ("leaves", "branch_from_step", values.place),
}
"""A loose value of a step -> the command's field, the name of it in answers, how it is read."""


class Runs(Protocol):
    """What performs workflows for a session. Its module is heavy, and imported when it is used."""

    def run(self, workflow: Any, /, **options: Any) -> RunResult: ...


def replayed(journal: Journal, session: int) -> Session:
    """A session as its journal has it."""
    return without_gc(lambda: replay(journal.read(session)))


_OPEN: WeakSet[Workspace] = WeakSet()


def _after_fork() -> None:
    """A child has the locks of threads that it does not have."""
    for workspace in _OPEN:
        workspace._lock = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Workspace:
    """A session that is open in this process.

    Every method that changes something raises `Refused` for a mistake (nothing is recorded then)
    and `JournalError` where the disk says no (what was recorded stays).
    """

    def __init__(
        self,
        journal: Journal,
        session: int,
        strategies: Callable[[], Shelf] = lambda: shelf(None),
        runner: Callable[[Workspace], Runs] | None = None,
    ) -> None:
        self.journal = journal
        self.id = session
        self.strategies = strategies
        self._runner = runner
        self.line = MAIN
        self.ran: set[int] = set()
        self._lock = RLock()
        self._torn = False
        self.session = replayed(journal, session)
        self.opened = self.session.position
        _OPEN.add(self)
        self._close_lost()

    def __repr__(self) -> str:
        return f"<wfnb session {self.session.name!r}: {len(self.session.steps)} steps>"

    # commands

    def do(self, command: Command) -> list[Recorded]:
        """Decide, record, apply. Returns what was recorded; nothing, where the session already
        was as the command wants it."""
        with self._lock:
            if self._torn:
                self.refresh()
            try:
                events = decide(self.session, command)
            except Refused:
                events = []  # on what is known here, and others may have recorded more
            events = events or decide(self.refresh(), command)
            while events:
                try:
                    entries = self.journal.append(self.id, events, self.session.position)
                except JournalConflict:
                    events = decide(self.refresh(), command)
                else:
                    self._follow(entries)
                    return entries
        return []

    def refresh(self) -> Session:
        """The session with what other processes recorded meanwhile."""
        with self._lock:
            self._follow(self.journal.read(self.id, self.session.position))
        return self.session

    def step(
        self,
        description: str,
        *,
        number: int | str | None = None,
        total: int | str | None = None,
        next_step_needed: bool | str | None = None,
        needs_more_steps: bool | str | None = None,
        is_step_revision: bool | str | None = None,
        revises: int | str | None = None,
        branch: str | None = None,
        branch_from: int | str | Place | None = None,
        stage: str | None = None,
        fields: Mapping[str, Any] | None = None,
        values: Mapping[str, Any] | None = None,
        outcome: Literal["ok", "failed", "interrupted"] = "ok",
    ) -> Answer:
        """Record a step that is done, and answer with where the session stands.

        The rules are those of docs/rules.md (`branch_from=2` opens a branch at step 2, `"alt:3"`
        names step 3 of branch alt); `stage` and `fields` are asked for by the strategy; `values`
        are named results (`{"rmse": 0.31}`) by which branches can be compared. A number that
        exists is another attempt of that step or, with other words, a new version of it.
        """
        command = self.add_step(
            description,
            number=number,
            total=total,
            next_step_needed=next_step_needed,
            needs_more_steps=needs_more_steps,
            is_step_revision=is_step_revision,
            revises=revises,
            branch=branch,
            branch_from=branch_from,
            stage=stage,
            fields={} if fields is None else fields,
            outcome=Outcome(status=_status(outcome), values=_named(values or {})),
        )
        return self.answer(self.begin(command))

    def add_step(self, description: str, **loose: Any) -> AddStep:
        """The command for a step, from the loose values that `step` takes and from `cell` and
        `outcome`: `"3"` means 3. BadValue names the field that does not read."""
        read = {
            field: reader(said, loose.pop(name))
            for name, (field, said, reader) in _READ.items()
            if loose.get(name) is not None
        }
        given = {name: value for name, value in loose.items() if name not in _READ}
        return AddStep(
            description=description,
            **read,
            **given,
            process=None if given.get("outcome") else process(),
            line=self.line,
            opened=self.opened,
            ran=self.ran,
        )

    def begin(self, command: AddStep) -> Step:
        """Record a step. Without an outcome it is running, and `finish` ends it."""
        with self._lock:
            for entry in self.do(command):
                if isinstance(entry.event, StepAdded | StepChanged | StepRepeated):
                    line = self.session.lines[entry.event.branch]
                    step = self.session.steps[line.keys[entry.event.number]]
                    self.ran.add(step.key)
            return step

    def finish(self, attempt: int, outcome: Outcome) -> Step:
        """Record how the attempt that began at position `attempt` ended (`Step.running`).
        StepNotRunning where it was undone or run again elsewhere meanwhile."""
        with self._lock:
            if attempt not in self.session.running and attempt not in self.refresh().running:
                raise StepNotRunning(attempt)
            key, _ = self.session.running[attempt]
            self.do(FinishStep(attempt=attempt, outcome=outcome))
            return self.session.steps[key]

    def confirm(self, *steps: int | str | Place) -> list[str]:
        """Stale steps hold as they are (all, where none is named). Returns which, as `3` or
        `"alt:3"`."""
        places = tuple(values.place("step", step) for step in steps)
        events = (entry.event for entry in self.do(ConfirmSteps(places=places, line=self.line)))
        return [
            str(Place(number=number, branch=None if event.branch == MAIN else event.branch))
            for event in events
            if isinstance(event, StepsConfirmed)
            for number in event.numbers
        ]

    def switch(self, branch: str = MAIN) -> None:
        """Choose the line of steps that name no branch. It is this process's choice and is not
        recorded, so that a notebook means the same in a new kernel."""
        self.line = line_of(self.refresh(), branch).id

    def score(self, branch: str, score: float | str, reason: str | None = None) -> None:
        """Say how good a branch is; higher is better."""
        self.do(ScoreBranch(branch=branch, score=values.number("score", score), reason=reason))

    def select(self, branch: str, reason: str | None = None) -> None:
        """Choose a branch over those that left the same step."""
        self.do(SelectBranch(branch=branch, reason=reason))

    def merge(self, branch: str, into: str | None = None, reason: str | None = None) -> None:
        """Take a branch's work into a line: by default the one it left."""
        self.do(MergeBranch(branch=branch, into=into, reason=reason))

    def abandon(self, branch: str, reason: str | None = None) -> None:
        """Give a branch up; it stays in the history."""
        self.do(AbandonBranch(branch=branch, reason=reason))

    def strategy(self, name: str | None) -> None:
        """Follow a strategy from here on, built in or from `.wfnb/strategies/`; None: none."""
        chosen = None if name is None else self.strategies().get(name)
        self.do(ChooseStrategy(strategy=chosen))

    def clear(self) -> None:
        """Put all steps and branches away. `undo` brings them back."""
        self.do(ClearSession())

    def undo(self) -> str:
        """Take the last change back, and say what it was. `redo` brings it back."""
        entry = self.do(Undo())[-1].event
        assert isinstance(entry, Undone)
        return self._said(entry.to)

    def redo(self) -> str:
        """Bring back what the last `undo` took away, and say what it was."""
        self.do(Redo())
        return self._said(self.session.undo_points[-1])

    # runs

    @property
    def runs(self) -> Runs:
        """The session's runs: started, attended, stopped, resumed, looked at."""
        if self._runner is None:
            raise NoRuns
        return self._runner(self)

    def run(self, workflow: Any, /, **options: Any) -> RunResult:
        """Run a workflow (a definition as data, or a saved one's name), wait for its end, and say
        what it came to. `variables`, `secrets`, `max_states`, `timeout` (seconds), `save` and the
        other options are those of `runs.start`, which does not wait. An interrupt stops the run;
        a run that fails is a result and no exception. Refused before anything is called."""
        return self.runs.run(workflow, **options)

    # questions

    def answer(self, step: Step) -> Answer:
        """Where the session stands after this step."""
        with self._lock:
            return answer(self.session, step)

    def status(self) -> dict[str, Any]:
        """The whole state in one call, as JSON data."""
        with self._lock:
            return snapshot(self.refresh(), chosen=self.line, runs=self._entries())

    def log(self) -> list[Recorded]:
        """All that was recorded, undone changes included, with times (seconds since 1970, UTC)."""
        return self.journal.read(self.id)

    def find(self, place: int | str | Place) -> Step:
        """A step by its number (`3`), or by branch and number (`"alt:3"`)."""
        with self._lock:
            return find(self.refresh(), values.place("step", place), self.line)

    def show(self, place: int | str | Place) -> Card:
        """All that is known of a step: what it says and ran, how it ended, and earlier versions."""
        with self._lock:
            return Card(self.session, self.find(place))

    def graph(self) -> Picture:
        """The history as a diagram: SVG, DOT, Mermaid and text of one graph."""
        with self._lock:
            return branch_picture(self._filled("draw"), self._entries())

    def stages(self, strategy: str | None = None) -> Picture:
        """The stage graph of a strategy: by default the session's own, with the way taken."""
        with self._lock:
            chosen = self.refresh().strategy
            if strategy is not None:
                chosen = self.strategies().get(strategy)
            if chosen is None:
                raise StrategyNone(tuple(self.strategies().found))
            return stage_picture(self.session, chosen, self.line)

    def compare(
        self, *branches: str, lowest: Iterable[str] = (), highest: Iterable[str] = ()
    ) -> Comparison:
        """Lines side by side (all, where none is named): steps, outcome, time, named values, score,
        state and reason. The best of a value is marked where it is said, or usual, which end is."""
        with self._lock:
            session = self.refresh()
            lines = [line_of(session, name) for name in branches or session.lines]
            return compare(session, lines, frozenset(lowest), frozenset(highest))

    def report(self) -> Report:
        """The whole session to read: Markdown, and HTML in one file."""
        with self._lock:
            return views.report.report(self._filled("report"), self._entries())

    def export(self, file: str | os.PathLike[str], force: bool = False) -> Path:
        """Write the session to a file, in the form that its ending names: .md .html .json .svg
        .dot .mmd .txt. The same session gives the same bytes.

        Raises BadValue for another ending, and for a file that exists and is not of wfnb (unless
        `force`); NothingRecorded for an empty session; OSError becomes BadValue as well.
        """
        path = Path(file)
        with self._lock:
            session = self._filled("export")
            if path.suffix not in FORMS:
                raise BadValue("file", str(file), f"one of the endings {', '.join(FORMS)}")
            text = rendered(session, path.suffix, self._entries())
        opening = text[: text.index(MARK) + 10].encode()  # the same in all files of that ending
        try:
            if path.exists() and not force and not path.read_bytes().startswith(opening):
                raise BadValue(
                    "file", str(file), "a free name: it exists and is not of wfnb; or --force"
                )
            write(path, text)
        except (OSError, ValueError) as error:  # ValueError: a name that cannot be one
            why = getattr(error, "strerror", error)
            raise BadValue("file", str(file), f"a place that can be written ({why})") from None
        return path

    # inside

    def _entries(self) -> list[RunEntry]:
        """The session's runs, as its views tell them."""
        return [
            RunEntry(
                name=info.name,
                workflow=info.workflow,
                status="interrupted"
                if info.status == "running" and ended(info.process)
                else info.status,
                step=info.step,
                error=self._why(info),
            )
            for info in self.journal.runs(self.id, None)
        ]

    def _filled(self, what: str) -> Session:
        """The session as it is now; NothingRecorded where it has no step to show."""
        if not self.refresh().steps:
            raise NothingRecorded(what)
        return self.session

    def _why(self, info: RunInfo) -> str | None:
        """Why a run ended as it did, where that was not well."""
        if info.status in ("running", "success"):
            return None
        last = self.journal.read_run(info.id, info.events - 1)[-1].event
        return getattr(last, "error", None)

    def _said(self, after: int) -> str:
        """What the command did that was recorded after that position."""
        entries = self.journal.read(self.id, after)
        said = [describe(entry.event) for entry in entries if entry.first == after + 1]
        return ", ".join(said)

    def _follow(self, entries: list[Recorded]) -> None:
        """Apply what was recorded. Where an interrupt comes in the middle, the session is torn,
        and is replayed before it is used again."""
        torn, self._torn = self._torn, True
        if torn or not all(advance(self.session, entry) for entry in entries):
            self.session = replayed(self.journal, self.id)
        self._torn = False
        if self.line not in self.session.lines:
            self.line = MAIN

    def _close_lost(self) -> None:
        """Attempts whose process is gone were interrupted: nobody else will say so."""
        for attempt, (_, name) in list(self.session.running.items()):
            if ended(name):
                lost = Outcome(status="interrupted", error="the kernel ended while it ran")
                with suppress(StepNotRunning, JournalError):  # one that can only be read is shown
                    self.do(FinishStep(attempt=attempt, outcome=lost))


def _status(outcome: str) -> Status:
    """The outcome that a caller may give; BadValue for another."""
    for status in ("ok", "failed", "interrupted"):
        if outcome == status:
            return status
    raise BadValue("outcome", str(outcome), "ok, failed or interrupted")


def _named(given: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, as JSON holds them; a NumPy number counts as the number it is."""
    if not isinstance(given, Mapping):
        raise BadValue("values", repr(given)[:60], "names with their values, {'rmse': 0.31}")
    return values.fields({name: _plain(value) for name, value in given.items()})


def _plain(value: Any) -> Any:
    try:
        return value.item() if hasattr(value, "item") else value
    except ValueError:  # an array of several
        return value
