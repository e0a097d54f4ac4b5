import pytest

from tests.views.graphs import HOSTILE, edges, history, line, saying, stages
from wfnb.render.drawing.graph import Graph, Lane, Node
from wfnb.render.drawing.text_drawing import Table, outline, table

HISTORY = """\
●    1  Load the readings        ✓ ok
●    2  Fit it                   ✓ ok · revised by 4
├─╮
│ ■  3  A robust loss            ✕ failed  [robust · merged]
○ │  3  Are residuals drifting?  ◌ stale
├─╯
●    4  Drop two days            ✓ ok · current"""

STAGES = """\
✓ action_planning
    → action_execution (taken 2×)
▶ action_execution (current)
    → action_planning (taken)
    → final_response
· final_response"""


def test_a_history_is_drawn_with_rails():
    assert outline(history()) == HISTORY


def test_stages_are_a_list_with_what_may_follow():
    assert outline(stages()) == STAGES


def test_lanes_cross_and_a_column_is_used_again_when_its_lane_has_ended():
    names = ("a", "b", "c", "d", "e", "f")
    lanes = (0, 1, 2, 3, 0, 4)
    graph = Graph(
        name="history",
        title="",
        lanes=tuple(Lane(id=name) for name in ("main", "x", "y", "z", "w")),
        nodes=tuple(
            Node(id=name, number=str(number), title=name, state="ok", lane=lane)
            for number, (name, lane) in enumerate(zip(names, lanes, strict=True), 1)
        ),
        edges=edges(
            ("a", "b", "branch"),
            ("a", "c", "branch"),
            ("b", "d", "branch"),
            ("a", "e", "next"),
            ("e", "f", "branch"),
        ),
    )

    assert [drawn[:7].rstrip() for drawn in outline(graph).splitlines()] == [
        "●",
        "├─╮",
        "├─┼─╮",
        "│ ■ │",
        "│ ├─┼─╮",
        "│   ◆ │",
        "│     ▲",
        "●",
        "├─╮",
        "  ▼",
    ]


def test_titles_are_aligned_by_display_width():
    graph = line(2)
    wide = Node(id="0", number="0", title="残差", state="ok")
    graph = Graph(
        name="h", title="", lanes=graph.lanes, nodes=(wide, graph.nodes[1]), edges=graph.edges
    )

    assert outline(graph) == "●  0  残差    ✓ ok\n●  1  Step 1  ✓ ok"


def test_the_table_of_a_history_says_what_the_drawing_says():
    assert table(history()) == Table(
        heads=("step", "title", "branch", "state", "after", "merges"),
        rows=(
            ("1", "Load the readings", "main", "✓ ok", "", ""),
            ("2", "Fit it", "main", "✓ ok · revised by 4", "1 on main", ""),
            ("3", "A robust loss", "robust · merged", "✕ failed", "2 on main", ""),
            ("3", "Are residuals drifting?", "main", "◌ stale", "2 on main", ""),
            ("4", "Drop two days", "main", "✓ ok · current", "3 on main", "3 on robust"),
        ),
    )


def test_the_table_of_stages_lists_what_may_follow():
    assert table(stages()).rows == (
        ("action_planning", "✓ ok", "action_execution (taken 2×)"),
        ("action_execution", "▶ current", "action_planning (taken), final_response"),
        ("final_response", "· not yet", ""),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_stays_on_its_line_and_steers_no_terminal(text):
    graph = saying(text)

    assert len(outline(graph).splitlines()) == 3
    for cell in (outline(graph), *(cell for row in table(graph).rows for cell in row)):
        assert not set(cell) & set("\x00\x07\x1b\x9b\r\u202e\u2066\u2028\ud800")


def test_no_steps_draw_nothing():
    assert outline(line(0)) == ""
