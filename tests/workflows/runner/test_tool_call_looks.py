"""What calls of a run showed: the same again is nothing new, whatever the clock says."""

import pytest

from wfnb.workflows.definition.scope import TERMINALS
from wfnb.workflows.runner.tool_call_looks import seen_in

SCREEN = {"screen_content": "$", "elapsed_time": 0.1, "timestamp": "08:00", "session_id": "t1"}


@pytest.mark.parametrize("tool", TERMINALS)
def test_the_same_screen_asked_for_again_is_nothing_new(tool: str):
    later = {**SCREEN, "elapsed_time": 0.2, "timestamp": "09:00", "session_id": "t2"}
    other = {**later, "screen_content": "$ make"}
    asked = {"session_id": "t1"}, {"session_id": "t2"}

    first, again, new = (
        seen_in(tool, params, result, "ok")
        for params, result in ((asked[0], SCREEN), (asked[1], later), (asked[1], other))
    )

    assert (first == again, first == new) == (True, False)


def test_what_another_tool_calls_a_time_is_something_to_see():
    assert seen_in("load", {}, {"timestamp": 1}, "ok") != seen_in(
        "load", {}, {"timestamp": 2}, "ok"
    )
