"""Cells are recorded by a click, and a notebook goes on where it failed, from the panel."""

from playwright.sync_api import expect

from .conftest import Screen
from .lab import Lab, notebook
from .test_cells import badge, write

PLAIN = notebook(
    "%load_ext wfnb\n%wfnb open plain\n%wfnb keep all",
    "# Load the readings\nreadings = [1, 2, 3]\nprint('loaded')",
    "total = sum(readings)\nprint('total', total)",
    "fixed = 1 / 0",
    "print('last', total)",
)
LOAD, SUM, FAILS, LAST = 1, 2, 3, 4
RESTART = "await app.shell.currentWidget.sessionContext.session.kernel.restart()"


def button(lab: Lab, name: str):
    return lab.panel.get_by_role("button", name=name, exact=True)


def test_plain_cells_are_steps_and_the_notebook_goes_on_where_it_failed(lab: Lab, screen: Screen):
    lab.open("plain.ipynb", PLAIN)
    lab.run_cell(0)
    record = button(lab, "record each cell")
    record.click()
    expect(record).to_have_attribute("aria-pressed", "true")
    for place in (LOAD, SUM, FAILS):
        lab.run_cell(place)
    expect(badge(lab, LOAD)).to_contain_text("✓ ok")
    expect(badge(lab, FAILS)).to_contain_text("✕ failed")
    assert lab.titles[0].startswith("Load the readings")
    screen("recorded")

    write(lab, FAILS, "fixed = 1")
    lab.run(RESTART)
    button(lab, "resume this notebook").click()

    expect(badge(lab, FAILS)).to_contain_text("✓ ok")
    lab.page.get_by_text("skipped 2.").wait_for()
    assert "last 6" in lab.output(LAST)
    assert "total 6" in lab.output(SUM)
    assert "already loaded" not in lab.output(0)
    screen("resumed")


REVISED = notebook(
    "%load_ext wfnb\n%wfnb start revised --fresh",
    "%%step Load\nreadings = [1, 2, 3]",
    "%%step Add\ntotal = sum(readings)\nprint('total', total)",
    "%%step --revises 1 Load more\nreadings = [1, 2, 3, 4]",
)


def test_what_a_cell_further_down_made_stale_is_fresh_after_it(lab: Lab):
    lab.open("revised.ipynb", REVISED)
    lab.run_all()
    expect(badge(lab, 2)).to_contain_text("◌ stale")
    lab.run(RESTART)
    button(lab, "Resume").click()

    expect(badge(lab, 2)).to_contain_text("✓ ok")
    expect(badge(lab, 3)).to_contain_text("✓ ok")
    lab.page.get_by_text("Ran 5 cells.").wait_for()
    assert "total 10" in lab.output(2)


ASKS = notebook(
    "%load_ext wfnb\n%wfnb start asks --fresh",
    "%%step Ask\nanswer = input('Go on?')",
    "%%step Look at it\nlook = answer",
)


def test_while_it_goes_on_the_panel_says_how_far_it_is_and_stops_it(lab: Lab, screen: Screen):
    lab.open("asks.ipynb", ASKS)
    lab.run_cell(0)
    expect(lab.panel).to_contain_text(
        "No step yet. New step below makes the first one, or Make this cell a step over a cell."
    )

    button(lab, "resume this notebook").click()
    expect(lab.panel).to_contain_text("Running cell 2 of 3.")
    screen("going")
    button(lab, "Stop").click()
    expect(lab.panel).to_contain_text("Running cell 2 of 3. Stops after it.")
    lab.asks_in_its_cell("Go on?")
    lab.page.locator(".jp-Stdin-input").fill("yes")
    lab.page.locator(".jp-Stdin-input").press("Enter")

    lab.page.get_by_text("Stopped.").wait_for()
    expect(badge(lab, 1)).to_contain_text("✓ ok")
    expect(lab.rows).to_have_count(1)
    expect(lab.panel.get_by_text("Running cell")).to_have_count(0)
