import re
from importlib import import_module
from xml.etree import ElementTree

import pytest

from tests.views.graphs import HOSTILE, history, saying, stages
from wfnb.render.drawing.dot import dot, frame
from wfnb.render.drawing.graph import Graph, Lane, Node
from wfnb.render.drawing.svg import svg
from wfnb.render.text import escape

HISTORY = """\
digraph history {
	graph [nodesep=0.22 ordering=out rankdir=TB ranksep=0.3]
	node [color="#8a8f98" fontname=Helvetica fontsize=11 height=0.3 shape=box]
	edge [arrowsize=0.6 color="#59636e" fontname=Helvetica fontsize=11]
	n0 [label="● 1 Load the readings\\n✓ ok" color="#1a73b8" group=lane0 \
tooltip="Load the readings"]
	n1 [label="● 2 Fit it\\n✓ ok · revised by 4" color="#1a73b8" group=lane0 tooltip="Fit it"]
	n2 [label="■ 3 A robust loss\\n✕ failed" color="#b3261e" group=lane1 shape=octagon \
tooltip="A robust loss"]
	n3 [label="○ 3 Are residuals\\ndrifting?\\n◌ stale" color="#8a8f98" fontcolor="#59636e" \
group=lane0 style=dashed tooltip="Are residuals drifting?"]
	n4 [label="● 4 Drop two days\\n✓ ok" color="#1a73b8" group=lane0 penwidth=2 \
tooltip="Drop two days"]
	n0 -> n1 [weight=8]
	n1 -> n3 [weight=8]
	n3 -> n4 [weight=8]
	n4 -> n1 [color="#59636e" constraint=false style=dashed]
	n2 -> n4
	n1 -> n2 [label="robust · merged"]
}
"""


def drawn(source: str) -> ElementTree.Element:
    """Measured by an estimate, not by the fonts of this machine."""
    agraph = import_module("pygraphviz").AGraph(string=source)
    return ElementTree.fromstring(agraph.draw(format="svg:svg:core", prog="dot"))


def test_a_history_is_a_named_graph_of_steps_lanes_and_revisions():
    assert dot(history()) == HISTORY


def test_stages_are_named_as_they_are_typed_and_show_how_often_a_transition_was_taken():
    source = dot(stages())

    assert 'n1 [label="▶ action_execution"' in source
    assert 'n0 -> n1 [label="2×"' in source
    assert "rankdir=LR" in source


@pytest.mark.parametrize("text", HOSTILE)
def test_graphviz_reads_a_hostile_text_as_that_text(text):
    root = drawn(dot(saying(text)))

    shown = "".join("".join(root.itertext()).split())
    start = "".join(escape.line(text).split())[:15]
    assert start in shown
    assert not root.findall(".//{*}script")
    assert not root.findall(".//{*}image")


@pytest.mark.parametrize("text", ["javascript:alert(1)", "a b", "'", "x" * 65, "é"])
def test_only_a_cells_id_becomes_a_link(text):
    assert "URL" not in dot(saying(text))


def test_long_titles_are_cut_by_display_width_and_kept_in_the_tooltip():
    source = dot(saying("残差" * 100))

    assert "残差…" in source
    assert f'tooltip="{"残差" * 74}残…"' in source


def test_a_frame_holds_sizes_and_not_one_letter_of_the_user():
    source = frame(history(), {node.id: (100, 40) for node in history().nodes}, {})

    words = [node.title for node in history().nodes] + ["robust", "ok", "stale"]
    assert not [word for word in words if word in source]
    assert 'n0 [label="" fixedsize=true group=lane0 height=0.5556 width=1.3889]' in source


@pytest.mark.parametrize("lane", range(12))
def test_a_lane_has_the_same_colour_in_dot_and_svg(lane):
    graph = Graph(
        name="history",
        title="",
        lanes=tuple(Lane(id=f"b{number}") for number in range(lane + 1)),
        nodes=(Node(id="a", number="1", title="a", state="ok", lane=lane),),
        edges=(),
    )

    (colour,) = re.findall(r'n0 \[.* color="(#\w+)"', dot(graph))
    (tone,) = re.findall(r'class="mark (c\d)"', svg(graph))
    assert f"--wf-{tone}:{colour};" in svg(graph)
