"""How a call ends that nobody saw, was not made, or stands for another; what is asked of it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from wfnb.workflows.core.apply import advance, initial_run, replay, stamp
from wfnb.workflows.core.commands import (
    EndRun,
    FinishCall,
    ParkRun,
    ResumeRun,
    StartCall,
    verdict,
)
from wfnb.workflows.core.events import CallFinished, RunEnded, RunParked
from wfnb.workflows.core.ready_actions import side_by_side
from wfnb.workflows.core.resume_queries import begun_at
from wfnb.workflows.core.rollback_state import is_undone
from wfnb.workflows.definition.truncation import Cut, PrintedValue, join_ends

from .story import Told, calls, fails, late, ok, played, states, steps

UNDO = {"tool": "noop", "params": {}}
NESTED = {"tool": "run_workflow", "args": {"workflow_name": "w"}}


def begun(definition, action="a", **how):
    told = Told(definition)
    told.do(StartCall(action=action, **how))
    return told


def end(events) -> CallFinished:
    return next(event for event in events if isinstance(event, CallFinished))


def test_a_call_ends_once():
    told = begun(steps("a"))
    (id,) = told.run.open

    assert told.do(FinishCall(call=id, result=ok)) != []
    assert told.do(FinishCall(call=id, result=fails)) == []


def test_the_end_says_by_which_name_the_definition_was_saved():
    told = begun(steps("a"))
    told.do(FinishCall(call=2, result=ok))

    assert told.do(EndRun(status="success", saved="told")) == [
        RunEnded(status="success", saved="told")
    ]


def test_a_run_is_parked_as_it_was_asked_to_be():
    told = begun(steps("a"))

    assert told.do(ParkRun(calls=(2,), until=5.0, notebook=True, save=False)) == [
        RunParked(until=5.0, notebook=True, save=False)
    ]


def test_what_is_skipped_has_failed_where_the_next_state_asks_for_what_it_did_not_give():
    told = Told(states("a", a={"when": "1 > 2", "size > 3": "b"}, b={}))

    skipped = end(told.do(StartCall(action="a")))

    assert skipped.status == "failed"
    assert skipped.result["success"] is False
    assert skipped.result["error"].startswith("it was skipped, and then: ")


@pytest.mark.parametrize(
    ("lost", "status", "result"),
    [
        ("done", "ok", {"success": True, "taken_as_done": True}),
        ("again", "unknown", {"success": False, "error": "nobody saw its end"}),
    ],
)
@pytest.mark.parametrize(("step", "nested"), [({}, None), (NESTED, "")])
def test_a_call_whose_end_nobody_saw_was_done_or_is_unknown_and_a_nested_run_has_no_name(
    lost, status, result, step, nested
):
    told = begun(steps({"id": "a", **step}, "b"))

    ended = end(told.do(ResumeRun(process="another", lost=lost)))

    assert (ended.status, ended.result, ended.nested) == (status, result, nested)
    assert ended.retry == (lost == "again")


VERDICTS = [
    ("again", "a", "again"),
    ({}, "a", "ask"),
    ({"a": "done"}, "a", "done"),
    ({"a": "done"}, "a[3]", "done"),
    ({"a": "done", "a[3]": "again"}, "a[3]", "again"),
    ({"a": "done", "": "again"}, "b", "again"),
    ({"a": "done"}, "b", "ask"),
]


@pytest.mark.parametrize(("lost", "action", "said"), VERDICTS)
def test_what_is_said_of_an_action_holds_for_its_items_else_what_is_said_of_the_others(
    lost, action, said
):
    assert verdict(lost, action) == said


def group(**then):
    ways = [{"condition": when, "next_state": to} for when, to in then.items()]
    made = [{"id": step, "tool": "noop"} for step in ("x", "y")]
    return {"steps": made, "mode": "parallel", "transitions": ways}


@pytest.mark.parametrize(
    ("condition", "then"),
    [
        ("steps.x.size > 3", "yes"),
        ("steps.y.size > 3", "no"),
        ("steps.g.count == 2", "yes"),
        ("steps.g.failed > 0", "no"),
        ("make_size == 1", "yes"),
        ("steps.make.size > 1", "no"),
    ],
)
def test_what_follows_a_group_may_ask_for_each_of_its_steps_itself_and_what_came_before(
    condition, then
):
    written = states("make", make={"success": "g"}, yes={}, no={})
    written["states"]["g"] = group(**{condition: "yes"})
    written["states"]["g"]["transitions"].append(
        {"condition": {"success": True}, "next_state": "no"}
    )

    told = played(written, make={**ok, "size": 1}, x={**ok, "size": 4}, y={**ok, "size": 2})

    assert told.run.status == "success"
    assert told.run.final_state == then


def test_what_stands_after_a_rollback_counts_and_is_not_asked_whether_it_is_to_be_repeated():
    make = {"success": "charge", "compensation": UNDO}
    charge = {"success": "check", "repeat": {"until": "attempt >= 2", "at_most": 3}}
    told = played(states("make", make=make, charge=charge, check={}), check=fails)
    assert calls(told) == [
        *("make ok", "charge ok", "charge ok", "check failed", "undo make ok"),
    ]

    told.do(ResumeRun(process="another", lost="done"))
    played(None, told)

    assert calls(told)[5:] == ["make ok", "charge ok", "check ok"]
    assert told.run.results["charge"]["taken_as_done"]


@pytest.mark.parametrize(
    ("first", "instead", "status"),
    [
        ({**ok, "status": "partial_success"}, ok, "partial_success"),
        (ok, ok, "success"),
        # What was done instead is no run, whatever it says of itself.
        (fails, {**ok, "status": "partial_success"}, "success"),
    ],
)
def test_a_run_that_called_one_which_succeeded_in_part_did_so_itself(first, instead, status):
    step = {"id": "a", **NESTED, "on_error": [{"tool": "noop", "args": {}}]}

    assert played(steps(step), a=[first, instead]).run.status == status


SHORT_OF = Cut(join_ends("a", "z", 900), 900, 2, "a", "stdout")
UNKNOWN = {
    "a pattern that captures": {"capture": "n=(?P<n>.)"},
    "a transition": {"n=.": "b"},
    "a retry": {"retry": {"attempts": 1, "when": {"pattern_match": "n=."}}},
    "a fallback": {"on_error": [{"when": {"pattern_match": "n=."}, "result": {}}]},
}
UNKNOWN["all of them"] = {name: part for each in UNKNOWN.values() for name, part in each.items()}


@pytest.mark.parametrize("unknown", UNKNOWN.values(), ids=UNKNOWN)
@pytest.mark.parametrize(
    ("said", "status", "first"),
    [
        ({**fails, "stdout": SHORT_OF}, "failed", "no"),
        ({**late, "stdout": SHORT_OF}, "timed_out", "timed out"),
        ({**late, "stdout": SHORT_OF, "missed": "x"}, "timed_out", "timed out: x"),
    ],
)
def test_what_made_a_call_fail_stays_the_reason_where_what_follows_cannot_be_decided(
    unknown, said, status, first
):
    told = played(states("a", a=unknown, b={}), a=said)

    (call,) = told.run.calls.values()
    assert call.status == status
    assert call.error.startswith(first)
    assert "was cut at 2 of 900 characters" in call.error
    assert told.run.error == f"a: {call.error}"


@pytest.mark.parametrize("asked", ["a pattern that captures", "a transition"])
def test_a_success_of_which_nobody_knows_what_follows_has_failed_for_that(asked):
    told = played(states("a", a=UNKNOWN[asked], b={}), a={**ok, "stdout": SHORT_OF})

    assert told.run.error.startswith("a: Field 'stdout' of 'a' was cut at 2 of 900 characters")


def test_a_group_that_failed_says_why_where_what_follows_cannot_be_decided():
    written = states("g", g={}, b={})
    written["states"]["g"] = group(**{"steps.x.size > 3": "b"})
    told = played(written, x=fails)

    assert told.run.error.startswith("g: x: no: what follows from it is not known: `steps.x.size")


@pytest.mark.parametrize("undone", [["x"], []])
def test_a_nested_run_is_undone_where_its_rollback_undid_something(undone):
    told = begun(steps({"id": "a", **NESTED}, "b"))
    told.do(FinishCall(call=2, result=ok, nested="child"))
    played(None, told, b=fails, undo_a={**ok, "undone": undone})

    assert calls(told)[-1] == "undo a ok"
    assert is_undone(told.run, told.run.calls[2]) is bool(undone)


def test_calls_run_side_by_side_in_parallel_steps_and_in_groups():
    def first(definition, action="a"):
        told = begun(definition, action)
        return side_by_side(told.run, next(iter(told.run.calls.values())))

    assert first(steps("a", "b", mode="parallel"))
    assert not first(steps("a", "b"))
    assert not first(states("a", a={"success": "b"}, b={}))


def test_when_a_call_began_is_not_known_where_the_journal_had_no_clock():
    told = begun(steps("a"))
    assert begun_at(told.run, 2) == 2.0

    told.run.calls[2].started = None

    assert begun_at(told.run, 2) is None


def test_a_run_has_the_times_of_the_journal_also_where_they_come_after_the_events():
    told = played(steps("a", "b"), b=fails)
    told.do(ResumeRun(process="another"))
    played(None, told)

    first, *others = told.entries
    run = initial_run(first)
    for entry in others:
        advance(run, replace(entry, at=None))
        stamp(run, entry)

    assert run == replay(told.entries)
    assert run.begun is not None


class Written(Told):
    """A run whose journal is written as JSON, as on a disk."""

    def do(self, command):
        events = super().do(command)
        written = {"params", "variables", "result", "captured", "armed"}
        for at, entry in enumerate(self.entries):
            fields = {name: getattr(entry.event, name, None) for name in written}
            plain = {n: json.loads(json.dumps(each)) for n, each in fields.items() if each}
            self.entries[at] = replace(entry, event=replace(entry.event, **plain))
        self.run = replay(self.entries)
        return events


TABLE = PrintedValue("<table>", "DataFrame", why="it is large")


def test_a_variable_that_only_stands_for_a_value_is_known_to_do_so_when_a_wait_is_taken_up():
    told = Written(steps("a"))
    told.do(StartCall(action="a", idempotent=True))
    told.do(ParkRun(calls=(2,)))

    told.do(ResumeRun(process="another", variables={"rows": TABLE}))

    assert type(told.run.variables["rows"]) is PrintedValue


@pytest.mark.parametrize(("when", "error"), [("boom", "Field 'stdout' of"), ("success", None)])
def test_what_is_not_found_in_a_part_of_a_text_fails_the_call(when, error):
    told = begun(states("a", a={when: "b"}, b={}))
    cut = Cut("x", size=9, kept=1, field="stdout")

    ended = end(told.do(FinishCall(call=2, result={**ok, "stdout": cut, "note": cut})))

    assert (ended.status, ended.goto) == (("failed", None) if error else ("ok", "b"))
    assert (ended.result.get("error") or "").startswith(error or "")


def test_an_item_that_cannot_begin_ends_as_one_of_its_list():
    told = Told(steps({"id": "a", "for_each": ["x", "y"], "args": {"v": "{item.none}"}}))
    told.do(StartCall(action="a"))

    ended = end(told.do(StartCall(action="a[0]")))

    assert ended.status == "failed"
    assert told.run.calls[ended.call].within == 2
    assert told.run.loops[2].open == set()


def test_an_item_that_cannot_begin_leads_to_no_state():
    listed = {"for_each": ["x"], "params": {"v": "{item.none}"}, "failure": "b"}
    told = Told(states("a", a=listed, b={}))
    told.do(StartCall(action="a"))

    ended = end(told.do(StartCall(action="a[0]")))

    assert (ended.status, ended.goto) == ("failed", None)
