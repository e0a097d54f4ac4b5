"""the session of a notebook -> a widget that shows it and steers it, in a cell.

Its messages, beside what `labextension/src/widget.ts` says of them:

    {want: "renderer"}   the script and the style, which are not saved in notebooks
    {want: "session"}    to be told the session from here on
    {id, ask, …}         a request, as on the comm `wfnb.control`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets
from IPython.core.interactiveshell import InteractiveShell

from wfnb.jupyter.ipython_compat import clear_reply_route, hear
from wfnb.render.message import Message

from .assets import PanelAssets
from .comms import UNLOADED, channel_of
from .still_picture import StillPicture

VIEW = "application/vnd.jupyter.widget-view+json"
OURS = "application/vnd.wfnb.panel+json"
"""Our extension shows this: the widget while there is one, else the picture of the same output."""


class PanelWidget(anywidget.AnyWidget):
    """What a notebook keeps of it is the loader and three short texts."""

    _esm = traitlets.Unicode().tag(sync=True)
    renderer = traitlets.Unicode().tag(sync=True)
    control = traitlets.Unicode("").tag(sync=True)
    session = traitlets.Unicode("").tag(sync=True)

    def __init__(self, shell: InteractiveShell, built: PanelAssets, session: str) -> None:
        self._shell, self._built = shell, built
        super().__init__(_esm=built.loader, renderer=built.hash, session=session)
        self._name = f"widget {self.model_id}"
        self.on_msg(self._on_message)
        self.comm.on_close(lambda message: self.close())
        hear(self.comm, self._handle_msg)
        clear_reply_route(self.comm)

    def __repr__(self) -> str:
        return f"<wfnb panel of session {self.session!r}>"

    def close(self) -> None:
        """Nothing of it remains: no comm, and nobody who is told."""
        if self.comm is None:
            return
        # Else the comm's end would call `close` once more.
        self.comm.on_close(None)
        self.on_msg(self._on_message, remove=True)
        channel = channel_of(self._shell)
        if channel is not None:
            channel.remove_front_end(self._name)
        # The layout is a widget with a comm of its own, which nobody else closes.
        layout = self.layout
        super().close()
        layout.close()

    def _on_message(self, widget: Any, content: Any, buffers: Any) -> None:
        wanted = content.get("want") if isinstance(content, Mapping) else None
        channel = channel_of(self._shell)
        if wanted == "renderer":
            found = {"hash": self._built.hash, "script": self._built.script}
            self._tell({"kind": "renderer", **found, "style": self._built.style})
        elif channel is None:
            self._tell({"kind": "gone", "says": UNLOADED})
        elif wanted == "session":
            channel.join(self._name, self._tell)
        else:
            self._tell(channel.reply(content, self._name))

    def _tell(self, content: dict[str, Any]) -> None:
        if self.comm is not None:
            self.send(content)
            clear_reply_route(self.comm)


class PanelOutput:
    """A widget, or why there is none, as one output: with the picture of the session, for where a
    widget cannot be shown."""

    def __init__(self, widget: PanelWidget | None, picture: StillPicture) -> None:
        self.widget = widget
        self.picture = picture

    def __repr__(self) -> str:
        return repr(self.picture)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle, plain, html = self.picture.bundle(), "text/plain", "text/html"
        if self.widget is not None:
            view = {"version_major": 2, "version_minor": 0, "model_id": self.widget.model_id}
            return {**bundle, html: f"{bundle[html]}{_line(RECORD)}", OURS: {}, VIEW: view}
        return {
            **bundle,
            plain: f"{NOT_BUILT}\n{bundle[plain]}",
            html: f"{_line(NOT_BUILT)}{bundle[html]}",
        }


def _line(text: str) -> str:
    html: str = Message(text, None)._repr_mimebundle_()["text/html"]
    return html


RECORD = "a record: the session as it was when this cell ran"
NOT_BUILT = "the widget's front end was not built · `make lab` builds it · this is its picture"
