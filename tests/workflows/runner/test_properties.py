"""Whatever is drawn: a workflow comes to its end in order, or nothing of it is called."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import Refused
from wfnb.journal import MemoryJournal
from wfnb.session_log import SessionLog
from wfnb.workflows.core.run import Call, Run
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.registry import REGISTRY, tool

from .drawn import (
    LATE,
    OK,
    VALUES,
    Outcomes,
    broken,
    failing_groups,
    failing_steps,
    foretold,
    outcomes_of,
    state_workflows,
    step_workflows,
)
from .place import SOON, step, steps

PLAN: dict[str, list[str]] = {}
"""What the calls of an action will come to, in turn; then they succeed."""
SEEN: list[tuple[str, str]] = []
"""What was called: begin, end or undo, and the action."""
TEXTS: list[object] = []
FAILED = ("failed", "rolled_back", "partly_rolled_back")


@pytest.fixture(scope="module", autouse=True)
def _tools() -> Iterator[None]:
    before = dict(REGISTRY._registered)

    @tool
    async def act(context: Context) -> dict[str, Any]:
        SEEN.append(("begin", context.action))
        await asyncio.sleep(0)
        SEEN.append(("end", context.action))
        left = PLAN.get(context.action, [])
        outcome = left.pop(0) if left else OK
        if outcome == LATE:  # as a tool of one's own may say it
            return {"success": True, "timeout_occurred": True}
        return {"success": outcome == OK}

    @tool
    async def undo(context: Context) -> None:
        SEEN.append(("undo", context.action))

    @tool
    async def take(text: Any) -> dict[str, Any]:
        SEEN.append(("begin", "take"))
        TEXTS.append(text)
        return {"text": text}

    yield
    REGISTRY._registered = before


def fresh(home: Path) -> Runner:
    journal = MemoryJournal()
    session, _ = journal.create("told", [])
    return Runner(SessionLog(journal, session), home, home)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def performed(home: Path, definition: Mapping[str, Any], outcomes: Outcomes, **more: Any) -> Run:
    """The run, after its end."""
    PLAN.clear()
    PLAN.update({name: list(said) for name, said in outcomes.items()})
    SEEN.clear()
    TEXTS.clear()
    running = fresh(home).start(definition, save=False, **more)
    assert running.wait(SOON), "it hangs"
    for call in running.run.calls.values():
        assert call.result["success"] is (call.status in ("ok", "skipped")), call
    return running.run


def undone() -> list[str]:
    return [name for what, name in SEEN if what == "undo"]


def to_undo(run: Run, definition: Mapping[str, Any]) -> list[str]:
    """All that had succeeded, last first, once each; nothing where nothing is to be undone. Here
    one action runs at a time, so that they ended in the order in which they began."""
    armed = [call.action for call in run.forward_calls() if _armed(call, definition)]
    fails = run.problem is not None or run.status in FAILED
    return armed[::-1] if fails and definition["rollback"] else []


def _armed(call: Call, definition: Mapping[str, Any]) -> bool:
    states = definition.get("states", {})
    parts = [definition, *states.values()]
    written = states | {one["id"]: one for part in parts for one in part.get("steps", ())}
    work = written[call.action]
    if "compensation" not in work or call.retried:
        return False
    return call.status == "ok" or bool(work["compensate_on_failure"])


def rolls_back_as_it_says(run: Run) -> bool:
    """Of what ran out of time nobody knows whether it was done, where nothing undid it."""
    unsure = [call for call in run.calls.values() if call.status == "timed_out"]
    if run.status == "partly_rolled_back":
        return any(call.work.compensation and call.undone_by is None for call in unsure)
    return (run.status == "rolled_back") is bool(undone())


@given(step_workflows(), outcomes_of)
def test_steps_come_to_their_end_in_order(
    place: Path, definition: dict[str, Any], outcomes: dict[str, list[str]]
):
    run = performed(place, definition, outcomes)

    written = {one["id"]: one for one in definition["steps"]}
    assert run.status in ("success", "partial_success", *FAILED)
    assert (run.open, run.status == "success") == (
        {},
        set(run.settled.values()) == {"ok"} and len(run.settled) == len(written),
    )
    ended: list[str] = []
    now = 0
    for what, name in SEEN:
        now += {"begin": 1, "end": -1}.get(what, 0)
        assert now <= definition["max_parallel"]
        if what == "begin":
            for need in written[name].get("needs", ()):
                assert ended.count(need) == SEEN.count(("end", need)), "it was not done yet"
                assert run.settled[need] == "ok" or definition["mode"] == "sequence"
        elif what == "end":
            ended.append(name)
    for name, one in written.items():
        assert SEEN.count(("begin", name)) <= one.get("retry", 0) + 1


@given(failing_steps() | st.tuples(step_workflows(), outcomes_of))
def test_steps_that_succeeded_are_undone_last_first(
    place: Path, drawn: tuple[dict[str, Any], dict[str, list[str]]]
):
    definition, outcomes = {**drawn[0], "max_parallel": 1}, drawn[1]

    run = performed(place, definition, outcomes)

    assert undone() == to_undo(run, definition)
    assert rolls_back_as_it_says(run)


@given(failing_groups() | st.tuples(state_workflows(), outcomes_of))
def test_states_follow_their_rules_to_an_end_or_a_limit(
    place: Path, drawn: tuple[dict[str, Any], dict[str, list[str]]]
):
    definition, outcomes = drawn

    run = performed(place, definition, outcomes)

    called, status = foretold(definition, outcomes)
    assert [name for what, name in SEEN if what == "begin"] == called
    assert run.status in {"failed": FAILED}.get(status, (status,))
    assert undone() == to_undo(run, definition)
    assert rolls_back_as_it_says(run)


@given(VALUES)
def test_a_value_is_put_in_once_and_never_looked_at_again(place: Path, value: Any):
    definition = steps(
        step("first", "take", args={"text": "{value}"}),
        step("again", "take", args={"text": "{first.text}"}),
        step("whole", "take", args={"text": {"in": ["{first}", "{again_text}"]}}),
        variables={"other": "not to be seen"},
    )

    run = performed(place, definition, {}, variables={"value": value})

    assert run.status == "success", run.error
    assert [value, value, {"in": [{"success": True, "text": value}, value]}] == TEXTS


@settings(max_examples=times(30, 300))
@given(broken(), outcomes_of)
def test_what_is_wrong_is_refused_before_anything_is_called(
    place: Path, definition: Any, outcomes: dict[str, list[str]]
):
    SEEN.clear()
    PLAN.clear()
    runner = fresh(place)

    try:
        running = runner.start(definition, save=False)
    except Refused:
        assert (SEEN, runner.runs()) == ([], [])
    else:
        assert running.wait(SOON)
        assert running.run.status != "running"
