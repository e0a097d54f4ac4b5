"""Confidence over steps, as a drawing, as signs and as a table."""

from xml.etree import ElementTree

import pytest

from tests.investigations.views.inquiries import tides
from tests.views.graphs import HOSTILE
from wfnb.investigations.views.confidence_chart import MAX_POINTS, Chart, Point, confidence
from wfnb.render.text import escape

SVG = "{http://www.w3.org/2000/svg}"
LEVELS = ("exploring", "low", "high", "certain")


def drawn(chart: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(chart.svg)


def texts(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def classes(root: ElementTree.Element) -> list[str]:
    return [path.get("class", "") for path in root.iter(f"{SVG}path")]


def rising(count: int) -> Chart:
    points = [
        Point(where=str(at + 1), line="main", level="low", height=1, before=at - 1 if at else None)
        for at in range(count)
    ]
    return Chart(LEVELS, points, ("main",))


def test_every_line_is_a_row_of_signs_and_its_last_level():
    assert confidence(tides().session).text == (
        "main    ▂▂ ⊖▄  high\nparser    ▃    medium · abandoned"
    )


def test_the_drawing_has_a_level_a_row_a_number_a_step_and_the_names_of_lines():
    root = drawn(confidence(tides().session))

    assert texts(root) == [
        *("main", "parser"),
        *("exploring", "low", "medium", "high", "very_high", "almost_certain", "certain"),
        *("1", "2", "3", "3", "4"),
    ]


def test_what_was_withdrawn_or_abandoned_is_hollow_and_dashed():
    root = drawn(confidence(tides().session))

    assert [name for name in classes(root) if name.startswith(("mark", "rail"))][2:] == [
        *("rail c0", "rail c1 dash gone", "rail c0 dash gone", "rail c0"),
        *("mark c0", "mark c0", "mark hollow c1", "mark hollow c0", "mark c0"),
    ]


def test_a_step_after_a_withdrawn_one_goes_on_from_the_last_that_counts():
    points = confidence(tides().session).points

    assert [point.before for point in points] == [None, 0, 1, 1, 1]


def test_the_chart_is_told_in_a_sentence():
    assert confidence(tides().session).says == "confidence over 5 steps: low, high"


def test_the_table_has_every_step():
    assert confidence(tides().session).table == (
        ("step", "title", "line", "confidence", ""),
        (
            ("1", "One warning is missing", "main", "low", ""),
            ("2", "Are readings lost?", "main", "low", ""),
            ("parser:3", "Run the parser", "parser", "medium", "abandoned"),
            ("3", "Sorted?", "main", "high", "withdrawn"),
            ("4", "Days are cut in UTC", "main", "high", ""),
        ),
    )


def test_the_last_steps_of_many_are_drawn_and_all_are_in_the_table():
    chart = rising(MAX_POINTS + 20)

    assert classes(drawn(chart)).count("mark c0") == MAX_POINTS
    assert classes(drawn(chart)).count("rail c0") == MAX_POINTS - 1
    assert chart.text.splitlines()[-1] == "(the last 100 of 120 steps)"
    assert len(chart.table[1]) == MAX_POINTS + 20


def test_a_level_of_another_scale_is_named_and_not_drawn():
    point = Point(where="1", line="main", level="complete", height=None)

    chart = Chart(LEVELS, [point], ("main",))

    assert chart.text == "main  ·  complete"
    assert "1" not in texts(drawn(chart))


def test_a_picture_is_the_same_every_time():
    assert confidence(tides().session).svg == confidence(tides().session).svg


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stays_text(text: str):
    points = [
        Point(where=text, line=line, level=text, height=0, title=text) for line in (text, "main")
    ]
    chart = Chart((text, "low"), points, ("main", text))

    root = drawn(chart)

    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        *("svg", "title", "style", "text", "path", "rect")
    }
    assert escape.printable(chart.text) == chart.text
    assert len(chart.text.splitlines()) == 2
    assert "<script" not in chart.html
    assert "<img" not in chart.html
