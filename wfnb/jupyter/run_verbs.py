"""a run's name, an answer, a tool -> what the verbs about runs do, and show."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from wfnb.errors import NothingCalled, RunUnknown, spoken
from wfnb.hints import Command
from wfnb.process_identity import has_ended
from wfnb.render.message import Json, Message
from wfnb.views.graphs import Picture
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.library.key_value_words import secrets
from wfnb.workflows.views.action_rows import rollback_counts, rows
from wfnb.workflows.views.graph import definition_picture, run_picture
from wfnb.workflows.views.run_diff import Differences, diff
from wfnb.workflows.views.run_result import RunResult
from wfnb.workflows.views.runs_table import runs_table
from wfnb.workflows.views.timeline import Timeline

from .ipython_compat import takes_input
from .magic_options import SET
from .notebook import Notebook
from .run_magics import named_source
from .tool_call import call_tool
from .wait_for_other_run import end_elsewhere, end_here


class RunVerbs:
    """The runs of the session that a notebook uses."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook
        self._runner = notebook.runner()

    def call(self, tool: str, given: list[str]) -> None:
        """One tool, called as a run of its own."""
        call_tool(self._notebook, tool, given)

    def runs(self, as_json: bool) -> Any:
        found = self._runner.runs()
        going = [info for info in found if info.status == "running"]
        lost = {info.name for info in going if has_ended(info.process)}
        # A run whose process is gone hears no answer: it has to be resumed.
        asks = {name: said for name, said in self._questions().items() if name not in lost}
        table = runs_table(found, lost, asks, times=as_json)
        for run in table.data["runs"]:
            run |= {"asks": asks[run["name"]]} if run["name"] in asks else {}
        if as_json:
            return Json(table.data)
        if not found:
            return Message("no run yet · `%%run_workflow` starts one", {"runs": []})
        table.rows = [(*row[:-1], " · ".join(asks.get(row[0], row[-1:]))) for row in table.rows]
        return table

    def _questions(self) -> dict[str, list[str]]:
        """What is asked, by the run that it stops: question, choices, and how it is answered."""
        asking = self._runner.open_questions()
        found: dict[str, list[str]] = {}
        for each in asking:
            to = f" --run {each.log.name}" if len(asking) > 1 else ""
            for question in each.questions:
                choices = f" ({' · '.join(question.choices)})" if question.choices else ""
                asked = f"{question.action} asks: {question.question}{choices}"
                found.setdefault(each.top, []).append(f"{asked}: {question.answer}{to}")
        return found

    def cancel(
        self, name: str | None, rollback: bool | None, reason: str | None, given: Sequence[str]
    ) -> Message:
        """A run of this kernel is at its end when this returns; an interrupt ends only the
        waiting."""
        log = self._runner.cancel(
            self._runner.going(name, "%wfnb cancel"),
            rollback,
            reason,
            secrets=secrets(given, "%wfnb cancel", SET),
        )
        performed = self._runner.running(log.name)
        with suppress(KeyboardInterrupt):
            # One that another process performs ends when that gets to it.
            if performed is not None:
                performed.wait()
        status = log.run.status
        said = f"{log.name} is being stopped · `%wfnb wait {log.name}` shows what it came to"
        if status != "running":
            said = " · ".join((f"{log.name} {spoken(status)}", *rollback_counts(rows(log.run))))
        return Message(said, {"run": log.name, "status": status})

    def answer(self, text: str, to: str | None, name: str | None) -> Message:
        log = self._runner.asking(name, "%wfnb answer TEXT --run")
        counts = self._runner.answer(text, to, log.name)
        said = f"{log.name}: answered {counts}"
        if log.run.parked:
            said += f" · `{Command('work')}` goes on with it"
        elif has_ended(log.run.process):
            said += f" · its process is gone: `%run_workflow --resume {log.name}` goes on with it"
        return Message(said, {"run": log.name, "answered": True})

    def wait(self, name: str | None) -> Any:
        running = self._runner.running(name)
        if running is not None:
            end_here(running, takes_input(self._notebook.shell))
            return self._runner.result(running)
        if name is None:
            return Message("no run is going on", {"run": None})
        log = self._runner.log(name)
        end_elsewhere(log)
        return self._runner.result(log)

    def show(self, name: str) -> RunResult:
        return self._runner.result(name)

    def graph(self, name: str) -> Picture:
        """Of a file's workflow; of a saved one; else of a run."""
        source = named_source(self._notebook, name)
        # A file was read: else the name comes back as it is.
        if source != name:
            return definition_picture(parse(source))
        library = self._runner.library
        names = library.names(examples=True)
        if name in names:
            return definition_picture(parse(library.load(name)))
        try:
            log = self._runner.log(name)
        except RunUnknown as unknown:
            raise NothingCalled(name, unknown.names, tuple(names)) from None
        # The run may go on in another thread, and change while it is drawn.
        with log.lock:
            return run_picture(log.run, log.name)

    def timeline(self, name: str) -> Timeline:
        log = self._runner.log(name)
        with log.lock:
            return Timeline(log.run, log.name)

    def difference(self, names: Sequence[str]) -> Differences:
        one, other = (self._runner.log(name) for name in names)
        return diff(one.run, other.run, one.name, other.name)
