"""Each subject of the benchmarks measures, with small amounts: what it calls is there. Those of a
browser are in `tests/browser/test_benchmarks.py`. How long anything takes is not looked at."""

import sys
from typing import Any

import pytest

from tests.benchmarks import (
    __main__,
    agents,
    beside,
    engines,
    execution,
    investigation,
    keeping,
    kernel,
    looking,
    pictures,
    questions,
    record,
    replay,
    runs,
)
from tests.benchmarks.elsewhere import NotMeasured

SMALL: dict[Any, dict[str, Any]] = {
    record: {"SIZES": (1, 2, 3), "ROUNDS": 2, "EACH": 2},
    replay: {"STEPS": 2, "TIMES": 1},
    kernel: {"FRESH": 1, "ROUNDS": 2, "WARM": 1, "LONG": 2},
    pictures: {"SIZES": (100, 101), "TIMES": 1, "FIRSTS": 2},
    questions: {"SIZES": (2,), "TIMES": 1},
    runs: {
        "PARALLEL": 2,
        "SHELLS": 1,
        "MANY": 1,
        "OUTPUT": 10,
        "FLOOD": 10,
        "TIMES": dict.fromkeys(runs.TIMES, 1),
    },
    investigation: {"SIZES": (1,), "OTHER_SIZES": (1,), "ROUNDS": 2},
    looking: {"FILES": 4, "FOLDERS": 2, "CHANGED": 1, "ROUNDS": 1},
    keeping: {"MANY": 10, "STEPS": 2, "TIMES": 1, "ROWS": 10, "FRAMES": 1},
    engines: {"SIZES": (2,)},
    agents: {"STARTS": 1, "STEPS": 2},
    execution: {"CELLS": 3, "LAST": 2, "TIMES": 1},
}
IN_A_BROWSER = ("panel", "canvas", "start")


def test_all_subjects_are_here_but_those_of_a_browser():
    assert {subject.measure for subject in SMALL} == {
        measure for name, measure in __main__.SUBJECTS.items() if name not in IN_A_BROWSER
    }


@pytest.fixture
def nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What wfnb is compared with is not installed for a test."""

    def refuse(*_: object) -> None:
        raise NotMeasured("no network in a test")

    monkeypatch.setattr(beside, "python_with", refuse)
    monkeypatch.setattr(beside, "WORKS", {"trivial": ("a trivial cell", 1)})
    monkeypatch.setattr(engines, "python_with", lambda *_: sys.executable)


@pytest.mark.usefixtures("nothing_is_installed")
@pytest.mark.parametrize("subject", SMALL, ids=lambda subject: subject.__name__.rpartition(".")[2])
def test_a_subject_measures(subject: Any, monkeypatch: pytest.MonkeyPatch):
    for name, amount in SMALL[subject].items():
        monkeypatch.setattr(subject, name, amount)

    measured = list(subject.measure())

    assert "\n| " in "\n".join(__main__._results(measured, "quick", 0))
