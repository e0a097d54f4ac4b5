"""A run in a line costs the same however many calls it made; opened, it says what it did."""

from __future__ import annotations

from typing import Any

import pytest

from tests.workflows.views.given import (
    NOON,
    Story,
    checks,
    deploy,
    failed_deploy,
    looped,
    state,
    states,
    step,
    steps,
)
from wfnb.panel import LiveRun, run_detail, run_head, tail_lines
from wfnb.views.run_entries import RunEntry
from wfnb.workflows.core.run import Run


def live(run: Run | None, status: str = "running", here: bool = False, **more: Any) -> LiveRun:
    entry = RunEntry(name="w-1", workflow="w", status=status, started=NOON, ended=NOON + 9, **more)
    return LiveRun(entry=entry, run=run, is_performed_here=here)


def asking(**more: Any) -> Run:
    work = states("release", sure=state("ask", "done"), done=state("notify"))
    return Story(work).starts("sure").asks("sure", "Release?\nit", "yes", "no", **more).run


def test_a_run_that_goes_on_says_how_far_it_is_and_what_it_does():
    run = Story(deploy()).performs("upload", id="u1").starts("migrate").run

    assert run_head(live(run, step=3, here=True)) == {
        "name": "w-1",
        "workflow": "w",
        "status": "running",
        "sign": "▶",
        "step": 3,
        "done": 1,
        "total": 3,
        "now": ["▶ migrate (shell)"],
        "started": NOON,
        "ended": None,
        "error": None,
        "asks": [],
        "here": True,
        "resumable": False,
    }


def test_a_run_that_asks_says_what_and_what_comes_of_no_answer():
    run = asking(default="no", timeout=30.0)
    head = run_head(live(run))

    assert head["asks"] == [
        {
            "run": "w-1",
            "call": next(iter(run.questions)),
            "action": "sure",
            "question": "Release?\nit",
            "choices": ["yes", "no"],
            "default": "no",
            "secret": False,
            "otherwise": "default: no, taken after 30 s",
        }
    ]


def test_a_secret_that_is_the_default_is_not_told():
    head = run_head(live(asking(default="hunter2", secret=True, timeout=30.0)))

    assert (head["asks"][0]["secret"], head["asks"][0]["default"]) == (True, None)
    assert "hunter2" not in str(head)


def test_a_run_that_ended_here_says_so_before_the_session_knows():
    head = run_head(live(failed_deploy().run, "running", here=True))

    assert (head["status"], head["sign"], head["resumable"]) == ("partly_rolled_back", "◔", True)
    assert head["error"] == "restart: port in use · not undone: upload (no such upload)"
    assert (head["now"], head["ended"]) == ([], NOON + 4.75)


@pytest.mark.parametrize(
    ("status", "resumable"),
    [
        ("success", False),
        ("partial_success", False),
        ("running", False),
        ("failed", True),
        ("rolled_back", True),
        ("partly_rolled_back", True),
        ("cancelled", True),
        ("interrupted", True),
    ],
)
def test_a_run_of_which_only_its_status_is_known_says_that(status, resumable):
    head = run_head(live(None, status, error="it broke"))

    assert (head["status"], head["resumable"], head["total"]) == (status, resumable, None)
    assert head["ended"] == (None if status == "running" else NOON + 9)


def test_what_a_line_says_of_a_run_does_not_ask_for_its_calls():
    run = Story(steps(*(step(f"s{n}") for n in range(50)))).performs("s0").run

    class Unseen(dict[int, Any]):
        def _looked(self) -> Any:
            raise AssertionError("all calls were gone through")

        values = items = keys = __iter__ = __reversed__ = lambda self: self._looked()

    run.calls = Unseen(run.calls)
    run.results = Unseen(run.results)

    assert run_head(live(run, here=True))["done"] == 1


def test_a_run_that_was_opened_is_drawn_and_told_in_order():
    detail = run_detail(live(looped().run, "success"), [("test", "12 \x1b[32mpassing\x1b[0m\n")])

    assert [row["action"] for row in detail["actions"]] == [
        *("build", "test", "fix", "test", "fix", "test", "done"),
    ]
    assert detail["actions"][1] == {
        "action": "test",
        "sign": "✓",
        "state": "ok",
        "tool": "await_output",
        "attempts": 1,
        "seconds": 1.0,
        "undo": "",
        "note": "2 failing",
    }
    assert {node["id"]: node["note"] for node in detail["drawing"]["nodes"]}["test"] == "3×"
    assert {e["head"]: e["taken"] for e in detail["drawing"]["edges"] if e["tail"] == "fix"} == {
        "test": 2,
        "give_up": 0,
    }
    assert detail["tail"] == [{"who": "test", "text": "12 passing"}]


def test_a_run_that_was_rolled_back_says_what_became_of_each_action():
    detail = run_detail(live(failed_deploy().run, "failed"))

    assert {row["action"]: row["undo"] for row in detail["actions"]} == {
        "upload": "not undone: no such upload",
        "migrate": "undone",
        "restart": "",
    }


def test_a_run_whose_process_is_gone_performs_nothing_any_more():
    begun = Story(deploy()).performs("upload", id="u1").starts("migrate").run

    states = {}
    for status in ("running", "interrupted"):
        begun.lost = status == "interrupted"
        detail = run_detail(live(begun, status))
        (action,) = (each for each in detail["actions"] if each["action"] == "migrate")
        (node,) = (each for each in detail["drawing"]["nodes"] if each["id"] == "migrate")
        states[status] = (action["sign"], action["state"], node["sign"], node["state"])

    assert states == {
        "running": ("▶", "running", "▶", "running"),
        "interrupted": ("◐", "interrupted", "◐", "interrupted"),
    }


def test_a_run_that_is_not_at_hand_is_told_without_its_actions():
    detail = run_detail(live(None, "interrupted"))

    assert (detail["drawing"], detail["actions"], detail["tail"]) == (None, [], [])


def test_a_workflow_too_large_to_draw_is_told_in_its_last_actions():
    run = Story(steps(*(step(f"s{n}") for n in range(301)))).run

    detail = run_detail(live(run))

    assert detail["drawing"] is None
    assert len(detail["actions"]) == 200
    assert detail["actions"][-1]["state"] == "not yet"


def test_the_tail_is_the_last_lines_of_all_that_wrote():
    said = [("a", "1\n2\n"), "3\r4\n", ("a", "\x1b]0;title\x07\n"), ("b", "5")]

    assert tail_lines(said, 3) == [
        {"who": "a", "text": "2"},
        {"who": "", "text": "4"},
        {"who": "b", "text": "5"},
    ]


def test_a_workflow_of_states_does_not_know_how_many_there_will_be():
    head = run_head(live(Story(checks(), target="all").performs("build").run, here=True))

    assert (head["done"], head["total"]) == (1, None)


def test_what_called_runs_ask_is_asked_by_the_run_that_was_begun_after_what_it_asks_itself():
    named = live(asking()).run
    called = LiveRun(entry=live(None).entry, run=named, called=(("checks-2", asking()),))
    quiet = LiveRun(entry=live(None).entry, called=(("checks-2", asking()),))

    assert [each["run"] for each in run_head(called)["asks"]] == ["w-1", "checks-2"]
    assert [each["run"] for each in run_head(quiet)["asks"]] == ["checks-2"]


def test_an_opened_run_says_how_many_lines_its_last_ones_are_of():
    detail = run_detail(live(asking()), ["one\n", "two\n"], upto=9)

    assert (len(detail["tail"]), detail["upto"]) == (2, 9)
