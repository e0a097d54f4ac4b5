"""durations -> the words that Python has for them, which a page says, too."""

from __future__ import annotations

import json
from pathlib import Path

from wfnb.workflows.views.run_words import seconds

SAID = Path(__file__).with_name("seconds.json")
DURATIONS = (
    *(-1.0, 0, 0.0004, 0.0005, 0.012, 0.0125, 0.0625, 0.1875, 0.25, 0.8, 0.9994, 0.9996, 1, 1.04),
    *(1.05, 1.15, 1.25, 1.35, 1.75, 2.25, 2.675, 4.26, 8.95, 9, 9.04, 9.96, 10, 10.25, 12.5, 12.75),
    *(59, 59.9, 59.94, 59.95, 60, 60.5, 61.5, 61.51, 125.4, 1_800, 1_859.5, 3_599.4, 3_599.5),
    *(3_600, 3_659, 3_660, 7_300, 86_400, 90_061.5),
)


def words() -> str:
    """The text of the file."""
    lines = (json.dumps([duration, seconds(duration)]) for duration in DURATIONS)
    return "[\n " + ",\n ".join(lines) + "\n]\n"
