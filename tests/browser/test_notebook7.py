"""Notebook 7: the same extension, and the widget, in the classic page of one notebook."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from .conftest import SCREENS, SIZE
from .lab import SLOW, STEPS, Lab


def test_notebook_7_has_the_panel_the_badges_and_the_widget(
    browser: Browser, server: tuple[str, Path]
):
    address, work = server
    context = browser.new_context(viewport=SIZE)
    context.set_default_timeout(SLOW)
    page = context.new_page()
    lab = Lab(page=page, address=address, work=work)
    faults = []
    page.on("request", lambda request: lab.requests.append(request.url))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    (work / "seven.ipynb").write_text(STEPS)

    page.goto(f"{address}/notebooks/seven.ipynb")
    lab.ready()
    lab.run("await app.shell.currentWidget.sessionContext.ready")
    lab.command("notebook:run-all-cells")
    expect(page.locator(".wfnb-badge")).to_have_count(3)
    lab.cell("%wfnb panel")
    expect(page.locator(".wfnb-in-cell").get_by_role("row")).to_have_count(3)
    lab.command("wfnb:open-panel")
    expect(lab.rows).to_have_count(3)
    lab.settled()
    SCREENS.mkdir(exist_ok=True)
    page.screenshot(path=SCREENS / "notebook_7.png")
    lab.run("await app.serviceManager.sessions.shutdownAll()")
    context.close()

    assert [said for said in faults if "wfnb" in said] == []
    assert lab.hosts == {"127.0.0.1"}
