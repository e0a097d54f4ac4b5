"""a run that is going on -> one output of the cell that follows it, and in the end says what it
came to.

Where a front end shows the cell, the output is updated while the run goes on. A program that runs
notebooks (nbclient, papermill, nbval) keeps what a cell shows: there it shows only the end. In a
terminal each change is a line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Thread
from typing import Any
from uuid import uuid4

from wfnb.errors import WfnbError
from wfnb.render.message import Message
from wfnb.workflows.core.run import Run
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.views.graph import run_picture
from wfnb.workflows.views.progress import progress
from wfnb.workflows.views.run_result import RunResult

from .cell_output import bundle_of, show
from .ipython_compat import kernel_of, takes_input
from .notebook import Notebook
from .question_prompt import Prompt

MAX_DRAWN_ACTIONS = 60
"""Actions of a workflow whose graph is drawn while it runs."""
EVERY = 0.1
"""Seconds between two updates, at least."""


class Live:
    """The output of one run. `shown`: whether it has one yet."""

    def __init__(self, notebook: Notebook, running: ActiveRun, quiet: bool) -> None:
        self.shell = notebook.shell
        self.running = running
        self.watched = notebook.is_watched() and not quiet
        self._id = {"display_id": uuid4().hex}
        self.shown = False
        self._drawn = (0, "")
        self._line = ""
        terminal = kernel_of(self.shell) is None and sys.stderr.isatty()
        self._in_terminal = terminal and not quiet
        self._prompt = Prompt(running, takes_input(self.shell), ends=True)

    def attend(self, running: ActiveRun) -> None:
        """Where the run is now, and what it asks: in the thread that waits for it."""
        self.show(running)
        if running.asks_here and self._prompt.ask():
            running.changed.set()

    def show(self, running: ActiveRun) -> None:
        """Where the run is now."""
        if running.is_done or not (self.watched or self._in_terminal):
            return
        with running.log.lock:
            now = progress(running.run, running.name, tuple(running.tail))
            bundle = bundle_of(now) if self.watched else {}
            # Not in the first output, which is to come at once.
            if (
                self.watched
                and self.shown
                and len(running.run.workflow.actions) <= MAX_DRAWN_ACTIONS
            ):
                bundle["text/html"] = now.html_with_picture(self._graph(running.run))
        if self.watched:
            self._publish(bundle)
        elif now.line != self._line:
            self._line = now.line
            print(now.line, file=sys.stderr)

    def _graph(self, run: Run) -> str:
        """The run's graph, drawn anew only when something has happened."""
        if self._drawn[0] != run.position:
            self._drawn = (run.position, run_picture(run, self.running.name).html)
        return self._drawn[1]

    def end(self, result: Any, form: str = "all") -> None:
        """What it came to, in place of what was shown."""
        if self.shown:
            self._publish(bundle_of(result, form))
        else:
            show(self.shell, result, form)

    def background(self, result: Callable[[], RunResult]) -> None:
        """Follow the run from a thread, and give the cell back."""
        if not self.watched:
            said = f"{self.running.name} runs in the background · `%wfnb wait {self.running.name}`"
            show(self.shell, Message(said, {"run": self.running.name}))
            return
        self.show(self.running)

        def follow() -> None:
            try:
                while not self.running.wait(EVERY):
                    if self.running.changed.is_set():
                        self.running.changed.clear()
                        self.show(self.running)
                self._publish(bundle_of(result()))
            # A thread that nobody waits for: what stops it is to be seen in the cell.
            except WfnbError as error:
                self._publish(bundle_of(Message(f"{self.running.name}: {error}", None)))

        Thread(target=follow, name=f"wfnb-follow-{self.running.name}", daemon=True).start()

    def _publish(self, data: dict[str, object]) -> None:
        self.shell.display_pub.publish(
            data=data, metadata={}, transient=self._id, update=self.shown
        )
        self.shown = True
