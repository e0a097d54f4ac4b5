"""a tool and its `key=value` words -> a run of one call, attended as every run in a cell is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.errors import BadOption, RunFailed, WorkflowInvalid
from wfnb.render.message import Json
from wfnb.workflows.definition.schema_fit import misfits
from wfnb.workflows.library.key_value_words import settings
from wfnb.workflows.runner.active_run import ActiveRun
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import REGISTRY

from .notebook import Notebook
from .run_display import Live

NAME = "%wfnb call"


class Caller(Runner):
    """What it starts it attends: shows how it goes on, and asks what it asks."""

    live: Live

    def __init__(self, notebook: Notebook) -> None:
        home = notebook.home().path
        log = notebook.open(for_recording=True).log
        super().__init__(log, home, notebook.location.folder(), notebook.shell.user_ns)
        self._notebook = notebook

    def start(self, workflow: Any, /, **options: Any) -> ActiveRun:
        running = super().start(workflow, **options)
        self.live = Live(self._notebook, running, quiet=False)
        # Attended right here, with the display: `Runner.call` attends it without one.
        running.attend(self.live.attend)
        return running


def call_tool(notebook: Notebook, tool: str, words: list[str]) -> None:
    """Call it, and show what it gave. Raises RunFailed where it did not succeed; it is shown then
    only where the output said how it goes on."""
    params = settings(words, "", NAME, "command=ls")
    caller = Caller(notebook)
    try:
        result = caller.call(tool, **params)
    except WorkflowInvalid as wrong:
        way = " ".join(_as_texts(tool, params, words))
        if not way:
            raise
        what = str(wrong).replace("steps.0.args.", "").rstrip(".")  # nobody wrote these steps
        raise BadOption(NAME, what, f"As text: {way}") from None
    if result.get("success") or caller.live.shown:
        caller.live.end(Json(result))
    if not result.get("success"):
        status = caller.live.running.run.status
        raise RunFailed(tool, status, str(result.get("error") or ""))


def _as_texts(tool: str, params: Mapping[str, Any], words: list[str]) -> Iterator[str]:
    """Parameters that were read as a number, a truth, a list, and would fit as the text that they
    were: as they are written then."""
    known = REGISTRY.get(tool).parameters.get("properties", {})
    for word in words:
        key, value = (part.strip() for part in word.split("=", 1))
        fits = [not any(misfits(each, known.get(key, True), ())) for each in (params[key], value)]
        if fits == [False, True]:
            quoted = "'{}'".format(value.replace("'", "''"))
            yield '{}="{}"'.format(key, quoted.replace("\\", "\\\\").replace('"', '\\"'))
