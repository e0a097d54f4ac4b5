"""What became of the lines that were decided against is said by every picture of the history."""

from __future__ import annotations

from tests.core.story import DECIDED, Story
from wfnb.render.drawing.history_rows import tree
from wfnb.views.graphs import branch_picture, history_graph


def decided():
    return Story(*DECIDED).session


def test_a_history_says_which_lines_were_abandoned_and_which_were_passed_over():
    text = branch_picture(decided()).text

    assert [line.partition("  [")[2] for line in text.splitlines() if "[" in line] == [
        "tree · abandoned]",
        "line · passed over]",
        "net · selected]",
    ]


def test_a_drawing_says_it_too_and_dashes_both_lines():
    drawn = tree(history_graph(decided()))

    assert "line · passed over" in branch_picture(decided()).svg
    assert drawn.count("rail c1 dash") == drawn.count("rail c2 dash") == 1
    assert "rail c3 dash" not in drawn
