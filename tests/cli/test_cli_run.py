"""`wfnb run`: what it prints for programs and people, and how it ends."""

import json

import pytest

from wfnb.views.step_words import run_sign

from .command import Desk, events, steps

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


def in_states(state, when=None):
    """The state, and the expression that leads on from it."""
    more = {} if when is None else {"t": {"action": {"tool": "shell", "params": {"command": ":"}}}}
    ways = [{"condition": when, "next_state": name} for name in more]
    states = {"s": {**state, "transitions": ways}, **more}
    return {"name": "work", "initial_state": "s", "states": states}


GROUP = {"steps": PARTIAL["steps"]}
CALLS = {"tool": "run_workflow", "args": {"workflow_definition": PARTIAL}}
OUTER = {"tool": "run_workflow", "args": {"workflow_definition": in_states(GROUP)}}
EACH = {"tool": "shell", "params": {"command": "exit {item!q}"}}
SOME = {"for_each": {"items": [0, 1], "tolerate": 1}}


@pytest.mark.parametrize(
    ("definition", "code", "status"),
    [
        (steps("true"), 0, "success"),
        (steps("false"), 1, "failed"),
        (UNDONE, 1, "rolled_back"),
        (PARTIAL, 3, "partial_success"),
        (in_states(GROUP), 3, "partial_success"),
        (in_states(GROUP, "b.success"), 3, "partial_success"),
        (in_states(GROUP, "not a.success"), 0, "success"),
        (in_states({"action": CALLS}), 3, "partial_success"),
        (in_states({"steps": [{"id": "a", **CALLS}]}), 3, "partial_success"),
        (in_states({"action": EACH, **SOME}), 3, "partial_success"),
        (in_states({"action": EACH, **SOME}, "failed > 0"), 0, "success"),
        ({"name": "work", "steps": [OUTER]}, 3, "partial_success"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_exit_code_says_how_the_run_ended(desk: Desk, definition, code, status):
    file = desk.write(definition)

    said = desk.wfnb("run", file, "--json")

    assert (said.code, said.data["status"], said.err) == (code, status, "")
    assert said.data["workflow_saved"] is (status == "success")
    shown = desk.wfnb("show", "work-1")
    assert (shown.code, shown.out.split(" · ")[1]) == (0, run_sign(status))


def test_in_a_pipe_every_event_is_a_line_and_the_same_run_says_the_same(desk: Desk):
    file = desk.write(steps("echo one", "echo oops >&2; exit 3"))

    said = desk.wfnb("run", file)

    assert events(said.lines) == [
        "work-1 started: 2 steps",
        "▶ a (shell)",
        "a: ✓ ok",
        "  │ one",
        "▶ b (shell)",
        "b: ✕ failed, exit code 3: oops",
        "work-1 ✕ failed: b: exit code 3: oops",
        f"! `wfnb resume work-1` goes on from there; add `--file {file}` once that is mended",
    ]
    again = [line.replace("work-2", "work-1") for line in desk.wfnb("run", file).lines]
    assert events(again) == events(said.lines)


def test_in_a_pipe_a_step_shows_the_last_lines_of_its_output_and_the_end_is_a_table(desk: Desk):
    many = "for n in 1 2 3 4 5 6 7; do echo line $n; done"
    value = {"id": "v", "tool": "python", "args": {"code": "print('said')\n[1, 2]"}}
    definition = steps(many, "echo out; echo why >&2; echo oops >&2; exit 3")
    definition["steps"].insert(1, value)

    lines = desk.wfnb("run", desk.write(definition)).lines

    assert [line for line in lines if line.startswith("  │ ")] == [
        *(f"  │ line {n}" for n in (3, 4, 5, 6, 7)),
        "  │ said",
        "  │ = [1, 2]",
        "  │ out",
        "  │ why",
        "  │ oops",
    ]
    table = [line.split("  ") for line in lines[lines.index("") + 1 : -1]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in table]
    assert [row[:3] + row[4:] for row in cells] == [
        ["step", "status", "attempts", "note"],
        ["a", "✓ ok", "1"],
        ["v", "✓ ok", "1"],
        ["b", "✕ failed", "1", "exit code 3: oops"],
    ]
    assert [row[3].split()[-1] for row in cells[1:]] == ["s"] * 3


def test_with_json_nothing_else_is_on_stdout_whatever_the_steps_print(desk: Desk):
    file = desk.write(steps("echo one", "echo oops >&2; exit 3"))

    said = desk.wfnb("run", file, "--json")

    assert (said.data["status"], said.err) == ("failed", "")


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess; subprocess.run(['echo', 'aside'], check=True)",
        "import os; os.write(1, b'aside\\n')",
        "import subprocess; subprocess.Popen(['sh', '-c', 'echo aside; sleep 60'])",
        "import sys; print('aside', file=sys.__stdout__, flush=True)",
    ],
)
def test_with_json_nothing_else_is_on_stdout_whatever_code_has_others_print(desk: Desk, code: str):
    steps = [{"id": "a", "tool": "python", "args": {"code": f"{code}; None"}}]
    file = desk.write({"name": "work", "steps": steps})

    said = desk.wfnb("run", file, "--json")

    assert (said.data["status"], said.err) == ("success", "aside\n")


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

    assert [events(said.lines)[-1] for said in ways] == [
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
    file = desk.write(steps("touch {name!q}"))

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


def test_a_file_that_was_edited_takes_the_place_of_what_it_was(desk: Desk):
    desk.wfnb("run", desk.write(steps("true")))

    edited = desk.wfnb("run", desk.write(steps("true", "echo edited")))
    by_name = desk.wfnb("run", "work")

    assert "work-2 ✓ success · saved as work" in edited.lines
    assert any("edited" in line for line in by_name.lines)


def test_a_file_without_a_name_gives_the_workflow_its_own(desk: Desk):
    unnamed = {"steps": steps("true")["steps"]}
    file = desk.write(unnamed, "deploy.workflow.yaml")

    ran = desk.wfnb("run", file, "--json").data
    imported = desk.wfnb("workflows", "import", file, "--home", desk.folder / "other")

    assert (ran["run"], ran["saved_workflow_name"]) == ("deploy-1", "deploy")
    assert imported.out == "imported as 'deploy'\n"
    mended = desk.write({"steps": steps("false")["steps"]}, "mended.yaml")
    assert desk.wfnb("resume", "deploy-1", "--file", mended, "--from", "a").code == 1
    name = desk.wfnb("show", "deploy-1").lines[2]
    assert name.startswith("workflow deploy ")
