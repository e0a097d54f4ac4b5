"""The server goes away and comes back: the panel says so, and shows the history again by itself."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .conftest import SIZE, Screen
from .lab import SLOW, Lab, Server, notebook
from .test_journal import named

STEPS = notebook(
    "%load_ext wfnb\n%wfnb start lost --fresh", "%%step Load\nx = 1", "%%step Fit\nx + 1"
)
LOST = "The connection to the server is lost."
READ_ONLY = "The history as it was saved: no kernel has loaded it."


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    with server:
        yield server


@pytest.fixture
def lab(browser: Browser, server: Server) -> Iterator[Lab]:
    """A page of a server that may go away."""
    context = browser.new_context(viewport=SIZE)
    context.set_default_timeout(SLOW)
    page = context.new_page()
    said = page.get_by_role("dialog").filter(has_text="Server Connection Error")
    page.add_locator_handler(said, lambda: page.keyboard.press("Escape"))  # JupyterLab's own
    lab = Lab(page=page, address=server.address, work=server.work)
    lab.start()
    lab.open("lost.ipynb", STEPS)
    lab.run_all()
    expect(lab.rows).to_have_count(2)
    named(lab)
    lab.command("docmanager:save")
    yield lab
    context.close()


def test_a_server_that_is_gone_is_said_to_be_gone_and_a_new_one_shows_the_history(
    lab: Lab, server: Server, tmp_path: Path
):
    screen = Screen(lab, "test_lost")
    undo = lab.panel.get_by_role("button", name="undo")

    server.stop()

    expect(lab.panel.get_by_text(LOST)).to_be_visible()
    expect(lab.rows).to_have_count(2)
    expect(undo).to_be_disabled()
    expect(undo).to_have_attribute("title", LOST)
    lab.rows.filter(has_text="Fit").click()
    expect(lab.panel.locator(".wfnb-card")).to_contain_text("connection")
    screen("gone")

    server.start()

    expect(lab.panel.get_by_text(LOST)).to_be_hidden(timeout=2 * SLOW)
    expect(lab.panel.get_by_text(READ_ONLY)).to_be_visible(timeout=2 * SLOW)
    expect(lab.rows).to_have_count(2)
    screen("back")


def test_a_page_that_is_opened_when_the_server_was_restarted_shows_the_history(
    lab: Lab, server: Server
):
    server.stop()
    server.start()

    lab.start()
    lab.open("lost.ipynb")

    expect(lab.panel.get_by_text(READ_ONLY)).to_be_visible()
    expect(lab.rows).to_have_count(2)
    expect(lab.page.locator(".wfnb-badge")).to_have_count(2)


def test_a_kernel_that_was_killed_leaves_what_it_recorded_and_the_step_it_was_in(lab: Lab):
    pid = int(lab.run(
        """
        const {kernel} = app.shell.currentWidget.sessionContext.session;
        const future = kernel.requestExecute({code: 'import os; print(os.getpid())'});
        let text = '';
        future.onIOPub = ({content}) => { text += content.text ?? ''; };
        await future.done;
        return text;
        """
    ))  # fmt: skip
    lab.run(
        """
        const model = app.shell.currentWidget.content.model.sharedModel;
        const source = '%%step Endless\\nimport time; time.sleep(600)';
        model.insertCell(model.cells.length, {cell_type: 'code', source});
        """
    )
    lab.begin(3)
    expect(lab.rows.filter(has_text="Endless")).to_contain_text("running")

    os.kill(pid, signal.SIGKILL)

    expect(lab.panel.get_by_text(READ_ONLY)).to_be_visible(timeout=2 * SLOW)
    expect(lab.rows.filter(has_text="Endless")).to_contain_text("interrupted")
    expect(lab.rows).to_have_count(3)
