from itertools import pairwise
from xml.etree import ElementTree

import pytest

from tests.views.graphs import HOSTILE, history, line, saying, stages
from wfnb.render.drawing import svg
from wfnb.render.drawing.boxes import boxes
from wfnb.render.drawing.graph import Edge, Graph, Lane, Node
from wfnb.render.drawing.history_rows import tree
from wfnb.render.text import escape

SVG = "{http://www.w3.org/2000/svg}"
DRAWINGS = pytest.mark.parametrize("draw", [boxes, tree])


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def texts(root: ElementTree.Element) -> list[str]:
    """What is written, without tooltips."""
    return [
        "".join(span.itertext())
        for text in root.iter(f"{SVG}text")
        for span in ([text] if text.find(f"{SVG}tspan") is None else text.findall(f"{SVG}tspan"))
    ]


def classes(root: ElementTree.Element, tag: str) -> list[str]:
    return [each.get("class", "") for each in root.iter(SVG + tag)]


def test_boxes_say_number_title_state_and_branch():
    assert texts(parsed(boxes(history()))) == [
        "1 Load the readings",
        "✓ ok",
        "main",
        "2 Fit it",
        "✓ ok · revised by 4",
        "3 A robust loss",
        "✕ failed",
        "robust · merged",
        "3 Are residuals drifting?",
        "◌ stale",
        "4 Drop two days",
        "✓ ok",
    ]


def test_rows_say_number_title_state_and_branch():
    assert texts(parsed(tree(history()))) == [
        *("1", "Load the readings", "✓ ok"),
        *("2", "Fit it", "✓ ok · revised by 4"),
        *("3", "A robust loss", "✕ failed", "robust · merged"),
        *("3", "Are residuals drifting?", "◌ stale"),
        *("4", "Drop two days", "✓ ok"),
    ]


def test_states_differ_in_shape_and_not_in_colour_alone():
    root = parsed(boxes(history()))

    assert classes(root, "rect") == ["box", "box", "box", "box", "box dash", "box thick on"]
    assert "box bad" in classes(root, "path")  # the one with cut corners


@DRAWINGS
def test_lanes_differ_in_shape_and_a_stale_step_is_hollow(draw):
    marks = [
        (path.get("class"), path.get("d", "").count("a"), path.get("d", "").count("h"))
        for path in parsed(draw(history())).iter(f"{SVG}path")
        if path.get("class", "").startswith("mark")
    ]

    assert marks == [
        ("mark c0", 2, 0),
        ("mark c0", 2, 0),
        ("mark c1", 0, 2),
        ("mark hollow c0", 2, 0),
        ("mark c0", 2, 0),
    ]


def test_stages_are_boxes_with_the_way_taken_and_its_count():
    root = parsed(svg.svg(stages()))

    assert texts(root) == [
        "2×",
        "✓ action_planning",
        "▶ action_",
        "execution",
        "· final_response",
    ]
    assert classes(root, "path") == [
        *("edge on", "tip on", "edge on", "tip on"),
        *("edge dash", "tip dash"),
    ]


def test_stages_too_wide_for_a_page_stand_below_each_other():
    names = [f"stage_number_{number}_of_the_strategy" for number in range(12)]
    graph = Graph(
        name="long",
        title="long",
        direction="LR",
        nodes=tuple(Node(id=name, title=name, shape="stage") for name in names),
        edges=tuple(
            Edge(tail=tail, head=head, kind="transition") for tail, head in pairwise(names)
        ),
    )

    root = parsed(svg.svg(graph))

    assert float(root.get("width", "")) < 300 < float(root.get("height", ""))


@DRAWINGS
def test_a_picture_tells_what_it_is_and_shares_no_ids_with_its_neighbours(draw):
    root = parsed(draw(history()))

    said = "sensor-drift: 5 steps on 2 lines, 1 stale"
    assert (root.get("role"), root.get("aria-label"), root[0].text) == ("img", said, said)
    assert not [each for each in root.iter() if each.get("id")]


@DRAWINGS
def test_the_same_graph_gives_the_same_picture(draw):
    assert draw(history()) == draw(history())


@DRAWINGS
def test_a_picture_has_no_links_because_jupyterlab_fails_on_those_of_svg(draw):
    assert list(parsed(draw(history())).iter(f"{SVG}a")) == []


@DRAWINGS
@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_stays_text(draw, text):
    root = parsed(draw(saying(text)))

    tags = {each.tag.removeprefix(SVG) for each in root.iter()}
    assert tags <= {"svg", "title", "style", "g", "a", "rect", "path", "text", "tspan"}
    names = {name for each in root.iter() for name in each.keys()}  # noqa: SIM118  an Element
    assert not [name for name in names if name.startswith("on")]
    assert root.get("aria-label", "").startswith(escape.line(text)[:30])
    assert "".join(escape.line(text).split())[:6] in "".join("".join(texts(root)).split())


@DRAWINGS
def test_a_long_text_is_cut_where_it_is_shown_and_in_its_tooltip(draw):
    root = parsed(draw(saying("x" * 10_000)))

    assert max(map(len, texts(root))) < 120
    assert [len(title.text or "") for title in root.iter(f"{SVG}title")][1:] in ([300] * 2, [300])


def test_a_history_past_what_boxes_are_good_for_is_drawn_in_rows():
    assert svg.svg(line(svg.BOXES)) == boxes(line(svg.BOXES))
    assert svg.svg(line(svg.BOXES + 1)) == tree(line(svg.BOXES + 1))


def test_a_row_is_28_pixels_high():
    heights = [parsed(tree(line(length))).get("height") for length in (0, 1, 1_000)]

    assert heights == ["8", "36", "28008"]


def test_many_lanes_stay_narrow():
    lanes = 200
    graph = Graph(
        name="h",
        title="",
        lanes=tuple(Lane(id=f"b{lane}") for lane in range(lanes)),
        nodes=tuple(Node(id=f"{n}", title="t", lane=n % lanes) for n in range(2 * lanes)),
        edges=tuple(Edge(tail="0", head=f"{n}", kind="branch") for n in range(1, lanes)),
    )

    marks = [
        float(path.get("d", "").split()[0][1:])
        for path in parsed(tree(graph)).iter(f"{SVG}path")
        if "mark" in path.get("class", "")
    ]

    assert max(marks) < 280


@DRAWINGS
def test_a_merged_branch_comes_back_and_an_abandoned_one_is_dashed(draw):
    merged = history()
    abandoned = Graph(
        name="history",
        title="",
        lanes=(Lane(id="main"), Lane(id="robust", state="abandoned")),
        nodes=merged.nodes,
        edges=merged.edges[:-1],
    )

    assert len(parsed(draw(merged)).findall(f".//{SVG}path")) > len(
        parsed(draw(abandoned)).findall(f".//{SVG}path")
    )
    assert "robust · abandoned" in texts(parsed(draw(abandoned)))


@DRAWINGS
def test_a_graph_without_nodes_is_an_empty_picture(draw):
    assert texts(parsed(draw(line(0)))) == []
