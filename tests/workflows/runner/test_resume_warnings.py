"""What is said of a run whose last call used a terminal that has ended."""

import pytest

from tests.workflows.core.story import fails, ok, played, states, steps
from wfnb.workflows.runner.resume_warnings import captured_before, failed_without_terminal

TYPED = steps(
    {"id": "open", "tool": "open_terminal", "args": {}},
    {"id": "type", "tool": "send_input", "args": {"session_id": "{open.session_id}"}},
)
OPENED = {**ok, "session_id": "session_0badcafe"}


@pytest.mark.parametrize(
    ("typed", "there", "said"), [(fails, (), 1), (fails, ("session_0badcafe",), 0), (ok, (), 0)]
)
def test_only_a_failure_is_put_down_to_a_terminal_that_is_gone(typed, there, said):
    run = played(TYPED, open=OPENED, type=typed).run

    assert len(list(failed_without_terminal(run, there))) == said


@pytest.mark.parametrize(("second", "said"), [("n=2", 0), ("nothing", 1)])
def test_an_older_value_that_stayed_where_nothing_was_captured_is_said(second, said):
    looped = states("a", a={"success": "b", "capture": ["n=(?P<n>[0-9]+)"]}, b={"failure": "a"})
    printed = [{**ok, "stdout": "n=1"}, {**ok, "stdout": second}]

    run = played(looped, a=printed, b=[fails, ok]).run

    assert run.entered == 4
    assert len(list(captured_before(run))) == said
