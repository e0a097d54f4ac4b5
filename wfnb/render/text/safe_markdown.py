"""Markdown written by people -> a fragment of safe HTML, or the same text without its marks.

CommonMark with tables and strikethrough. Raw HTML is shown as text, pictures become their
descriptions, links go to http, https and mailto only, and nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from . import escape

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_LENGTH = 20_000  # characters of a paragraph: nobody writes longer ones to be read
_PLAIN = re.compile(r"[^\W\d_](?:[^\W_]|[ .,:;?()/'\"–—，。？！：；（）、-])*")  # no marks
_FOLLOWED = re.compile("(https?|mailto):")
NESTING = 20  # quotes in lists in quotes: deeper ones are left out
_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "a", "ul", "ol", "li"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}


def html(markdown: str) -> str:
    """Headings, emphasis, code, lists, quotes, tables and links; nothing that runs or loads."""
    nh3 = import_module("nh3")  # heavy: only when Markdown is shown
    safe: str = nh3.clean(
        _parser().render(escape.printable(markdown)),
        tags=_TAGS,
        attributes={"a": {"href", "title"}, "ol": {"start"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return safe


def plain(markdown: str) -> str:
    """What a reader would read aloud, a line for each paragraph.

    >>> plain("# Are the *residuals* [drifting](https://example.org)?")
    'Are the residuals drifting?'
    """
    if _PLAIN.fullmatch(markdown):
        return markdown.strip()
    return _spoken_lines(_parser(), markdown)


def plain_title(line: str) -> str:
    """The same of a single line, which is no list, no quote and no rule. In it `_` belongs to a
    name, `*` between two words is a product, and a link is one that could be followed.

    >>> plain_title("# - 3 degrees in *all* of `__init__`"), plain_title("__all__ = f[a](b)*c*d")
    ('- 3 degrees in all of __init__', '__all__ = f[a](b)*c*d')
    """
    return line.strip() if _PLAIN.fullmatch(line) else _spoken_lines(_title_parser(), line)


def _spoken_lines(parser: MarkdownIt, markdown: str) -> str:
    lines = "".join(_spoken_text(parser.parse(escape.printable(markdown)))).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())


def _spoken_text(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline" or token.type == "image":
            yield from _spoken_text(token.children or [])
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        else:
            yield token.content
        if token.block:
            yield "\n"


@cache
def _parser() -> MarkdownIt:
    markdown_it = import_module("markdown_it")
    options = {"html": False, "maxNesting": NESTING}
    parser: MarkdownIt = markdown_it.MarkdownIt("commonmark", options)
    parser.enable(["table", "strikethrough"])
    parser.add_render_rule("image", _image_text)
    parser.core.ruler.before("inline", "longest", _left_alone)
    return parser


@cache
def _title_parser() -> MarkdownIt:
    markdown_it = import_module("markdown_it")
    parser: MarkdownIt = markdown_it.MarkdownIt(
        "commonmark", {"html": False, "maxNesting": NESTING}
    )
    parser.disable(["blockquote", "code", "fence", "hr", "list", "reference"])
    emphasis = import_module("markdown_it.rules_inline").emphasis.tokenize

    def emphasis_of_words(state: StateInline, silent: bool) -> bool:
        if state.src[state.pos] != "*":
            return False
        marks = state.scanDelims(state.pos, canSplitWord=False)
        if marks.can_open or marks.can_close or silent:
            return bool(emphasis(state, silent))
        state.pending += "*" * marks.length
        state.pos += marks.length
        return True

    parser.inline.ruler.at("emphasis", emphasis_of_words)
    parser.validateLink = _FOLLOWED.match  # type: ignore[method-assign, assignment]
    parser.core.ruler.before("inline", "longest", _left_alone)
    return parser


def _left_alone(state: StateCore) -> None:
    """A paragraph too long to be one is shown as it is, in no time."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MAX_LENGTH:
            token.type = "text"


def _image_text(_renderer: object, tokens: list[Token], index: int, *_: object) -> str:
    return escape.html("".join(_spoken_text(tokens[index].children or [])))
