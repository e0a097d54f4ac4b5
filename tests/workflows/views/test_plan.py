import pytest

from tests.workflows.views.given import WRITTEN, checks, state, states, step, steps
from wfnb.render.message import MIME
from wfnb.workflows.definition.reader import parse
from wfnb.workflows.views.dry_run import fill_known, plan


def test_a_plan_of_states_says_what_is_called_and_what_may_follow():
    assert plan(parse(checks()), {}).text.splitlines() == [
        "checks · dry run · 5 states, begins with build · at most 100 performed · at most 30 min"
        " · ✓ can run",
        "1. build  shell",
        "     command: make all",
        "   · success → test",
        "2. test  await_output",
        r"   · /\d+ passing/ → done",
        "   · /failing/ → fix",
        "   · timeout → give_up",
        "   · at most 5 s",
        "3. fix  python",
        "   · success → test",
        "   · not success → give_up",
        "4. give_up  notify",
        "   · ends here",
        "5. done  notify",
        "   · ends here",
    ]


def test_a_plan_says_what_is_always_done_last():
    for written in (
        steps(step("a"), step("z", always=True)),
        states("w", a=state("t"), z=state("t", always=True)),
    ):
        text = plan(parse(written), {}).text

        assert text.splitlines()[-1] == "   · always done last"
        assert text.count("always done last") == 1


def test_a_plan_says_what_may_have_failed():
    needs = ["a", {"id": "b", "even_if": "failed"}, {"id": "c", "only_if": "failed"}]
    workflow = steps(step("a"), step("b"), step("c"), {**step("d"), "needs": needs})

    assert plan(parse(workflow), {}).text.splitlines()[-1] == (
        "   · after a, b (even if it failed), c (only if it failed)"
    )


def test_a_plan_of_steps_says_needs_retries_limits_and_undoing():
    workflow = steps(
        step("a", args={"n": "{count}"}),
        step(
            "b",
            "a",
            args={"text": "{count} of {a.total}"},
            retry={"attempts": 3, "wait": 2, "backoff": "exponential", "jitter": 1},
            timeout=90,
            idle_timeout=10,
            cache=True,
            on_failure="continue",
            compensation={"tool": "shell", "params": {"command": "rm {result.file}"}, "retry": 2},
            compensate_on_failure=True,
        ),
        max_parallel=4,
    )

    assert plan(parse(workflow), {"count": 3}, ["unused"], ["no tool"]).text.splitlines() == [
        "deploy · dry run · 2 steps 4 side by side · at most 30 min · ✕ 1 problem",
        "✕ no tool",
        "! unused",
        "1. a  shell",
        "     n: 3",
        "2. b  shell",
        "     text: 3 of {a.total}",
        "   · after a",
        "   · a failure stops nothing else",
        "   · tried again 3×, after 2 s to 3 s, growing (exponential)",
        "   · at most 1 min 30 s",
        "   · at most 10 s without a sign of life",
        "   · a known result is used again",
        "   · undone by shell(command=rm {result.file})",
        "   · undoing: tried again 2×",
        "   · undone also when it failed itself",
    ]


def test_a_given_variable_is_used_before_its_default_and_a_secret_is_not_shown():
    workflow = states("w", a=state("t", params={"text": "{who} {password} {password!q}"}))
    workflow["variables"] = {"who": "me", "password": {"secret": True}}

    made = plan(parse(workflow), {"who": "you", "password": "hunter2"})

    assert made.actions[0].params == {"text": "you ••• •••"}
    assert "hunter2" not in str(made._repr_mimebundle_())


@pytest.mark.parametrize(
    ("template", "known", "shown"),
    [
        ("{a}", {"a": 3}, 3),
        ("{a} {b}", {"a": 3}, "3 {b}"),
        ("{a.b.0}", {"a": {"b": [7]}}, 7),
        ("{a.c}", {"a": {"b": 1}}, "{a.c}"),
        ("{steps.x.out} {result.id}", {}, "{steps.x.out} {result.id}"),
        ("{{a}} ${a} {0}", {"a": 1}, "{a} ${a} {0}"),
        ("{a!q}", {"a": "x y"}, "'x y'"),
        ("{b!q}", {}, "{b!q}"),
    ],
)
def test_what_is_known_is_filled_in_and_the_rest_left(template, known, shown):
    assert fill_known({"p": template}, known) == {"p": shown}


def test_a_plan_is_data_too():
    made = plan(parse(steps(step("a", args={"n": 1}))), {})

    assert made._repr_mimebundle_()[MIME] == {
        "workflow": "deploy",
        "form": "steps",
        "problems": [],
        "warnings": [],
        "actions": [{"action": "a", "tool": "shell", "params": {"n": 1}, "after": [], "rules": []}],
    }


@pytest.mark.parametrize("text", WRITTEN)
def test_a_hostile_text_stays_text(text):
    made = plan(parse(states("w", a=state("t", params={"x": text}))), {}, [text])

    bundle = made._repr_mimebundle_()

    assert not any(tag in bundle["text/html"] for tag in ("<script", "<img", "\x1b"))
    assert "\x1b" not in bundle["text/plain"]
