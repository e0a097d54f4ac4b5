"""How figures, versions, compared code and what was found look and read: themes, widths, zoom."""

import pytest
from playwright.sync_api import expect

from .conftest import Screen
from .lab import SLOW, Lab, notebook
from .test_looks import AXE, THEMES, theme, width

CONTRAST = "JupyterLab Dark High Contrast"
CELLS = notebook(
    "%load_ext wfnb\n%wfnb start inside --fresh\n%matplotlib inline\n"
    "import matplotlib.pyplot as plt, pandas as pd",
    "%%step Draw the readings of the whole year, without the days of which nothing is known\n"
    "plt.figure(figsize=(3, 2))\nplt.plot([3, 1, 2])\nplt.show()\n"
    "pd.DataFrame({'reading': [3, 1, 2]})",
    "%%step Fit a line\nmodel = 1\nscore = model + 1\nscore",
    "%%branch ridge --from 1 Fit a line\nmodel = 2\nscore = model + 1\nscore",
)
SERIOUS = """async (where) => (await axe.run(where)).violations
    .filter(each => ['serious', 'critical'].includes(each.impact))
    .map(each => [each.id, each.nodes.map(node => node.html).slice(0, 3)])"""


@pytest.fixture
def inside(lab: Lab) -> Lab:
    """Steps with figures, of which one has two versions, on two lines."""
    lab.open("inside.ipynb", CELLS)
    lab.run_all()
    expect(lab.rows).to_have_count(3, timeout=2 * SLOW)
    lab.run(
        "app.shell.currentWidget.content.model.sharedModel.cells[2].setSource(values[0])",
        "%%step Fit a line\nmodel = 3\nscore = model + 1\nscore",
    )
    lab.run_cell(2)
    expect(lab.panel.locator(".wfnb-thumb:visible")).to_have_count(1)
    return lab


def open_versions(lab: Lab) -> None:
    lab.panel.get_by_role("tab", name="Timeline").click()
    row = lab.rows.filter(has_text="Fit a line").first
    if row.locator("[aria-expanded=true]").count() == 0:
        row.click()
    lab.unfold(lab.panel.locator(".wfnb-version").first)
    expect(lab.panel.locator(".wfnb-difference:visible")).to_be_visible()


def open_code(lab: Lab) -> None:
    lab.panel.get_by_role("tab", name="Compare").click()
    lab.unfold(lab.panel.locator(".wfnb-code-beside"))
    expect(lab.panel.locator(".wfnb-code-beside .wfnb-added")).to_contain_text("model = 2")


@pytest.mark.parametrize("name", [*THEMES, CONTRAST])
def test_axe_finds_nothing_serious_in_them(inside: Lab, screen: Screen, name: str):
    if name == CONTRAST:
        inside.command("apputils:change-theme", theme=name)
        inside.page.locator(f"body[data-jp-theme-name='{name}']").wait_for(state="attached")
    else:
        theme(inside, name)
    inside.run("(0, eval)(values[0])", AXE.read_text())
    look, found = name.split()[-1].lower(), []

    open_versions(inside)
    screen(f"{look}-versions")
    found += inside.page.evaluate(SERIOUS, "#wfnb-panel")
    open_code(inside)
    screen(f"{look}-code")
    found += inside.page.evaluate(SERIOUS, "#wfnb-panel")
    inside.command_begun("wfnb:search")
    inside.dialogs.get_by_label("Words").fill("line")
    expect(inside.dialogs.locator(".wfnb-hit").first).to_be_visible()
    screen(f"{look}-search")
    found += inside.page.evaluate(SERIOUS, ".jp-Dialog-content")
    inside.dialogs.get_by_role("button", name="Close").click()
    expect(inside.dialogs).to_have_count(0)
    theme(inside, THEMES[0])

    assert found == []


@pytest.mark.parametrize("zoom", [1, 2])
def test_nothing_of_them_is_cut_off_where_there_is_little_room(
    inside: Lab, screen: Screen, zoom: int
):
    inside.page.set_viewport_size({"width": 1440 // zoom, "height": 900 // zoom})
    width(inside, 300)

    open_versions(inside)
    screen(f"{zoom}-versions")
    open_code(inside)
    screen(f"{zoom}-code")
    over = inside.panel.evaluate(
        """panel => [...panel.querySelectorAll('button, h2, h3, select, summary, .wfnb-difference')]
            .filter(each => each.checkVisibility()
                && each.getBoundingClientRect().right > panel.getBoundingClientRect().right + 1)
            .map(each => each.textContent)"""
    )
    inside.page.set_viewport_size({"width": 1440, "height": 900})

    assert over == []
