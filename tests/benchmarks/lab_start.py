"""How long JupyterLab takes to start with the extension and without it, in pairs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import chromium
from tests.browser.lab import SLOW, Server

from .figures import Figure, Measured, Times, told

PAIRS = 15
WITHOUT = {
    "labconfig/page_config.json": {"disabledExtensions": {"wfnb": True}},
    "jupyter_server_config.json": {"ServerApp": {"jpserver_extensions": {"wfnb.server": False}}},
}
"""Of the folder of configuration: neither the page nor the server has it."""
RESTORED = """
const looking = setInterval(() => {
    if (window.jupyterapp) {
        clearInterval(looking);
        window.jupyterapp.restored.then(() => { window.restoredAfter = performance.now() / 1000; });
    }
}, 2);
"""


def measure() -> Iterator[Measured]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(playwright))
        yield from measure_with(browser)
        browser.close()


def measure_with(browser: Browser) -> Iterator[Measured]:
    found: dict[bool, list[float]] = {True: [], False: []}
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        own, bare = Server(Path(one)), Server(Path(other))
        for name, said in WITHOUT.items():
            file = bare.folder / "config" / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(json.dumps(said))
        with own, bare:
            for each in range(PAIRS + 1):  # the first does not count
                # each is the first of a pair as often as the other
                for server in (own, bare) if each % 2 else (bare, own):
                    found[server is own].append(_started(browser, server, server is own))
    without, with_it = found[False][1:], found[True][1:]
    yield told("JupyterLab starts in a new profile, with wfnb", Times(with_it))
    yield told("the same without it", Times(without))
    difference = median(one - other for one, other in zip(with_it, without, strict=True))
    yield Figure("the difference, of pairs", "", f"{difference * 1000:+.0f} ms")


def _started(browser: Browser, server: Server, own: bool) -> float:
    """Seconds until it is restored, with nothing in the browser's cache."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(RESTORED)
    page.goto(f"{server.address}/lab?reset")
    page.wait_for_function("() => window.restoredAfter", timeout=2 * SLOW)
    after: float = page.evaluate("() => window.restoredAfter")
    has_it = page.evaluate("() => window.jupyterapp.commands.hasCommand('wfnb:open-panel')")
    context.close()
    assert has_it is own
    return after
