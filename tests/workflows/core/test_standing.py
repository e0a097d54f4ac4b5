"""What succeeded and was not undone, though what it comes after was, when its run goes on."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.errors import CallStands
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall, StopRun
from wfnb.workflows.core.events import RunResumed

from .story import Told, calls, fails, played, states, steps, turns

UNDO = {"tool": "noop", "params": {}}
MAKE = {"id": "make", "compensation": UNDO}
PAID = ["make ok", "charge ok", "check failed", "undo make ok"]


def in_steps(**charge):
    return steps(MAKE, {"id": "charge", **charge}, "check")


def in_states(**charge):
    make = {"success": "charge", "compensation": UNDO}
    return states("make", make=make, charge={"success": "check", **charge}, check={})


BOTH = pytest.mark.parametrize("definition", [in_steps, in_states])


def rolled_back(definition):
    told = played(definition, check=fails)
    assert (told.run.status, calls(told)) == ("rolled_back", PAID)
    return told


def resumed(told, **how):
    told.do(ResumeRun(process="another", **how))
    return told


def made(told):
    """The actions whose tools are called, to the run's end."""
    return [call.action for run in turns(told, {}) for call in run.open.values()]


@BOTH
def test_it_is_asked_about_and_nothing_is_recorded(definition):
    told = rolled_back(definition())
    before = list(told.entries)

    with pytest.raises(CallStands) as refusal:
        resumed(told)

    assert (refusal.value.calls, refusal.value.after) == (
        ("charge (noop)",),
        "make, which was undone",
    )
    assert told.entries == before


def test_all_that_comes_after_the_first_that_was_undone_is_asked_about():
    make = {"success": "charge", "compensation": UNDO}
    build = {"success": "check", "compensation": UNDO}
    definition = states("make", make=make, charge={"success": "build"}, build=build, check={})
    told = played(definition, check=fails)
    assert calls(told)[-2:] == ["undo build ok", "undo make ok"]

    with pytest.raises(CallStands) as refusal:
        resumed(told)

    assert refusal.value.calls == ("charge (noop)",)


@BOTH
def test_it_is_called_again_where_somebody_says_so(definition):
    told = played(None, resumed(rolled_back(definition()), lost="again"))

    assert calls(told) == [*PAID, "make ok", "charge ok", "check ok"]
    assert "taken_as_done" not in told.run.results["charge"]


def test_a_step_that_stands_is_not_called():
    told = played(None, resumed(rolled_back(in_steps()), lost="done"))

    assert calls(told) == [*PAID, "make ok", "check ok"]
    assert told.run.status == "success"


@BOTH
def test_what_stands_is_undone_before_what_it_comes_after_that_was_done_again(definition):
    told = played(definition(compensation=UNDO), check=fails, undo_charge=fails)

    played(None, resumed(told, lost="done"), check=fails)

    assert [each for each in calls(told)[5:] if each.startswith("undo")] == [
        "undo charge ok",
        "undo make ok",
    ]


def test_what_needs_a_step_that_stands_waits_for_what_is_done_again_before_that():
    undo = {"compensation": UNDO}
    for mode in ({}, {"mode": "parallel"}):
        chain = [{"id": "b", "needs": ["a"]}, {"id": "c", "needs": ["b"]}, {"id": "d"}]
        b, c, d = (each if mode else {"id": each["id"]} for each in chain)
        d |= {"needs": ["c"]} if mode else {}
        told = played(steps({"id": "a", **undo}, b | undo, c, d, **mode), d=fails)

        assert made(resumed(told, lost="done")) == ["a", "b", "d"]


def test_what_stands_does_so_also_where_what_it_needed_fails_this_time():
    first = {"id": "a", "compensation": UNDO, "on_failure": "continue"}
    second = {"id": "b", "needs": ["a"]}
    told = played(steps(first, second, {"id": "c", "needs": ["b"]}, mode="parallel"), c=fails)

    played(None, resumed(told, lost="done"), a=fails)

    assert (told.run.settled["c"], told.run.status) == ("ok", "partial_success")


def test_a_state_that_stands_goes_on_with_what_it_gave():
    definition = in_states()
    definition["states"]["charge"]["transitions"] = [
        {"condition": {"pattern_match": "paid (?P<sum>[0-9]+)"}, "next_state": "check"}
    ]
    told = played(definition, charge={"success": True, "stdout": "paid 7"}, check=fails)

    resumed(told, lost="done")

    assert made(told) == ["make", "check"]
    assert told.run.results["charge"] == {
        "success": True,
        "stdout": "paid 7",
        "taken_as_done": True,
    }
    assert (told.run.status, told.run.variables["sum"]) == ("success", "7")


def test_a_state_stands_for_as_many_calls_as_there_were():
    make = {"success": "charge", "compensation": UNDO}
    definition = states("make", make=make, charge={"more": "charge", "success": "check"}, check={})
    more, last = {"success": True, "stdout": "more"}, {"success": True, "stdout": "all"}
    told = played(definition, charge=[more, last], check=fails)

    run = played(None, resumed(told, lost="done"), charge=fails).run

    taken = [
        call.result.get("taken_as_done") for call in run.forward_calls() if call.action == "charge"
    ]
    assert (run.status, taken) == ("success", [None, None, True, True])


@BOTH
def test_it_stands_until_the_run_comes_to_it(definition):
    told = resumed(rolled_back(definition()), lost="done")
    told = played(None, told, make=fails)
    assert (told.run.status, calls(told)) == ("failed", [*PAID, "make failed"])

    assert (made(resumed(told)), told.run.status) == (["make", "check"], "success")


@BOTH
def test_an_idempotent_one_is_called_again_unasked(definition):
    told = Told(definition())
    for action, success in (("make", True), ("charge", True), ("check", False)):
        told.do(StartCall(action=action, idempotent=True))
        told.do(FinishCall(call=next(iter(told.run.open)), result={"success": success}))
    told = played(None, told)
    assert calls(told) == PAID

    assert calls(played(None, resumed(told))) == [*PAID, "make ok", "charge ok", "check ok"]


@BOTH
@pytest.mark.parametrize("lost", ["again", "done"])
def test_what_a_later_rollback_undoes_of_it_does_not_hide_what_comes_before(definition, lost):
    told = played(definition(compensation=UNDO), check=fails, undo_charge=fails)
    assert told.run.status == "partly_rolled_back"
    played(None, resumed(told, lost=lost), make=fails)
    assert calls(told)[-2:] == ["make failed", "undo charge ok"]

    told = played(None, resumed(told))

    assert calls(told)[-3:] == ["make ok", "charge ok", "check ok"]
    assert "taken_as_done" not in told.run.results["charge"]
    assert told.run.status == "success"


@BOTH
def test_a_nested_run_that_succeeded_is_begun_anew_only_where_that_is_said(definition):
    written = definition(tool="run_workflow") if definition is in_steps else definition()
    if definition is in_states:
        written["states"]["charge"]["action"]["tool"] = "run_workflow"
    told = Told(written)
    for action, success in (("make", True), ("charge", True), ("check", False)):
        told.do(StartCall(action=action, idempotent=True))
        told.do(FinishCall(call=next(iter(told.run.open)), result={"success": success}))

    with pytest.raises(CallStands, match=r"charge \(run_workflow\)"):
        resumed(played(None, told))


@BOTH
def test_what_comes_after_the_action_that_is_named_is_not_asked_about(definition):
    told = resumed(rolled_back(definition()), start="charge" if definition is in_states else "make")

    assert "charge ok" in calls(played(None, told))[len(PAID) :]


def test_what_does_not_come_after_it_is_kept_as_ever():
    definition = steps(MAKE, "other", {"id": "check", "needs": ["make"]}, mode="parallel")
    told = played(definition, check=fails)

    assert calls(played(None, resumed(told)))[-2:] == ["make ok", "check ok"]
    assert calls(told).count("other ok") == 1


def cut_off(definition):
    """Its process is gone in the middle of `charge`; then it is cancelled, and rolled back."""
    told = Told(definition)
    told.do(StartCall(action="make"))
    told.do(FinishCall(call=2))
    told.do(StartCall(action="charge"))
    told.do(StopRun(rollback=True))
    told.do(ResumeRun(process="another", lost="again"))
    told = played(None, told)
    assert calls(told) == ["make ok", "charge unknown", "undo make ok"]
    return told


@BOTH
def test_what_is_taken_as_done_is_not_called_though_it_comes_after_what_was_undone(definition):
    told = resumed(cut_off(definition()), lost="done")

    assert (made(told), told.run.status) == (["make", "check"], "success")
    assert told.run.results["charge"]["taken_as_done"] is True


def test_what_nobody_saw_end_is_asked_about_with_it():
    definition = steps(MAKE, "charge", {"id": "send"}, "check")
    told = Told(definition)
    for call in ("make", "charge"):
        told.do(StartCall(action=call))
        told.do(FinishCall(call=next(iter(told.run.open))))
    told.do(StartCall(action="send"))
    told.do(StopRun(rollback=True))
    told.do(ResumeRun(process="another", lost="again"))

    with pytest.raises(CallStands) as refusal:
        resumed(played(None, told))

    assert (refusal.value.calls, refusal.value.unknown) == (("charge (noop)",), ("send (noop)",))
    assert "Whether send (noop) was done is unknown." in str(refusal.value)


@BOTH
def test_a_journal_that_says_nothing_of_it_replays_as_before(definition):
    told = resumed(rolled_back(definition()), lost="done")
    assert isinstance(told.entries[-1].event, RunResumed)
    assert told.entries[-1].event.kept

    told.entries[-1] = replace(told.entries[-1], event=replace(told.entries[-1].event, kept=()))
    told.run = replay(told.entries)

    assert calls(played(None, told)) == [*PAID, "make ok", "charge ok", "check ok"]
    assert "taken_as_done" not in told.run.results["charge"]


@st.composite
def workflows(draw):
    """Steps in sequence, or side by side with needs; some can be undone, and one fails."""
    names = "abcdefg"[: draw(st.integers(3, 7))]
    in_order = draw(st.booleans())
    made = []
    for at, name in enumerate(names):
        before = st.lists(st.sampled_from(names[:at]), unique=True) if at else st.just([])
        undo = {"compensation": UNDO} if draw(st.booleans()) else {}
        needs = {} if in_order else {"needs": draw(before)}
        made.append({"id": name, **needs, **undo})
    mode = {} if in_order else {"mode": "parallel", "max_parallel": draw(st.integers(1, 3))}
    return steps(*made, **mode), draw(st.sampled_from(names[2:]))


@given(workflows())
@settings(max_examples=times(150, 1000), deadline=None)
def test_whatever_stands_nothing_begins_before_all_that_it_needs_is_there(drawn):
    definition, failing = drawn
    told = played(definition, **{failing: fails})
    needs = told.run.workflow.needs
    resumed(told, lost="done")
    begun: set[int] = {*told.run.calls}

    for run in turns(told, {}):
        new = [call for call in run.calls.values() if call.id not in begun]
        begun |= {call.id for call in new}
        for call in new:
            waiting, before = list(needs[call.action]), set()
            while waiting:
                name = waiting.pop()
                before.add(name)
                waiting += needs[name]
            done = (each for each in run.forward_calls() if each.status == "ok")
            there = {each.action for each in done if each.undone_by is None}
            assert before <= there, f"{call.action} began without {before - there}"

    assert told.run.status == "success"
    assert {*told.run.settled.values()} == {"ok"}
    assert told.run.settled.keys() == needs.keys()
