"""What an agent records appears in the panel of a kernel that has the same session open."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import running
from tests.jupyter.panel.front import page
from tests.mcp.agent import answers, at

pytestmark = pytest.mark.kernel


def test_a_step_of_an_agent_is_told_to_the_panel_with_its_name(tmp_path: Path):
    with running(tmp_path) as kernel, page(kernel) as front:
        kernel.ok("%wfnb start demo")
        kernel.ok("%step Load")
        front.until(lambda: front.state.titles == ["Load"])

        answers(at(kernel.home), ("record_step", {"title": "Fit", "reason": "It is linear."}))
        front.until(lambda: front.state.titles == ["Load", "Fit"])

        assert [row.get("by") for row in front.state.rows.values()] == [None, "helper 2.1"]
        key = front.state.rows[1]["key"]
        card = front.ask("card", key=key)
        assert {"name": "by", "value": "helper 2.1"} in card["facts"]
        assert {"name": "it may", "value": "read and record"} in card["facts"]
        kernel.ok("%step Plot")
        assert kernel.steps("number") == [1, 2, 3]

        said = front.ask("undo", work={"by": "helper 2.1", "key": key})
        front.until(lambda: front.state.titles == ["Load", "Plot"])
        assert said == "taken back: step 2 added: Fit"
