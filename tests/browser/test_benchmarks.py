"""The panel's benchmark measures, with small amounts: what it calls is there."""

import pytest

from tests.benchmarks import panel
from tests.browser.lab import Lab

SMALL = {"OPENS": {2: 1}, "TIMES": 1, "STEPS": 1, "SCROLLS": 1, "SCROLLING": 100, "PIXELS": (40,)}


def test_the_panel_is_measured(lab: Lab, monkeypatch: pytest.MonkeyPatch):
    for name, amount in SMALL.items():
        monkeypatch.setattr(panel, name, amount)

    measured = list(panel.measure_in(lab))

    assert len(measured) == 10
