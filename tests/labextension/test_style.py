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


def test_a_tone_has_the_colour_in_the_panel_that_it_has_in_a_drawing():
    pair = r"light-dark\((#\w+), (#\w+)\)"
    found = re.findall(rf"--wfnb-(\w+): {pair};", (STYLE / "wfnb.css").read_text())
    own = {name: colours for name, *colours in found}
    drawn = {name: [*paint[1:]] for name, paint in PAINTS.items()}

    assert [own[name] for name in ("ok", "bad", "warn", "muted")] == [
        drawn[name] for name in ("ok", "bad", "warn", "dim")
    ]


def test_no_other_style_has_a_colour_of_its_own():
    others = [file for file in sorted(STYLE.glob("*.css")) if file.name != "wfnb.css"]
    colours = [re.findall(r"#[\da-f]{3,8}\b", file.read_text()) for file in others]

    assert colours == [[]] * 4
