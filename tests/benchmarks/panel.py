"""What a person waits for who has the panel open, in a real JupyterLab in a real browser; what a
widget costs, and the extension."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, Response, ViewportSize, sync_playwright

from tests.browser.chromium import chromium
from tests.browser.lab import SLOW, Lab, notebook, serving
from wfnb.home_folder import Home

from .figures import Figure, Measured, Times, told, within
from .histories import by_cell

SIZE: ViewportSize = {"width": 1440, "height": 900}
OPENS = {1_000: 0.3, 10_000: 1.0}
APPEARS, BUILT = 0.150, 0.010
KEPT, ADDED = 25_000, 100_000  # bytes
FRAMES = 50
PIXELS = (40, 400)
TIMES, STEPS, SCROLLS, WIDGETS = 9, 40, 4, 30
SCROLLING = 3_000
"""Milliseconds of scrolling at a time."""
LAST = "Fit day {steps}"
USES = "%load_ext wfnb\n%wfnb resume"
SEEN = """
const seen = title => new Promise(done => {
    const look = () => {
        const shown = [...document.querySelectorAll('#wfnb-panel .wfnb-title')].some(
            each => each.textContent === title && each.closest('[hidden]') === null
                && each.getBoundingClientRect().height > 0);
        if (shown) { done(performance.now()); } else { requestAnimationFrame(look); }
    };
    look();
});
"""
OPEN_NOTEBOOK = """
app.shell.collapseLeft();
app.shell.collapseRight();
const panel = await app.commands.execute('docmanager:open', {path: values[0]});
await panel.context.ready;
await panel.sessionContext.ready;
await panel.sessionContext.session.kernel.info;
app.shell.activateById(panel.id);
"""
RUN = """
const session = app.shell.currentWidget.sessionContext.session;
const reply = await session.kernel.requestExecute({code: values[0]}).done;
if (reply.content.status !== 'ok') { throw new Error(JSON.stringify(reply.content)); }
"""
PANEL_OPENS = f"""{SEEN}
const begun = performance.now();
void app.commands.execute('wfnb:open-panel');
return (await seen(values[0]) - begun) / 1000;
"""
STEP_APPEARS = f"""{SEEN}
await new Promise(done => setTimeout(done, values[1]));
const session = app.shell.currentWidget.sessionContext.session;
const there = seen(values[0]);
await session.kernel.requestExecute({{code: `%%step ${{values[0]}}\\n1`}}).done;
const ended = performance.now();
return Math.max(0, await there - ended) / 1000;
"""
SCROLLED = """
const list = [...document.querySelectorAll('#wfnb-panel .wfnb-list')].find(
    each => each.clientHeight > 0);
list.scrollTop = list.scrollHeight / 2;
await new Promise(done => setTimeout(done, 300));
const frames = [], work = [];
let blank = 0, begun = 0;
const drawn = new MessageChannel();
drawn.port1.onmessage = () => work.push((performance.now() - begun) / 1000);
await new Promise(done => {
    const frame = now => {
        begun = performance.now();
        drawn.port2.postMessage(null);
        frames.push(now);
        if (now - frames[0] > values[1]) { return done(); }
        if (values[0]) { list.scrollTop -= values[0]; }
        blank += list.querySelector('.wfnb-row .wfnb-title') === null;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
});
return {frames: frames.slice(1).map((each, i) => (each - frames[i]) / 1000), work, blank};
"""
CLOSED = "for (const widget of [...app.shell.widgets('main')]) { widget.dispose(); }"
CONSTRUCTED = f"""
from time import perf_counter as _now
_begun = _now()
from wfnb.jupyter.panel.assets import load_assets as _built
from wfnb.jupyter.panel.widget import PanelWidget as _Panel
_imported = _now() - _begun
def _make():
    begun = _now()
    widget = _Panel(get_ipython(), _built(), "drift")
    took = _now() - begun
    widget.close()
    return took
_first = _make()
_took = [_make() for _ in range({WIDGETS})]
open("{{file}}", "w").write(repr((_imported, _first, _took)))
"""


def measure() -> Iterator[Measured]:
    with TemporaryDirectory() as there:
        folder = Path(there)
        with serving(folder) as address, browsing() as page:
            bodies: list[Response] = []
            page.on("response", lambda response: bodies.append(response))
            lab = Lab(page=page, address=address, work=folder / "work")
            lab.start()
            yield _added(bodies)
            yield from measure_in(lab)


def measure_in(lab: Lab) -> Iterator[Measured]:
    """In a JupyterLab where nothing is open."""
    for steps in OPENS:
        _recorded(lab.work.parent / "sessions", f"of-{steps}", steps)
    for steps, limit in OPENS.items():
        yield from _opened(lab, steps, limit)
        yield from _followed(lab, steps)
    yield from _scrolled(lab)
    lab.close()
    yield from _widgets(lab)
    lab.close()


def _opened(lab: Lab, steps: int, limit: float) -> Iterator[Measured]:
    """Each time in a view that has not been drawn; the session is in use in the kernel."""
    name = f"of-{steps}.ipynb"
    (lab.work / name).write_text(notebook(""))
    lab.run(OPEN_NOTEBOOK, name)
    lab.run(RUN, f"{USES} of-{steps}")
    found = []
    for _ in range(TIMES + 1):
        lab.run(CLOSED)
        lab.run(OPEN_NOTEBOOK, name)
        lab.page.wait_for_timeout(500)  # a person opens the panel later than the notebook
        found.append(lab.run(PANEL_OPENS, LAST.format(steps=steps)))
    what = f"the panel shows a session of {steps:,} steps after it was opened"
    yield within(what, Times(found[1:]), limit)
    yield told("the same for the first time, which loads what draws it", Times(found[:1]))


def _followed(lab: Lab, steps: int) -> Iterator[Measured]:
    """The panel is open. Cells come at any moment of the tenth of a second between messages."""
    found = [
        lab.run(STEP_APPEARS, f"Look at part {number} of {steps}", 50 + 17 * (number % 13))
        for number in range(STEPS)
    ]
    yield within(f"a step appears after its cell ended, {steps:,} before", Times(found), APPEARS)


def _scrolled(lab: Lab) -> Iterator[Measured]:
    """The longest session that was opened, through so much of it that pages have to come; in turn
    with the same frames and nothing to scroll, which is as fast as the browser can be here now."""
    frames: dict[int, list[float]] = {pixels: [] for pixels in (0, *PIXELS)}
    work: dict[int, list[float]] = {pixels: [] for pixels in frames}
    blank = dict.fromkeys(frames, 0)
    for _ in range(SCROLLS):
        for pixels in frames:
            one = lab.run(SCROLLED, pixels, SCROLLING)
            frames[pixels] += one["frames"]
            work[pixels] += one["work"]
            blank[pixels] += one["blank"]
    rates = {pixels: len(found) / sum(found) for pixels, found in frames.items()}
    yield Figure("frames of the page when nothing scrolls", "", f"{rates[0]:.1f} a second")
    for pixels in PIXELS:
        yield Figure(
            f"scrolling 10,000 steps, {pixels} pixels a frame, {blank[pixels]} frames without rows",
            f"≥ {FRAMES} a second",
            f"{rates[pixels]:.1f} a second",
            met=rates[pixels] >= FRAMES,
        )
        yield told("what the page does in each of these frames", Times(work[pixels]))


def _widgets(lab: Lab) -> Iterator[Measured]:
    """What a widget costs the kernel, and a notebook that was saved with one."""
    (lab.work / "widgets.ipynb").write_text(notebook(""))
    lab.run(OPEN_NOTEBOOK, "widgets.ipynb")
    file = lab.work / "widgets.txt"
    lab.run(RUN, f"{USES} of-{max(OPENS)}")
    lab.run(RUN, CONSTRUCTED.replace("{file}", str(file)))
    imported, first, took = eval(file.read_text(), {})
    yield within("a widget is made in the kernel", Times(took), BUILT)
    yield told("the first one, without its imports", Times([first]))
    yield told("its imports (anywidget, ipywidgets)", Times([imported]))
    sizes = [_saved(lab, "widgets.ipynb")]
    for _ in range(2):
        shown = lab.page.locator(".jp-OutputArea .wfnb-in-cell .wfnb-row")
        before = lab.page.locator(".jp-OutputArea .wfnb-in-cell").count()
        lab.cell("%wfnb panel")
        lab.page.wait_for_function(
            "count => document.querySelectorAll('.jp-OutputArea .wfnb-in-cell').length > count",
            arg=before,
            timeout=SLOW,
        )
        shown.first.wait_for(timeout=SLOW)
        sizes.append(_saved(lab, "widgets.ipynb"))
    more = [after - before for before, after in pairwise(sizes)]
    yield Figure(
        "bytes that a widget over 10,000 steps adds to a saved notebook, the first and another",
        f"≤ {KEPT:,}",
        f"{more[0]:,}",
        f"{more[1]:,}",
        met=max(more) <= KEPT,
    )


def _saved(lab: Lab, name: str) -> int:
    """The size of the notebook as JupyterLab saves it."""
    lab.page.wait_for_timeout(500)  # models that have just come are there to be saved, too
    lab.run("await app.shell.currentWidget.context.save()")
    return (lab.work / name).stat().st_size


def _added(bodies: list[Response]) -> Figure:
    """What the extension adds to what JupyterLab loads before anything is opened."""
    own = [each for each in bodies if "/extensions/wfnb/" in each.url and each.ok]
    assert own
    files = [each.body() for each in own]
    packed = sum(len(gzip.compress(body)) for body in files)
    return Figure(
        f"bytes the extension adds to JupyterLab's start, gzip, in {len(own)} files",
        f"≤ {ADDED:,}",
        f"{packed:,}",
        f"{sum(map(len, files)):,} plain",
        met=packed <= ADDED,
    )


def _recorded(home: Path, name: str, steps: int) -> None:
    place = Home(home)
    workspace = place.start(name)
    for number in range(1, steps + 1):
        by_cell(workspace, number)
    place.journal.close()


@contextmanager
def browsing() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(playwright))
        context = browser.new_context(viewport=SIZE)
        context.set_default_timeout(2 * SLOW)
        yield context.new_page()
        browser.close()
