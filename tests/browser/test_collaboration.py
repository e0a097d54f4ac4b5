"""One workflow that two people have open, each in a page of their own. It needs
jupyter-collaboration, which no other test has: `make matrix ROWS=shared`."""

from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec

import pytest
from playwright.sync_api import Browser, TimeoutError, expect

from .conftest import SIZE, Screen
from .lab import SLOW, Lab, notebook
from .test_workflow_editor import STEPS, Editor

pytestmark = pytest.mark.skipif(
    find_spec("jupyter_collaboration") is None, reason="jupyter-collaboration is not installed"
)


@pytest.fixture
def other(lab: Lab, browser: Browser) -> Iterator[Lab]:
    """Another person's page."""
    context = browser.new_context(viewport=SIZE)
    context.set_default_timeout(SLOW)
    page = Lab(page=context.new_page(), address=lab.address, work=lab.work)
    page.start()
    yield page
    page.close()
    context.close()


def joined(lab: Lab, other: Lab, name: str) -> tuple[Editor, Editor]:
    """Both have opened the file."""
    (lab.work / name).write_text(STEPS)
    both = Editor(lab, name), Editor(other, name)
    for each in both:
        each.lab.run("await app.commands.execute('docmanager:open', {path: values[0]})", name)
        expect(each.nodes).to_have_count(2, timeout=SLOW)
    return both


def alike(one: Editor, other: Editor, text: str) -> None:
    for each in (one, other):
        with suppress(TimeoutError):
            each.page.wait_for_function(
                "text => jupyterapp.shell.currentWidget.context.model.sharedModel.getSource()"
                " === text",
                arg=text,
            )
        assert each.text == text


def test_what_one_draws_and_types_is_there_for_the_other(lab: Lab, other: Lab, screen: Screen):
    one, two = joined(lab, other, "both.workflow.yaml")
    provider = "return app.shell.currentWidget.context.model.collaborative"
    assert lab.run(provider)

    one.node("one").click()
    one.field("command *").fill("echo 1")
    expect(two.page.locator(".wfnb-workflow-text")).to_contain_text("echo 1")
    two.node("one").click()
    expect(two.field("command *")).to_have_value("echo 1")
    two.type(STEPS + "  - {id: three, tool: shell, args: {command: ls}}\n")
    expect(one.nodes).to_have_count(3)
    expect(one.field("command *")).to_have_value("echo one")
    screen()


def test_edits_at_once_lose_nothing_and_undo_takes_back_ones_own(lab: Lab, other: Lab):
    one, two = joined(lab, other, "once.workflow.yaml")
    one.node("one").click()
    one.field("command *").press("End")
    two.lab.run(
        """
        const shared = app.shell.currentWidget.context.model.sharedModel;
        let left = 60;
        const timer = setInterval(() => {
            const at = shared.getSource().indexOf('   # the first') + 14;
            shared.updateSource(at, at, 'x');
            if (--left === 0) { clearInterval(timer); }
        }, 15);
        """
    )
    one.page.keyboard.type("-and-one-more-thing-to-be-typed", delay=20)

    both = STEPS.replace("echo one}", "echo one-and-one-more-thing-to-be-typed}").replace(
        "# the first", "# the first" + 60 * "x"
    )
    alike(one, two, both)
    one.field("Name").fill("first")
    one.field("Name").press("Enter")
    renamed = both.replace("id: one", "id: first").replace("{one.", "{first.")
    alike(one, two, renamed)
    two.lab.run(
        """
        const shared = app.shell.currentWidget.context.model.sharedModel;
        shared.updateSource(shared.getSource().length, shared.getSource().length, values[0]);
        """,
        "# by the other\n",
    )
    alike(one, two, renamed + "# by the other\n")
    expect(one.node("first")).to_be_visible()
    one.undo()
    alike(one, two, both + "# by the other\n")


def test_what_one_runs_is_seen_by_the_other_who_resumes_it(lab: Lab, other: Lab, screen: Screen):
    one, two = joined(lab, other, "seen.workflow.yaml")
    one.type(STEPS.replace("echo {one.stdout!q}", "'false'"))
    one.root.get_by_role("button", name="▶ Run").click()

    strip = two.root.locator(".wfnb-run-strip")
    expect(one.node("two")).to_contain_text("✕", timeout=2 * SLOW)
    expect(two.node("two")).to_contain_text("✕", timeout=2 * SLOW)
    screen()
    two.node("two").click()
    two.field("command *").fill("echo 2")
    expect(one.node("two")).to_contain_text("edited")
    strip.get_by_role("button", name="Resume").click()
    expect(one.node("two")).to_contain_text("✓", timeout=SLOW)
    expect(strip).to_contain_text("success")


def test_a_cell_of_a_shared_notebook_is_edited_as_a_diagram(lab: Lab, other: Lab):
    text = "%%run_workflow two --no-save\n" + STEPS
    lab.open("shared.ipynb", notebook("%load_ext wfnb", text))
    lab.run("app.shell.currentWidget.content.activeCellIndex = 1")
    other.open("shared.ipynb")
    other.run("app.shell.currentWidget.content.activeCellIndex = 1")
    editors = Editor(lab, ""), Editor(other, "")
    for each in editors:
        each.lab.command("wfnb:edit-workflow-cell")
        expect(each.nodes).to_have_count(2)
    one, two = editors

    one.node("one").click()
    one.field("Name").fill("first")
    one.field("Name").press("Enter")

    expect(two.node("first")).to_be_visible()
    two.node("two").click()
    two.field("Description").fill("the second")
    one.node("two").click()
    expect(one.field("Description")).to_have_value("the second")
    one.undo()
    expect(two.node("one")).to_be_visible()
    expect(one.field("command *")).to_have_value("echo {one.stdout!q}")
    expect(one.field("Description")).to_have_value("the second")
