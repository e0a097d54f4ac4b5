"""What a person chooses in menus: it prepares cells, and runs none of them."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import Screen
from .lab import STEPS, Lab, notebook
from .test_cells import write

WORKFLOW = notebook(
    "%load_ext wfnb\n%wfnb start flow --fresh",
    """%%run_workflow welcome
description: Say hello to somebody.
variables: {who: world, times: {type: number, default: 1}}
steps:
  - id: hello
    tool: shell
    args: {command: "echo hello {who!q}"}
""",
)
ACTIVE = re.compile(r"\bjp-mod-active\b")
NAPS = """%%run_workflow nap
steps:
  - {id: nap, tool: sleep, args: {seconds: 600}}
"""


@pytest.fixture
def steps(lab: Lab) -> Lab:
    """Three steps on two lines; the cell of step 2 is active."""
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    expect(lab.rows).to_have_count(3)
    lab.run("app.shell.currentWidget.content.activeCellIndex = 2")
    return lab


@pytest.mark.parametrize(
    ("command", "typed", "text"),
    [
        ("wfnb:new-step", "Next", "%%step Next"),
        ("wfnb:branch-from-step", "alt", "%%branch alt --from 2 \nsum(readings)"),
        ("wfnb:revise-step", "Better", "%%step --revises 2 Better\nsum(readings)"),
    ],
)
def test_a_command_prepares_a_cell_that_a_person_goes_on_typing(
    steps: Lab, command: str, typed: str, text: str
):
    steps.command(command)
    steps.page.locator(".jp-mod-editMode.jp-Notebook").wait_for()
    steps.page.keyboard.type(typed)

    assert steps.source() == text
    expect(steps.rows).to_have_count(3)
    assert steps.run(
        "return app.shell.currentWidget.content.activeCell.model.executionCount === null"
    )


def begin_step(lab: Lab) -> str:
    lab.panel.get_by_role("button", name="New step", exact=True).click()
    lab.page.locator(".jp-mod-editMode.jp-Notebook").wait_for()
    return lab.source()


def test_a_new_step_is_in_the_empty_cell_that_is_active(lab: Lab):
    lab.open("empty.ipynb", notebook("%load_ext wfnb\n%wfnb start empty --fresh", "", "x = 1"))
    lab.run_cell(0)
    cells = lab.page.locator(".jp-Notebook .jp-Cell")
    for place in (1, 2):
        lab.run("app.shell.currentWidget.content.activeCellIndex = values[0]", place)
        assert begin_step(lab) == "%%step "
        expect(cells).to_have_count(2 + place)
        expect(cells.nth(2 * place - 1)).to_have_class(ACTIVE)


def test_a_new_step_goes_on_with_the_branch_of_which_the_last_is_selected(steps: Lab):
    steps.rows.filter(has_text="A robust loss").click()
    assert begin_step(steps) == "%%step --branch robust "

    steps.rows.filter(has_text="Load the readings").click()
    assert begin_step(steps) == "%%step "


def test_a_notification_leaves_the_lowest_line_of_the_panel_free(steps: Lab):
    says = steps.page.locator(".Toastify__toast").filter(has_text="undone: ")
    steps.panel.get_by_role("button", name="undo", exact=True).click()
    expect(says).to_be_visible()

    steps.panel.get_by_role("button", name="New step", exact=True).click(trial=True)


def test_a_cell_becomes_a_step_by_a_click_under_the_title_that_it_has(lab: Lab, screen: Screen):
    lab.open(
        "plain.ipynb",
        notebook("x = 1", "# 2 ways: load *it*\ny = 2", "%%step Z\nz = 3", "# Fit", "w = 4"),
    )
    lab.run("app.shell.currentWidget.content.activeCellIndex = 3")
    lab.run("app.commands.execute('notebook:change-cell-to-markdown')")
    button = lab.page.locator(".jp-cell-toolbar [data-command='wfnb:make-step']:visible")
    made = []
    for place in (0, 1, 2, 4):
        lab.run("app.shell.currentWidget.content.activeCellIndex = values[0]", place)
        if place == 2:
            expect(button).to_have_count(0)
            continue
        button.click()
        lab.page.locator(".jp-mod-editMode.jp-Notebook").wait_for()
        if place == 0:
            lab.page.keyboard.type("One")
        expect(button).to_have_count(0)
        made.append(lab.source())
    screen()

    assert made == ["%%step One\nx = 1", '%%step "2 ways: load *it*"\ny = 2', "%%step Fit\nw = 4"]
    lab.page.keyboard.press("Control+z")
    assert lab.source() == "w = 4"


def test_a_title_that_is_missing_is_hinted_at_until_it_is_typed(lab: Lab, screen: Screen):
    """By keys alone; who does not see the word hears it with the field."""
    lab.open("untitled.ipynb", notebook("x = 1"))
    lab.page.locator(".jp-Notebook .jp-Cell").first.press("Escape")
    lab.page.keyboard.press("Alt+s")
    field = lab.page.locator(".jp-Notebook .cm-content:focus")
    line = field.locator(".cm-line").first
    drawn = "line => getComputedStyle(line, '::after').content"

    expect(field).to_have_attribute("aria-description", "Title")
    assert line.evaluate(drawn) == '"Title"'
    screen()
    lab.page.keyboard.type("L")
    expect(field).not_to_have_attribute("aria-description", "Title")
    assert line.evaluate(drawn) == "none"
    lab.page.keyboard.press("Backspace")
    expect(field).to_have_attribute("aria-description", "Title")
    assert lab.source() == "%%step \nx = 1"


def test_a_cell_that_speaks_to_wfnb_already_is_not_to_be_made_a_step(lab: Lab):
    lab.open(
        "ours.ipynb",
        notebook(
            "x = 1",
            "%%branch alt --from 1\nx = 2",
            "%%run_workflow nap\nsteps: []",
            "%%step --revises 1 Load\nx = 3",
        ),
    )
    lab.run("app.shell.currentWidget.content.activeCellIndex = 0")
    button = lab.page.locator(".jp-cell-toolbar [data-command='wfnb:make-step']:visible")
    expect(button).to_have_count(1)
    for place in (1, 2, 3):
        lab.run("app.shell.currentWidget.content.activeCellIndex = values[0]", place)
        expect(button).to_have_count(0)
    lab.run("app.shell.currentWidget.content.activeCellIndex = 0")
    expect(button).to_have_count(1)

    write(lab, 0, "%%run_workflow nap\nsteps: []")
    expect(button).to_have_count(0)


ENABLED = "return values[0].filter(each => app.commands.isEnabled(each))"


def test_what_cannot_work_now_is_not_offered(lab: Lab):
    lab.open("offered.ipynb", notebook("%load_ext wfnb\n%wfnb start offered --fresh"))
    lab.run_all()
    commands = ["wfnb:undo", "wfnb:redo", "wfnb:go-to-step"]
    expect(lab.panel).to_contain_text("No step yet.")
    before = lab.run(ENABLED, commands)

    lab.cell("%%step Load\nx = 1")
    expect(lab.rows).to_have_count(1)
    recorded = lab.run(ENABLED, commands)
    lab.command("wfnb:undo")
    expect(lab.rows).to_have_count(0)
    undone = lab.run(ENABLED, commands)

    assert before[1:] == []
    assert recorded == ["wfnb:undo", "wfnb:go-to-step"]
    assert "wfnb:redo" in undone
    assert "wfnb:go-to-step" not in undone


def test_a_cell_without_a_step_offers_no_branch_and_no_revision(steps: Lab):
    steps.run("app.shell.currentWidget.content.activeCellIndex = 0")

    enabled = steps.run(
        ENABLED,
        ["wfnb:new-step", "wfnb:branch-from-step", "wfnb:revise-step"],
    )

    assert enabled == ["wfnb:new-step"]


def test_the_menu_of_a_cell_offers_what_can_be_done_with_its_step(steps: Lab, screen: Screen):
    steps.page.locator(".jp-Notebook .jp-Cell").nth(2).locator(".jp-Editor").click(button="right")
    steps.page.locator(".lm-Menu-item", has_text="wfnb").hover()
    menu = steps.page.locator(".lm-Menu").filter(has_text="Revise this step")
    expect(menu).to_be_visible()
    screen()
    expect(steps.page.get_by_text("Edit this workflow as a diagram")).to_be_hidden()
    enabled = menu.locator(".lm-Menu-item:not(.lm-mod-disabled) .lm-Menu-itemLabel")
    offered = [text for text in enabled.all_text_contents() if text]
    steps.page.keyboard.press("Escape")
    steps.page.keyboard.press("Escape")

    assert offered == [
        *("New step below", "Branch from this step", "Revise this step"),
        *("Show this step in the panel", "Go to a step…"),
        *("Run a saved workflow…", "Cancel a run", "Export the report…"),
    ]


def test_what_was_recorded_is_undone_and_redone(steps: Lab):
    steps.command("wfnb:undo")
    expect(steps.rows).to_have_count(2)

    steps.command("wfnb:redo")

    expect(steps.rows).to_have_count(3)


def test_a_saved_workflow_is_run_with_the_variables_that_were_filled_in(lab: Lab, screen: Screen):
    lab.open("workflow.ipynb", WORKFLOW)
    lab.run_all()
    expect(lab.page.locator(".wfnb-status-button")).to_be_visible()

    lab.command_begun("wfnb:run-workflow")
    dialog = lab.page.locator(".jp-Dialog")
    dialog.get_by_label("Workflow").select_option("welcome")  # others may have saved some
    dialog.get_by_label("who").fill("the panel")
    screen("form")
    dialog.get_by_role("button", name="Run").click()
    expect(dialog).to_have_count(0)

    lab.panel.get_by_role("tab", name="Runs").click()
    expect(lab.panel.get_by_text("welcome-2")).to_be_visible()
    screen("run")


def test_a_workflow_that_cannot_begin_so_says_why(lab: Lab, screen: Screen):
    lab.open("workflow.ipynb", WORKFLOW)
    lab.run_all()
    expect(lab.page.locator(".wfnb-status-button")).to_be_visible()

    lab.command_begun("wfnb:run-workflow")
    dialog = lab.page.locator(".jp-Dialog")
    dialog.get_by_label("Workflow").select_option("welcome")  # others may have saved some
    dialog.get_by_label("who").fill("the panel")
    dialog.get_by_label("times").fill("often")
    dialog.get_by_role("button", name="Run").click()

    expect(dialog.get_by_role("alert")).to_contain_text("Variable 'times' is 'often'")
    expect(dialog.get_by_label("who")).to_have_value("the panel")
    screen()
    dialog.get_by_label("times").fill("3")
    lab.page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    lab.panel.get_by_role("tab", name="Runs").click()
    expect(lab.panel.get_by_text("welcome-2")).to_be_visible()


def test_a_report_is_saved_as_a_file(steps: Lab):
    steps.command_begun("wfnb:export-report")
    steps.page.locator(".jp-Dialog select").select_option("Markdown")

    with steps.page.expect_download() as saved:
        steps.page.locator(".jp-Dialog .jp-mod-accept").click()

    assert saved.value.suggested_filename.endswith(".md")
    assert "Load the readings" in saved.value.path().read_text()


def test_undo_and_redo_say_which_they_were(steps: Lab):
    says = steps.page.locator(".jp-toast-message, .Toastify__toast")
    steps.command("wfnb:undo")
    expect(says.filter(has_text="undone: branch 'robust' opened")).not_to_have_count(0)

    steps.command("wfnb:redo")

    expect(says.filter(has_text="redone: branch 'robust' opened")).not_to_have_count(0)
    expect(says.filter(has_text="undone: ")).to_have_count(0)


MAKE = "Make this cell a step"
RECORD = "Record each cell as a step"
REDO = "Redo in the history"
RESTORE = "Restore the values of this step"
STALE = ("Run stale steps", "Run stale steps up to this one")
ALL = (
    *("Show the panel", "Show this step in the panel", "Load wfnb", MAKE, RECORD),
    *("New step below", "Branch from this step", "Revise this step", RESTORE),
    *(
        "Resume this notebook",
        *STALE,
        "Go to a step…",
        "Sessions…",
        "Search all sessions…",
        "Undo in the history",
        REDO,
    ),
    *("Run a saved workflow…", "Cancel a run", "Export the report…"),
)


def test_everything_is_in_the_menu_and_in_the_palette(steps: Lab, screen: Screen):
    steps.page.get_by_role("menubar").get_by_text("wfnb", exact=True).click()
    items = steps.page.locator(".lm-Menu-itemLabel")
    expect(items.filter(has_text="Export the report…")).to_be_visible()
    screen("menu")
    offered = [text for text in items.all_text_contents() if text]
    steps.page.keyboard.press("Escape")

    steps.command("apputils:activate-command-palette")
    steps.page.keyboard.type("wfnb")
    found = steps.page.locator(".lm-CommandPalette-itemLabel")
    expect(found.filter(has_text="Export the report…")).to_be_visible()
    screen("palette")
    listed = [text.removeprefix("wfnb: ") for text in found.all_text_contents() if ": " in text]
    steps.page.keyboard.press("Escape")

    assert tuple(offered) == (*ALL, "New workflow", "Edit this workflow as a diagram")
    # what cannot be done is grey, and the last: nothing was kept, is stale or was undone
    cannot = ("Load wfnb", RESTORE, *STALE, REDO, "Edit this workflow as a diagram")
    now = [text for text in (*ALL, "New workflow") if text not in (MAKE, *cannot)]
    assert listed[: len(now)] == now
    assert sorted(listed[len(now) :]) == sorted(cannot)


def test_shortcuts_of_jupyterlab_work_in_the_list_of_steps(steps: Lab):
    steps.rows.filter(has_text="Fit the baseline").click()
    expect(steps.panel.get_by_role("grid", name="Steps")).to_be_focused()

    steps.page.keyboard.press("Control+Shift+C")

    expect(steps.page.locator(".lm-CommandPalette-input")).to_be_focused()
    steps.page.keyboard.press("Escape")
    expect(steps.page.locator(".lm-CommandPalette-input")).to_be_hidden()


def test_a_step_is_shown_in_the_panel_from_its_cell(steps: Lab):
    steps.command("wfnb:show-step")

    expect(steps.rows.filter(has_text="Fit the baseline")).to_have_attribute(
        "aria-selected", "true"
    )
    expect(steps.panel.locator(".wfnb-card")).to_contain_text("go to cell")


def test_a_step_is_gone_to_by_its_name(steps: Lab):
    steps.command_begun("wfnb:go-to-step")
    steps.page.locator(".jp-Dialog select").select_option("1 Load the readings")
    steps.page.locator(".jp-Dialog .jp-mod-accept").click()

    expect(steps.page.locator(".jp-Notebook .jp-Cell").nth(1)).to_have_class(ACTIVE)
    assert steps.active_cell() == "cell-1"


def test_a_run_is_cancelled_from_the_menu_while_its_cell_blocks(lab: Lab):
    lab.open("naps.ipynb", notebook("%load_ext wfnb\n%wfnb start naps --fresh", NAPS))
    lab.run_cell(0)
    lab.begin(1)
    lab.panel.get_by_role("tab", name="Runs").click()
    run = lab.panel.get_by_role("listitem", name="nap-1", exact=True)
    expect(run).to_contain_text("running")

    lab.command("wfnb:cancel-run")

    expect(run).to_contain_text("cancelled")
    lab.idle()


def test_a_run_is_cancelled_in_its_first_moment_whatever_the_panel_was_told(lab: Lab):
    lab.open("first.ipynb", notebook("%load_ext wfnb\n%wfnb start first --fresh", NAPS))
    lab.run_cell(0)
    lab.begin(1)
    cell = lab.page.locator(".jp-Notebook .jp-Cell").nth(1)
    cell.locator(".jp-OutputArea-output", has_text="nap-1").wait_for()
    # The page may not have reached wfnb yet, which the first cell has loaded.
    lab.run(
        """
        while (!app.commands.isEnabled('wfnb:cancel-run')) {
            await new Promise(done => setTimeout(done, 20));
        }
        """
    )

    lab.command("wfnb:cancel-run")

    expect(cell).to_contain_text("Run nap-1 cancelled.")
    lab.idle()
