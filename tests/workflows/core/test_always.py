"""What is `always` done last: after all others and the rollback, however the run ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.errors import StateUnknown
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall, StopRun
from wfnb.workflows.core.next_action import End, Start, Stop, next_action
from wfnb.workflows.views.action_rows import rows

from .story import Told, act, calls, fails, ok, played, states, steps, undo

CLOSE = {"id": "close", "always": True}


def test_it_is_done_after_all_others_wherever_it_is_written():
    told = played(steps(CLOSE, "a", "b"))

    assert calls(told) == ["a ok", "b ok", "close ok"]
    assert (told.run.status, told.run.final_state) == ("success", "b")


def test_it_is_done_after_the_rollback_of_a_run_that_failed():
    told = played(steps({"id": "a", **undo()}, CLOSE, "b", "c"), b=fails)

    assert calls(told) == ["a ok", "b failed", "undo a ok", "close ok"]
    assert (told.run.status, told.run.error) == ("rolled_back", "b: no")
    assert [row.notes for row in rows(told.run)][2] == []


def test_a_state_is_done_last_wherever_the_run_ended():
    written = states(
        "a",
        a={"success": "b", "failure": "c"},
        b={},
        c={},
        close={"always": True},
        d={"always": True},
    )

    assert calls(played(written)) == ["a ok", "b ok", "close ok", "d ok"]
    assert calls(played(written, a=fails)) == ["a failed", "c ok", "close ok", "d ok"]
    told = played(written, b=fails)
    assert calls(told) == ["a ok", "b failed", "close ok", "d ok"]
    assert (told.run.status, told.run.final_state) == ("failed", "b")


def test_it_is_done_when_the_run_comes_to_its_limit_of_states():
    told = played(states("a", a={"success": "a"}, close={"always": True}))

    assert calls(told)[-2:] == ["a ok", "close ok"]
    assert "Maximum states limit" in told.run.error


@pytest.mark.parametrize("rollback", [True, False])
def test_it_is_done_when_the_run_is_cancelled(rollback):
    told = Told(steps({"id": "a", **undo()}, "b", CLOSE))
    act(told)
    told.do(FinishCall(call=2, result=ok))
    act(told)
    told.do(StopRun(rollback=rollback))

    played(None, told)

    undone = ["undo a ok"] if rollback else []
    assert calls(told) == ["a ok", "b cancelled", *undone, "close ok"]
    assert told.run.status == "cancelled"


def test_all_of_them_are_done_whatever_came_of_the_others_and_are_tried_again():
    told = played(
        steps("a", CLOSE, {"id": "d", "always": True, "retry": 1}, {"id": "e", "always": True}),
        a=fails,
        close=fails,
        d=[fails, ok],
    )

    assert calls(told)[1:] == ["close failed", "d failed", "d ok", "e ok"]
    assert told.run.error == "a: no"


def test_where_only_that_failed_the_run_has_failed_and_nothing_is_undone():
    told = played(steps({"id": "a", **undo()}, CLOSE), close=fails)

    assert calls(told) == ["a ok", "close failed"]
    assert (told.run.status, told.run.error) == ("failed", "close: no")


def test_where_that_may_fail_the_run_succeeds_in_part():
    told = played(steps("a", CLOSE | {"on_failure": "continue"}), close=fails)

    assert told.run.status == "partial_success"


def test_it_may_ask_what_succeeded_also_of_what_was_not_come_to():
    written = steps(
        "a",
        "open",
        CLOSE | {"when": "open.success"},
        {"id": "say", "always": True, "when": "not a.success"},
    )

    assert calls(played(written)) == ["a ok", "open ok", "close ok", "say skipped"]
    assert calls(played(written, a=fails)) == ["a failed", "close skipped", "say ok"]


def test_what_it_gives_is_not_the_run_s_last_value():
    told = played(steps("a", CLOSE), a={"stdout": "12"}, close={"stdout": "closed"})

    assert told.run.variables["stdout"] == "12"
    assert told.run.variables["close_stdout"] == "closed"


def test_who_cancels_while_it_is_done_stops_it_and_what_would_come_after():
    told = Told(steps({"id": "a", **undo()}, CLOSE, {"id": "d", "always": True}))
    act(told)
    told.do(FinishCall(call=2, result=ok))
    act(told)
    told.do(StopRun())

    assert next_action(told.run) == (Stop(call=4),)
    played(None, told)

    assert calls(told) == ["a ok", "close cancelled"]
    assert told.run.status == "cancelled"


def test_who_stops_the_run_at_once_has_it_not_done():
    told = Told(steps("a", CLOSE))
    act(told)
    told.do(StopRun(skip_always=True))

    played(None, told)

    assert calls(told) == ["a cancelled"]


def test_a_run_that_is_resumed_does_it_again_after_what_it_does():
    written = steps("a", CLOSE, "b")
    told = played(written, b=fails)
    told.do(ResumeRun())
    played(None, told)

    assert calls(told) == ["a ok", "b failed", "close ok", "b ok", "close ok"]
    assert told.run.status == "success"


@pytest.mark.parametrize(
    "written",
    [
        steps("a", CLOSE, {"id": "d", "always": True}),
        states("a", a={}, close={"always": True}, d={"always": True}),
    ],
)
def test_a_resume_that_has_nothing_else_to_do_does_what_is_left_of_it(written):
    told = played(written, d=fails)
    told.do(ResumeRun())
    played(None, told)

    assert calls(told) == ["a ok", "close ok", "d failed", "d ok"]
    assert told.run.status == "success"


def test_a_rollback_that_is_asked_for_later_does_not_do_it_again():
    told = played(steps({"id": "a", **undo()}, CLOSE, "b", rollback=False), b=fails)
    told.do(ResumeRun(rollback=True))
    played(None, told)

    assert calls(told) == ["a ok", "b failed", "close ok", "undo a ok"]
    assert (told.run.status, told.run.error) == ("rolled_back", "b: no")


def test_no_run_begins_with_it():
    told = played(steps("a", CLOSE), a=fails)

    with pytest.raises(StateUnknown):
        told.do(ResumeRun(start="close"))


def test_a_nested_run_that_it_calls_is_not_undone():
    written = steps({"id": "a", **undo()}, {"id": "close", "always": True, "tool": "run_workflow"})
    told = Told(written)
    act(told)
    told.do(FinishCall(call=2, result=ok))
    act(told)
    told.do(FinishCall(call=4, result=fails, nested="child"))
    act(told)

    assert calls(told) == ["a ok", "close failed"]
    assert told.run.status == "failed"
    assert list(told.run.armed) == [2]


@st.composite
def runs(draw):
    """A workflow of either form with some that are always done last, and what fails in it."""
    names = [f"s{n}" for n in range(draw(st.integers(1, 5)))]
    last = [f"z{n}" for n in range(draw(st.integers(1, 3)))]
    back = {name: undo() if draw(st.booleans()) else {} for name in names}
    if draw(st.booleans()):
        ways = dict(zip(names, [{"success": name} for name in names[1:]] + [{}], strict=True))
        written = {name: back[name] | ways[name] for name in names}
        definition = states(names[0], **written, **{name: {"always": True} for name in last})
    else:
        together = draw(st.booleans())
        some = [{"id": name, **back[name]} for name in names]
        written = [*some, *({"id": name, "always": True} for name in last)]
        definition = steps(
            *draw(st.permutations(written)), mode="parallel" if together else "sequence"
        )
        last = [step["id"] for step in definition["steps"] if step.get("always")]
    return definition, last, draw(st.sets(st.sampled_from(names + last)))


@given(runs(), st.data())
def test_whatever_happens_each_is_done_once_last_and_in_order(given, data):
    """The process dies, and the run is cancelled, at any moment: what succeeded is not called
    again, and none is left out."""
    definition, last, failing = given
    told = Told(definition)
    asked = False
    for _ in range(200):
        if told.run.status != "running":
            break
        if not asked and data.draw(st.integers(0, 9)) == 9:
            asked = not any(told.run.calls[id].work.always for id in told.run.calls)
            if asked:
                told.do(StopRun(rollback=data.draw(st.booleans())))
        if data.draw(st.integers(0, 5)) == 5:
            told.do(ResumeRun(process=f"p{told.run.position}", lost="again"))
        act(told)
        if told.run.open and data.draw(st.integers(0, 5)) != 5:
            call = data.draw(st.sampled_from(list(told.run.open.values())))
            wrong = call.undoes is None and call.action in failing
            told.do(FinishCall(call=call.id, result=fails if wrong else ok))

    assert told.run.status != "running"
    done = [call for call in told.run.calls.values() if call.status != "unknown"]
    ends = [call for call in done if call.undoes is None and call.work.always]
    assert [call.action for call in ends] == last
    assert done[-len(last) :] == ends
    assert replay(told.entries) == told.run


def test_while_others_run_it_is_not_begun():
    told = Told(steps("a", CLOSE, "b", mode="parallel"))

    assert next_action(told.run) == (Start(action="a"), Start(action="b"))
    told.do(StartCall(action="a"))
    told.do(StartCall(action="b"))
    told.do(FinishCall(call=2, result=fails))
    assert next_action(told.run) == ()
    told.do(FinishCall(call=3, result=ok))
    assert next_action(told.run) == (Start(action="close"),)
    told.do(StartCall(action="close"))
    told.do(FinishCall(call=6, result=ok))
    assert next_action(told.run) == (End(status="failed", error="a: no"),)


@given(runs())
def test_a_resume_does_what_failed_and_then_all_that_is_done_last(given):
    definition, last, failing = given
    told = played(definition, **dict.fromkeys(failing, fails))
    if not failing:
        return
    before = len(told.run.calls)
    told.do(ResumeRun(lost="again"))
    played(None, told)

    done = list(told.run.calls.values())[before:]
    ends = [call.action for call in done if call.work.always]
    only_last = not failing - set(last)
    assert ends == [name for name in last if not only_last or name in failing]
    assert [call.action for call in done if call.work.always] == [
        call.action for call in done[len(done) - len(ends) :]
    ]
    assert told.run.status == "success"
    assert set(told.run.settled.values()) == {"ok"}
