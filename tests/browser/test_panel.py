"""The panel beside a notebook, in a real JupyterLab."""

from playwright.sync_api import expect

from .conftest import Screen
from .lab import SLOW, Lab


def test_the_panel_shows_the_session_of_the_notebook_whose_cells_ran(lab: Lab, screen: Screen):
    lab.open("01-steps.ipynb")

    lab.run_all()

    expect(lab.rows).to_have_count(8, timeout=2 * SLOW)
    assert lab.titles[0] == "Load the weekly record"
    assert lab.titles[-1] == "No: it rose every year"
    screen()


def test_a_double_click_on_a_step_selects_no_word(steps: Lab):
    steps.rows.filter(has_text="Load the readings").locator(".wfnb-title").dblclick()

    steps.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.activeCell.model.id === 'cell-1'"
    )
    assert steps.page.evaluate("() => String(getSelection())") == ""


def test_nothing_is_asked_of_another_machine(steps: Lab):
    """Neither here nor in any other test: the fixture `lab` looks."""
    assert steps.hosts == {"127.0.0.1"}


def test_a_new_step_appears_by_itself(steps: Lab):
    steps.cell("%%step Tune epsilon\n1 / 1")

    expect(steps.rows).to_have_count(4)
    assert steps.titles[-1] == "Tune epsilon"


def test_a_tab_is_there_once_it_has_something_to_show(steps: Lab, screen: Screen):
    tabs = steps.panel.get_by_role("tab")
    expect(tabs).to_have_text(["Timeline", "Compare"])

    steps.cell(
        "%%run_workflow greet\nsteps:\n  - {id: hi, tool: shell, args: {command: 'echo hi'}}"
    )

    expect(tabs).to_have_text(["Timeline", "Compare", "Runs"])
    screen()


def test_what_people_wrote_is_shown_as_text(steps: Lab):
    assert steps.titles[1:] == ["Fit the baseline", "A robust loss <b>instead</b>"]


def test_a_step_leads_to_its_cell(steps: Lab):
    assert steps.active_cell() != "cell-1"

    steps.rows.filter(has_text="Load the readings").click()
    steps.panel.get_by_role("button", name="go to cell").click()

    steps.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.activeCell.model.id === 'cell-1'"
    )


def test_the_panel_is_there_again_after_the_page_was_loaded_again(steps: Lab):
    steps.command("docmanager:save")

    steps.page.reload()
    steps.ready()

    expect(steps.rows).to_have_count(3)
    steps.cell("%%step After the reload\n0")
    expect(steps.rows).to_have_count(4)


def test_the_panel_is_there_again_after_the_kernel_was_restarted(steps: Lab, screen: Screen):
    steps.run("await app.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(steps.panel.get_by_role("button", name="Load wfnb")).to_be_visible()
    screen("unloaded")

    steps.cell("%load_ext wfnb")
    steps.cell("%wfnb resume panel")

    expect(steps.rows).to_have_count(3)
    steps.cell("%%step After the restart\n0")
    expect(steps.rows).to_have_count(4)


def test_every_cell_says_which_step_it_holds(steps: Lab):
    badges = steps.page.locator(".jp-Notebook .jp-Cell > .wfnb-badge")

    expect(badges).to_have_count(3)
    expect(badges.nth(0)).to_contain_text("step 1")
    expect(badges.nth(2)).to_contain_text("robust")


def test_the_status_bar_says_where_the_session_is(steps: Lab):
    expect(steps.page.locator(".wfnb-status-button")).to_have_text("step 2/4 · main")
