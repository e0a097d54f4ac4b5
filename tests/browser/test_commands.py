"""What a person chooses in menus: it prepares cells, and runs none of them."""

import pytest
from playwright.sync_api import expect

from .conftest import Screen
from .lab import Lab, notebook
from .test_panel import STEPS

WORKFLOW = notebook(
    "%load_ext wfnb\n%wfnb start flow --fresh",
    """%%run_workflow greet
description: Say hello to somebody.
variables: {who: world}
steps:
  - id: hello
    tool: shell
    args: {command: "echo hello {who!q}"}
""",
)


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
        ("wfnb:branch-from-step", "alt", "%%branch alt --from 2 "),
        ("wfnb:revise-step", "Better", "%%step --revises 2 Better"),
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


def test_a_cell_without_a_step_offers_no_branch_and_no_revision(steps: Lab):
    steps.run("app.shell.currentWidget.content.activeCellIndex = 0")

    enabled = steps.run(
        "return values[0].filter(each => app.commands.isEnabled(each))",
        ["wfnb:new-step", "wfnb:branch-from-step", "wfnb:revise-step"],
    )

    assert enabled == ["wfnb:new-step"]


def test_the_menu_of_a_cell_offers_what_can_be_done_with_its_step(steps: Lab, screen: Screen):
    steps.page.locator(".jp-Notebook .jp-Cell").nth(2).locator(".jp-Editor").click(button="right")
    steps.page.locator(".lm-Menu-item", has_text="wfnb").hover()
    steps.page.locator(".lm-Menu-item", has_text="Revise this step").wait_for()

    screen()
    steps.page.keyboard.press("Escape")
    steps.page.keyboard.press("Escape")


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
    dialog.get_by_label("who").fill("the panel")
    screen("form")
    dialog.get_by_role("button", name="Run").click()

    lab.panel.get_by_role("tab", name="Runs").click()
    expect(lab.panel.get_by_text("greet-2")).to_be_visible()
    screen("run")


def test_a_report_is_saved_as_a_file(steps: Lab):
    steps.command_begun("wfnb:export-report")
    steps.page.locator(".jp-Dialog select").select_option("Markdown")

    with steps.page.expect_download() as saved:
        steps.page.locator(".jp-Dialog .jp-mod-accept").click()

    assert saved.value.suggested_filename.endswith(".md")
    assert "Load the readings" in saved.value.path().read_text()
