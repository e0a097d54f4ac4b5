"""Two agents and a person work on one session at once, and each hears of the others."""

from collections import Counter
from pathlib import Path

import pytest

import wfnb
from tests.jupyter.kernel import running
from tests.mcp.agent import answers, at, refusal
from tests.mcp.server_process import server
from wfnb.author_context import author_context
from wfnb.core.events import Author

MANY = 12
PANEL = Author(host="panel")


@pytest.mark.kernel
def test_nothing_is_lost_and_nothing_doubled_while_two_agents_and_a_person_record(tmp_path: Path):
    with running(tmp_path, tmp_path / ".wfnb") as kernel:
        kernel.ok("%wfnb start tides")
        words = ("--session", "tides")
        with server(tmp_path, *words, name="one") as one, server(tmp_path, *words) as two:
            cells, calls = [], []
            for number in range(MANY):
                calls.append((one, one.call("record_step", title=f"one {number}")))
                calls.append((two, two.call("record_step", title=f"two {number}")))
                cells.append(kernel.send(f"%%step me {number}\nx = {number}"))
            assert [kernel.reply(each)["status"] for each in cells] == ["ok"] * MANY
            said = [each.wait(number)["structuredContent"] for each, number in calls]
        numbers = [data["step_number"] for data in said]
        assert len(set(numbers)) == len(numbers) == 2 * MANY
        kernel.ok("%step Look at all")

    session = wfnb.open("tides", home_folder=tmp_path / ".wfnb").session
    there = Counter(step.current.description for step in session.steps.values())
    everything = [f"{who} {number}" for who in ("one", "two", "me") for number in range(MANY)]
    assert there == Counter([*everything, "Look at all"])
    assert [step.number for step in session.steps.values()] == [*range(1, 3 * MANY + 2)]


@pytest.mark.kernel
def test_an_undo_in_the_notebook_is_in_the_next_answer_of_the_agent(tmp_path: Path):
    with running(tmp_path, tmp_path / ".wfnb") as kernel:
        kernel.ok("%wfnb start tides")
        around = at(kernel.home, session="tides")
        answers(around, ("record_step", {"title": "Fit"}))
        kernel.ok("%wfnb undo")
        kernel.ok("%%step Load\nx = 1")

        first, second = answers(around, ("session_status", {}), ("session_status", {}))

    assert first["meanwhile"] == [
        "taken back by the notebook: step 1 added: Fit",
        "step 1 added: Load · by the notebook",
    ]
    assert "meanwhile" not in second


def test_what_another_takes_back_or_brings_again_is_said_once(tmp_path: Path):
    ws = wfnb.open("tides", home_folder=tmp_path)
    around = at(tmp_path, session="tides")
    answers(around, ("record_step", {"title": "Load"}), ("record_step", {"title": "Fit"}))
    with author_context(PANEL):
        ws.undo()
        ws.redo()
        ws.undo("helper")
        ws.step("Load another year")

    said = refusal(around, "read_step", step=2)
    (later,) = answers(around, ("read_step", {"step": 1}))

    fit = "by the panel: step 2 added: Fit"
    assert said.startswith("There is no step 2")
    assert said.endswith(
        f" Meanwhile: taken back {fit}. Meanwhile: there again {fit}."
        " Meanwhile: taken back by the panel: step 1 added: Load."
        f" Meanwhile: taken back {fit}."
        " Meanwhile: step 1 added: Load another year · by the panel."
    )
    assert "meanwhile" not in later


def test_of_many_changes_the_last_are_said_in_little_room(tmp_path: Path):
    ws = wfnb.open("tides", home_folder=tmp_path)
    around = at(tmp_path, session="tides")
    answers(around, ("session_status", {}))
    for number in range(20):
        ws.step(f"Step {number} {'x' * 300}")

    (told,) = answers(around, ("record_step", {"title": "Fit"}))

    assert told["meanwhile"][0] == "… and 12 changes before"
    assert len(told["meanwhile"]) == 9
    assert all(len(each) <= 120 for each in told["meanwhile"])


def test_two_agents_of_one_name_are_told_apart_and_take_back_their_own_alone(tmp_path: Path):
    words = ("--session", "tides")
    with server(tmp_path, *words) as one:
        one.answer("record_step", title="Of the first")
        with server(tmp_path, *words) as two:
            said = two.answer("record_step", title="Of the second")
            one.answer("record_step", title="Of the first again")
            assert said["meanwhile"] == [
                "you are called helper-2 here, as another helper is at work"
            ]

            two.answer("take_back")

            assert by(tmp_path) == {"Of the first": "helper", "Of the first again": "helper"}
    with server(tmp_path, *words) as later:
        later.answer("record_step", title="Of a later one")

    assert by(tmp_path)["Of a later one"] == "helper"


def by(folder: Path) -> dict[str, str | None]:
    """The steps, and who recorded each."""
    session = wfnb.open("tides", home_folder=folder / ".wfnb").session
    now = [step.current for step in session.steps.values()]
    return {each.description: each.by and each.by.name for each in now}
