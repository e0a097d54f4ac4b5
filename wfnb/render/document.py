"""the parts of a document -> the same document as Markdown and as HTML.

A report is written once, as a sequence of parts, so that no form of it can say what another does
not. A part is made of plain text and escapes it; a picture or a table has forms of its own.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from .text import escape, inline_code
from .text.safe_markdown import html as markup

Form = Callable[[], str]


class Part(NamedTuple):
    """A piece of a document in each form; one without a line is not there."""

    markdown: Form
    html: Form


class Picture(Protocol):
    @property
    def text(self) -> str: ...

    @property
    def html(self) -> str: ...


class Table(Protocol):
    @property
    def markdown(self) -> str: ...

    @property
    def html(self) -> str: ...


def markdown(parts: Iterable[Part]) -> str:
    return "\n".join(filter(None, (part.markdown() for part in parts))).strip("\n") + "\n"


def html(parts: Iterable[Part]) -> str:
    return "\n".join(filter(None, (part.html() for part in parts)))


def heading(level: int, words: str) -> Part:
    # After the signs of a heading nothing begins a list; at its end such signs would be left out.
    marked = escape.markdown(f"x{words}")[1:].replace("#", "\\#")
    return Part(
        lambda: f"\n{'#' * level} {marked}",
        lambda: f"<h{level}>{escape.html(words)}</h{level}>",
    )


def paragraph(words: str, label: str = "", look: str = "") -> Part:
    """A sentence with `code` between backticks, after a bold label; `look` is its class in HTML."""
    marked = f"**{escape.markdown(label)}:** " if label else ""
    bold = f"<b>{escape.html(label)}:</b> " if label else ""
    classed = f' class="{look}"' if look else ""
    return Part(
        lambda: f"\n{marked}{inline_code.markdown(words)}",
        lambda: f"<p{classed}>{bold}{inline_code.html(escape.line(words))}</p>",
    )


def quiet(words: str) -> Part:
    """What stands in the background."""
    return paragraph(words, look="quiet")


def prose(words: str) -> Part:
    """Markdown that a user wrote: a quotation, in which HTML and pictures are text."""
    quoted = [f"> {line}" for line in escape.without_tags(words).splitlines()]
    return Part(lambda: "\n".join(["", *quoted] if quoted else ()), lambda: markup(words))


def code(words: str, language: str = "text", title: str = "") -> Part:
    """Lines in a fixed width; HTML folds them under their title, if they have one."""
    shown = f"<pre>{escape.html(words)}</pre>"
    return Part(
        lambda: fenced(escape.printable(words), language),
        lambda: _folded(title, shown) if title else shown,
    )


def bullets(points: Iterable[tuple[str, Sequence[str]]]) -> Part:
    """A list of sentences with `code` between backticks, each with others below it."""
    items = tuple(points)
    marked = [
        f"{indent}- {inline_code.markdown(words)}"
        for point, below in items
        for indent, words in (("", point), *(("  ", each) for each in below))
    ]
    return Part(
        lambda: "\n".join(["", *marked] if marked else ()),
        lambda: _list((point, _list((each, "") for each in below)) for point, below in items),
    )


def figure(drawn: Picture, mermaid: str = "") -> Part:
    """A picture; Markdown has its text, or its Mermaid where that is given."""
    return Part(
        lambda: fenced(mermaid.strip(), "mermaid") if mermaid else fenced(drawn.text, "text"),
        lambda: drawn.html,
    )


def image(form: str, data: bytes, says: str) -> Part:
    """A picture as its bytes, of a form in which nothing runs in an `img`. A repository's page
    shows none that stands in the file itself: Markdown has words in its place."""
    name, inside = escape.attribute(says), b64encode(data).decode()
    return Part(
        lambda: f"\n*{escape.markdown(says)}: a picture, which the HTML report has*",
        lambda: f'<p><img alt="{name}" src="data:{escape.attribute(form)};base64,{inside}"></p>',
    )


def table(rows: Table) -> Part:
    return Part(lambda: f"\n{rows.markdown}", lambda: rows.html)


def box(look: str, parts: Iterable[Part]) -> Part:
    """Parts that belong together; `look` is their class in HTML."""
    # Each form goes through them: a generator would be empty for the second.
    inner = tuple(parts)
    return Part(
        lambda: f"\n{markdown(inner)}".rstrip(),
        lambda: f'<div class="{look}">\n{html(inner)}\n</div>',
    )


def folded(title: str, parts: Iterable[Part]) -> Part:
    """Details that open by a click; Markdown, where nothing folds, has them under their title."""
    inner = tuple(parts)
    return Part(
        lambda: f"\n{escape.markdown(title)}\n\n{markdown(inner)}".rstrip(),
        lambda: _folded(title, html(inner)),
    )


def fenced(text: str, language: str) -> str:
    fence = escape.fence(text)
    return f"\n{fence}{language}\n{text}\n{fence}"


def _folded(title: str, inner: str) -> str:
    return f"<details><summary>{escape.html(title)}</summary>{inner}</details>"


def _list(points: Iterable[tuple[str, str]]) -> str:
    """A sentence and the list below it, as HTML."""
    shown = [f"<li>{inline_code.html(escape.line(words))}{below}</li>" for words, below in points]
    return f"<ul>{''.join(shown)}</ul>" if shown else ""
