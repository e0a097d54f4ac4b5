"""What a front end asks of runs: to start one, watch it, answer it, stop it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.panel.front import FrontEnd, Refused, page
from tests.jupyter.panel.workflows import AGAIN, ASKS, NESTED, SLEEPS

pytestmark = pytest.mark.kernel


def test_a_saved_workflow_is_started_with_what_was_typed(kernel: Kernel, tmp_path: Path):
    (tmp_path / "greet.yaml").write_text(
        "name: greet\nvariables:\n  who: {description: whom to greet}\n  times: 2\n"
        "  token: {secret: true, default: none}\n"
        'steps:\n  - {id: say, tool: shell, args: {command: "echo {who} {times}"}}\n'
    )
    kernel.ok(f"%wfnb workflows import {tmp_path / 'greet.yaml'}")

    with page(kernel) as front:
        saved = {each["name"]: each for each in front.ask("workflows")}
        head = front.ask(
            "start", workflow="greet", variables={"who": "you", "times": "3", "token": "hush"}
        )
        front.until(lambda: front.state.runs.get("greet-1", {}).get("status") == "success")
        detail = front.ask("run", run="greet-1")

    assert saved["greet"]["variables"] == [
        {"name": "who", "default": None, "secret": False, "description": "whom to greet"},
        {"name": "times", "default": "2", "secret": False, "description": ""},
        {"name": "token", "default": "", "secret": True, "description": ""},
    ]
    assert (head["name"], head["here"]) == ("greet-1", True)
    assert [action["action"] for action in detail["actions"]] == ["say"]
    assert "you" in detail["actions"][0]["note"]
    assert "hush" not in json.dumps(front.messages)


def test_a_run_in_the_background_is_watched_cancelled_and_resumed(kernel: Kernel):
    with page(kernel) as front:
        kernel.ok(SLEEPS.format(name="nap", options=" --background"))
        front.until(lambda: front.state.runs.get("nap-1", {}).get("status") == "running")
        here = front.state.runs["nap-1"]["here"]
        front.ask("cancel", run="nap-1")
        front.until(lambda: front.state.runs["nap-1"]["status"] == "cancelled")
        front.until(lambda: not front.state.runs["nap-1"]["here"])
        again = front.ask("resume", run="nap-1")
        front.until(lambda: front.state.runs["nap-1"]["status"] == "running")
        front.ask("cancel", run="nap-1", at_once=True)
        front.until(lambda: front.state.runs["nap-1"]["status"] == "cancelled")

    assert here
    assert (again["name"], again["status"]) == ("nap-1", "running")


def test_what_an_opened_run_writes_is_told_once(kernel: Kernel, tmp_path: Path):
    command = "; ".join(
        f"echo {word}; while [ ! -e {tmp_path / word} ]; do sleep 0.02; done"
        for word in ("one", "two", "three")
    )

    with page(kernel) as front:
        kernel.ok(
            "%%run_workflow talk --background\nsteps:\n"
            f"  - {{id: say, tool: shell, args: {{command: {command!r}}}}}"
        )
        front.until(lambda: front.state.runs.get("talk-1", {}).get("status") == "running")
        said = [line["text"] for line in front.ask("run", run="talk-1")["tail"]]
        for word in ("one", "two", "three"):
            front.until(lambda word=word: word in said + front.state.tails.get("talk-1", []))
            (tmp_path / word).touch()
        front.until(lambda: front.state.runs["talk-1"]["status"] == "success")
        kernel.ok("%step After")
        front.until(lambda: "After" in front.state.titles)  # nothing is on its way any more
        front.ask("close_run", run="talk-1")

    assert said + front.state.tails["talk-1"] == ["one", "two", "three"]


def test_a_question_of_a_run_is_answered(kernel: Kernel):
    with page(kernel) as front:
        kernel.ok(ASKS.replace("deploy", "deploy --background", 1))
        front.until(lambda: bool(front.state.runs.get("deploy-1", {}).get("asks")))
        (asked,) = front.state.runs["deploy-1"]["asks"]
        with pytest.raises(Refused) as refused:
            front.ask("answer", run="deploy-1", call=asked["call"], answer="perhaps")
        front.ask("answer", run="deploy-1", call=asked["call"], answer="yes")
        front.until(lambda: front.state.runs["deploy-1"]["status"] == "success")

    assert (asked["question"], asked["choices"]) == ("Go on?", ["yes", "no"])
    assert refused.value.args[0] == "AnswerNotChoice"


def test_a_parked_run_goes_on_when_it_is_answered_and_can_be_cancelled(kernel: Kernel):
    with page(kernel) as front:
        kernel.ok(ASKS.replace("deploy", "deploy --park", 1))
        front.until(lambda: front.state.runs.get("deploy-1", {}).get("status") == "parked")
        head = front.state.runs["deploy-1"]
        (asked,) = head["asks"]
        front.ask("answer", run="deploy-1", call=asked["call"], answer="yes")
        front.until(lambda: front.state.runs["deploy-1"]["status"] == "success")
        kernel.ok(ASKS.replace("deploy", "deploy --park", 1))
        front.until(lambda: front.state.runs.get("deploy-2", {}).get("status") == "parked")
        front.ask("cancel", run="deploy-2")
        front.until(lambda: front.state.runs["deploy-2"]["status"] == "cancelled")

    assert (head["resumable"], head["ended"], head["here"]) == (True, None, False)


def test_an_answer_is_for_the_call_that_was_seen_to_ask_and_not_for_the_next_one(kernel: Kernel):
    def asks() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = front.state.runs.get("again-1", {}).get("asks", [])
        return found

    with page(kernel) as front:
        kernel.ok(AGAIN)
        front.until(lambda: bool(asks()))
        (first,) = asks()
        front.ask("answer", run="again-1", call=first["call"], answer="yes")
        front.until(lambda: bool(asks()) and asks() != [first])
        (second,) = asks()
        with pytest.raises(Refused) as refused:
            front.ask("answer", run="again-1", call=first["call"], answer="no")
        still = asks()
        front.ask("answer", run="again-1", call=second["call"], answer="no")
        front.until(lambda: front.state.runs["again-1"]["status"] != "running")

    assert second == {**first, "call": second["call"]}
    assert refused.value.args == (
        "QuestionGone",
        "This question of again-1 is no longer open. "
        "`%wfnb runs` shows what the runs are waiting for.",
    )
    assert still == [second]


def test_what_was_answered_in_a_cell_is_no_longer_open(kernel: Kernel):
    with page(kernel) as front:
        kernel.ok(ASKS.replace("deploy", "deploy --background", 1))
        front.until(lambda: bool(front.state.runs.get("deploy-1", {}).get("asks")))
        (asked,) = front.state.runs["deploy-1"]["asks"]
        kernel.ok("%wfnb answer no")
        with pytest.raises(Refused) as refused:
            front.ask("answer", run="deploy-1", call=asked["call"], answer="yes")
        front.until(lambda: front.state.runs["deploy-1"]["status"] == "success")

    assert refused.value.args[0] == "QuestionGone"


def test_a_question_of_a_run_that_a_run_called_is_answered_by_its_own_name(kernel: Kernel):
    with page(kernel) as front:
        kernel.ok(NESTED)
        front.until(lambda: bool(front.state.runs.get("release-1", {}).get("asks")))
        (asked,) = front.state.runs["release-1"]["asks"]
        with pytest.raises(Refused) as refused:
            front.ask("answer", run="release-1", call=asked["call"], answer="yes")
        front.ask("answer", run=asked["run"], call=asked["call"], answer="yes")
        front.until(lambda: front.state.runs["release-1"]["status"] == "success")

    assert (asked["action"], asked["question"], asked["choices"]) == ("sure", "Go on?", ["yes"])
    assert asked["run"] != "release-1"
    assert refused.value.args[0] == "QuestionGone"
    assert front.state.runs["release-1"]["asks"] == []
    assert set(front.state.runs) == {"release-1"}


def test_a_text_is_checked_and_nothing_is_recorded(kernel: Kernel):
    text = "steps:\n  - {id: a, tool: shel, args: {command: ls}}\n  - {id: b, tool: sleep}\n"

    with page(kernel) as front:
        before = front.ask("sessions")
        wrong = front.ask("check", text=text, file="two.workflow.yaml")
        broken = front.ask("check", text="steps: [", file="two.workflow.yaml")
        fine = front.ask(
            "check",
            text="variables: {who: {secret: true}}\nsteps:\n"
            '  - {tool: shell, args: {command: "echo {who}"}}\n',
            file="two.workflow.yaml",
        )
        tools = {each["name"]: each for each in front.ask("tools")}
        sessions = front.ask("sessions")

    assert [each["path"] for each in wrong["problems"]] == ["steps.0.tool", "steps.1.args.seconds"]
    assert "shell" in wrong["problems"][0]["says"]
    assert [each["path"] for each in broken["problems"]] == [""]
    assert "two.workflow.yaml" in broken["problems"][0]["says"]
    assert fine["problems"] == []
    assert [each["name"] for each in fine["variables"]] == ["who"]
    assert "command" in tools["shell"]["parameters"]["properties"]
    assert sessions == before


def test_a_text_is_run_mended_and_resumed(kernel: Kernel, tmp_path: Path):
    text = (
        "variables: {how: bad}\nsteps:\n"
        f'  - {{id: a, tool: shell, args: {{command: "echo once >> {tmp_path / "a"}"}}}}\n'
        '  - {id: b, tool: shell, args: {command: "test {how} = good"}}\n'
    )

    with page(kernel) as front:
        front.ask("start", workflow="fix.workflow.yaml", text=text)
        front.until(lambda: front.state.runs.get("fix-1", {}).get("status") == "failed")
        mended = text.replace("= good", "= fine")
        same, edited, broken = (
            front.ask("check", text=each, file="fix.workflow.yaml", run="fix-1")["changed"]
            for each in ("# only a comment\n" + text, mended, "steps: [")
        )
        front.ask(
            "resume", run="fix-1", text=mended, file="fix.workflow.yaml", variables={"how": "fine"}
        )
        front.until(lambda: front.state.runs["fix-1"]["status"] == "success")
        saved = [each["name"] for each in front.ask("workflows")]

    assert (tmp_path / "a").read_text() == "once\n"
    assert "fix" not in saved
    assert (same, edited, broken) == ([], ["b"], None)


def refusal(front: FrontEnd, run: str, variables: dict[str, str]) -> str:
    """Of a resume, once what the run had open is closed: a moment after it ended."""
    while True:
        with pytest.raises(Refused) as refused:
            front.ask("resume", run=run, variables=variables)
        error, says = refused.value.args
        if error != "RunAlive":
            return str(says)


def test_a_run_says_what_its_variables_are_and_goes_on_with_others(kernel: Kernel):
    text = (
        "variables:\n  limit: {type: number, default: 3, description: in kg}\n  to: [Morris]\n"
        "  code: '007'\n  token: {secret: true, default: none}\n"
        'steps:\n  - {id: a, tool: shell, args: {command: "test {limit} -ge 5"}}\n'
    )

    with page(kernel) as front:
        front.ask("start", workflow="ship.workflow.yaml", text=text, variables={"limit": "4"})
        front.until(lambda: front.state.runs.get("ship-1", {}).get("status") == "failed")
        asked = front.ask("variables", run="ship-1")
        refused = refusal(front, "ship-1", {"limit": "many", "token": "x"})
        front.ask("resume", run="ship-1", variables={"limit": "5", "token": "s3cret"})
        front.until(lambda: front.state.runs["ship-1"]["status"] == "success")
        now = front.ask("variables", run="ship-1")

    assert [(each["name"], each["default"], each["secret"]) for each in asked] == [
        ("limit", "4", False),
        ("to", '["Morris"]', False),
        ("code", '"007"', False),
        ("token", "", True),
    ]
    assert asked[0]["description"] == "in kg"
    assert "limit" in refused
    assert [each["default"] for each in now] == ["5", '["Morris"]', '"007"', ""]


def test_what_is_compared_with_a_run_opens_no_session(kernel: Kernel):
    text = "steps:\n  - {id: a, tool: shell, args: {command: ls}}\n"
    with page(kernel) as front:
        front.ask("start", workflow="list.workflow.yaml", text=text)
        front.until(lambda: front.state.runs.get("list-1", {}).get("status") == "success")
    kernel.restart()

    with page(kernel) as front:
        before = front.ask("sessions")
        with pytest.raises(Refused) as refused:
            front.ask("check", text=text, file="list.workflow.yaml", run="list-1")
        after = front.ask("sessions")

    assert refused.value.args[0] == "NothingRecorded"
    assert before == after
    assert not any(each["in_use"] for each in after)


def test_an_action_runs_alone_with_what_it_needs_and_is_mended_alone(kernel: Kernel):
    text = (
        "name: fix\nvariables: {how: bad, token: {secret: true, default: hushed}}\nsteps:\n"
        '  - {id: a, tool: shell, args: {command: "echo one {token} | cut -c 1-3"}}\n'
        '  - {id: b, tool: shell, when: "1 == 2", args:'
        ' {command: "test {how} = good && echo {a.stdout!q} {a.exit_code} {token}"}}\n'
    )
    of = {"text": text, "action": "b"}

    with page(kernel) as front:
        asked = front.ask("inputs", file="fix.workflow.yaml", **of)
        with pytest.raises(Refused) as refused:
            front.ask("start", workflow="fix.workflow.yaml", **of)
        front.ask(
            "start",
            workflow="fix.workflow.yaml",
            variables={"a.stdout": "two words", "a.exit_code": "0", "token": "whisper"},
            **of,
        )
        front.until(lambda: front.state.runs.get("fix-b-alone-1", {}).get("status") == "failed")
        mended = text.replace("= good", "= bad")
        changed = [
            front.ask("check", text=each, file="fix.workflow.yaml", run="fix-b-alone-1")["changed"]
            for each in (text, mended)
        ]
        front.ask(
            "resume",
            run="fix-b-alone-1",
            text=mended,
            file="fix.workflow.yaml",
            variables={"token": "whisper"},
        )
        front.until(lambda: front.state.runs["fix-b-alone-1"]["status"] == "success")
        detail = front.ask("run", run="fix-b-alone-1")
        front.ask("start", workflow="fix.workflow.yaml", text=text)
        front.until(lambda: front.state.runs.get("fix-1", {}).get("status") == "success")
        known = front.ask("inputs", file="fix.workflow.yaml", run="fix-1", **of)
        with pytest.raises(Refused) as unknown:
            front.ask("inputs", file="fix.workflow.yaml", **(of | {"action": "c"}))

    assert [(each["name"], each["default"]) for each in asked] == [
        *(("how", "bad"), ("token", "")),
        *(("a.stdout", None), ("a.exit_code", None)),
    ]
    assert "'a.stdout' has to be given" in refused.value.args[1]
    assert changed == [[], ["b"]]
    assert "two words 0" in detail["tail"][0]["text"]
    assert [(each["name"], each["default"]) for each in known] == [
        *(("how", "bad"), ("token", "")),
        *(("a.stdout", '"one\\n"'), ("a.exit_code", "0")),
    ]
    assert "whisper" not in json.dumps(front.messages)
    assert unknown.value.args[0] == "StateUnknown"


def test_a_run_keeps_its_definition_and_says_what_is_otherwise_now(kernel: Kernel):
    text = (
        "name: fix\nvariables: {how: bad, token: {secret: true, default: hushed}}\nsteps:\n"
        '  - {id: a, tool: shell, args: {command: "echo {token}", check: false}}\n'
        "  - {id: b, tool: sleep, args: {seconds: 0}}\n"
    )
    now = (
        "name: fix\nvariables: {how: good, token: {secret: true, default: hushed}}\nsteps:\n"
        '  - {id: a, tool: shell, retry: 1, args: {command: "echo {how} {token}"}}\n'
        "  - {id: c, tool: sleep, args: {seconds: 0}}\n"
    )

    with page(kernel) as front:
        front.ask("start", workflow="fix.workflow.yaml", text=text)
        front.until(lambda: front.state.runs.get("fix-1", {}).get("status") == "success")
        same, other, broken = (
            front.ask("ran", run="fix-1", text=each, file="fix.workflow.yaml")
            for each in ("# as it was\n" + text, now, "steps: [")
        )

    assert [step["id"] for step in other["definition"]["steps"]] == ["a", "b"]
    assert "hushed" not in json.dumps(front.messages)
    assert same["differs"] == broken["differs"] == []
    assert [(each["action"], each["says"]) for each in other["differs"]] == [
        (None, "otherwise since: variables"),
        ("a", "otherwise since: command, check, retry"),
        ("b", "gone since"),
        ("c", "new since"),
    ]
