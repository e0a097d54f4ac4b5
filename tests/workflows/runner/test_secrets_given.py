"""What can be a secret, and one that turns up where none was asked for."""

from pathlib import Path

import pytest

from wfnb.errors import BadValue
from wfnb.workflows.runner.runner import Runner

from .place import asking, step, steps
from .secret import DECLARED, SECRET, clean


@pytest.mark.parametrize("secret", ["", "1", "abc"])
def test_a_secret_that_would_be_found_everywhere_is_refused(runner: Runner, secret: str):
    wanted = steps(step("a", "shell", args={"command": "echo {token!q}"}))

    with pytest.raises(BadValue, match=r"'•••'. It needs a text of 4 characters or more"):
        runner.run(wanted, secrets={"token": secret})

    assert runner.runs() == []


def test_that_is_so_of_a_variable_that_is_declared_secret_too(runner: Runner):
    wanted = steps(step("a", "shell", args={"command": "echo {token!q}"}))

    with pytest.raises(BadValue, match="secret 'token'"):
        runner.run({**wanted, **DECLARED}, variables={"token": "abc"})

    assert runner.runs() == []


def test_a_secret_that_is_typed_where_none_was_asked_for_is_hidden_all_the_same(
    runner: Runner, home: Path
):
    asks = step("a", "ask", args={"question": "What is it?"})
    running = asking(runner.start(steps(asks), secrets={"token": SECRET}))

    said = running.answer(f"it is {SECRET}, I think")
    running.wait()

    assert said == "it is •••, I think"
    assert running.run.results["a"]["answer"] == said
    clean(home, running.run)
