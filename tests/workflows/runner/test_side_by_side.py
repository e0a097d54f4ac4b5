"""Steps run side by side as far as their needs and `max_parallel` allow, and no further."""

import asyncio
from threading import Barrier, Event, Lock

import pytest

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool

from .place import LONG, SOON, calls, gone, step, steps


@pytest.mark.parametrize("kind", ["threads", "coroutines"])
@pytest.mark.parametrize("many", [2, 16, 40])
def test_as_many_run_at_once_as_may(runner: Runner, many: int, kind: str):
    here = Barrier(many, timeout=SOON)
    there = []

    if kind == "threads":

        @tool(name="meet")
        def meet() -> None:
            here.wait()
    else:

        @tool(name="meet")
        async def meet_here() -> None:
            there.append(1)
            while len(there) < many:
                await asyncio.sleep(0)

    wanted = steps(*(step(f"s{n}", "meet") for n in range(many)), mode="parallel")

    result = runner.run({**wanted, "max_parallel": many})

    assert (result.status, result.states_executed) == ("success", many)


@pytest.mark.parametrize("most", [1, 3])
def test_no_more_run_at_once_than_may(runner: Runner, most: int):
    lock, now, seen = Lock(), [0], []

    @tool
    def busy() -> None:
        with lock:
            now[0] += 1
            seen.append(now[0])
        Event().wait(0.005)
        with lock:
            now[0] -= 1

    wanted = steps(*(step(f"s{n}", "busy") for n in range(20)), mode="parallel", max_parallel=most)

    assert runner.run(wanted).status == "success"
    assert max(seen) == most
    assert len(seen) == 20


def test_a_step_begins_after_all_that_it_needs(runner: Runner):
    order = []

    @tool
    def note(what: str) -> str:
        order.append(what)
        return what

    def noted(id: str, *needs: str) -> dict[str, object]:
        return step(id, "note", *needs, args={"what": id})

    result = runner.run(
        steps(
            noted("d", "b", "c"),
            noted("b", "a"),
            noted("c", "a"),
            noted("a"),
            step("e", "note", "d", args={"what": "{b.result}{c.result}{steps.d.result}"}),
        )
    )

    assert order[0] == "a"
    assert set(order[1:3]) == {"b", "c"}
    assert order[3:] == ["d", "bcd"]
    assert result.status == "success"


def test_a_failure_starts_nothing_new_and_lets_what_runs_come_to_its_end(runner: Runner):
    failed, called = Event(), []

    @tool
    def fails() -> None:
        failed.set()
        raise ValueError("no")

    @tool
    def goes_on() -> str:
        failed.wait(SOON)
        called.append("goes on")
        return "kept"

    @tool
    def after() -> None:
        called.append("after")

    result = runner.run(
        steps(
            step("bad", "fails"),
            step("good", "goes_on"),
            step("next", "after", "good"),
            mode="parallel",
        )
    )

    run = runner.log(result.run).run
    assert (result.status, result.error) == ("failed", "bad: ValueError: no")
    assert called == ["goes on"]
    assert run.results["good"]["result"] == "kept"
    assert sorted(calls(run)) == ["bad failed", "good ok"]


def test_what_needs_a_step_that_may_fail_is_skipped_and_the_rest_goes_on(runner: Runner):
    @tool
    def fails() -> None:
        raise ValueError("no")

    @tool
    def note() -> None:
        pass

    result = runner.run(
        steps(
            step("bad", "fails", on_failure="continue"),
            step("no1", "note", "bad"),
            step("no2", "note", "no1"),
            step("good", "note"),
            mode="parallel",
        )
    )

    run = runner.log(result.run).run
    assert result.status == "partial_success"
    assert run.settled == {"bad": "failed", "no1": "skipped", "no2": "skipped", "good": "ok"}


def test_cancelling_ends_all_that_run_at_once(runner: Runner, tmp_path):
    begun = [Event() for _ in range(3)]

    @tool
    def tells(n: int) -> None:
        begun[n].set()

    hangs = f"echo $$ > pid-{{n}}; echo up; exec sleep {LONG}"
    wanted = steps(
        *(step(f"s{n}", "shell", args={"command": hangs.replace("{n}", str(n))}) for n in range(6)),
        mode="parallel",
    )
    running = runner.start(wanted)
    while len(running.tail) < 6:
        running.changed.wait(1)
        running.changed.clear()

    running.stop()
    running.wait()

    assert running.run.status == "cancelled"
    assert sorted(calls(running.run)) == [f"s{n} cancelled" for n in range(6)]
    assert all(gone(int((tmp_path / f"pid-{n}").read_text())) for n in range(6))


def test_a_run_that_succeeds_in_part_says_that_its_workflow_was_not_saved(runner: Runner):
    said = "not saved: a run that succeeds in part does not save its workflow"
    partly = steps(step("a", "shell", args={"command": "test -e whole"}, on_failure="continue"))

    assert list(runner.run(partly, save=False).warnings) == []
    assert list(runner.run(partly).warnings) == [said]
    (runner.folder / "whole").touch()
    assert runner.run(partly).saved_workflow_name == "told"
    (runner.folder / "whole").unlink()
    assert list(runner.run(partly).warnings) == []
