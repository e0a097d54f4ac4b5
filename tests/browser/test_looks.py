"""How the panel looks and reads: themes, widths, keys, and what a screen reader is told."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import Lab, notebook

AXE = Path(__file__).parents[2] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"
TABS = ("Timeline", "Stages", "Compare", "Runs", "Findings")
CELLS = notebook(
    "%load_ext wfnb\n%wfnb start panel --kind debug --strategy react --fresh",
    "%%step 1/4 --finding 'two days hold zeros' Load the readings\nreadings = [1, 2, 3]",
    "%%step --finding 'the mean is off' --hypothesis 'a sensor drifts' Fit the *baseline*\n"
    "sum(readings)",
    "%%branch robust --from 1 --finding 'it holds' A robust loss <b>instead</b>\nmax(readings)",
    "%%run_workflow greet\nsteps:\n  - {id: hello, tool: shell, args: {command: 'echo hello'}}\n",
)
"""Something to show in each tab."""
THEMES = ("JupyterLab Light", "JupyterLab Dark")


@pytest.fixture
def steps(lab: Lab) -> Lab:
    lab.open("looks.ipynb", CELLS)
    lab.run_all()
    lab.cell("%%step --revises 1 --finding 'the last is 4' Load them better\nreadings = [1, 2, 4]")
    lab.cell("%%step --finding 'nothing divides' It fails\n1 / 0")
    expect(lab.rows).to_have_count(5)
    return lab


def tabs(lab: Lab) -> list[Locator]:
    """The tabs of the panel, when all of them are there."""
    found = lab.panel.get_by_role("tab")
    expect(found).to_have_count(len(TABS))
    return found.all()


def theme(lab: Lab, name: str) -> None:
    lab.command("apputils:change-theme", theme=name)
    light = "true" if name.endswith("Light") else "false"
    lab.page.locator(f"body[data-jp-theme-light={light}]").wait_for(state="attached")


def width(lab: Lab, pixels: int) -> None:
    """Drag the border of the panel until it is so wide."""
    border = lab.page.locator("#jp-main-split-panel > .lm-SplitPanel-handle:visible").last
    box, panel = border.bounding_box(), lab.panel.bounding_box()
    assert box is not None
    assert panel is not None
    y = box["y"] + box["height"] / 2
    lab.page.mouse.move(box["x"], y)
    lab.page.mouse.down()
    lab.page.mouse.move(panel["x"] + panel["width"] - pixels - box["width"], y, steps=5)
    lab.page.mouse.up()
    lab.settled()
    assert abs(lab.panel.evaluate("panel => panel.offsetWidth") - pixels) <= 2


@pytest.mark.parametrize("name", THEMES)
def test_every_tab_is_readable_in_each_theme(steps: Lab, screen: Screen, name: str):
    theme(steps, name)
    width(steps, 480)

    for tab in tabs(steps):
        tab.click()
        panel = steps.panel.get_by_role("tabpanel")
        expect(panel).to_have_count(1)
        screen(name.split()[1].lower() + "-" + (tab.text_content() or "").split()[0].lower())
    theme(steps, THEMES[0])


def test_nothing_of_the_panel_is_cut_off_at_300_pixels(steps: Lab, screen: Screen):
    width(steps, 300)

    for tab in tabs(steps):
        tab.click()
        screen((tab.text_content() or "").split()[0].lower())
        over = steps.panel.evaluate(
            """panel => [...panel.querySelectorAll('button, h2, [role=tab]')]
                .filter(each => each.checkVisibility()
                    && each.getBoundingClientRect().right > panel.getBoundingClientRect().right + 1)
                .map(each => each.textContent)"""
        )
        assert over == []


def test_a_step_is_found_opened_and_left_by_keyboard_alone(steps: Lab, screen: Screen):
    keys = steps.page.keyboard
    steps.command("wfnb:open-panel")
    grid = steps.panel.get_by_role("grid")
    for _ in range(12):
        if grid.evaluate("grid => grid === document.activeElement"):
            break
        keys.press("Tab")
    expect(grid).to_be_focused()

    keys.press("Home")
    expect(steps.rows.first).to_have_attribute("aria-selected", "true")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(steps.panel.locator(".wfnb-card")).to_contain_text("go to cell")
    screen("card")
    keys.press("Control+Enter")
    steps.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.activeCell.model.id === 'cell-2'"
    )
    keys.press("Escape")
    expect(steps.panel.locator(".wfnb-card")).to_have_count(0)
    keys.press("/")
    keys.type("robust")
    expect(steps.rows).to_have_count(1)


@pytest.mark.parametrize("name", THEMES)
def test_axe_finds_nothing_serious(steps: Lab, name: str):
    assert AXE.is_file(), "`npm ci` in labextension/ brings axe-core."
    theme(steps, name)
    steps.run("(0, eval)(values[0])", AXE.read_text())

    found = []
    for tab in tabs(steps):
        tab.click()
        steps.settled()
        found += steps.page.evaluate(
            """async () => (await axe.run('#wfnb-panel')).violations
                .filter(each => ['serious', 'critical'].includes(each.impact))
                .map(each => [each.id, each.nodes.map(node => node.html).slice(0, 3)])"""
        )
    theme(steps, THEMES[0])

    assert found == []


def test_every_tab_is_reached_by_keyboard_alone_at_300_pixels(steps: Lab, screen: Screen):
    width(steps, 300)
    keys = steps.page.keyboard
    first = steps.panel.get_by_role("tab", name="Timeline")
    steps.command("wfnb:open-panel")
    for _ in range(12):
        if first.evaluate("tab => tab === document.activeElement"):
            break
        keys.press("Shift+Tab")
    expect(first).to_be_focused()

    keys.press("ArrowRight")
    for name in TABS[1:]:
        tab = steps.panel.get_by_role("tab", name=name)
        expect(tab).to_be_focused()
        keys.press("Enter")
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(steps.panel.get_by_role("tabpanel", name=name)).to_be_visible()
        screen(name.lower())
        keys.press("ArrowRight")
    expect(first).to_be_focused()
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    compare = steps.panel.get_by_role("tab", name="Compare")
    expect(compare).to_be_focused()
    keys.press("Enter")
    switch = steps.panel.get_by_role("button", name="Switch to robust")
    for _ in range(8):
        if switch.evaluate("button => button === document.activeElement"):
            break
        keys.press("Tab")
    keys.press("Enter")
    expect(steps.page.locator(".wfnb-status-button")).to_contain_text("step 2/4 · robust")


@pytest.mark.parametrize("media", [{"forced_colors": "active"}, {"contrast": "more"}])
def test_the_panel_is_readable_in_high_contrast(steps: Lab, screen: Screen, media: dict[str, str]):
    (name,) = media
    steps.page.emulate_media(**media)
    steps.rows.filter(has_text="Load them better").click()
    expect(steps.panel.locator(".wfnb-card")).to_contain_text("go to cell")

    for tab in ("Timeline", "Compare", "Stages"):
        steps.panel.get_by_role("tab", name=tab).click()
        screen(f"{name}-{tab.lower()}".replace("_", "-"))
    steps.page.emulate_media(**{name: "null"})
