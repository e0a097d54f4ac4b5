"""What is done for each item of a list: one by one or side by side, with an end for all of them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.errors import CallStands, CallUncertain, ItemsTooMany
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall, StopRun
from wfnb.workflows.core.rollback_state import rolled_back
from wfnb.workflows.definition.for_each import ForEach, item_keys, list_items
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.views.action_rows import rows

from .story import Told, act, calls, fails, late, ok, played, states, steps, turns

UNDO = {"tool": "noop", "args": {"what": "{item}"}}


def each(items, **more):
    extra = {key: more.pop(key) for key in ("max_parallel", "tolerate") if key in more}
    return {"id": "a", "for_each": {"items": items, **extra} if extra else items, **more}


def gave(value):
    return {"success": True, "n": value}


def begun(told):
    """What its tools are called with from here, to the run's end."""
    first = max(told.run.calls, default=0)
    played(None, told)
    made = (call for id, call in told.run.calls.items() if id > first)
    return [call.action for call in made if call.items is None and call.undoes is None]


def resumed(told, **how):
    told.do(ResumeRun(process="another", **how))
    return told


def test_the_action_gives_what_each_item_gave_in_order():
    told = played(
        steps(
            each(["x", "y"], args={"v": "{item}", "n": "{index}"}),
            {"id": "b", "args": {"all": "{a.results}"}},
        ),
        **{"a[0]": gave(1), "a[1]": gave(2)},
    )

    assert calls(told) == ["a ok", "a[0] ok", "a[1] ok", "b ok"]
    one, two, last = [call for call in told.run.calls.values() if call.items is None]
    assert [one.params, two.params] == [{"v": "x", "n": 0}, {"v": "y", "n": 1}]
    assert last.params == {"all": [gave(1), gave(2)]}
    assert told.run.variables["a_count"] == 2
    assert (told.run.status, told.run.entered) == ("success", 2)


def test_a_mapping_is_a_list_of_keys_and_values_and_a_text_none():
    entry = each({"p": 1, "q": 2}, args={"v": "{item.key}={item.value}"}, max_parallel=2)
    told = played(steps(entry))
    params = [call.params for call in told.run.calls.values() if call.within]
    assert params == [{"v": "p=1"}, {"v": "q=2"}]

    text = played(steps("b", each("b.stdout")), b={"success": True, "stdout": "x\ny"})
    assert "it gives the text" in text.run.error
    assert "for its lines write lines(…)" in text.run.error


def test_there_is_an_end_to_how_many_items_there_may_be():
    with pytest.raises(ItemsTooMany, match=r"There are 10,001 items, and .* 10,000 at most"):
        list_items(ForEach(items="rows"), {"rows": [0] * 10_001}, ())


def test_of_no_items_the_action_has_succeeded():
    told = played(steps(each([]), "b"))

    assert calls(told) == ["a ok", "b ok"]
    assert told.run.results["a"] == {"success": True, "count": 0, "failed": 0, "results": []}


@pytest.mark.parametrize("width", [1, 2, 5])
def test_no_more_are_done_at_a_time_than_is_said(width):
    told = Told(steps(each(list(range(7)), max_parallel=width)))

    most = max(sum(call.items is None for call in run.open.values()) for run in turns(told, {}))

    assert most == width


def test_after_a_failure_no_further_item_begins_and_the_rest_is_undone():
    told = played(steps(each([1, 2, 3], compensation=UNDO)), **{"a[1]": fails})

    assert calls(told) == ["a failed", "a[0] ok", "a[1] failed", "undo a[0] ok"]
    (undone,) = (call for call in told.run.calls.values() if call.undoes is not None)
    assert undone.params == {"what": 1}
    assert told.run.error == "a: 1 of 3 items failed: a[1]: no"
    assert told.run.status == "rolled_back"


@pytest.mark.parametrize(
    ("borne", "status"),
    [(1, "partial_success"), ("25%", "partial_success"), ("24%", "failed"), (0, "failed")],
)
def test_as_many_may_fail_as_are_tolerated(borne, status):
    told = played(steps(each(["x"] * 4, tolerate=borne), "b"), **{"a[2]": fails})

    assert told.run.status == status
    assert (calls(told)[-1] == "b ok") is (status == "partial_success")


def test_an_item_is_tried_again_by_itself():
    told = played(steps(each([1, 2], retry=1, max_parallel=2)), **{"a[0]": [fails, ok]})

    assert calls(told) == ["a ok", "a[0] failed", "a[1] ok", "a[0] ok"]
    assert told.run.status == "success"


def test_a_condition_that_names_the_item_is_asked_for_each_and_another_once():
    some = played(steps(each([1, 5], when="item > 3")))
    none = played(steps(each([1, 5], when="1 > 3"), "b"))

    assert calls(some) == ["a ok", "a[0] skipped", "a[1] ok"]
    assert some.run.results["a"]["results"][0] == {"success": True, "skipped": True}
    assert calls(none) == ["a skipped", "b ok"]


def test_what_patterns_capture_is_a_list_of_what_each_item_captured():
    capture = {"capture": r"id=(?P<id>\d+)"}
    told = played(
        steps(each([1, 2, 3], **capture), {"id": "b", "args": {"ids": "{id}"}}),
        **{
            "a[0]": {"success": True, "stdout": "id=7"},
            "a[2]": {"success": True, "stdout": "id=9"},
        },
    )

    assert told.run.calls[max(told.run.calls)].params == {"ids": ["7", None, "9"]}


def test_a_state_goes_on_by_what_all_items_gave():
    chosen = {"failed == 0 and results[1].n == 2": "b", "failed > 0": "c"}
    a = {"for_each": [1, 2], **chosen}
    for said, end in (({"a[1]": gave(2)}, "b"), ({"a[0]": fails}, "c")):
        told = played(states("a", a=a, b={}, c={}), **said)
        assert (told.run.final_state, told.run.status) == (end, "success")

    timed = states("a", a={"for_each": [1, 2], "on_timeout": "b"}, b={})
    assert played(timed, **{"a[1]": late}).run.final_state == "b"


def test_a_run_that_failed_goes_on_with_the_items_that_are_left():
    told = played(steps(each([1, 2, 3, 4]), "b", rollback=False), **{"a[1]": fails})

    assert begun(resumed(told)) == ["a[1]", "a[2]", "a[3]", "b"]
    assert told.run.status == "success"
    assert len(told.run.results["a"]["results"]) == 4


def test_items_that_were_undone_are_done_again_and_those_that_were_not_stand():
    told = played(steps(each([1, 2, 3], compensation=UNDO), "b"), b=fails, **{"undo_a[1]": fails})
    assert told.run.status == "partly_rolled_back"

    assert begun(resumed(told)) == ["a[0]", "a[2]", "b"]
    assert told.run.status == "success"


def test_of_another_list_the_items_with_the_same_values_stand():
    definition = steps(each("rows"), rollback=False)
    told = Told(definition, variables={"rows": ["a", "b", "c", "c"]})
    played(None, told, **{"a[3]": fails})

    resumed(told, variables={"rows": ["new", "c", "b", "c"]})

    assert begun(told) == ["a[0]", "a[3]"]
    assert told.run.status == "success"


def test_rows_of_items_of_several_lists_say_which_they_are_and_are_not_taken_for_each_other():
    told = Told(steps(each("rows", retry=1), rollback=False), variables={"rows": ["x", "y"]})
    for run in turns(told, {"a[1]": fails}):
        if "a[1]" in run.tries:
            break
    resumed(told, variables={"rows": ["new", "z", "y"]})
    played(None, told, **{"a[2]": fails})

    shown = [(row.action, row.item, row.attempts) for row in rows(told.run) if row.is_item]
    assert shown == [
        ("a[0]", "for x", 1),
        ("a[0]", "for new", 1),
        ("a[1]", "for z", 1),
        ("a[2]", "for y", 2),
    ]


def test_what_stood_for_one_resume_stands_for_no_later_one():
    told = played(steps(each([1, 2]), "b", rollback=False), b=fails)
    played(None, resumed(told), b=fails)
    assert begun(resumed(told, start="a")) == ["a[0]", "a[1]", "b"]

    entry = each([1, 2, 3], compensation=UNDO)
    told = played(steps(entry, "b"), b=fails, **{"undo_a[1]": fails})
    played(None, resumed(told), b=fails)
    assert (told.run.status, begun(resumed(told))) == ("rolled_back", ["a[0]", "a[1]", "a[2]", "b"])


def test_what_is_known_of_an_item_goes_along_when_the_list_is_another():
    undo = {"compensation": UNDO, "compensate_on_failure": True}
    told = Told(steps(each("rows", retry=3, **undo), "b"), variables={"rows": ["x", "y"]})
    for run in turns(told, {"a[1]": fails}):
        if sum(call.action == "a[1]" for call in run.open.values()) and run.tries:
            break
    resumed(told, variables={"rows": ["new", "z", "y"]}, lost="again")
    played(None, told, b=fails)

    made = [(c.action, c.attempt) for c in told.run.calls.values() if c.within and c.id > 8]
    assert made == [("a[0]", 1), ("a[1]", 1), ("a[2]", 2)]
    undone = [call.params["what"] for call in told.run.calls.values() if call.undoes is not None]
    assert undone == ["y", "z", "new", "x"]


def test_an_item_that_waits_when_too_many_failed_begins_anew_in_the_next_round():
    a = {"for_each": {"items": [1, 2], "max_parallel": 2}, "retry": 1, "n == 0": "b"}
    told = Told(states("a", a=a | {"failed > 0": "b"}, b={"n == 1": "a"}))
    says = {"a[0]": [fails, fails, ok], "a[1]": [fails, ok], "b": [gave(1), gave(2)]}
    for run in turns(told, says):
        if run.status == "running" and not run.open:
            assert not run.tries


def test_results_have_the_places_of_the_list():
    told = played(steps(each([1, 2, 3], max_parallel=2, on_failure="continue")), **{"a[0]": fails})

    assert [one and one["success"] for one in told.run.results["a"]["results"]] == [
        False,
        True,
        None,
    ]


def test_an_action_of_states_whose_items_were_undone_does_not_stand():
    a = {"for_each": [1, 2], "compensation": {"tool": "noop", "params": {}}, "success": "c"}
    s = {"compensation": {"tool": "noop", "params": {}}, "success": "a"}
    told = played(states("s", s=s, a=a, c={}), c=fails)

    assert told.run.status == "rolled_back"
    assert begun(resumed(told)) == ["s", "a[0]", "a[1]", "c"]


def test_what_needs_what_was_undone_is_asked_about_though_other_items_of_it_were_undone():
    make = {"id": "make", "compensation": UNDO | {"args": {}}}
    told = played(
        steps(make, each([1, 2], compensation=UNDO), "c"), c=fails, **{"undo_a[0]": fails}
    )

    with pytest.raises(CallStands, match=r"a\[0\] \(noop\)"):
        resumed(told)


def test_an_item_that_succeeded_stands_though_a_list_between_did_not_have_it():
    told = Told(steps(each("rows"), rollback=False), variables={"rows": ["x", "y"]})
    played(None, told, **{"a[1]": fails})
    played(None, resumed(told, variables={"rows": ["z"]}), **{"a[0]": fails})

    assert begun(resumed(told, variables={"rows": ["x", "y"]})) == ["a[1]"]


def test_a_named_action_is_done_for_all_items_again():
    told = played(steps(each([1, 2]), "b", rollback=False), b=fails)

    assert begun(resumed(told, start="a")) == ["a[0]", "a[1]", "b"]


def test_a_round_of_states_does_all_items_again():
    told = Told(states("a", a={"for_each": [1, 2], "success": "b"}, b={"n == 1": "a"}))
    told.run.max_states = 9
    played(None, told, b=[gave(1), fails])
    assert begun(resumed(told)) == ["b"]

    told = Told(states("a", a={"for_each": [1, 2], "success": "b"}, b={"n == 1": "a"}))
    played(None, told, b=fails)
    resumed(told)
    said = {"b": [gave(1), gave(2)]}
    played(None, told, **said)
    assert calls(told)[-4:] == ["a ok", "a[0] ok", "a[1] ok", "b ok"]


def test_a_cancelled_run_stops_its_items_and_goes_on_with_them():
    told = Told(steps(each([1, 2, 3]), "b"))
    for run in turns(told, {}):
        if any(call.action == "a[1]" for call in run.open.values()):
            break
    told.do(StopRun())
    while told.run.status == "running":
        act(told)

    assert (told.run.status, calls(told)) == (
        "cancelled",
        ["a cancelled", "a[0] ok", "a[1] cancelled"],
    )
    assert begun(resumed(told)) == ["a[1]", "a[2]", "b"]


def test_what_comes_after_what_was_undone_is_asked_about_item_by_item():
    make = {"id": "make", "compensation": UNDO | {"args": {}}}
    told = played(steps(make, each([1, 2, 3])), **{"a[2]": fails})
    assert told.run.status == "rolled_back"

    with pytest.raises(CallStands, match=r"a\[0\] \(noop\), a\[1\] \(noop\)"):
        resumed(told)
    assert begun(resumed(told, lost={"a": "done"})) == ["make", "a[2]"]


def test_an_action_that_stands_as_a_whole_is_not_called():
    make = {"id": "make", "compensation": UNDO | {"args": {}}}
    told = played(steps(make, each([1, 2]), "c"), c=fails)

    with pytest.raises(CallStands, match=r"a \(noop\)"):
        resumed(told)
    assert begun(resumed(told, lost="done")) == ["make", "c"]
    assert told.run.results["a"]["count"] == 2


def test_an_item_whose_end_nobody_saw_is_asked_about_and_no_other():
    told = Told(steps(each([1, 2, 3]), "b"))
    for run in turns(told, {}):
        if any(call.action == "a[1]" for call in run.open.values()):
            break

    with pytest.raises(CallUncertain, match=r"Whether a\[1\] \(noop\) was done is unknown"):
        resumed(told)
    assert begun(resumed(told, lost={"a[1]": "done"})) == ["a[2]", "b"]


def test_items_that_succeeded_after_a_failure_stand_where_the_run_was_cut_off():
    logs = {"id": "logs", "needs": [{"id": "x", "even_if": "failed"}]}
    told = Told(steps({"id": "x", "on_failure": "continue"}, logs, each([1, 2, 3], needs=["logs"])))
    for run in turns(told, {"x": fails}):
        if any(call.action == "a[2]" for call in run.open.values()):
            break

    assert begun(resumed(told, lost="again")) == ["a[2]"]


def test_what_is_always_done_last_may_be_done_for_each():
    told = played(steps(each([1, 2], always=True), "b"), b=fails)

    assert calls(told) == ["b failed", "a ok", "a[0] ok", "a[1] ok"]


def test_rows_have_the_items_under_their_action():
    told = played(steps(each([1, 2], max_parallel=2, tolerate=1), "b"), **{"a[0]": fails})

    shown = [
        (row.number, row.action, row.attempts, " · ".join(row.notes)) for row in rows(told.run)
    ]
    assert shown == [
        ("1", "a", 1, "2 items, 1 failed"),
        ("", "a[0]", 1, "no"),
        ("", "a[1]", 1, ""),
        ("2", "b", 1, ""),
    ]


outcomes = st.lists(
    st.sampled_from([[ok], [fails, ok], [fails, fails, ok], [fails] * 9]), max_size=6
)


@given(outcomes, st.integers(1, 3), st.integers(0, 2), st.sets(st.integers(0, 60)), st.booleans())
def test_whenever_it_is_cut_off_each_item_is_done_as_often_as_it_has_to_be(
    said, width, borne, cuts, undoes
):
    """Against a model: the items in order, as many as may fail, cut off at any event."""
    more = {"compensation": UNDO} if undoes else {}
    entry = each([f"i{n}" for n in range(len(said))], max_parallel=width, tolerate=borne, **more)
    told = Told(steps(entry | {"idempotent": True, "retry": 1}, "b"))
    done = dict.fromkeys(range(len(said)), 0)

    def outcome(index):
        def say(times):
            done[index] += 1
            return said[index][min(done[index], len(said[index])) - 1]

        return say

    says = {f"a[{n}]": outcome(n) for n in range(len(said))}
    turn = 0
    going = True
    while going:
        going = False
        for _ in turns(told, says):
            turn += 1
            if turn in cuts and told.run.status == "running":
                told.do(ResumeRun(process=f"p{turn}", lost="again"))
                assert told.run == replay(told.entries)
                going = True
                break

    lasting = [n for n, results in enumerate(said) if results[:2] in ([fails, fails], [fails] * 2)]
    failed = {n for n in done if done[n] and lasting.count(n)}
    assert (told.run.status in ("failed", "rolled_back")) is (len(lasting) > borne)
    if len(lasting) <= borne:
        assert failed == set(lasting)
        results = told.run.results["a"]["results"]
        assert [each["success"] for each in results] == [n not in lasting for n in done]
    ended = [call for call in told.run.calls.values() if call.status == "ok"]
    forward = [call.action for call in ended if call.within]
    undone = [call.action for call in ended if call.undoes is not None]
    assert len(forward) == len(set(forward)), "an item that had succeeded was called again"
    assert sorted(undone) == (sorted(forward) if undoes and len(lasting) > borne else [])


lists = st.lists(st.lists(st.sampled_from(["x", "y", True, 1]), max_size=4), min_size=2, max_size=5)


@given(lists, st.randoms(use_true_random=False), st.integers(1, 3), st.booleans())
def test_whatever_lists_it_goes_on_with_no_item_is_done_twice_and_all_of_the_last_are_done(
    rounds, chance, width, keeps
):
    """Items fail, are cut off, undone or not, and the list is another one each time."""
    more = {"max_parallel": width, "tolerate": chance.choice((0, 1, "50%"))}
    entry = each("rows", idempotent=True, retry=1, compensation=UNDO, **more)
    told = Told(steps(entry, "b", rollback=keeps), variables={"rows": rounds[0]})
    says = dict.fromkeys((f"{undo}a[{n}]" for n in range(4) for undo in ("", "undo_")), None)
    for number, items in enumerate([*rounds, rounds[-1]]):  # once more: what was failing fails
        last = number >= len(rounds) - 1
        if number and told.run.status in ("success", "partial_success"):
            break
        if number:
            resumed(told, variables={"rows": items}, lost="again")
        for name in says:
            says[name] = ok if last else lambda _: chance.choice((ok, ok, fails))
        cut = None if last else chance.randint(0, 30)
        for turn, _ in enumerate(turns(told, {**says, "b": ok if last else fails})):
            if turn == cut:
                break

    done: Counter[str] = Counter()
    for call in told.run.calls.values():
        if call.status == "ok" and call.undoes is not None:
            done[told.run.identity(told.run.calls[call.undoes])] -= 1
        elif call.status == "ok" and call.within is not None:
            done[told.run.identity(call)] += 1
    assert told.run.status in ("success", "partial_success")
    assert set(done.values()) <= {0, 1}
    whole = next(c for c in reversed(told.run.calls.values()) if c.action == "a")
    for key, result in zip(item_keys(whole.items), whole.result["results"], strict=True):
        assert done[f"a {key}"] == bool(result["success"])


def test_where_another_list_takes_its_place_other_actions_are_known_as_before():
    told = Told(steps(each([1, 2]), "b", mode="parallel"))
    for action in ("a", "b", "a[0]"):
        told.do(StartCall(action=action))
    told.do(FinishCall(call=told.run.position, result=ok))
    mended = parse(steps(each([3, 1]), "b", mode="parallel"))
    told.do(ResumeRun(process="another", lost="again", workflow=mended))
    perhaps = {**told.run.perhaps}
    assert {told.run.calls[id].action for id in perhaps} == {"b"}

    told.do(StartCall(action="a"))

    assert told.run.perhaps == perhaps


def test_an_item_that_stood_at_a_resume_is_undone_with_the_list_that_it_stood_in():
    told = Told(steps(each([1, 2], compensation=UNDO)))
    for action in ("a", "a[0]"):
        told.do(StartCall(action=action))
    told.do(FinishCall(call=told.run.position, result=ok))
    told.do(StartCall(action="a[1]"))
    told.do(ResumeRun(process="another", lost="again"))

    played(None, told, **{"a[1]": fails})

    assert calls(told)[-1] == "undo a[0] ok"
    assert rolled_back(told.run) == ["a"]
