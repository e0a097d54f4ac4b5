"""The style of JupyterLab's side, as it is written."""

from __future__ import annotations

import re
from pathlib import Path

from wfnb.render.drawing.svg_style import PAINTS

STYLE = Path(__file__).parents[2] / "labextension" / "style"


def test_a_border_of_a_form_outside_the_panel_needs_none_of_the_colours_of_the_panel():
    """`--wfnb-…` are those of the panel: a border whose colour is unknown has no style either."""
    rule = re.search(
        r"\.wfnb-picker \.wfnb-refused \{(.*?)\}", (STYLE / "lab.css").read_text(), re.S
    )

    assert rule is not None
    assert re.findall(r"border-left: *(.*);", rule[1]) == ["3px solid var(--jp-error-color1)"]


def test_a_state_has_the_colour_in_the_panel_that_it_has_in_a_drawing():
    pair = r"light-dark\((#\w+), (#\w+)\)"
    found = re.findall(rf"--wfnb-(\w+): {pair};", (STYLE / "wfnb.css").read_text())
    own = {name: colours for name, *colours in found}
    drawn = {name: [*paint[1:]] for name, paint in PAINTS.items()}

    assert [own[name] for name in ("ok", "bad", "warn", "stale")] == [
        drawn[name] for name in ("ok", "bad", "warn", "dim")
    ]
    # Badges stand outside the panel, where its variables are not.
    badges = re.findall(pair, (STYLE / "lab.css").read_text())
    assert badges
    assert all([*each] in own.values() for each in badges)
