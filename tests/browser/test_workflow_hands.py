"""A workflow of six actions that is made from nothing by the keyboard alone, and run; and what axe
finds in the editor."""

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import SLOW, Lab
from .test_looks import AXE, THEMES, theme
from .test_workflow_editor import STEPS, Editor, opened

ACTIONS = {
    "fetch": "echo 3",
    "look": "test {fetch.stdout} -gt 0",
    "book": "echo booked",
    "warn": "echo large",
    "send": "echo sent",
    "tell": "echo done",
}


def nothing(lab: Lab, name: str) -> Editor:
    (lab.work / name).write_text(f"name: {name.partition('.')[0]}\n")
    lab.run("await app.commands.execute('docmanager:open', {path: values[0]})", name)
    return Editor(lab, name)


def tab_to(where: Locator, key: str = "Tab") -> None:
    for _ in range(80):
        if where.evaluate("each => each === document.activeElement"):
            return
        where.page.keyboard.press(key)
    expect(where).to_be_focused()


def has_run(editor: Editor) -> None:
    for name in ACTIONS:
        sign = "»" if name == "warn" else "✓"
        expect(editor.node(name)).to_contain_text(sign, timeout=2 * SLOW)
    expect(editor.root.locator(".wfnb-run-strip")).to_contain_text("success", timeout=SLOW)


def test_six_actions_are_made_and_run_by_the_keyboard_alone(lab: Lab, screen: Screen):
    editor, keys = nothing(lab, "keys.workflow.yaml"), lab.page.keyboard

    def type_into(label: str, text: str, key: str = "Tab") -> None:
        tab_to(editor.field(label), key)
        keys.press("Control+a")
        keys.type(text)

    def rule(name: str) -> None:
        tab_to(editor.form.get_by_label("Another field").last)
        keys.type(name)
        keys.press("Tab")
        keys.press("Enter")

    begin = editor.root.get_by_role("button", name="Begin with steps")
    begin.wait_for()
    lab.run("app.shell.activateById(app.shell.currentWidget.id)")
    editor.root.get_by_role("button", name="Outline").focus()
    tab_to(begin)
    keys.press("Enter")
    expect(editor.node("hello")).to_be_focused()
    for place, (name, command) in enumerate(ACTIONS.items()):
        if place > 0:
            keys.press("a")
            expect(editor.tools.first).to_be_visible(timeout=SLOW)
            keys.type("shell")
            keys.press("Enter")
            expect(editor.nodes).to_have_count(place + 1)
            expect(editor.node("shell")).to_be_focused()
        expect(editor.form).to_be_visible()
        keys.press("F2")
        keys.type(name)
        keys.press("Enter")
        expect(editor.node(name)).to_be_focused()
        expect(editor.form).to_have_attribute("aria-label", f"Action {name}")
        keys.press("Enter")
        type_into("command *", command)
        if name == "look":
            rule("retry")
        if name == "warn":
            rule("when")
            type_into("when", "fetch.stdout > 5", "Shift+Tab")
        if name == "book":
            rule("compensation")
            type_into("tool *", "shell", "Shift+Tab")
            tab_to(editor.form.get_by_role("textbox", name="command *", exact=True).nth(1))
            keys.type("echo back")
        keys.press("Escape")
        expect(editor.node(name)).to_be_focused()
    screen()
    editor.wait_for_text("compensation:")
    tab_to(editor.root.get_by_role("button", name="▶ Run"), "Shift+Tab")
    keys.press("Enter")

    has_run(editor)


def test_six_actions_are_made_and_run_by_what_the_page_offers_to_the_mouse(
    lab: Lab, screen: Screen
):
    """As somebody does who has never seen a workflow's text: a condition, a retry, an undo."""
    lab.command("wfnb:new-workflow")
    editor = Editor(lab, "")
    expect(editor.form).to_contain_text("Click a box for what it does")
    editor.node("hello").click()
    editor.root.get_by_role("button", name="+ Add").click()
    shell = editor.tools.filter(has=lab.page.locator("b", has_text="shell"))
    rules = editor.form.get_by_label("Another field").last

    def rule(name: str) -> None:
        offered = rules.locator("option").first
        expect(offered).to_contain_text(name)
        rules.select_option(name)
        editor.form.get_by_role("button", name="Add it").last.click()

    for place, (name, command) in enumerate(ACTIONS.items()):
        if place > 0:
            shell.click()
            expect(editor.nodes).to_have_count(place + 1)
            expect(editor.form).to_have_attribute("aria-label", "Action shell")
        editor.field("Name").fill(name)
        editor.field("Name").press("Enter")
        expect(editor.form).to_have_attribute("aria-label", f"Action {name}")
        expect(editor.node(name)).to_be_in_viewport(ratio=1)
        editor.field("command *").fill(command)
        if name == "look":
            rule("retry")
        if name == "book":
            rule("compensation")
            expect(editor.field("tool *")).to_have_value("shell")
            expect(editor.field("tool *")).to_be_in_viewport()
            expect(editor.root.locator(".wfnb-problems")).to_contain_text("{fetch.stdout!q}")
            expect(editor.form.locator(".wfnb-form-problems")).to_be_hidden()
            undo = editor.form.get_by_role("textbox", name="command *", exact=True).nth(1)
            undo.fill("echo back")
        if name == "warn":
            rule("when")
            names = editor.form.get_by_role("listbox")
            expect(names).to_be_in_viewport(ratio=1)
            editor.field("when").press_sequentially("fetch.")
            names.get_by_role("option", name="fetch.stdout").first.click()
            editor.field("when").press_sequentially(" > 5")
    screen()
    editor.root.get_by_role("button", name="▶ Run").click()

    has_run(editor)


ASKS = """\
steps:
  - {id: sure, tool: ask, args: {question: "Release it?", choices: ["yes", "no"]}}
  - {id: name, tool: ask, args: {question: "Under which name?"}}
  - {id: wait, tool: sleep, args: {seconds: 600}}
"""


def test_a_run_is_begun_answered_and_cancelled_by_the_keyboard_alone(lab: Lab, screen: Screen):
    editor, keys = opened(lab, "asks.workflow.yaml", ASKS), lab.page.keyboard
    strip = editor.root.locator(".wfnb-run-strip")

    def press(name: str) -> None:
        """The button of this name, come to by Tab."""
        button = editor.root.get_by_role("button", name=name, exact=True)
        expect(button).to_be_enabled(timeout=2 * SLOW)
        tab_to(button)
        keys.press("Enter")

    editor.nodes.first.focus()
    tab_to(editor.root.get_by_role("button", name="▶ Run"), "Shift+Tab")
    keys.press("Enter")
    press("yes")
    tab_to(strip.get_by_label("Under which name?"))
    keys.type("spring")
    screen("asks")
    keys.press("Enter")
    expect(editor.node("wait")).to_contain_text("▶")
    press("Cancel: asks-1")

    expect(strip).to_contain_text("cancelled", timeout=SLOW)
    expect(editor.node("name")).to_contain_text("✓")
    screen()


ALL_THEMES = (*THEMES, "JupyterLab Dark High Contrast")


@pytest.mark.parametrize("name", ALL_THEMES)
def test_an_arrow_and_its_head_have_the_colour_of_the_theme(lab: Lab, screen: Screen, name: str):
    theme(lab, name)
    editor = opened(lab, "two.workflow.yaml", STEPS)
    screen(name.split()[-1].lower())

    parts = {".react-flow__arrowhead polyline": "fill", ".wfnb-way": "stroke", "i": "color"}
    colours = {
        editor.root.locator(part).first.evaluate(f"each => getComputedStyle(each).{style}")
        for part, style in parts.items()
    }
    theme(lab, THEMES[0])

    assert len(colours) == 1


def violations(lab: Lab) -> list[object]:
    """What axe finds in the editor as it is shown."""
    lab.run("(0, eval)(values[0])", AXE.read_text())
    return list(
        lab.page.evaluate(
            """async () => (await axe.run('.wfnb-editor')).violations
                .map(each => [each.id, each.nodes.map(node => node.html).slice(0, 3)])"""
        )
    )


@pytest.mark.parametrize("name", ALL_THEMES)
def test_axe_finds_nothing_in_the_editor(lab: Lab, screen: Screen, name: str):
    """With the tools, a form with names, problems and a failed run, as it is and as it ran."""
    theme(lab, name)
    editor = opened(lab, "two.workflow.yaml", STEPS.replace("echo {", "ls {"))
    editor.root.get_by_role("button", name="▶ Run").click()
    expect(editor.node("two")).to_contain_text("✕", timeout=2 * SLOW)
    editor.root.get_by_role("button", name="+ Add").click()
    expect(editor.tools.first).to_be_visible(timeout=SLOW)
    editor.node("two").click()
    expect(editor.form).to_contain_text("result of one", timeout=SLOW)
    editor.form.get_by_label("Another field").last.select_option("when")
    editor.form.get_by_role("button", name="Add it").last.click()
    expect(editor.root.locator(".wfnb-problems")).to_contain_text("cannot be empty", timeout=SLOW)
    expect(editor.form.get_by_role("listbox")).to_be_visible()
    screen(name.split()[-1].lower())

    found = violations(lab)
    for view in ("Outline", "Diagram", "As it ran"):
        editor.root.get_by_role("button", name=view).click()
        found += violations(lab)
    expect(editor.root.get_by_label("as it ran")).to_be_visible()
    screen(f"{name.split()[-1].lower()}-past")
    theme(lab, THEMES[0])

    assert found == []


def saga_fails(lab: Lab) -> Editor:
    """Three states, two of them with what undoes them, made by the mouse; the last fails."""
    editor = nothing(lab, "saga.workflow.yaml")
    editor.root.get_by_role("button", name="Begin with states").click()
    editor.root.get_by_role("button", name="+ Add").click()
    shell = editor.tools.filter(has=lab.page.locator("b", has_text="shell"))
    for place, (name, command) in enumerate(
        {"reserve": "echo reserved", "charge": "echo charged", "ship": "exit 3"}.items()
    ):
        if place > 0:
            shell.click()
        expect(editor.nodes).to_have_count(place + 1)
        editor.field("Name").fill(name)
        editor.field("Name").press("Enter")
        expect(editor.form).to_have_attribute("aria-label", f"Action {name}")
        editor.field("command *").fill(command)
        if name != "ship":
            editor.form.get_by_label("Another field").last.select_option("compensation")
            editor.form.get_by_role("button", name="Add it").last.click()
            editor.field("tool *").fill("shell")
            undo = editor.form.get_by_role("textbox", name="command *", exact=True).nth(1)
            undo.fill(f"echo {name} undone")
        editor.node(name).click()
    editor.root.get_by_role("button", name="▶ Run").click()
    expect(editor.root.locator(".wfnb-run-strip")).to_contain_text("rolled back", timeout=2 * SLOW)
    expect(editor.node("ship")).to_contain_text("✕")
    for name in ("reserve", "charge"):
        expect(editor.node(name)).to_contain_text(f"↶{name}")
        expect(editor.node(name)).to_contain_text("undone")
    return editor


def test_arrows_stay_while_a_run_is_told(lab: Lab):
    editor = opened(lab, "arrows.workflow.yaml", STEPS)
    expect(editor.root.locator(".react-flow__edge-path")).to_have_count(1, timeout=SLOW)
    lab.run("""window.fewest = 1; window.looks = 0; (function look() {
        const there = document.querySelectorAll('.react-flow__edge-path').length;
        window.fewest = Math.min(window.fewest, there);
        window.looks += 1; window.watch = requestAnimationFrame(look); })()""")

    editor.root.get_by_role("button", name="▶ Run").click()
    expect(editor.root.locator(".wfnb-run-strip")).to_contain_text("success", timeout=2 * SLOW)
    editor.node("two").click()
    expect(editor.form).to_have_attribute("aria-label", "Action two")

    lab.run("cancelAnimationFrame(window.watch)")
    assert lab.run("return window.looks") > 10
    assert lab.run("return window.fewest") == 1


def test_a_narrow_editor_has_the_tools_above_its_boxes(lab: Lab, screen: Screen):
    size = lab.page.viewport_size
    lab.page.set_viewport_size({"width": 1000, "height": 800})
    editor = opened(lab, "narrow.workflow.yaml", STEPS)
    editor.root.get_by_role("button", name="+ Add").click()
    expect(editor.tools.first).to_be_visible(timeout=SLOW)
    assert editor.root.evaluate("each => each.clientWidth") <= 640
    cut = "all => all.filter(each => each.clientHeight < each.scrollHeight).length"
    assert editor.tools.evaluate_all(cut) == 0

    for name in ("one", "two"):
        editor.node(name).click()
        expect(editor.form).to_have_attribute("aria-label", f"Action {name}")

    screen()
    lab.page.set_viewport_size(size)  # type: ignore[arg-type]


def test_at_twice_the_size_all_of_it_is_in_reach(lab: Lab, screen: Screen):
    size = lab.page.viewport_size
    lab.page.set_viewport_size({"width": 640, "height": 450})  # 1280 by 900, zoomed
    editor = opened(lab, "zoomed.workflow.yaml", STEPS)
    lab.run("app.shell.collapseLeft(); app.shell.collapseRight()")
    try:
        assert editor.root.evaluate("each => each.clientWidth") <= 480
        for whole in (editor.form, editor.root.locator(".wfnb-canvas")):
            whole.scroll_into_view_if_needed()
            box = whole.bounding_box()
            assert box is not None
            assert box["width"] > 250
            assert box["height"] > 120
        fill = editor.field("description")
        fill.fill("in reach")
        screen()
        editor.wait_for_text("in reach")
        editor.node("two").click()
        editor.field("command *").fill("echo 2")
        editor.wait_for_text("echo 2")
        lab.page.set_viewport_size({"width": 480, "height": 450})
        expect(lab.page.locator(".wfnb-workflow")).to_have_attribute("data-orientation", "vertical")
        expect(lab.page.locator(".wfnb-workflow-text")).to_be_in_viewport()
        screen("narrow")
    finally:
        lab.page.set_viewport_size(size)  # type: ignore[arg-type]


def test_a_saga_is_made_by_the_mouse_fails_is_undone_mended_and_resumed(lab: Lab, screen: Screen):
    editor = saga_fails(lab)
    strip = editor.root.locator(".wfnb-run-strip")
    screen("failed")

    editor.node("ship").click()
    editor.field("command *").fill("echo shipped")
    strip.get_by_role("button", name="Resume").click()

    expect(strip).to_contain_text("success", timeout=SLOW)
    for name in ("reserve", "charge", "ship"):
        expect(editor.node(name)).to_contain_text("✓")
        expect(editor.node(name)).not_to_contain_text("undone")
    screen()


MANY = "steps:\n" + "".join(
    f"  - {{id: s{n}, tool: shell, args: {{command: echo {n}}}}}\n" for n in range(40)
)


def test_what_is_added_or_led_to_comes_into_sight_and_a_click_moves_nothing(
    lab: Lab, screen: Screen
):
    lab.page.emulate_media(reduced_motion="reduce")
    wrong = MANY.replace("echo 20", "'{none.x}'")
    editor = opened(lab, "sight.workflow.yaml", wrong)
    problem = editor.root.locator(".wfnb-problems").get_by_role("button", name="none.x")
    problem.click(timeout=SLOW)
    expect(editor.node("s20")).to_be_in_viewport(ratio=1)
    editor.node("s21").click()
    editor.root.get_by_role("button", name="+ Add").click()
    expect(editor.tools.first).to_be_visible(timeout=SLOW)
    editor.tools.filter(has=lab.page.locator("b", has_text="sleep")).click()
    expect(editor.node("sleep")).to_be_in_viewport(ratio=1)
    screen()
    seen = editor.root.locator(".react-flow__viewport")
    before = seen.get_attribute("style")
    editor.node("s21").click()
    expect(editor.form).to_have_attribute("aria-label", "Action s21")
    assert seen.get_attribute("style") == before

    editor.root.get_by_role("button", name="Outline").click()
    editor.rows.last.click()
    editor.root.get_by_role("button", name="Diagram").click()
    expect(editor.node("s39")).to_be_in_viewport(ratio=1)
    editor.node("s39").focus()
    lab.page.keyboard.press("ArrowLeft")
    expect(editor.node("s38")).to_be_in_viewport(ratio=1)
    lab.page.emulate_media(reduced_motion="no-preference")


MOVED = """\
steps:
  - {id: fetch, tool: shell, args: {command: echo 3}}
  - {id: count, tool: shell, args: {command: echo 4}, needs: [fetch]}   # how many
  - {id: send, tool: shell, args: {command: echo 5}, needs: [count]}
  - {id: check, tool: shell, args: {command: echo 6}, needs: [send]}
"""


def test_a_box_that_is_dragged_onto_an_arrow_moves_between_the_two(lab: Lab, screen: Screen):
    editor = opened(lab, "moved.workflow.yaml", MOVED)
    lab.page.wait_for_timeout(500)
    edge = editor.root.get_by_label("from fetch to count").locator("path").first.bounding_box()
    box = editor.node("check").bounding_box()
    assert edge is not None
    assert box is not None
    mouse = lab.page.mouse
    mouse.move(box["x"] + 60, box["y"] + 12)
    mouse.down()
    mouse.move(edge["x"] + 40, edge["y"] + 60, steps=5)
    mouse.move(edge["x"] + edge["width"] / 2, edge["y"] + edge["height"] / 2, steps=5)
    expect(editor.root.locator(".wfnb-way-over")).to_have_count(1)
    screen("over")
    mouse.up()

    editor.wait_for_text("needs: [check]}   # how many")
    assert editor.text == MOVED.replace("[fetch]}   #", "[check]}   #").replace(
        "needs: [send]", "needs: [fetch]"
    )
    expect(editor.root.get_by_role("button", name="Arrange")).to_be_hidden()
    expect(editor.root.get_by_role("status")).to_contain_text("check comes between fetch and count")
    screen()


def test_boxes_that_are_dragged_stay_where_they_were_put(lab: Lab):
    editor = opened(lab, "stay.workflow.yaml", MOVED)

    def places() -> dict[str, str]:
        style = "each => each.style.transform"
        return {name: editor.node(name).evaluate(style) for name in ("fetch", "count", "send")}

    lab.page.wait_for_timeout(500)
    before = places()
    editor.node("fetch").click()
    editor.node("count").click(modifiers=["Control"])
    expect(editor.root.locator(".react-flow__node.selected")).to_have_count(2)
    box = editor.node("count").bounding_box()
    assert box is not None
    lab.page.mouse.move(box["x"] + 60, box["y"] + 12)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 100, box["y"] + 40, steps=5)
    lab.page.mouse.up()
    expect(editor.root.get_by_role("button", name="Arrange")).to_be_visible()
    after = places()
    lab.run("app.shell.currentWidget.dispose()")

    editor = opened(lab, "stay.workflow.yaml", MOVED)
    expect(editor.root.get_by_role("button", name="Arrange")).to_be_visible()
    assert places() == after
    assert after["send"] == before["send"]
    assert after["fetch"] != before["fetch"]
    assert after["count"] != before["count"]


BROKEN = """\
initial_state: reserve
states:
  reserve:
    action: {tool: shell, params: {command: echo reserved}}
    compensation: {tool: shell, params: {command: exit 4}}
    transitions: [{condition: {success: true}, next_state: ship}]
  ship:
    action: {tool: shell, params: {command: exit 3}}
"""


def test_what_could_not_be_undone_says_so_in_the_diagram_and_in_the_outline(
    lab: Lab, screen: Screen
):
    editor = opened(lab, "broken.workflow.yaml", BROKEN)
    editor.root.get_by_role("button", name="▶ Run").click()

    expect(editor.node("reserve")).to_contain_text("not undone", timeout=2 * SLOW)
    expect(editor.node("reserve")).to_contain_text("✓")
    expect(editor.root.get_by_title("not undone: exit code 4")).to_be_visible()
    screen()
    editor.root.get_by_role("button", name="Outline").click()
    expect(editor.rows.first).to_contain_text("✓ reserve shell not undone")


def test_a_field_that_is_added_has_the_keyboard_before_another_key_can_be_pressed(lab: Lab):
    editor = opened(lab, "quick.workflow.yaml", STEPS)
    editor.node("two").click()
    editor.form.get_by_label("Another field").last.select_option("when")

    held = editor.form.get_by_role("button", name="Add it").last.evaluate(
        """async button => {
            button.click();
            await null; // React draws what a key changed before the browser does anything else
            return document.activeElement.closest('[data-field]')?.dataset.field;
        }"""
    )

    assert held == "steps.1.when"


@pytest.mark.parametrize("where", ["field", "button"])
def test_escape_leads_from_the_form_to_the_action(lab: Lab, where: str):
    editor = opened(lab, f"{where}.workflow.yaml", STEPS)
    editor.node("two").click()
    spots = {
        "field": editor.form.get_by_label("Description"),
        "button": editor.form.get_by_role("button", name="Show it in the text"),
    }
    spots[where].focus()
    lab.page.keyboard.press("Escape")

    expect(editor.node("two")).to_be_focused()


def test_escape_leaves_a_name_that_was_being_typed_as_it_is_written(lab: Lab):
    editor = opened(lab, "half.workflow.yaml", STEPS)
    editor.node("two").click()
    lab.page.keyboard.press("F2")
    lab.page.keyboard.type("twofold")
    lab.page.keyboard.press("Escape")

    expect(editor.node("two")).to_be_focused()
    expect(editor.form.get_by_label("Name", exact=True)).to_have_value("two")
