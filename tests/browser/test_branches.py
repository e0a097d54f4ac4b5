"""What is decided about branches and steps in the panel is in the history."""

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import STEPS, Lab


@pytest.fixture
def compare(lab: Lab) -> Locator:
    """The tab that compares `main` with `robust`."""
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    expect(lab.rows).to_have_count(3)
    lab.panel.get_by_role("tab", name="Compare").click()
    expect(lab.panel.get_by_role("columnheader", name="robust")).to_be_visible()
    return lab.panel


def history(lab: Lab) -> str:
    """What the session says of its lines, by the kernel."""
    lab.cell(
        "import wfnb\n"
        "print({line.id: line.state for line in wfnb.open('panel').session.lines.values()})"
    )
    return lab.output(-1)


def test_a_branch_is_selected_with_a_reason(lab: Lab, compare: Locator, screen: Screen):
    compare.get_by_role("button", name="Select robust").click()
    compare.get_by_placeholder("why").locator("visible=true").fill("it holds")
    screen("reason")
    lab.page.keyboard.press("Enter")

    expect(compare).to_contain_text("✓ selected")
    expect(compare.get_by_role("row", name="state")).to_contain_text("selected")
    expect(compare.get_by_role("button", name="Select robust")).to_be_hidden()
    expect(compare.get_by_role("button", name="Switch to robust")).to_be_focused()
    screen("selected")
    assert "'robust': 'selected'" in history(lab)


def test_a_branch_is_abandoned(lab: Lab, compare: Locator):
    compare.get_by_role("button", name="Abandon robust").click()
    compare.get_by_role("button", name="Abandon robust now").click()

    expect(compare.get_by_role("button", name="Abandon robust")).to_have_count(0)
    assert "'robust': 'abandoned'" in history(lab)


def test_a_branch_is_scored_and_merged_and_its_steps_say_its_score(
    lab: Lab, compare: Locator, screen: Screen
):
    compare.get_by_role("button", name="Score robust").click()
    compare.get_by_role("spinbutton", name="Score").fill("0.85")
    compare.get_by_placeholder("why").locator("visible=true").fill("half the error")
    screen("score")
    lab.page.keyboard.press("Enter")
    expect(compare.get_by_role("row", name="score")).to_contain_text("0.85")
    compare.get_by_role("tab", name="Timeline").click()
    lab.rows.filter(has_text="robust").last.click()
    expect(compare.locator(".wfnb-card")).to_contain_text("0.85 (robust) · half the error")

    compare.get_by_role("tab", name="Compare").click()
    compare.get_by_role("button", name="Merge robust").click()
    compare.get_by_role("button", name="Merge robust now").click()

    expect(compare.get_by_role("button", name="Merge robust")).to_have_count(0)
    assert "'robust': 'merged'" in history(lab)


def test_what_was_passed_over_is_marked_and_can_be_chosen_after_all(
    lab: Lab, compare: Locator, screen: Screen
):
    lab.cell("%%branch third --from 1 A third loss\n1")
    compare.get_by_role("button", name="Select robust").click()
    lab.page.keyboard.press("Enter")
    third = compare.get_by_role("listitem", name="third", exact=True)
    expect(third).to_contain_text("✕ passed over")
    expect(compare.get_by_role("row", name="state")).to_contain_text("passed over")
    screen()

    third.get_by_role("button", name="Select third").click()
    lab.page.keyboard.press("Enter")

    expect(third).to_contain_text("✓ selected")
    assert "'third': 'selected'" in history(lab)


def test_the_next_step_comes_on_the_branch_that_was_switched_to(lab: Lab, compare: Locator):
    compare.get_by_role("button", name="Switch to robust").click()
    expect(lab.page.locator(".wfnb-status-button")).to_have_text("step 2/4 · robust")

    lab.cell("%%step On the branch\n1")

    compare.get_by_role("tab", name="Timeline").click()
    expect(lab.rows.filter(has_text="On the branch")).to_contain_text("robust")


def test_a_stale_step_is_confirmed_on_its_card(lab: Lab, screen: Screen):
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    lab.cell("%%step --revises 1 Load them better\nreadings = [1, 2, 4]")
    baseline = lab.rows.filter(has_text="Fit the baseline")
    expect(baseline).to_contain_text("stale")

    baseline.click()
    screen("stale")
    lab.panel.get_by_role("button", name="confirm", exact=True).click()

    expect(baseline).to_have_attribute("data-state", "ok")
    expect(lab.panel.get_by_role("button", name="confirm", exact=True)).to_be_hidden()
