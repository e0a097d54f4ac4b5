"""A state, a step or an item that comes again: its last time is not this one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import times
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.commands import (
    AnswerQuestion,
    AskQuestion,
    FinishCall,
    ParkRun,
    ResumeRun,
    StartCall,
    StopRun,
)
from wfnb.workflows.core.events import QuestionAsked
from wfnb.workflows.core.resume_queries import begun_at, cut_off_before
from wfnb.workflows.core.rollback_state import is_undone
from wfnb.workflows.core.run import Call
from wfnb.workflows.runner.questions import answered_before
from wfnb.workflows.views.action_rows import rows
from wfnb.workflows.views.run_result import run_result

from .story import Told, act, calls, fails, ok, played, states, steps, turns, undo
from .test_groups import group, made, one

UNDO = {"compensation": {"tool": "undo"}}
NEXT = {"success": "t"}


def resumed(told, **how):
    told.do(ResumeRun(process="another", **how))
    assert told.run == replay(told.entries)
    return told


def open_call(told, action):
    return next(call for call in told.run.open.values() if call.action == action)


def cut_off_at(told, action, says=None):
    """Up to where that action is being called; then its process is gone."""
    for run in turns(told, says or {}):
        if any(call.action == action for call in run.open.values()):
            return told
    raise AssertionError("it was not called")


def begun(told, since):
    forward = [call for call in told.run.forward_calls() if call.id > since]
    return [call.action for call in forward if not call.gathers]


@pytest.mark.parametrize("listed", [{}, {"for_each": [1, 2, 3]}])
@pytest.mark.parametrize("tried", [{"retry": 3}, {"on_error": [{"tool": "other"}]}])
def test_a_step_that_was_to_be_tried_again_begins_anew_when_its_group_comes_round(tried, listed):
    step = {"id": "x", **tried, **listed}
    told = Told(made(g=group(step, "y", then={"failure": "mend", "success": "t"}),
                     mend=one({"success": "g"}), t=one()))  # fmt: skip
    for _ in range(3):
        act(told)
    first = "x[0]" if listed else "x"
    # Both end before anything is begun: the failure of y keeps x from its next attempt.
    told.do(FinishCall(call=open_call(told, first).id, result=fails))
    told.do(FinishCall(call=open_call(told, "y").id, result=fails))
    since = max(told.run.calls)
    played(None, told)

    x = [c for c in told.run.calls.values() if c.id > since and c.action == first]
    assert [(c.attempt, c.tool, c.fallback) for c in x] == [(1, "noop", None)]
    assert told.run.status == "success"
    assert not [row for row in rows(told.run) if row.state == "running"]


def test_what_a_step_captured_is_not_known_when_its_group_comes_round():
    step = {"id": "x", "capture": "v=(?P<v>.+)", "on_failure": "continue"}
    ways = {'x.success and v == "1"': "g", "failure": "t"}
    told = played(made(g=group(step, then=ways), t=one()),
                  x=[{"success": True, "stdout": "v=1"}, ok])  # fmt: skip

    # No condition is asked of what the first round had captured.
    assert calls(told) == ["g ok", "x ok", "g failed", "x ok"]
    assert "'v'" in told.run.error or "v" in told.run.error


def test_a_condition_does_not_go_by_what_an_earlier_time_captured():
    again = {'v == "1"': "b", "success": "t"}
    told = played(
        states("a", a={"capture": "v=(?P<v>.+)", **again}, b={"success": "a"}, t={}),
        Told(states("a", a={"capture": "v=(?P<v>.+)", **again}, b={"success": "a"}, t={}),
             variables={"v": "none"}),
        a=[{"success": True, "stdout": "v=1"}, ok],
    )  # fmt: skip

    assert calls(told) == ["a ok", "b ok", "a ok", "t ok"]


def test_a_round_of_an_earlier_time_stays_to_be_undone_where_its_state_comes_again():
    x = {"repeat": {"until": "n == 2", "at_most": 2}, "success": "t", **undo()}
    told = played({**states("a", a={"success": "x"}, x=x, t={}), "rollback": False},
                  x={"success": True, "n": 1})  # fmt: skip
    assert told.run.status == "failed"
    before = max(c.id for c in told.run.calls.values() if c.action == "x")
    assert before in told.run.armed
    resumed(told, start="a")
    for _ in turns(told, {"x": {"success": True, "n": 1}}):
        pass

    assert before in told.run.armed
    assert len(told.run.armed) == 2


def test_what_was_cut_off_stays_to_be_undone_where_its_state_comes_again_at_another_time():
    x = {"success": "t", "compensate_on_failure": True, "idempotent": True, **undo()}
    told = cut_off_at(Told(states("a", a={"success": "x"}, x=x, t={})), "x")
    first = open_call(told, "x").id
    resumed(told, start="a", lost="again")
    played(None, told, t=fails)

    undone = [c.undoes for c in told.run.calls.values() if c.undoes is not None]
    assert first in undone
    assert len(undone) == 2
    assert told.run.status == "rolled_back"
    assert [row.action for row in rows(told.run)] == ["a", "x", "a", "x", "t"]


def test_a_wait_or_an_answer_of_another_time_is_not_gone_on_with():
    told = cut_off_at(Told(states("a", a={"success": "x"}, x={"success": "t"}, t={})), "x")
    first = open_call(told, "x").id
    told.do(AskQuestion(event=QuestionAsked(call=first, question="now?")))
    told.do(AnswerQuestion(call=first, answer="yes"))
    here = Told.__new__(Told)
    here.entries, here.run = [*told.entries], replay(told.entries)
    cut_off_at(resumed(here, lost="again"), "x")
    cut_off_at(resumed(told, lost="again", start="a"), "x")
    x, same = open_call(told, "x").id, open_call(here, "x").id

    assert (answered_before(here.run, same), cut_off_before(here.run, same)) == ("yes", {first})
    assert (answered_before(told.run, x), cut_off_before(told.run, x)) == (None, set())
    assert cut_off_before(told.run, x, at_any_time=True) == {first}
    assert begun_at(told.run, x) == told.run.calls[x].started


@pytest.mark.parametrize("cut", [False, True])
def test_items_that_stood_for_a_list_that_was_skipped_do_not_for_its_next_time(cut):
    x = {"for_each": [1, 2], "when": 'go == "yes"', "success": "b"}
    b = {"capture": "go=(?P<go>.+)", "more > 0": "x", "success": "t"}
    definition = {**states("x", x=x, b=b, t={}), "rollback": False}
    told = played(None, Told(definition, variables={"go": "yes"}), **{"x[1]": fails})
    since = max(told.run.calls)
    resumed(told, variables={"go": "no"})
    again = {"success": True, "more": 1, "stdout": "go=yes"}
    for run in turns(told, {"b": again}):
        if "b" in run.results:
            break
    if cut:
        resumed(told)
    played(None, told, b={"success": True, "more": 0})

    assert begun(told, since) == ["x", "b", "x[0]", "x[1]", "b", "t"]


def test_what_stood_and_was_undone_later_is_where_it_was_in_the_order():
    definition = states("a", a={"success": "b", **undo()}, b={"success": "c", **undo()},
                        c={"success": "t", **undo()}, t={})  # fmt: skip
    told = played(definition, t=fails, undo_c=fails)  # c could not be undone
    assert told.run.status == "partly_rolled_back"
    since = max(told.run.calls)
    resumed(told, lost="done")
    played(None, told, t=fails)
    stood = [c for c in told.run.forward_calls() if c.id > since and c.action == "c"]
    assert stood[0].result["taken_as_done"]
    undone = [told.run.calls[c.undoes].action for c in told.run.calls.values()
              if c.id > since and c.undoes is not None]  # fmt: skip
    assert undone == ["c", "b", "a"]
    assert told.run.status == "rolled_back"
    assert all(is_undone(told.run, c) for c in told.run.forward_calls() if c.action == "c")
    assert {row.undo for row in rows(told.run) if row.action == "c"} == {"undone"}

    since = max(told.run.calls)
    resumed(told)
    played(None, told)

    assert begun(told, since) == ["a", "b", "c", "t"]
    assert told.run.status == "success"


def test_what_is_always_done_last_does_not_take_an_earlier_success_for_one_of_now():
    steps = {
        "name": "told",
        "steps": [
            {"id": "build", "tool": "noop"},
            {"id": "deploy", "tool": "noop"},
            {"id": "report", "tool": "noop", "always": True, "when": "deploy.success"},
        ],
        "outputs": {"done": "deploy.success"},
    }
    told = played(steps)
    assert told.run.outputs == {"done": True}
    since = max(told.run.calls)
    resumed(told, start="build")

    assert told.run.outputs == {}
    played(None, told, build=fails)
    new = [(c.action, c.status) for c in told.run.forward_calls() if c.id > since]
    assert new == [("build", "failed"), ("report", "skipped")]


def test_it_is_said_that_what_a_success_was_done_upon_was_undone():
    definition = states("a", a={"success": "b", **undo()}, b={"success": "c", **undo()}, c={})
    told = played(definition, c=fails)
    assert told.run.status == "rolled_back"
    resumed(told, start="c")
    played(None, told)

    assert told.run.status == "partial_success"
    assert told.run.error == "a, b were undone, and not done again"
    assert "told-1 --from a` does it again" in repr(run_result(told.run, "told-1"))
    resumed(told, start="b")
    played(None, told)
    assert told.run.error == "a was undone, and not done again"
    resumed(told, start="a")
    played(None, told)
    assert (told.run.status, told.run.error) == ("success", None)


def test_a_nested_run_that_is_taken_as_done_is_undone_with_the_run_that_called_it():
    x = {"action": {"tool": "run_workflow", "params": {"workflow_name": "w"}}, "idempotent": False}
    definition = states("x", x={"success": "t"}, t={})
    definition["states"]["x"] |= x
    told = Told(definition)
    told.do(StartCall(action="x"))
    resumed(told, lost="done")
    for _ in turns(told, {"t": fails}):
        if open_ := [c for c in told.run.open.values() if c.undoes is not None]:
            break

    assert (open_[0].tool, told.run.calls[open_[0].undoes].action) == ("run_workflow", "x")


def test_how_a_run_was_parked_is_not_known_once_it_ended_and_somebody_had_it_go_on():
    told = Told(states("a", a={}))
    told.do(StartCall(action="a", idempotent=True))
    told.do(ParkRun(calls=(open_call(told, "a").id,), save=True))
    resumed(told)
    assert told.run.last_parked is not None
    played(None, told, a=fails)
    resumed(told)

    assert told.run.last_parked is None


SHOWS = {"params": {"p": "{stdout}"}}


@pytest.mark.parametrize("form", ["states", "steps"])
@pytest.mark.parametrize("undone", [False, True])
@pytest.mark.parametrize("start", [None, "b"])
def test_what_is_done_again_is_given_what_it_was_given(form, undone, start):
    more = undo() if undone else {}
    if form == "states":
        definition = states("a", a={"success": "b"}, b={"success": "c", **SHOWS, **more},
                            c=SHOWS, t={})  # fmt: skip
    else:
        args = {"args": SHOWS["params"]}
        definition = steps("a", {"id": "b", **args, **more}, {"id": "c", **args})
    says = {name: {"success": True, "stdout": name} for name in "ab"}
    told = played(definition, **says, c={"success": False, "stdout": "c"})
    since = max(told.run.calls)
    resumed(told, start=start)
    played(None, told, **says)

    again = [(c.action, c.params.get("p")) for c in told.run.forward_calls() if c.id > since]
    assert again == [*([("b", "a")] if undone or start else []), ("c", "b")]
    assert told.run.status == "success"


def test_what_was_given_by_hand_or_captured_before_stays_when_it_goes_on_again():
    shows = {"params": {"p": "{v} {w}"}, "capture": "w=(?P<w>.+)"}
    b = {"capture": "[vw]=(?P<v>.+)", "success": "c"}
    definition = {**states("a", a={"capture": "(?P<w>x)(?P<v>y)", "success": "b"}, b=b, c=shows),
                  "rollback": False}  # fmt: skip
    says = {"a": {**ok, "stdout": "xy"}, "b": {**ok, "stdout": "v=1"}}
    told = played(definition, **says, c={**fails, "stdout": "w=2"})
    resumed(told, variables={"v": "hand"})
    played(None, told, c={**fails, "stdout": "w=3"})
    resumed(told)
    played(None, told, c=fails)
    resumed(told, start="b")
    played(None, told, b={**ok, "stdout": "v=4"}, c=fails)
    resumed(told)
    played(None, told)

    assert [call.params["p"] for call in told.run.calls.values() if call.action == "c"] == [
        "1 x",
        "hand x",
        "hand x",
        "4 x",
        "4 x",
    ]


KINDS = st.fixed_dictionaries(
    {},
    optional={
        "repeat": st.just({"until": "n > 1", "at_most": 2}),
        "retry": st.just(1),
        "on_error": st.just([{"tool": "other", **undo()}]),
        "for_each": st.just([1, 2]),
        "compensate_on_failure": st.just(True),
        "when": st.just(""),
    },
)
HOW = st.sampled_from([{}, {"start": "a"}, {"start": "x"}, {"start": "g"}, {"start": "y"}])


@settings(max_examples=times(100, 600))
@given(
    KINDS,
    KINDS,
    st.lists(st.sampled_from([0, 1, 2, 2, None, None]), max_size=40),
    st.lists(st.tuples(st.integers(1, 12), st.sampled_from(["stop", "kill"]), HOW), max_size=4),
)
def test_whatever_comes_again_begins_anew_and_a_rollback_leaves_nothing_of_any_time(
    x, y, said, breaks
):
    for kind in (x, y):
        if kind.pop("when", None) is not None:
            kind["when"] = "index > 0" if "for_each" in kind else "go"
    definition = states(
        "a", a={"success": "x"}, x={"success": "g", "failure": "a", **x, **undo()}, t={}
    )
    both = group({"id": "y", **y, **UNDO}, "z", then={"success": "t", "failure": "a"})
    definition["states"]["g"] = both
    left = iter(said)

    def say(_):
        n = next(left, 2)
        return fails if n is None else {"success": True, "n": n}

    told = Told({**definition, "max_states": 30}, variables={"go": True})
    names = dict.fromkeys(("x", "y", "z", *(f"{a}[{n}]" for a in "xy" for n in (0, 1))), say)
    plans = iter(breaks)
    at, what, how = next(plans, (0, "", {}))
    while True:
        for count, _ in enumerate(turns(told, {**names, "t": fails})):
            if count == at and what == "stop" and told.run.status == "running":
                told.do(StopRun(rollback=False))
            if count == at and what == "kill" and told.run.status == "running":
                break
        if what == "" or told.run.status in ("rolled_back", "failed"):
            break
        resumed(
            told,
            lost="again",
            **(how if told.run.stop is None or told.run.status != "running" else {}),
        )
        at, what, how = next(plans, (0, "", {}))

    first: dict[tuple[str, int], Call] = {}
    done: dict[tuple[str, int], list[Call]] = {}
    for call in told.run.forward_calls():
        key = told.run.identity(call), call.time
        first.setdefault(key, call)
        # Also the last round, that failed as `until` did not hold.
        if "n" in call.result and call.work.compensation is not None:
            done.setdefault(key, []).append(call)
    assert all((call.attempt, call.fallback) == (1, None) for call in first.values())
    if told.run.status == "rolled_back":
        for calls_of in done.values():
            # Of the rounds of one time the last is undone, with the ones before it.
            own = calls_of[-1:] if calls_of[0].work.repeat else calls_of
            assert all(is_undone(told.run, call) for call in own)


WAYS = ("a", "b", "c", "t")


@settings(max_examples=times(100, 1000))
@given(
    went=st.lists(st.sampled_from(WAYS), max_size=8),
    undoing=st.sets(st.sampled_from(WAYS)),
    start=st.sampled_from([None, *WAYS]),
)
def test_what_goes_on_knows_what_was_known_when_its_state_began(went, undoing, start):
    """Each state says where it leads, and the last fails. What was done after the state with which
    the run goes on may be undone, and may not come again: its fields are not known."""
    leads = [{"condition": {"field_equals": {"way": name}}, "next_state": name} for name in WAYS]
    written = {name: {"transitions": leads, **(undo() if name in undoing else {})} for name in WAYS}
    told, known = Told(states("a", **written)), {}
    for way in [*went, None]:
        act(told)
        (call,) = told.run.open.values()
        known[call.id] = dict(told.run.results), dict(told.run.specific)
        result = {**ok, "way": way, "at": call.id} if way else fails
        told.do(FinishCall(call=call.id, result=result))
    played(None, told)
    made = [*told.run.forward_calls()]

    resumed(told, start=start, lost="again")

    undone = [call.id for call in made if is_undone(told.run, call)]
    begun = [call.id for call in made if call.action == start]
    first = max(begun, default=0) if start else min(undone, default=made[-1].id)
    if first:
        assert (told.run.results, told.run.specific) == known[first]


def test_what_was_undone_is_not_handed_on_where_the_run_goes_another_way():
    leads = [{"condition": {"field_equals": {"way": way}}, "next_state": way} for way in "bd"]
    definition = states(
        "a", a={"transitions": leads, **undo()}, b={"success": "c", **undo()}, c={}, d={}
    )
    told = played(
        {**definition, "outputs": {"made": "b.id"}},
        a={**ok, "way": "b"},
        b={**ok, "id": 7},
        c=fails,
    )
    resumed(told)
    played(None, told, a={**ok, "way": "d"})

    assert (told.run.status, told.run.outputs) == ("rolled_back", {})
    assert "nothing is called 'b'" in told.run.error
