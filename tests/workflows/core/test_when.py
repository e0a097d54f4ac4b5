"""An action whose `when` does not hold is skipped, and the run goes on as after a success."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wfnb.workflows.core.apply import replay
from wfnb.workflows.core.commands import ResumeRun, StartCall
from wfnb.workflows.views.action_rows import rows

from .story import Told, calls, fails, ok, played, states, steps


def gave(**fields):
    return {"success": True, **fields}


def test_a_step_is_skipped_and_what_comes_after_it_is_done():
    told = played(steps("a", {"id": "b", "when": "a.stdout > 10"}, "c"), a=gave(stdout="9\n"))

    assert calls(told) == ["a ok", "b skipped", "c ok"]
    assert told.run.status == "success"
    assert told.run.results["b"] == {"success": True, "skipped": True}


def test_a_step_is_done_where_it_holds():
    told = played(steps("a", {"id": "b", "when": "a.stdout > 10"}), a=gave(stdout="11\n"))

    assert calls(told) == ["a ok", "b ok"]


def test_what_needs_a_skipped_step_goes_on_and_may_ask_whether_it_was():
    told = played(
        steps(
            {"id": "a", "when": "limit > 3"},
            {"id": "b", "needs": ["a"], "when": "a.skipped"},
            {"id": "c", "needs": ["a"], "when": "not a.skipped"},
        ),
        Told(
            steps(
                {"id": "a", "when": "limit > 3"},
                {"id": "b", "needs": ["a"], "when": "a.skipped"},
                {"id": "c", "needs": ["a"], "when": "not a.skipped"},
            ),
            variables={"limit": 1},
        ),
    )

    assert calls(told) == ["a skipped", "b ok", "c skipped"]
    assert told.run.status == "success"


def test_a_state_is_skipped_and_goes_where_a_success_leads():
    told = played(
        states("a", a={"success": "b"}, b={"when": "a.size > 3", "success": "c"}, c={}),
        a=gave(size=2),
    )

    assert calls(told) == ["a ok", "b skipped", "c ok"]
    assert told.run.final_state == "c"


def test_a_state_is_left_by_an_expression_of_its_own_result_and_of_what_was_before():
    told = played(
        states(
            "a",
            a={"success": "b"},
            b={"exit_code == 75 and a.size > 1": "c", "exit_code != 0": "d"},
            c={},
            d={},
        ),
        a=gave(size=2),
        b=gave(exit_code=75),
    )

    assert calls(told) == ["a ok", "b ok", "c ok"]


def test_what_a_transition_asks_of_a_skipped_state_that_is_not_there_fails_the_run():
    told = played(
        states("a", a={"when": "limit > 3", "size > 3": "b"}, b={}),
        Told(states("a", a={"when": "limit > 3", "size > 3": "b"}, b={}), variables={"limit": 1}),
    )

    assert told.run.status == "failed"
    assert told.run.error.startswith("a: it was skipped, and then: `size > 3` cannot be evaluated")


def test_a_plain_name_of_a_condition_is_never_a_field_of_another_action():
    """That of a state which was skipped, or failed without that field, would be taken for it."""
    ways = {"exit_code == 1": "c", "success": "d"}
    skips = {"when": "exit_code != 1", **ways}
    for b in (skips, {"failure": "d", **ways}):
        told = played(
            states("a", a={"success": "b"}, b=b, c={}, d={}),
            a=gave(exit_code=1),
            b=gave(),
        )

        assert "c ok" not in calls(told)
        assert "nothing is called 'exit_code'" in told.run.error


def test_a_condition_knows_what_was_captured_from_its_own_result():
    captures = {"capture": [r"size (?P<size>\d+)"], "size > 3": "b", "success": "a"}
    told = played(states("a", a=captures, b={}), a=[gave(stdout="size 2"), gave(stdout="size 9")])

    assert calls(told) == ["a ok", "a ok", "b ok"]


def test_a_condition_knows_what_its_own_pattern_captured():
    asked = {"all": [{"pattern_match": r"size (?P<size>\d+)"}, "size > 3"]}
    written = states("a", a={"transitions": [{"condition": asked, "next_state": "b"}]}, b={})

    assert calls(played(written, a=gave(stdout="size 9"))) == ["a ok", "b ok"]
    assert calls(played(written, a=gave(stdout="size 2"))) == ["a ok"]
    assert calls(played(written, a=gave(stdout="none"))) == ["a ok"]


def test_what_an_action_gave_before_is_gone_once_it_is_skipped():
    told = played(
        states(
            "a",
            a={"success": "b"},
            b={"when": "a.left > 1", "success": "c"},
            c={"when": "not b.skipped", "success": "a"},
        ),
        a=[gave(left=2), gave(left=1)],
        b=gave(stdout="old"),
    )

    assert calls(told)[:6] == ["a ok", "b ok", "c ok", "a ok", "b skipped", "c skipped"]
    assert "b_stdout" not in told.run.scope
    assert told.run.results["b"] == {"success": True, "skipped": True}
    assert "skipped" not in told.run.standard


def test_an_action_that_was_not_skipped_says_so():
    told = played(steps({"id": "a", "when": "1 < 2"}, {"id": "b", "when": "not a.skipped"}, "c"))

    assert calls(told) == ["a ok", "b ok", "c ok"]


def test_what_nobody_saw_end_is_undone_though_its_action_is_skipped_now():
    written = steps(
        {
            "id": "a",
            "when": "size > 3",
            "compensation": {"tool": "noop", "params": {}},
            "compensate_on_failure": True,
        },
        "b",
    )
    told = Told(written, variables={"size": 5})
    told.do(StartCall(action="a"))
    told.do(ResumeRun(process="other", start="a", variables={"size": 1}, lost="again"))

    played(written, told, b=fails)

    assert calls(told) == ["a unknown", "a skipped", "b failed", "undo a ok"]
    assert told.run.status == "rolled_back"
    assert [(row.action, row.state) for row in rows(told.run)][:2] == [
        ("a", "unknown"),
        ("a", "skipped"),
    ]


def test_a_retry_that_cannot_be_decided_says_so():
    retry = {"attempts": 5, "when": "exit_code > 'many'"}
    told = played(steps({"id": "a", "retry": retry}), a={**fails, "exit_code": 75})

    assert calls(told) == ["a failed"]
    assert "it was not tried again: `exit_code > 'many'` cannot be evaluated" in told.run.error


def test_what_cannot_be_said_fails_the_action_which_is_not_called():
    told = played(steps("a", {"id": "b", "when": "a.stdout > 10"}), a=gave(stdout="many"))

    assert calls(told) == ["a ok", "b failed"]
    assert "the text 'many' and 10 have no order" in told.run.error


def test_a_loop_of_skipped_states_ends_at_the_limit():
    told = played(states("a", a={"when": "1 > 2", "success": "a"}))

    assert told.run.status == "failed"
    assert told.run.error == "Maximum states limit (100) reached - possible infinite loop"


def test_retry_asks_an_expression_that_knows_the_attempt():
    retry = {"attempts": 5, "when": "exit_code == 75 and attempt < 3"}
    told = played(steps({"id": "a", "retry": retry}), a={**fails, "exit_code": 75})

    assert calls(told) == ["a failed"] * 3


def test_a_skipped_step_is_not_undone():
    undo = {"tool": "noop", "params": {}}
    told = played(steps({"id": "a", "when": "1 > 2", "compensation": undo}, {"id": "b"}), b=fails)

    assert calls(told) == ["a skipped", "b failed"]


@pytest.mark.parametrize("size", [1, 5])
def test_a_run_that_is_resumed_asks_again(size):
    written = steps("a", {"id": "b", "when": "size > 3"}, "c")
    told = played(written, Told(written, variables={"size": 1}), c=fails)
    told.do(ResumeRun(variables={"size": size}, process=None))

    played(written, told)

    assert calls(told)[3:] == [f"b {'ok' if size > 3 else 'skipped'}", "c ok"]
    assert told.run.status == "success"


def test_a_secret_is_not_asked_for():
    written = steps({"id": "a", "when": "key == 'x'"})
    told = played(written, Told(written, secrets=("key",)))

    assert "key is a secret" in told.run.error


@given(
    st.lists(st.sampled_from((None, "true", "false")), min_size=1, max_size=6),
    st.sets(st.integers(0, 5)),
    st.booleans(),
)
def test_what_is_done_is_what_a_model_of_it_does(whens, failing, together):
    """`on_failure: continue`: a failure takes with it what needs it; what is skipped does not."""
    written = [
        {
            "id": f"s{n}",
            "on_failure": "continue",
            **({"when": when} if when else {}),
            **({"needs": [f"s{n - 1}"]} if n and together else {}),
        }
        for n, when in enumerate(whens)
    ]
    told = played(
        steps(*written, mode="parallel" if together else "sequence"),
        **{f"s{n}": fails if n in failing else ok for n in range(len(whens))},
    )

    expected, broken = {}, False
    for n, when in enumerate(whens):
        if broken:
            continue
        expected[f"s{n}"] = "skipped" if when == "false" else "failed" if n in failing else "ok"
        broken = together and expected[f"s{n}"] == "failed"
    assert {call.action: call.status for call in told.run.calls.values()} == expected
    lost = "failed" in expected.values()
    assert told.run.status == ("partial_success" if lost else "success")
    assert replay(told.entries) == told.run
