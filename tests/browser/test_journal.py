"""The history where no kernel has wfnb: read from the journal, and one click from being live."""

import pytest
from playwright.sync_api import expect

import wfnb

from .conftest import Screen
from .lab import Lab, notebook

NAME = "journal.ipynb"
READ_ONLY = "The history as it was saved: no kernel has loaded it."
RESTART = "await app.shell.currentWidget.sessionContext.session.kernel.restart()"


@pytest.fixture
def steps(lab: Lab) -> Lab:
    """Three steps of the session that is named after the notebook, one of them stale."""
    cells = notebook(
        "%load_ext wfnb\n%wfnb start journal --fresh",
        "%%step 1/4 Load the readings\nreadings = [1, 2, 3]",
        "%%step Fit the baseline\nsum(readings)",
        "%%branch robust --from 1 A robust loss instead\nmax(readings)",
    )
    lab.open(NAME, cells)
    lab.run_all()
    expect(lab.rows).to_have_count(3)
    named(lab)
    return lab


def named(lab: Lab) -> None:
    """Until the notebook says which session is its own."""
    lab.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.model.getMetadata('wfnb')?.session"
    )


def badges(lab: Lab) -> list[str]:
    return lab.page.locator(".jp-Notebook .jp-Cell > .wfnb-badge").all_text_contents()


def test_the_history_is_there_after_a_restart_and_says_what_did_not_run_in_this_kernel(
    steps: Lab, screen: Screen
):
    steps.rows.filter(has_text="Fit the baseline").click()
    expect(steps.panel.locator(".wfnb-card")).to_contain_text("source")

    steps.run(RESTART)

    expect(steps.panel.get_by_text(READ_ONLY)).to_be_visible()
    expect(steps.rows).to_have_count(3)
    expect(steps.panel.locator(".wfnb-card")).to_contain_text("not run in this kernel")
    expect(steps.panel.locator(".wfnb-mark.wfnb-away")).to_have_count(3)
    assert [text.endswith("○ not run in this kernel") for text in badges(steps)] == [True] * 3
    screen("restarted")
    steps.page.set_viewport_size({"width": 1440, "height": 500})
    screen("low")
    steps.page.set_viewport_size({"width": 1440, "height": 900})


def test_a_click_loads_wfnb_and_the_selected_step_stays_selected(steps: Lab, screen: Screen):
    steps.run(RESTART)
    expect(steps.panel.get_by_text(READ_ONLY)).to_be_visible()
    steps.rows.filter(has_text="Fit the baseline").click()
    cells = steps.run("return app.shell.currentWidget.content.model.cells.length")
    steps.page.evaluate(
        """() => {
            window.lost = [];
            const list = document.querySelector('#wfnb-panel .wfnb-list');
            new MutationObserver(() => list.querySelectorAll('[role=row]').length < 3
                && window.lost.push('rows')).observe(list, {childList: true, subtree: true});
        }"""
    )

    steps.panel.get_by_role("button", name="Load wfnb").click()

    expect(steps.panel.get_by_text(READ_ONLY)).to_be_hidden()
    expect(steps.panel.locator("[role=row][aria-selected=true]")).to_contain_text(
        "Fit the baseline"
    )
    expect(steps.panel.locator(".wfnb-card")).to_be_visible()
    assert steps.page.evaluate("() => window.lost") == []
    assert steps.run("return app.shell.currentWidget.content.model.cells.length") == cells
    steps.cell("%%step Tune\n0")
    expect(steps.rows).to_have_count(4)
    assert [text.endswith("○ not run in this kernel") for text in badges(steps)] == [
        *[True] * 3,
        False,
    ]
    screen("loaded")


def test_what_changes_a_session_is_disabled_and_says_why(steps: Lab):
    steps.run(RESTART)
    expect(steps.panel.get_by_text(READ_ONLY)).to_be_visible()

    undo = steps.panel.get_by_role("button", name="undo")

    expect(undo).to_be_disabled()
    expect(undo).to_have_attribute("title", READ_ONLY)
    assert steps.run("return app.commands.isEnabled('wfnb:undo')") is False
    assert steps.run("return app.commands.isEnabled('wfnb:export-report')") is True
    steps.panel.get_by_role("button", name="Load wfnb").click()
    expect(undo).to_be_enabled()
    expect(undo).to_have_attribute("title", "undo")


def test_the_report_is_exported_without_a_kernel(steps: Lab):
    steps.run("await app.shell.currentWidget.sessionContext.session.shutdown()")
    expect(steps.panel.get_by_text(READ_ONLY)).to_be_visible()

    steps.command_begun("wfnb:export-report")
    with steps.page.expect_download() as download:
        steps.page.locator(".jp-Dialog").get_by_role("button", name="OK").click()

    assert download.value.suggested_filename == "journal.html"
    assert "Fit the baseline" in download.value.path().read_text()


def test_the_history_is_there_with_no_kernel_at_all_and_follows_others_who_write(
    steps: Lab, screen: Screen
):
    steps.leave(end=True)
    steps.open_again(NAME, kernel=False)

    expect(steps.panel.get_by_text(READ_ONLY)).to_be_visible()
    expect(steps.rows).to_have_count(3)
    expect(steps.page.locator(".wfnb-badge")).to_have_count(3)
    home = steps.work.parent / "sessions"
    wfnb.open("journal", home_folder=home).step("Written elsewhere")

    expect(steps.rows).to_have_count(4)
    screen()


def test_a_kernel_that_is_missing_is_started_by_the_click(steps: Lab):
    steps.leave(end=True)
    steps.open_again(NAME, kernel=False)
    expect(steps.panel.get_by_text(READ_ONLY)).to_be_visible()

    steps.panel.get_by_role("button", name="Load wfnb").click()

    expect(steps.panel.get_by_role("button", name="undo")).to_be_enabled()
    steps.cell("%%step After that\n0")
    expect(steps.rows).to_have_count(4)


def test_a_notebook_that_was_closed_over_night_shows_its_history_in_the_morning(steps: Lab):
    steps.leave(end=True)

    steps.open(NAME)

    expect(steps.panel.get_by_text(READ_ONLY)).to_be_visible()
    expect(steps.rows).to_have_count(3)
    expect(steps.page.locator(".wfnb-badge")).to_have_count(3)


def test_a_notebook_without_a_history_begins_one_by_a_click(lab: Lab, screen: Screen):
    lab.open("fresh.ipynb", notebook("1 + 1"))
    start = lab.panel.get_by_role("button", name="Start")
    expect(start).to_be_visible()
    screen("before")

    start.click()

    expect(lab.panel.locator(".wfnb-session")).to_have_text("fresh")
    screen("after")
    lab.cell("%%step The first\n1")
    expect(lab.rows).to_have_count(1)


def test_a_notebook_that_was_begun_by_a_click_runs_from_the_top_in_a_new_kernel(lab: Lab):
    """No cell of it loads wfnb: what needs it does, before it runs."""
    lab.open("clicked.ipynb", notebook("%%step Load\nx = 1", "%%step Sum\nprint(x + 1)"))
    lab.panel.get_by_role("button", name="Start").click()
    expect(lab.panel.locator(".wfnb-session")).to_have_text("clicked")
    lab.run_all()
    expect(lab.rows).to_have_count(2)

    lab.run(f"{RESTART}; await app.commands.execute('notebook:run-all-cells')")

    assert "2" in lab.output(1)
    assert [lab.output(place).count("not found") for place in (0, 1)] == [0, 0]
    expect(lab.panel.get_by_text(READ_ONLY)).to_be_hidden()
    expect(lab.panel.locator(".wfnb-mark.wfnb-away")).to_have_count(0)
    expect(lab.rows).to_have_count(2)


def test_the_first_new_step_in_a_notebook_loads_wfnb(lab: Lab):
    lab.open("unloaded.ipynb", notebook("1 + 1"))
    expect(lab.panel.get_by_role("button", name="Start")).to_be_visible()

    lab.command("wfnb:new-step")
    lab.page.keyboard.type("Look around")
    lab.page.keyboard.press("Shift+Enter")

    expect(lab.rows).to_have_count(1)
    assert lab.titles == ["Look around"]


def test_a_setting_loads_wfnb_into_each_kernel_that_starts(lab: Lab):
    lab.open("auto.ipynb", notebook("%load_ext wfnb\n%wfnb start auto", "%%step One\n1"))
    lab.run_all()
    expect(lab.rows).to_have_count(1)
    named(lab)
    lab.set("autoLoad", True)
    try:
        lab.run(RESTART)

        expect(lab.panel.locator(".wfnb-mark.wfnb-away")).to_have_count(1)
        expect(lab.panel.get_by_text(READ_ONLY)).to_be_hidden()
        expect(lab.panel.get_by_role("button", name="undo")).to_be_enabled()
    finally:
        lab.set("autoLoad", False)
    lab.run(RESTART)
    expect(lab.panel.get_by_text(READ_ONLY)).to_be_visible()


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_what_is_read_from_the_journal_fits_a_narrow_panel(steps: Lab, screen: Screen, theme: str):
    steps.command("apputils:change-theme", theme=theme)
    steps.run(RESTART)
    expect(steps.panel.get_by_text(READ_ONLY)).to_be_visible()
    steps.rows.filter(has_text="robust").click()
    steps.page.wait_for_timeout(400)
    screen(theme.split()[-1].lower())
    split = steps.page.locator("#jp-main-split-panel > .lm-SplitPanel-handle:not(.lm-mod-hidden)")
    box = split.last.bounding_box()
    assert box is not None
    width = steps.page.viewport_size["width"]  # type: ignore[index]
    steps.page.mouse.move(box["x"] + 1, 300)
    steps.page.mouse.down()
    steps.page.mouse.move(width - 335, 300)
    steps.page.mouse.up()
    screen(f"{theme.split()[-1].lower()}-narrow")

    load = steps.panel.get_by_role("button", name="Load wfnb").bounding_box()
    panel = steps.panel.bounding_box()

    assert load is not None
    assert panel is not None
    assert load["x"] + load["width"] <= panel["x"] + panel["width"]
    steps.command("apputils:change-theme", theme="JupyterLab Light")
