"""A strategy is laid out once; what the session did with it are marks on boxes and ways."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.drawn import FORK, plausible_steps
from tests.core.story import Story, done, following
from tests.panel.client import Client
from tests.panel.telling import whole
from tests.views.graphs import HOSTILE, edges, history
from tests.workflows.views.given import checks, looped, step, steps
from wfnb.core.strategy import builtin_strategies
from wfnb.errors import Refused
from wfnb.panel import Live, snapshot
from wfnb.panel.drawn_graph import NODES, draw_graph
from wfnb.render.drawing.graph import Graph, Node
from wfnb.views.graphs import stage_graph
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.views.graph import definition_graph, run_graph

PATH = re.compile(r"M-?[\d.]+ -?[\d.]+C(-?[\d.]+ -?[\d.]+ ?)+(L-?[\d.]+ -?[\d.]+)?")


@given(st.data())
def test_marks_that_follow_single_steps_are_those_of_the_whole(data):
    story = Story(following(FORK))
    live = Live(story.session)
    client = Client(live.snapshot())
    for _ in range(data.draw(st.integers(1, 25))):
        command = data.draw(plausible_steps(story.session))
        known = [key for line in story.session.lines.values() for key in line.numbers]
        if known and data.draw(st.booleans()):  # into a gap, or the same step again
            number = data.draw(st.sampled_from(known)) + data.draw(st.integers(0, 3))
            command = replace(command, number=number)
        before = len(story.log)
        try:
            story.do(command)
        except Refused:
            continue
        client.told(live.next_update(story.session, story.log[before:]))

        assert client.picture()["stages"] == whole(snapshot(story.session))["stages"]


@given(st.data())
def test_marks_say_what_the_picture_of_the_stages_says(data):
    story = Story(following(FORK))
    for _ in range(data.draw(st.integers(0, 15))):
        try:
            story.do(data.draw(plausible_steps(story.session)))
        except Refused:
            continue

    told = snapshot(story.session)["stages"]
    graph = stage_graph(story.session, FORK, "main")

    assert [(n["id"], n["sign"], n["state"], n["end"]) for n in told["nodes"]] == [
        (node.id, node.sign, node.state, node.shape == "end") for node in graph.nodes
    ]
    assert [(e["tail"], e["head"], e["label"], e["taken"] > 0) for e in told["edges"]] == [
        (edge.tail, edge.head, edge.says, edge.kind == "taken") for edge in graph.edges
    ]


def test_nothing_moves_while_a_strategy_is_followed():
    story = Story(following("react"))
    before = snapshot(story.session)["stages"]
    for stage in ("problem_reception", "initial_reasoning", "action_planning"):
        story.do(done("a", stage=stage, fields={"action": "look", "tool": "ls"}))

    after = snapshot(story.session)["stages"]

    places = ("id", "label", "x", "y", "width", "height")
    assert [[node[name] for name in places] for node in after["nodes"]] == [
        [node[name] for name in places] for node in before["nodes"]
    ]
    assert [edge["path"] for edge in after["edges"]] == [edge["path"] for edge in before["edges"]]


DRAWN = {
    **{
        name: stage_graph(Story().session, builtin_strategies()[name], "main")
        for name in builtin_strategies()
    },
    "history": history(),
    "run": run_graph(looped().run, "checks-1"),
    "definition": definition_graph(parse(checks())),
    "loop": Graph(
        name="g", title="t", nodes=(Node(id="a", title="a"),), edges=edges(("a", "a", "transition"))
    ),
    "one": Graph(name="g", title="t", nodes=(Node(id="a", title="a"),), edges=()),
    "apart": definition_graph(parse(steps(*(step(f"s{n}") for n in range(9)), mode="parallel"))),
}


@pytest.mark.parametrize("graph", DRAWN.values(), ids=DRAWN)
def test_all_boxes_and_ways_stand_within_the_drawing(graph):
    found = draw_graph(graph)

    assert [node["id"] for node in found["nodes"]] == [node.id for node in graph.nodes]
    for node in found["nodes"]:
        assert 0 <= node["x"] <= node["x"] + node["width"] <= found["width"] + 0.2
        assert 0 <= node["y"] <= node["y"] + node["height"] <= found["height"] + 0.2
    for edge in found["edges"]:
        assert PATH.fullmatch(edge["path"]), edge["path"]
        assert 0 <= edge["label_x"] <= found["width"]
        assert 0 <= edge["label_y"] <= found["height"]


@pytest.mark.parametrize("graph", DRAWN.values(), ids=DRAWN)
def test_no_box_stands_upon_another(graph):
    nodes = draw_graph(graph)["nodes"]

    for place, one in enumerate(nodes):
        for other in nodes[place + 1 :]:
            apart = (
                one["x"] + one["width"] <= other["x"] + 0.1
                or other["x"] + other["width"] <= one["x"] + 0.1
                or one["y"] + one["height"] <= other["y"] + 0.1
                or other["y"] + other["height"] <= one["y"] + 0.1
            )
            assert apart, (one, other)


def test_the_built_in_strategies_but_one_are_narrow_enough_for_a_panel():
    widths = {name: draw_graph(DRAWN[name])["width"] for name in builtin_strategies()}

    assert [name for name, width in widths.items() if width > 300] == ["base_sequential"]


def test_the_lines_of_a_label_are_without_the_sign():
    graph = Graph(
        name="g", title="t", nodes=(Node(id="a", title="one two " * 6, state="ok"),), edges=()
    )

    node = draw_graph(graph)["nodes"][0]

    assert node["label"].startswith("one two")
    assert len(node["label"].splitlines()) == 2
    assert node["sign"] == "✓"


def test_hostile_texts_stay_texts_of_one_line_each():
    nodes = tuple(
        Node(id=f"{place}", title=text, note=text, tooltip=text)
        for place, text in enumerate(HOSTILE)
    )

    found = draw_graph(Graph(name="g", title=HOSTILE[9], nodes=nodes, edges=()))

    for node in found["nodes"]:
        for name in ("note", "tooltip"):
            assert "\n" not in node[name]
            assert node[name].isprintable() or "\u200d" in node[name]
        assert len(node["label"].splitlines()) <= 2


def test_what_is_too_large_is_not_drawn():
    nodes = tuple(Node(id=f"{number}", title="a") for number in range(NODES + 1))

    assert draw_graph(Graph(name="g", title="t", nodes=nodes, edges=())) is None
    assert draw_graph(Graph(name="g", title="t", nodes=nodes[1:], edges=())) is not None
