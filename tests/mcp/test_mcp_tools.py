"""An agent records, reads and decides as a person does, and its answers are small."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from mcp_types import Implementation

import wfnb
from tests.mcp.agent import answers, at, refusal, results, talk, text
from wfnb.author_context import author_context
from wfnb.core.events import Author
from wfnb.mcp.tool_declaration import size
from wfnb.mcp.tools import SETS

HELPER = Author(host="mcp", name="helper", version="2.1", may=())
NAMES = [
    *("session_status", "start_session", "record_step", "revise_step", "open_branch"),
    *("take_back", "switch_branch", "settle_branch", "compare_branches", "search_steps"),
    *("read_step", "why"),
    *("look", "judge_hypothesis", "check_workflow", "run_workflow", "run_status"),
]
HISTORY = [
    ("record_step", {"title": "Load", "reason": "Both years.", "total": 3, "tags": ["data"]}),
    ("record_step", {"title": "Fit", "values": {"rmse": 0.5}}),
    (
        "open_branch",
        {"branch": "ridge", "branch_from": 1, "title": "Ridge", "values": {"rmse": 0.3}},
    ),
]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_tools_are_listed_in_one_order_and_take_little_room(tmp_path: Path, mode: str):
    listed = talk(at(tmp_path), lambda client: client.list_tools(), mode).tools

    wire = [each.model_dump(by_alias=True, exclude_none=True) for each in listed]
    assert [each.name for each in listed] == NAMES
    assert size({"tools": wire}) <= 12 * 1024


def test_sets_are_listed_in_one_order_whichever_was_asked_for_first():
    def listed(first: str) -> str:
        code = (
            "from wfnb.mcp.tools import SETS, offered_tools\n"
            f"offered_tools([{first!r}])\n"
            "print([each.name for each in offered_tools(SETS)])"
        )
        return subprocess.check_output([sys.executable, "-c", code], text=True)

    assert listed(SETS[-1]) == listed(SETS[0])


def test_a_tool_says_what_it_changes(tmp_path: Path):
    listed = talk(at(tmp_path), lambda client: client.list_tools()).tools

    reads = [each.name for each in listed if each.annotations.read_only_hint]
    destroys = [each.name for each in listed if each.annotations.destructive_hint is not False]
    assert reads == [
        *("session_status", "switch_branch", "compare_branches", "search_steps", "read_step"),
        *("why", "check_workflow", "run_status"),
    ]
    assert set(destroys) - set(reads) == {"run_workflow"}
    assert all(each.description and each.output_schema for each in listed)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_what_an_agent_records_is_in_the_history_by_its_name(tmp_path: Path, mode: str):
    *_, third = answers(at(tmp_path), *HISTORY, mode=mode)

    ws = wfnb.open("agent", home_folder=tmp_path)
    assert list(third)[:7] == [
        *("step_number", "total_steps", "next_step_needed", "last_step_description"),
        *("current_branch", "branches", "step_history_length"),
    ]
    assert (third["step_number"], third["current_branch"]) == (2, "ridge")
    assert third["next"] == ["`record_step()` records the next step"]
    assert {entry.event.by for entry in ws.log.entries()} == {HELPER}
    assert [step.current.description for step in ws.session.steps.values()] == [
        *("Load\n\nBoth years.", "Fit", "Ridge"),
    ]


def test_the_text_of_an_answer_is_its_data(tmp_path: Path):
    (found,) = results(at(tmp_path), HISTORY[0])

    assert json.loads(text(found)) == found.structured_content


def test_an_agent_goes_on_where_the_newest_session_stands(tmp_path: Path):
    wfnb.open("older", home_folder=tmp_path).step("Once")
    wfnb.open("tides", home_folder=tmp_path).step("Load", total=2)

    status, step = answers(at(tmp_path), ("session_status", {}), ("record_step", {"title": "Fit"}))

    assert (status["session"], status["sessions"]) == ("tides", ["older", "tides"])
    assert status["recent"] == [{"step": 1, "title": "Load", "outcome": "ok"}]
    assert (step["session"], step["step_number"]) == ("tides", 2)


def test_what_others_do_in_another_session_leads_no_agent_there(tmp_path: Path):
    around = at(tmp_path)
    for name in ("older", "tides"):
        wfnb.open(name, home_folder=tmp_path).step("Load")
    answers(around, ("session_status", {}))

    wfnb.open("older", home_folder=tmp_path).step("Once more")
    (step,) = answers(around, ("record_step", {"title": "Fit"}))

    assert step["session"] == "tides"


def test_what_has_no_room_on_a_page_of_steps_is_on_the_next(tmp_path: Path):
    workspace = wfnb.open("long", home_folder=tmp_path)
    for number in range(1, 31):
        workspace.step(f"{number} {'Compare the residuals of all days ' * 4}")
    around, seen, after = at(tmp_path), [], 0

    while after is not None:
        (found,) = answers(around, ("search_steps", {"after": after}))
        seen += [each["step"] for each in found["steps"]]
        after = found["after"]

    assert seen == list(range(1, 31))


def test_a_stale_step_of_a_branch_is_named_with_it(tmp_path: Path):
    workspace = wfnb.open("lines", home_folder=tmp_path)
    for says in ({}, {}, {"branch": "alt", "branch_from": 1}, {"branch": "alt", "revises": 2}):
        workspace.step("Fit", **says)
    workspace.step("Check", branch="alt")
    workspace.step("Fit again", branch="alt", revises=3)

    (status,) = answers(at(tmp_path), ("session_status", {}))

    assert status["next"][0].startswith("stale: alt:4;")


def test_without_a_session_status_says_how_one_is_begun(tmp_path: Path):
    (status,) = answers(at(tmp_path / "new"), ("session_status", {}))

    assert (status["session"], status["sessions"]) == (None, [])
    assert "start_session" in status["next"][0]
    assert not (tmp_path / "new").exists()


def test_what_only_reads_makes_no_session_and_no_folder(tmp_path: Path):
    around = at(tmp_path / "new", session="tides")

    found, compared, checked = answers(
        around,
        ("search_steps", {}),
        ("compare_branches", {}),
        ("check_workflow", {"definition": "steps: [{id: a, tool: shell, args: {command: ls}}]"}),
    )
    said = refusal(around, "read_step", step=1)

    assert (found["count"], list(compared["compared"]["steps"].values())) == (0, [0])
    assert checked["valid"]
    assert "no step 1" in said
    assert not (tmp_path / "new").exists()


def test_a_session_is_named_in_a_call_or_chosen_for_all(tmp_path: Path):
    one, other, third = answers(
        at(tmp_path, session="one"),
        ("record_step", {"title": "A"}),
        ("start_session", {"name": "other", "strategy": "react"}),
        ("record_step", {"title": "B", "session": "one"}),
    )

    assert [one["session"], other["session"], third["session"]] == ["one", "other", "one"]
    assert (other["new"], other["stage"]) == (True, "problem_reception")


def test_lines_are_compared_and_decided(tmp_path: Path):
    *_, compared, settled, chosen = answers(
        at(tmp_path),
        *HISTORY,
        ("compare_branches", {}),
        ("settle_branch", {"branch": "ridge", "decision": "select", "reason": "smaller"}),
        ("switch_branch", {"branch": "ridge"}),
    )

    assert compared["compared"]["rmse"] == {"main": 0.5, "ridge ⟵ 1": 0.3}
    assert settled["state"] == "selected"
    assert (chosen["line"], chosen["last_step"]) == ("ridge", "ridge:2")


def test_a_correction_says_what_rests_on_the_step(tmp_path: Path):
    *_, revised, said = answers(
        at(tmp_path),
        *HISTORY[:2],
        ("revise_step", {"revises": 1, "title": "Load the right year"}),
        ("why", {"step": 2}),
    )

    assert (revised["step_number"], revised["revises_step"], revised["stale_steps"]) == (3, 1, [2])
    assert said["stale"]
    assert "run-stale" in said["next"][0]


def test_steps_are_found_and_read(tmp_path: Path):
    *_, found, paged, read = answers(
        at(tmp_path),
        *HISTORY,
        ("search_steps", {"text": "tag:data by:helper"}),
        ("search_steps", {"limit": 2}),
        ("read_step", {"step": "ridge:2"}),
    )

    assert found["steps"] == [
        {"step": 1, "title": "Load", "outcome": "ok", "by": "helper 2.1", "tags": ["data"]}
    ]
    assert ([each["title"] for each in paged["steps"]], paged["after"]) == (["Load", "Fit"], 2)
    assert (read["description"], read["by"]) == ("Ridge", "helper 2.1")


def test_what_others_undid_meanwhile_is_not_found(tmp_path: Path):
    around = at(tmp_path)
    answers(around, *HISTORY, ("search_steps", {}))
    wfnb.open("agent", home_folder=tmp_path).undo()

    (found,) = answers(around, ("search_steps", {"after": -3}))

    assert ([each["title"] for each in found["steps"]], found["after"]) == (["Load", "Fit"], None)


def test_an_investigation_asks_for_evidence_between_two_steps(tmp_path: Path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "parse.py").write_text("def parse(text):\n    return text.split()\n")
    around = at(tmp_path / ".wfnb")
    begin = [
        ("start_session", {"name": "crash", "kind": "debug"}),
        (
            "record_step",
            {
                "title": "It fails on an empty line",
                "total": 3,
                "finding": "parse gets an empty text",
                "hypothesis": "nobody checks for it",
                "confidence": "low",
            },
        ),
    ]
    *_, first = answers(around, *begin)
    held = refusal(around, "record_step", title="Nothing was looked at")

    seen, second, judged = answers(
        around,
        ("look", {"what": "parse.py"}),
        ("record_step", {"title": "It does not check", "finding": "no check in parse"}),
        (
            "judge_hypothesis",
            {"hypothesis": 1, "verdict": "confirmed", "reason": "parse.py has no check"},
        ),
    )

    assert first["status"] == "pause_for_investigation"
    assert "look" in held
    assert "text.split()" in seen["shown"]
    assert (second["step_number"], judged["verdict"]) == (2, "confirmed")
    findings = wfnb.open("crash", home_folder=tmp_path / ".wfnb").investigation.findings()
    assert "confirmed · by helper 2.1: parse.py has no check" in repr(findings)


def test_nothing_outside_of_the_folder_is_looked_at(tmp_path: Path):
    (tmp_path / "secret.txt").write_text("secret")
    around = at(tmp_path / "work" / ".wfnb")
    answers(around, ("start_session", {"name": "crash", "kind": "debug"}))

    said = refusal(around, "look", what="../secret.txt")

    assert said == (
        "target is '../secret.txt'. It needs a path in 'work': nothing else is looked at here."
    )


def test_a_refusal_is_the_sentence_of_wfnb_and_records_nothing(tmp_path: Path):
    around = at(tmp_path)
    answers(around, *HISTORY)
    before = wfnb.open("agent", home_folder=tmp_path).log.entries()

    assert "no step 9" in refusal(around, "revise_step", revises=9, title="Again")
    assert refusal(around, "record_step", titel="Again") == (
        "record_step: 'title' is needed; it takes no 'titel'. Did you mean 'title'."
    )
    assert refusal(around, "record", title="Again").startswith(
        "No tool is called 'record'. Did you mean 'record_step'?"
    )
    assert "No session is called 'tides'" in refusal(around, "read_step", step=1, session="tides")
    assert wfnb.open("agent", home_folder=tmp_path).log.entries() == before


def test_an_answer_is_at_most_two_kilobytes_unless_more_is_asked_for(tmp_path: Path):
    around = at(tmp_path)
    long = {"title": "Read it", "reason": "much to say · " * 3_000}
    many = [("record_step", {"title": f"Step {n} " + "x" * 150}) for n in range(60)]

    *_, step, read, found, whole, listed = answers(
        around,
        *many,
        ("record_step", long),
        ("read_step", {"step": 61}),
        ("search_steps", {"limit": 200}),
        ("read_step", {"step": 61, "detail": "full"}),
        ("search_steps", {"limit": 200, "detail": "full"}),
    )

    assert all(size(each) <= 2_000 for each in (step, read, found))
    assert step["cut"] == ["last_step_description"]
    assert found["after"] == len(found["steps"]) < 61
    assert 2_000 < size(whole) <= 24_000
    assert len(listed["steps"]) == 61


def test_a_name_that_a_client_gives_itself_is_one_short_line(tmp_path: Path):
    hostile = Implementation(name="a\x1b[31m\nb" + "c" * 500, version="")

    talk(at(tmp_path), lambda client: client.call_tool("record_step", {"title": "A"}), by=hostile)

    (by,) = {entry.event.by for entry in wfnb.open("agent", home_folder=tmp_path).log.entries()}
    assert by.name is not None
    assert len(by.name) <= 60
    assert by.name.isprintable()
    assert by.version is None


def test_an_agent_takes_back_what_it_did_and_nothing_else(tmp_path: Path):
    ws = wfnb.open("tides", home_folder=tmp_path)
    ws.step("Load")
    around = at(tmp_path)
    answers(around, ("record_step", {"title": "Fit"}))
    ws.step("Plot")
    answers(around, ("record_step", {"title": "Fit again"}))

    (taken,) = answers(around, ("take_back", {}))

    assert taken["taken_back"] == ["step 2 added: Fit", "step 4 added: Fit again"]
    steps = ws.log.refresh().steps.values()
    assert [step.current.description for step in steps] == ["Load", "Plot"]


def test_an_agent_takes_nothing_back_on_which_a_person_has_built(tmp_path: Path):
    ws = wfnb.open("tides", home_folder=tmp_path)
    ws.step("Load")
    around = at(tmp_path)
    answers(around, ("record_step", {"title": "Fit"}))
    ws.step("Fit better", revises=2)

    said = refusal(around, "take_back")

    assert "“step 3 added: Fit better · by the notebook” rests on" in said
    assert len(ws.log.refresh().steps) == 3


@pytest.mark.parametrize(
    ("kind", "says", "looks"),
    [
        ("codereview", {"relevant": ["../out/secret.py"]}, {"what": "outline"}),
        ("codereview", {"relevant": ["../out/secret.py"]}, {}),
        ("docgen", {"fields": {"path": "../out"}}, {"what": "undocumented"}),
    ],
    ids=str,
)
def test_what_a_step_says_leads_no_look_out_of_the_folder(
    tmp_path: Path, kind: str, says: dict, looks: dict
):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret.py").write_text("def password(): pass\n")

    *_, last = results(
        at(tmp_path / "in" / ".wfnb"),
        ("start_session", {"name": "tides", "kind": kind}),
        ("record_step", {"title": "Read", "finding": "It is there", **says}),
        ("look", looks),
    )

    assert "password" not in text(last)
    assert kind == "docgen" or "nothing else is looked at here" in text(last)


def test_a_step_is_read_by_the_name_that_answers_have_for_it_whichever_line_is_chosen(
    tmp_path: Path,
):
    workspace = wfnb.open("lines", home_folder=tmp_path)
    for title, says in (("a", {}), ("b", {}), ("c", {"branch": "alt", "branch_from": 1})):
        workspace.step(title, **says)

    *_, found, read = answers(
        at(tmp_path),
        ("switch_branch", {"branch": "alt"}),
        ("search_steps", {"text": "b"}),
        ("read_step", {"step": 2}),
    )

    assert found["steps"][0]["step"] == 2
    assert (read["step"], read["description"]) == ("2", "b")


def test_an_agent_takes_back_nothing_of_one_whose_name_begins_as_its_own(tmp_path: Path):
    workspace = wfnb.open("lines", home_folder=tmp_path)
    workspace.step("Load")
    around = at(tmp_path)
    answers(around, ("session_status", {}))
    with author_context(Author(host="mcp", name="helper-2")):
        workspace.step("Fit")

    assert "nothing" in refusal(around, "take_back").lower()
    assert len(wfnb.open("lines", home_folder=tmp_path).session.steps) == 2
