import json
import re
from html import unescape
from importlib import import_module
from xml.etree import ElementTree

import pytest

from tests.views.graphs import HOSTILE
from wfnb.render.text import escape

TEXTS = pytest.mark.parametrize("text", HOSTILE)


def rendered(markdown: str) -> str:
    parser = import_module("markdown_it").MarkdownIt("commonmark").enable(["table"])
    return str(parser.render(markdown))


def words(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


@TEXTS
def test_html_reads_back_as_the_printable_text(text):
    element = ElementTree.fromstring(
        f"<a href='{escape.attribute(text)}' title=\"{escape.attribute(text)}\">"
        f"{escape.html(text)}</a>"
    )

    assert (element.text or "") == escape.printable(text)
    assert element.get("href") == element.get("title") == escape.printable(text).replace("\t", " ")


@TEXTS
def test_a_heading_and_a_cell_of_markdown_read_back_as_the_line(text):
    shown = escape.line(text)
    cell = rendered(f"| {escape.markdown(text)} | next |\n|-|-|\n")
    heading = rendered(f"## {escape.markdown(text)}")

    assert words(cell) == f"{shown} next".strip()
    assert words(heading) == shown
    for html in (cell, heading):
        assert set(re.findall("<([a-z0-9]+)", html)) <= {"table", "thead", "tr", "th", "h2"}


@pytest.mark.parametrize(
    "text", ["# a", "- a", "+ a", "1. a", "12) a", "> a", "~~~", "=====", "    a", "a_b_c", "$x$"]
)
def test_a_paragraph_of_markdown_stays_a_paragraph(text):
    assert rendered(escape.markdown(text)) == f"<p>{escape.html(escape.line(text))}</p>\n"


@TEXTS
def test_a_line_is_one_line_without_invisible_steering(text):
    shown = escape.line(text)

    assert len(shown.splitlines()) <= 1
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)


@TEXTS
def test_escaping_is_done_once(text):
    assert escape.line(escape.line(text)) == escape.line(text)
    assert escape.printable(escape.printable(text)) == escape.printable(text)


def test_a_joined_emoji_stays_whole():
    assert escape.line("👩\u200d🔬 e\u0301") == "👩\u200d🔬 e\u0301"


@TEXTS
def test_json_says_the_same_in_characters_that_can_all_be_seen(text):
    said = escape.json_text(json.dumps({text: [text]}, indent=2, ensure_ascii=False))

    assert json.loads(said) == {text: [text]}
    assert escape.printable(said) == said


@TEXTS
def test_markdown_without_tags_fetches_nothing(text):
    assert not re.search("<(img|script|[a-z]+ [^>]*src=)", rendered(escape.without_tags(text)))
