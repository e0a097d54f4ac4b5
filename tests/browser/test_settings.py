"""What a person sets holds: following, badges, the side; and the page comes back as it was left."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from .conftest import Screen
from .lab import STEPS, Lab
from .test_control import OTHER

DEFAULTS = {"follow": True, "badges": True, "side": "right"}


@pytest.fixture
def steps(lab: Lab) -> Iterator[Lab]:
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    expect(lab.rows).to_have_count(3)
    yield lab
    for name, value in DEFAULTS.items():
        lab.set(name, value)


def test_the_panel_stays_with_its_notebook_where_it_is_not_to_follow(steps: Lab):
    steps.set("follow", False)

    steps.open("other.ipynb", OTHER)
    steps.run_all()

    expect(steps.page.locator(".wfnb-status-button")).to_have_text("1 step · main")
    expect(steps.rows.filter(visible=True)).to_have_count(3)
    steps.set("follow", True)
    expect(steps.rows.filter(visible=True)).to_have_count(1)


def test_cells_have_no_badges_where_nobody_wants_them(steps: Lab):
    badges = steps.page.locator(".wfnb-badge")
    expect(badges).to_have_count(3)

    steps.set("badges", False)

    expect(badges).to_have_count(0)
    steps.set("badges", True)
    expect(badges).to_have_count(3)


def test_the_panel_goes_to_the_other_side_and_stays_open(steps: Lab, screen: Screen):
    steps.set("side", "left")

    expect(steps.page.locator("#jp-left-stack #wfnb-panel")).to_be_visible()
    expect(steps.rows).to_have_count(3)
    screen()
    steps.set("side", "right")
    expect(steps.page.locator("#jp-right-stack #wfnb-panel")).to_be_visible()
    expect(steps.rows).to_have_count(3)


@pytest.mark.parametrize(("side", "open"), [("right", False), ("left", True)])
def test_the_page_comes_back_as_it_was_left(steps: Lab, side: str, open: bool):
    steps.set("side", side)
    stack = steps.page.locator(f"#jp-{side}-stack #wfnb-panel")
    expect(stack).to_be_visible()
    if not open:
        steps.command("application:toggle-right-area")
        expect(stack).to_be_hidden()
    steps.command("docmanager:save")

    steps.again()

    expect(steps.page.locator(".wfnb-status-button")).to_have_text("step 2/4 · main")
    expect(steps.page.locator(f"#jp-{side}-stack #wfnb-panel")).to_be_visible(visible=open)
    steps.command("wfnb:open-panel")
    expect(steps.rows).to_have_count(3)


def test_the_settings_are_explained_where_people_change_them(steps: Lab, screen: Screen):
    steps.command("settingeditor:open", query="wfnb")
    badges = steps.page.get_by_label("Badges at cells")
    expect(badges).to_be_checked()
    screen()

    badges.uncheck()

    expect(steps.page.locator(".wfnb-badge")).to_have_count(0)
