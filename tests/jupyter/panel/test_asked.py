"""What a front end asks is answered, and done as the magics do it; all else is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.panel.front import FrontEnd, Refused, page
from tests.jupyter.panel.test_told import waits_for
from wfnb.jupyter.panel.requests import WORDS

pytestmark = pytest.mark.kernel

ASKS = """\
%%run_workflow deploy
steps:
  - id: sure
    tool: ask
    args: {question: "Go on?", choices: [yes, no]}
  - id: say
    tool: shell
    args: {command: "echo said {sure.answer}"}
"""
NESTED = """\
%%run_workflow release --background --no-save
steps:
  - id: down
    tool: run_workflow
    args:
      save_on_success: false
      workflow_definition:
        name: checks
        steps:
          - id: sure
            tool: ask
            args: {question: "Go on?", choices: [yes]}
"""
SLEEPS = """\
%%run_workflow {name}{options}
steps:
  - id: nap
    tool: sleep
    args: {{seconds: 600}}
"""


def test_steps_are_read_in_pages(kernel: Kernel):
    for number in range(1, 71):
        kernel.ok(f"%step Step {number}")

    with page(kernel) as front:
        told = [row["index"] for row in front.messages[0]["rows"]]
        some = front.ask("rows", first=3, count=2)
        found = front.ask("rows", first=0, count=5, filter={"text": "7 STEP"})

    assert told == list(range(10, 70))
    assert [row["title"] for row in some["rows"]] == ["Step 4", "Step 5"]
    assert [row["title"] for row in found["rows"]] == [f"Step {n}" for n in (7, 17, 27, 37, 47)]
    assert (some["count"], found["count"]) == (70, 8)


def test_a_step_is_opened_and_lines_are_compared(kernel: Kernel):
    kernel.ok("%%step --text Load\nLoad it **all**.\n", "a")
    kernel.ok("%branch alt --from 1 Other")

    with page(kernel) as front:
        key = front.state.rows[0]["key"]
        card = front.ask("card", key=key)
        compared = front.ask("compare", lines=["main", "alt"])
        with pytest.raises(Refused) as refused:
            front.ask("card", key=12345)

    assert (card["key"], card["title"], card["cell_id"]) == (key, "Load", "a")
    assert [line["id"] for line in compared["lines"]] == ["main", "alt"]
    assert refused.value.args[0] == "StepUnknown"


def test_lines_are_chosen_selected_and_given_up(kernel: Kernel):
    kernel.ok("%step One")
    kernel.ok("%branch alt --from 1 Two")
    kernel.ok("%branch third --from 1 Three")

    with page(kernel) as front:
        front.ask("switch", branch="alt")
        front.ask("select", branch="alt", reason="it is shorter")
        front.ask("abandon", branch="third")
        front.until(lambda: front.state.lines["third"]["state"] == "abandoned")

        assert front.state.lines["alt"]["reason"] == "it is shorter"
    kernel.ok("%step On alt")
    assert kernel.steps("description", "branch")[-1] == ("On alt", "alt")


def test_a_stale_step_is_confirmed_by_its_key(kernel: Kernel):
    kernel.ok("%%step One\n1", "a")
    kernel.ok("%%branch alt --from 1 Two\n2", "b")
    kernel.ok("%%step One again\n3", "a")

    with page(kernel) as front:
        stale = [row for row in front.state.rows.values() if row["stale"]]
        front.ask("confirm", key=stale[0]["key"])
        front.until(lambda: front.state.head["stale"] == 0)

    assert [row["title"] for row in stale] == ["Two"]


def test_a_refusal_is_the_sentence_that_the_magic_says(kernel: Kernel):
    said = kernel.run("%wfnb switch nowhere").refusal

    with page(kernel) as front, pytest.raises(Refused) as refused:
        front.ask("switch", branch="nowhere")

    assert refused.value.args == ("BranchUnknown", said)


def test_undo_and_redo_say_what_they_did(kernel: Kernel):
    kernel.ok("%step One")

    with page(kernel) as front:
        undone = front.ask("undo")
        redone = front.ask("redo")
        with pytest.raises(Refused) as refused:
            front.ask("redo")

    assert (undone, redone) == ("undone: step 1 added: One", "redone: step 1 added: One")
    assert refused.value.args[0] == "NothingToRedo"


def test_undoing_a_step_that_runs_leaves_its_cell_whole(kernel: Kernel, tmp_path: Path):
    gate = tmp_path / "gate"

    with page(kernel) as front:
        if front.subshell is None:
            pytest.skip("requests wait for the cell in this kernel")
        request = kernel.send(waits_for(gate, "%%step Wait\n", "print('done')"))
        front.prints("waiting")
        front.ask("undo")
        gate.touch()
        front.prints("done")
        assert kernel.reply(request)["status"] == "ok"
        kernel.ok("%step After")
        front.until(lambda: front.state.titles == ["After"])

    assert kernel.steps("number", "description") == [(1, "After")]


def test_the_report_is_what_export_writes(kernel: Kernel, tmp_path: Path):
    kernel.ok("%step One")
    kernel.ok(f"%wfnb export {tmp_path / 'demo.md'}")

    with page(kernel) as front:
        report = front.ask("report", form="md")

    assert report == {"name": "demo.md", "text": (tmp_path / "demo.md").read_text()}


# runs


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
            front.ask("answer", run="deploy-1", action="sure", answer="perhaps")
        front.ask("answer", run="deploy-1", action="sure", answer="yes")
        front.until(lambda: front.state.runs["deploy-1"]["status"] == "success")

    assert (asked["question"], asked["choices"]) == ("Go on?", ["yes", "no"])
    assert refused.value.args[0] == "AnswerNotChoice"


@pytest.mark.parametrize("by", ["the run that asks", "the run that was begun"])
def test_a_question_of_a_run_that_a_run_called_is_answered(kernel: Kernel, by: str):
    with page(kernel) as front:
        kernel.ok(NESTED)
        front.until(lambda: bool(front.state.runs.get("release-1", {}).get("asks")))
        (asked,) = front.state.runs["release-1"]["asks"]
        name = asked["run"] if by == "the run that asks" else "release-1"
        front.ask("answer", run=name, action=asked["action"], answer="yes")
        front.until(lambda: front.state.runs["release-1"]["status"] == "success")

    assert (asked["action"], asked["question"], asked["choices"]) == ("sure", "Go on?", ["yes"])
    assert asked["run"] != "release-1"
    assert front.state.runs["release-1"]["asks"] == []
    assert set(front.state.runs) == {"release-1"}


# what is no request


NO_REQUESTS: list[tuple[Any, str]] = [
    ([1], "A request is an object with `id` and `ask`."),
    (None, "A request is an object with `id` and `ask`."),
    ({"id": 7}, f"Nobody can ask None here. Words: {', '.join(WORDS)}."),
    ({"id": 7, "ask": "exec"}, f"Nobody can ask 'exec' here. Words: {', '.join(WORDS)}."),
    ({"id": 7, "ask": ["undo"]}, f"Nobody can ask ['undo'] here. Words: {', '.join(WORDS)}."),
    ({"id": 7, "ask": "undo", "twice": 1}, "undo: twice: Extra inputs are not permitted."),
    ({"id": 7, "ask": "card", "key": "1"}, "card: key: Input should be a valid integer."),
    ({"id": 7, "ask": "card", "key": True}, "card: key: Input should be a valid integer."),
    ({"id": 7, "ask": "card"}, "card: key: Field required."),
    (
        {"id": 7, "ask": "rows", "first": 0, "count": 10**6},
        "rows: count: Input should be less than or equal to 1000.",
    ),
    (
        {"id": 7, "ask": "switch", "branch": "b" * 301},
        "switch: branch: String should have at most 300 characters.",
    ),
    (
        {"id": 7, "ask": "report", "form": "../../etc"},
        "report: form: Input should be 'md', 'html' or 'json'.",
    ),
    ({"id": "7", "ask": "undo"}, "undo: id: Input should be a valid integer."),
    ({"id": -7, "ask": "undo"}, "undo: id: Input should be greater than or equal to 0."),
]


def test_what_is_no_request_is_refused_in_a_line(kernel: Kernel):
    kernel.ok("%step One")

    with page(kernel) as front:
        for data, says in NO_REQUESTS:
            front.replies.clear()
            front.post(data)
            front.until(lambda: bool(front.replies))
            ((id, reply),) = front.replies.items()
            assert reply == {"id": id, "error": "BadRequest", "says": says}
            assert id == (7 if isinstance(data, dict) and data["id"] == 7 else -1)

    assert kernel.steps("description") == ["One"]


def test_a_fault_of_ours_is_told_as_one_and_shows_in_no_cell(kernel: Kernel):
    kernel.ok("%step One")
    kernel.ok("import wfnb.workspace; kept = wfnb.workspace.Workspace.undo")
    kernel.ok("wfnb.workspace.Workspace.undo = lambda self: 1 / 0")

    with page(kernel) as front:
        with pytest.raises(Refused) as refused:
            front.ask("undo")
        ran = kernel.ok("wfnb.workspace.Workspace.undo = kept")

        assert refused.value.args[0] == "InternalError"
        assert (ran.stdout, ran.stderr) == ("", "")
        assert front.ask("undo") == "undone: step 1 added: One"


def test_looking_opens_nothing(kernel: Kernel):
    with FrontEndOfNoSession(kernel) as front:
        assert front.state.gone is not None
        for word, args in (("rows", {"first": 0, "count": 9}), ("compare", {})):
            with pytest.raises(Refused) as refused:
                front.ask(word, **args)
            assert refused.value.args[0] == "NothingRecorded"


class FrontEndOfNoSession:
    """A page of a kernel whose notebook has not begun."""

    def __init__(self, kernel: Kernel) -> None:
        kernel.ok(f"os.environ['WFNB_HOME'] = {str(kernel.home / 'empty')!r}")
        kernel.ok("%unload_ext wfnb")
        kernel.ok("from wfnb.jupyter import extension; extension._USED.clear()")
        kernel.ok("%load_ext wfnb")
        self._page = page(kernel)

    def __enter__(self) -> FrontEnd:
        return self._page.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._page.__exit__(*error)
