"""a sentence, a block of text, rows -> what a cell shows of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .text import escape, inline_code
from .text.css_fonts import CODE, FONT
from .text.tables import html_table, markdown_table, text_table

MIME = "application/vnd.wfnb+json"  # of our own: JupyterLab would show application/json instead


class Message:
    """One line, or with `block` a text of several lines; `data` is the same for programs."""

    def __init__(self, text: str, data: Any, block: bool = False) -> None:
        self.text = text
        self.data = data
        self.block = block

    def __repr__(self) -> str:
        return escape.printable(self.text)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        shown = inline_code.html(self.text)
        if self.block:
            style = f"{CODE};margin:0;white-space:pre-wrap;word-break:normal;line-height:1.5"
            html = f'<pre style="{style}">{shown}</pre>'
        else:
            html = f'<div class="wfnb-said" style="{FONT}">{shown}</div>'
        data = {} if self.data is None else {MIME: self.data}
        return {**data, "text/plain": repr(self), "text/html": html}


class Json:
    """Data, shown as indented JSON and nothing else."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __repr__(self) -> str:
        return escape.json_text(json.dumps(self.data, indent=2, ensure_ascii=False))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: self.data, "text/plain": repr(self)}


class Table:
    """Heads and rows of plain strings."""

    def __init__(self, heads: Sequence[str], rows: Sequence[Sequence[str]], data: Any) -> None:
        self.heads, self.rows, self.data = heads, rows, data

    def __repr__(self) -> str:
        return text_table(self.heads, self.rows)

    @property
    def markdown(self) -> str:
        return markdown_table(self.heads, self.rows)

    @property
    def html(self) -> str:
        return html_table(self.heads, self.rows)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: self.data, "text/plain": repr(self), "text/html": self.html}
