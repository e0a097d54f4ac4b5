import re

import pytest

from tests.views.graphs import HOSTILE, history, saying, stages
from wfnb.render.drawing.mermaid import mermaid

HISTORY = """\
flowchart TB
    n0["● 1 Load the readings<br/>✓ ok"]
    n1["● 2 Fit it<br/>✓ ok · revised by 4"]
    n2{{"■ 3 A robust loss<br/>✕ failed"}}
    n3["○ 3 Are residuals drifting?<br/>◌ stale"]
    n4["● 4 Drop two days<br/>✓ ok"]
    n0 --> n1
    n1 -->|"robust · merged"| n2
    n1 --> n3
    n3 --> n4
    n4 -.->|"revises"| n1
    n2 -->|"merge"| n4
    classDef stale stroke-dasharray:4 3
    class n3 stale
    classDef current stroke-width:3px
    class n4 current
"""
STAGES = """\
flowchart LR
    n0["✓ action#95;planning"]
    n1["▶ action#95;execution"]
    n2(["· final#95;response"])
    n0 ==>|"2×"| n1
    n1 ==> n0
    n1 -.-> n2
    classDef current stroke-width:3px
    class n1 current
"""


def test_a_history_is_a_flowchart_with_a_shape_for_each_lane_and_failure():
    assert mermaid(history()) == HISTORY


def test_stages_are_a_flowchart_with_the_way_taken_in_thick_lines():
    assert mermaid(stages()) == STAGES


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_adds_no_lines_and_no_syntax(text):
    lines = mermaid(saying(text)).splitlines()

    assert len(lines) == 8
    for line in (lines[1], lines[2]):
        assert line.count('"') == 2
        label = line.split('"')[1].replace("<br/>", "")
        assert not re.search(r"[<>`\\{}\[\]|]|%%|&", label)
