"""A workflow's file as a diagram beside its text, in a real JupyterLab."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Screen
from .lab import SLOW, Lab, notebook

TEXT = """\
# a release, as it is done by hand
name: deploy
variables: {env: staging}
initial_state: build
states:
  build:   # the slow part
    action: {tool: shell, params: {command: "echo built {env!q}"}}
    retry: 2
    transitions:
      - {condition: {success: true}, next_state: send}
  send:
    action: {tool: shell, params: {command: "test -e {env!q}.ready"}}
    compensation: {tool: shell, params: {command: echo back}}
"""
STEPS = """\
steps:
  - id: one   # the first
    tool: shell
    args: {command: echo one}
  - id: two
    tool: shell
    args:
      command: echo {one.stdout!q}
"""


@dataclass
class Editor:
    lab: Lab
    name: str

    @property
    def page(self) -> Page:
        return self.lab.page

    @property
    def root(self) -> Locator:
        return self.page.locator(".wfnb-editor:visible")

    @property
    def nodes(self) -> Locator:
        return self.root.locator(".react-flow__node")

    @property
    def form(self) -> Locator:
        return self.root.locator(".wfnb-form")

    @property
    def text(self) -> str:
        return str(
            self.lab.run("return app.shell.currentWidget.context.model.sharedModel.getSource()")
        )

    @property
    def rows(self) -> Locator:
        return self.root.get_by_role("tree", name="Actions").get_by_role("treeitem")

    @property
    def palette(self) -> Locator:
        return self.root.get_by_label("Tools", exact=True).first

    @property
    def tools(self) -> Locator:
        return self.palette.get_by_role("option")

    def field(self, name: str) -> Locator:
        """A tool is one of a list that may be typed, too."""
        text, tool = (
            self.form.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
            for role in ("textbox", "combobox")
        )
        return text.or_(tool).first

    def node(self, name: str) -> Locator:
        return self.root.locator(f'.react-flow__node[data-id="{name}"]')

    def type(self, text: str) -> None:
        """Another text, as somebody writes it beside the diagram."""
        self.lab.run("app.shell.currentWidget.context.model.sharedModel.setSource(values[0])", text)

    def wait_for_text(self, words: str) -> None:
        self.page.wait_for_function(
            "words => jupyterapp.shell.currentWidget.context.model.sharedModel.getSource()"
            ".includes(words)",
            arg=words,
        )

    def undo(self) -> None:
        self.nodes.first.focus()
        self.page.keyboard.press("Control+z")


def opened(lab: Lab, name: str, text: str) -> Editor:
    (lab.work / name).write_bytes(text.encode())
    lab.run("await app.commands.execute('docmanager:open', {path: values[0]})", name)
    editor = Editor(lab, name)
    expect(editor.nodes.first).to_be_visible(timeout=SLOW)
    return editor


@pytest.fixture
def states(lab: Lab) -> Iterator[Editor]:
    yield opened(lab, "deploy.workflow.yaml", TEXT)
    for path in lab.work.glob("*.ready"):
        path.unlink()


@pytest.fixture
def steps(lab: Lab) -> Editor:
    return opened(lab, "two.workflow.yaml", STEPS)


def test_a_file_is_drawn_with_its_rules_beside_its_text(states: Editor, screen: Screen):
    expect(states.nodes).to_have_count(2)
    expect(states.node("build")).to_contain_text("retry 2×")
    expect(states.node("send")).to_contain_text("undo: shell")
    expect(states.root.locator(".wfnb-way-label")).to_have_text("success")
    expect(states.page.locator(".wfnb-workflow-text")).to_contain_text("as it is done by hand")
    screen()


def test_opening_and_looking_changes_no_byte(states: Editor):
    states.node("build").click()
    expect(states.form).to_be_visible()
    states.root.get_by_role("button", name="Outline").click()

    assert states.text == TEXT
    assert not states.lab.run("return app.shell.currentWidget.context.model.dirty")


def test_what_is_typed_is_drawn_and_a_broken_text_keeps_the_last_picture(steps: Editor):
    steps.type(STEPS + "  - {id: three, tool: shell, args: {command: ls}}\n")
    expect(steps.nodes).to_have_count(3)

    steps.type(STEPS + "  - {id: three, tool: [\n")

    expect(steps.root.locator(".wfnb-problems")).to_contain_text("line")
    expect(steps.nodes).to_have_count(3)
    expect(steps.root.locator(".wfnb-was")).to_be_visible()
    assert steps.text.endswith("tool: [\n")


def test_problems_are_said_without_a_kernel_and_lead_to_their_place(steps: Editor):
    steps.type(STEPS.replace("{one.stdout!q}", "{ones.stdout!q}"))

    problem = steps.root.locator(".wfnb-problems button").first
    expect(problem).to_contain_text("ones.stdout", timeout=SLOW)
    expect(steps.node("two")).to_contain_text("! 1")
    expect(steps.page.locator(".wfnb-squiggle-error")).to_contain_text("echo")
    problem.click()
    expect(steps.form).to_have_attribute("aria-label", "Action two")


def test_a_form_edits_nothing_but_its_field_and_one_undo_takes_it_back(states: Editor):
    states.node("send").click()
    states.field("command *").fill("test -e x")
    states.wait_for_text("test -e x")
    after = states.text
    states.undo()
    states.page.wait_for_function(
        "text => jupyterapp.shell.currentWidget.context.model.sharedModel.getSource() === text",
        arg=TEXT,
    )

    assert after == TEXT.replace("{env!q}.ready", "x")


def test_a_number_is_typed_anew_and_goes_when_it_is_left_empty(steps: Editor):
    steps.type(STEPS.replace("    tool: shell", "    tool: shell\n    timeout: 30", 1))
    steps.node("one").click()
    number = steps.form.locator('[data-field="steps.0.timeout"] input')
    expect(number).to_have_value("30")
    number.focus()

    for key in ("End", "Backspace", "Backspace"):
        steps.page.keyboard.press(key)
    expect(number).to_have_value("")
    expect(number).to_be_focused()
    steps.page.keyboard.type("1e2")
    steps.wait_for_text("timeout: 100")
    steps.page.keyboard.press("Control+a")
    steps.page.keyboard.type("-")
    steps.page.keyboard.press("Tab")
    expect(number).to_have_value("100")
    assert "timeout: 100" in steps.text
    number.focus()
    steps.page.keyboard.press("Control+a")
    steps.page.keyboard.press("Backspace")
    steps.page.keyboard.press("Tab")

    expect(number).to_have_count(0)
    assert steps.text == STEPS


def test_names_are_offered_in_placeholders_and_the_field_says_where_they_come_from(
    steps: Editor, screen: Screen
):
    steps.node("two").click()
    command = steps.field("command *")
    expect(steps.form).to_contain_text("one.stdout: result of one: shell", timeout=SLOW)

    command.press("End")
    command.press_sequentially(" {one.stde")
    screen()
    command.press("Enter")

    steps.wait_for_text("echo {one.stdout!q} {one.stderr!q}")
    assert steps.text == STEPS.replace(
        "echo {one.stdout!q}", "'echo {one.stdout!q} {one.stderr!q}'"
    )
    steps.form.get_by_role("button", name="result of one").first.click()
    expect(steps.form).to_have_attribute("aria-label", "Action one")


def test_names_are_offered_in_expressions_without_braces(steps: Editor, screen: Screen):
    steps.node("two").click()
    expect(steps.form).to_contain_text("result of one", timeout=SLOW)
    steps.form.get_by_label("Another field").last.select_option("when")
    steps.form.get_by_role("button", name="Add it").last.click()
    when = steps.field("when")

    when.press_sequentially("one.exit")
    screen()
    when.press("Enter")
    when.press_sequentially(" == 0")

    steps.wait_for_text("when: 'one.exit_code == 0'")
    expect(steps.form).to_contain_text("one.exit_code: result of one: shell")


def test_a_value_of_any_kind_is_written_as_it_is_typed_and_read(steps: Editor):
    steps.type("variables: {rate: a, code: 'x'}\n" + STEPS)
    for name, typed, written in (("rate", "1.10", "rate: 1.10,"), ("code", "07", "code: 7}")):
        value = steps.field(name)
        value.focus()
        steps.page.keyboard.press("Control+a")
        steps.page.keyboard.type(typed)

        steps.wait_for_text(written)
        expect(value).to_have_value(typed)


def test_a_variable_is_renamed_by_keys_and_outputs_offer_what_the_actions_gave(
    steps: Editor, screen: Screen
):
    text = "variables: {env: a}   # where\noutputs: {last: env}\n" + STEPS.replace("two\n", "t\n")
    text = text.replace("echo one", "'echo {env!q}'")
    steps.type(text)
    keys = steps.page.keyboard
    steps.form.get_by_role("button", name="Rename env").focus()
    keys.press("Enter")
    keys.type("place")
    keys.press("Enter")

    steps.wait_for_text("place: a}   # where")
    expect(steps.form.get_by_role("button", name="Rename place")).to_be_focused()
    renamed = text.replace("{env: a", "{place: a").replace("last: env", "last: place")
    renamed = renamed.replace("{env!q}", "{place!q}")
    assert steps.text == renamed
    last = steps.field("last")
    expect(steps.form).to_contain_text("place: a variable", timeout=SLOW)
    last.press("Control+a")
    keys.type("t.stdo")
    screen()
    keys.press("Enter")
    steps.wait_for_text("last: t.stdout}")


def test_a_name_is_changed_wherever_it_is_mentioned(steps: Editor):
    steps.node("one").click()
    name = steps.field("Name")
    name.fill("first")
    name.press("Enter")

    steps.wait_for_text("{first.stdout!q}")
    assert steps.text == STEPS.replace("id: one", "id: first").replace("{one.", "{first.")


def test_two_are_joined_by_the_mouse(states: Editor):
    states.node("send").locator(".react-flow__handle.source").drag_to(
        states.node("build").locator(".react-flow__handle.target")
    )

    states.wait_for_text("next_state: build")
    expect(states.root.locator(".react-flow__edge")).to_have_count(2)
    assert states.text.startswith(TEXT.partition("  send:")[0])


def test_an_action_is_added_deleted_and_joined_by_the_keyboard_alone(states: Editor):
    page = states.page
    states.root.get_by_role("button", name="Outline").focus()
    page.keyboard.press("Enter")
    states.rows.first.focus()
    page.keyboard.press("End")
    page.keyboard.press("a")
    expect(states.palette).to_contain_text("After send")
    expect(states.tools.first).to_be_visible(timeout=SLOW)
    page.keyboard.type("slee")
    expect(states.tools.first).to_contain_text("sleep")
    page.keyboard.press("Enter")
    states.wait_for_text("tool: sleep")
    expect(states.rows).to_have_count(3)
    expect(states.root.get_by_role("status")).to_contain_text("send leads to sleep")

    expect(states.rows.last).to_be_focused()
    page.keyboard.press("Delete")
    page.locator(".jp-Dialog").get_by_role("button", name="Delete").click()
    expect(states.rows).to_have_count(2)
    states.page.wait_for_function(
        "() => !jupyterapp.shell.currentWidget.context.model.sharedModel.getSource()"
        ".includes('sleep')"
    )


def drag(what: Locator, onto: Locator) -> None:
    """To the middle of it, with the events of a browser: a mouse that is moved by a program is too
    quick for them on a busy machine."""
    expect(what).to_be_visible(timeout=SLOW)
    box, page = None, what.page
    while box is None or box != onto.bounding_box():  # the diagram fits itself in
        box = onto.bounding_box()
        page.wait_for_timeout(200)
    held = {"dataTransfer": page.evaluate_handle("new DataTransfer()")}
    at = {"clientX": box["x"] + box["width"] / 2, "clientY": box["y"] + box["height"] / 2}
    pane = page.locator(".wfnb-editor:visible .react-flow")
    what.dispatch_event("dragstart", held)
    pane.dispatch_event("dragover", held | at)
    pane.dispatch_event("drop", held | at)


def test_a_tool_is_dragged_onto_an_arrow_an_action_or_put_there_by_keys(
    states: Editor, screen: Screen
):
    states.root.get_by_role("button", name="+ Add").click()
    tool = states.tools.filter(has=states.page.locator("b", has_text="sleep"))
    drag(tool, states.root.locator(".wfnb-way-label"))
    states.wait_for_text("next_state: sleep")
    expect(states.root.locator(".react-flow__edge")).to_have_count(2)
    drag(tool, states.node("send"))
    expect(states.nodes).to_have_count(4)
    expect(states.root.get_by_role("status")).to_contain_text("send leads to sleep_2")
    screen()

    expect(states.node("sleep_2")).to_be_focused()
    for name in ("send", "sleep", "build"):
        states.page.keyboard.press("ArrowLeft")
        expect(states.node(name)).to_be_focused()
    states.page.keyboard.press("i")
    expect(states.palette).to_contain_text("Between build and sleep")
    states.page.keyboard.type("ask")
    states.page.keyboard.press("Enter")
    expect(states.root.get_by_role("status")).to_contain_text("ask comes between build and sleep")
    expect(states.node("ask")).to_be_focused()


def begin(editor: Editor) -> None:
    """What the form of variables says. The form stays until the kernel has said that it begins."""
    editor.lab.dialogs.get_by_role("button", name="Run").click(timeout=2 * SLOW)
    expect(editor.lab.dialogs).to_have_count(0, timeout=SLOW)


def run(editor: Editor) -> None:
    """Until its first action is done, and its last has failed."""
    editor.root.get_by_role("button", name="Run").click()
    begin(editor)
    expect(editor.node("build")).to_contain_text("✓", timeout=2 * SLOW)
    expect(editor.node("send")).to_contain_text("✕")


def test_a_run_fails_is_mended_in_the_form_and_resumed(states: Editor, screen: Screen):
    run(states)
    strip = states.root.locator(".wfnb-run-strip")
    expect(strip).to_contain_text("deploy-1")
    screen()

    states.node("send").click()
    states.field("command *").fill("echo sent")
    expect(states.node("send")).to_contain_text("edited")
    expect(states.node("build")).not_to_contain_text("edited")
    strip.get_by_role("button", name="Resume").click()

    expect(states.node("send")).to_contain_text("✓", timeout=SLOW)
    expect(states.node("send")).not_to_contain_text("edited")
    expect(strip).to_contain_text("success")


def test_an_action_is_run_alone_with_what_it_names_of_others(steps: Editor, screen: Screen):
    steps.node("two").click()
    steps.root.get_by_role("button", name="Run two alone").click()
    dialog = steps.page.locator(".jp-Dialog")
    expect(dialog).to_contain_text("Run two alone", timeout=2 * SLOW)
    dialog.get_by_label("one.stdout").fill("what one would say")
    screen()
    begin(steps)

    expect(steps.node("two")).to_contain_text("✓", timeout=SLOW)
    expect(steps.node("one")).not_to_contain_text("✓")
    expect(steps.root.locator(".wfnb-run-strip")).to_contain_text("two-two-alone-1")


def test_a_past_run_is_painted_on_the_definition_that_it_had(states: Editor, screen: Screen):
    run(states)
    now = TEXT.replace(
        "  send:", "  look:\n    action: {tool: sleep, params: {seconds: 0}}\n  send:"
    )
    states.type(now.replace("{env!q}.ready", "no").replace("retry: 2", "retry: 3"))
    expect(states.nodes).to_have_count(3)

    states.root.get_by_role("button", name="As it ran").click()

    past = states.root.get_by_label("as it ran")
    expect(past).to_contain_text("build otherwise since: retry")
    expect(past).to_contain_text("send otherwise since: command")
    expect(past).to_contain_text("look new since")
    expect(states.nodes).to_have_count(2)
    past.get_by_role("button", name="send").click()
    expect(states.field("command *")).to_have_value("test -e {env!q}.ready")
    expect(states.field("command *")).not_to_be_editable()
    expect(states.node("send")).to_contain_text("✕")
    screen()
    states.root.get_by_role("button", name="As it ran").click()
    expect(states.nodes).to_have_count(3)
    expect(states.field("command *")).to_have_value("test -e no")


def test_a_run_is_there_again_when_its_file_is_opened_again(states: Editor):
    run(states)

    states.lab.run(
        """
        const widget = app.shell.currentWidget;
        await widget.context.save();
        widget.close();
        await app.commands.execute('docmanager:open', {path: values[0]});
        """,
        states.name,
    )

    strip = states.root.locator(".wfnb-run-strip")
    expect(strip).to_contain_text("deploy failed · 2 done", timeout=SLOW)
    expect(states.node("send")).to_contain_text("✕")


def test_nothing_is_said_of_runs_when_their_kernel_is_gone(states: Editor):
    run(states)

    states.lab.run("await app.serviceManager.sessions.shutdownAll()")

    expect(states.root.locator(".wfnb-run-strip")).to_have_count(0)
    expect(states.node("build")).not_to_contain_text("✓")


def test_actions_are_copied_and_pasted_as_text(states: Editor):
    states.node("send").click()
    states.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    states.page.keyboard.press("Control+c")
    states.page.keyboard.press("Control+v")

    expect(states.node("send_2")).to_contain_text("undo: shell")
    assert states.text.startswith(TEXT)


def test_what_is_deleted_says_what_stays(steps: Editor):
    steps.node("one").click()
    steps.root.get_by_role("button", name="Delete").click()
    dialog = steps.page.locator(".jp-Dialog")
    expect(dialog).to_contain_text("steps.1.args.command")
    expect(dialog).to_contain_text("texts and expressions stay")
    dialog.get_by_role("button", name="Delete").click()

    expect(steps.nodes).to_have_count(1)
    assert "{one.stdout!q}" in steps.text
    expect(steps.node("two")).to_contain_text("! 1", timeout=SLOW)


def test_a_cell_is_edited_as_a_diagram(lab: Lab):
    lab.open("cell.ipynb", notebook("%load_ext wfnb", "%%run_workflow two --no-save\n" + STEPS))
    lab.run("app.shell.currentWidget.content.activeCellIndex = 1")

    lab.command("wfnb:edit-workflow-cell")
    editor = Editor(lab, "cell.ipynb")
    editor.node("one").click()
    name = editor.field("Name")
    name.fill("first")
    name.press("Enter")

    lab.page.wait_for_function(
        "() => [...jupyterapp.shell.widgets('main')].some(each => "
        "each.content.widgets?.[1]?.model.sharedModel.getSource().includes('{first.stdout!q}'))"
    )
    expect(editor.node("first")).to_be_visible()


def test_a_new_workflow_begins_with_an_action(lab: Lab):
    lab.command("wfnb:new-workflow")

    expect(Editor(lab, "").node("hello")).to_be_visible()
