"""What a step kept is in its card, and comes back by a cell that the person runs."""

import pytest
from playwright.sync_api import expect

from .conftest import Screen
from .lab import Lab, notebook

KEPT = notebook(
    "%load_ext wfnb\n%wfnb start kept --fresh",
    "%%step 1/2 Load the readings --keep all\n"
    "import array\nreadings = [3.0, 2.5]\nlog = open('readings.log', 'w')",
    "%%step Look at them\nreadings.append(99)",
)


@pytest.fixture
def steps(lab: Lab) -> Lab:
    """Two steps, of which the first kept something."""
    lab.open("kept.ipynb", KEPT)
    lab.run_all()
    expect(lab.rows).to_have_count(2)
    return lab


def test_an_opened_step_shows_what_it_kept_and_restores_it_by_a_cell(steps: Lab, screen: Screen):
    steps.rows.filter(has_text="Load the readings").click()
    kept = steps.panel.get_by_role("group", name="kept")
    expect(kept).to_contain_text("list · [3.0, 2.5]")
    expect(kept).to_contain_text("not kept: it is an open file")
    screen()

    steps.panel.get_by_role("button", name="restore").click()
    steps.page.locator(".jp-mod-editMode.jp-Notebook").wait_for()
    written = steps.source()
    not_run = steps.run(
        "return app.shell.currentWidget.content.activeCell.model.executionCount === null"
    )
    steps.command("notebook:run-cell")

    assert (written, not_run) == ("%wfnb restore 1", True)
    steps.cell("assert readings == [3.0, 2.5]\n'they are back'")
    expect(steps.page.get_by_text("they are back").last).to_be_visible()


def test_the_command_writes_such_a_cell_where_the_step_of_the_active_cell_kept_something(
    steps: Lab,
):
    enabled = []
    for cell in (2, 1):
        steps.run(f"app.shell.currentWidget.content.activeCellIndex = {cell}")
        enabled.append(steps.run("return app.commands.isEnabled('wfnb:restore-step')"))
    steps.command("wfnb:restore-step")
    steps.page.locator(".jp-mod-editMode.jp-Notebook").wait_for()
    steps.page.keyboard.type(" --dry-run")

    assert enabled == [False, True]
    assert steps.source() == "%wfnb restore 1 --dry-run"


def test_a_step_that_kept_nothing_has_nothing_to_restore(steps: Lab):
    steps.rows.filter(has_text="Look at them").click()
    expect(steps.panel.get_by_role("button", name="branch from here")).to_be_visible()

    assert steps.panel.get_by_role("button", name="restore").count() == 0
    assert steps.panel.get_by_role("group", name="kept").count() == 0


def test_a_long_name_leaves_room_for_what_is_said_of_it(lab: Lab, screen: Screen):
    name = "readings_of_the_whole_year_2024_by_station"
    lab.open(
        "long.ipynb", notebook("%load_ext wfnb", f"%%step Load --keep all\n{name} = [3.0, 2.5]")
    )
    lab.run_all()

    lab.rows.first.click()
    values = lab.panel.get_by_role("group", name="kept").locator("dl")
    screen()

    whole, said = values.bounding_box(), values.locator("dd").first.bounding_box()
    assert whole is not None
    assert said is not None
    assert said["width"] >= whole["width"] / 2
    assert said["x"] + said["width"] <= whole["x"] + whole["width"] + 1
