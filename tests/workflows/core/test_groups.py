"""A group of steps as a state: side by side within, one state for what is before and after."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.errors import CallStands, CallUncertain
from wfnb.workflows.core.apply import advance, replay
from wfnb.workflows.core.commands import FinishCall, ParkRun, ResumeRun, StopRun
from wfnb.workflows.core.decide import decide
from wfnb.workflows.core.events import RunRecorded
from wfnb.workflows.core.next_action import next_action
from wfnb.workflows.core.resume_queries import still_to_call
from wfnb.workflows.core.rollback_state import is_undone, undone_below
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.views.action_rows import rows
from wfnb.workflows.views.run_result import WELL

from .story import Told, act, calls, fails, late, ok, played, turns

UNDO = {"compensation": {"tool": "undo"}}


def group(*written, mode="parallel", **more):
    made = [{"id": step} if isinstance(step, str) else step for step in written]
    made = [{"tool": "noop", **step} for step in made]
    then = more.pop("then", {})
    ways = [{"condition": _said(when), "next_state": to} for when, to in then.items()]
    return {"steps": made, "mode": mode, "transitions": ways, **more}


def one(then=None, **more):
    ways = [{"condition": _said(when), "next_state": to} for when, to in (then or {}).items()]
    return {"action": {"tool": "noop"}, "transitions": ways, **more}


def _said(when):
    return {"success": {"success": True}, "failure": {"success": False}}.get(when, when)


def made(**states):
    more = {key: states.pop(key) for key in ("rollback", "max_states") if key in states}
    return {"name": "told", "initial_state": next(iter(states)), "states": states, **more}


def again(told, **says):
    """It goes on; what its tools are called with from there on."""
    first = max(told.run.calls, default=0)
    told.do(ResumeRun(process="another", **says.pop("how", {})))
    assert told.run == replay(told.entries)
    played(None, told, **says)
    new = [call for id, call in told.run.calls.items() if id > first and call.undoes is None]
    taken = [call for call in new if call.result.get("taken_as_done")]
    return [call.action for call in new if not call.gathers and call not in taken]


def test_its_steps_run_side_by_side_as_far_as_they_need_each_other():
    told = Told(
        made(s=group("a", "b", {"id": "c", "needs": ["a"]}, then={"success": "t"}), t=one())
    )
    act(told)
    act(told)

    assert sorted(call.action for call in told.run.open.values()) == ["a", "b", "s"]
    played(None, told)
    assert calls(told) == ["s ok", "a ok", "b ok", "c ok", "t ok"]
    assert told.run.results["s"] == {"success": True, "count": 3, "failed": 0}
    assert (told.run.status, told.run.entered, told.run.final_state) == ("success", 2, "t")


@pytest.mark.parametrize(("more", "most"), [({"max_parallel": 2}, 2), ({"mode": "sequence"}, 1)])
def test_no_more_run_at_a_time_than_is_said(more, most):
    told = Told(made(s=group(*"abcde", **more)))

    assert most == max(len(run.open) - 1 for run in turns(told, {}) if run.open)


def test_where_it_leads_is_said_by_all_of_it_and_by_what_its_steps_gave():
    ways = {"a.n > 1 and b.success": "up", "failure": "down"}
    definition = made(s=group("a", "b", then=ways), up=one(), down=one())

    assert calls(played(definition, a={"success": True, "n": 2}))[-1] == "up ok"
    told = played(definition, a={"success": True, "n": 2}, b=fails)
    assert calls(told) == ["s failed", "a ok", "b failed", "down ok"]
    assert told.run.status == "success"
    named = made(s=group("count", then={"count.n == s.count": "up"}), up=one())
    assert calls(played(named, count={"success": True, "n": 1}))[-1] == "up ok"
    assert played(definition, a=late, b=late).run.results["s"]["timeout_occurred"] is True


def test_a_failure_that_no_transition_handles_fails_the_run_and_all_is_undone_last_first():
    steps = [{"id": id, **UNDO} for id in "ab"]
    told = played(
        made(p=one({"success": "s"}, **UNDO), s=group(*steps, {"id": "c", "needs": ["b"]})), c=fails
    )

    assert calls(told)[-4:] == ["c failed", "undo b ok", "undo a ok", "undo p ok"]
    assert (told.run.status, told.run.error) == ("rolled_back", "s: c: no")


def test_what_goes_on_or_begins_in_spite_of_a_failure_does_so_within_the_group():
    steps = [
        {"id": "a", "on_failure": "continue"},
        {"id": "b"},
        {"id": "tell", "needs": [{"id": "b", "only_if": "failed"}]},
        {"id": "never", "needs": ["b"]},
    ]
    borne = played(made(s=group(*steps)), a=fails)
    failing = played(made(s=group(*steps, then={"failure": "t"}), t=one()), b=fails)

    assert (borne.run.status, borne.run.results["s"]["failed"]) == ("partial_success", 1)
    assert calls(borne)[-2:] == ["tell skipped", "never ok"]
    assert calls(failing) == ["s failed", "a ok", "b failed", "tell ok", "t ok"]
    assert [row.action for row in rows(failing.run) if row.state == "not yet"] == ["never"]


def test_a_loop_that_comes_to_it_again_does_all_of_it_again_and_forgets_what_it_gave():
    ways = {'not b.success and a.error == "no"': "fix", "b.success": "end"}
    steps = ["a", {"id": "b", "needs": ["a"]}]
    told = played(
        made(s=group(*steps, then=ways), fix=one({"success": "s"}), end=one()), a=[fails, ok]
    )

    assert calls(told) == ["s failed", "a failed", "fix ok", "s ok", "a ok", "b ok", "end ok"]
    assert told.run.entered == 4
    told = played(None, Told(made(s=group(*steps, then={"success": "s"})), max_states=3))
    assert "Maximum states limit (3)" in told.run.error
    assert Counter(calls(told))["b ok"] == 3


def test_what_was_done_to_the_last_round_stands_when_it_comes_round_and_is_undone_with_the_rest():
    until = {"repeat": {"until": "n > 2", "at_most": 2}, "on_failure": "continue", **UNDO}
    ns = [{"success": True, "n": n} for n in (1, 2, 3)]
    told = played(
        made(s=group({"id": "a", **until}, "b", mode="sequence", then={"success": "s"})),
        a=ns,
        b=[ok, fails],
    )

    assert calls(told)[-2:] == ["undo a ok", "undo a ok"]
    assert [told.run.calls[id].result["n"] for id in told.run.rolled] == [3, 2]
    assert told.run.status == "rolled_back"


def test_it_is_skipped_as_a_whole_and_its_steps_by_themselves():
    told = played(
        made(
            s=group("a", then={"skipped": "t"}, when="1 > 2"), t=group({"id": "b", "when": "1 > 2"})
        )
    )

    assert calls(told) == ["s skipped", "t ok", "b skipped"]


def test_items_retries_and_fallbacks_are_those_of_its_steps():
    steps = [
        {"id": "a", "for_each": [1, 2], "retry": 1},
        {"id": "b", "on_error": [{"result": {"n": 1}}]},
    ]
    told = played(
        made(s=group(*steps, then={"a.count == 2 and b.n == 1": "t"}), t=one()),
        b=fails,
        **{"a[0]": [fails, ok]},
    )

    assert told.run.status == "success"
    assert Counter(calls(told))["a[0] ok"] == 1
    assert calls(told)[-1] == "t ok"


def test_after_it_has_ended_it_goes_on_with_what_did_not_succeed():
    definition = made(s=group("a", "b", {"id": "c", "needs": ["a"]}, {"id": "d", "needs": ["b"]}))
    told = played(definition, b=fails)
    assert calls(told) == ["s failed", "a ok", "b failed", "c ok"]

    assert again(told) == ["b", "d"]
    assert told.run.status == "success"


def test_what_was_undone_of_it_runs_again_with_what_needs_it():
    a, b = {"id": "a", **UNDO}, "b"
    steps = [a, b, {"id": "c", "needs": ["a"], "idempotent": True}, {"id": "d", "needs": ["b"]}]
    definition = made(s=group(*steps, then={"success": "t"}), t=one())

    assert again(played(definition, t=fails), how={"lost": "again"}) == ["a", "c", "t"]
    asked = played(definition, t=fails)
    with pytest.raises(CallStands, match=r"c \(noop\)"):
        asked.do(ResumeRun(process="another"))
    assert again(asked, how={"lost": "done"}) == ["a", "t"]


def test_where_an_earlier_time_of_it_was_undone_it_begins_anew_and_asks():
    steps = [{"id": "a", **UNDO}, "b"]
    definition = made(
        s=group(*steps, then={"n.stop == 1": "t", "success": "n"}), n=one({"success": "s"}), t=one()
    )
    definition["states"]["s"]["transitions"][0]["condition"] = {"field_equals": {"count": 9}}
    told = played(definition, n=[ok, fails])
    assert told.run.status == "rolled_back"

    with pytest.raises(CallStands, match="b \\(noop\\)"):
        told.do(ResumeRun(process="another"))
    begun = again(told, how={"lost": "again"}, n=[ok, fails])
    assert begun == ["a", "b", "n", "a", "b", "n"]


@pytest.mark.parametrize(("before", "start"), [(UNDO, None), (UNDO, "m"), ({}, "m")])
def test_one_that_failed_begins_anew_where_the_run_goes_on_from_a_state_before_it(before, start):
    definition = made(m=one({"success": "s"}, **before), s=group({"id": "a", **UNDO}, "b", "c"))
    definition["states"]["s"]["mode"] = "sequence"
    told = played(definition, b=fails)
    assert calls(told)[:4] == ["m ok", "s failed", "a ok", "b failed"]

    assert again(told, how={"start": start}) == ["m", "a", "b", "c"]
    assert told.run.status == "success"


@pytest.mark.parametrize(
    ("start", "begun"), [("s", ["a", "b", "c"]), ("b", ["b"]), ("a", ["a", "b", "c"])]
)
def test_it_goes_on_from_its_state_or_from_a_step_of_it(start, begun):
    told = played(made(s=group("a", "b", {"id": "c", "needs": ["a"]})), b=fails)
    assert calls(told) == ["s failed", "a ok", "b failed", "c ok"]

    assert again(told, how={"start": start}) == begun


def test_a_process_that_dies_within_it_leaves_the_group_open_and_asks_about_its_calls_alone():
    told = Told(
        made(s=group("a", "b", {"id": "c", "needs": ["a"]}, then={"success": "t"}), t=one())
    )
    act(told)
    act(told)
    (a,) = (call for call in told.run.open.values() if call.action == "a")
    told.do(FinishCall(call=a.id, result=ok))

    with pytest.raises(CallUncertain, match=r"b \(noop\)") as asked:
        told.do(ResumeRun(process="another"))
    assert "s (" not in str(asked.value)
    assert again(told, how={"lost": "done"}) == ["c", "t"]
    assert Counter(calls(told))["s ok"] == 1


def test_a_mended_group_goes_on_with_the_steps_that_stand():
    told = played(made(s=group("a", "b", then={"success": "t"}), t=one()), b=fails)
    mended = parse(
        made(s=group("a", "b2", {"id": "c", "needs": ["a"]}, then={"success": "t"}), t=one())
    )

    assert again(told, how={"workflow": mended}) == ["b2", "c", "t"]
    assert told.run.status == "success"


def test_it_is_cancelled_with_all_that_it_was_doing_and_goes_on_from_there():
    told = Told(made(s=group({"id": "a", **UNDO}, "b", "c", max_parallel=2)))
    act(told)
    act(told)
    (a, *_) = (call for call in told.run.open.values() if call.action == "a")
    told.do(FinishCall(call=a.id, result=ok))
    told.do(StopRun(rollback=False))
    played(None, told)

    assert calls(told) == ["s cancelled", "a ok", "b cancelled"]
    assert told.run.results.get("s") is None
    assert again(told) == ["b", "c"]
    assert told.run.status == "success"


def test_it_is_parked_where_all_that_it_does_is_wait():
    told = Told(made(s=group("a", "b")))
    act(told)
    act(told)
    waits = tuple(id for id, call in told.run.open.items() if not call.gathers)
    told.do(ParkRun(calls=waits, until=5.0))
    assert told.run.parked

    told.do(ResumeRun(process="another"))
    assert set(told.run.open) >= set(waits)
    played(None, told)
    assert calls(told) == ["s ok", "a ok", "b ok"]


# anything


class Quick(Told):
    """It is not replayed from its events each time: only where a test does so."""

    def do(self, command):
        events = decide(self.run, command)
        for event in events:
            position = len(self.entries) + 1
            entry = RunRecorded(position=position, first=position, event=event, at=float(position))
            self.entries.append(entry)
            advance(self.run, entry)
        return events

    def replayed(self):
        again = replay(self.entries)
        again.planned = self.run.planned
        return again == self.run


OUTCOMES = st.lists(st.sampled_from([ok, ok, fails, late]), max_size=4)
NAMES = ("s0", "s1", "s2")


@st.composite
def workflows(draw, width=1):
    written = {}
    for name in NAMES[: draw(st.integers(1, 3))]:
        ways = draw(
            st.dictionaries(
                st.sampled_from(["success", "failure"]), st.sampled_from(NAMES), max_size=2
            )
        )
        ids = [f"{name}{letter}" for letter in "abcd"[: draw(st.integers(0, 4))]]
        if not ids:
            more = dict(UNDO) if draw(st.booleans()) else {}
            more |= {"for_each": [1, 2]} if draw(st.booleans()) else {}
            written[name] = one(ways, retry=draw(st.integers(0, 1)), **more)
            continue
        steps = []
        for n, id in enumerate(ids):
            needs = draw(st.lists(st.sampled_from(ids[:n]), unique=True, max_size=2)) if n else []
            words = [draw(st.sampled_from(["", "", "", "even_if", "only_if"])) for _ in needs]
            named = [
                {"id": need, word: "failed"} if word else need
                for need, word in zip(needs, words, strict=True)
            ]
            more = dict(UNDO) if draw(st.booleans()) else {}
            more |= {"on_failure": draw(st.sampled_from(["stop", "continue"]))}
            more |= {"for_each": [1, 2]} if draw(st.integers(0, 3)) == 0 else {}
            steps.append({"id": id, "needs": named, "retry": draw(st.integers(0, 1)), **more})
        written[name] = group(*steps, then=ways, max_parallel=width)
    for state in written.values():
        for way in state["transitions"]:
            if way["next_state"] not in written:
                way["next_state"] = "s0"
    return made(**written, rollback=draw(st.booleans()), max_states=draw(st.integers(1, 5)))


def outcomes(said):
    """What each action comes to, the first time that it ends, the second, …: however often it was
    begun for that."""
    left = {name: list(results) for name, results in said.items()}

    class Says(dict):
        def get(self, name, otherwise):
            of = left.get(name.partition("[")[0], []) if "undo_" not in name else []
            return of.pop(0) if of else otherwise

    return Says()


IDS = st.sampled_from([*NAMES, *(f"{name}{letter}" for name in NAMES for letter in "abcd")])
SAID = st.dictionaries(IDS, OUTCOMES, max_size=8)


def ended(told):
    """What ended, in order."""
    known = (call for call in told.run.calls.values() if not call.gathers)
    return [
        (call.action, call.undoes is not None, call.status, call.goto)
        for call in known
        if call.status not in ("unknown", "running")
    ]


def performed(told, says, cuts=()):
    """To the end of it, its process killed after these events, and gone on with."""
    turn, going = 0, True
    while going:
        going = False
        for _ in turns(told, says):
            turn += 1
            assert turn < 2000, "it hangs"
            if turn in cuts and told.run.status == "running":
                told.do(ResumeRun(process=f"p{turn}", lost="again"))
                assert told.replayed()
                going = True
                break
    return told


AGAIN = {"success": "s"}
LISTS = [
    one(AGAIN, for_each=[1, 2]),
    group({"id": "a", "for_each": [1, 2]}, then=AGAIN),
    group({"id": "a", "for_each": [1, 2], "on_failure": "continue"}, "b", then=AGAIN),
]


@pytest.mark.parametrize("state", LISTS)
def test_a_list_that_is_done_again_is_done_wherever_it_was_cut_off(state):
    definition, said = made(s=state, max_states=3), {"a": [ok, fails]}
    whole = ended(performed(Quick(definition, max_states=3), outcomes(said)))

    for moment in range(1, 30):
        cut = performed(Quick(definition, max_states=3), outcomes(said), {moment})
        assert ended(cut) == whole, moment


@given(workflows(), SAID, st.sets(st.integers(0, 40), max_size=6))
def test_whenever_it_is_cut_off_it_ends_as_if_it_had_not_been(definition, said, cuts):
    whole = performed(Quick(definition, max_states=definition["max_states"]), outcomes(said))
    cut = performed(Quick(definition, max_states=definition["max_states"]), outcomes(said), cuts)

    assert ended(cut) == ended(whole)
    assert (cut.run.status, cut.run.error, cut.run.settled) == (
        whole.run.status,
        whole.run.error,
        whole.run.settled,
    )
    assert cut.run.variables == whole.run.variables
    assert cut.replayed()
    shown = [
        [(row.action, row.state, row.undo, row.number) for row in rows(each.run)]
        for each in (cut, whole)
    ]
    assert shown[0] == shown[1]


@given(workflows(width=3), SAID, st.sets(st.integers(0, 40), max_size=6))
def test_side_by_side_no_step_begins_before_its_needs_or_twice_in_a_round(definition, said, cuts):
    told = performed(Quick(definition, max_states=definition["max_states"]), outcomes(said), cuts)

    groups = {name: state for name, state in parse(definition).states.items() if state.is_group}
    done: dict[str, set[str]] = {}
    for call in told.run.calls.values():
        if call.work.is_group and call.action in groups:
            done[call.action] = set()
        state = told.run.workflow.groups.get(call.action)
        if state is None or call.undoes is not None or call.status in ("unknown", "cancelled"):
            continue
        assert call.action not in done[state], "it had ended already"
        needs = groups[state].needs[call.action]
        passed = {
            *done[state],
            *(name for name in needs if told.run.settled.get(name) == "skipped"),
        }
        assert passed >= {*needs}
        if not call.retried:
            done[state].add(call.action)
    assert not told.run.open
    assert told.run.group is None


@given(workflows(width=2), SAID, st.randoms(use_true_random=False), st.integers(1, 5))
def test_however_often_it_failed_and_was_resumed_it_comes_to_a_good_end_and_does_nothing_twice(
    definition, said, chance, times
):
    """Cut off, cancelled, failed and undone, and gone on with from anywhere; or, where that is not
    called which stands, right where it was."""
    definition = {**definition, "max_states": 50}
    for state in definition["states"].values():  # each state leads on: there is an end
        later = [name for name in definition["states"] if name > _name(definition, state)]
        ways = [{"condition": {"success": True}, "next_state": name} for name in later[:1]]
        state["transitions"] = ways
    told, careful = Quick(definition, max_states=definition["max_states"]), chance.random() < 0.5
    for turn in range(times):
        until = chance.randint(1, 25)
        for n, _ in enumerate(turns(told, outcomes(said))):
            assert n < 2000, "it hangs"
            if n == until and told.run.status == "running":
                if chance.random() < 0.6:
                    break
                told.do(StopRun(rollback=chance.random() < 0.5))
        if told.run.status in WELL:
            break
        start = None if careful else chance.choice([None, None, *told.run.workflow.actions])
        lost = "done" if careful else chance.choice(["again", "done"])
        told.do(ResumeRun(process=f"p{turn}", lost=lost, start=start))
        assert told.replayed()
        assert {*told.run.ready, *still_to_call(told.run)} <= {*told.run.workflow.actions}
    performed(told, outcomes({}))

    if told.run.status not in WELL:  # the last resume was of a rollback, or of a stop
        told.do(ResumeRun(process="last", lost="done" if careful else "again"))
        performed(told, outcomes({}))
    left_out = undone_below(told.run)  # by `start`, which may be behind what was undone
    assert not (careful and left_out)
    last = {call.action: call for call in told.run.whole_calls()}
    lost = [
        step
        for step, state in told.run.workflow.groups.items()
        if step in last and (last[step].status, last[state].status) == ("failed", "ok")
    ]
    assert told.run.status == ("partial_success" if left_out or lost else "success")
    assert next_action(told.run) == ()
    good = [call for call in told.run.calls.values() if call.status == "ok" and not call.gathers]
    assert set(Counter(call.undoes for call in good if call.undoes is not None).values()) <= {1}
    if careful:
        lasting = [c for c in good if c.undoes is None and not is_undone(told.run, c)]
        made = Counter(told.run.identity(c) for c in lasting if not c.retried)
        taken = Counter(told.run.identity(c) for c in lasting if c.result.get("taken_as_done"))
        assert not [name for name in made if made[name] - taken[name] > 1]


def _name(definition, state):
    return next(name for name, each in definition["states"].items() if each is state)
