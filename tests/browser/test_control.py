"""Following, steering and asking while a cell runs; several notebooks; the widget in a cell."""

from playwright.sync_api import expect

from .conftest import Screen
from .lab import Lab, notebook
from .test_panel import STEPS

OTHER = notebook("%load_ext wfnb\n%wfnb start other --fresh", "%%step Something else\n1")
WAITING = notebook(
    "%load_ext wfnb\n%wfnb start waiting --fresh",
    "%%step Before\n1",
    "%%step Waits\nimport threading\nthreading.Event().wait()",
)


def begin(lab: Lab, index: int) -> None:
    """Run a cell without waiting for its end."""
    lab.run(
        """
        app.shell.currentWidget.content.activeCellIndex = values[0];
        void app.commands.execute('notebook:run-cell');
        """,
        index,
    )


def test_the_panel_follows_the_notebook_that_is_worked_in(lab: Lab):
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    lab.open("other.ipynb", OTHER)
    lab.run_all()

    expect(lab.rows).to_have_count(1)
    lab.page.get_by_role("tab", name="steps.ipynb").click()
    expect(lab.rows.filter(visible=True)).to_have_count(3)


def test_a_step_that_runs_is_shown_and_opened_while_it_runs(lab: Lab, screen: Screen):
    lab.open("waiting.ipynb", WAITING)
    for index in (0, 1):
        lab.run("app.shell.currentWidget.content.activeCellIndex = values[0]", index)
        lab.command("notebook:run-cell")
    begin(lab, 2)
    expect(lab.rows.filter(has_text="Waits")).to_contain_text("running")

    lab.rows.filter(has_text="Before").click()

    expect(lab.panel.locator(".wfnb-card")).to_contain_text("go to cell")
    screen()
    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.interrupt()")
    expect(lab.rows.filter(has_text="Waits")).to_contain_text("interrupted")


def test_the_panel_is_there_at_once_when_the_page_is_loaded_while_a_cell_runs(lab: Lab):
    lab.open("waiting.ipynb", WAITING)
    for index in (0, 1):
        lab.run("app.shell.currentWidget.content.activeCellIndex = values[0]", index)
        lab.command("notebook:run-cell")
    begin(lab, 2)
    expect(lab.rows).to_have_count(2)
    lab.command("docmanager:save")

    lab.page.reload()
    lab.ready()

    expect(lab.rows).to_have_count(2)
    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.interrupt()")
    expect(lab.rows.filter(has_text="Waits")).to_contain_text("interrupted")


def test_the_widget_shows_the_same_in_a_cell(lab: Lab, screen: Screen):
    lab.open("steps.ipynb", STEPS)
    lab.run_all()

    lab.cell("%wfnb panel")
    widget = lab.page.locator(".jp-OutputArea-output .wfnb-in-cell")
    expect(widget.get_by_role("row")).to_have_count(3)
    lab.cell("%%step And one more\n0")

    expect(widget.get_by_role("row")).to_have_count(4)
    expect(lab.rows).to_have_count(4)
    widget.scroll_into_view_if_needed()
    screen()


def test_two_widgets_bring_the_renderer_once(lab: Lab):
    lab.open("steps.ipynb", STEPS)
    lab.run_all()

    lab.cell("%wfnb panel")
    lab.cell("%wfnb panel")

    widgets = lab.page.locator(".jp-OutputArea-output .wfnb-in-cell")
    expect(widgets).to_have_count(2)
    kept = "return window[Symbol.for('wfnb.renderers')].size"
    assert lab.run(kept) == 1
