"""a session -> what there is to see of it: answers, pictures, tables, reports, files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wfnb import views
from wfnb.core.session import Session, Step
from wfnb.core.step_lookup import line_of
from wfnb.core.validation import StepPlace
from wfnb.data_files.strategies import Shelf
from wfnb.errors import BadValue, NothingRecorded, StrategyNone
from wfnb.files import write
from wfnb.hints import Option
from wfnb.investigations.views import checklist
from wfnb.journal import Journal, RunInfo
from wfnb.process_identity import shown_status
from wfnb.session_log import SessionLog
from wfnb.views.code_comparison import CodeComparison, compare_code
from wfnb.views.export import FORMS, MARK, render_session
from wfnb.views.figures import FigureRoom
from wfnb.views.graphs import Picture, branch_picture, stage_picture
from wfnb.views.line_comparison import Comparison, compare
from wfnb.views.run_entries import RunEntry, RunReport
from wfnb.views.snapshot import snapshot
from wfnb.views.step_answer import Answer, answer
from wfnb.views.step_card import Card

from .session_figures import SessionFigures

if TYPE_CHECKING:
    from wfnb.views.report import Report
    from wfnb.workflows.runner.runner import Runner

MAX_BYTES = 8_000_000
"""Bytes of figures that a report holds."""


class SessionViews:
    """A session to look at. Nothing is recorded by looking. `run_entries` gives the session's runs,
    with the report of each where that is asked for."""

    def __init__(
        self,
        log: SessionLog,
        strategies: Callable[[], Shelf],
        run_entries: Callable[[bool], list[RunEntry]],
    ) -> None:
        self._log = log
        self.strategies = strategies
        self._run_entries = run_entries
        self.figures = SessionFigures(log)

    def answer(self, step: Step) -> Answer:
        """Where the session stands after this step."""
        with self._log.lock:
            return answer(self._log.session, step)

    def status(self, latest: int | None = None) -> dict[str, Any]:
        """The whole state in one call, as JSON data. `latest`: of its steps only so many, the
        newest."""
        with self._log.lock:
            runs = self.run_entries()
            found = snapshot(self._log.refresh(), chosen=self._log.line, runs=runs, latest=latest)
            if "investigation" in found:
                items = checklist.checklist(self._log.session, self._log.pending_looks())
                found["investigation"]["checklist"] = checklist.data(items)
            return found

    def show(self, place: int | str | StepPlace) -> Card:
        """All that is known of a step: what it says and ran, how it ended, and earlier versions."""
        with self._log.lock:
            return Card(self._log.session, self._log.find(place))

    def graph(self) -> Picture:
        """The history as a diagram: SVG, DOT, Mermaid and text of one graph."""
        with self._log.lock:
            return branch_picture(self._require_content("draw"), self.run_entries())

    def stages(self, strategy: str | None = None) -> Picture:
        """The stage graph of a strategy: by default the session's own, with the way taken."""
        with self._log.lock:
            chosen = self._log.refresh().strategy
            if strategy is not None:
                chosen = self.strategies().get(strategy)
            if chosen is None:
                raise StrategyNone(tuple(self.strategies().strategies))
            return stage_picture(self._log.session, chosen, self._log.line)

    def compare(
        self, *branches: str, lowest: Iterable[str] = (), highest: Iterable[str] = ()
    ) -> Comparison:
        """Lines side by side (all, where none is named): steps, outcome, time, named values, score,
        state and reason. The best of a value is marked where it is said, or usual, which end is."""
        with self._log.lock:
            session = self._log.refresh()
            lines = [line_of(session, name) for name in branches or session.lines]
            return compare(session, lines, frozenset(lowest), frozenset(highest))

    def compare_code(self, one: str, other: str) -> CodeComparison:
        """How the code of two lines differs, step by step: of steps that revise the same step, have
        the same title, or are at the same place after the lines part."""
        with self._log.lock:
            session = self._log.refresh()
            return compare_code(session, line_of(session, one), line_of(session, other))

    def report(self) -> Report:
        """The whole session to read: Markdown, and HTML in one file."""
        with self._log.lock:
            session, runs = self._require_content("report"), self.run_entries(reports=True)
            return views.report.report(session, runs, FigureRoom(self.figures.read, MAX_BYTES))

    def export(
        self, file: str | os.PathLike[str], force: bool = False, figures: bool = True
    ) -> Path:
        """Write the session to a file, in the form that its ending names: .md .html .json .svg
        .dot .mmd .txt. The same session gives the same bytes. `figures`: .html and .md have what
        the steps showed.

        Raises BadValue for another ending, and for a file that exists and is not of wfnb (unless
        `force`); NothingRecorded for an empty session; OSError becomes BadValue as well.
        """
        path = Path(file)
        text = self.export_text(path.suffix, str(file), MAX_BYTES if figures else 0)
        if not path.parent.exists():
            raise BadValue("file", str(file), f"a folder that exists: {str(path.parent)!r} is none")
        opening = text[: text.index(MARK) + 10].encode()  # the same in all files of that ending
        try:
            if path.exists() and not force and not path.read_bytes().startswith(opening):
                needs = f"a free name: it exists and is not of wfnb; or {Option('force', True)}"
                raise BadValue("file", str(file), needs)
            write(path, text)
        except (OSError, ValueError) as error:  # ValueError: a name that cannot be one
            why = getattr(error, "strerror", error)
            raise BadValue("file", str(file), f"a place that can be written ({why})") from None
        return path

    def export_text(self, ending: str, file: str | None = None, room: int = MAX_BYTES) -> str:
        """What `export` writes to a file with that ending. `file` is its whole name, to be named
        where no file can have that ending (BadValue). `room` is how many bytes of figures a report
        may hold; with 0 it has none, and says nothing of them. NothingRecorded."""
        with self._log.lock:
            session = self._require_content("export")
            if ending not in FORMS:
                raise BadValue("file", file or ending, f"one of the endings {', '.join(FORMS)}")
            figures = FigureRoom(self.figures.read, room) if room else None
            return render_session(session, ending, self.run_entries(reports=True), figures)

    def run_entries(self, reports: bool = False) -> list[RunEntry]:
        """The session's runs, as its views tell them; with the report of each, if asked for."""
        return self._run_entries(reports)

    def _require_content(self, what: str) -> Session:
        """The session as it is now; NothingRecorded where it has no step and no run to show."""
        if not self._log.refresh().steps and not self._log.journal.runs(self._log.id, None):
            raise NothingRecorded(what)
        return self._log.session


def run_entries(
    log: SessionLog, runner: Callable[[SessionLog], Runner] | None, reports: bool
) -> list[RunEntry]:
    """The runs of a session; with the report of each, if asked for and there is who makes it."""
    by = runner(log) if reports and runner else None
    journal = log.journal
    return [
        run_entry(journal, info, by.result(info.name).report if by else None)
        for info in journal.runs(log.id, None)
    ]


def run_entry(journal: Journal, info: RunInfo, report: RunReport | None = None) -> RunEntry:
    """A run as its session's views tell it, with its report where they are to have that."""
    return RunEntry(
        name=info.name,
        workflow=info.workflow,
        status=shown_status(info.status, info.process),
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
    # From its last event alone: a run may have made thousands of calls.
    last = journal.read_run(info.id, info.events - 1)[-1].event
    return getattr(last, "error", None)
