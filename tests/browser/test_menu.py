"""The menu of a step in the panel: JupyterLab's own, by mouse and by keys alone."""

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import Lab
from .test_looks import AXE


def menu(lab: Lab) -> Locator:
    return lab.page.get_by_role("menu")


def items(lab: Lab) -> list[str]:
    """What the menu offers, when it is there."""
    expect(menu(lab)).to_be_visible()
    return menu(lab).get_by_role("menuitem").all_text_contents()


def test_the_right_button_offers_what_can_be_done_with_a_step(steps: Lab, screen: Screen):
    steps.rows.filter(has_text="robust").click(button="right")

    offered = items(steps)
    screen()
    assert offered == [
        *("Open its card", "Go to cell", "Branch from here", "Revise"),
        *("Switch to robust", "Edit title", "Hide"),
    ]
    steps.page.evaluate(AXE.read_text())
    found = steps.page.evaluate(
        "async () => (await axe.run('.lm-Menu')).violations.map(({id, help}) => `${id}: ${help}`)"
    )
    assert found == []
    menu(steps).get_by_role("menuitem", name="Switch to robust").click()
    expect(steps.page.locator(".wfnb-status-button")).to_contain_text("robust")
    expect(menu(steps)).to_have_count(0)


@pytest.mark.parametrize("key", ["Shift+F10", "ContextMenu"])
def test_keys_open_it_choose_in_it_and_leave_it(steps: Lab, key: str):
    keys = steps.page.keyboard
    grid = steps.panel.get_by_role("grid")
    steps.rows.first.click()
    grid.focus()
    keys.press("Escape")
    keys.press(key)
    assert items(steps)[0] == "Open its card"
    keys.press("Escape")
    expect(menu(steps)).to_have_count(0)
    expect(grid).to_be_focused()

    keys.press(key)
    assert "Revise" in items(steps)
    keys.press("r")
    keys.press("Enter")
    expect(menu(steps)).to_have_count(0)
    steps.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.getSource()"
        ".startsWith('%%step --revises 1')"
    )


def test_a_title_is_edited_from_it(steps: Lab):
    steps.rows.first.click(button="right")
    items(steps)
    menu(steps).get_by_role("menuitem", name="Edit title").click()

    title = steps.panel.get_by_role("textbox", name="Title")
    expect(title).to_be_focused()
    title.fill("Load both years")
    title.press("Enter")

    expect(steps.rows.first.locator(".wfnb-title")).to_have_text("Load both years")
