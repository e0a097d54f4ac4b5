"""Scratchpad: the state of a calculation is taken from the notebook's variables."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


@pytest.fixture
def begun(kernel: Kernel) -> Kernel:
    kernel.ok("%wfnb strategy scratchpad")
    kernel.ok("%step What is calculated")
    kernel.ok("%%step Start --set state_variables=n,total\nn, total = 0, 1.5", cell_id="start")
    return kernel


def rows(ran):
    return ran.answer["ledger"]["rows"]


def test_every_later_state_is_what_the_variables_are_at_the_end_of_its_step(begun: Kernel):
    begun.ok("%%step Once\nn += 1")
    begun.ok("%step Write down")
    begun.ok("%step Again")
    begun.ok("%%step Twice --stage iterative_calculation\nn += 1\ntotal *= n")

    ran = begun.ok("%step Write down")

    assert ran.answer["values"] == {"n": 2, "total": 3.0}
    assert rows(ran) == [
        ["start", "0", "1.5", "", "2"],
        ["1", "1", "1.5", "n", "3, 4"],
        ["2", "2", "3", "n, total", "6, 7"],
    ]


def test_a_state_is_stale_where_what_it_was_taken_from_has_changed(begun: Kernel):
    begun.ok("%%step Once\nn += 1")
    begun.ok("%step Write down")

    begun.ok("%%step Start --set state_variables=n,total\nn, total = 5, 1.5", cell_id="start")

    assert begun.status()["stale_steps"] == [3, 4]


def test_a_variable_that_is_not_there_is_told(begun: Kernel):
    ran = begun.ok("%%step Once\ndel total\nn += 1")

    assert ran.answer["warnings"] == ["value 'total' was not there at its end"]
    assert rows(ran)[-1] == ["1", "1", "–", "n, total", "3"]


def test_other_variables_may_be_named_and_those_that_are_left_out_are_told(begun: Kernel):
    ran = begun.ok("%%step Once --set state_variables=n\nn += 1")

    assert ran.answer["warnings"] == ["the state lacks total"]


def test_what_is_in_a_small_array_is_shown_and_a_frame_says_that_it_changed(begun: Kernel):
    begun.ok("import numpy as np, pandas as pd")
    kept = "%%step State --set state_variables=n,total,small,frame\n"
    begun.ok(kept + "small, frame = np.array([1.5, 2]), pd.DataFrame({'a': [1, 2]})")
    begun.ok("%step Write down")
    begun.ok("%step Again")

    ran = begun.ok("%%step Twice --stage iterative_calculation\nframe = frame * 2")

    assert [row[3:6] for row in rows(ran)] == [
        ["–", "–", ""],
        ["[1.5 2. ]", "DataFrame (2, 1)", "small, frame"],
        ["[1.5 2. ]", "DataFrame (2, 1)", "frame"],
    ]
