"""What a step kept is in its card, and comes back by a click."""

import pytest
from playwright.sync_api import expect

from .conftest import Screen
from .lab import Lab, notebook
from .test_cells import badge, write
from .test_looks import AXE, THEMES, theme

KEPT = notebook(
    "%load_ext wfnb\n%wfnb start kept --fresh",
    "%%step 1/2 Load the readings --keep all\n"
    "import array\nreadings = [3.0, 2.5]\nlog = open('readings.log', 'w')",
    "%%step Look at them\nreadings.append(99)",
)

COUNT = "return app.shell.currentWidget.content.widgets.length"


@pytest.fixture
def steps(lab: Lab) -> Lab:
    """Two steps, of which the first kept something."""
    lab.open("kept.ipynb", KEPT)
    lab.run_all()
    expect(lab.rows).to_have_count(2)
    return lab


def test_an_opened_step_shows_what_it_kept_and_restores_it_without_a_cell(
    steps: Lab, screen: Screen
):
    steps.cell("readings, log = 'lost', 0")
    cells = steps.run(COUNT)
    steps.rows.filter(has_text="Load the readings").click()
    kept = steps.panel.get_by_role("group", name="kept")
    expect(kept).to_contain_text("list · [3.0, 2.5]")
    expect(kept).to_contain_text("not kept: it is an open file")
    screen()

    steps.panel.get_by_role("button", name="restore").click()
    said = steps.panel.locator(".wfnb-card > [role=status]")
    expect(said).to_contain_text("step 1 · Load the readings")
    expect(said).to_contain_text("1 replaced · 1 unchanged · 1 not back · log: it is an open file")
    screen("restored")

    assert steps.run(COUNT) == cells
    steps.cell("assert readings == [3.0, 2.5]\n'they are back'")
    expect(steps.page.get_by_text("they are back").last).to_be_visible()


@pytest.mark.parametrize("name", THEMES)
def test_what_came_back_and_what_is_stale_are_readable_in_each_theme(
    steps: Lab, screen: Screen, name: str
):
    write(steps, 1, "%%step 1/2 Load the readings --keep all\nreadings = [4.0]")
    steps.run_cell(1)
    expect(badge(steps, 2)).to_contain_text("◌ stale")
    theme(steps, name)
    steps.rows.filter(has_text="Load the readings").click()
    steps.panel.get_by_role("button", name="restore").click()
    expect(steps.panel.locator(".wfnb-card > [role=status]")).to_contain_text("step 1")
    expect(steps.panel.locator(".wfnb-card time")).to_be_visible()
    screen(name.split()[1].lower())

    steps.run("(0, eval)(values[0])", AXE.read_text())
    found = steps.page.evaluate(
        "async () => (await axe.run('#wfnb-panel')).violations.map(({id, help}) => [id, help])"
    )
    theme(steps, THEMES[0])

    assert found == []


def test_while_a_cell_runs_nothing_is_restored_and_without_a_kernel_nothing_can_be(steps: Lab):
    steps.rows.filter(has_text="Load the readings").click()
    restore = steps.panel.get_by_role("button", name="restore")
    expect(restore).to_be_enabled()
    write(steps, 2, "readings = 'lost'\ninput('Go on?')")
    steps.begin(2)
    steps.asks_in_its_cell("Go on?")

    restore.click()
    said = steps.panel.locator(".wfnb-card > [role=status]")
    expect(said).to_have_text("A cell runs: values are restored when none does.")
    steps.page.locator(".jp-Stdin-input").press("Enter")
    steps.cell("assert readings == 'lost'\n'as it was'")
    expect(steps.page.get_by_text("as it was").last).to_be_visible()

    steps.run("await app.shell.currentWidget.sessionContext.shutdown()")
    expect(restore).to_be_disabled()
    assert not steps.run("return app.commands.isEnabled('wfnb:restore-step')")


def test_the_command_restores_where_the_step_of_the_active_cell_kept_something(steps: Lab):
    enabled = []
    for cell in (2, 1):
        steps.run(f"app.shell.currentWidget.content.activeCellIndex = {cell}")
        enabled.append(steps.run("return app.commands.isEnabled('wfnb:restore-step')"))
    cells = steps.run(COUNT)
    steps.command("wfnb:restore-step")

    steps.page.get_by_text("not back · log: it is an open file").last.wait_for()
    assert enabled == [False, True]
    assert steps.run(COUNT) == cells


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
