"""`%wfnb panel`, or a session -> the session in the cell: a widget, or the picture alone."""

from __future__ import annotations

from typing import Any

from wfnb.jupyter.notebook import Notebook
from wfnb.workspace import Workspace

from .assets import load_assets
from .still_picture import StillPicture


def panel(notebook: Notebook, static: bool) -> Any:
    """The widget follows the notebook: it shows whatever session is in use. `static`: the picture
    alone."""
    workspace = notebook.open()
    workspace.log.refresh()
    return panel_output(notebook, workspace, live=not static, whole=static)


def panel_output(notebook: Notebook, workspace: Workspace, live: bool, whole: bool = False) -> Any:
    """One output: the widget with its picture or, where it is not to be `live`, the picture alone,
    of the last steps or of the `whole` session."""
    runs = workspace.views.run_entries()
    with workspace.log.locked_session() as session:
        picture = StillPicture(session, runs, whole=whole)
    if not live:
        return picture
    from .widget import PanelOutput, PanelWidget  # noqa: PLC0415  heavy: only where a widget is shown

    front = load_assets()
    if front is None:
        return PanelOutput(None, picture)
    return PanelOutput(PanelWidget(notebook.shell, front, workspace.session.name), picture)
