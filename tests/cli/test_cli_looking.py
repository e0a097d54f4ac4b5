"""Runs that are over: found by name in any session, listed, reported, drawn and compared."""

import json
from pathlib import Path

import pytest

from .command import Desk, asks, ended, steps, until


@pytest.fixture
def worked(desk: Desk) -> Desk:
    """A run that succeeded in `cli`, one that failed there, and one of another session."""
    desk.write(steps("echo {text}"), "echo.yaml")
    desk.write(steps("true", name="night"), "night.yaml")
    desk.wfnb("run", "echo.yaml", "--var", "text=one", "--no-save")
    desk.wfnb("run", "echo.yaml", "--var", "text=two; false", "--no-save")
    desk.wfnb("run", "night.yaml", "--session", "night")
    return desk


def test_runs_of_all_sessions_are_listed_with_what_can_be_done(worked: Desk):
    lines = [line.split("  ") for line in worked.wfnb("runs").lines]

    cells = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    assert [(row[0], row[1], row[2], row[-1]) for row in cells[1:]] == [
        ("work-1", "cli", "✓ success", "4"),
        ("work-2", "cli", "✕ failed", "wfnb resume work-2"),
        ("night-1", "night", "✓ success", "4"),
    ]


def test_a_run_is_found_in_cli_first_and_then_where_its_name_is_the_only_one(worked: Desk):
    worked.wfnb("run", "night.yaml", "--session", "later")
    worked.wfnb("run", "echo.yaml", "--var", "text=three", "--session", "later")

    assert worked.wfnb("show", "work-1", "--json").data["variables"]["text"] == "one"
    assert (
        worked.wfnb("show", "work-1", "--json", "--session", "later").data["variables"]["text"]
        == "three"
    )
    assert worked.wfnb("log", "night-1").err == (
        "wfnb: Several runs may be meant: night-1 (session night), night-1 (session later). "
        "Say which: night-1 --session later.\n"
    )
    assert worked.wfnb("log", "night-1", "--session", "cli").err == (
        "wfnb: No run is called 'night-1'. Runs: work-2, work-1.\n"
    )


def test_last_is_the_run_that_was_begun_last_in_its_session(worked: Desk):
    assert worked.wfnb("show", "last").lines[0].startswith("work-2 · ✕ failed · ")
    assert worked.wfnb("show", "last", "--session", "night").lines[0].startswith("night-1 · ")


def test_a_report_is_written_in_the_form_of_the_file_or_of_the_option(worked: Desk):
    forms = {"md": "md", "html": "html", "json": "json", "txt": "text"}
    by_option = [worked.wfnb("show", "work-1", f"--{form}").out for form in forms.values()]
    for ending in forms:
        assert worked.wfnb("show", "work-1", "-o", f"report.{ending}").out == ""

    texts = [(worked.folder / f"report.{ending}").read_text("utf-8") for ending in forms]
    assert texts == by_option
    assert texts[3] == worked.wfnb("show", "work-1").out
    assert texts[0].startswith("# work-1\n")
    assert texts[1].startswith("<!doctype html>")
    assert json.loads(texts[2])["run"] == "work-1"


def test_a_picture_shows_a_run_a_file_or_a_saved_workflow(worked: Desk):
    run = worked.wfnb("graph", "work-1", "--mermaid").out
    file = worked.wfnb("graph", "echo.yaml").out
    saved = worked.wfnb("graph", "simple_test", "--dot").out
    worked.wfnb("graph", "work-1", "-o", "run.svg")

    assert run == 'flowchart LR\n    n0["✓ a"]\n'
    assert file == "· a · shell\n"
    assert saved.startswith("digraph ")
    assert (worked.folder / "run.svg").read_text("utf-8").startswith("<svg")


def test_a_timeline_has_a_bar_for_each_call(worked: Desk):
    said = worked.wfnb("timeline", "work-2")

    assert said.lines[1].split()[0] == "a"
    assert "█" in said.lines[1]
    assert worked.wfnb("timeline", "work-2", "--svg").out.startswith("<svg")


def test_two_runs_are_compared_across_sessions(worked: Desk):
    worked.wfnb("run", "echo.yaml", "--var", "text=one", "--no-save", "--session", "later")

    differs = worked.wfnb("diff", "work-1", "work-2", "--json").data
    same = worked.wfnb("diff", "night-1", "night-1")

    assert differs["differences"]["run"]["status"] == ["✓ success", "✕ failed"]
    assert differs["differences"]["variables"]["text"] == ["one", "two; false"]
    assert same.out == "The runs do not differ: same steps, same results.\n"


def test_runs_that_only_took_longer_do_not_differ(worked: Desk):
    worked.write(steps("sleep {s}; echo done"), "slow.yaml")
    for seconds in ("0", "0.1"):
        worked.wfnb("run", "slow.yaml", "--var", f"s={seconds}", "--no-save", "--session", "slow")
    data = worked.wfnb("diff", "work-1", "work-2", "--session", "slow", "--json").data
    worked.wfnb("run", "echo.yaml", "--var", "text=one", "--no-save")

    said = worked.wfnb("diff", "work-1", "work-3")

    assert list(data["differences"]) == ["variables", "a"]
    assert list(data["times"]) == ["a"]
    assert said.lines[0] == "The runs do not differ: same steps, same results."
    assert worked.wfnb("diff", "work-1", "work-3", "--json").data["differences"] == {}


def test_a_file_is_written_over_through_a_link_and_a_device_stays_one(worked: Desk):
    target, link = worked.folder / "real.md", worked.folder / "link.md"
    target.write_text("old")
    link.symlink_to(target)

    codes = [
        worked.wfnb("show", "work-1", "--md", "-o", where).code for where in (link, "/dev/null")
    ]

    assert codes == [0, 0]
    assert link.is_symlink()
    assert target.read_text("utf-8").startswith("# work-1\n")
    assert Path("/dev/null").is_char_device()


def test_a_folder_in_the_way_of_a_file_is_a_refusal(worked: Desk):
    said = worked.wfnb("show", "work-1", "-o", ".")

    assert (said.code, said.err) == (
        2,
        "wfnb: --output is '.'. It needs a place that can be written (Is a directory).\n",
    )


def test_no_folder_is_made_for_a_file(worked: Desk):
    said = worked.wfnb("show", "work-1", "-o", "none/such/report.md")

    assert (said.code, said.err) == (
        2,
        "wfnb: --output is 'none/such/report.md'. "
        "It needs a folder that is there: none/such is none.\n",
    )
    assert not (worked.folder / "none").exists()


def test_a_report_as_text_has_aligned_columns_and_each_variable_once(worked: Desk):
    lines = worked.wfnb("show", "work-1").lines

    assert [line for line in lines if "|" in line or "`" in line or "#" in line] == []
    shown = [line.split("  ")[0] for line in lines[lines.index("", 5) + 2 :]]
    assert shown == ["text", "a.exit_code", "a.stdout", "a.left_running"]


def test_a_traceback_is_shown_as_lines(desk: Desk):
    code = "def inner(x):\n    return float(x)\ninner('abc')\n"
    step = {"id": "a", "tool": "python", "args": {"code": code}}
    desk.wfnb("run", desk.write({"steps": [step]}))

    lines = desk.wfnb("show", "last").lines

    start = lines.index("a:")
    assert [line for line in lines[start:] if "^" not in line][1:6] == [
        "  line 3, in <module>",
        "      inner('abc')",
        "  line 2, in inner",
        "      return float(x)",
        "  ValueError: could not convert string to float: 'abc'",
    ]
    assert not any(line.startswith("a.traceback") for line in lines)


def test_a_question_that_waits_is_shown_with_its_choices_and_the_way_to_answer(desk: Desk):
    file = desk.write(asks(question="Go?", choices=["yes", "no"]))
    way = "ask asks: Go? 1 yes · 2 no · answer: wfnb answer TEXT --run asking-1 --to ask"

    with desk.begun("run", file) as running:
        until(running, "asks: Go?")
        listed, shown = desk.wfnb("runs"), desk.wfnb("show", "last")
        desk.wfnb("answer", "2")
        running.wait()

    assert listed.lines[-1] == f"? asking-1: {way}"
    assert shown.lines[-1] == f"? {way}"


def test_two_runs_that_differ_are_shown_within_the_width_of_a_terminal(desk: Desk):
    for size in (50, 60):
        desk.wfnb("run", desk.write(steps(f"echo {'x' * size}")), "--overwrite")

    with desk.terminal("diff", "work-1", "work-2", size=(24, 60)) as child:
        _, wrote = ended(child)

    lines = wrote.splitlines()
    assert max(map(len, lines)) <= 60
    assert lines[0].split() == ["work-1", "work-2"]


def test_a_report_as_text_has_the_warnings_of_the_run(desk: Desk):
    desk.wfnb("run", desk.write(steps(r"printf 'a\377'")))

    lines = [line for line in desk.wfnb("show", "last").lines if line.startswith("! ")]

    assert len(lines) == 1
    assert lines[0].startswith("! a: stdout is not all UTF-8: bytes were replaced by U+FFFD.")
