"""What succeeded is done again until its result is what is waited for."""

import pytest

from wfnb.workflows.core.commands import ResumeRun, StopRun
from wfnb.workflows.core.next_action import Start, next_action
from wfnb.workflows.views.action_rows import rows

from .story import Told, calls, fails, played, states, steps, turns


def gave(size):
    return {"success": True, "size": size}


def again(**more):
    return {"id": "a", "repeat": {"until": "size > 2", **more}}


def test_it_is_done_until_it_holds_and_the_last_result_counts():
    told = played(steps(again(), "b"), a=[gave(1), gave(2), gave(3)])

    assert calls(told) == ["a ok", "a ok", "a ok", "b ok"]
    assert told.run.results["a"] == gave(3)
    assert [(row.action, row.attempts) for row in rows(told.run)] == [("a", 3), ("b", 1)]
    assert (told.run.status, told.run.entered, told.run.tries) == ("success", 2, {})


def test_it_has_failed_when_it_was_done_as_often_as_is_said():
    told = played(steps(again(at_most=2), "b"), a=gave(1))

    assert calls(told) == ["a ok", "a failed"]
    assert told.run.error == "a: `until` did not hold after 2 times"


def test_a_condition_that_cannot_be_decided_fails_it():
    told = played(steps(again()), a={"success": True, "size": "many"})

    assert "a: `size > 2` cannot be evaluated" in told.run.error


def test_a_failure_is_tried_again_in_each_round_and_waits_are_those_of_each():
    entry = again(wait=5, backoff="linear") | {"retry": {"attempts": 1, "wait": 1}}
    told, waits = Told(steps(entry)), []
    for run in turns(told, {"a": [fails, gave(1), fails, gave(2), gave(3)]}):
        if not run.open:
            waits += [do.wait[0] for do in next_action(run) if isinstance(do, Start)]

    assert calls(told) == ["a failed", "a ok", "a failed", "a ok", "a ok"]
    assert waits == [1, 5, 1, 10]
    assert [call.attempt for call in told.run.calls.values()] == [1, 2, 3, 4, 5]


def test_only_its_last_round_is_undone():
    undo = {"compensation": {"tool": "undo", "args": {"size": "{result.size}"}}}
    told = played(steps(again() | undo, "b"), a=[gave(1), gave(3)], b=fails)

    assert calls(told) == ["a ok", "a ok", "b failed", "undo a ok"]
    assert told.run.calls[max(told.run.calls)].params == {"size": 3}


def test_a_round_that_succeeded_is_undone_where_a_later_one_did_not():
    undo = {"compensation": {"tool": "undo", "args": {"size": "{result.size}"}}}
    told = played(steps(again() | undo), a=[gave(1), gave(2), fails])

    assert calls(told) == ["a ok", "a ok", "a failed", "undo a ok"]
    assert told.run.calls[max(told.run.calls)].params == {"size": 2}

    told = played(steps(again(at_most=2) | undo), a=[gave(1), gave(2)])
    assert calls(told) == ["a ok", "a failed", "undo a ok"]
    assert told.run.calls[max(told.run.calls)].params == {"size": 2}

    told = Told(steps(again(wait=60) | undo))
    for _ in turns(told, {"a": gave(1)}):
        if told.run.tries:
            break
    told.do(StopRun(rollback=True))
    played(None, told)
    assert (calls(told), told.run.status) == (["a ok", "undo a ok"], "cancelled")


@pytest.mark.parametrize("also", [False, True])
@pytest.mark.parametrize(
    ("says", "undone"),
    [
        ([gave(1), gave(3)], {False: [3], True: [3]}),
        ([gave(1), gave(2)], {False: [2], True: [2]}),
        ([gave(1), gave("many")], {False: ["many"], True: ["many"]}),
        ([gave(1), {**fails, "size": 9}], {False: [1], True: [9, 1]}),
        ([{**fails, "size": 9}], {False: [], True: [9]}),
    ],
)
def test_the_last_round_that_succeeded_is_undone_once_and_a_failure_where_that_is_asked(
    says, undone, also
):
    undo = {"compensation": {"tool": "undo", "args": {"size": "{result.size}"}}}
    entry = again(at_most=2) | undo | {"compensate_on_failure": also}
    told = played(steps(entry, "b"), a=says, b=fails)

    params = [call.params["size"] for call in told.run.calls.values() if call.undoes is not None]
    assert params == undone[also]


def test_the_field_result_of_a_tool_is_what_its_conditions_name():
    told = played(
        steps({"id": "a", "repeat": {"until": "result > 2"}}), a=[{"result": 1}, {"result": 3}]
    )

    assert calls(told) == ["a ok", "a ok"]


def test_each_item_is_repeated_by_itself():
    entry = again() | {"for_each": ["x", "y"]}
    told = played(steps(entry), **{"a[0]": [gave(1), gave(3)], "a[1]": gave(3)})

    assert calls(told) == ["a ok", "a[0] ok", "a[0] ok", "a[1] ok"]
    assert told.run.results["a"]["results"] == [gave(3), gave(3)]


def test_a_state_goes_on_by_its_last_round():
    told = played(
        states("a", a={"repeat": {"until": "size > 2"}, "size == 3": "b"}, b={}),
        a=[gave(1), gave(3)],
    )

    assert calls(told) == ["a ok", "a ok", "b ok"]


@pytest.mark.parametrize("lost", ["again", "done"])
def test_a_round_whose_end_nobody_saw_is_no_new_one(lost):
    told = Told(steps(again(), "b"))
    for run in turns(told, {"a": [gave(1), gave(2), gave(3)]}):
        if len(run.calls) == 2 and run.open:
            break
    told.do(ResumeRun(process="another", lost=lost))
    played(None, told, a=[gave(3)])

    rest = {"again": ["a unknown", "a ok", "b ok"], "done": ["a ok", "b ok"]}[lost]
    assert calls(told) == ["a ok", *rest]
    assert told.run.status == "success"
