"""A tool that is a coroutine function: it runs beside its run, and nothing of one call, be it a
limit or a cancellation that it leaves behind, meets another."""

import asyncio
from contextvars import ContextVar
from threading import Event

import pytest

from wfnb.errors import JournalReadOnly
from wfnb.stoppable_calls.threads import GRACE
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import LONG, SOON, calls, step, steps

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


class Deaf:
    """A tool that goes on when it is cancelled, until it `may_end`; `ended` is told then. Called
    again it ends at once."""

    def __init__(self) -> None:
        self.may_end, self.ended, self.begun = Event(), Event(), Event()
        self.calls = 0

    async def __call__(self) -> str:
        self.calls += 1
        if self.calls > 1:
            return "heard"
        self.begun.set()
        while not self.may_end.is_set():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                continue
        self.ended.set()
        return "late"


@pytest.fixture
def deaf() -> Deaf:
    made = Deaf()

    @tool
    async def deaf() -> str:
        return await made()

    return made


def test_one_that_goes_on_is_left_and_what_it_does_then_changes_nothing(runner: Runner, deaf: Deaf):
    result = runner.run(steps(step("a", "deaf", timeout=0.1)))
    left = runner.log(result.run).entries()
    deaf.may_end.set()

    assert deaf.ended.wait(SOON)
    assert result.error == "a: timed out after 0.1s; it was told to stop and is still running"
    assert result.execution_log[0]["result"]["still_running"] is True
    runner.run(steps(step("b", "deaf")))  # the loop has gone on
    assert runner.log(result.run).entries() == left


def test_one_with_a_grace_has_that_long_to_close_what_it_opened(runner: Runner):
    closed = Event()

    @tool(grace=SOON)
    async def careful() -> None:
        try:
            await asyncio.sleep(SOON)
        finally:
            await asyncio.sleep(2 * GRACE)
            closed.set()

    result = runner.run(steps(step("a", "careful", timeout=0.1)))

    assert result.error == "a: Step 'a' timed out after 0.1s"
    assert closed.is_set()


def test_one_that_goes_on_is_not_called_again_beside_itself(runner: Runner, deaf: Deaf):
    result = runner.run(steps(step("a", "deaf", timeout=0.1, retry=2)))
    deaf.may_end.set()

    assert deaf.ended.wait(SOON)
    assert calls(runner.log(result.run).run) == ["a timed_out"]
    assert deaf.calls == 1


def test_one_that_goes_on_does_not_hold_up_who_stops_the_run_twice(runner: Runner, deaf: Deaf):
    running = runner.start(steps(step("a", "deaf")))
    assert deaf.begun.wait(SOON)

    running.interrupt()
    running.interrupt(at_once=True)
    running.wait()
    deaf.may_end.set()

    assert running.run.status == "cancelled"
    assert calls(running.run) == ["a cancelled"]
    assert deaf.ended.wait(SOON)


def test_one_that_goes_on_does_not_hold_up_a_run_that_cannot_be_recorded(
    runner: Runner, deaf: Deaf, monkeypatch: pytest.MonkeyPatch
):
    running = runner.start(steps(step("a", "deaf")))
    assert deaf.begun.wait(SOON)

    def no(*args: object, **options: object) -> None:
        raise JournalReadOnly("here")

    with monkeypatch.context() as broken:
        broken.setattr(runner.session_log.journal, "append_run", no)
        running.interrupt()
        with pytest.raises(JournalReadOnly):
            running.wait()
    deaf.may_end.set()

    assert deaf.ended.wait(SOON)


def test_what_a_call_sets_for_itself_the_next_does_not_see(runner: Runner):
    @tool
    async def named(name: str) -> str:
        before = WHO.get()
        WHO.set(name)
        await asyncio.sleep(0)
        return f"{before} -> {WHO.get()}"

    both = steps(step("a", "named", args={"name": "a"}), step("b", "named", args={"name": "b"}))

    result = runner.run(both)

    assert result.final_variables["a_result"] == "nobody -> a"
    assert result.final_variables["b_result"] == "nobody -> b"


def lasting(seconds: float) -> None:
    """The tool `lasts`, which takes that long, and ends well where nothing meets it."""

    @tool
    async def lasts() -> str:
        await asyncio.sleep(seconds)
        return "undisturbed"


def test_one_that_cancels_itself_fails_and_the_next_is_not_cancelled(runner: Runner):
    @tool
    async def gives_up(waits: bool) -> str:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        if waits:
            await asyncio.sleep(LONG)
        return "given up"

    lasting(0.01)

    result = runner.run(
        steps(
            step("a", "gives_up", args={"waits": True}, on_failure="continue"),
            step("b", "lasts"),
            step("c", "gives_up", args={"waits": False}),
            step("d", "lasts"),
        )
    )

    assert calls(runner.log(result.run).run) == ["a failed", "b ok", "c ok", "d ok"]


def test_a_limit_of_its_own_is_its_own(runner: Runner):
    @tool
    async def patient() -> str:
        try:
            async with asyncio.timeout(0.01):
                await asyncio.sleep(LONG)
        except TimeoutError:
            await asyncio.sleep(0.01)
        return "it had enough"

    result = runner.run(steps(step("a", "patient"), step("b", "patient")))

    assert calls(runner.log(result.run).run) == ["a ok", "b ok"]


def test_one_that_ends_well_though_its_time_is_over_has_ended_well(runner: Runner):
    @tool
    async def in_the_end() -> str:
        try:
            await asyncio.sleep(LONG)
        except asyncio.CancelledError:
            return "just in time"
        return "never"

    result = runner.run(
        steps(step("a", "in_the_end", timeout=0.1), step("b", "in_the_end", timeout=0.1))
    )

    assert result.final_variables["a_result"] == "just in time"
    assert calls(runner.log(result.run).run) == ["a ok", "b ok"]


def watched(waits: bool) -> None:
    """The tool `watched`, which cancels its task a little later, when it has ended long since."""

    @tool(name="watched")
    async def watched() -> None:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_later(0.1, task.cancel)
        await asyncio.sleep(0.01 if waits else 0)


@pytest.mark.parametrize("waits", [True, False])
def test_a_cancellation_that_a_call_leaves_behind_meets_no_other(runner: Runner, waits: bool):
    watched(waits)
    lasting(0.3)

    result = runner.run(
        steps(
            step("a", "sleep", args={"seconds": 0}, compensation={"tool": "lasts"}),
            step("b", "watched"),
            step("c", "lasts"),
            step("d", "watched"),
            step("e", "shell", args={"command": "exit 3"}),
            rollback=True,
        )
    )

    assert calls(runner.log(result.run).run) == [
        *("a ok", "b ok", "c ok", "d ok", "e failed", "undo a ok")
    ]
