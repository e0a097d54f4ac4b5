"""A JupyterLab and a page for all tests, nothing open at the start of each, and a folder for what
it looked like."""

import shutil
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect, sync_playwright

from .chromium import chromium
from .lab import SLOW, STEPS, Lab, serving

HERE = Path(__file__).parent
SCREENS = HERE / "screens"
NOTEBOOKS = HERE.parents[1] / "notebooks"
SIZE = {"width": 1440, "height": 900}
PLAIN = ("--disable-gpu", "--disable-smooth-scrolling")
"""Where no graphics card is, imitating one takes a third of all that a test takes."""

expect.set_options(timeout=SLOW)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        try:
            program = chromium(playwright)
        except LookupError as missing:
            pytest.fail(str(missing))
        browser = playwright.chromium.launch(executable_path=program, args=PLAIN)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a JupyterLab, and its folder with the example notebooks in it."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(NOTEBOOKS, folder / "work", ignore=shutil.ignore_patterns(".*"))
    with serving(folder) as address:
        yield address, folder / "work"


@pytest.fixture(scope="session")
def shared(browser: Browser, server: tuple[str, Path]) -> Iterator[Lab]:
    """A page that all tests share: it takes longer to load than most of them."""
    address, work = server
    context = browser.new_context(viewport=SIZE)
    context.set_default_timeout(SLOW)
    page = context.new_page()
    lab = Lab(page=page, address=address, work=work)
    page.on("request", lambda request: lab.requests.append(request.url))
    lab.start()
    yield lab
    context.close()


@pytest.fixture
def lab(shared: Lab) -> Iterator[Lab]:
    """The shared page, with nothing open. It asks no other machine for anything."""
    shared.requests.clear()
    assert shared.dismiss() == []  # what the test before has asked late
    yield shared
    shared.close()
    assert shared.dismiss() == []
    assert shared.hosts == {"127.0.0.1"}


@pytest.fixture
def steps(lab: Lab) -> Lab:
    """Three steps on two lines, shown in the panel."""
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    expect(lab.rows).to_have_count(3)
    return lab


@pytest.fixture
def screen(lab: Lab, request: pytest.FixtureRequest) -> "Screen":
    return Screen(lab, request.function.__name__)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What the page looked like when a test failed is kept, and what its server said is shown:
    some failures are rare."""
    report = yield
    found = getattr(item, "funcargs", {}).get("shared")
    if report.failed and isinstance(found, Lab):
        SCREENS.mkdir(exist_ok=True)
        with suppress(Error):  # where there is no page any more
            report.sections.append(("what JupyterLab said", found.said()))
            found.page.screenshot(path=SCREENS / f"failed-{item.name}.png")
    return report


class Screen:
    """Pictures for people: `screens/TEST-NAME.png`."""

    def __init__(self, lab: Lab, test: str) -> None:
        self.lab, self.test = lab, test.removeprefix("test_")

    def __call__(self, name: str = "") -> None:
        SCREENS.mkdir(exist_ok=True)
        self.lab.settled()
        path = SCREENS / ("-".join(filter(None, (self.test, name))) + ".png")
        self.lab.page.screenshot(path=path)
