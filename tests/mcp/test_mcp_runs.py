"""An agent checks workflows freely, and runs what a person allowed."""

from pathlib import Path

import pytest
from mcp.client import Client

import wfnb
from tests.mcp.agent import answers, at, refusal, talk
from wfnb.author_context import author_context
from wfnb.cli.run_events import EventLines
from wfnb.core.events import Author, Authored
from wfnb.data_files import plain_yaml

ECHO = {"name": "greet", "steps": [{"id": "say", "tool": "shell", "args": {"command": "echo hi"}}]}
INLINE = 'steps: [{id: say, tool: shell, args: {command: "echo inline"}}]'


def saved(folder: Path, definition: dict = ECHO) -> Path:
    wfnb.open("tides", home_folder=folder).runs.define(definition)
    return folder


def test_a_workflow_is_checked_and_nothing_is_called(tmp_path: Path):
    good, bad, listed = answers(
        at(saved(tmp_path)),
        ("check_workflow", {"workflow": "greet"}),
        ("check_workflow", {"definition": "steps: [{id: a, tool: shel}]"}),
        ("check_workflow", {}),
    )

    assert (good["valid"], good["next"]) == (True, ["`run_workflow` runs it"])
    assert not bad["valid"]
    assert "'shel', which is no tool" in bad["problems"][0]
    assert any(each.startswith("greet") for each in listed["workflows"])
    assert wfnb.open("tides", home_folder=tmp_path).runs.runs() == []


def test_what_was_not_allowed_is_refused_by_the_flag_that_allows_it(tmp_path: Path):
    saved(tmp_path)

    by_name = refusal(at(tmp_path), "run_workflow", workflow="greet")
    other = refusal(at(tmp_path, runs=("deploy",)), "run_workflow", workflow="greet")
    inline = refusal(at(tmp_path, runs=("*",)), "run_workflow", definition=INLINE)

    assert (
        by_name
        == other
        == (
            "Workflow 'greet' may not be run by an agent here. "
            "A person allows it by starting the server as `wfnb mcp --allow-run greet`."
        )
    )
    assert inline.endswith("`wfnb mcp --allow-inline`.")
    assert wfnb.open("tides", home_folder=tmp_path).runs.runs() == []


@pytest.mark.parametrize(
    ("allowed", "words"),
    [
        ({}, ()),
        ({"runs": ("test", "deploy")}, ("run deploy", "run test")),
        ({"runs": ("*",), "inline": True}, ("run any saved workflow", "run workflows of its own")),
        ({"sets": ["terminal"]}, ("use terminals and run anything",)),
    ],
)
def test_what_it_may_do_is_recorded_with_what_it_does(tmp_path: Path, allowed: dict, words: tuple):
    around = at(tmp_path, **allowed)

    answers(around, ("record_step", {"title": "Fit", "reason": "It is linear."}))

    (step,) = around.workspace().session.steps.values()
    assert step.current.by.may == words


def test_a_run_that_was_allowed_is_waited_for(tmp_path: Path):
    around = at(saved(tmp_path), runs=("greet",))

    begun, ended = answers(
        around,
        ("run_workflow", {"workflow": "greet"}),
        ("run_status", {"run": "greet-1", "wait": 25}),
    )

    assert begun["run"] == "greet-1"
    (status,) = answers(around, ("session_status", {}))
    assert status["runs"] == ["greet-1 success"]
    assert (ended["status"], ended["done"], ended["error"]) == ("success", True, None)
    assert "hi" in ended["report"]
    assert ended["next"] == ["`record_step` says what came of it"]


def test_a_client_is_told_what_is_printed_while_it_waits(tmp_path: Path):
    command = r"printf 'one \033[31mtwo\n'; sleep 60"
    slow = {"name": "slow", "steps": [{"id": "say", "tool": "shell", "args": {"command": command}}]}
    told: list[tuple[float, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, message))

    async def waited(client: Client) -> None:
        await client.call_tool("run_workflow", {"workflow": "slow"})
        while not told or told[-1][1] is None:
            await client.call_tool("run_status", {"wait": 2}, progress_callback=hear)

    around = at(saved(tmp_path, slow), runs=("slow",))
    talk(around, waited)
    around.close()

    assert told[-1][1] == "say: one ␛[31mtwo"
    assert all(seconds >= 1 for seconds, _ in told)


def test_a_run_says_who_began_it_and_who_answered(tmp_path: Path):
    asks = {
        "name": "asks",
        "steps": [
            {"id": "sure", "tool": "ask", "args": {"question": "Deploy?"}},
            {"id": "say", "tool": "shell", "args": {"command": "echo hi"}},
        ],
    }
    around = at(saved(tmp_path, asks), runs=("*",))
    answers(around, ("run_workflow", {"workflow": "asks"}), ("run_status", {"wait": 25}))
    runs = wfnb.open("tides", home_folder=tmp_path).runs

    with author_context(Author(host="panel")):
        runs.answer("yes", name="asks-1")
    (ended,) = answers(around, ("run_status", {"wait": 25}))

    assert ended["status"] == "success"
    helper = Author(host="mcp", name="helper", version="2.1", may=("run any saved workflow",))
    entries = runs.log("asks-1").entries()
    authors = {
        type(entry.event).__name__: entry.event.by
        for entry in entries
        if isinstance(entry.event, Authored)
    }
    assert authors == {"RunStarted": helper, "QuestionAnswered": Author(host="panel")}
    teller = EventLines("asks-1")
    said = [teller.tell(entry) for entry in entries]
    assert said[0].endswith(" · by helper 2.1")
    assert [line for line in said if line.endswith(" · by the panel")]


@pytest.mark.parametrize("definition", [INLINE, plain_yaml.load(INLINE)], ids=["text", "object"])
def test_a_definition_of_its_own_is_run_where_that_is_allowed_and_never_saved(
    tmp_path: Path, definition: object
):
    around = at(saved(tmp_path), inline=True)

    _, ended = answers(
        around, ("run_workflow", {"definition": definition}), ("run_status", {"wait": 25})
    )

    assert ended["status"] == "success"
    names = wfnb.open("tides", home_folder=tmp_path).runs.library.names()
    assert list(names) == ["greet"]


def test_a_question_is_for_a_person(tmp_path: Path):
    asks = {
        "name": "asks",
        "steps": [{"id": "sure", "tool": "ask", "args": {"question": "Deploy?"}}],
    }
    around = at(saved(tmp_path, asks), runs=("*",))

    _, waiting = answers(
        around, ("run_workflow", {"workflow": "asks"}), ("run_status", {"wait": 25})
    )
    around.close()
    (ended,) = answers(around, ("run_status", {}))

    assert (waiting["status"], waiting["asks"]) == ("running", ["sure: Deploy?"])
    assert waiting["next"] == [
        "a person answers, in the panel or by `wfnb answer TEXT --run asks-1`"
    ]
    assert (ended["status"], ended["done"]) == ("cancelled", True)


def test_a_failed_run_says_how_a_person_goes_on(tmp_path: Path):
    fails = {
        "name": "fails",
        "steps": [{"id": "no", "tool": "shell", "args": {"command": "exit 3"}}],
    }
    around = at(saved(tmp_path, fails), runs=("*",))

    _, ended = answers(
        around, ("run_workflow", {"workflow": "fails"}), ("run_status", {"wait": 25})
    )

    assert ended["status"] == "failed"
    assert ended["next"] == ["a person goes on with it by `wfnb resume fails-1`"]


def test_without_a_run_there_is_nothing_to_wait_for(tmp_path: Path):
    assert refusal(at(saved(tmp_path)), "run_status", wait=25).startswith("No run is called")
