"""example notebooks, and a workflow's file, in a real JupyterLab -> docs/panel.png,
panel-dark.png, agents.png, and those of the editor.

`make docs` calls it. Without a browser the pictures stay as they are, and it says how to get one.
What a step took is in the pictures, so that they are new each time; look at them.
"""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import expect, sync_playwright

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))

from tests.browser.chromium import chromium  # noqa: E402  the folder above has to be known first
from tests.browser.lab import SLOW, Lab, serving  # noqa: E402  as above
from tests.browser.test_workflow_examples import (  # noqa: E402  as above
    branching_fails,
    debug_asks,
    debug_fails,
    pipeline_fails,
    pipeline_succeeds,
)
from tests.browser.test_workflow_hands import saga_fails  # noqa: E402  as above

NOTEBOOK, AGENTS = "09-panel.ipynb", "11-agents.ipynb"
SIZE = {"width": 1280, "height": 800}
WIDTH = 440
"""Of the panel, in pixels."""
COLOURS = 256
"""Enough for what is mostly letters, in a file of half the size."""

WORKFLOW = """\
# the yields of the year, to those who wait for them
name: barley
description: Look, count, and send what was counted
variables:
  year: 1932
  places: [Crookston, Duluth, Morris]
initial_state: look
states:
  look:
    action: {tool: shell, params: {command: "test -e data/barley_yield.csv"}}
    retry: {attempts: 3, wait: 1}
    transitions:
      - {condition: {success: true}, next_state: count}
      - {condition: {success: false}, next_state: tell}
  count:
    description: Lines of each place
    action:
      tool: shell
      params:
        command: grep -c {item!q} data/barley_yield.csv   # one number each
    for_each: places
    transitions:
      - {condition: success, next_state: send}
  send:
    action: {tool: shell, params: {command: "test {year!q} = 1931"}}
    timeout: 60
    on_timeout: tell
    compensation: {tool: shell, params: {command: echo taken back}}
    transitions:
      - {condition: {success: false}, next_state: tell}
  tell:
    action: {tool: shell, params: {command: "echo not sent; exit 1"}}
"""


def main() -> None:
    try:
        with opened() as lab:
            write_editor(lab)
            write_agents(lab)
            write(lab)
    except LookupError as missing:
        print(f"as it was  docs/panel.png and all other pictures of a screen: {missing}")


def write_editor(lab: Lab) -> None:
    """A workflow that was run, and failed at an action that is chosen."""
    (lab.work / "barley.workflow.yaml").write_text(WORKFLOW)
    lab.run("app.shell.collapseLeft()")
    lab.run("await app.commands.execute('docmanager:open', {path: 'barley.workflow.yaml'})")
    page = lab.page
    page.get_by_role("button", name="Run").click()
    page.locator(".jp-Dialog").get_by_role("button", name="Run").click()
    failed = page.locator('.react-flow__node[data-id="send"]')
    expect(failed).to_contain_text("✕", timeout=SLOW)
    failed.click()
    expect(page.locator(".wfnb-form")).to_be_visible()
    expect(page.locator(".react-flow__edge-path")).to_have_count(5)  # boxes come before arrows
    save_and_close(lab, "editor.png")
    saga_fails(lab)
    save_and_close(lab, "editor-saga.png")
    branching_fails(lab)
    save_and_close(lab, "editor-workflow.png")
    pipeline_succeeds(pipeline_fails(lab))
    save_and_close(lab, "editor-pipeline.png", lists_tools=True)
    debug_asks(debug_fails(lab))
    save_and_close(lab, "editor-debug.png", lists_tools=True)


def save_and_close(lab: Lab, name: str, lists_tools: bool = False) -> None:
    """Without the list of tools, where it is open."""
    if lists_tools:
        lab.page.get_by_role("button", name="+ Add").click()
    save(lab, name)
    lab.close()


def write_agents(lab: Lab) -> None:
    """Steps of a person and of an agent, one of whose is opened."""
    lab.open(AGENTS)
    lab.run("app.shell.collapseLeft()")
    lab.run_all()
    widen(lab)
    expect(lab.rows).to_have_count(5, timeout=SLOW)
    lab.rows.filter(has_text="Days are cut").click()
    expect(lab.panel.locator(".wfnb-card")).to_contain_text("confidence")
    show(lab, "meanwhile")
    picture(lab, "agents.png")
    lab.close()


def write(lab: Lab) -> None:
    """The timeline beside the branches; then, in the dark, a run that asks something."""
    lab.open(NOTEBOOK)
    lab.run("app.shell.collapseLeft()")
    lab.run_all()
    widen(lab)
    expect(lab.rows).to_have_count(8, timeout=SLOW)
    lab.rows.filter(has_text="By how much").click()
    expect(lab.panel.locator(".wfnb-card")).to_contain_text("source")
    show(lab, "within")
    picture(lab, "panel.png")

    lab.command("apputils:change-theme", theme="JupyterLab Dark")
    lab.page.locator("body[data-jp-theme-light=false]").wait_for(state="attached")
    lab.cell("%run_workflow order --var place=Crookston --var patience=600 --background")
    lab.panel.get_by_role("tab", name="Runs").click()
    lab.panel.locator(".wfnb-run-head", has_text="order-2").click()
    expect(lab.panel.get_by_role("table", name="Actions")).to_be_visible()
    picture(lab, "panel-dark.png")
    lab.panel.get_by_role("button", name="Trebi").click()
    expect(lab.panel.get_by_role("button", name="Trebi")).to_have_count(0)


@contextmanager
def opened() -> Iterator[Lab]:
    """JupyterLab on a copy of the example notebooks. LookupError where there is no browser."""
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(playwright))
        folder = Path(name).resolve()
        shutil.copytree(
            DOCS.parent / "notebooks", folder / "work", ignore=shutil.ignore_patterns(".*", "__*")
        )
        with serving(folder) as address:
            page = browser.new_page(viewport=SIZE)
            page.set_default_timeout(SLOW)
            lab = Lab(page=page, address=address, work=folder / "work")
            lab.start()
            yield lab
            lab.close()
        browser.close()


def widen(lab: Lab) -> None:
    """Drag the border of the panel, as a person does."""
    border = lab.page.locator("#jp-main-split-panel > .lm-SplitPanel-handle:visible").last
    box, panel = border.bounding_box(), lab.panel.bounding_box()
    assert box is not None
    assert panel is not None
    y = box["y"] + box["height"] / 2
    lab.page.mouse.move(box["x"], y)
    lab.page.mouse.down()
    lab.page.mouse.move(panel["x"] + panel["width"] - WIDTH, y, steps=5)
    lab.page.mouse.up()


def show(lab: Lab, cell: str) -> None:
    """Put the cell of that id at the top of the notebook."""
    lab.run(
        """
        const notebook = app.shell.currentWidget.content;
        const index = notebook.widgets.findIndex(each => each.model.id === values[0]);
        notebook.activeCellIndex = index;
        await notebook.scrollToItem(index, 'start');
        """,
        cell,
    )


def picture(lab: Lab, name: str) -> None:
    lab.page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    lab.page.mouse.move(SIZE["width"] / 2, SIZE["height"] - 1)
    save(lab, name)


def save(lab: Lab, name: str) -> None:
    lab.settled()
    with Image.open(BytesIO(lab.page.screenshot())) as seen:
        seen.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(DOCS / name, optimize=True)
    print(f"written    docs/{name}")


if __name__ == "__main__":
    main()
