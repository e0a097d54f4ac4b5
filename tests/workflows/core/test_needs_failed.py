"""A step that begins even if what it needs failed, or only then: `on_failure` alone says what a
failure means for the run."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.errors import CallStands
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall, StopRun
from wfnb.workflows.core.next_action import Start, Stop, next_action
from wfnb.workflows.views.action_rows import rows

from .story import Told, calls, fails, late, ok, played, states, steps, turns, undo


def even(id):
    return {"id": id, "even_if": "failed"}


def only(id):
    return {"id": id, "only_if": "failed"}


@pytest.mark.parametrize("how", [fails, late])
def test_a_step_begins_though_what_it_needs_failed_and_the_run_fails_as_without_it(how):
    told = played(
        steps("a", {"id": "logs", "needs": [even("a")]}, {"id": "deploy", "needs": ["a"]}), a=how
    )

    assert calls(told)[1:] == ["logs ok"]
    assert (told.run.status, told.run.problem) == ("failed", f"a: {how['error']}")


def test_it_begins_also_after_a_success():
    told = played(steps("a", {"id": "logs", "needs": [even("a")]}))

    assert calls(told) == ["a ok", "logs ok"]
    assert told.run.status == "success"


def test_a_step_that_has_to_have_failed_and_did_not_skips_what_needs_it_so():
    told = played(
        steps("a", {"id": "other", "needs": [only("a")]}, {"id": "c", "needs": ["other"]})
    )

    assert calls(told) == ["a ok", "other skipped", "c ok"]
    assert told.run.status == "success"
    assert [row.notes for row in rows(told.run)] == [[], ["a did not fail"], []]


def test_another_way_is_taken_where_one_may_fail():
    written = steps(
        {"id": "mirror", "on_failure": "continue"},
        {"id": "origin", "needs": [only("mirror")]},
        {"id": "unpack", "needs": [even("mirror"), "origin"]},
    )

    assert calls(played(written)) == ["mirror ok", "origin skipped", "unpack ok"]
    told = played(written, mirror=fails)
    assert calls(told) == ["mirror failed", "origin ok", "unpack ok"]
    assert told.run.status == "partial_success"


def test_what_is_done_because_of_a_failure_is_done_before_the_rollback_and_undone_with_it():
    told = played(
        steps(
            {"id": "a", **undo()},
            {"id": "b", "needs": ["a"]},
            {"id": "note", "needs": [only("b")], **undo()},
        ),
        b=fails,
    )

    assert calls(told) == ["a ok", "b failed", "note ok", "undo note ok", "undo a ok"]
    assert (told.run.status, told.run.error) == ("rolled_back", "b: no")


def test_what_failed_says_why_to_what_needs_it():
    written = steps(
        "a", {"id": "say", "needs": [only("a")], "args": {"text": "{a.error} ({a.error_type})"}}
    )
    told = played(written, a={**fails, "error_type": "OSError"})

    assert next(c for c in told.run.calls.values() if c.action == "say").params == {
        "text": "no (OSError)"
    }


@pytest.mark.parametrize(
    ("a", "b"),
    [(fails, "skipped"), ({**fails, "error_type": "OSError"}, "ok"), (late, "ok"), (ok, "skipped")],
)
def test_what_only_a_failure_may_have_can_be_asked_for(a, b):
    """Of this kind or that: where there is none it is null, and no mistake."""
    asked = 'a.error_type == "OSError" or steps["a"].timeout_occurred'
    told = played(steps("a", {"id": "b", "needs": [even("a")], "when": asked}), a=a)

    assert calls(told)[1:] == [f"b {b}"]


def test_a_transition_asks_for_the_kind_of_an_error():
    ways = {'error_type == "OSError" or a.error_type == "ValueError"': "b", "failure": "c"}
    written = states("a", a=ways, b={}, c={})

    assert calls(played(written, a={**fails, "error_type": "ValueError"})) == ["a failed", "b ok"]
    assert calls(played(written, a=fails)) == ["a failed", "c ok"]


@pytest.mark.parametrize("word", [even, only])
@pytest.mark.parametrize("on_failure", ["stop", "continue"])
def test_what_was_not_run_neither_succeeded_nor_failed(word, on_failure):
    told = played(
        steps(
            {"id": "a", "on_failure": on_failure},
            {"id": "b", "needs": ["a"]},
            {"id": "c", "needs": [word("b")]},
        ),
        a=fails,
    )

    assert calls(told) == ["a failed"]


def test_in_a_run_that_is_failing_only_what_may_begin_after_a_failure_begins():
    """Also after a step that succeeded meanwhile: it is to be cleaned up. What only needs one of
    these is not begun."""
    told = Told(
        steps(
            "a",
            "server",
            {"id": "stop", "needs": [even("server")], "retry": 1},
            {"id": "use", "needs": ["server"]},
            {"id": "after", "needs": ["stop"]},
            max_parallel=2,
        )
    )
    told.do(StartCall(action="a"))
    told.do(StartCall(action="server"))
    told.do(FinishCall(call=2, result=fails))
    assert next_action(told.run) == ()
    told.do(FinishCall(call=3, result=ok))
    assert next_action(told.run) == (Start(action="stop"),)

    played(None, told, stop=[fails, ok])

    assert calls(told) == ["a failed", "server ok", "stop failed", "stop ok"]
    assert told.run.status == "failed"


def test_nothing_begins_in_a_run_that_was_stopped():
    told = Told(steps("a", {"id": "b", "needs": [even("a")]}))
    told.do(StartCall(action="a"))
    told.do(StopRun())
    assert next_action(told.run) == (Stop(call=2),)

    played(None, told)

    assert calls(told) == ["a cancelled"]
    assert told.run.status == "cancelled"


def test_a_run_that_died_while_it_did_what_follows_a_failure_goes_on_with_it():
    told = Told(steps({"id": "a", **undo()}, {"id": "b", "needs": ["a"]}, _note()))
    played_until(told, "note", b=fails)
    told.do(ResumeRun(process="other", lost="again"))

    played(None, told)

    assert calls(told) == ["a ok", "b failed", "note unknown", "note ok", "undo a ok"]


IN_TURN = ({"id": "fetch", "on_failure": "continue"}, "report", "publish", "last")
AFTER = {
    "steps": steps(*IN_TURN, mode="sequence"),
    "a group": {
        **states("g", g={}),
        "states": {"g": {"steps": steps(*IN_TURN)["steps"], "mode": "sequence"}},
    },
}


@pytest.mark.parametrize("definition", AFTER.values(), ids=AFTER)
def test_what_was_done_after_a_failure_that_did_not_stop_the_run_is_not_taken_for_what_comes_of_it(
    definition,
):
    def failed():
        told = played(definition, fetch=fails, publish=fails)
        assert told.run.status == "failed"
        return told

    with pytest.raises(CallStands, match=r"report \(noop\) succeeded .* comes after fetch, which"):
        failed().do(ResumeRun())
    again, done = failed(), failed()
    for told, lost in ((again, "again"), (done, "done")):
        told.first = len(told.run.calls)
        told.do(ResumeRun(lost=lost))
        played(None, told)
        assert told.run.status == "success"
    rest = [
        [
            call.action
            for call in [*told.run.calls.values()][told.first :]
            if not call.gathers and not call.result.get("taken_as_done")
        ]
        for told in (again, done)
    ]
    assert rest == [["fetch", "report", "publish", "last"], ["fetch", "publish", "last"]]


def test_a_resume_asks_before_it_does_again_what_was_done_because_of_a_failure():
    told = played(steps("a", _note(of="a")), a=fails)

    with pytest.raises(CallStands, match=r"note \(noop\) succeeded .* comes after a, which failed"):
        told.do(ResumeRun())
    again, done = Told(told.entries[0].event.workflow), Told(told.entries[0].event.workflow)
    for other, lost in ((again, "again"), (done, "done")):
        played(None, other, a=fails)
        other.do(ResumeRun(lost=lost))
        played(None, other)

    assert calls(again)[2:] == ["a ok", "note skipped"]
    assert calls(done)[2:] == ["a ok"]
    assert again.run.status == done.run.status == "success"


def _note(of="b"):
    return {"id": "note", "needs": [only(of)]}


def played_until(told, action, **says):
    for run in turns(told, says):
        if action in run.calling():
            return


NEEDS = st.sampled_from((lambda id: id, even, only))


@st.composite
def nets(draw):
    """Steps that need steps before them, in any way."""
    names = [f"s{n}" for n in range(draw(st.integers(1, 8)))]
    made = []
    for place, name in enumerate(names):
        before = st.lists(st.sampled_from(names[:place]), unique=True, max_size=3)
        made.append(
            {
                "id": name,
                "needs": [draw(NEEDS)(need) for need in (draw(before) if place else ())],
                "on_failure": draw(st.sampled_from(["stop", "continue"])),
                **(
                    {"when": draw(st.sampled_from(["true", "false"]))}
                    if draw(st.booleans())
                    else {}
                ),
                **(undo() if draw(st.booleans()) else {}),
            }
        )
    return steps(*made, mode="parallel", max_parallel=draw(st.integers(1, 3)))


def model(definition, says, order):
    """What came of each step that was called, in the order of their ends: the rules in other words.
    `order`: in which they were called."""
    by_id = {step["id"]: step for step in definition["steps"]}
    came: dict[str, str] = {}

    def met(need):
        if isinstance(need, str):
            return came.get(need) in ("ok", "skipped")
        return need["id"] in came

    for name in order:
        step = by_id[name]
        assert all(met(need) for need in step["needs"]), name
        unwanted = any(
            not isinstance(need, str) and "only_if" in need and came[need["id"]] != "failed"
            for need in step["needs"]
        )
        if unwanted or step.get("when") == "false":
            came[name] = "skipped"
        else:
            came[name] = "failed" if says.get(name) is fails else "ok"
    stops = any(came.get(id) == "failed" and s["on_failure"] == "stop" for id, s in by_id.items())
    for id, step in by_id.items():
        may_begin = not stops or any(not isinstance(need, str) for need in step["needs"])
        if may_begin and all(met(need) for need in step["needs"]):
            assert id in came, f"{id} was not called"
    if stops:
        return came, "failed"
    return (
        came,
        "partial_success"
        if came.keys() != by_id.keys() or "failed" in came.values()
        else "success",
    )


@given(nets(), st.data())
def test_what_is_done_is_what_a_model_of_it_does(definition, data):
    failing = data.draw(st.sets(st.sampled_from([step["id"] for step in definition["steps"]])))
    says = dict.fromkeys(failing, fails)
    told = played(definition, **says)

    forward = list(told.run.forward_calls())
    came, status = model(definition, says, [call.action for call in forward])
    assert {call.action: call.status for call in forward} == came
    undone = [call.undoes for call in told.run.calls.values() if call.undoes is not None]
    armed = [c.id for c in forward if c.status == "ok" and c.work.compensation is not None]
    assert sorted(undone) == (armed if status == "failed" else [])
    assert told.run.status == ("rolled_back" if undone else status)
    assert replay(told.entries) == told.run


@given(nets(), st.data())
def test_a_run_that_is_resumed_comes_to_where_it_would_have_come_at_once(definition, data):
    ids = [step["id"] for step in definition["steps"]]
    failing = data.draw(st.sets(st.sampled_from(ids)))
    told = played(definition, **dict.fromkeys(failing, fails))
    if told.run.status in ("success", "partial_success"):
        return
    told.do(ResumeRun(lost="again"))
    played(None, told)

    whole = played(definition)
    assert told.run.status == whole.run.status == "success"
    assert told.run.settled == whole.run.settled
