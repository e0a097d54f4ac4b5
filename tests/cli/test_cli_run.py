"""`wfnb run`: what it prints for programs and people, and how it ends."""

import json

import pytest

from .command import Desk, asks, steps

UNDONE = {
    "name": "work",
    "rollback": True,
    "steps": [
        {
            "id": "a",
            "tool": "shell",
            "args": {"command": "true"},
            "compensation": {"tool": "shell", "args": {"command": "true"}},
        },
        {"id": "b", "tool": "shell", "args": {"command": "false"}},
    ],
}
PARTIAL = {
    "name": "work",
    "steps": [
        {"id": "a", "tool": "shell", "args": {"command": "false"}, "on_failure": "continue"},
        {"id": "b", "tool": "shell", "args": {"command": "true"}},
    ],
}


@pytest.mark.parametrize(
    ("definition", "code", "status"),
    [
        (steps("true"), 0, "success"),
        (steps("false"), 1, "failed"),
        (UNDONE, 1, "rolled_back"),
        (PARTIAL, 3, "partial_success"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_exit_code_says_how_the_run_ended(desk: Desk, definition, code, status):
    file = desk.write(definition)

    said = desk.wfnb("run", file, "--json")

    assert (said.code, said.data["status"], said.err) == (code, status, "")


def test_in_a_pipe_every_event_is_a_line_and_the_same_run_says_the_same(desk: Desk):
    file = desk.write(steps("echo one", "echo oops >&2; exit 3"))

    said = desk.wfnb("run", file)

    assert said.lines == [
        "work-1 started: 2 steps",
        "▶ a (shell)",
        "a: ✓ ok",
        "▶ b (shell)",
        "b: ✕ failed, exit code 3: oops",
        "work-1 ✕ failed: b: exit code 3: oops",
        "! `wfnb resume work-1` goes on from there",
    ]
    assert desk.wfnb("run", file).out == said.out.replace("work-1", "work-2")


def test_json_is_the_whole_response_and_nothing_else(desk: Desk):
    said = desk.wfnb("run", desk.write(steps("echo {who!q}")), "--var", "who=[a, 1]", "--json")

    data = said.data
    assert list(data)[:6] == [
        "success",
        "final_state",
        "states_executed",
        "total_elapsed_time",
        "execution_log",
        "final_variables",
    ]
    assert data["execution_log"][0]["result"]["stdout"] == '["a",1]\n'
    assert (data["run"], data["saved_workflow_name"]) == ("work-1", "work")


def test_a_workflow_is_read_from_a_file_from_stdin_and_by_its_name(desk: Desk):
    file = desk.write(steps("true"))

    ways = [
        desk.wfnb("run", file),
        desk.wfnb("run", "-", stdin=None, input=json.dumps(steps("true"))),
        desk.wfnb("run", "work"),
    ]

    assert [said.lines[-1] for said in ways] == [
        "work-1 ✓ success · saved as work",
        "work-2 ✓ success",
        "work-3 ✓ success",
    ]
    (saved,) = [
        row for row in desk.wfnb("workflows", "--json").data["workflows"] if row["name"] == "work"
    ]
    assert saved["success_count"] == 3


def test_a_secret_comes_from_the_environment_and_is_written_nowhere(desk: Desk):
    file = desk.write(steps("echo {token}; printf %s {token} | wc -c"))

    said = Desk(desk.folder, {"TOKEN": "hunter2hunter2"}).wfnb(
        "run", file, "--secret", "token", "--json"
    )

    assert said.code == 0
    assert said.data["execution_log"][0]["result"]["stdout"] == "•••\n14\n"
    kept = [path.read_bytes() for path in desk.folder.rglob("*") if path.is_file()]
    assert not [text for text in kept if b"hunter2hunter2" in text]


def test_a_dry_run_says_what_would_be_called_and_leaves_nothing(desk: Desk):
    file = desk.write(steps("touch {name}"))

    said = desk.wfnb("run", file, "--dry-run", "--var", "name=made")

    assert said.code == 0
    assert said.lines == [
        "work · dry run · 1 step in sequence · at most 30 min · ✓ can run",
        "1. a  shell",
        "     command: touch made",
    ]
    assert sorted(path.name for path in desk.folder.iterdir()) == ["work.yaml"]
    assert desk.wfnb("run", file, "--dry-run", "--var", "name=x", "--json").data["problems"] == []


def test_runs_belong_to_the_session_cli_or_to_the_one_that_is_named(desk: Desk):
    file = desk.write(steps("true"))

    desk.wfnb("run", file)
    desk.wfnb("run", file, "--session", "night")

    found = desk.wfnb("runs", "--json").data["runs"]
    assert [(run["session"], run["run"]) for run in found] == [
        ("cli", "work-1"),
        ("night", "work-1"),
    ]
    only = desk.wfnb("runs", "--session", "night", "--json").data["runs"]
    assert [run["session"] for run in only] == ["night"]


def test_limits_are_those_of_the_command(desk: Desk):
    states = {
        "name": "round",
        "initial_state": "a",
        "states": {
            "a": {
                "action": {"tool": "shell", "params": {"command": "true"}},
                "transitions": [{"condition": {"success": True}, "next_state": "a"}],
            }
        },
    }

    said = desk.wfnb("run", desk.write(states), "--max-states", 2, "--json")

    assert (said.code, said.data["states_executed"]) == (1, 2)
    assert said.data["error"].startswith("Maximum states limit (2) reached")


def test_no_save_and_overwrite_say_what_happens_to_the_library(desk: Desk):
    first, second = desk.write(steps("true")), desk.write(steps("true", "true"), "other.yaml")

    unsaved = desk.wfnb("run", first, "--no-save", "--json").data
    desk.wfnb("run", first)
    kept = desk.wfnb("run", second)
    replaced = desk.wfnb("run", second, "--overwrite", "--json").data

    assert (unsaved["workflow_saved"], replaced["saved_workflow_name"]) == (False, "work")
    assert kept.lines[-1] == (
        "! not saved: Workflow 'work' exists, with other content. "
        "`--overwrite` replaces it; another name keeps both."
    )
    assert kept.code == 0


def test_a_question_that_nobody_here_can_answer_says_how_to(desk: Desk):
    file = desk.write(asks(question="Go?", choices=["yes", "no"], timeout=0.1, default="no"))

    said = desk.wfnb("run", file)

    assert (
        "? ask asks: Go? (yes · no) · answer: wfnb answer TEXT --run asking-1 --to ask"
        in said.lines
    )
    assert said.code == 0


def test_a_question_for_a_secret_says_that_it_cannot_be_sent(desk: Desk):
    file = desk.write(asks(question="Password", secret=True, timeout=0.1))

    said = desk.wfnb("run", file)

    assert (
        "? ask asks: Password · answer: only at the terminal where it was started, "
        "since it is for a secret"
    ) in said.lines
    assert said.code == 1


def test_with_json_the_question_is_said_on_stderr(desk: Desk):
    file = desk.write(asks(question="Go?", timeout=0.5, default="no"))

    said = desk.wfnb("run", file, "--json")

    assert said.err == ("? ask asks: Go? [no] · answer: wfnb answer TEXT --run asking-1 --to ask\n")
    assert said.data["success"]
