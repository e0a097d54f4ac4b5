"""The style of JupyterLab's side, as it is written."""

from __future__ import annotations

import re
from pathlib import Path

STYLE = Path(__file__).parents[2] / "labextension" / "style"


def test_a_border_of_a_form_outside_the_panel_needs_none_of_the_colours_of_the_panel():
    """`--wfnb-…` are those of the panel: a border whose colour is unknown has no style either."""
    rule = re.search(
        r"\.wfnb-picker \.wfnb-refused \{(.*?)\}", (STYLE / "lab.css").read_text(), re.S
    )

    assert rule is not None
    assert re.findall(r"border-left: *(.*);", rule[1]) == ["3px solid var(--jp-error-color1)"]
