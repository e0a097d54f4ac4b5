"""What is done instead of an action that has failed for good."""

import pytest

from wfnb.workflows.core.commands import ResumeRun
from wfnb.workflows.core.resume_queries import outdated_actions
from wfnb.workflows.views.action_rows import rows

from .story import Told, calls, fails, late, ok, played, states, steps, turns, undo


def handled(*fallbacks, **more):
    return {"id": "a", "on_error": list(fallbacks), **more}


def call(**more):
    return {"tool": "noop", **more}


def params(told):
    return [one.params for one in told.run.calls.values()]


def test_another_call_is_made_and_its_success_is_that_of_the_action():
    entry = handled(call(args={"why": "{result.error}", "of": "{a.error}"}))
    told = played(steps(entry, {"id": "b", "args": {"n": "{a.n}"}}), a=[fails, ok | {"n": 3}])

    assert calls(told) == ["a failed", "a ok", "b ok"]
    assert params(told) == [{}, {"why": "no", "of": "no"}, {"n": 3}]
    assert told.run.results["a"] == {"caught": "no", "success": True, "n": 3}
    assert (told.run.status, told.run.tries) == ("success", {})
    assert [" · ".join(row.notes) for row in rows(told.run)] == ["handled: no", ""]


def test_a_result_may_stand_in_for_it_without_a_call():
    told = played(steps(handled({"result": {"rows": []}}), "b"), a=fails)

    assert calls(told) == ["a ok", "b ok"]
    assert told.run.results["a"] == {"rows": [], "success": True, "caught": "no"}


def test_the_first_handler_that_holds_is_taken_after_all_attempts():
    by_kind = [
        call(when="error_type == 'KeyError'", args={"what": "key"}),
        call(when={"timeout_occurred": True}, args={"what": "late"}),
    ]
    for said, what in (({**fails, "error_type": "KeyError"}, "key"), (late, "late")):
        told = played(steps(handled(*by_kind, retry=1)), a=[said, said, ok])
        assert params(told) == [{}, {}, {"what": what}]
        assert told.run.status == "success"

    told = played(steps(handled(*by_kind)), a=fails)
    assert (calls(told), told.run.error) == (["a failed"], "a: no")


def test_a_handler_that_fails_is_the_failure_of_the_action():
    told = played(steps(handled(call(), retry=3)), a=[fails] * 4 + [fails | {"error": "worse"}])

    assert calls(told) == ["a failed"] * 5
    assert told.run.error == "a: worse"
    assert told.run.results["a"]["caught"] == "no"
    assert [" · ".join(row.notes) for row in rows(told.run)] == ["not handled: no · worse"]


def test_a_condition_that_cannot_be_decided_handles_nothing():
    told = played(steps(handled(call(when="size > 1"))), a=fails | {"size": "many"})

    assert told.run.error.startswith("a: no: it was not handled: `size > 1` cannot be evaluated")


def test_what_a_handler_did_is_undone_by_its_own_compensation():
    undo = {"tool": "undo", "args": {"n": "{result.n}"}}
    other = {"tool": "undo", "args": {}}
    entry = handled(call(compensation=undo), compensation=other)
    told = played(steps(entry, "b"), a=[fails, ok | {"n": 7}], b=fails)

    assert calls(told) == ["a failed", "a ok", "b failed", "undo a ok"]
    assert params(told)[-1] == {"n": 7}


def test_a_state_goes_on_as_after_a_success():
    told = played(states("a", a={"on_error": [{"result": {"n": 1}}], "n == 1": "b"}, b={}), a=fails)

    assert calls(told) == ["a ok", "b ok"]


def test_what_a_fallback_did_is_no_other_definition():
    told = played(steps(handled(call()), "b", rollback=False), a=[fails, ok], b=fails)

    assert outdated_actions(told.run) == []


def test_an_item_is_handled_by_itself():
    entry = handled(call(args={"of": "{item}"}), for_each=["x", "y"])
    told = played(steps(entry), **{"a[1]": [fails, ok]})

    assert calls(told) == ["a ok", "a[0] ok", "a[1] failed", "a[1] ok"]
    assert params(told)[-1] == {"of": "y"}
    assert told.run.status == "success"


def test_what_was_not_reached_by_repeating_is_handled_and_the_handlers_result_is_the_last():
    entry = handled({"result": {"n": 1}}, repeat={"until": "n > 2", "at_most": 2})
    told = played(steps(entry), a=ok | {"n": 0})
    assert calls(told) == ["a ok", "a ok"]
    assert told.run.results["a"]["n"] == 1

    entry["on_error"] = [call()]
    told = played(steps(entry), a=ok | {"n": 0})
    assert calls(told) == ["a ok", "a failed", "a ok"]


def test_a_written_result_is_filled_in_and_says_whether_it_was_skipped():
    entry = handled({"result": {"why": "{a.error}", "n": "{limit}"}}, when="limit > 1")
    told = Told(steps(entry, {"id": "b", "when": "not a.skipped"}), variables={"limit": 3})
    played(None, told, a=fails)

    result = {"why": "no", "n": 3, "success": True, "caught": "no", "skipped": False}
    assert (told.run.results["a"], told.run.status) == (result, "success")


def test_a_written_result_may_be_empty():
    told = played(steps(handled({"result": {}}), "b"), a=fails)

    assert told.run.results["a"] == {"success": True, "caught": "no"}


def test_what_was_caught_of_a_failure_that_says_nothing():
    told = played(steps(handled({"result": {"n": 1}})), a={"success": False})

    assert told.run.results["a"] == {"n": 1, "success": True, "caught": "it failed"}


NAMED = {
    "{error_type}": None,
    "{timeout_occurred}": False,
    "{result.error}": "no",
    "{a_error}": "no",
    "{steps.a.n}": 4,
    "{limit}": 3,
    "{first.n}": 7,
}


def test_a_written_result_names_what_failed_the_variables_and_what_came_before():
    written = {f"f{at}": name for at, name in enumerate(NAMED)}
    definition = steps("first", handled({"result": written}), variables={"limit": 1})
    told = played(
        definition,
        Told(definition, variables={"limit": 3}),
        a=fails | {"n": 4},
        first=ok | {"n": 7},
    )

    result = told.run.results["a"]
    assert [result[field] for field in written] == [*NAMED.values()]


def test_a_written_result_of_a_name_that_there_is_not_is_a_failure():
    told = played(steps(handled({"result": {"n": "{result.size}"}}), "b"), a=fails)

    result = told.run.results["a"]
    assert (result["success"], result["caught"], told.run.status) == (False, "no", "failed")
    assert result["error"].startswith("{result.size} in n names nothing there is.")
    assert calls(told) == ["a failed"]


def test_a_secret_is_not_written_into_a_result():
    definition = steps(handled({"result": {"n": "with {token}"}}))
    told = Told(definition, secrets=("token",), variables={"token": "hunter2"})
    played(None, told, a=fails)

    assert told.run.results["a"]["n"] == "with •••"


def test_what_a_failed_call_may_have_done_is_undone_though_a_handler_did_it_instead():
    undo = {"tool": "undo", "args": {}}
    entry = handled(call(), compensation=undo, compensate_on_failure=True)
    told = played(steps(entry, "b"), a=[fails, ok], b=fails)

    assert calls(told) == ["a failed", "a ok", "b failed", "undo a ok"]


@pytest.mark.parametrize(("also", "undone"), [(True, ["undo a ok", "undo a ok"]), (False, [])])
def test_a_fallback_that_failed_is_undone_where_the_action_is_undone_after_a_failure(also, undone):
    entry = handled(call(**undo(n=9)), **undo(n=1), compensate_on_failure=also)
    told = played(steps(entry), a=[fails, fails])

    assert calls(told) == ["a failed", "a failed", *undone]
    numbers = [one.params["n"] for one in told.run.calls.values() if one.undoes is not None]
    assert numbers == ([9, 1] if also else [])


@pytest.mark.parametrize("other", [{"result": {"n": 9}}, call(**undo(n=9))])
@pytest.mark.parametrize(
    ("gave", "left"), [([ok | {"n": 1}, fails], 1), ([ok | {"n": 1}, ok | {"n": 2}], 2)]
)
def test_a_round_before_what_was_done_instead_is_undone_once(other, gave, left):
    entry = handled(other, repeat={"until": "n > 2", "at_most": 2}) | undo(n="{result.n}")
    told = played(steps(entry, "b"), a=[*gave, ok], b=fails)

    undone = [one.params["n"] for one in told.run.calls.values() if one.undoes is not None]
    assert (undone, told.run.status) == ([9, left] if "tool" in other else [left], "rolled_back")


def test_the_variables_of_an_action_that_a_fallback_did_are_those_of_its_newest_result():
    for more in ({"on_error": [call()]}, {"on_error": [{"result": {"n": 1}}]}):
        told = played(steps({"id": "a", **more}, "b"), a=[fails, ok])
        of_a = {name for name in told.run.variables if name.startswith("a_")}
        assert of_a == {f"a_{name}" for name in told.run.results["a"]}


def test_a_cut_off_handler_of_a_run_that_was_rolled_back_is_taken_as_done():
    entry = handled(call())
    told = Told(steps({"id": "s", "compensation": {"tool": "undo", "args": {}}}, entry))
    for run in turns(told, {"a": [fails, ok]}):
        if len(run.calls) == 3:
            break
    told.do(ResumeRun(process="p2", rollback=True))
    played(None, told)
    told.do(ResumeRun(process="p3", lost="done"))
    played(None, told)

    assert told.run.status == "success"


@pytest.mark.parametrize("lost", ["again", "done"])
def test_a_handler_that_was_cut_off_goes_on_as_that(lost):
    told = Told(steps(handled(call(args={"of": "{error}"})), "b"))
    for run in turns(told, {"a": [fails, ok]}):
        if len(run.calls) == 2:
            break
    told.do(ResumeRun(process="another", lost=lost))
    played(None, told)

    again = ["a unknown", "a ok"] if lost == "again" else ["a ok"]
    assert calls(told) == ["a failed", *again, "b ok"]
    assert params(told)[-2] == {"of": "no"}


def test_a_run_that_goes_on_after_its_handler_failed_begins_with_the_action():
    told = played(steps(handled(call()), rollback=False), a=fails)
    told.do(ResumeRun(process="another"))
    first = len(told.run.calls)
    played(None, told)

    assert calls(told)[first:] == ["a ok"]
    assert told.run.results["a"]["caught"] is None


def test_a_bare_name_is_the_newest_that_was_given_also_by_what_failed():
    for gave, expected in ((ok, 3), (ok | {"n": 4}, 4)):
        told = played(
            steps(handled(call()), {"id": "b", "args": {"n": "{n}"}}), a=[fails | {"n": 3}, gave]
        )

        assert params(told)[-1] == {"n": expected}
