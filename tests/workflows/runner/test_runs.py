"""A workflow is run with real tools: data flows, what fails is tried again, and the end is kept."""

import asyncio
from pathlib import Path

import pytest

from wfnb.errors import WorkflowInvalid
from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.call_context import Context
from wfnb.workflows.tools.registry import tool

from .place import SOON, Drawn, calls, disk, state, states, step, steps


def test_what_one_tool_gives_is_what_the_next_is_called_with(runner: Runner):
    given = []

    @tool
    def take(number: int, text: str) -> dict[str, object]:
        given.append((number, text))
        return {"twice": number * 2}

    @tool
    async def hand_on(value: int) -> int:
        await asyncio.sleep(0)
        return value + 1

    result = runner.run(
        steps(
            step("said", "shell", args={"command": "echo 'it works'; echo no >&2"}),
            step(
                "made",
                "python",
                args={"code": "print(text); len(text)", "arguments": {"text": "{said.stdout}"}},
            ),
            step("taken", "take", args={"number": "{made.result}", "text": "{stdout}!"}),
            step("handed", "hand_on", args={"value": "{taken_twice}"}),
            step("waited", "sleep", args={"seconds": 0}),
        )
    )

    assert (result.status, result.success, result.error) == ("success", True, None)
    assert given == [(9, "it works!")]
    assert [entry["state"] for entry in result.execution_log] == [
        "said",
        "made",
        "taken",
        "handed",
        "waited",
    ]
    assert result.final_variables["handed_result"] == 19
    assert result.final_variables["said_stderr"] == "no\n"
    assert (result.final_state, result.states_executed, result.run) == ("waited", 5, "told-1")


def test_states_follow_what_a_pattern_finds_and_captures(runner: Runner):
    found = {"pattern_match": r"port (?P<port>\d+)"}

    result = runner.run(
        states(
            "look",
            look=state("shell", (found, "use"), params={"command": "echo listening on port 8080"}),
            use=state("shell", params={"command": "echo use {port!q}"}),
            never=state("shell", params={"command": "exit 1"}),
        )
    )

    assert result.status == "success"
    assert result.final_variables["use_stdout"] == "use 8080\n"
    assert ["'never'" in warning for warning in result.warnings] == [True]


def test_a_value_that_looks_like_a_placeholder_is_left_alone(runner: Runner):
    result = runner.run(
        steps(
            step("a", "shell", args={"command": "printf '%s' '{{b.stdout}} {x}'"}),
            step("b", "python", args={"code": "text", "arguments": {"text": "{a.stdout}"}}),
        ),
        variables={"x": "{a.stdout}"},
    )

    assert result.final_variables["b_result"] == "{b.stdout} {a.stdout}"


def test_two_runs_go_on_at_once_and_do_not_see_each_other(runner: Runner):
    here, there = asyncio.Event(), asyncio.Event()

    @tool
    async def meet(first: bool) -> bool:
        (here if first else there).set()
        await (there if first else here).wait()
        return first

    wanted = steps(step("a", "meet", args={"first": "{first}"}))
    one = runner.start(wanted, variables={"first": True})
    assert not one.is_done
    two = runner.run(wanted, variables={"first": False})
    one.wait()

    assert two.final_variables["a_result"] is False
    assert runner.result(one).final_variables["a_result"] is True
    assert (one.name, two.run) == ("told-1", "told-2")


def test_a_run_in_the_background_can_be_asked_how_far_it_is(runner: Runner):
    goes_on = asyncio.Event()
    began = asyncio.Event()

    @tool
    async def waits() -> None:
        began.set()
        await goes_on.wait()

    running = runner.start(
        steps(step("a", "shell", args={"command": "echo one"}), step("b", "waits"))
    )
    while "b running" not in calls(running.run):
        running.changed.wait(1)

    assert running.wait(0) is False
    assert runner.running() is running
    assert (running.run.status, calls(running.run)) == ("running", ["a ok", "b running"])
    assert list(running.tail) == [("a", "one")]

    running.run_loop.loop.call_soon_threadsafe(goes_on.set)

    assert running.wait() is True
    assert (runner.running(), running.run.status) == (None, "success")


def test_tools_print_and_speak_to_who_watches_the_run(runner: Runner):
    @tool
    def speaks(context: Context) -> None:
        context.say("half ")
        context.say("done\n")

    running = runner.start(
        steps(
            step("a", "python", args={"code": "print('printed')"}),
            step("b", "speaks"),
            step("c", "shell", args={"command": "echo one; echo two"}),
        )
    )
    running.wait()

    said = {
        action: "".join(text for who, text in running.tail if who == action) for action in "abc"
    }
    assert said == {"a": "printed", "b": "half done", "c": "onetwo"}


def test_a_run_leaves_no_trace_of_its_output_but_in_the_journal(runner: Drawn, home: Path):
    runner.run(steps(step("a", "shell", args={"command": "echo 0123456789abcdef"})), save=False)

    assert disk(home).count(b"0123456789abcdef\\n") > 0
    assert [path.name for path in home.iterdir() if not path.name.startswith("journal.db")] == [
        ".gitignore"
    ]


def test_a_name_that_only_the_run_can_show_to_be_missing_is_a_failure_like_others(runner: Runner):
    @tool
    def gives() -> dict[str, int]:
        return {"here": 1}

    wanted = states(
        "a",
        a=state("gives", ({"success": True}, "b")),
        b=state(
            "python",
            ({"success": False}, "c"),
            params={"code": "x", "arguments": {"x": "{a.gone}"}},
            retry=5,
        ),
        c=state("python", params={"code": "'handled'"}),
    )

    result = runner.run(wanted)

    assert calls(runner.log(result.run).run) == ["a ok", "b failed", "c ok"]
    assert (result.status, result.final_variables["c_result"]) == ("success", "handled")
    assert "{a.gone}" in result.final_variables["b_error"]


def test_null_is_known_under_its_actions_name_and_does_not_hide_what_was_there(runner: Runner):
    @tool
    def gives(what: str | None) -> dict[str, str | None]:
        return {"found": what}

    result = runner.run(
        steps(
            step("a", "gives", args={"what": "one"}),
            step("b", "gives", args={"what": None}),
            step("c", "python", args={"code": "x", "arguments": {"x": "{found}|{b_found}"}}),
        )
    )

    assert result.final_variables["c_result"] == "one|"


@pytest.mark.parametrize(
    ("params", "gives"),
    [
        ({"code": "x = 4; f'{x}'"}, "4"),
        ({"code": "x", "arguments": {"x": "{{a}} ${b} {c.d!q}"}}, "{{a}} ${b} {c.d!q}"),
        (
            {"code": "x", "arguments": {"x": [1, None, True, {"{k}": 1.5}]}},
            [1, None, True, {"{k}": 1.5}],
        ),
    ],
)
def test_one_tool_is_called_with_what_it_is_given_and_nothing_is_a_placeholder(
    runner: Runner, params: dict[str, object], gives: object
):
    assert runner.call("python", **params)["result"] == gives


def test_a_program_with_braces_is_called_as_it_is_written(runner: Runner):
    said = runner.call("shell", command="echo a b | awk '{print}{print $2}{n}'")

    assert said["stdout"] == "a b\nb\n"


def test_keys_are_sent_to_a_terminal_by_a_call_of_one_tool(runner: Runner):
    at = {"session_id": runner.call("open_terminal", shell="sh")["session_id"]}
    waits = "trap 'echo wo\"\"ken; exit' INT; echo be''gun; while :; do sleep 0.1; done"
    runner.call("send_input", **at, input_text=f"{waits}\n")
    runner.call("await_output", **at, pattern="begun", timeout=SOON)

    sent = runner.call("send_input", **at, input_text="\x03")
    said = runner.call("await_output", **at, pattern="woken", timeout=SOON)
    runner.call("exit_terminal", **at)

    assert (sent["success"], said["success"]) == (True, True)


def test_a_workflow_that_is_called_fills_its_own_placeholders(runner: Runner):
    inner = steps(step("a", "shell", args={"command": "echo {who!q}"}), variables={"who": "you"})

    said = runner.call("run_workflow", workflow_definition=inner, save_on_success=False)

    assert said["final_variables"]["a_stdout"] == "you\n"


def test_a_call_that_cannot_be_is_refused_before_it_is_made(runner: Runner):
    with pytest.raises(WorkflowInvalid, match="seconds"):
        runner.call("sleep", seconds=[])

    assert runner.runs() == []


def test_a_version_of_a_workflow_counts_for_nobody_and_is_called_by_its_name(runner: Runner):
    for says in ("one", "two"):
        runner.run(steps(step("a", "shell", args={"command": f"echo {says}"})), origin=("s", "c"))
    (version,) = runner.library.versions("told")
    called = f"told@{version.hash[:8]}"

    alone = runner.run(called)
    nested = runner.run(
        steps(step("x", "run_workflow", args={"workflow_name": called})), save=False
    )

    assert (alone.status, nested.status) == ("success", "success")
    (saved,) = (saved for saved in runner.library.list().workflows if saved.name == "told")
    assert saved.success_count == 1
    inner = runner.log(runner.log(nested.run).run.results["x"]["run"]).run
    assert inner.results["a"]["stdout"] == "one\n"
