"""a session as the last value of a cell -> the widget, else the picture of it.

    ws = wfnb.open("drift")
    ws

Where there is no kernel there is no page: a terminal prints the session in words, as Python does.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from wfnb.errors import WfnbError
from wfnb.jupyter.ipython_compat import kernel_of
from wfnb.jupyter.notebook import Notebook
from wfnb.workspace import Workspace


class Display:
    """How a shell displays sessions. `open` and `close` are for `%load_ext` and `%unload_ext`."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        forms = notebook.shell.display_formatter
        kernel = kernel_of(notebook.shell)
        self._formatter = None if kernel is None or forms is None else forms.mimebundle_formatter

    def open(self) -> None:
        if self._formatter is not None:
            self._formatter.for_type(Workspace, self.bundle)

    def close(self) -> None:
        if self._formatter is not None:
            self._formatter.pop(Workspace, None)

    def bundle(self, workspace: Workspace) -> dict[str, Any]:
        """All forms of a session. The widget follows the notebook: a session that is not in use
        here is shown as it is now."""
        from .panel_output import panel_output  # noqa: PLC0415  heavy: only where a session is displayed

        with suppress(WfnbError):  # else as it was when it could be read
            workspace.log.refresh()
        display = panel_output(self.notebook, workspace, live=self.notebook.uses(workspace.log))
        bundle: dict[str, Any] = display._repr_mimebundle_()
        return bundle
