"""The benchmarks in a browser measure, with small amounts: what they call is there."""

import pytest

from tests.benchmarks import canvas, lab_start, panel
from tests.browser.lab import Lab

SMALL = {"OPENS": {2: 1}, "TIMES": 1, "STEPS": 1, "SCROLLS": 1, "SCROLLING": 100, "PIXELS": (40,)}


def test_the_panel_is_measured(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    for name, amount in SMALL.items():
        monkeypatch.setattr(panel, name, amount)

    measured = list(panel.measure_in(lab))

    assert len(measured) == 10


def test_the_editor_is_measured(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    small = {"STATES": 8, "STEPS": 301, "TIMES": 1, "KEYS": 1, "DRAGS": 1, "DRAGGING": 1_500}
    for name, amount in small.items():
        monkeypatch.setattr(canvas, name, amount)

    measured = list(canvas.measure_in(lab))

    assert len(measured) == 10


def test_the_start_is_measured(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lab_start, "PAIRS", 1)

    browser = lab.page.context.browser
    assert browser is not None

    assert len(list(lab_start.measure_with(browser))) == 3
