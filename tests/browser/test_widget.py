"""The widget in a cell: beside others of its kind, and after its kernel is gone."""

import json

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import Lab

VIEW = "application/vnd.jupyter.widget-view+json"


def widgets(lab: Lab) -> Locator:
    return lab.page.locator(".jp-OutputArea-output .wfnb-in-cell")


def pictures(lab: Lab) -> Locator:
    return lab.page.locator(".jp-OutputArea-output .wfnb-output-still svg")


def test_the_widget_shows_the_same_in_a_cell(steps: Lab, screen: Screen):
    steps.cell("%wfnb panel")
    widget = widgets(steps)
    expect(widget.get_by_role("row")).to_have_count(3)
    expect(pictures(steps)).to_be_hidden()
    steps.cell("%%step And one more\n0")

    expect(widget.get_by_role("row")).to_have_count(4)
    expect(steps.rows).to_have_count(4)
    widget.scroll_into_view_if_needed()
    screen()


def test_two_widgets_bring_the_renderer_once_and_one_outlives_the_other(steps: Lab):
    steps.cell("%wfnb panel")
    steps.cell("%wfnb panel")
    expect(widgets(steps)).to_have_count(2)
    assert steps.run("return window[Symbol.for('wfnb.renderers')].size") == 1

    steps.run(
        "app.shell.currentWidget.content.activeCellIndex = 4;"
        "await app.commands.execute('notebook:delete-cell')"
    )
    expect(widgets(steps)).to_have_count(1)
    steps.cell("%%step And one more\n0")

    expect(widgets(steps).get_by_role("row")).to_have_count(4)


def test_a_widget_that_is_closed_becomes_the_picture(steps: Lab):
    steps.cell("%wfnb panel")
    expect(widgets(steps)).to_be_visible()

    steps.cell(
        "from ipywidgets.widgets.widget import _instances\n"
        "for each in [*_instances.values()]: each.close()"
    )

    expect(pictures(steps)).to_be_visible()


def test_a_widget_says_when_its_kernel_is_gone(steps: Lab, screen: Screen):
    steps.cell("%wfnb panel")
    expect(widgets(steps).get_by_role("row")).to_have_count(3)

    steps.run("await app.shell.currentWidget.sessionContext.session.kernel.restart()")

    expect(widgets(steps)).to_contain_text("The kernel is gone.")
    widgets(steps).scroll_into_view_if_needed()
    screen()
    undo = widgets(steps).get_by_role("button", name="undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    expect(undo).to_have_attribute("title", "The kernel is gone.")


def test_keys_in_the_widget_are_not_those_of_the_notebook(steps: Lab):
    steps.cell("%wfnb panel")
    tab = widgets(steps).get_by_role("tab", name="Compare")
    cells = steps.page.locator(".jp-Notebook .jp-Cell")
    expect(cells).to_have_count(5)

    tab.click()
    for key in ("d", "d", "x", "a", "Shift+M"):
        steps.page.keyboard.press(key)
    expect(tab).to_be_focused()
    expect(cells).to_have_count(5)
    steps.page.keyboard.press("Escape")
    expect(steps.page.locator(".jp-Cell.jp-mod-active")).to_be_focused()
    steps.page.keyboard.press("d")
    steps.page.keyboard.press("d")

    expect(cells).to_have_count(4)


def test_what_is_pressed_with_control_in_the_widget_is_the_notebooks_own(steps: Lab):
    steps.cell("%wfnb panel")
    expect(widgets(steps).get_by_role("row")).to_have_count(3)
    count = "return app.shell.currentWidget.content.activeCell.model.executionCount"
    before = steps.run(count)

    widgets(steps).get_by_role("tab", name="Compare").click()
    steps.page.keyboard.press("Control+Enter")

    expect(widgets(steps).get_by_role("tab", name="Timeline")).to_have_attribute(
        "aria-selected", "true"
    )
    prompt = steps.page.locator(".jp-Notebook .jp-mod-active .jp-InputPrompt")
    expect(prompt).to_have_text(f"[{before + 1}]:")  # none while it runs


def test_a_line_under_the_widget_goes_with_the_next_action(steps: Lab, screen: Screen):
    steps.cell("%wfnb panel")
    widgets(steps).get_by_role("button", name="undo").click()
    line = steps.page.locator(".jp-OutputArea-output [role=status] .wfnb-said")
    expect(line).to_contain_text("undone: branch 'robust' opened")
    line.scroll_into_view_if_needed()
    screen()

    widgets(steps).get_by_role("tab", name="Timeline").click()

    expect(line).to_have_count(0)


def test_a_page_that_is_reloaded_with_widgets_fails_nowhere(steps: Lab):
    steps.cell("%wfnb panel")
    steps.cell("%wfnb panel")
    expect(widgets(steps)).to_have_count(2)
    steps.command("docmanager:save")
    faults: list[str] = []
    steps.page.on("pageerror", lambda fault: faults.append(str(fault)))

    for _ in range(2):
        steps.page.reload()
        steps.ready()
        expect(steps.rows).to_have_count(3)
        expect(widgets(steps)).to_have_count(2)

    assert faults == []


@pytest.mark.parametrize("kernel", ["the same", "another", "none"])
def test_a_notebook_that_is_opened_again_shows_the_widget_or_its_picture(
    steps: Lab, kernel: str, screen: Screen
):
    steps.cell("%wfnb panel")
    expect(widgets(steps)).to_be_visible()
    steps.command("docmanager:save")
    saved = json.loads((steps.work / "steps.ipynb").read_text())
    assert VIEW in saved["cells"][-1]["outputs"][0]["data"]

    steps.leave(end=kernel != "the same")
    steps.open_again("steps.ipynb", kernel=kernel != "none")

    if kernel == "the same":
        expect(widgets(steps).get_by_role("row")).to_have_count(3)
        expect(pictures(steps)).to_be_hidden()
    else:
        expect(pictures(steps)).to_be_visible()
        expect(pictures(steps)).to_contain_text("Fit the baseline")
        expect(steps.page.get_by_text("a record: the session as it was")).to_be_visible()
        expect(steps.page.get_by_text("Error displaying widget")).to_be_hidden()
        expect(widgets(steps)).to_have_count(0)
        expect(steps.panel.get_by_role("row")).to_have_count(3)  # from the journal
    pictures(steps).scroll_into_view_if_needed() if kernel != "the same" else None
    screen(kernel.replace(" ", "-"))
