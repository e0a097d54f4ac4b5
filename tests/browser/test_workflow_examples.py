"""Examples of wfnb, made on the canvas by the mouse and in forms, with no key in the text: they
run, fail, are mended and resumed."""

import re

from playwright.sync_api import Locator, expect

from wfnb.data_files import plain_yaml
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.library.workflow_library import WorkflowLibrary

from .conftest import Screen
from .lab import SLOW, Lab
from .test_workflow_editor import Editor, begin
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
        choose(editor, after)
        expect(editor.form).to_have_attribute("aria-label", f"Action {after}")
    editor.tools.filter(has=editor.page.locator("b", has_text=re.compile(f"^{tool}$"))).click()
    expect(editor.form).to_have_attribute("aria-label", re.compile(f"^Action {tool}"))
    editor.field("Name").fill(name)
    editor.field("Name").press("Enter")
    expect(editor.form).to_have_attribute("aria-label", f"Action {name}")
    for label, value in fields.items():
        fill(editor.form, label.replace("_", " "), value)


def choose(editor: Editor, name: str) -> None:
    """It may be out of sight: what was added last is in it."""
    editor.root.get_by_role("button", name="Fit into view").click()
    editor.node(name).locator("b").click()


def fill(form: Locator, label: str, value: str) -> None:
    """By its label, with or without the mark of what is needed."""
    form.get_by_label(re.compile(rf"^{label}( \*)?$")).first.fill(value)


def entry(form: Locator, of: str, name: str) -> None:
    """A name of a mapping, in the first form that has such a field."""
    field = form.get_by_label(f"A name for {of}").first
    field.fill(name)
    field.press("Enter")


def connect(editor: Editor, one: str, other: str) -> None:
    editor.root.get_by_role("button", name="Fit into view").click()  # both have to be in sight
    editor.node(one).locator(".react-flow__handle.source").drag_to(
        editor.node(other).locator(".react-flow__handle.target")
    )
    expect(editor.root.get_by_label(f"from {one} to {other}")).to_have_count(1)


def ask(editor: Editor, one: str, other: str, what: str) -> Locator:
    """A transition holds on this instead of success -> the form of it."""
    edge = f"from {one} to {other}"
    editor.root.get_by_label(edge).locator("path").first.dispatch_event("click")
    expect(editor.form).to_have_attribute("aria-label", edge.capitalize())
    editor.form.get_by_label("Another field").first.select_option(what)
    editor.form.get_by_role("button", name="Add it").first.click()
    editor.form.get_by_role("button", name="Remove success").click()
    return editor.form


def is_example(editor: Editor, name: str) -> bool:
    """Whether it does what the example of that name does, which comes with wfnb."""
    library = WorkflowLibrary(editor.lab.work.parent / "sessions" / "workflows")
    made, shipped = (
        dict(parse(each).data) for each in (plain_yaml.load(editor.text), library.load(name))
    )
    for each in (made, shipped):
        each.pop("description", None)
    return made == shipped


def without_first(editor: Editor) -> None:
    choose(editor, "hello")
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
    choose(editor, "start_session")
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
    connect(editor, "tests_failed", "cleanup")
    for to, pattern in {"tests_passed": "passing", "tests_failed": "failing|failed"}.items():
        fill(ask(editor, "wait_for_results", to, "pattern_match"), "pattern match", pattern)
    show_workflow(editor)
    fill(editor.form, "description", "Run tests and handle success/failure")
    entry(editor.form, "variables", "command")
    declared = editor.form.get_by_role("group", name="command")
    fill(declared, "default", "ls")
    fill(declared, "description", "what runs the tests")
    entry(editor.form, "outputs", "verdict")
    fill(editor.form, "verdict", "wait_for_results.match_text")
    editor.root.get_by_role("button", name="▶ Run").click()
    begin(editor)
    expect(editor.node("wait_for_results")).to_contain_text("◷", timeout=2 * SLOW)
    expect(editor.root.locator(".wfnb-run-strip")).to_contain_text("failed", timeout=SLOW)
    return editor


def test_the_branching_example_is_made_with_a_variable_and_an_output(lab: Lab, screen: Screen):
    editor = branching_fails(lab)
    screen("failed")

    choose(editor, "wait_for_results")
    fill(editor.form, "pattern", r"(\d+) passing|(\d+) failing")
    show_workflow(editor)
    fill(editor.form.get_by_role("group", name="command"), "default", "echo 3 passing")
    choose(editor, "start_session")
    editor.root.get_by_role("button", name="Resume from start_session").click()

    strip = editor.root.locator(".wfnb-run-strip")
    expect(strip).to_contain_text("success", timeout=SLOW)
    expect(editor.node("tests_passed")).to_contain_text("✓")
    expect(editor.node("tests_failed")).not_to_contain_text("✓")
    screen()


STAGES = {"linting": "run_linting", "tests": "run_tests", "build": "build_project"}
TELLS = {
    "linting": ("linting", "Code linting failed - check style issues"),
    "tests": ("testing", "Unit tests failed - check test results"),
    "build": ("build", "Production build failed - check build logs"),
}


def calls(editor: Editor, workflow: str, **variables: str) -> None:
    """What the chosen action runs, and with what."""
    fill(editor.form, "workflow name", workflow)
    for name, value in variables.items():
        entry(editor.form, "initial variables", name)
        fill(editor.form.get_by_role("group", name="initial variables"), name, value)


def pipeline_fails(lab: Lab) -> Editor:
    """The example whose actions run other workflows; the first looks into a folder with an
    error."""
    for folder, code in {"src": "pass\n", "old": "def (:\n"}.items():
        (lab.work / folder).mkdir(exist_ok=True)
        (lab.work / folder / "module.py").write_text(code)
    editor = begun(lab, "full_ci_pipeline.workflow.yaml")
    add(editor, "run_workflow", "run_linting")
    calls(editor, "code_linting", target_dir="old/")
    without_first(editor)
    add(editor, "run_workflow", "run_tests", "run_linting")
    calls(editor, "test_suite", test_type="unit")
    add(editor, "run_workflow", "build_project")
    calls(editor, "build_production")
    add(editor, "run_workflow", "deploy")
    calls(editor, "production_deploy", environment="prod")
    editor.root.get_by_role("button", name="▶ Run").click()
    expect(editor.node("run_linting")).to_contain_text("✕", timeout=2 * SLOW)
    return editor


def pipeline_succeeds(editor: Editor) -> None:
    """Each failure is told from now on, and the folder is another one."""
    for stage, (name, message) in TELLS.items():
        add(editor, "run_workflow", f"{stage}_failed", STAGES[stage])
        calls(editor, "notify_failure", stage=name, message=message)
    choose(editor, "run_linting")
    fill(editor.form.get_by_role("group", name="initial variables"), "target_dir", "src/")
    strip = editor.root.locator(".wfnb-run-strip")
    strip.get_by_role("button", name="Resume").click()

    expect(strip).to_contain_text("success", timeout=2 * SLOW)
    expect(editor.node("deploy")).to_contain_text("✓")


def test_the_example_of_workflows_in_one_is_made_fails_is_mended_and_resumed(
    lab: Lab, screen: Screen
):
    editor = pipeline_fails(lab)
    screen("failed")

    pipeline_succeeds(editor)

    assert is_example(editor, "full_ci_pipeline")
    screen()


def debug_fails(lab: Lab) -> Editor:
    """The example that asks a person, and leads back; what it waits for never comes."""
    (lab.work / "script.py").write_text("print('hello')\n")
    editor = begun(lab, "interactive_debug.workflow.yaml")
    session = {"session_id": "{session_id}"}
    show_workflow(editor)
    entry(editor.form, "variables", "script")
    fill(editor.form.get_by_role("group", name="script"), "default", "script.py")
    add(editor, "open_terminal", "start_debugger", "hello", shell="python3 -m pdb {script!q}")
    without_first(editor)
    add(editor, "await_output", "wait_for_pdb", "start_debugger", **session, pattern="Ready")
    fill(editor.form, "timeout", "1")
    add(editor, "ask", "prompt_user", question="Debug command (l=list, s=step, c=continue, q=quit)")
    fill(editor.form, "timeout", "600")
    for place, choice in enumerate("lscq", start=1):
        editor.form.get_by_role("group", name="choices").get_by_text("Add one").click()
        fill(editor.form.get_by_role("group", name="choices"), str(place), choice)
    add(editor, "send_input", "quit_debug", **session, input_text="q\n")
    for to, answer in {"quit_debug": "q", "continue_exec": "c"}.items():
        if to == "continue_exec":
            add(editor, "send_input", to, "prompt_user", **session, input_text="c\n")
        form = ask(editor, "prompt_user", to, "field_equals")
        entry(form, "field equals", "answer")
        fill(form, "answer", answer)
    add(editor, "send_input", "send_command", "prompt_user", **session, input_text="{answer}\n")
    connect(editor, "send_command", "wait_for_pdb")
    ended = "The program (finished|exited)|Uncaught exception"
    add(editor, "await_output", "wait_for_completion", "continue_exec", **session, pattern=ended)
    fill(editor.form, "timeout", "30")
    connect(editor, "wait_for_completion", "quit_debug")
    add(editor, "exit_terminal", "cleanup", "quit_debug", **session)
    editor.root.get_by_role("button", name="▶ Run").click()
    begin(editor)
    expect(editor.node("wait_for_pdb")).to_contain_text("◷", timeout=2 * SLOW)
    return editor


def debug_asks(editor: Editor) -> Locator:
    """It waits for what comes; once a person has said so, one step is done."""
    choose(editor, "wait_for_pdb")
    fill(editor.form, "pattern", r"\(Pdb\) *$")
    fill(editor.form, "timeout", "10")
    choose(editor, "start_debugger")
    editor.root.get_by_role("button", name="Resume from start_debugger").click()
    strip = editor.root.locator(".wfnb-run-strip")
    strip.get_by_role("button", name="s", exact=True).click()
    expect(editor.node("send_command")).to_contain_text("✓")
    expect(strip.get_by_role("button", name="c", exact=True)).to_be_visible()
    return strip


def test_the_example_that_asks_is_made_fails_is_mended_resumed_and_answered(
    lab: Lab, screen: Screen
):
    editor = debug_fails(lab)
    screen("failed")

    strip = debug_asks(editor)
    screen("asks")
    strip.get_by_role("button", name="c", exact=True).click()

    expect(strip).to_contain_text("success", timeout=2 * SLOW)
    expect(editor.node("cleanup")).to_contain_text("✓")
    assert is_example(editor, "interactive_debug")
    screen()
