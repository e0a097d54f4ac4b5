"""something that was looked at -> a line, a table, notes, a text or a picture, in every form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from wfnb.render.message import MIME, Message
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import CODE, FONT
from wfnb.render.text.tables import html_table, markdown_table, text_table
from wfnb.views.graphs import Picture, drawn_html

MAX_ROWS, MAX_LINES, MAX_LETTERS = 200, 1_000, 60_000
"""Of a table, and of a text."""
_MARK = re.compile(r"^# (staged|not staged|untracked)\n", re.MULTILINE)


class EvidenceView:
    """Something that was looked at: a line that says it, a table, and what else there is to say;
    where there is one, a `body` of text (a difference, a file) or a `picture`. What is too long is
    cut, and its true size noted."""

    def __init__(
        self,
        title: str,
        heads: Sequence[str] = (),
        rows: Sequence[Sequence[str]] = (),
        data: Mapping[str, Any] = MappingProxyType({}),
        notes: Sequence[str] = (),
        body: str = "",
        size: int | None = None,
        picture: Picture | None = None,
    ) -> None:
        self.title, self.heads, self.data, self.picture = title, heads, data, picture
        self.rows = rows[:MAX_ROWS]
        more = len(rows) - len(self.rows)
        self.notes = [*([f"and {more:,} more"] if more else []), *notes]
        self.body = cut(body)
        # The body may have been cut before it came here: `size` is that of all of it.
        if size is not None and len(self.body) < max(size, len(body)):
            all_of_it = max(size, len(body))
            self.notes.append(f"{len(self.body):,} of {all_of_it:,} characters are shown")

    @property
    def text(self) -> str:
        return "\n".join(self._text())

    def _text(self) -> Iterator[str]:
        yield escape.line(self.title)
        if self.picture is not None:
            yield self.picture.text
        elif self.rows:
            yield text_table(self.heads, self.rows)
        yield from map(escape.line, self.notes)
        if self.body:
            yield escape.printable(self.body)

    @property
    def html(self) -> str:
        return "".join(self._html())

    def _html(self) -> Iterator[str]:
        yield _html_line(self.title)
        table = html_table(self.heads, self.rows) if self.rows else ""
        if self.picture is not None:
            yield drawn_html(self.picture.svg, self.picture.text, table)
        else:
            yield table
        yield from map(_html_line, self.notes)
        if self.body and not self.rows:
            yield _code(self.body)
            return
        for mark, text in marked_parts(self.body):
            what = "what is new" if mark == "untracked" else "the difference"
            said = f"{mark}: {what}" if mark else what
            summary = f'<summary style="{FONT};cursor:pointer">{escape.html(said)}</summary>'
            yield f"<details>{summary}{_code(text)}</details>"

    @property
    def markdown(self) -> str:
        return "\n\n".join(self._markdown())

    def _markdown(self) -> Iterator[str]:
        yield escape.markdown(self.title)
        if self.rows:
            yield markdown_table(self.heads, self.rows)
        yield from map(escape.markdown, self.notes)
        if self.body:
            fence = escape.fence(self.body)
            yield f"{fence}\n{escape.printable(self.body)}\n{fence}"

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON data; texts are cut as they are shown."""
        return dict(self.data)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        shown = {"text/plain": self.text, "text/html": self.html}
        return {MIME: {"seen": self.to_dict()}, **shown}


class CombinedEvidence(EvidenceView):
    """Several things, one after the other."""

    def __init__(self, parts: Sequence[EvidenceView]) -> None:
        super().__init__(", ".join(part.title for part in parts))
        self.parts = parts

    def _text(self) -> Iterator[str]:
        for part in self.parts:
            yield part.text

    def _html(self) -> Iterator[str]:
        for part in self.parts:
            yield part.html

    def _markdown(self) -> Iterator[str]:
        for part in self.parts:
            yield part.markdown

    def to_dict(self) -> dict[str, Any]:
        return {"parts": [part.to_dict() for part in self.parts]}


def marked_parts(body: str) -> list[tuple[str, str]]:
    """The texts of a difference, each with the mark that it stands under."""
    # Split by a pattern with a group: text, mark, text, mark, text.
    first, *rest = _MARK.split(body)
    parts = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    return [(mark, text) for mark, text in parts if text]


def _html_line(text: str) -> str:
    html: str = Message(text, None)._repr_mimebundle_()["text/html"]
    return html


def _code(text: str) -> str:
    style = f"{CODE};font-size:12px;line-height:1.4;margin:0;overflow:auto;white-space:pre"
    return f'<pre style="{style}">{escape.html(text)}</pre>'


def cut(text: str) -> str:
    """As many whole lines as are shown."""
    if len(text) <= MAX_LETTERS and text.count("\n") <= MAX_LINES:
        return text
    lines = text[:MAX_LETTERS].split("\n")
    # The last line may be cut in the middle, and would look like another.
    whole = lines[:-1] if len(text) > MAX_LETTERS and len(lines) > 1 else lines
    return "\n".join(whole[:MAX_LINES])
