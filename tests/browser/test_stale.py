"""Stale steps are run in their own cells from the panel."""

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import Lab, notebook
from .test_cells import badge, select, steps, write

CHAIN = notebook(
    "%load_ext wfnb\n%wfnb start chain --fresh",
    "%%step 1/4 Load the readings\nreadings = [1, 2, 3]",
    "%%step Sum them up\ntotal = sum(readings)\nprint('total', total)",
    "%%step Take the mean\nmean = total / len(readings)\nprint('mean', mean)",
    "%%step Count them\ncount = len(readings)\nprint('count', count)",
    "%%step Nothing to do with it\nother = 1",
)
LOAD, SUM, MEAN, COUNT = 1, 2, 3, 4


@pytest.fixture
def chain(lab: Lab) -> Lab:
    """Five steps, of which 2, 3 and 4 are stale: step 3 rests on step 2."""
    lab.open("chain.ipynb", CHAIN)
    lab.run_all()
    expect(lab.rows).to_have_count(5)
    change(lab, "[10, 20, 30]")
    return lab


def change(lab: Lab, readings: str) -> None:
    """Load other readings, so that what rests on them is stale."""
    write(lab, LOAD, f"%%step 1/4 Load the readings\nreadings = {readings}")
    lab.run_cell(LOAD)
    for each in (SUM, MEAN, COUNT):
        expect(badge(lab, each)).to_contain_text("◌ stale")


def run_stale(lab: Lab) -> Locator:
    return lab.panel.get_by_role("button", name="Run stale", exact=True)


def says(lab: Lab) -> Locator:
    return lab.panel.locator(".wfnb-stale > span")


def attempts(lab: Lab) -> list[int]:
    return [count for _, count, _ in steps(lab)]


def test_stale_steps_are_run_in_their_cells_in_order(chain: Lab, screen: Screen):
    expect(run_stale(chain)).to_be_visible()
    screen("before")

    run_stale(chain).click()

    for each in (SUM, MEAN, COUNT):
        expect(badge(chain, each)).to_contain_text("✓ ok")
    expect(run_stale(chain)).to_be_disabled()
    assert "total 60" in chain.output(SUM)
    assert "mean 20.0" in chain.output(MEAN)
    assert "count 3" in chain.output(COUNT)
    assert attempts(chain) == [2, 2, 2, 2, 1]
    screen("after")


def test_the_first_click_after_it_meets_what_it_is_aimed_at(chain: Lab):
    """The line goes as the focus does, which is before the mouse is up again."""
    run_stale(chain).click()
    expect(says(chain)).to_have_text("Nothing is left to run.")
    row = chain.rows.filter(has_text="Nothing to do with it")

    row.click()

    expect(row).to_have_attribute("aria-selected", "true")
    expect(says(chain)).to_be_hidden()


def test_all_that_is_stale_is_confirmed_by_one_click_and_stale_again_by_undo(
    chain: Lab, screen: Screen
):
    confirm = chain.panel.get_by_role("button", name="Confirm all")
    screen()
    confirm.click()

    for each in (SUM, MEAN, COUNT):
        expect(badge(chain, each)).to_contain_text("✓ ok")
    assert attempts(chain) == [2, 1, 1, 1, 1]
    assert "total 6" in chain.output(SUM)
    chain.panel.get_by_role("button", name="undo").click()
    for each in (SUM, MEAN, COUNT):
        expect(badge(chain, each)).to_contain_text("◌ stale")


def test_up_to_a_step_only_what_it_rests_on_is_run(chain: Lab, screen: Screen):
    chain.rows.filter(has_text="Take the mean").locator(".wfnb-title").click()
    deed = chain.panel.get_by_role("button", name="run stale up to here")
    expect(deed).to_be_visible()
    screen()

    deed.click()

    expect(badge(chain, MEAN)).to_contain_text("✓ ok")
    expect(deed).to_be_hidden()
    expect(run_stale(chain)).to_be_enabled()
    assert attempts(chain) == [2, 2, 2, 1, 1]
    assert "mean 20.0" in chain.output(MEAN)
    expect(badge(chain, COUNT)).to_contain_text("◌ stale")


def test_a_cell_that_was_edited_is_not_run_and_the_way_on_is_said(chain: Lab, screen: Screen):
    write(chain, MEAN, "%%step Take the mean\nmean = 'written just now'")
    expect(badge(chain, MEAN)).to_contain_text("✎ edited")

    run_stale(chain).click()

    expect(says(chain)).to_have_text(
        "Ran 1 cell. The cell of step 3 was edited since it ran: run it yourself, or "
        "%wfnb run-stale 3 in a cell runs its code as it was recorded."
    )
    screen()
    assert attempts(chain) == [2, 2, 1, 1, 1]

    chain.cell("%wfnb run-stale 3")

    expect(badge(chain, MEAN)).to_contain_text("edited")
    run_stale(chain).click()
    expect(badge(chain, COUNT)).to_contain_text("✓ ok")
    assert attempts(chain) == [2, 2, 2, 2, 1]


def test_a_step_whose_cell_is_gone_is_said(chain: Lab):
    select(chain, SUM)
    chain.command("notebook:delete-cell")

    run_stale(chain).click()

    expect(says(chain)).to_have_text(
        "No cell was run. Step 2 has no cell in this notebook: "
        "%wfnb run-stale 2 in a cell runs its code as it was recorded."
    )


def test_the_first_cell_that_fails_ends_it(chain: Lab, screen: Screen):
    change(chain, "[]")

    run_stale(chain).click()

    expect(says(chain)).to_have_text(
        "Ran 1 cell. Step 3 failed when it was run again "
        "(ZeroDivisionError: division by zero). Stale steps after it were not run."
    )
    screen()
    assert "ZeroDivisionError" in chain.output(MEAN)
    assert attempts(chain) == [3, 2, 2, 1, 1]


def test_it_is_stopped_after_the_cell_that_runs(chain: Lab, screen: Screen):
    write(chain, SUM, "%%step Sum them up\ntotal = sum(readings) + int(input('More? '))")
    chain.begin(SUM)
    chain.asks_in_its_cell("More?")
    chain.page.keyboard.type("1")
    chain.page.keyboard.press("Enter")
    chain.idle()
    change(chain, "[5]")

    run_stale(chain).click()
    chain.asks_in_its_cell("More?")
    expect(says(chain)).to_have_text("Running step 2.")
    screen()
    chain.panel.get_by_role("button", name="Stop", exact=True).click()
    expect(says(chain)).to_have_text("Running step 2. Stops after it.")
    field = chain.page.locator(".jp-Stdin input")
    field.fill("7")
    field.press("Enter")

    expect(says(chain)).to_have_text("Ran 1 cell. Stopped.")
    expect(badge(chain, MEAN)).to_contain_text("◌ stale")


def test_after_a_restart_what_they_rest_on_is_run_first(chain: Lab):
    chain.run(
        """
        const {sessionContext} = app.shell.currentWidget;
        await sessionContext.restartKernel();
        await sessionContext.session.kernel.info;
        """
    )
    saved = "The history as it was saved: no kernel has loaded it."
    chain.panel.get_by_text(saved).wait_for()
    expect(run_stale(chain)).to_be_disabled()
    assert run_stale(chain).get_attribute("title") == saved

    chain.panel.get_by_role("button", name="Load wfnb").click()
    expect(run_stale(chain)).to_be_enabled()
    run_stale(chain).click()

    for each in (SUM, MEAN, COUNT):
        expect(badge(chain, each)).to_contain_text("✓ ok")
    assert attempts(chain) == [3, 2, 2, 2, 1]


def test_the_commands_do_the_same(chain: Lab):
    enabled = "return values.filter(each => app.commands.isEnabled(each))"
    both = ["wfnb:run-stale", "wfnb:run-stale-to-step"]
    select(chain, LOAD)
    assert chain.run(enabled, *both) == ["wfnb:run-stale"]
    select(chain, MEAN)
    assert chain.run(enabled, *both) == both

    chain.command("wfnb:run-stale-to-step")

    expect(badge(chain, MEAN)).to_contain_text("✓ ok")
    assert attempts(chain) == [2, 2, 2, 1, 1]
    chain.command("wfnb:run-stale")
    expect(badge(chain, COUNT)).to_contain_text("✓ ok")
    expect(run_stale(chain)).to_be_hidden()
    assert chain.run(enabled, *both) == []
    assert attempts(chain) == [2, 2, 2, 2, 1]
