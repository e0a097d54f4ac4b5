"""What steps showed, in the report: as images in which nothing runs, within bounds."""

from __future__ import annotations

import json
import re
from base64 import b64decode

import pytest

from tests.core.story import done, given
from wfnb.core.events import Outcome
from wfnb.core.session import Session
from wfnb.core.shown_figures import MAX_FIGURE_BYTES, Figure, is_known
from wfnb.render.text.html_table_reader import TableText
from wfnb.views.figures import GONE, FigureRoom, figure_data, table_bytes, table_of
from wfnb.views.report import report

PNG = b"\x89PNG\r\n\x1a\n" + bytes(90)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'
TABLE = table_bytes(TableText(("", "a"), (("0", "<b>1</b>"),), "9 rows"))
KEPT = {
    Figure(form=form, blob=f"{len(data):032x}-{len(data)}"): data
    for form, data in (("image/png", PNG), ("image/svg+xml", SVG), ("table", TABLE))
}


def session(*figures: Figure, left: int = 0) -> Session:
    return given(done("Plot", outcome=Outcome(figures=figures, figures_left=left)))


def html(found: Session, room: int = 10_000) -> str:
    return report(found, (), FigureRoom(KEPT.get, room)).html


def test_a_report_has_what_a_step_showed():
    shown = html(session(*KEPT))

    found = re.findall(r'<img alt="([^"]+)" src="data:(image/[a-z+]+);base64,([^"]+)">', shown)
    assert [(alt, form, b64decode(data)) for alt, form, data in found] == [
        ("figure 1 of step 1", "image/png", PNG),
        ("figure 2 of step 1", "image/svg+xml", SVG),
    ]
    assert "&lt;b&gt;1&lt;/b&gt;" in shown
    assert "img-src data:" in shown
    assert "alert" not in shown


def test_the_markdown_has_the_tables_and_says_where_the_pictures_are():
    shown = report(session(*KEPT), (), FigureRoom(KEPT.get, 10_000)).markdown

    assert "figure 1 of step 1: a picture, which the HTML report has" in shown
    assert "| 0 | " in shown
    assert "base64" not in shown


def test_a_report_without_room_for_a_picture_says_so_and_is_the_same_each_time():
    figures = report(session(*KEPT), (), FigureRoom(KEPT.get, len(PNG)))

    assert figures.html == figures.html
    assert figures.html.count("<img") == 1
    assert "figure 2 of step 1 is left out: a report holds 98 bytes of them" in figures.html


def test_a_report_without_figures_says_nothing_of_them():
    assert report(session(*KEPT, left=2)).html == report(session()).html


def test_what_was_left_out_or_is_gone_is_said():
    shown = html(session(Figure(form="image/png", blob=f"{0:032x}-9"), left=2))

    assert GONE in shown
    assert "2 more figures: at most 6 of a step are kept, of at most 500 kB each" in shown


def test_a_page_gets_a_picture_as_its_bytes_and_a_table_as_texts():
    png, _, table = (figure_data(figure, data) for figure, data in KEPT.items())

    assert png is not None
    assert b64decode(png["data"]) == PNG
    texts = {"heads": ["", "a"], "rows": [["0", "<b>1</b>"]], "says": "9 rows"}
    assert table == {"form": "table", **texts}


@pytest.mark.parametrize(
    "bad",
    [
        b"\xff",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"heads": ["a"], "rows": [["b", "c"]], "says": ""}',
        b'{"heads": ["a"], "rows": [[{"x": 1}]], "says": ""}',
        b'{"heads": "a", "rows": ["b"], "says": ""}',
        json.dumps({"heads": ["a"] * 99, "rows": [], "says": ""}).encode(),
        json.dumps({"heads": ["a"], "rows": [["b"]] * 99, "says": ""}).encode(),
    ],
)
def test_bytes_that_are_no_table_are_not_shown(bad):
    assert table_of(bad) is None
    assert figure_data(Figure(form="table", blob=""), bad) is None


def test_a_figure_of_another_form_or_size_was_not_kept_by_wfnb():
    assert all(map(is_known, KEPT))
    for form, blob in (
        ("text/html", f"{1:032x}-9"),
        ("image/png", f"{1:032x}-{MAX_FIGURE_BYTES + 1}"),
        ("image/png", "../journal.db"),
    ):
        assert not is_known(Figure(form=form, blob=blob))
