"""A run goes on with another definition: what succeeded is kept, by the name of its action."""

import pytest

from wfnb.errors import BadValue, RunNotResumable, StateGone, StateUnknown
from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.commands import FinishCall, ResumeRun, StartCall
from wfnb.workflows.core.events import RunResumed
from wfnb.workflows.core.resume_queries import outdated_actions, outputs_beside, with_kept_items
from wfnb.workflows.definition.reader import parse

from .story import Told, calls, fails, ok, played, states, steps


def mended(told, definition, **how):
    told.do(ResumeRun(process="another", workflow=parse(definition), **how))
    return told


def test_the_failed_step_is_called_as_it_is_defined_now():
    told = played(steps("a", {"id": "b", "args": {"n": 1}}, "c"), b=fails)

    played(None, mended(told, steps("a", {"id": "b", "args": {"n": 2}}, "c")))

    assert calls(told) == ["a ok", "b failed", "b ok", "c ok"]
    assert [call.params for call in told.run.forward_calls() if call.action == "b"] == [
        {"n": 1},
        {"n": 2},
    ]
    assert told.run.status == "success"


def test_steps_that_are_new_are_called_and_a_step_that_is_gone_keeps_its_result():
    told = played(steps("a", "b", "c"), a={"success": True, "said": 1}, c=fails)

    played(None, mended(told, steps("new", "b", "c", "last")))

    assert calls(told) == ["a ok", "b ok", "c failed", "new ok", "c ok", "last ok"]
    assert told.run.results["a"] == {"success": True, "said": 1}
    assert told.run.variables["a_said"] == 1


def test_a_failed_step_may_become_several():
    told = played(steps("a", "b"), b=fails)

    played(None, mended(told, steps("a", "b1", "b2")))

    assert calls(told) == ["a ok", "b failed", "b1 ok", "b2 ok"]
    assert told.run.status == "success"


def test_what_succeeded_under_another_definition_is_told_and_called_only_where_it_is_named():
    new = steps({"id": "a", "args": {"n": 2}}, {"id": "b", "description": "as before"}, "c")
    told, named = (played(steps("a", "b", "c"), c=fails) for _ in range(2))

    mended(told, new)
    mended(named, new, start="a")

    assert (outdated_actions(told.run), outdated_actions(named.run)) == (["a"], [])
    assert calls(played(None, told))[3:] == ["c ok"]
    assert calls(played(None, named))[3:] == ["a ok", "b ok", "c ok"]


def test_needs_are_those_of_the_new_definition():
    told = played(steps("a", {"id": "b", "needs": ["a"]}, "c", mode="parallel"), b=fails)
    new = steps("a", {"id": "x", "needs": ["a"]}, {"id": "b", "needs": ["x"]}, "c")

    played(None, mended(told, new))

    assert calls(told)[-2:] == ["x ok", "b ok"]


def test_a_run_of_states_goes_on_at_the_failed_state_with_new_transitions():
    told = played(states("a", a={"success": "b"}, b={"success": "c"}, c={}), b=fails)

    played(None, mended(told, states("a", a={"success": "b"}, b={"success": "d"}, d={})))

    assert calls(told) == ["a ok", "b failed", "b ok", "d ok"]


def test_a_state_that_the_run_is_at_has_to_be_there_or_another_is_named():
    told = played(states("a", a={"success": "b"}, b={}), b=fails)
    new = states("a", a={"success": "bb"}, bb={})
    before = list(told.entries)

    with pytest.raises(StateGone, match=r"'b', which .* `--from STATE` names another: a, bb"):
        mended(told, new)

    assert told.entries == before
    assert calls(played(None, mended(told, new, start="bb"))) == ["a ok", "b failed", "bb ok"]


def test_a_state_that_a_rollback_undid_has_to_be_there():
    undo = {"compensation": {"tool": "undo"}}
    told = played(states("a", a={"success": "b", **undo}, b={}), b=fails)

    with pytest.raises(StateGone, match="'a'"):
        mended(told, states("b", b={}))


@pytest.mark.parametrize(
    ("definition", "how", "refusal"),
    [
        (states("a", a={}), {}, BadValue),
        (steps("a", "x"), {"start": "b"}, StateUnknown),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_recorded(definition, how, refusal):
    told = played(steps("a", "b"), b=fails)
    before = list(told.entries)

    with pytest.raises(refusal):
        mended(told, definition, **how)

    assert told.entries == before


def test_a_run_that_succeeded_goes_on_only_from_a_step_that_is_named():
    told = played(steps("a"))

    with pytest.raises(RunNotResumable):
        mended(told, steps("a", "b"))

    assert calls(played(None, mended(told, steps("a", "b"), start="b"))) == ["a ok", "b ok"]


def test_the_same_content_is_not_recorded_again():
    told = played(steps("a", "b"), b=fails)

    mended(told, {**steps("a", "b"), "name": "other", "description": "the same"})

    (event,) = [each.event for each in told.entries if isinstance(each.event, RunResumed)]
    assert event.workflow is None
    assert told.run.workflow.name == "told"


def test_before_the_resume_a_run_has_the_definition_it_had_then():
    told = played(steps("a", "b"), b=fails)
    position = told.run.position

    played(None, mended(told, steps("a", "b", "c")))

    assert list(replay(told.entries[:position]).workflow.actions) == ["a", "b"]
    assert list(replay(told.entries).workflow.actions) == ["a", "b", "c"]


def undone_by(tool, **args):
    return {"id": "a", "compensation": {"tool": tool, "args": args}}


@pytest.mark.parametrize("new", [steps("b", "c"), steps(undone_by("other"), "b", "c")])
def test_a_rollback_undoes_what_was_done_as_it_was_defined_then(new):
    told = Told(steps(undone_by("undo", was="{a.said}"), "b"))
    told.do(StartCall(action="a"))
    told.do(FinishCall(call=2, result={**ok, "said": 7}))
    told.do(StartCall(action="b", idempotent=True))

    played(None, mended(told, new), c=fails)

    undo = list(told.run.calls.values())[-1]
    assert (undo.tool, undo.params, undo.undoes) == ("undo", {"was": 7}, 2)
    assert told.run.status == "rolled_back"


def test_limits_of_the_definition_are_those_of_the_new_one_and_limits_of_the_run_stay():
    told = played(steps("a", timeout=60), Told(steps("a", timeout=60), timeout=60, max_states=7))
    again = steps("a", timeout=90, max_states=50)

    mended(told, again, start="a")

    assert (told.run.timeout, told.run.max_states) == (90, 7)


@pytest.mark.parametrize("lost", ["again", "done"])
def test_a_run_that_lost_its_process_goes_on_with_another_definition(lost):
    told = Told(steps("a", "b"))
    told.do(StartCall(action="a"))

    played(None, mended(told, steps("a", "c"), lost=lost))

    assert (
        calls(told)
        == {
            "again": ["a unknown", "a ok", "c ok"],
            "done": ["a ok", "c ok"],
        }[lost]
    )


def listed(items="xy", *more, **says):
    """A list with what each item is to do, then a step that fails until it is mended."""
    each = {"id": "a", "for_each": list(items), "args": {"v": "{item}"}, **says}
    return steps(each, *more, "b")


MENDED = {
    "as it was": (listed(), {"a": False}),
    "described": (listed(description="as before"), {"a": False}),
    "another list": (listed("zyx"), {"a": False}),
    "other arguments": (listed(args={"v": 1}), {"a": True}),
    "another tool": (listed(tool="undo"), {"a": True}),
    "one action now": (steps({"id": "a", "args": {"v": "{item}"}}, "b"), {"a": False}),
    "gone": (steps("b"), {}),
}


@pytest.mark.parametrize("how", MENDED)
def test_of_a_list_that_failed_the_items_that_succeeded_are_kept_and_what_they_did_is_compared(how):
    definition, kept = MENDED[how]
    told = played(listed(), **{"a[1]": fails})

    told.do(ResumeRun(process="another", workflow=parse(definition)))

    assert with_kept_items(told.run) == kept


def test_whether_an_item_did_something_else_is_told_of_all_items_that_are_kept():
    fallback = [{"tool": "other", "args": {"v": "{item}"}}]
    definition = listed("xyz", on_error=fallback)
    told = played(definition, **{"a[0]": [fails, ok], "a[2]": fails})
    assert [call.fallback for call in told.run.forward_calls() if call.status == "ok"] == [0, None]

    told.do(ResumeRun(process="another", workflow=parse(listed("xyz"))))

    assert with_kept_items(told.run) == {"a": True}


FALLBACKS = {
    "as it was": ([{"tool": "other", "args": {}}], []),
    "with another argument": ([{"tool": "other", "args": {"n": 1}}], ["a"]),
    "of another tool": ([{"tool": "undo", "args": {}}], ["a"]),
    "with another one behind it": (
        [{"tool": "other", "args": {}}, {"tool": "undo", "args": {}}],
        [],
    ),
    "gone": ([], ["a"]),
}


@pytest.mark.parametrize("how", FALLBACKS)
def test_what_succeeded_by_a_fallback_is_compared_with_that_fallback(how):
    now, outdated = FALLBACKS[how]
    told = played(
        steps({"id": "a", "on_error": [{"tool": "other", "args": {}}]}, "b"),
        a=[fails, ok],
        b=fails,
    )

    mended(told, steps({"id": "a", "on_error": now}, "b"))

    assert outdated_actions(told.run) == outdated


def test_outputs_beside_a_call_are_those_of_other_actions_and_items_of_its_tool():
    definition = steps(
        {"id": "a", "tool": "book"},
        {"id": "other", "tool": "undo"},
        {"id": "each", "tool": "book", "for_each": ["x", "y"], "args": {"v": "{item}"}},
        {"id": "last", "tool": "book"},
    )
    names = ("a", "other", "each[0]", "each[1]", "last")
    told = played(definition, **{name: {"success": True, "output": f"{name}.x"} for name in names})
    by_name = {call.action: call.id for call in told.run.calls.values() if not call.gathers}

    def beside(name):
        return list(outputs_beside(told.run, by_name[name]))

    assert beside("a") == ["None", "each[0].x", "each[1].x", "last.x"]
    assert beside("each[1]") == ["a.x", "None", "each[0].x", "last.x"]
    assert beside("other") == []
