"""`%load_ext wfnb`: magics, hooks, the cell rewriting and completion go in, and out again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from IPython.core.interactiveshell import InteractiveShell

from wfnb.hints import use_spelling
from wfnb.hints_as_magics import MagicSpelling
from wfnb.session_log import hosts
from wfnb.workspace import Workspace

from .completion import Completion
from .figure_capture import FORMS
from .input_transform import LaterStep, OneLine, rewrite_step_line
from .ipython_compat import on_display, on_request_end, remove_magics, request_part
from .magics import WfnbMagics
from .notebook import Notebook
from .open_notebooks import NOT_CONNECTED
from .panel.comms import Channel
from .panel.session_display import Display
from .record_mode import RecordMode

_CELLS = "step branch run_workflow workflow"


@dataclass
class LoadedExtension:
    notebook: Notebook
    completion: Completion
    channel: Channel
    display: Display
    one_line: OneLine
    leave_requests: Callable[[], None]
    leave_display: Callable[[], None]


_LOADED: dict[InteractiveShell, LoadedExtension] = {}
_USED: dict[InteractiveShell, Workspace] = {}  # before an unload


def load(shell: InteractiveShell) -> LoadedExtension:
    """Put wfnb into the shell, once. A session that was in use before an unload goes on. A front
    end that is not connected yet says with its request which cells there are."""
    # `%load_ext` runs again with every Run All; hooks that were in twice would record twice.
    loaded = _LOADED.get(shell) or _load(shell)
    cells = request_part(shell, "metadata", "wfnbCells")
    if isinstance(cells, dict):
        loaded.channel.reply({**cells, "id": 0, "ask": "cells"}, NOT_CONNECTED)
    return loaded


def _load(shell: InteractiveShell) -> LoadedExtension:
    use_spelling(MagicSpelling())
    notebook = Notebook(shell)
    notebook.workspace = _USED.pop(shell, None)
    notebook.record_mode = RecordMode(notebook)
    completion = Completion(notebook)
    shell.register_magics(WfnbMagics(shell, notebook))
    shell.input_transformers_cleanup.append(rewrite_step_line)
    shell.input_transformer_manager.token_transformers.append(LaterStep)
    one_line = OneLine(shell)
    shell.input_transformers_post.append(one_line)
    shell.events.register("pre_run_cell", notebook.pre_run_cell)
    shell.events.register("post_run_cell", notebook.post_run_cell)
    if shell.Completer is not None:
        shell.Completer.custom_matchers.append(completion.match)
    hosts.append(notebook)
    channel = Channel(notebook)
    display = Display(notebook)
    leave_requests = on_request_end(shell, notebook.on_request_end)
    leave_display = on_display(shell, FORMS, notebook.on_shown, notebook.on_cleared)
    known = (notebook, completion, channel, display, one_line, leave_requests, leave_display)
    _LOADED[shell] = LoadedExtension(*known)
    # Last: a front end may ask at once, from another thread.
    channel.open()
    display.open()
    return _LOADED[shell]


def unload(shell: InteractiveShell) -> None:
    """Take all of it out again."""
    loaded = _LOADED.pop(shell, None)
    if loaded is None:
        return
    if not _LOADED:
        use_spelling()
    loaded.channel.close()
    loaded.display.close()
    loaded.leave_requests()
    loaded.leave_display()
    loaded.notebook.leave()
    hosts.remove(loaded.notebook)
    shell.events.unregister("pre_run_cell", loaded.notebook.pre_run_cell)
    shell.events.unregister("post_run_cell", loaded.notebook.post_run_cell)
    shell.input_transformers_cleanup.remove(rewrite_step_line)
    shell.input_transformer_manager.token_transformers.remove(LaterStep)
    shell.input_transformers_post.remove(loaded.one_line)
    if shell.Completer is not None:
        shell.Completer.custom_matchers.remove(loaded.completion.match)
    remove_magics(shell, WfnbMagics, f"{_CELLS} wfnb", _CELLS)
    # `%reload_ext` must not end the session: it goes on where it was.
    if loaded.notebook.workspace is not None:
        _USED[shell] = loaded.notebook.workspace
