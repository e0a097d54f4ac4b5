"""Examples of wfnb, made on the canvas by the mouse and in forms, with no key in the text: they
run, fail, are mended and resumed."""

import re

from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import SLOW, Lab
from .test_workflow_editor import Editor
from .test_workflow_hands import nothing


def begun(lab: Lab, name: str) -> Editor:
    """States, and the list of tools; the first action is still the one that every file begins
    with."""
    editor = nothing(lab, name)
    editor.root.get_by_role("button", name="Begin with states").click()
    expect(editor.node("hello")).to_be_visible()
    editor.root.get_by_role("button", name="+ Add").click()
    return editor


def add(editor: Editor, tool: str, name: str, after: str = "", **fields: str) -> None:
    """A new action, after the one that is chosen or that one."""
    if after:
        editor.node(after).click()
        expect(editor.form).to_have_attribute("aria-label", f"Action {after}")
    editor.tools.filter(has=editor.page.locator("b", has_text=re.compile(f"^{tool}$"))).click()
    expect(editor.form).to_have_attribute("aria-label", re.compile(f"^Action {tool}"))
    editor.field("Name").fill(name)
    editor.field("Name").press("Enter")
    expect(editor.form).to_have_attribute("aria-label", f"Action {name}")
    for label, value in fields.items():
        fill(editor.form, label.replace("_", " "), value)


def fill(form: Locator, label: str, value: str) -> None:
    """By its label, with or without the mark of what is needed."""
    form.get_by_label(re.compile(rf"^{label}( \*)?$")).first.fill(value)


def without_first(editor: Editor) -> None:
    editor.node("hello").click()
    editor.root.get_by_role("button", name="Delete", exact=True).click()
    dialog = editor.page.locator(".jp-Dialog")
    dialog.get_by_role("button", name="Delete").click()
    expect(editor.node("hello")).to_have_count(0)


def show_workflow(editor: Editor) -> None:
    """Nothing is chosen: the form is that of the workflow."""
    editor.nodes.first.focus()
    editor.page.keyboard.press("Escape")
    expect(editor.form).to_have_attribute("aria-label", "The workflow")


def test_the_linear_example_is_made_fails_is_mended_and_resumed(lab: Lab, screen: Screen):
    editor = begun(lab, "simple_test.workflow.yaml")
    add(editor, "open_terminal", "start_session", shell="nosuchshell")
    without_first(editor)
    add(
        editor,
        "send_input",
        "run_test",
        after="start_session",
        session_id="{session_id}",
        input_text="echo 'Test completed'\n",
    )
    add(editor, "exit_terminal", "cleanup", session_id="{session_id}")
    show_workflow(editor)
    fill(editor.form, "description", "Run a simple test command")
    screen("made")

    editor.root.get_by_role("button", name="▶ Run").click()
    strip = editor.root.locator(".wfnb-run-strip")
    expect(editor.node("start_session")).to_contain_text("✕", timeout=2 * SLOW)
    editor.node("start_session").click()
    fill(editor.form, "shell", "bash")
    strip.get_by_role("button", name="Resume").click()

    expect(strip).to_contain_text("success", timeout=SLOW)
    for name in ("start_session", "run_test", "cleanup"):
        expect(editor.node(name)).to_contain_text("✓")
    screen()


def branching_fails(lab: Lab) -> Editor:
    """The example that branches by what it reads, with a variable and an output; what it looks for
    never comes."""
    editor = begun(lab, "test_with_branching.workflow.yaml")
    session = {"session_id": "{session_id}"}
    add(editor, "open_terminal", "start_session", shell="bash")
    without_first(editor)
    add(editor, "send_input", "run_tests", "start_session", **session, input_text="{command}\n")
    add(editor, "await_output", "wait_for_results", **session, pattern="all done", timeout="2")
    add(editor, "send_input", "tests_passed", **session, input_text="echo passed\n")
    add(editor, "exit_terminal", "cleanup", **session)
    add(editor, "get_screen_content", "tests_failed", "wait_for_results", **session)
    editor.root.get_by_role("button", name="+ Add").click()
    editor.node("tests_failed").locator(".react-flow__handle.source").drag_to(
        editor.node("cleanup").locator(".react-flow__handle.target")
    )
    editor.wait_for_text("next_state: cleanup")
    for to, pattern in {"tests_passed": "passing", "tests_failed": "failing|failed"}.items():
        edge = f"from wait_for_results to {to}"
        editor.root.get_by_label(edge).locator("path").first.dispatch_event("click")
        expect(editor.form).to_have_attribute("aria-label", edge.capitalize())
        editor.form.get_by_label("Another field").first.select_option("pattern_match")
        editor.form.get_by_role("button", name="Add it").first.click()
        fill(editor.form, "pattern match", pattern)
        editor.form.get_by_role("button", name="Remove success").click()
    show_workflow(editor)
    fill(editor.form, "description", "Run tests and handle success/failure")
    fill(editor.form, "A name for variables", "command")
    editor.form.get_by_role("button", name="Add", exact=True).first.click()
    declared = editor.form.get_by_role("group", name="command")
    fill(declared, "default", "ls")
    fill(declared, "description", "what runs the tests")
    fill(editor.form, "A name for outputs", "verdict")
    editor.form.get_by_role("button", name="Add", exact=True).last.click()
    fill(editor.form, "verdict", "wait_for_results.match_text")
    editor.root.get_by_role("button", name="▶ Run").click()
    editor.page.locator(".jp-Dialog").get_by_role("button", name="Run").click(timeout=2 * SLOW)
    expect(editor.node("wait_for_results")).to_contain_text("◷", timeout=2 * SLOW)
    expect(editor.root.locator(".wfnb-run-strip")).to_contain_text("failed", timeout=SLOW)
    return editor


def test_the_branching_example_is_made_with_a_variable_and_an_output(lab: Lab, screen: Screen):
    editor = branching_fails(lab)
    screen("failed")

    editor.node("wait_for_results").click()
    fill(editor.form, "pattern", r"(\d+) passing|(\d+) failing")
    show_workflow(editor)
    fill(editor.form.get_by_role("group", name="command"), "default", "echo 3 passing")
    editor.node("start_session").click()
    editor.root.get_by_role("button", name="Resume from start_session").click()

    strip = editor.root.locator(".wfnb-run-strip")
    expect(strip).to_contain_text("success", timeout=SLOW)
    expect(editor.node("tests_passed")).to_contain_text("✓")
    expect(editor.node("tests_failed")).not_to_contain_text("✓")
    screen()
