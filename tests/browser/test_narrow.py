"""What is said stays whole where the panel is narrow; what it says by looks it says in words."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import STEPS, Lab
from .test_looks import AXE, THEMES, theme, width
from .test_runs import NEEDS, begun


@pytest.fixture
def decided(lab: Lab) -> Lab:
    """Three steps on two lines, of which one was abandoned."""
    lab.open("steps.ipynb", STEPS)
    lab.run_all()
    lab.cell("%wfnb abandon robust --reason 'no outliers are there'")
    expect(lab.rows).to_have_count(3)
    return lab


def line(lab: Lab) -> Locator:
    """The name of the line at the row of its step."""
    return lab.rows.last.locator(".wfnb-side > .wfnb-pill:visible")


@pytest.mark.parametrize(("pixels", "under"), [(300, True), (480, False)])
def test_a_step_of_an_abandoned_line_says_so(
    decided: Lab, screen: Screen, pixels: int, under: bool
):
    width(decided, pixels)
    screen()

    expect(decided.rows.last).to_have_attribute("data-over", "abandoned")
    expect(line(decided)).to_have_text("✕ robust · abandoned")
    expect(line(decided)).to_have_attribute("title", "robust · abandoned · no outliers are there")
    word = line(decided).locator(".wfnb-fate").bounding_box()
    title = decided.rows.last.locator(".wfnb-title").bounding_box()
    assert word is not None
    assert title is not None
    assert word["width"] > 20
    assert (word["y"] >= title["y"] + title["height"]) is under


@pytest.mark.parametrize("name", THEMES)
def test_a_step_of_an_abandoned_line_can_be_read(decided: Lab, name: str):
    theme(decided, name)
    decided.run("(0, eval)(values[0])", AXE.read_text())

    found = decided.page.evaluate(
        """async () => (await axe.run('#wfnb-panel', {runOnly: 'color-contrast'})).violations
            .map(each => each.nodes.map(node => node.html))"""
    )
    theme(decided, THEMES[0])

    assert found == []


def test_what_can_be_done_with_a_step_is_parted_by_room_alone(decided: Lab, screen: Screen):
    width(decided, 300)
    decided.rows.first.locator(".wfnb-line").click()
    deeds = decided.panel.locator(".wfnb-card > .wfnb-wraps")
    expect(deeds).to_contain_text("go to cell")
    screen()

    signs = deeds.evaluate(
        """deeds => [deeds, ...deeds.querySelectorAll('*')].flatMap(each =>
            ['::before', '::after'].map(at => getComputedStyle(each, at).content))
            .filter(content => content !== 'none')"""
    )

    assert signs == []
    assert "·" not in (deeds.text_content() or "")


def test_what_went_wrong_in_a_run_can_be_read_to_its_end(lab: Lab, tmp_path: Path, screen: Screen):
    run = begun(lab, NEEDS.format(file=tmp_path / "found.txt"), "fetch")
    width(lab, 300)
    run.locator(".wfnb-run-head").click()
    notes = run.locator(".wfnb-note:visible")
    expect(notes).to_have_count(2)
    screen()

    cut = notes.evaluate_all(
        "notes => notes.filter(note => note.scrollWidth > note.clientWidth).length"
    )

    assert cut == 0
