"""Words find steps of other sessions, and lead to them: with a kernel, and where there is none."""

import pytest
from playwright.sync_api import expect

from .conftest import Screen
from .lab import Lab, notebook
from .test_journal import named

CARS, BARLEY = "search-cars.ipynb", "search-barley.ipynb"
BESIDE = ("y = 2", "%%step 2/2 Zebrafish are left out\ny + 1", "y")


@pytest.fixture
def cars(lab: Lab) -> Lab:
    """Two notebooks with a session each, of which one is open, and was restarted."""
    load = "%load_ext wfnb\n%wfnb start {} --fresh"
    hostile = "%%step <img src=x onerror=alert(1)> zebrafish"
    for name, cells in (
        (BARLEY, (load.format("search-barley"), *BESIDE, hostile)),
        (CARS, (load.format("search-cars"), "%%step Load the cars\nx = 1")),
    ):
        lab.open(name, notebook(*cells))
        lab.run_all()
        named(lab)
        lab.leave(end=True)
    lab.open_again(CARS, kernel=False)
    lab.command("wfnb:open-panel")
    expect(lab.rows).to_have_count(1)
    return lab


def find(lab: Lab, words: str) -> None:
    lab.command_begun("wfnb:search")
    lab.dialogs.get_by_label("Words").fill(words)


def test_a_hit_opens_its_notebook_at_the_step(cars: Lab, screen: Screen):
    find(cars, "zebrafish LEFT")
    expect(cars.dialogs.get_by_role("status")).to_have_text("1 in 1 session")
    screen("found")

    cars.dialogs.get_by_role("button", name="Zebrafish are left out").click()

    expect(cars.dialogs).to_have_count(0)
    expect(cars.panel.locator(".wfnb-card")).to_contain_text("Zebrafish are left out")
    assert cars.run("return app.shell.currentWidget.context.path") == BARLEY
    cars.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.activeCell?.model.id === 'cell-2'"
    )


def test_the_search_of_the_panel_goes_on_in_all_sessions_and_shows_text_as_text(cars: Lab):
    cars.panel.get_by_label("Search steps").fill("zebrafish")
    cars.panel.get_by_role("button", name="in all sessions").click()

    hits = cars.dialogs.locator(".wfnb-hits")
    expect(hits.get_by_role("listitem")).to_have_count(2)
    expect(hits.get_by_text("<img src=x onerror=alert(1)> zebrafish")).to_be_visible()
    assert hits.locator("img").count() == 0
    cars.dialogs.get_by_role("button", name="Close").click()
    expect(cars.dialogs).to_have_count(0)


def test_a_session_that_its_notebook_left_is_named(cars: Lab):
    start = "%load_ext wfnb\n%wfnb start search-other --fresh"
    cars.open(BARLEY, notebook(start, "%%step Something else\n1"))
    cars.command("notebook:run-all-cells")
    expect(cars.panel.locator(".wfnb-session:visible")).to_have_text("search-other")

    find(cars, "zebrafish left")
    cars.dialogs.get_by_role("button", name="Zebrafish are left out").click()

    expect(cars.page.get_by_text("goes on with session search-other")).to_be_visible()


def test_what_is_nowhere_is_said(cars: Lab):
    find(cars, "no such words")

    expect(cars.dialogs.get_by_role("status")).to_have_text("nothing found")
    cars.dialogs.get_by_label("Words").press("Escape")
    expect(cars.dialogs).to_have_count(0)
