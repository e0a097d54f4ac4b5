"""`%wfnb panel` -> the session in the cell: a widget, or the picture alone."""

from __future__ import annotations

from typing import Any

from wfnb.jupyter.grammar import Words
from wfnb.jupyter.notebook import Notebook

from .built import built
from .still_picture import StillPicture


def panel(notebook: Notebook, words: Words) -> Any:
    """The widget follows the notebook: it shows whatever session is in use."""
    workspace = notebook.open()
    workspace.refresh()
    runs = workspace.run_entries()
    with workspace.still() as session:
        picture = StillPicture(session, runs, whole=bool(words.get("static")))
    if words.get("static"):
        return picture
    from .widget import PanelWidget, Shown  # noqa: PLC0415  heavy: only where a widget is shown

    front = built()
    if front is None:
        return Shown(None, picture)
    return Shown(PanelWidget(notebook.shell, front, workspace.session.name), picture)
