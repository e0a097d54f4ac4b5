"""A run whose process is gone is undone, or goes on, with the secrets that are given again."""

import pytest

from wfnb.errors import SecretMissing
from wfnb.workflows.core.events import CallFinished, CallStarted, RunStarted
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .mended import resumed
from .place import calls, step, steps


def left(runner: Runner, gone: str, secret: str = "token") -> str:
    """A run whose process is gone, in the middle of its second step; undoing its first needs a
    secret."""
    undo = {"tool": "use", "args": {"secret": f"{{{secret}}}"}}
    wanted = steps(
        step("a", "use", args={"secret": "x"}, compensation=undo),
        step("b", "sleep", args={"seconds": 0}),
    )
    events = [
        RunStarted(workflow=wanted, process=gone, secrets=(secret,)),
        CallStarted(action="a", tool="use", params={"secret": "x"}),
        CallFinished(call=2, status="ok", result={"success": True}, armed={}),
        CallStarted(action="b", tool="sleep", params={"seconds": 0}, idempotent=True),
    ]
    journal = runner.session_log.journal
    info, _ = journal.begin_run(runner.session_log.id, "told", events, process=gone)
    return info.name


@pytest.fixture
def used() -> list[str]:
    given: list[str] = []

    @tool
    def use(secret: str) -> None:
        given.append(secret)

    return given


def test_a_run_whose_process_is_gone_is_undone_with_the_secrets_that_are_given(
    runner: Runner, gone: str, used: list[str]
):
    log = runner.cancel(left(runner, gone), rollback=True, secrets={"token": "s3cret"})

    assert (log.run.status, used) == ("cancelled", ["s3cret"])
    assert calls(log.run) == ["a ok", "b unknown", "undo a ok"]
    assert "s3cret" not in str(log.entries())


def test_without_them_it_says_what_was_not_undone_and_why(
    runner: Runner, gone: str, used: list[str]
):
    log = runner.cancel(left(runner, gone), rollback=True)

    assert (log.run.status, used) == ("partly_rolled_back", [])
    (row, *_) = runner.result(log).report.rows
    assert row.undo == "not undone: secret token is not known here: secrets are never kept"


def test_a_mended_run_is_given_its_secrets_again(runner: Runner, gone: str, used: list[str]):
    name = left(runner, gone)
    mended = steps(step("b", "use", args={"secret": "{token}"}))

    with pytest.raises(SecretMissing):
        runner.resume(name, workflow=mended)
    result = resumed(runner, name, workflow=mended, secrets={"token": "s3cret"})

    assert (result.status, used) == ("success", ["s3cret"])
