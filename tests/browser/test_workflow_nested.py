"""Workflows that actions run, opened in place: in the diagram, in the outline, in a run."""

import pytest
from playwright.sync_api import expect

from wfnb.workflows.library.workflow_library import WorkflowLibrary

from .conftest import Screen
from .lab import SLOW, Lab
from .test_looks import AXE
from .test_workflow_editor import Editor, opened

INNER = """\
name: publish_site
variables: {where: {}}
initial_state: build
states:
  build:
    action: {tool: shell, params: {command: "echo built {where!q}"}}
    transitions: [{condition: {success: true}, next_state: send}]
  send:
    action: {tool: shell, params: {command: "test {where!q} = here"}}
"""
OUTER = """\
name: release
initial_state: look
states:
  look:
    action: {tool: shell, params: {command: echo looked}}
    transitions: [{condition: {success: true}, next_state: publish}]
  publish:
    action:
      tool: run_workflow
      params: {workflow_name: publish_site, initial_variables: {where: there}}
    transitions: [{condition: {success: true}, next_state: tell}]
  tell:
    action:
      tool: run_workflow
      params:
        workflow_definition:
          name: telling
          steps:
            - {id: write, tool: shell, args: {command: echo written}}
            - {id: mail, tool: shell, args: {command: echo mailed}}
"""


@pytest.fixture
def release(lab: Lab) -> Editor:
    """What it runs is saved, and beside it in a file. The file stays: JupyterLab may be about to
    keep a checkpoint of it."""
    file = lab.work / "publish_site.workflow.yaml"
    file.write_text(INNER)
    WorkflowLibrary(lab.work.parent / "sessions" / "workflows").import_file(file)
    return opened(lab, "release.workflow.yaml", OUTER)


def test_what_an_action_runs_is_opened_in_place_closed_again_and_changes_no_byte(
    release: Editor, screen: Screen
):
    toggle = release.node("publish").get_by_role("button", name="runs: publish_site")
    expect(toggle).to_have_attribute("aria-expanded", "false", timeout=SLOW)

    toggle.click()

    expect(release.node("publish › build")).to_be_visible(timeout=SLOW)
    expect(release.node("publish › send")).to_be_visible()
    expect(release.nodes).to_have_count(5)
    release.node("tell").dblclick(position={"x": 100, "y": 12})
    expect(release.node("tell › mail")).to_be_visible(timeout=SLOW)
    screen()
    release.node("publish › send").click()
    expect(release.field("command *")).to_have_value("test {where!q} = here")
    expect(release.field("command *")).not_to_be_editable()
    screen("inner")
    toggle.click()
    expect(release.node("publish › build")).to_have_count(0)
    assert release.text == OUTER


def test_it_is_opened_and_walked_by_keys_in_the_diagram_and_in_the_outline(release: Editor):
    keys = release.page.keyboard
    expect(release.node("publish")).to_contain_text("publish_site", timeout=SLOW)
    release.node("publish").click()
    keys.press("o")
    expect(release.node("publish › build")).to_be_visible(timeout=SLOW)
    release.node("publish › build").focus()
    keys.press("ArrowRight")
    expect(release.node("publish › send")).to_be_focused()
    release.node("publish").focus()
    release.page.locator('[data-id="publish"] .wfnb-toggle').focus()
    keys.press("Enter")
    expect(release.node("publish › build")).to_have_count(0)

    release.root.get_by_role("button", name="Outline").click()
    release.rows.nth(1).focus()
    keys.press("ArrowRight")
    expect(release.rows).to_have_count(5, timeout=SLOW)
    keys.press("ArrowDown")
    expect(release.rows.nth(2)).to_be_focused()
    expect(release.rows.nth(2)).to_have_attribute("aria-level", "2")
    keys.press("ArrowLeft")
    expect(release.rows.nth(1)).to_be_focused()
    keys.press("ArrowLeft")
    expect(release.rows).to_have_count(3)


def test_its_own_file_is_opened_and_one_that_differs_is_said(release: Editor):
    release.node("publish").get_by_role("button", name="runs: publish_site").click(timeout=SLOW)
    expect(release.node("publish").get_by_role("button", name="open publish_site")).to_have_text(
        "open publish_site", timeout=SLOW
    )
    (release.lab.work / "publish_site.workflow.yaml").write_text(INNER.replace("built", "made"))
    release.type(OUTER.replace("looked", "seen"))
    link = release.node("publish").get_by_role("button", name="open publish_site (differs)")

    link.click(timeout=SLOW)

    other = Editor(release.lab, "publish_site.workflow.yaml")
    expect(other.node("send")).to_be_visible(timeout=SLOW)
    assert other.text == INNER.replace("built", "made")


def test_the_run_of_it_is_painted_there(release: Editor, screen: Screen):
    release.node("publish").get_by_role("button", name="runs: publish_site").click(timeout=SLOW)
    release.root.get_by_role("button", name="▶ Run").click()

    expect(release.node("publish › build")).to_contain_text("✓", timeout=2 * SLOW)
    expect(release.node("publish › send")).to_contain_text("✕", timeout=SLOW)
    expect(release.node("publish")).to_contain_text("✕")
    screen()
    WorkflowLibrary(release.lab.work.parent / "sessions" / "workflows").delete("publish_site")
    release.root.get_by_role("button", name="As it ran").click()
    expect(release.root.get_by_label("as it ran")).to_be_visible(timeout=SLOW)
    release.node("publish › send").click()
    expect(release.field("command *")).to_have_value("test {where!q} = here")
    expect(release.node("publish › send")).to_contain_text("✕")
    screen("past")


def test_axe_finds_nothing_in_frames(release: Editor):
    release.lab.run("(0, eval)(values[0])", AXE.read_text())
    release.node("publish").get_by_role("button", name="runs: publish_site").click(timeout=SLOW)
    release.node("publish › send").click(timeout=SLOW)

    found = []
    for view in ("Outline", "Diagram"):
        found += release.page.evaluate(
            """async () => (await axe.run('.wfnb-editor')).violations
                .map(each => [each.id, each.nodes.map(node => node.html).slice(0, 3)])"""
        )
        release.root.get_by_role("button", name=view).click()

    assert found == []
