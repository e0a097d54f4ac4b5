"""What the panel shows while a cell runs, and of several notebooks."""

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import STEPS, Lab, notebook

OTHER = notebook("%load_ext wfnb\n%wfnb start other --fresh", "%%step Something else\n1")
WAITING = notebook(
    "%load_ext wfnb\n%wfnb start waiting --fresh",
    "%%step Before\n1",
    "%%step Waits\nimport threading\nthreading.Event().wait()",
)


def test_the_panel_follows_the_notebook_that_is_worked_in(lab: Lab):
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    lab.open("other.ipynb", OTHER)
    lab.run_all()

    expect(lab.rows).to_have_count(1)
    lab.page.get_by_role("tab", name="steps.ipynb").click()
    expect(lab.rows.filter(visible=True)).to_have_count(3)


def test_the_panel_takes_the_focus_where_two_notebooks_were_shown(lab: Lab):
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    lab.open("other.ipynb", OTHER)
    lab.run_all()
    expect(lab.rows.filter(has_text="Something else")).to_be_visible()
    lab.page.locator(".jp-Notebook:visible .cm-content").first.click()

    lab.command("wfnb:open-panel")

    expect(lab.panel.get_by_role("grid").filter(visible=True)).to_be_focused()
    expect(chosen(lab)).to_contain_text("Something else")


@pytest.mark.parametrize("open", [True, False])
def test_the_keyboard_is_at_the_current_step_after_the_palette_showed_the_panel(
    lab: Lab, open: bool
):
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    expect(lab.rows).to_have_count(3)
    if not open:
        lab.command("application:toggle-right-area")
        expect(lab.panel).to_be_hidden()
    lab.page.locator(".jp-Notebook:visible .cm-content").first.click()

    lab.page.keyboard.press("Control+Shift+C")
    lab.page.locator(".lm-CommandPalette-input").fill("Show the panel")
    lab.page.keyboard.press("Enter")

    expect(lab.panel.get_by_role("grid")).to_be_focused()
    expect(chosen(lab)).to_have_attribute("aria-current", "step")
    lab.page.keyboard.press("ArrowUp")
    expect(chosen(lab)).to_have_attribute("aria-rowindex", "1")


def chosen(lab: Lab) -> Locator:
    return lab.panel.get_by_role("row", selected=True).filter(visible=True)


def test_a_step_that_runs_is_shown_and_opened_while_it_runs(lab: Lab, screen: Screen):
    lab.open("waiting.ipynb", WAITING)
    for index in (0, 1):
        lab.run_cell(index)
    lab.begin(2)
    expect(lab.rows.filter(has_text="Waits")).to_contain_text("running")

    lab.rows.filter(has_text="Before").click()

    expect(lab.panel.locator(".wfnb-card")).to_contain_text("go to cell")
    screen()
    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.interrupt()")
    expect(lab.rows.filter(has_text="Waits")).to_contain_text("interrupted")


def test_the_panel_is_there_at_once_when_the_page_is_loaded_while_a_cell_runs(lab: Lab):
    lab.open("waiting.ipynb", WAITING)
    for index in (0, 1):
        lab.run_cell(index)
    lab.begin(2)
    expect(lab.rows).to_have_count(2)
    lab.command("docmanager:save")

    lab.page.reload()
    lab.ready()

    expect(lab.rows).to_have_count(2)
    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.interrupt()")
    expect(lab.rows.filter(has_text="Waits")).to_contain_text("interrupted")
