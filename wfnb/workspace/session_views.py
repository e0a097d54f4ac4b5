"""a session -> what there is to see of it: answers, pictures, tables, reports, files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from wfnb import views
from wfnb.core import validation
from wfnb.core.commands import AddStep
from wfnb.core.events import Cell, Recorded
from wfnb.core.findings import Look
from wfnb.core.session import Session, Step
from wfnb.core.step_lookup import find, line_of
from wfnb.core.validation import Place
from wfnb.data_files.strategies import Shelf
from wfnb.errors import BadValue, NothingRecorded, StrategyNone
from wfnb.files import write
from wfnb.journal import Journal, RunInfo
from wfnb.process import has_ended
from wfnb.views.answer import Answer, answer
from wfnb.views.card import Card
from wfnb.views.compare import Comparison, compare
from wfnb.views.export import FORMS, MARK, render_session
from wfnb.views.inquiry import checklist
from wfnb.views.log import describe
from wfnb.views.pictures import Picture, branch_picture, stage_picture
from wfnb.views.run_entries import RunEntry, RunReport
from wfnb.views.snapshot import snapshot

from .session_log import SessionLog

if TYPE_CHECKING:
    from wfnb.core.estimate import Estimate
    from wfnb.core.findings import Advice
    from wfnb.views.inquiry.page import FindingsPage
    from wfnb.views.report import Report
    from wfnb.workflows.views.result import RunResult


class Runs(Protocol):
    """What performs workflows for a session. Its module is heavy, and imported when it is used."""

    def run(self, workflow: Any, /, **options: Any) -> RunResult: ...

    def result(self, run: Any) -> RunResult: ...


class Inquiries(Protocol):
    """What an investigation needs from outside of its session. Imported when it is used."""

    def choose(
        self,
        kind: str | None,
        *,
        pause: bool = True,
        reviewer: str | None = None,
        planner: str | None = None,
    ) -> None: ...

    def backtrack(
        self, place: int | str | Place, reason: str | None = None, cell: Cell | None = None
    ) -> list[int] | None: ...

    def extend(self, more: int | str, reason: str, cell: Cell | None = None) -> int | None: ...

    def judge(self, hypothesis: int | str, verdict: str, reason: str | None = None) -> str: ...

    def look(self, what: str | None = None, *targets: str) -> Any: ...

    def counts(self, step: Step) -> Mapping[str, Any]: ...

    def findings(self) -> FindingsPage: ...

    def advisers(self) -> Mapping[str, str]: ...

    def advise(self, *advisers: str, cell: Cell | None = None) -> list[Advice] | None: ...

    def suggest_total(self, problem: str, by: str | None = None) -> Estimate: ...

    def ready(self, command: AddStep) -> AddStep: ...

    def ask_after_step(self, step: Step) -> None: ...


class SessionViews(SessionLog):
    """A session to look at. Nothing is recorded by looking. `waits` says what was looked at and
    will be recorded with the next step: until then it is not known whether it counts."""

    def __init__(
        self,
        journal: Journal,
        session: int,
        strategies: Callable[[], Shelf],
        runner: Callable[[Any], Runs] | None,
    ) -> None:
        super().__init__(journal, session)
        self.strategies = strategies
        self.waits: Callable[[], Sequence[Look]] = tuple
        self._runner = runner

    def answer(self, step: Step) -> Answer:
        """Where the session stands after this step."""
        with self._lock:
            return answer(self.session, step)

    def status(self, latest: int | None = None) -> dict[str, Any]:
        """The whole state in one call, as JSON data. `latest`: of its steps only so many, the
        newest."""
        with self._lock:
            runs = self.run_entries()
            found = snapshot(self.refresh(), chosen=self.line, runs=runs, latest=latest)
            if "investigation" in found:
                items = checklist.checklist(self.session, self.waits())
                found["investigation"]["checklist"] = checklist.data(items)
            return found

    def log(self) -> list[Recorded]:
        """All that was recorded, undone changes included, with times (seconds since 1970, UTC)."""
        return self.journal.read(self.id)

    def find(self, place: int | str | Place) -> Step:
        """A step by its number (`3`), or by branch and number (`"alt:3"`)."""
        with self._lock:
            return find(self.refresh(), validation.place("step", place), self.line)

    def show(self, place: int | str | Place) -> Card:
        """All that is known of a step: what it says and ran, how it ended, and earlier versions."""
        with self._lock:
            return Card(self.session, self.find(place))

    def graph(self) -> Picture:
        """The history as a diagram: SVG, DOT, Mermaid and text of one graph."""
        with self._lock:
            return branch_picture(self._require_content("draw"), self.run_entries())

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
            return views.report.report(
                self._require_content("report"), self.run_entries(reports=True)
            )

    def export(self, file: str | os.PathLike[str], force: bool = False) -> Path:
        """Write the session to a file, in the form that its ending names: .md .html .json .svg
        .dot .mmd .txt. The same session gives the same bytes.

        Raises BadValue for another ending, and for a file that exists and is not of wfnb (unless
        `force`); NothingRecorded for an empty session; OSError becomes BadValue as well.
        """
        path = Path(file)
        text = self.exported(path.suffix, str(file))
        if not path.parent.exists():
            raise BadValue("file", str(file), f"a folder that exists: {str(path.parent)!r} is none")
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

    def exported(self, ending: str, file: str | None = None) -> str:
        """What `export` writes to a file with that ending. `file` is its whole name, to be named
        where no file can have that ending (BadValue). NothingRecorded."""
        with self._lock:
            session = self._require_content("export")
            if ending not in FORMS:
                raise BadValue("file", file or ending, f"one of the endings {', '.join(FORMS)}")
            return render_session(session, ending, self.run_entries(reports=True))

    def run_entries(self, reports: bool = False) -> list[RunEntry]:
        """The session's runs, as its views tell them; with the report of each, if asked for."""
        runner = self._runner(self) if reports and self._runner else None
        return [
            run_entry(self.journal, info, runner.result(info.name).report if runner else None)
            for info in self.journal.runs(self.id, None)
        ]

    def _require_content(self, what: str) -> Session:
        """The session as it is now; NothingRecorded where it has no step and no run to show."""
        if not self.refresh().steps and not self.journal.runs(self.id, None):
            raise NothingRecorded(what)
        return self.session

    def _what_changed(self, after: int) -> str:
        """What the command did that was recorded after that position."""
        entries = self.journal.read(self.id, after)
        said = [describe(entry.event) for entry in entries if entry.first == after + 1]
        return ", ".join(said)


def run_entry(journal: Journal, info: RunInfo, report: RunReport | None = None) -> RunEntry:
    """A run as its session's views tell it, with its report where they are to have that."""
    lost = info.status == "running" and has_ended(info.process)
    return RunEntry(
        name=info.name,
        workflow=info.workflow,
        status="interrupted" if lost else info.status,
        step=info.step,
        error=_failure_reason(journal, info),
        started=info.started,
        ended=info.changed,
        report=report,
    )


def _failure_reason(journal: Journal, info: RunInfo) -> str | None:
    """Why a run ended as it did, where that was not well."""
    if info.status in ("running", "success"):
        return None
    last = journal.read_run(info.id, info.events - 1)[-1].event
    return getattr(last, "error", None)
