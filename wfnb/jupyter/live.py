"""a run that is going on -> one output of the cell that follows it, and in the end says what it
came to.

Where a front end shows the cell, the output is updated while the run goes on. A program that runs
notebooks (nbclient, papermill, nbval) keeps what a cell shows: there the cell shows only the end.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from uuid import uuid4

from wfnb.core.runs.run import Run
from wfnb.errors import WfnbError
from wfnb.runner.running import Running
from wfnb.views.runs.graph import run_picture
from wfnb.views.runs.progress import progress
from wfnb.views.runs.result import RunResult
from wfnb.views.said import Said

from .notebook import Notebook
from .show import bundle_of, show

MOST = 60
"""Actions of a workflow whose graph is drawn while it runs."""
EVERY = 0.1
"""Seconds between two updates, at least."""


class Live:
    """The output of one run."""

    def __init__(self, notebook: Notebook, running: Running, quiet: bool) -> None:
        self.shell = notebook.shell
        self.running = running
        self.watched = notebook.watched() and not quiet
        self._id = {"display_id": uuid4().hex}
        self._shown = False
        self._drawn = (0, "")

    def show(self, running: Running) -> None:
        """Where the run is now."""
        if self.watched and not running.done:
            with running.log.lock:
                bundle = bundle_of(progress(running.run, running.name, tuple(running.tail)))
                if self._shown and len(running.run.workflow.actions) <= MOST:
                    bundle["text/html"] += self._graph(running.run)
            self._publish(bundle)

    def _graph(self, run: Run) -> str:
        """The run's graph, drawn anew only when something has happened."""
        if self._drawn[0] != run.position:
            self._drawn = (run.position, run_picture(run, self.running.name).html)
        return self._drawn[1]

    def end(self, result: RunResult, form: str) -> None:
        """What it came to, in place of what was shown."""
        if self._shown:
            self._publish(bundle_of(result, form))
        else:
            show(self.shell, result, form)

    def background(self, result: Callable[[], RunResult]) -> None:
        """Follow the run from a thread, and give the cell back."""
        if not self.watched:
            said = f"{self.running.name} runs in the background · `%wfnb wait {self.running.name}`"
            show(self.shell, Said(said, {"run": self.running.name}))
            return
        self.show(self.running)

        def follow() -> None:
            try:
                while not self.running.wait(EVERY):
                    if self.running.changed.is_set():
                        self.running.changed.clear()
                        self.show(self.running)
                self._publish(bundle_of(result()))
            except WfnbError as error:
                self._publish(bundle_of(Said(f"{self.running.name}: {error}", None)))

        Thread(target=follow, name=f"wfnb-follow-{self.running.name}", daemon=True).start()

    def _publish(self, data: dict[str, object]) -> None:
        self.shell.display_pub.publish(
            data=data, metadata={}, transient=self._id, update=self._shown
        )
        self._shown = True
