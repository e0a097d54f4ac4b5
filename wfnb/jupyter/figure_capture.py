"""what the code of a step publishes -> its figures: pictures, and tables as texts.

What the cell shows, and nothing that is captured (`%%capture`): what a display shows in the end,
and what is left after `clear_output`. No picture is made for it, none is made smaller.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from contextlib import suppress
from traceback import print_exc
from typing import Any

from wfnb.core.shown_figures import IMAGES, MAX_FIGURE_BYTES, MAX_FIGURES, TABLE, Figure
from wfnb.render.text.html_table_reader import read_table
from wfnb.views.figures import table_bytes
from wfnb.workspace import Workspace

_HTML = "text/html"
FORMS = (*IMAGES, _HTML)
"""Forms of outputs in which there may be a figure."""
_MAX_HTML_LENGTH = 300_000
"""Characters of HTML in which a table is looked for."""


class ShownFigures:
    """Those of one step. Nothing is read before it ends: until then they are as they were
    published."""

    def __init__(self) -> None:
        self._outputs: dict[object, tuple[str, Any]] = {}
        self._more = 0
        self._clears = False

    def add(self, data: Mapping[str, Any], display: object) -> None:
        """An output; `display` is the name under which it takes the place of an earlier one."""
        if self._clears:
            self.clear(wait=False)
        form = _form(data)
        name = display or object()
        if form is None:
            self._outputs.pop(name, None)
        elif name in self._outputs or len(self._outputs) < MAX_FIGURES:
            self._outputs[name] = form, data[form]
        else:
            self._more += 1  # not held: a loop may show a thousand

    def clear(self, wait: bool) -> None:
        """The cell's output is cleared: now, or (`wait`) with the next that comes."""
        self._clears = wait
        if not wait:
            self._outputs.clear()
            self._more = 0

    def end(self) -> tuple[list[tuple[str, bytes]], int]:
        """The figures in order, each with its form; and how many were shown in all."""
        shown = len(self._outputs) + self._more
        read = (_read(form, value) for form, value in self._outputs.values())
        return [figure for figure in read if figure is not None], shown


def keep_figures(workspace: Workspace, shown: ShownFigures) -> tuple[tuple[Figure, ...], int]:
    """What a step showed, kept; and how many more it showed. Its code has run: what is wrong with
    a figure is no fault of the step."""
    found, count = [], 0
    try:
        pictures, count = shown.end()
        if not workspace.views.figures.are_kept:
            return (), 0
        found = workspace.views.figures.keep(pictures)
    except Exception:  # a fault of ours
        print_exc()
    return tuple(found), count - len(found)


def _read(form: str, value: Any) -> tuple[str, bytes] | None:
    """The form of a figure and its bytes; None where these are none."""
    if form == _HTML:
        found = read_table(value)
        return None if found is None else (TABLE, table_bytes(found))
    if isinstance(value, bytes):
        return form, value
    if form == "image/svg+xml":
        return form, value.encode(errors="replace")
    if len(value) > MAX_FIGURE_BYTES * 2:  # base64 is a third longer, and may have line breaks
        return None
    with suppress(ValueError):
        return form, b64decode(value)
    return None


def _form(data: Mapping[str, Any]) -> str | None:
    """The form that is a figure; None where there is none."""
    for form in IMAGES:
        if isinstance(data.get(form), bytes | str):
            return form
    html = data.get(_HTML)
    is_table = isinstance(html, str) and len(html) <= _MAX_HTML_LENGTH and "<table" in html
    return _HTML if is_table else None
